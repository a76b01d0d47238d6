//! Reference rasterization of shapes: exact containment tests column by column.
//!
//! A shape covers a column if it contains the center of the column; edges are included. Units are
//! 1/256 of a cell. For shapes within 2,000 cells of the origin, whose products fit `i128`.

use std::cmp::Ordering;

use wayfarer_base::{Column, Point2, Shape};

/// True if the center of `column` lies in `shape` or on its edge.
///
/// ```
/// use wayfarer_base::{Column, Fixed, Point2, Shape};
/// let center = Point2::from_raw(128, 128);
/// let circle = Shape::Circle { center, radius: Fixed::from_raw(256) };
/// assert!(wayfarer_testkit::shapes::covers(&circle, Column::new(1, 0)));
/// assert!(!wayfarer_testkit::shapes::covers(&circle, Column::new(1, 1)));
/// ```
pub fn covers(shape: &Shape, column: Column) -> bool {
    contains(shape, center(column))
}

/// Every column that `shape` covers, in row-major order.
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

fn center(column: Column) -> Vector {
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

/// Positive if `b` lies clockwise (y south) of `a` within a half turn.
fn cross(a: Vector, b: Vector) -> i128 {
    a.0 * b.1 - a.1 * b.0
}

fn contains(shape: &Shape, at: Vector) -> bool {
    match shape {
        Shape::Circle { center, radius } => {
            let away = minus(at, vector(*center));
            let radius = i128::from(radius.raw());
            radius >= 0 && dot(away, away) <= radius * radius
        }
        Shape::Box(rect) => {
            let (low, high) = (center(rect.low), center(rect.high));
            low.0 - 128 <= at.0 && at.0 < high.0 + 128 && low.1 - 128 <= at.1 && at.1 < high.1 + 128
        }
        Shape::Polygon(vertices) => {
            let vertices: Vec<Vector> = vertices.iter().map(|vertex| vector(*vertex)).collect();
            polygon_contains(&vertices, at)
        }
        Shape::Segment { from, to, radius } => {
            let (from, to) = (vector(*from), vector(*to));
            capsule_contains(from, to, i128::from(radius.raw()), at)
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
            let is_near = radius >= 0 && dot(away, away) <= radius * radius;
            is_near && (away == (0, 0) || compare_turns(left, away, right) != Ordering::Greater)
        }
    }
}

/// Compares the clockwise angles from `from` to `a` and to `b`, each in [0, 2π).
fn compare_turns(from: Vector, a: Vector, b: Vector) -> Ordering {
    // In the frame of `from`: forward and clockwise components.
    let in_frame = |v: Vector| (dot(from, v), cross(from, v));
    let half = |(ahead, beside): Vector| u8::from(beside < 0 || (beside == 0 && ahead < 0));
    let (a, b) = (in_frame(a), in_frame(b));
    // Within a half turn the smaller angle has the other on its clockwise side.
    half(a).cmp(&half(b)).then(0.cmp(&cross(a, b)))
}

/// Even-odd rule with a ray to the east; edges are included.
fn polygon_contains(vertices: &[Vector], at: Vector) -> bool {
    let mut n_crossed = 0;
    for (index, &a) in vertices.iter().enumerate() {
        let b = vertices[(index + 1) % vertices.len()];
        let is_on_line = cross(minus(b, a), minus(at, a)) == 0;
        let is_in_bounds = a.0.min(b.0) <= at.0
            && at.0 <= a.0.max(b.0)
            && a.1.min(b.1) <= at.1
            && at.1 <= a.1.max(b.1);
        if is_on_line && is_in_bounds {
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

fn capsule_contains(from: Vector, to: Vector, radius: i128, at: Vector) -> bool {
    if radius < 0 {
        return false;
    }
    let along = minus(to, from);
    let length_squared = dot(along, along);
    // The nearest point is from + along * projection / length_squared.
    let projection = dot(minus(at, from), along).clamp(0, length_squared);
    if length_squared == 0 {
        let away = minus(at, from);
        return dot(away, away) <= radius * radius;
    }
    let away = minus(at, from);
    let away = (
        away.0 * length_squared - along.0 * projection,
        away.1 * length_squared - along.1 * projection,
    );
    dot(away, away) <= radius * radius * length_squared * length_squared
}

/// Bounding columns of the shape, with a margin of one column.
fn bounds(shape: &Shape) -> Option<(Column, Column)> {
    let (points, margin) = match shape {
        Shape::Box(rect) => return Some((rect.low, rect.high)),
        Shape::Circle { center, radius } => (vec![*center], radius.raw()),
        Shape::Polygon(vertices) => (vertices.clone(), 0),
        Shape::Segment { from, to, radius } => (vec![*from, *to], radius.raw()),
        Shape::Wedge { tip, radius, .. } => (vec![*tip], radius.raw()),
    };
    let margin = margin.max(0);
    let low = |raw: i32| (raw - margin).div_euclid(256) - 1;
    let high = |raw: i32| (raw + margin).div_euclid(256) + 1;
    let xs = points.iter().map(|point| point.x.raw());
    let ys = points.iter().map(|point| point.y.raw());
    Some((
        Column::new(low(xs.clone().min()?), low(ys.clone().min()?)),
        Column::new(high(xs.max()?), high(ys.max()?)),
    ))
}

#[cfg(test)]
mod tests;
