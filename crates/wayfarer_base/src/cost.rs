//! Integer path costs and cost multipliers (ADR 2).
//!
//! A straight step costs 1463 units, a diagonal step 2069, a space diagonal 2534: the smallest such
//! integers whose ratios are within 3e-6 of √2 and 4e-6 of √3. The relative error of a path length
//! is below 4e-6, well within the 1e-5 of the benchmarks' own rounding.
//!
//! A cost has 32 bits: 2.9 million straight steps at multiplier 1. Arithmetic saturates at
//! [`Cost::MAX`], which is never the cost of a path, and does not wrap; a search that finds nothing
//! below it says so: [`UnreachableProof::CostLimit`](crate::UnreachableProof::CostLimit).

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// The cost of a path, in units of 1/1463 of a cell.
///
/// ```
/// use wayfarer_base::Cost;
///
/// let path = Cost::STRAIGHT + Cost::DIAGONAL;
/// assert!((path.to_cells() - 2.414_213_56).abs() < 1e-5);
/// assert_eq!(Cost::MAX + path, Cost::MAX); // saturates
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Cost(u32);

impl Cost {
    /// No cost.
    pub const ZERO: Self = Self(0);
    /// Greater than the cost of any path: the value at which sums saturate.
    pub const MAX: Self = Self(u32::MAX);
    /// Units per cell of length.
    pub const UNITS_PER_CELL: u32 = 1463;
    /// One step along an axis: 1463 units, one cell.
    pub const STRAIGHT: Self = Self(1463);
    /// One diagonal step in the plane: 2069 units, sqrt 2 cells.
    pub const DIAGONAL: Self = Self(2069);
    /// One step along the space diagonal of a voxel: 2534 units, sqrt 3 voxels.
    pub const SPACE_DIAGONAL: Self = Self(2534);

    /// A cost of `units` units.
    #[inline]
    pub const fn from_units(units: u32) -> Self {
        Self(units)
    }

    /// The cost in units.
    #[inline]
    pub const fn units(self) -> u32 {
        self.0
    }

    /// The cost of `cells` cells of length at multiplier 1, rounded down. Saturates; 0 for negative
    /// lengths and NaN.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float to integer cast saturates, as documented"
    )]
    pub fn from_cells(cells: f64) -> Self {
        Self((cells * f64::from(Self::UNITS_PER_CELL)) as u32)
    }

    /// The cost as a length in cells at multiplier 1.
    pub fn to_cells(self) -> f64 {
        f64::from(self.0) / f64::from(Self::UNITS_PER_CELL)
    }

    /// The base cost of one step, straight or diagonal.
    #[inline]
    pub const fn for_step(is_diagonal: bool) -> Self {
        if is_diagonal {
            Self::DIAGONAL
        } else {
            Self::STRAIGHT
        }
    }

    /// The octile distance: least cost over `dx` and `dy` columns with eight directions and no
    /// obstacle. An admissible, consistent heuristic.
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

    /// The octile distance in 3D: least cost over the given voxels with 26 directions and no
    /// obstacle.
    #[inline]
    pub const fn voxel_octile(dx: u32, dy: u32, dz: u32) -> Self {
        let (high, low) = if dx > dy { (dx, dy) } else { (dy, dx) };
        let (long, medium, short) = if dz > high {
            (dz, high, low)
        } else if dz > low {
            (high, dz, low)
        } else {
            (high, low, dz)
        };
        let units = long as u64 * Self::STRAIGHT.0 as u64
            + medium as u64 * (Self::DIAGONAL.0 - Self::STRAIGHT.0) as u64
            + short as u64 * (Self::SPACE_DIAGONAL.0 - Self::DIAGONAL.0) as u64;
        Self::clamped(units)
    }

    /// This cost times `multiplier`, rounded down; saturates.
    #[inline]
    pub const fn scaled_by(self, multiplier: CostMultiplier) -> Self {
        Self::clamped(self.0 as u64 * multiplier.sixteenths() as u64 / 16)
    }

    /// This cost times the mean of two multipliers, rounded down; saturates. A step lies half on
    /// the cell it leaves and half on the cell it enters.
    #[inline]
    pub const fn scaled_by_mean(self, from: CostMultiplier, to: CostMultiplier) -> Self {
        Self::clamped(self.0 as u64 * (from.sixteenths() as u64 + to.sixteenths() as u64) / 32)
    }

    /// True if the cost is [`Cost::MAX`]: a sum has saturated.
    #[inline]
    pub const fn is_saturated(self) -> bool {
        self.0 == u32::MAX
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "compared with the limit")]
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
    /// The difference, or [`Cost::ZERO`] if `other` is greater.
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

/// Factor on the base cost of a step, in sixteenths: 16 is 1, 32 doubles the cost.
///
/// Never below 1, so that the octile distance stays a lower bound of every path cost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct CostMultiplier(u16);

impl CostMultiplier {
    /// The base cost.
    pub const ONE: Self = Self(16);
    /// The largest multiplier: 4095.9375.
    pub const MAX: Self = Self(u16::MAX);

    /// The multiplier `sixteenths` / 16; `None` below 1.
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

    /// The multiplier in sixteenths, at least 16.
    #[inline]
    pub const fn sixteenths(self) -> u16 {
        self.0
    }

    /// Both multipliers on the same cell: their surcharges over 1 add up, `1 + (a - 1) + (b - 1)`;
    /// saturates.
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
