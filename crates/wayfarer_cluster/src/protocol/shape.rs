//! Goals, areas and footprints on the wire.

use serde::Deserialize;
use wayfarer::{Area, AreaShape, Axes, Footprint, Goal, Heading, Position};

use super::{At, ErrorKind, Failure};

/// Most positions of a list.
const MAX_POSITIONS: usize = 256;

/// Where a path may end: a position, or a shape by name.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum GoalWire {
    Position(At),
    Shape(GoalShape),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum GoalShape {
    AnyOf(Vec<At>),
    Area(AreaWire),
    Within { center: At, distance: f64 },
    LineOfSightTo { target: At, distance: f64 },
}

/// An area on the plane, on all floors or between two heights.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum AreaWire {
    Rect {
        low: At,
        high: At,
        heights: Option<(f64, f64)>,
    },
    Disc {
        center: At,
        radius: f64,
        heights: Option<(f64, f64)>,
    },
    Polygon {
        vertices: Vec<At>,
        heights: Option<(f64, f64)>,
    },
    Capsule {
        from: At,
        to: At,
        radius: f64,
        heights: Option<(f64, f64)>,
    },
}

/// A footprint on the plane.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum FootprintWire {
    Disc {
        center: At,
        radius: f64,
    },
    Ring {
        center: At,
        inner: f64,
        outer: f64,
    },
    Capsule {
        from: At,
        to: At,
        radius: f64,
    },
    /// `toward` is a position in the middle of the cone.
    Cone {
        eye: At,
        toward: At,
        angle: f64,
        range: f64,
    },
    Polygon(Vec<At>),
}

fn positions(list: &[At]) -> Result<Vec<Position>, Failure> {
    if list.len() > MAX_POSITIONS {
        let message = format!("{} positions, expected at most {MAX_POSITIONS}", list.len());
        return Err(Failure::new(ErrorKind::TooLarge, message));
    }
    Ok(list.iter().copied().map(Position::from).collect())
}

impl GoalWire {
    /// The position, if the goal is one.
    pub(crate) const fn position(&self) -> Option<At> {
        match self {
            Self::Position(at) => Some(*at),
            Self::Shape(_) => None,
        }
    }

    pub(crate) fn to_goal(&self) -> Result<Goal, Failure> {
        let shape = match self {
            Self::Position(at) => return Ok(Goal::Position((*at).into())),
            Self::Shape(shape) => shape,
        };
        Ok(match shape {
            GoalShape::AnyOf(list) => Goal::AnyOf(positions(list)?),
            GoalShape::Area(area) => Goal::Area(area.to_area()?),
            GoalShape::Within { center, distance } => Goal::Within {
                center: (*center).into(),
                distance: *distance,
            },
            GoalShape::LineOfSightTo { target, distance } => Goal::LineOfSightTo {
                target: (*target).into(),
                distance: *distance,
            },
        })
    }
}

impl AreaWire {
    pub(crate) fn to_area(&self) -> Result<Area, Failure> {
        let (shape, heights) = match self {
            Self::Rect { low, high, heights } => {
                let (low, high) = ((*low).into(), (*high).into());
                (AreaShape::Rect { low, high }, heights)
            }
            Self::Disc {
                center,
                radius,
                heights,
            } => {
                let (center, radius) = ((*center).into(), *radius);
                (AreaShape::Disc { center, radius }, heights)
            }
            Self::Polygon { vertices, heights } => {
                (AreaShape::Polygon(positions(vertices)?), heights)
            }
            Self::Capsule {
                from,
                to,
                radius,
                heights,
            } => {
                let (from, to, radius) = ((*from).into(), (*to).into(), *radius);
                (AreaShape::Capsule { from, to, radius }, heights)
            }
        };
        let heights = *heights;
        Ok(Area { shape, heights })
    }
}

impl FootprintWire {
    pub(crate) fn to_footprint(&self, axes: Axes) -> Result<Footprint, Failure> {
        Ok(match self {
            Self::Disc { center, radius } => Footprint::disc((*center).into(), *radius),
            Self::Ring {
                center,
                inner,
                outer,
            } => Footprint::ring((*center).into(), *inner, *outer),
            Self::Capsule { from, to, radius } => {
                Footprint::capsule((*from).into(), (*to).into(), *radius)
            }
            Self::Cone {
                eye,
                toward,
                angle,
                range,
            } => {
                let (eye, toward) = ((*eye).into(), (*toward).into());
                let heading = match axes {
                    Axes::ZUp => Heading::toward(eye, toward),
                    Axes::YUp => Heading::toward_y_up(eye, toward),
                };
                Footprint::cone(eye, heading, *angle, *range)
            }
            Self::Polygon(list) => Footprint::Polygon(positions(list)?),
        })
    }
}
