//! The transform between world units and cells, steps and voxels.
//!
//! A [`Position`] is 64-bit fixed point in 1/65,536 of a world unit; x grows east, y south, z up
//! (left-handed; a y-up engine passes (x, z, y)). A [`Scale`] holds the sizes of a cell, a step and
//! a voxel in 1/2^32 of a unit. Positions are rounded down to 1/256 of a cell, step or voxel, and
//! every cell, voxel and point maps to a position and back, equally on every platform.

mod travel;

use std::fmt;

use thiserror::Error;
use wayfarer_base::{Cell, Column, Fixed, Point2, Point3, Voxel};
use wayfarer_search::multimodal::GridAlignment;

/// A position in world units: fixed point in 1/65,536 of a unit, ±1.4e14 units.
///
/// ```
/// use wayfarer_engine::Position;
/// assert_eq!(Position::new(1.5, -2.0, 0.0), Position { x: 98_304, y: -131_072, z: 0 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "[f64; 3]", into = "[f64; 3]"))]
pub struct Position {
    /// East, in 1/65,536 of a unit.
    pub x: i64,
    /// South, in 1/65,536 of a unit.
    pub y: i64,
    /// Up, in 1/65,536 of a unit.
    pub z: i64,
}

impl Position {
    /// Parts of a unit.
    pub const PARTS: i64 = 65_536;

    /// The nearest position to coordinates in units. Values out of range saturate to a position
    /// outside every world; NaN becomes a coordinate that is not finite. Requests reject both.
    #[inline]
    pub fn new(x: f64, y: f64, z: f64) -> Self {
        let [x, y, z] = [x, y, z].map(parts);
        Self { x, y, z }
    }

    /// True if no coordinate was given as NaN.
    #[inline]
    pub const fn is_finite(self) -> bool {
        self.x != i64::MIN && self.y != i64::MIN && self.z != i64::MIN
    }

    /// The coordinates in units, rounded to `f64`; NaN where one is not finite.
    #[inline]
    #[expect(clippy::cast_precision_loss, reason = "for display and engines")]
    pub fn units(self) -> [f64; 3] {
        [self.x, self.y, self.z].map(|at| match at {
            i64::MIN => f64::NAN,
            _ => at as f64 / Self::PARTS as f64,
        })
    }

    /// The position `by` higher, in 1/65,536 of a unit; saturates.
    #[must_use]
    pub const fn raised(self, by: i64) -> Self {
        Self {
            z: self.z.saturating_add(by),
            ..self
        }
    }
}

impl From<[f64; 3]> for Position {
    fn from([x, y, z]: [f64; 3]) -> Self {
        Self::new(x, y, z)
    }
}

impl From<[f32; 3]> for Position {
    fn from(at: [f32; 3]) -> Self {
        Self::from(at.map(f64::from))
    }
}

impl From<Position> for [f64; 3] {
    fn from(at: Position) -> Self {
        at.units()
    }
}

impl From<Position> for [f32; 3] {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "for engines that compute in `f32`"
    )]
    fn from(at: Position) -> Self {
        at.units().map(|at| at as f32)
    }
}

/// Conversions from and to the vectors of other crates.
macro_rules! vectors {
    ($feature:literal: $($vector:ty as $number:ty;)*) => {$(
        #[cfg(feature = $feature)]
        impl From<$vector> for Position {
            fn from(at: $vector) -> Self {
                Self::from([at.x, at.y, at.z])
            }
        }

        #[cfg(feature = $feature)]
        impl From<Position> for $vector {
            fn from(at: Position) -> Self {
                let [x, y, z] = <[$number; 3]>::from(at);
                <$vector>::from([x, y, z])
            }
        }
    )*};
}

vectors! { "glam": glam::Vec3 as f32; glam::DVec3 as f64; }
vectors! {
    "mint":
    mint::Point3<f32> as f32;
    mint::Point3<f64> as f64;
    mint::Vector3<f32> as f32;
    mint::Vector3<f64> as f64;
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.units();
        write!(f, "({x:.2}, {y:.2}, {z:.2})")
    }
}

