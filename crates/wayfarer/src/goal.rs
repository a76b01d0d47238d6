//! Goals and areas in world units.

use wayfarer_engine::base::{Column, Fixed, Point2, Rect, Shape};
use wayfarer_engine::search::ground::{Area as GroundArea, GroundGoal};

use crate::request::RequestError;
use crate::units::{Frame, Position, Rounding};

/// Where a path may end.
///
/// ```
/// use wayfarer::{Goal, Position};
///
/// let target = Position::new(8.0, 3.0, 0.0);
/// assert_eq!(Goal::from(target), Goal::Position(target));
/// let near = Goal::Within { center: target, distance: 2.5 };
/// assert_ne!(near, Goal::Position(target));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Goal {
    /// This position.
    Position(Position),
    /// Whichever of these positions is cheapest to reach; at least one. Ground only.
    AnyOf(Vec<Position>),
    /// Whichever location of an area is cheapest to reach. Ground only.
    Area(Area),
    /// Whichever location is at most `distance` from `center` on the plane. Ground only.
    Within {
        /// The center; it may be blocked.
        center: Position,
        /// Largest distance, in units.
        distance: f64,
    },
    /// Whichever location at most `distance` away sees `target` over floors. Ground only.
    LineOfSightTo {
        /// The target; it may be blocked.
        target: Position,
        /// Largest distance, in units.
        distance: f64,
    },
}

impl From<Position> for Goal {
    fn from(at: Position) -> Self {
        Self::Position(at)
    }
}

impl From<Area> for Goal {
    fn from(area: Area) -> Self {
        Self::Area(area)
    }
}

impl Goal {
    /// True if it is not a single position.
    pub(crate) const fn is_several(&self) -> bool {
        !matches!(self, Self::Position(_))
    }

    /// The position that names the goal in errors and to which partial paths lead.
    pub(crate) fn representative(&self, frame: Frame) -> Option<Position> {
        match self {
            Self::Position(at)
            | Self::Within { center: at, .. }
            | Self::LineOfSightTo { target: at, .. } => Some(*at),
            Self::AnyOf(positions) => positions.first().copied(),
            Self::Area(area) => {
                let area = area.to_engine(frame).ok()?;
                let Rect { low, high } = area.shape.bounds();
                let (x, y) = (i32::midpoint(low.x, high.x), i32::midpoint(low.y, high.y));
                let z = 0_i32.clamp(area.heights.0, area.heights.1.max(area.heights.0));
                Some(frame.position_of(Column::new(x, y).at(z).into()))
            }
        }
    }

    /// The engine's goal; `None` for a single position.
    pub(crate) fn to_engine(&self, frame: Frame) -> Result<Option<GroundGoal>, RequestError> {
        let cell = |what, at: Position| frame.cell(at).ok_or(RequestError::OutOfWorld { what, at });
        let range = |units| frame.length("the distance to the goal", units, Rounding::Down);
        Ok(Some(match self {
            Self::Position(_) => return Ok(None),
            Self::AnyOf(positions) => {
                let cells = positions.iter().map(|at| cell("a goal", *at));
                GroundGoal::AnyOf(cells.collect::<Result<_, _>>()?)
            }
            Self::Area(area) => GroundGoal::Area(area.to_engine(frame)?),
            Self::Within { center, distance } => GroundGoal::Within {
                of: cell("the center of the goal", *center)?,
                radius: range(*distance)?,
            },
            Self::LineOfSightTo { target, distance } => GroundGoal::LineOfSightTo {
                of: cell("the target of the goal", *target)?,
                radius: range(*distance)?,
            },
        }))
    }
}

/// An area on the plane, with a range of heights.
///
/// A cell belongs to it if its center does.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Area {
    /// Its outline on the plane.
    pub shape: AreaShape,
    /// Lowest and highest floor, in units of the vertical axis; `None` for all floors.
    pub heights: Option<(f64, f64)>,
}

/// The outline of an area. Heights of its positions do not count.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AreaShape {
    /// An axis-aligned rectangle between two corners.
    Rect {
        /// One corner.
        low: Position,
        /// The opposite corner.
        high: Position,
    },
    /// All points within `radius` of `center`.
    Disc {
        /// The center.
        center: Position,
        /// The radius, in units.
        radius: f64,
    },
    /// The inside of a polygon by the even-odd rule; 3 to 4,096 vertices.
    Polygon(Vec<Position>),
    /// All points within `radius` of a segment.
    Capsule {
        /// Start of the segment.
        from: Position,
        /// End of the segment.
        to: Position,
        /// Half the width, in units.
        radius: f64,
    },
}

impl Area {
    /// Most vertices of a polygon.
    pub const MAX_VERTICES: usize = 4_096;

    /// A rectangle between two corners, on all floors.
    pub const fn rect(low: Position, high: Position) -> Self {
        Self {
            shape: AreaShape::Rect { low, high },
            heights: None,
        }
    }

    /// A disc, on all floors.
    pub const fn disc(center: Position, radius: f64) -> Self {
        Self {
            shape: AreaShape::Disc { center, radius },
            heights: None,
        }
    }

    /// A polygon, on all floors.
    pub fn polygon(vertices: &[Position]) -> Self {
        Self {
            shape: AreaShape::Polygon(vertices.to_vec()),
            heights: None,
        }
    }

    /// The engine's area.
    pub(crate) fn to_engine(&self, frame: Frame) -> Result<GroundArea, RequestError> {
        let point = |at: Position| {
            let what = "a position of an area";
            frame.point(at).ok_or(RequestError::OutOfWorld { what, at })
        };
        let length = |units| frame.length("the radius of an area", units, Rounding::Down);
        let shape = match &self.shape {
            AreaShape::Rect { low, high } => {
                let (a, b) = (point(*low)?, point(*high)?);
                Shape::Box(cells_between(a, b))
            }
            AreaShape::Disc { center, radius } => Shape::Circle {
                center: point(*center)?,
                radius: length(*radius)?,
            },
            AreaShape::Polygon(vertices) => {
                if !(3..=Self::MAX_VERTICES).contains(&vertices.len()) {
                    return Err(RequestError::Count {
                        what: "vertices of a polygon",
                        found: vertices.len(),
                        expected: "3 to 4,096",
                    });
                }
                Shape::Polygon(
                    vertices
                        .iter()
                        .map(|at| point(*at))
                        .collect::<Result<_, _>>()?,
                )
            }
            AreaShape::Capsule { from, to, radius } => Shape::Segment {
                from: point(*from)?,
                to: point(*to)?,
                radius: length(*radius)?,
            },
        };
        let heights = match self.heights {
            None => (i32::MIN, i32::MAX),
            Some((low, high)) => frame.height_range(low, high)?,
        };
        Ok(GroundArea { shape, heights })
    }
}

/// The columns whose centers lie between two points.
fn cells_between(a: Point2, b: Point2) -> Rect {
    // The center of column c is at 256 c + 128.
    let first = |at: Fixed| at.raw().saturating_add(127) >> 8;
    let last = |at: Fixed| at.raw().saturating_sub(128) >> 8;
    Rect {
        low: Column::new(first(a.x.min(b.x)), first(a.y.min(b.y))),
        high: Column::new(last(a.x.max(b.x)), last(a.y.max(b.y))),
    }
}
