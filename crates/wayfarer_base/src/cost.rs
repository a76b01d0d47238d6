//! What a way costs, in whole numbers, so that equal paths are equal on every machine.
//!
//! One straight step costs 1463 units, a diagonal 2069, a diagonal through space 2534. These are
//! the smallest numbers below 2,000 whose ratios come within 3e-6 of the square root of 2 and
//! within 4e-6 of the square root of 3 together, so a path's length differs from the true one by
//! less than 4e-6 of itself, well inside the 1e-5 that the benchmarks' own rounding leaves.
//!
//! A cost holds 32 bits: paths of up to 2.9 million straight steps at cost multiplier 1. Beyond that it
//! saturates at [`Cost::MAX`], which no way ever has; it never wraps.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// What a way costs, in units of 1/1463 of a cell.
///
/// ```
/// use wayfarer_base::Cost;
///
/// let way = Cost::STRAIGHT + Cost::DIAGONAL;
/// assert!((way.to_cells() - 2.414_213_56).abs() < 1e-5);
/// assert_eq!(Cost::MAX + way, Cost::MAX); // saturates, never wraps
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Cost(u32);

impl Cost {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// More than any way: where sums saturate.
    pub const MAX: Self = Self(u32::MAX);
    /// Units in the length of one cell.
    pub const UNITS_PER_CELL: u32 = 1463;
    /// One step along an axis.
    pub const STRAIGHT: Self = Self(1463);
    /// One step across a corner of a square.
    pub const DIAGONAL: Self = Self(2069);
    /// One step across a corner of a cube.
    pub const SPACE_DIAGONAL: Self = Self(2534);

    /// A cost from its units.
    #[inline]
    pub const fn from_units(units: u32) -> Self {
        Self(units)
    }

    /// The cost in units.
    #[inline]
    pub const fn units(self) -> u32 {
        self.0
    }

    /// The cost of a way of `cells` cells at cost multiplier 1, rounded down; saturates, and 0 for what is
    /// negative or no number.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float to integer cast saturates, which is what is promised"
    )]
    pub fn from_cells(cells: f64) -> Self {
        Self((cells * f64::from(Self::UNITS_PER_CELL)) as u32)
    }

    /// The cost as a length in cells at cost multiplier 1.
    pub fn to_cells(self) -> f64 {
        f64::from(self.0) / f64::from(Self::UNITS_PER_CELL)
    }

    /// The cost multiplier of a step in one of the eight directions: straight or diagonal.
    #[inline]
    pub const fn for_step(diagonal: bool) -> Self {
        if diagonal {
            Self::DIAGONAL
        } else {
            Self::STRAIGHT
        }
    }

    /// Least cost between two columns `dx` and `dy` apart with eight directions and no obstacle.
    ///
    /// ```
    /// use wayfarer_base::Cost;
    /// assert_eq!(Cost::octile(2, 3), Cost::DIAGONAL + Cost::DIAGONAL + Cost::STRAIGHT);
    /// ```
    #[inline]
    pub const fn octile(dx: u32, dy: u32) -> Self {
        let (long, short) = if dx > dy { (dx, dy) } else { (dy, dx) };
        let units = long as u64 * Self::STRAIGHT.0 as u64
            + short as u64 * (Self::DIAGONAL.0 - Self::STRAIGHT.0) as u64;
        Self::clamped(units)
    }

    /// Least cost between two voxels with 26 directions and no obstacle.
    #[inline]
    pub const fn voxel_octile(dx: u32, dy: u32, dz: u32) -> Self {
        let (high, low) = if dx > dy { (dx, dy) } else { (dy, dx) };
        let (long, center, short) = if dz > high {
            (dz, high, low)
        } else if dz > low {
            (high, dz, low)
        } else {
            (high, low, dz)
        };
        let units = long as u64 * Self::STRAIGHT.0 as u64
            + center as u64 * (Self::DIAGONAL.0 - Self::STRAIGHT.0) as u64
            + short as u64 * (Self::SPACE_DIAGONAL.0 - Self::DIAGONAL.0) as u64;
        Self::clamped(units)
    }

    /// This cost at `multiplier`, rounded down; saturates.
    #[inline]
    pub const fn scaled_by(self, multiplier: CostMultiplier) -> Self {
        Self::clamped(self.0 as u64 * multiplier.sixteenths() as u64 / 16)
    }

    /// The cost of a step of this length from ground at cost multiplier `from` to ground at cost multiplier `to`:
    /// half of the step lies on each, rounded down; saturates.
    #[inline]
    pub const fn scaled_by_mean(self, from: CostMultiplier, to: CostMultiplier) -> Self {
        Self::clamped(self.0 as u64 * (from.sixteenths() as u64 + to.sixteenths() as u64) / 32)
    }

    /// True where a sum has run over the end of the numbers.
    #[inline]
    pub const fn is_saturated(self) -> bool {
        self.0 == u32::MAX
    }

    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "compared with the limit just before"
    )]
    const fn clamped(units: u64) -> Self {
        if units >= u32::MAX as u64 {
            Self::MAX
        } else {
            Self(units as u32)
        }
    }
}

impl Add for Cost {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Cost {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Cost {
    type Output = Self;
    /// The difference, or nothing if `other` is costlier.
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl std::iter::Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.to_cells())
    }
}

impl fmt::Debug for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cost({} = {:.3} cells)", self.0, self.to_cells())
    }
}

/// How costly ground is to walk on, in sixteenths: 16 is uniform ground, 32 twice as costly.
///
/// Never below 1, so that the straight distance stays a lower bound of every way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct CostMultiplier(u16);

impl CostMultiplier {
    /// Plain ground.
    pub const ONE: Self = Self(16);
    /// The costliest cost multiplier there is: 4095.9 times uniform ground.
    pub const MAX: Self = Self(u16::MAX);

    /// A cost multiplier of `sixteenths` / 16, or `None` below 1.
    ///
    /// ```
    /// use wayfarer_base::CostMultiplier;
    /// assert_eq!(CostMultiplier::from_sixteenths(15), None);
    /// assert_eq!(CostMultiplier::from_sixteenths(16), Some(CostMultiplier::ONE));
    /// ```
    pub const fn from_sixteenths(sixteenths: u16) -> Option<Self> {
        if sixteenths < 16 {
            None
        } else {
            Some(Self(sixteenths))
        }
    }

    /// The cost multiplier in sixteenths, at least 16.
    #[inline]
    pub const fn sixteenths(self) -> u16 {
        self.0
    }

    /// Both cost multipliers on the same ground: what each adds to uniform ground is added up; saturates.
    #[inline]
    pub const fn stacked_with(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0 - 16))
    }
}

impl Default for CostMultiplier {
    fn default() -> Self {
        Self::ONE
    }
}

#[cfg(test)]
mod tests;