/// Sizes of a cell, a step and a voxel in world units, and the origin.
///
/// ```
/// use wayfarer_engine::{Position, Scale};
/// use wayfarer_engine::base::{Cell, Voxel};
///
/// // Cells of half a meter, steps of 25 cm, voxels of one meter.
/// let scale = Scale::new(0.5, 0.25, 1.0)?;
/// let at = Position::new(3.3, 0.0, 1.0);
/// assert_eq!(scale.cell(at), Some(Cell::new(6, 0, 4)));
/// assert_eq!(scale.voxel(at), Some(Voxel::new(3, 0, 1)));
/// assert_eq!(scale.cell_center(Cell::new(6, 0, 4)), Position::new(3.25, 0.25, 1.0));
/// # Ok::<(), wayfarer_engine::ScaleError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scale {
    origin: Position,
    /// Lengths in 1/2^32 of a unit, even, so that half a cell is exact.
    cell: i64,
    step: i64,
    voxel: i64,
}

/// Why a scale was rejected.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum ScaleError {
    /// A length is out of range.
    #[error("a {what} of {found} units, expected a number from 1/256 to 65,536")]
    BadLength {
        /// Cell, step or voxel.
        what: &'static str,
        /// The length given, in units.
        found: f64,
    },
}

impl Default for Scale {
    /// [`Scale::UNIT`].
    fn default() -> Self {
        Self::UNIT
    }
}

/// 1/2^32 of a unit in 1/65,536 of a unit.
const FINE: i64 = 65_536;

/// Valid lengths, in 1/2^32 of a unit.
const LENGTHS: std::ops::RangeInclusive<i64> = (1 << 24)..=(1 << 48);

impl Scale {
    /// A cell, a step and a voxel are one unit each; the origin is 0.
    pub const UNIT: Self = Self {
        origin: Position { x: 0, y: 0, z: 0 },
        cell: 1 << 32,
        step: 1 << 32,
        voxel: 1 << 32,
    };

    /// A scale with the side of a cell, the height of a step and the side of a voxel, in units;
    /// each is rounded to a multiple of 2^-31, so that 100,000 cells of 0.3 units are wrong by less
    /// than 1/10,000 of a cell.
    ///
    /// # Errors
    /// A length is not a number from 1/256 to 65,536.
    pub fn new(cell: f64, step: f64, voxel: f64) -> Result<Self, ScaleError> {
        let length = |what, units: f64| {
            let half = fixed(units, 1 << 31);
            let length = half.saturating_mul(2);
            match LENGTHS.contains(&length) && units.is_finite() {
                true => Ok(length),
                false => Err(ScaleError::BadLength { what, found: units }),
            }
        };
        Ok(Self {
            cell: length("cell", cell)?,
            step: length("step", step)?,
            voxel: length("voxel", voxel)?,
            ..Self::UNIT
        })
    }

    /// The scale of lengths as returned by [`Scale::exact_lengths`]; `None` if one is out of range
    /// or odd.
    pub fn from_exact_lengths(lengths: [i64; 3]) -> Option<Self> {
        let fits = |length: &i64| LENGTHS.contains(length) && length % 2 == 0;
        let [cell, step, voxel] = lengths;
        lengths.iter().all(fits).then_some(Self {
            cell,
            step,
            voxel,
            ..Self::UNIT
        })
    }

    /// Maximum absolute coordinate of the origin, in 1/65,536 of a unit: 2^62, about 7e13 units.
    /// Every cell and voxel then still has a position.
    pub const MAX_ORIGIN: i64 = 1 << 62;

    /// Sets the position of the corner of cell (0, 0) at height 0, clamped to
    /// [`Scale::MAX_ORIGIN`].
    #[must_use]
    pub fn at(self, origin: Position) -> Self {
        let clamp = |at: i64| at.clamp(-Self::MAX_ORIGIN, Self::MAX_ORIGIN);
        let origin = Position {
            x: clamp(origin.x),
            y: clamp(origin.y),
            z: clamp(origin.z),
        };
        Self { origin, ..self }
    }

    /// The position of the low corner of cell (0, 0) at height 0 and of voxel (0, 0, 0).
    #[inline]
    pub const fn origin(&self) -> Position {
        self.origin
    }

    /// The sizes of a cell, a step and a voxel, in 1/65,536 of a unit, rounded down.
    pub const fn lengths(&self) -> [i64; 3] {
        [self.cell / FINE, self.step / FINE, self.voxel / FINE]
    }

    /// The sizes of a cell, a step and a voxel, in 1/2^32 of a unit.
    #[inline]
    pub const fn exact_lengths(&self) -> [i64; 3] {
        [self.cell, self.step, self.voxel]
    }

