//! Obstacles: boxes and discs with categories, and their packed form.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

use wayfarer_base::{Aabb2, Fixed, Id, Point2};

use super::ObstacleError;

/// Maximum absolute coordinate: 1,048,576 cells.
///
/// Products of differences of such coordinates fit 64 bits, so that every test is exact.
pub const MAX_COORDINATE: Fixed = Fixed::from_raw(1 << 28);

/// A set of the 64 categories of obstacles, defined by the game: water, tree, tank.
///
/// ```
/// use wayfarer_world::obstacles::ObstacleCategories;
/// let (water, tank) = (ObstacleCategories::one(0).unwrap(), ObstacleCategories::one(7).unwrap());
/// assert!((water | tank).intersects(tank));
/// assert!(!water.intersects(tank));
/// assert_eq!(ObstacleCategories::one(64), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct ObstacleCategories(u64);

impl ObstacleCategories {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// All categories.
    pub const ALL: Self = Self(u64::MAX);

    /// The set of one category, or `None` above 63.
    pub const fn one(number: u8) -> Option<Self> {
        if number < 64 {
            Some(Self(1 << number))
        } else {
            None
        }
    }

    /// The set whose bit `n` stands for category `n`.
    #[inline]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Bit `n` stands for category `n`.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// True if the two share a category.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// True if the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The numbers of its categories, ascending.
    pub fn numbers(self) -> impl Iterator<Item = u8> {
        (0..64).filter(move |number| self.0 >> number & 1 == 1)
    }
}

impl BitOr for ObstacleCategories {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for ObstacleCategories {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for ObstacleCategories {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Not for ObstacleCategories {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl fmt::Debug for ObstacleCategories {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ObstacleCategories({:#x})", self.0)
    }
}

/// An obstacle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Obstacle {
    /// Its position and size.
    pub shape: ObstacleShape,
    /// Its categories; at least one.
    pub categories: ObstacleCategories,
}

/// Position and size of an obstacle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObstacleShape {
    /// An axis-aligned box.
    Box(Aabb2),
    /// All points nearer to `center` than `radius`.
    Disc {
        /// The center.
        center: Point2,
        /// The radius.
        radius: Fixed,
    },
}

/// The id of an obstacle; stale after the obstacle is removed.
pub type ObstacleId = Id<Obstacle>;

impl Obstacle {
    /// A box with north-west corner (`x`, `y`), in whole cells.
    ///
    /// # Errors
    /// [`ObstacleError::TooFar`], [`ObstacleError::Empty`] or [`ObstacleError::NoCategories`].
    pub fn cells(
        x: i32,
        y: i32,
        width: i32,
        height: i32,
        categories: ObstacleCategories,
    ) -> Result<Self, ObstacleError> {
        let edge = |at: i64| {
            let raw = at * i64::from(Fixed::UNITS_PER_CELL);
            i32::try_from(raw)
                .map(Fixed::from_raw)
                .map_err(|_error| ObstacleError::TooFar {
                    what: "an edge",
                    found: raw,
                })
        };
        let (x, y) = (i64::from(x), i64::from(y));
        let shape = ObstacleShape::Box(Aabb2 {
            low: Point2::new(edge(x)?, edge(y)?),
            high: Point2::new(edge(x + i64::from(width))?, edge(y + i64::from(height))?),
        });
        let obstacle = Self { shape, categories };
        ObstacleBody::from_obstacle(&obstacle, 0)?;
        Ok(obstacle)
    }
}

impl Obstacle {
    /// Validates all values.
    ///
    /// # Errors
    /// If it is empty, without categories, or beyond [`MAX_COORDINATE`].
    pub fn check(&self) -> Result<(), ObstacleError> {
        ObstacleBody::from_obstacle(self, 0).map(|_| ())
    }
}

/// An obstacle as stored in the grid: its AABB in 1/256 of a cell, 32 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub(crate) struct ObstacleBody {
    pub(crate) low: [i32; 2],
    pub(crate) high: [i32; 2],
    pub(crate) slot: u32,
    pub(crate) is_disc: bool,
    /// 0 for a vacant slot.
    pub(crate) categories: u64,
}

impl ObstacleBody {
    /// A vacant slot.
    pub(crate) const VACANT: Self = Self {
        low: [i32::MAX; 2],
        high: [i32::MIN; 2],
        slot: u32::MAX,
        is_disc: false,
        categories: 0,
    };

