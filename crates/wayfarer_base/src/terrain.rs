//! Kinds of ground: what a cell is made of. Who may walk there is the profile's affair.

use std::fmt;

/// A kind of ground, 0 to 63; the first few have names, the rest are the user's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Terrain(u8);

impl Terrain {
    /// Kinds there can be.
    pub const COUNT: u8 = 64;
    /// Plain ground (`.` and `G` of the benchmark's maps).
    pub const GROUND: Self = Self(0);
    /// Swamp (`S`): walked on from uniform ground.
    pub const SWAMP: Self = Self(1);
    /// Water (`W`): a class of its own; walkers stay out, swimmers stay in.
    pub const WATER: Self = Self(2);
    /// Trees (`T`): nobody walks there, though there is something.
    pub const TREES: Self = Self(3);
    /// The foot of something solid, which reaches up to the next floor above: nobody walks or
    /// looks there, and no profile should have its bit.
    pub const SOLID: Self = Self(63);

    /// The kind with this number, or `None` from 64 on.
    pub const fn new(number: u8) -> Option<Self> {
        if number < Self::COUNT {
            Some(Self(number))
        } else {
            None
        }
    }

    /// Its number, 0 to 63.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// A word with one bit set: this kind's.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << self.0
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
