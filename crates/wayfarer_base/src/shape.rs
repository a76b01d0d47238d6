//! Planar areas: circle, box, polygon, capsule, wedge. Containment is exact integer arithmetic.
//!
//! A shape contains a column if it contains the center of the column; shapes are closed (edges
//! included). [`Shape::columns`] takes time in the bounding rectangle plus, for a polygon, the rows
//! times the edges that cross them.

mod scanline;

use crate::{Column, Fixed, Point2, Rect};

pub use scanline::{PolygonRuns, SectorMasks};

/// A closed planar area.
///
/// Coordinates are at most 4 million cells from the origin; products then fit `i128`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// All points within `radius` of `center`.
    Circle {
        /// Center.
        center: Point2,
        /// Radius; a negative one contains nothing.
        radius: Fixed,
    },
    /// All columns of a rectangle.
    Box(Rect),
    /// The inside of a polygon by the even-odd rule, edges included.
    Polygon(Vec<Point2>),
    /// A capsule: all points within `radius` of a segment.
    Segment {
        /// Start of the segment.
        from: Point2,
        /// End of the segment.
        to: Point2,
        /// Half the width; a negative one contains nothing.
        radius: Fixed,
    },
    /// The sector of a circle clockwise (y south) from direction `left` to direction `right`.
    Wedge {
        /// Center of the circle.
        tip: Point2,
        /// Radius; a negative one contains nothing.
        radius: Fixed,
        /// Direction of the first edge; not (0, 0).
        left: (i32, i32),
        /// Direction of the second edge; not (0, 0).
        right: (i32, i32),
    },
}

impl Shape {
    /// True if the shape contains `point`.
    pub fn contains(&self, point: Point2) -> bool {
        match self {
            Self::Circle { center, radius } => is_within(delta(*center, point), *radius),
            Self::Box(rect) => rect.contains(point.column()),
            Self::Polygon(vertices) => polygon_contains(vertices, point),
            Self::Segment { from, to, radius } => capsule_contains(*from, *to, *radius, point),
            Self::Wedge {
                tip,
                radius,
                left,
                right,
            } => {
                let at = delta(*tip, point);
                is_within(at, *radius) && (at == (0, 0) || is_between(*left, *right, at))
            }
        }
    }

    /// The shape translated by (x, y), in 1/256 of a cell; `None` if a coordinate leaves its range.
    /// A box moves by the nearest whole number of columns, halves rounded up.
    ///
    /// ```
    /// use wayfarer_base::{Column, Rect, Shape};
    ///
    /// let shield = |x| Shape::Box(Rect::around(Column::new(x, 0), Column::new(x + 1, 1)));
    /// assert_eq!(shield(0).translated((3 * 256 + 100, 0)), Some(shield(3)));
    /// ```
    pub fn translated(&self, by: (i32, i32)) -> Option<Self> {
        let point = |point: Point2| {
            Some(Point2::from_raw(
                point.x.raw().checked_add(by.0)?,
                point.y.raw().checked_add(by.1)?,
            ))
        };
        let column = |column: Column| {
            let whole = |by: i32| by.saturating_add(Fixed::UNITS_PER_CELL / 2) >> 8;
            let x = column.x.checked_add(whole(by.0))?;
            Some(Column::new(x, column.y.checked_add(whole(by.1))?))
        };
        Some(match self {
            Self::Circle { center, radius } => Self::Circle {
                center: point(*center)?,
                radius: *radius,
            },
            Self::Box(rect) if rect.is_empty() => self.clone(),
            Self::Box(rect) => Self::Box(Rect::around(column(rect.low)?, column(rect.high)?)),
            Self::Polygon(vertices) => Self::Polygon(
                vertices
                    .iter()
                    .map(|at| point(*at))
                    .collect::<Option<_>>()?,
            ),
            Self::Segment { from, to, radius } => Self::Segment {
                from: point(*from)?,
                to: point(*to)?,
                radius: *radius,
            },
            Self::Wedge {
                tip,
                radius,
                left,
                right,
            } => Self::Wedge {
                tip: point(*tip)?,
                radius: *radius,
                left: *left,
                right: *right,
            },
        })
    }

    /// A rectangle that contains every column of the shape.
    pub fn bounds(&self) -> Rect {
        match self {
            Self::Box(rect) => *rect,
            Self::Circle { center, radius } => around(&[*center], *radius),
            Self::Polygon(vertices) => around(vertices, Fixed::from_raw(0)),
            Self::Segment { from, to, radius } => around(&[*from, *to], *radius),
            Self::Wedge { tip, radius, .. } => around(&[*tip], *radius),
        }
    }

    /// The columns of the shape in row-major order.
    pub fn columns(&self) -> impl Iterator<Item = Column> {
        self.columns_within(self.bounds())
    }