    /// The sizes relative to each other, for the joint graph of ground and air: exact unless a
    /// length has more than 32 significant bits.
    pub(crate) fn alignment(&self) -> GridAlignment {
        let lengths = self.exact_lengths();
        let mut common = 1;
        while lengths.iter().any(|length| length / common > 1 << 32) {
            common *= 2;
        }
        let [cell, step, voxel] = lengths.map(|length| (length / common).max(2) & !1);
        GridAlignment { cell, step, voxel }
    }

    /// The planar point in cells, rounded down to 1/256; `None` outside the world.
    #[inline]
    pub fn point(&self, at: Position) -> Option<Point2> {
        let x = to_fixed(at.x, self.origin.x, self.cell)?;
        let y = to_fixed(at.y, self.origin.y, self.cell)?;
        Some(Point2::new(x, y))
    }

    /// The height in steps, rounded down to 1/256; `None` outside the world.
    #[inline]
    pub fn height(&self, at: Position) -> Option<Fixed> {
        to_fixed(at.z, self.origin.z, self.step)
    }

    /// The point in cells and steps, rounded down to 1/256; `None` outside the world.
    pub fn ground_point(&self, at: Position) -> Option<Point3> {
        let Point2 { x, y } = self.point(at)?;
        let z = self.height(at)?;
        Some(Point3 { x, y, z })
    }

    /// The point in voxels, rounded down to 1/256; `None` outside the world.
    pub fn air_point(&self, at: Position) -> Option<Point3> {
        Some(Point3 {
            x: to_fixed(at.x, self.origin.x, self.voxel)?,
            y: to_fixed(at.y, self.origin.y, self.voxel)?,
            z: to_fixed(at.z, self.origin.z, self.voxel)?,
        })
    }

    /// The cell that contains a position, its height rounded down; `None` outside the world.
    pub fn cell(&self, at: Position) -> Option<Cell> {
        let column = self.point(at)?.column();
        Some(column.at(self.height(at)?.cell()))
    }

    /// The voxel that contains a position; `None` outside the world.
    pub fn voxel(&self, at: Position) -> Option<Voxel> {
        let Point3 { x, y, z } = self.air_point(at)?;
        Some(Voxel::new(x.cell(), y.cell(), z.cell()))
    }

    /// The center of a cell's floor, rounded up to 1/65,536 of a unit, so that [`Scale::cell()`] maps
    /// it back; saturates.
    #[inline]
    pub fn cell_center(&self, cell: Cell) -> Position {
        Position {
            x: from_multiple(2 * i64::from(cell.x) + 1, (self.cell, 2), self.origin.x),
            y: from_multiple(2 * i64::from(cell.y) + 1, (self.cell, 2), self.origin.y),
            z: from_multiple(cell.z.into(), (self.step, 1), self.origin.z),
        }
    }

    /// The center of a voxel, rounded up to 1/65,536 of a unit, so that [`Scale::voxel()`] maps it
    /// back; saturates.
    pub fn voxel_center(&self, voxel: Voxel) -> Position {
        let center =
            |at: i32, origin| from_multiple(2 * i64::from(at) + 1, (self.voxel, 2), origin);
        Position {
            x: center(voxel.x, self.origin.x),
            y: center(voxel.y, self.origin.y),
            z: center(voxel.z, self.origin.z),
        }
    }

    /// The position of a planar point, in cells, at a height in steps; rounded up to 1/65,536 of a
    /// unit, so that [`Scale::ground_point`] maps it back; saturates.
    #[inline]
    pub fn ground_position(&self, at: Point2, height: Fixed) -> Position {
        Position {
            x: from_multiple(at.x.raw().into(), (self.cell, 256), self.origin.x),
            y: from_multiple(at.y.raw().into(), (self.cell, 256), self.origin.y),
            z: from_multiple(height.raw().into(), (self.step, 256), self.origin.z),
        }
    }

    /// The position of a point of the air, in voxels; rounded up to 1/65,536 of a unit, so that
    /// [`Scale::air_point`] maps it back; saturates.
    pub fn air_position(&self, at: Point3) -> Position {
        let units = |at: Fixed, origin| from_multiple(at.raw().into(), (self.voxel, 256), origin);
        Position {
            x: units(at.x, self.origin.x),
            y: units(at.y, self.origin.y),
            z: units(at.z, self.origin.z),
        }
    }

