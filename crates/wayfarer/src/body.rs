//! [`Body`]: a unit, vehicle or prop, registered once for every query.

use thiserror::Error;
use wayfarer_engine as engine;
use wayfarer_engine::base::Fixed;
use wayfarer_engine::world::bodies::{self, BodyCategories};
use wayfarer_engine::world::obstacles::ObstacleCategories;

pub use bodies::{BodyId, SensorId, Teams};

use crate::units::{BadNumber, Frame, Position, Rounding};

/// A unit, vehicle or prop on the plane, in world units; registered with
/// [`World::add_body`](crate::World::add_body).
///
/// Range queries and sensors find it by its categories and team. Its flags decide whether it is in
/// the path of agents and of lines of sight.
///
/// ```
/// use wayfarer::{Body, BodyShape, Position};
///
/// let position = Position::new(3.0, 4.0, 0.0);
/// let tank = Body { position, shape: BodyShape::disc(1.5), height: 2.0, team: 1, ..Body::default() };
/// assert!(tank.blocks_movement && !tank.blocks_sight);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Body {
    /// The center of its feet; rounded down to 1/256 of a cell and of a step.
    pub position: Position,
    /// Its outline on the plane.
    pub shape: BodyShape,
    /// From its feet to its top; rounded up to 1/256 of a step.
    pub height: f64,
    /// Its categories; all by default, so that every query finds it.
    pub categories: Categories,
    /// Its team; 0 by default.
    pub team: u8,
    /// True if paths avoid it: those of planar agent types always, those on the ground by
    /// [`PathRequest::avoid_bodies`](crate::PathRequest::avoid_bodies). True by default; a
    /// point blocks nothing.
    pub blocks_movement: bool,
    /// True if it occludes lines of sight between its feet and its top. False by default; a point
    /// blocks nothing.
    pub blocks_sight: bool,
}

impl Default for Body {
    /// A point at the origin that blocks movement once it has a shape.
    fn default() -> Self {
        Self {
            position: Position::default(),
            shape: BodyShape::Point,
            height: 0.0,
            categories: Categories::ALL,
            team: 0,
            blocks_movement: true,
            blocks_sight: false,
        }
    }
}

/// The outline of a body on the plane; sizes up to 16,384 cells, rounded up to 1/256 of a cell.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BodyShape {
    /// No extent.
    #[default]
    Point,
    /// A disc around its position.
    Disc {
        /// The radius, in units.
        radius: f64,
    },
    /// An axis-aligned box around its position.
    Cuboid {
        /// Half its size along the first horizontal axis, in units.
        half_x: f64,
        /// Half its size along the second horizontal axis, in units.
        half_y: f64,
    },
}

impl BodyShape {
    /// A disc.
    pub const fn disc(radius: f64) -> Self {
        Self::Disc { radius }
    }

    /// An axis-aligned box with these half sizes along the horizontal axes.
    pub const fn cuboid(half_x: f64, half_y: f64) -> Self {
        Self::Cuboid { half_x, half_y }
    }
}

/// A set of categories of bodies, out of 22, defined by the game: tank, tree, soldier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Categories(u32);

/// The category that the engine gives bodies that block movement.
const BLOCKS_MOVEMENT: u8 = 22;
/// The category that the engine gives bodies that block sight.
const BLOCKS_SIGHT: u8 = 23;

/// The engine's roles of the categories.
pub(crate) const ROLES: engine::BodyRoles = engine::BodyRoles {
    blocks_movement: BodyCategories::one(BLOCKS_MOVEMENT),
    blocks_sight: BodyCategories::one(BLOCKS_SIGHT),
};

impl Categories {
    /// All categories. As a filter it accepts bodies without a category too.
    pub const ALL: Self = Self((1 << BLOCKS_MOVEMENT) - 1);
    /// No category.
    pub const NONE: Self = Self(0);

