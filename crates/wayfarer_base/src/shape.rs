//! Areas on the map: circle, box, polygon, segment, wedge. All tests are exact, in whole numbers.
//!
//! A column belongs to a shape if its middle does; edges belong to the shape.

use crate::{Column, Fixed, Point2, Rect};

/// An area on the map.
///
/// Coordinates may lie up to 4 million cells from the origin, so that products fit 64 bits twice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// All within `radius` of `center`.
    Circle {
        /// The middle.
        center: Point2,
        /// How far it reaches.
        radius: Fixed,
    },
    /// All columns of a rectangle.
    Box(Rect),
    /// All inside a polygon, by the even-odd rule, its edges included.
    Polygon(Vec<Point2>),
    /// All within `radius` of the segment: a line of fire.
    Segment {
        /// One end.
        from: Point2,
        /// The other end.
        to: Point2,
        /// Half its width.
        radius: Fixed,
    },
    /// The part of a circle between two directions, from `left` turning clockwise (as seen on the
    /// map, y south) to `right`.
    Wedge {
        /// The tip.
        tip: Point2,
        /// How far it reaches.
        radius: Fixed,
        /// Direction of the first edge; not (0, 0).
        left: (i32, i32),
        /// Direction of the second edge; not (0, 0).
        right: (i32, i32),
    },
}

impl Shape {
    /// True if `point` lies in the shape.
    pub fn contains(&self, point: Point2) -> bool {
        match self {
            Self::Circle {
                center: centre,
                radius,
            } => within(delta(*centre, point), *radius),
            Self::Box(rect) => rect.contains(point.column()),
            Self::Polygon(corners) => polygon_contains(corners, point),
            Self::Segment { from, to, radius } => near_segment(*from, *to, *radius, point),
            Self::Wedge {
                tip,
                radius,
                left,
                right,
            } => {
                let at = delta(*tip, point);
                within(at, *radius) && (at == (0, 0) || between(*left, *right, at))
            }
        }
    }

    /// The shape moved by so much east and south, in 1/256 of a cell; `None` if a corner of it would
    /// lie beyond the numbers. A box moves by the nearest number of whole columns, halves upwards.
    ///
    /// ```
    /// use wayfarer_base::{Column, Rect, Shape};
    ///
    /// let shield = |x| Shape::Box(Rect::around(Column::new(x, 0), Column::new(x + 1, 1)));
    /// assert_eq!(shield(0).moved((3 * 256 + 100, 0)), Some(shield(3)));
    /// ```
    pub fn moved(&self, by: (i32, i32)) -> Option<Self> {
        let point = |point: Point2| {
            Some(Point2::new(
                Fixed::from_raw(point.x.raw().checked_add(by.0)?),
                Fixed::from_raw(point.y.raw().checked_add(by.1)?),
            ))
        };
        let column = |column: Column| {
            let whole = |by: i32| by.saturating_add(Fixed::PARTS / 2) >> 8;
            let x = column.x.checked_add(whole(by.0))?;
            Some(Column::new(x, column.y.checked_add(whole(by.1))?))
        };
        Some(match self {
            Self::Circle {
                center: centre,
                radius,
            } => Self::Circle {
                center: point(*centre)?,
                radius: *radius,
            },
            Self::Box(rect) if rect.is_empty() => self.clone(),
            Self::Box(rect) => Self::Box(Rect::around(column(rect.low)?, column(rect.high)?)),
            Self::Polygon(corners) => {
                Self::Polygon(corners.iter().map(|at| point(*at)).collect::<Option<_>>()?)
            }
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

    /// The smallest rectangle of columns whose middles may belong to the shape.
    pub fn bounds(&self) -> Rect {
        match self {
            Self::Box(rect) => *rect,
            Self::Circle {
                center: centre,
                radius,
            } => around(&[*centre], *radius),
            Self::Polygon(corners) => around(corners, Fixed::from_raw(0)),
            Self::Segment { from, to, radius } => around(&[*from, *to], *radius),
            Self::Wedge { tip, radius, .. } => around(&[*tip], *radius),
        }
    }

    /// The columns that belong to the shape, row by row.
    pub fn columns(&self) -> impl Iterator<Item = Column> {
        self.bounds()
            .columns()
            .filter(|column| Point2::center_of(*column).is_some_and(|p| self.contains(p)))
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

fn within(at: Vector, radius: Fixed) -> bool {
    let radius = i128::from(radius.raw());
    radius >= 0 && dot(at, at) <= radius * radius
}

fn near_segment(from: Point2, to: Point2, radius: Fixed, point: Point2) -> bool {
    let (along, at) = (delta(from, to), delta(from, point));
    let (reach, length) = (dot(at, along), dot(along, along));
    if reach <= 0 {
        within(at, radius)
    } else if reach >= length {
        within(delta(to, point), radius)
    } else {
        // Distance to the line is |cross| / sqrt(length); both sides squared.
        let beside = cross(along, at);
        let radius = i128::from(radius.raw());
        radius >= 0
            && match beside.checked_mul(beside) {
                Some(square) => square <= radius * radius * length,
                None => false,
            }
    }
}

/// True if `at` lies between the directions, turning clockwise on the map (y south).
fn between(left: (i32, i32), right: (i32, i32), at: Vector) -> bool {
    let left = (i64::from(left.0), i64::from(left.1));
    let right = (i64::from(right.0), i64::from(right.1));
    let (from_left, to_right) = (cross(left, at), cross(at, right));
    match (cross(left, right), dot(left, right)) {
        // Less than a half turn.
        (1.., _) => from_left >= 0 && to_right >= 0,
        // More than a half turn: all but what lies strictly in the rest.
        (..0, _) => from_left >= 0 || to_right >= 0,
        // A single ray.
        (0, 1..) => from_left == 0 && dot(left, at) > 0,
        // A half turn.
        (0, _) => from_left >= 0,
    }
}

fn polygon_contains(corners: &[Point2], point: Point2) -> bool {
    let mut inside = false;
    for (index, &a) in corners.iter().enumerate() {
        let b = corners[(index + 1) % corners.len()];
        let (edge, at) = (delta(a, b), delta(a, point));
        let turn = cross(edge, at);
        // An edge of no length, from a corner named twice, holds that corner only.
        let on_line = if edge == (0, 0) {
            at == edge
        } else {
            turn == 0
        };
        if on_line && dot(at, edge) >= 0 && dot(at, edge) <= dot(edge, edge) {
            return true;
        }
        let rises = a.y <= point.y && point.y < b.y;
        let falls = b.y <= point.y && point.y < a.y;
        if (rises && turn > 0) || (falls && turn < 0) {
            inside = !inside;
        }
    }
    inside
}

fn around(points: &[Point2], reach: Fixed) -> Rect {
    points.iter().fold(Rect::EMPTY, |rect, point| {
        let low = Column::new(
            point.x.raw().saturating_sub(reach.raw()) >> 8,
            point.y.raw().saturating_sub(reach.raw()) >> 8,
        );
        let high = Column::new(
            point.x.raw().saturating_add(reach.raw()) >> 8,
            point.y.raw().saturating_add(reach.raw()) >> 8,
        );
        rect.including(low).including(high)
    })
}

#[cfg(test)]
mod tests;