    /// A length of 1/65,536 of a unit in cells and in voxels, rounded down to 1/256; `None` if it is
    /// not above 0 or out of range.
    pub(crate) fn fixed_lengths(&self, length: i64) -> Option<[Fixed; 2]> {
        if length <= 0 {
            return None;
        }
        Some([
            to_fixed(length, 0, self.cell)?,
            to_fixed(length, 0, self.voxel)?,
        ])
    }

    /// The sizes of a cell, a step and a voxel in units, rounded to `f64`.
    #[expect(clippy::cast_precision_loss, reason = "sizes have at most 48 bits")]
    pub(crate) fn unit_lengths(&self) -> [f64; 3] {
        let parts = Position::PARTS as f64 * FINE as f64;
        self.exact_lengths().map(|length| length as f64 / parts)
    }

    /// The columns, steps and voxels that a box overlaps; `None` if it is empty or leaves the world.
    pub(crate) fn box_extent(&self, low: Position, high: Position) -> Option<BoxExtent> {
        if high.x <= low.x || high.y <= low.y || high.z <= low.z {
            return None;
        }
        let last = Position {
            x: high.x - 1,
            y: high.y - 1,
            z: high.z - 1,
        };
        let (first_cell, last_cell) = (self.cell(low)?, self.cell(last)?);
        Some(BoxExtent {
            columns: (first_cell.column(), last_cell.column()),
            steps: (first_cell.z, last_cell.z.checked_add(1)?),
            voxels: (self.voxel(low)?, self.voxel(last)?),
        })
    }
}

/// The columns, steps and voxels that a box overlaps, bounds included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BoxExtent {
    pub(crate) columns: (Column, Column),
    /// Heights of the bottom and the top.
    pub(crate) steps: (i32, i32),
    pub(crate) voxels: (Voxel, Voxel),
}

/// Units in 1/65,536, rounded to nearest; saturates, and NaN becomes `i64::MIN`.
#[inline]
fn parts(units: f64) -> i64 {
    fixed(units, Position::PARTS)
}

/// `units` in 1/`parts` of a unit, rounded to nearest; saturates, and NaN becomes `i64::MIN`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "a float to integer cast saturates, as documented"
)]
#[inline]
fn fixed(units: f64, parts: i64) -> i64 {
    if units.is_nan() {
        return i64::MIN;
    }
    let number = units * parts as f64;
    if number.abs() >= WHOLE {
        return (number as i64).max(-i64::MAX);
    }
    // As `round`, which is a call on targets without an instruction for it: halves away from 0.
    let whole = number as i64;
    let rest = number - whole as f64;
    whole + i64::from(rest >= 0.5) - i64::from(rest <= -0.5)
}

/// Floats from here on have no fraction.
const WHOLE: f64 = 4_503_599_627_370_496.0;

/// `at` in 1/256 of `length` from `origin`, rounded down; `None` on overflow.
#[inline]
fn to_fixed(at: i64, origin: i64, length: i64) -> Option<Fixed> {
    let near = at.checked_sub(origin).filter(|by| by.abs_diff(0) < 1 << 38);
    let raw = match near {
        // 64 bits suffice: much faster. A shift rounds down, as the division does.
        Some(by) if length.is_positive() && length.unsigned_abs().is_power_of_two() => {
            (by << FIXED_SHIFT >> length.trailing_zeros()).into()
        }
        Some(by) => (by << FIXED_SHIFT).div_euclid(length).into(),
        None => {
            let by = (i128::from(at) - i128::from(origin)) << FIXED_SHIFT;
            by.div_euclid(i128::from(length))
        }
    };
    i32::try_from(raw).ok().map(Fixed::from_raw)
}

/// 256 times [`FINE`], as a shift.
const FIXED_SHIFT: u32 = 24;

/// `origin` plus `number` times a `part`-th of `length`, rounded up to 1/65,536 of a unit, so that
/// [`to_fixed`] maps it back to the same number; saturates. `part` is a power of two.
#[inline]
fn from_multiple(number: i64, (length, part): (i64, i64), origin: i64) -> i64 {
    // A shift rounds down, as a division by a positive number does.
    let shift = (part * FINE).trailing_zeros();
    let offset = -((-i128::from(number) * i128::from(length)) >> shift);
    let at = i128::from(origin) + offset;
    i64::try_from(at).unwrap_or(if at < 0 { i64::MIN } else { i64::MAX })
}

#[cfg(test)]
mod tests;