    /// The category numbered `number`, 0 to 21; [`Categories::NONE`] beyond.
    pub const fn one(number: u8) -> Self {
        if number < BLOCKS_MOVEMENT {
            Self(1 << number)
        } else {
            Self::NONE
        }
    }

    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// The union.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// True if the two sets share a category.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The obstacles of the bodies of these categories.
    pub(crate) fn to_obstacles(self) -> ObstacleCategories {
        match self {
            Self::ALL => ObstacleCategories::ALL,
            _ => ObstacleCategories::from_bits(self.0.into()),
        }
    }
}

/// Which bodies a query accepts.
///
/// ```
/// use wayfarer::{BodyFilter, Categories};
///
/// let tanks = BodyFilter { categories: Categories::one(3), ..BodyFilter::enemies_of(1) };
/// assert!(tanks.teams.contains(2) && !tanks.teams.contains(1));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BodyFilter {
    /// At least one of these categories.
    pub categories: Categories,
    /// One of these teams.
    pub teams: Teams,
    /// Bodies whose feet to top overlaps this range, in units of the vertical axis.
    pub heights: Option<(f64, f64)>,
    /// All bodies but this one: usually the one that the query is for.
    pub except: Option<BodyId>,
}

impl BodyFilter {
    /// All bodies.
    pub const ALL: Self = Self {
        categories: Categories::ALL,
        teams: Teams::ALL,
        heights: None,
        except: None,
    };

    /// The bodies of every other team.
    pub const fn enemies_of(team: u8) -> Self {
        Self {
            teams: Teams::except(team),
            ..Self::ALL
        }
    }

    /// The bodies of a team.
    pub const fn team(team: u8) -> Self {
        Self {
            teams: Teams::only(team),
            ..Self::ALL
        }
    }

    /// The bodies of these categories.
    pub const fn categories(categories: Categories) -> Self {
        Self {
            categories,
            ..Self::ALL
        }
    }

    /// The engine's filter.
    pub(crate) fn to_engine(self, frame: Frame) -> Result<bodies::BodyFilter, BodyError> {
        let heights = match self.heights {
            None => None,
            Some((low, high)) => Some((
                frame.height("the lowest height of a filter", low)?,
                frame.height("the highest height of a filter", high)?,
            )),
        };
        Ok(bodies::BodyFilter {
            categories: match self.categories {
                Categories::ALL => BodyCategories::ALL,
                Categories(bits) => BodyCategories::from_bits(bits),
            },
            teams: self.teams,
            heights,
            except: self.except,
        })
    }
}

impl Default for BodyFilter {
    /// [`BodyFilter::ALL`].
    fn default() -> Self {
        Self::ALL
    }
}

/// Why a body, a sensor or a query for them was rejected; nothing changed.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum BodyError {
    /// A number is not finite or out of range.
    #[error(transparent)]
    BadNumber(#[from] BadNumber),
    /// A position is not a number or more than a million cells from the origin.
    #[error("{what}, {at}, is not a position in the world")]
    OutOfWorld {
        /// The position.
        what: &'static str,
        /// Its value.
        at: Position,
    },
    /// No body has this id, or no longer.
    #[error("no body has id {id:?}")]
    UnknownBody {
        /// The id.
        id: BodyId,
    },
    /// No sensor has this id, or no longer.
    #[error("no sensor has id {id:?}")]
    UnknownSensor {
        /// The id.
        id: SensorId,
    },
    /// A footprint is not an area that the engine supports.
    #[error("a bad footprint: {reason}")]
    BadFootprint {
        /// The reason.
        reason: &'static str,
    },
    /// A limit of a world.
    #[error("{reason}")]
    Limit {
        /// The limit.
        reason: String,
    },
}

/// Largest coordinate of a body in 1/256 of a cell: its obstacle stays within a million cells.
const MAX_COORDINATE: i32 = (1 << 28) - bodies::MAX_SIZE;

