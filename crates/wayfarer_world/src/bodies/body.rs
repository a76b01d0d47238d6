//! A registered body: position, shape, height, categories and team; limits and their errors.

use thiserror::Error;
use wayfarer_base::{Fixed, Point2};

/// Maximum absolute coordinate in 1/256 of a cell: a little over 4 million cells.
pub const MAX_COORDINATE: i32 = (1 << 30) - 1;
/// Maximum radius, half width or half height of bodies and footprints in 1/256 of a cell: 16,384
/// cells.
pub const MAX_SIZE: i32 = 1 << 22;

/// The shape of a body in the plane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum BodyShape {
    /// No extent.
    #[default]
    Point,
    /// A disc around its position.
    Disc {
        /// From 0 to 16,384 cells.
        radius: Fixed,
    },
    /// A closed axis-aligned box around its position.
    Box {
        /// Half its width, 0 to 16,384 cells.
        half_x: Fixed,
        /// Half its depth, 0 to 16,384 cells.
        half_y: Fixed,
    },
}

/// A set of categories, out of 24.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BodyCategories(u32);

impl BodyCategories {
    /// All categories.
    pub const ALL: Self = Self(0x00FF_FFFF);
    /// No category: matches nothing.
    pub const NONE: Self = Self(0);

    /// The category numbered `category`, 0 to 23; the empty set beyond.
    pub const fn one(category: u8) -> Self {
        if category < 24 {
            Self(1 << category)
        } else {
            Self(0)
        }
    }

    /// The categories whose bits are set; bits above 23 are ignored.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// One bit per category.
    pub const fn bits(self) -> u32 {
        self.0
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
}

/// A set of teams, out of 256.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Teams(pub(super) [u64; 4]);

impl Teams {
    /// All of them.
    pub const ALL: Self = Self([u64::MAX; 4]);

    /// One team.
    pub const fn only(team: u8) -> Self {
        let mut words = [0; 4];
        words[team as usize >> 6] = 1 << (team & 63);
        Self(words)
    }

    /// All but one team.
    pub const fn except(team: u8) -> Self {
        let mut words = Self::ALL.0;
        words[team as usize >> 6] ^= 1 << (team & 63);
        Self(words)
    }

    /// True if `team` belongs to the set.
    #[inline]
    pub const fn contains(&self, team: u8) -> bool {
        self.0[team as usize >> 6] >> (team & 63) & 1 != 0
    }
}

/// A body to register.
///
/// ```
/// use wayfarer_base::{Column, Fixed, Point2};
/// use wayfarer_world::bodies::{Body, BodyShape};
/// let at = Point2::center_of(Column::new(3, 4)).unwrap();
/// let troll = Body {
///     shape: BodyShape::Disc { radius: Fixed::from_raw(200) },
///     height: Fixed::from_raw(3 * 256),
///     team: 2,
///     ..Body::at(at)
/// };
/// assert_eq!(troll.position, at);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Body {
    /// Its center, within [`MAX_COORDINATE`] of the origin.
    pub position: Point2,
    /// Its shape in the plane.
    pub shape: BodyShape,
    /// The height of its feet, within [`MAX_COORDINATE`].
    pub z: Fixed,
    /// From its feet to its top, 0 to 16,384 cells.
    pub height: Fixed,
    /// Its categories.
    pub categories: BodyCategories,
    /// Its team.
    pub team: u8,
}

impl Body {
    /// A point at height 0 with all categories, of team 0.
    pub const fn at(position: Point2) -> Self {
        Self {
            position,
            shape: BodyShape::Point,
            z: Fixed::from_raw(0),
            height: Fixed::from_raw(0),
            categories: BodyCategories::ALL,
            team: 0,
        }
    }

    /// Validates all values.
    ///
    /// # Errors
    /// The first value beyond its limits.
    pub fn check(&self) -> Result<(), ShapeError> {
        position(self.position)?;
        elevation(self.z)?;
        size("height", self.height)?;
        Extent::from_shape(self.shape).map(|_| ())
    }

    /// [`Self::check`] of a position alone.
    ///
    /// # Errors
    /// It is beyond [`MAX_COORDINATE`].
    #[inline]
    pub fn check_position(at: Point2) -> Result<(), ShapeError> {
        position(at)
    }
}

