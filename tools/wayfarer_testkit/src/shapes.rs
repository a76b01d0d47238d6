//! Which columns an area covers, tested column by column in whole numbers.
//!
//! A column belongs to a shape if its middle does; edges belong to the shape. Numbers are 1/256
//! of a cell. Meant for shapes within 2,000 cells of the origin, whose products fit 128 bits.

use std::cmp::Ordering;

use wayfarer_base::{Column, Point2, Shape};

/// True if the middle of `column` lies in `shape` or on its edge.
///
/// ```
/// use wayfarer_base::{Column, Fixed, Point2, Shape};
/// let middle = Point2::new(Fixed::from_raw(128), Fixed::from_raw(128));
/// let circle = Shape::Circle { centre: middle, radius: Fixed::from_raw(256) };
/// assert!(wayfarer_testkit::shapes::covers(&circle, Column::new(1, 0)));
/// assert!(!wayfarer_testkit::shapes::covers(&circle, Column::new(1, 1)));
/// ```
pub fn covers(shape: &Shape, column: Column) -> bool {
    holds(shape, middle(column))
}

/// Every column that `shape` covers, row by row.
pub fn columns(shape: &Shape) -> Vec<Column> {
    let Some((low, high)) = bounds(shape) else {
        return Vec::new();
    };
    let mut covered = Vec::new();
    for y in low.y..=high.y {
        for x in low.x..=high.x {
            if covers(shape, Column::new(x, y)) {
                covered.push(Column::new(x, y));
            }
        }
    }
    covered
}

/// A vector in 1/256 of a cell.
type Vector = (i128, i128);

fn middle(column: Column) -> Vector {
    (
        i128::from(column.x) * 256 + 128,
        i128::from(column.y) * 256 + 128,
    )
}

fn vector(point: Point2) -> Vector {
    (i128::from(point.x.raw()), i128::from(point.y.raw()))
}

fn minus(a: Vector, b: Vector) -> Vector {
    (a.0 - b.0, a.1 - b.1)
}

fn dot(a: Vector, b: Vector) -> i128 {
    a.0 * b.0 + a.1 * b.1
}

/// Positive if `b` lies clockwise of `a` on the map (y south), within a half turn.
fn cross(a: Vector, b: Vector) -> i128 {
    a.0 * b.1 - a.1 * b.0
}

fn holds(shape: &Shape, at: Vector) -> bool {
    match shape {
        Shape::Circle {
            center: centre,
            radius,
        } => {
            let away = minus(at, vector(*centre));
            let radius = i128::from(radius.raw());
            radius >= 0 && dot(away, away) <= radius * radius
        }
        Shape::Box(rect) => {
            let (low, high) = (middle(rect.low), middle(rect.high));
            low.0 - 128 <= at.0 && at.0 < high.0 + 128 && low.1 - 128 <= at.1 && at.1 < high.1 + 128
        }
        Shape::Polygon(corners) => {
            let corners: Vec<Vector> = corners.iter().map(|corner| vector(*corner)).collect();
            in_polygon(&corners, at)
        }
        Shape::Segment { from, to, radius } => {
            let (from, to) = (vector(*from), vector(*to));
            near_segment(from, to, i128::from(radius.raw()), at)
        }
        Shape::Wedge {
            tip,
            radius,
            left,
            right,
        } => {
            let away = minus(at, vector(*tip));
            let radius = i128::from(radius.raw());
            let left = (i128::from(left.0), i128::from(left.1));
            let right = (i128::from(right.0), i128::from(right.1));
            let near = radius >= 0 && dot(away, away) <= radius * radius;
            near && (away == (0, 0) || compare_turns(left, away, right) != Ordering::Greater)
        }
    }
}

/// Compares how far one must turn clockwise from `from` to face `a` and to face `b`, each from
/// none to just below a full turn.
fn compare_turns(from: Vector, a: Vector, b: Vector) -> Ordering {
    // In the frame of `from`: first how far ahead, then how far to the clockwise side.
    let seen = |v: Vector| (dot(from, v), cross(from, v));
    let half = |(ahead, beside): Vector| u8::from(beside < 0 || (beside == 0 && ahead < 0));
    let (a, b) = (seen(a), seen(b));
    // Within one half turn the one that has the other on its clockwise side comes first.
    half(a).cmp(&half(b)).then(0.cmp(&cross(a, b)))
}

/// Even-odd rule with a ray to the east; the edges belong to the polygon.
fn in_polygon(corners: &[Vector], at: Vector) -> bool {
    let mut n_crossed = 0;
    for (index, &a) in corners.iter().enumerate() {
        let b = corners[(index + 1) % corners.len()];
        let on_line = cross(minus(b, a), minus(at, a)) == 0;
        let in_box = a.0.min(b.0) <= at.0
            && at.0 <= a.0.max(b.0)
            && a.1.min(b.1) <= at.1
            && at.1 <= a.1.max(b.1);
        if on_line && in_box {
            return true;
        }
        let (upper, lower) = if a.1 < b.1 { (a, b) } else { (b, a) };
        if upper.1 <= at.1 && at.1 < lower.1 {
            // The edge crosses the ray's line at upper.0 + numerator / height.
            let height = lower.1 - upper.1;
            let numerator = (lower.0 - upper.0) * (at.1 - upper.1);
            n_crossed += u32::from(upper.0 * height + numerator > at.0 * height);
        }
    }
    n_crossed % 2 == 1
}

fn near_segment(from: Vector, to: Vector, radius: i128, at: Vector) -> bool {
    if radius < 0 {
        return false;
    }
    let along = minus(to, from);
    let length = dot(along, along);
    // The nearest point is from + along * reach / length; everything times length.
    let reach = dot(minus(at, from), along).clamp(0, length);
    if length == 0 {
        let away = minus(at, from);
        return dot(away, away) <= radius * radius;
    }
    let away = minus(at, from);
    let away = (
        away.0 * length - along.0 * reach,
        away.1 * length - along.1 * reach,
    );
    dot(away, away) <= radius * radius * length * length
}

/// A rectangle of columns around the shape, with one column to spare on each side.
fn bounds(shape: &Shape) -> Option<(Column, Column)> {
    let (points, reach) = match shape {
        Shape::Box(rect) => return Some((rect.low, rect.high)),
        Shape::Circle {
            center: centre,
            radius,
        } => (vec![*centre], radius.raw()),
        Shape::Polygon(corners) => (corners.clone(), 0),
        Shape::Segment { from, to, radius } => (vec![*from, *to], radius.raw()),
        Shape::Wedge { tip, radius, .. } => (vec![*tip], radius.raw()),
    };
    let reach = reach.max(0);
    let low = |raw: i32| (raw - reach).div_euclid(256) - 1;
    let high = |raw: i32| (raw + reach).div_euclid(256) + 1;
    let xs = points.iter().map(|point| point.x.raw());
    let ys = points.iter().map(|point| point.y.raw());
    Some((
        Column::new(low(xs.clone().min()?), low(ys.clone().min()?)),
        Column::new(high(xs.max()?), high(ys.max()?)),
    ))
}

#[cfg(test)]
mod tests;