/// The point of the plane at a position.
#[inline]
pub(crate) fn point(
    frame: Frame,
    what: &'static str,
    at: Position,
) -> Result<engine::base::Point2, BodyError> {
    let is_near = |raw: i32| raw.unsigned_abs() <= MAX_COORDINATE.unsigned_abs();
    let point = frame.point(at);
    let point = point.filter(|point| is_near(point.x.raw()) && is_near(point.y.raw()));
    point.ok_or(BodyError::OutOfWorld { what, at })
}

/// The point and the height of a body at a position.
#[inline]
pub(crate) fn place_of(
    frame: Frame,
    at: Position,
) -> Result<(engine::base::Point2, Fixed), BodyError> {
    let what = "the position of a body";
    let position = point(frame, what, at)?;
    let z = frame.scale.height(frame.to_engine(at));
    let is_high = |z: &Fixed| z.raw().unsigned_abs() <= bodies::MAX_COORDINATE.unsigned_abs();
    let z = z.filter(is_high);
    Ok((position, z.ok_or(BodyError::OutOfWorld { what, at })?))
}

/// A radius, range or half size, at most 16,384 cells.
pub(crate) fn size(
    frame: Frame,
    what: &'static str,
    units: f64,
    rounding: Rounding,
) -> Result<Fixed, BodyError> {
    limited(what, units, frame.length(what, units, rounding)?)
}

/// A height, at most 16,384 steps.
pub(crate) fn height(frame: Frame, what: &'static str, units: f64) -> Result<Fixed, BodyError> {
    limited(what, units, frame.height_length(what, units)?)
}

fn limited(what: &'static str, found: f64, size: Fixed) -> Result<Fixed, BodyError> {
    let expected = "at most 16,384 cells or steps";
    let error = BadNumber {
        what,
        found,
        expected,
    };
    (size.raw() <= bodies::MAX_SIZE)
        .then_some(size)
        .ok_or(BodyError::BadNumber(error))
}

impl Body {
    /// The engine's body.
    pub(crate) fn to_engine(self, frame: Frame) -> Result<bodies::Body, BodyError> {
        let size = |what, units| size(frame, what, units, Rounding::Up);
        let (position, z) = place_of(frame, self.position)?;
        let flag = |is_set: bool, number: u8| match is_set {
            true => BodyCategories::one(number),
            false => BodyCategories::NONE,
        };
        Ok(bodies::Body {
            position,
            shape: match self.shape {
                BodyShape::Point => bodies::BodyShape::Point,
                BodyShape::Disc { radius } => bodies::BodyShape::Disc {
                    radius: size("the radius of a body", radius)?,
                },
                BodyShape::Cuboid { half_x, half_y } => bodies::BodyShape::Box {
                    half_x: size("the half width of a body", half_x)?,
                    half_y: size("the half depth of a body", half_y)?,
                },
            },
            z,
            height: height(frame, "the height of a body", self.height)?,
            categories: BodyCategories::from_bits(self.categories.0)
                .with(flag(self.blocks_movement, BLOCKS_MOVEMENT))
                .with(flag(self.blocks_sight, BLOCKS_SIGHT)),
            team: self.team,
        })
    }

    /// The body in world units.
    pub(crate) fn from_engine(body: &bodies::Body, frame: Frame) -> Self {
        let units = |length: Fixed| frame.units(length);
        let bits = body.categories.bits();
        Self {
            position: frame.to_user(frame.scale.ground_position(body.position, body.z)),
            shape: match body.shape {
                bodies::BodyShape::Point => BodyShape::Point,
                bodies::BodyShape::Disc { radius } => BodyShape::disc(units(radius)),
                bodies::BodyShape::Box { half_x, half_y } => {
                    BodyShape::cuboid(units(half_x), units(half_y))
                }
            },
            height: frame.height_units(body.height),
            categories: Categories(bits & Categories::ALL.0),
            team: body.team,
            blocks_movement: bits >> BLOCKS_MOVEMENT & 1 == 1,
            blocks_sight: bits >> BLOCKS_SIGHT & 1 == 1,
        }
    }
}
