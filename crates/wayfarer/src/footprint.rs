//! [`Footprint`]: an area on the plane in which queries and sensors find bodies.

use wayfarer_engine::base::{Fixed, Point2};
use wayfarer_engine::world::bodies::{self, ConvexPolygon, ShapeError};

use crate::body::{BodyError, point, size};
use crate::units::{BadNumber, Frame, Heading, Position, Rounding, cosine};

/// A closed area on the plane; heights of its positions do not count. Sizes are at most 16,384
/// cells, rounded down to 1/256 of a cell.
///
/// ```
/// use std::f64::consts::FRAC_PI_3;
/// use wayfarer::{Footprint, Heading, Position};
///
/// let eye = Position::new(2.0, 3.0, 1.7);
/// let view = Footprint::cone(eye, Heading::EAST, FRAC_PI_3, 30.0);
/// assert_ne!(view, Footprint::disc(eye, 30.0));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Footprint {
    /// All points within `radius` of `center`.
    Disc {
        /// The center.
        center: Position,
        /// The radius, in units.
        radius: f64,
    },
    /// All points from `inner` to `outer` away from `center`.
    Ring {
        /// The center.
        center: Position,
        /// The inner radius, in units.
        inner: f64,
        /// The outer radius, in units.
        outer: f64,
    },
    /// All points within `radius` of a segment.
    Capsule {
        /// Start of the segment.
        from: Position,
        /// End of the segment.
        to: Position,
        /// Half the width, in units.
        radius: f64,
    },
    /// All points within `range` of `eye` and `angle / 2` of `heading`.
    Cone {
        /// The tip.
        eye: Position,
        /// The direction of its axis.
        heading: Heading,
        /// The whole opening angle in radians, 0 to a full turn.
        angle: f64,
        /// The range, in units.
        range: f64,
    },
    /// A box of any orientation.
    OrientedBox {
        /// The center.
        center: Position,
        /// The direction of its length.
        heading: Heading,
        /// Half its length, in units.
        half_length: f64,
        /// Half its width, in units.
        half_width: f64,
    },
    /// A convex polygon of 3 to 16 vertices, in either order.
    Polygon(Vec<Position>),
}

impl Footprint {
    /// A disc.
    pub const fn disc(center: Position, radius: f64) -> Self {
        Self::Disc { center, radius }
    }

    /// A ring between two radii.
    pub const fn ring(center: Position, inner: f64, outer: f64) -> Self {
        Self::Ring {
            center,
            inner,
            outer,
        }
    }

    /// All points within `radius` of a segment.
    pub const fn capsule(from: Position, to: Position, radius: f64) -> Self {
        Self::Capsule { from, to, radius }
    }

    /// A cone of `angle` radians in all.
    pub const fn cone(eye: Position, heading: Heading, angle: f64, range: f64) -> Self {
        Self::Cone {
            eye,
            heading,
            angle,
            range,
        }
    }

    /// A box of any orientation.
    pub const fn oriented_box(
        center: Position,
        heading: Heading,
        half_length: f64,
        half_width: f64,
    ) -> Self {
        Self::OrientedBox {
            center,
            heading,
            half_length,
            half_width,
        }
    }

    /// A convex polygon.
    pub fn polygon(vertices: &[Position]) -> Self {
        Self::Polygon(vertices.to_vec())
    }

    /// The engine's footprint.
    pub(crate) fn to_engine(&self, frame: Frame) -> Result<bodies::Footprint, BodyError> {
        let point = |at| point(frame, "a position of a footprint", at);
        let size = |what, units| size(frame, what, units, Rounding::Down);
        let footprint = match self {
            Self::Disc { center, radius } => bodies::Footprint::Circle {
                center: point(*center)?,
                radius: size("the radius of a disc", *radius)?,
            },
            Self::Ring {
                center,
                inner,
                outer,
            } => bodies::Footprint::Ring {
                center: point(*center)?,
                inner: size("the inner radius of a ring", *inner)?,
                outer: size("the outer radius of a ring", *outer)?,
            },
            Self::Capsule { from, to, radius } => bodies::Footprint::Capsule {
                from: point(*from)?,
                to: point(*to)?,
                radius: size("the radius of a capsule", *radius)?,
            },
            Self::Cone {
                eye,
                heading,
                angle,
                range,
            } => {
                let (tip, radius) = (point(*eye)?, size("the range of a cone", *range)?);
                let (heading, cosine) = (direction(*heading)?, half_cosine(*angle)?);
                bodies::Footprint::wedge(tip, radius, heading, cosine)
            }
            Self::OrientedBox {
                center,
                heading,
                half_length,
                half_width,
            } => bodies::Footprint::OrientedBox {
                center: point(*center)?,
                heading: direction(*heading)?,
                half_along: size("the half length of a box", *half_length)?,
                half_across: size("the half width of a box", *half_width)?,
            },
            Self::Polygon(vertices) => {
                let vertices = vertices.iter().map(|at| point(*at));
                let vertices: Vec<Point2> = vertices.collect::<Result<_, _>>()?;
                bodies::Footprint::Polygon(convex(vertices)?)
            }
        };
        footprint.check().map_err(bad_footprint)?;
        Ok(footprint)
    }
}

impl Default for Footprint {
    /// The disc of radius 0 at the origin.
    fn default() -> Self {
        Self::disc(Position::default(), 0.0)
    }
}

/// A convex polygon from vertices in either order.
fn convex(mut vertices: Vec<Point2>) -> Result<ConvexPolygon, BodyError> {
    let polygon = ConvexPolygon::new(&vertices);
    if !matches!(polygon, Err(ShapeError::NotConvex { .. })) {
        return polygon.map_err(bad_footprint);
    }
    vertices.reverse();
    // The first vertex is the one that sensors mount.
    vertices.rotate_right(1);
    ConvexPolygon::new(&vertices).map_err(bad_footprint)
}

pub(crate) fn bad_footprint(error: ShapeError) -> BodyError {
    let reason = match error {
        ShapeError::InsideOut { .. } => "the inner radius of a ring exceeds the outer one",
        ShapeError::Vertices { .. } => "a polygon must have 3 to 16 vertices",
        ShapeError::NotConvex { .. } => "a polygon must be convex and have an area",
        ShapeError::NoDirection => "a heading must have a direction",
        _ => "it is wider than 16,384 cells",
    };
    BodyError::BadFootprint { reason }
}

/// The engine's heading.
fn direction(heading: Heading) -> Result<bodies::Heading, BodyError> {
    let [x, y] = heading.unit();
    #[expect(clippy::cast_possible_truncation, reason = "at most 16,383")]
    let part = |at: f64| (at * 16_383.0).round() as i32;
    bodies::Heading::new(part(x), part(y)).map_err(bad_footprint)
}

/// The cosine of half an angle.
fn half_cosine(angle: f64) -> Result<f64, BodyError> {
    const FULL_TURN: f64 = 2.0 * std::f64::consts::PI;
    if !(0.0..=FULL_TURN).contains(&angle) {
        return Err(BodyError::BadNumber(BadNumber {
            what: "the angle of a cone",
            found: angle,
            expected: "0 to 2 pi radians",
        }));
    }
    Ok(cosine(angle / 2.0))
}

/// The largest range of queries without a footprint: 16,384 cells.
pub(crate) const MAX_RANGE: Fixed = Fixed::from_raw(bodies::MAX_SIZE);
