//! Terrain types of floors. A [`Profile`](crate::Profile) decides which are walkable and at what
//! cost.

use std::fmt;

/// A terrain type, 0 to 63. The constants are reserved; all others are free for the user.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(transparent)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u8", into = "u8"))]
pub struct Terrain(u8);

impl Terrain {
    /// Number of terrain types.
    pub const COUNT: u8 = 64;
    /// Default ground (`.` and `G` in benchmark maps).
    pub const GROUND: Self = Self(0);
    /// Swamp (`S`): walkable for [`Profile::DEFAULT`](crate::Profile::DEFAULT).
    pub const SWAMP: Self = Self(1);
    /// Water (`W`): not walkable by default.
    pub const WATER: Self = Self(2);
    /// Trees (`T`): not walkable by default.
    pub const TREES: Self = Self(3);
    /// The base of solid geometry that extends up to the next floor above. It blocks movement and
    /// sight; no profile should allow it.
    pub const SOLID: Self = Self(63);

    /// The terrain with this number; `None` from 64 on.
    pub const fn new(number: u8) -> Option<Self> {
        if number < Self::COUNT {
            Some(Self(number))
        } else {
            None
        }
    }

    /// The number, 0 to 63.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The bit mask of this terrain, for
    /// [`Profile::allowed_terrains`](crate::Profile::allowed_terrains).
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }
}

impl From<Terrain> for u8 {
    fn from(terrain: Terrain) -> Self {
        terrain.0
    }
}

impl TryFrom<u8> for Terrain {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        Self::new(number).ok_or("a terrain is 0 to 63")
    }
}

impl fmt::Display for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::GROUND => f.write_str("ground"),
            Self::SWAMP => f.write_str("swamp"),
            Self::WATER => f.write_str("water"),
            Self::TREES => f.write_str("trees"),
            Self::SOLID => f.write_str("solid"),
            Self(number) => write!(f, "terrain {number}"),
        }
    }
}