    /// The packed form of `obstacle`, if valid.
    pub(crate) fn from_obstacle(obstacle: &Obstacle, slot: u32) -> Result<Self, ObstacleError> {
        let (low, high, is_disc) = match obstacle.shape {
            ObstacleShape::Box(Aabb2 { low, high }) => (
                [i64::from(low.x.raw()), i64::from(low.y.raw())],
                [i64::from(high.x.raw()), i64::from(high.y.raw())],
                false,
            ),
            ObstacleShape::Disc { center, radius } => {
                let (x, y) = (i64::from(center.x.raw()), i64::from(center.y.raw()));
                let radius = i64::from(radius.raw());
                ([x - radius, y - radius], [x + radius, y + radius], true)
            }
        };
        if obstacle.categories.is_empty() {
            return Err(ObstacleError::NoCategories);
        }
        if low[0] >= high[0] || low[1] >= high[1] {
            return Err(ObstacleError::Empty {
                width: high[0] - low[0],
                height: high[1] - low[1],
            });
        }
        let edge = |at: i64| check_coordinate(at, "an edge");
        Ok(Self {
            low: [edge(low[0])?, edge(low[1])?],
            high: [edge(high[0])?, edge(high[1])?],
            slot,
            is_disc,
            categories: obstacle.categories.0,
        })
    }

    /// The obstacle.
    pub(crate) fn obstacle(&self) -> Obstacle {
        let point = |[x, y]: [i32; 2]| Point2::from_raw(x, y);
        let shape = if self.is_disc {
            ObstacleShape::Disc {
                center: point(self.center()),
                radius: Fixed::from_raw(self.disc_radius()),
            }
        } else {
            ObstacleShape::Box(Aabb2 {
                low: point(self.low),
                high: point(self.high),
            })
        };
        Obstacle {
            shape,
            categories: ObstacleCategories(self.categories),
        }
    }

    /// The center, rounded down; exact for a disc.
    #[inline]
    pub(crate) const fn center(&self) -> [i32; 2] {
        [
            (self.low[0] + self.high[0]) >> 1,
            (self.low[1] + self.high[1]) >> 1,
        ]
    }

    /// The radius of a disc.
    #[inline]
    pub(crate) const fn disc_radius(&self) -> i32 {
        (self.high[0] - self.low[0]) >> 1
    }

    /// True if the AABBs of the two share more than a border.
    #[inline]
    pub(crate) const fn boxes_overlap(&self, other: &Self) -> bool {
        (self.low[0] < other.high[0])
            & (other.low[0] < self.high[0])
            & (self.low[1] < other.high[1])
            & (other.low[1] < self.high[1])
    }

    /// True if the two share more than a border.
    #[inline]
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.boxes_overlap(other)
            && match (self.is_disc, other.is_disc) {
                (false, false) => true,
                (true, true) => {
                    let (a, b) = (self.center(), other.center());
                    let reach =
                        self.disc_radius().unsigned_abs() + other.disc_radius().unsigned_abs();
                    squared_distance(a, b) < u64::from(reach).pow(2)
                }
                (true, false) => self.disc_overlaps_box(other),
                (false, true) => other.disc_overlaps_box(self),
            }
    }

    fn disc_overlaps_box(&self, other: &Self) -> bool {
        let radius = u64::from(self.disc_radius().unsigned_abs());
        other.squared_distance_to(self.center()) < radius * radius
    }

    /// The squared distance from any point to its AABB; 0 inside.
    #[inline]
    pub(crate) fn squared_distance_to(&self, at: [i32; 2]) -> u64 {
        let gap = |axis: usize| {
            let below = i64::from(self.low[axis]) - i64::from(at[axis]);
            let above = i64::from(at[axis]) - i64::from(self.high[axis]);
            below.max(above).max(0).unsigned_abs()
        };
        let (x, y) = (gap(0), gap(1));
        x * x + y * y
    }
}

/// The squared distance between two points, one of them within [`MAX_COORDINATE`]: below 2^64.
#[inline]
pub(crate) fn squared_distance(a: [i32; 2], b: [i32; 2]) -> u64 {
    let (x, y) = (a[0].abs_diff(b[0]), a[1].abs_diff(b[1]));
    u64::from(x) * u64::from(x) + u64::from(y) * u64::from(y)
}

/// `raw` if it lies within [`MAX_COORDINATE`].
pub(crate) fn check_coordinate(raw: i64, what: &'static str) -> Result<i32, ObstacleError> {
    let limit = i64::from(MAX_COORDINATE.raw());
    match i32::try_from(raw) {
        Ok(value) if (-limit..=limit).contains(&raw) => Ok(value),
        _ => Err(ObstacleError::TooFar { what, found: raw }),
    }
}