/// An invalid body or footprint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A position beyond [`MAX_COORDINATE`].
    #[error("position {found}, expected within 4,194,303 cells of the origin")]
    TooFar {
        /// The position.
        found: Point2,
    },
    /// A height beyond [`MAX_COORDINATE`].
    #[error("height {found}, expected within 4,194,303 of 0")]
    TooHigh {
        /// The height.
        found: Fixed,
    },
    /// A size beyond [`MAX_SIZE`].
    #[error("{what} {found}, expected 0 to 16,384")]
    Size {
        /// Which size.
        what: &'static str,
        /// Its value.
        found: Fixed,
    },
    /// A direction of length 0.
    #[error("direction (0, 0), expected a vector of positive length")]
    NoDirection,
    /// The hole of a ring is larger than the ring.
    #[error("inner radius {inner}, expected at most the outer {outer}")]
    InsideOut {
        /// Radius of the hole.
        inner: Fixed,
        /// Radius of the ring.
        outer: Fixed,
    },
    /// Too few or too many vertices.
    #[error("{found} vertices, expected 3 to 16")]
    Vertices {
        /// The number of vertices.
        found: usize,
    },
    /// A polygon that is not convex or not clockwise.
    #[error("the polygon is not convex and clockwise (y down) at vertex {corner}")]
    NotConvex {
        /// The index of the vertex.
        corner: usize,
    },
}

#[inline]
pub(super) fn position(point: Point2) -> Result<(), ShapeError> {
    let is_in_range = |at: Fixed| at.raw().unsigned_abs() <= MAX_COORDINATE.unsigned_abs();
    if is_in_range(point.x) && is_in_range(point.y) {
        Ok(())
    } else {
        Err(ShapeError::TooFar { found: point })
    }
}

pub(super) fn elevation(z: Fixed) -> Result<(), ShapeError> {
    if z.raw().unsigned_abs() <= MAX_COORDINATE.unsigned_abs() {
        Ok(())
    } else {
        Err(ShapeError::TooHigh { found: z })
    }
}

pub(super) fn size(what: &'static str, found: Fixed) -> Result<i64, ShapeError> {
    if (0..=MAX_SIZE).contains(&found.raw()) {
        Ok(found.raw().into())
    } else {
        Err(ShapeError::Size { what, found })
    }
}

/// A packed shape: half sizes of a box, or a radius and -1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Extent {
    pub(super) half_x: i32,
    pub(super) half_y: i32,
}

impl Extent {
    pub(super) const POINT: Self = Self {
        half_x: 0,
        half_y: 0,
    };

    pub(super) fn from_shape(outline: BodyShape) -> Result<Self, ShapeError> {
        Ok(match outline {
            BodyShape::Point => Self::POINT,
            BodyShape::Disc { radius } => {
                size("radius", radius)?;
                let radius = radius.raw();
                let half_y = if radius == 0 { 0 } else { -1 };
                Self {
                    half_x: radius,
                    half_y,
                }
            }
            BodyShape::Box { half_x, half_y } => {
                size("half width", half_x)?;
                size("half depth", half_y)?;
                Self {
                    half_x: half_x.raw(),
                    half_y: half_y.raw(),
                }
            }
        })
    }

    pub(super) fn outline(self) -> BodyShape {
        match (self.half_x, self.half_y) {
            (0, 0) => BodyShape::Point,
            (radius, -1) => BodyShape::Disc {
                radius: Fixed::from_raw(radius),
            },
            (half_x, half_y) => BodyShape::Box {
                half_x: Fixed::from_raw(half_x),
                half_y: Fixed::from_raw(half_y),
            },
        }
    }

    pub(super) fn is_point(self) -> bool {
        self == Self::POINT
    }

    /// The maximum extent along either axis.
    #[inline]
    pub(super) fn reach(self) -> i32 {
        self.half_x.max(self.half_y)
    }
}

/// Categories and team, packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tag(pub(super) u32);

impl Tag {
    pub(super) fn new(categories: BodyCategories, team: u8) -> Self {
        Self(categories.0 << 8 | u32::from(team))
    }

    #[inline]
    pub(super) fn categories(self) -> BodyCategories {
        BodyCategories(self.0 >> 8)
    }

    #[inline]
    pub(super) fn team(self) -> u8 {
        self.0.to_le_bytes()[0]
    }
}