    /// The columns of the shape inside `rect` in row-major order.
    pub fn columns_within(&self, rect: Rect) -> impl Iterator<Item = Column> {
        const ROWS: u32 = 64;
        let bounds = self.bounds().intersection(rect);
        let (polygon, others) = match self {
            Self::Polygon(vertices) => (&vertices[..], Rect::EMPTY),
            _ => (&[][..], bounds),
        };
        let n_bands = if polygon.is_empty() {
            0
        } else {
            bounds.height().div_ceil(ROWS)
        };
        let runs = (0..n_bands).flat_map(move |band| {
            let first = bounds.low.y.saturating_add_unsigned(band * ROWS);
            let last = first.saturating_add_unsigned(ROWS - 1).min(bounds.high.y);
            scanline::polygon_runs(polygon, first..=last)
        });
        let inside = runs.flat_map(move |(y, low, high)| {
            let (low, high) = (low.max(bounds.low.x), high.min(bounds.high.x));
            (low..=high).map(move |x| Column::new(x, y))
        });
        let others = others.columns();
        inside.chain(others.filter(|column| {
            Point2::center_of(*column).is_some_and(|center| self.contains(center))
        }))
    }
}

type Vector = (i64, i64);

fn delta(from: Point2, to: Point2) -> Vector {
    (
        i64::from(to.x.raw()) - i64::from(from.x.raw()),
        i64::from(to.y.raw()) - i64::from(from.y.raw()),
    )
}

fn cross(a: Vector, b: Vector) -> i128 {
    i128::from(a.0) * i128::from(b.1) - i128::from(a.1) * i128::from(b.0)
}

fn dot(a: Vector, b: Vector) -> i128 {
    i128::from(a.0) * i128::from(b.0) + i128::from(a.1) * i128::from(b.1)
}

fn is_within(at: Vector, radius: Fixed) -> bool {
    let radius = i128::from(radius.raw());
    radius >= 0 && dot(at, at) <= radius * radius
}

fn capsule_contains(from: Point2, to: Point2, radius: Fixed, point: Point2) -> bool {
    let (along, at) = (delta(from, to), delta(from, point));
    let (projection, length_squared) = (dot(at, along), dot(along, along));
    if projection <= 0 {
        is_within(at, radius)
    } else if projection >= length_squared {
        is_within(delta(to, point), radius)
    } else {
        // The distance to the line is |cross| / length; compare squares.
        let area = cross(along, at);
        let radius = i128::from(radius.raw());
        radius >= 0
            && match area.checked_mul(area) {
                Some(square) => square <= radius * radius * length_squared,
                None => false,
            }
    }
}

/// True if direction `at` lies clockwise (y south) between `left` and `right`, both included.
fn is_between(left: (i32, i32), right: (i32, i32), at: Vector) -> bool {
    let left = (i64::from(left.0), i64::from(left.1));
    let right = (i64::from(right.0), i64::from(right.1));
    let (from_left, to_right) = (cross(left, at), cross(at, right));
    match (cross(left, right), dot(left, right)) {
        // Less than a half turn.
        (1.., _) => from_left >= 0 && to_right >= 0,
        // More than a half turn.
        (..0, _) => from_left >= 0 || to_right >= 0,
        // A single ray.
        (0, 1..) => from_left == 0 && dot(left, at) > 0,
        // A half turn.
        (0, _) => from_left >= 0,
    }
}

fn polygon_contains(vertices: &[Point2], point: Point2) -> bool {
    let mut is_inside = false;
    for (index, &a) in vertices.iter().enumerate() {
        let b = vertices[(index + 1) % vertices.len()];
        let (edge, at) = (delta(a, b), delta(a, point));
        let turn = cross(edge, at);
        // A degenerate edge, from a repeated vertex, contains that vertex only.
        let is_on_line = if edge == (0, 0) {
            at == edge
        } else {
            turn == 0
        };
        if is_on_line && dot(at, edge) >= 0 && dot(at, edge) <= dot(edge, edge) {
            return true;
        }
        let rises = a.y <= point.y && point.y < b.y;
        let falls = b.y <= point.y && point.y < a.y;
        if (rises && turn > 0) || (falls && turn < 0) {
            is_inside = !is_inside;
        }
    }
    is_inside
}

/// The columns of the bounding rectangle of `points`, inflated by `margin`.
fn around(points: &[Point2], margin: Fixed) -> Rect {
    points.iter().fold(Rect::EMPTY, |rect, point| {
        let low = Column::new(
            point.x.raw().saturating_sub(margin.raw()) >> 8,
            point.y.raw().saturating_sub(margin.raw()) >> 8,
        );
        let high = Column::new(
            point.x.raw().saturating_add(margin.raw()) >> 8,
            point.y.raw().saturating_add(margin.raw()) >> 8,
        );
        rect.including(low).including(high)
    })
}

#[cfg(test)]
mod tests;
