//! World units: one transform between the game's own coordinates and cells, steps and voxels.
//!
//! A [`Position`] is fixed point, 1/65,536 of a world unit in 64 bits. x grows east, y south, z up:
//! left-handed, as everywhere in wayfarer; a game whose y points up hands over (x, z, y). A
//! [`Scale`] says how long a cell, a step of height and a voxel are. Those lengths are whole
//! multiples of 1/256 unit, so that every place of the ground, the field and the air is an exact
//! position and comes back from it unchanged. The other way positions are rounded down, to 1/256
//! of a cell, step or voxel: the same on every machine.

use std::fmt;

use thiserror::Error;
use wayfarer_base::{Cell, Column, Cost, Fixed, Point2, Point3, Voxel};

/// A place in world units, in 1/65,536 of a unit: ±1.4e14 units.
///
/// ```
/// use wayfarer::Position;
/// assert_eq!(Position::new(1.5, -2.0, 0.0), Position { x: 98_304, y: -131_072, z: 0 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
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

    /// The position nearest to so many units; what is no number or too far lies outside every
    /// world, and requests that name it are refused.
    pub fn new(x: f64, y: f64, z: f64) -> Self {
        let [x, y, z] = [x, y, z].map(parts);
        Self { x, y, z }
    }

    /// In units: x, y and z.
    #[expect(clippy::cast_precision_loss, reason = "for people and engines")]
    pub fn units(self) -> [f64; 3] {
        [self.x, self.y, self.z].map(|at| at as f64 / Self::PARTS as f64)
    }

    /// The same place `by` higher, in 1/65,536 of a unit; saturates.
    #[must_use]
    pub const fn raised(self, by: i64) -> Self {
        Self {
            z: self.z.saturating_add(by),
            ..self
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.units();
        write!(f, "({x:.2}, {y:.2}, {z:.2})")
    }
}

/// How long a cell, a step and a voxel are in world units, and where the origin lies.
///
/// ```
/// use wayfarer::{Position, Scale};
/// use wayfarer::base::{Cell, Voxel};
///
/// // Cells of half a metre, steps of 25 cm, voxels of one metre.
/// let scale = Scale::new(0.5, 0.25, 1.0)?;
/// let at = Position::new(3.3, 0.0, 1.0);
/// assert_eq!(scale.cell(at), Some(Cell::new(6, 0, 4)));
/// assert_eq!(scale.voxel(at), Some(Voxel::new(3, 0, 1)));
/// assert_eq!(scale.cell_center(Cell::new(6, 0, 4)), Position::new(3.25, 0.25, 1.0));
/// # Ok::<(), wayfarer::ScaleError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scale {
    origin: Position,
    cell: i64,
    step: i64,
    voxel: i64,
}

/// Why lengths do not make a scale.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum ScaleError {
    /// A length that cannot be.
    #[error("a {what} of {found} units, expected a multiple of 1/256 from 1/256 to 65,536")]
    BadLength {
        /// Of what.
        what: &'static str,
        /// The length given, in units.
        found: f64,
    },
}

impl Default for Scale {
    /// A unit is a cell, a step and a voxel.
    fn default() -> Self {
        Self::UNIT
    }
}

impl Scale {
    /// A unit is a cell, a step and a voxel; the origin is the world's.
    pub const UNIT: Self = Self {
        origin: Position { x: 0, y: 0, z: 0 },
        cell: Position::PARTS,
        step: Position::PARTS,
        voxel: Position::PARTS,
    };

    /// A scale by the sides of a cell and a voxel and the height of a step, in units.
    ///
    /// # Errors
    /// A length that is no multiple of 1/256 unit, or not from 1/256 to 65,536 units.
    pub fn new(cell: f64, step: f64, voxel: f64) -> Result<Self, ScaleError> {
        let length = |what, units: f64| {
            let raw = parts(units);
            let is_exact = (units * 256.0).fract().abs() <= 0.0;
            let fits = (256..=65_536 * Position::PARTS).contains(&raw);
            if is_exact && fits {
                Ok(raw)
            } else {
                Err(ScaleError::BadLength { what, found: units })
            }
        };
        Ok(Self {
            cell: length("cell", cell)?,
            step: length("step", step)?,
            voxel: length("voxel", voxel)?,
            ..Self::UNIT
        })
    }

    /// The scale of lengths as [`Scale::lengths`] has them; `None` if one cannot be.
    pub fn from_lengths(lengths: [i64; 3]) -> Option<Self> {
        let fits =
            |length: &i64| (256..=65_536 * Position::PARTS).contains(length) && length % 256 == 0;
        let [cell, step, voxel] = lengths;
        lengths.iter().all(fits).then_some(Self {
            cell,
            step,
            voxel,
            ..Self::UNIT
        })
    }

    /// The farthest that an origin may be from 0 along each axis, in 1/65,536 of a unit: 2^62, about
    /// 7e13 units. From there every place of a world is still a position.
    pub const MAX_ORIGIN: i64 = 1 << 62;

    /// The same scale with the corner of cell (0, 0), height 0, at `origin`; what lies beyond
    /// [`Scale::MAX_ORIGIN`] is taken to lie there.
    #[must_use]
    pub fn at(self, origin: Position) -> Self {
        let held = |at: i64| at.clamp(-Self::MAX_ORIGIN, Self::MAX_ORIGIN);
        let origin = Position {
            x: held(origin.x),
            y: held(origin.y),
            z: held(origin.z),
        };
        Self { origin, ..self }
    }

    /// Where the corner of cell (0, 0), height 0, and of voxel (0, 0, 0) lies.
    pub const fn origin(&self) -> Position {
        self.origin
    }

    /// Lengths of a cell, a step and a voxel, in 1/65,536 of a unit.
    pub const fn lengths(&self) -> [i64; 3] {
        [self.cell, self.step, self.voxel]
    }

    /// The point on the map, rounded down to 1/256 of a cell; `None` outside the world.
    pub fn point(&self, at: Position) -> Option<Point2> {
        let x = down(at.x, self.origin.x, self.cell)?;
        let y = down(at.y, self.origin.y, self.cell)?;
        Some(Point2::new(x, y))
    }

    /// The height in 1/256 of a step, rounded down; `None` outside the world.
    pub fn height(&self, at: Position) -> Option<Fixed> {
        down(at.z, self.origin.z, self.step)
    }

    /// The point with its height in steps, as sight over the ground has it.
    pub fn over_ground(&self, at: Position) -> Option<Point3> {
        let Point2 { x, y } = self.point(at)?;
        let z = self.height(at)?;
        Some(Point3 { x, y, z })
    }

    /// The point in voxels, rounded down to 1/256; `None` outside the world.
    pub fn in_air(&self, at: Position) -> Option<Point3> {
        Some(Point3 {
            x: down(at.x, self.origin.x, self.voxel)?,
            y: down(at.y, self.origin.y, self.voxel)?,
            z: down(at.z, self.origin.z, self.voxel)?,
        })
    }

    /// The cell it lies in, its height rounded down to a whole step; `None` outside the world.
    pub fn cell(&self, at: Position) -> Option<Cell> {
        let column = self.point(at)?.column();
        Some(column.at(self.height(at)?.cell()))
    }

    /// The voxel it lies in; `None` outside the world.
    pub fn voxel(&self, at: Position) -> Option<Voxel> {
        let Point3 { x, y, z } = self.in_air(at)?;
        Some(Voxel::new(x.cell(), y.cell(), z.cell()))
    }

    /// The middle of a cell's floor, exactly.
    pub fn cell_center(&self, cell: Cell) -> Position {
        Position {
            x: up(2 * i64::from(cell.x) + 1, self.cell / 2, self.origin.x),
            y: up(2 * i64::from(cell.y) + 1, self.cell / 2, self.origin.y),
            z: up(cell.z.into(), self.step, self.origin.z),
        }
    }

    /// The middle of a voxel, exactly.
    pub fn voxel_center(&self, voxel: Voxel) -> Position {
        let center = |at: i32, origin| up(2 * i64::from(at) + 1, self.voxel / 2, origin);
        Position {
            x: center(voxel.x, self.origin.x),
            y: center(voxel.y, self.origin.y),
            z: center(voxel.z, self.origin.z),
        }
    }

    /// A point of the map at a height in steps, exactly.
    pub fn of_ground(&self, at: Point2, height: Fixed) -> Position {
        Position {
            x: up(at.x.raw().into(), self.cell / 256, self.origin.x),
            y: up(at.y.raw().into(), self.cell / 256, self.origin.y),
            z: up(height.raw().into(), self.step / 256, self.origin.z),
        }
    }

    /// A length in cells of the map, rounded down to 1/256; `None` if it is no length of a world.
    pub fn length_in_cells(&self, units: f64) -> Option<Fixed> {
        down(parts(units), 0, self.cell).filter(|length| length.raw() >= 0)
    }

    /// A cost of the air, where a voxel costs what a cell costs on the ground, by its length in
    /// cells; rounded down, saturates.
    pub fn cost_of_flight(&self, cost: Cost) -> Cost {
        let units = i128::from(cost.units()) * i128::from(self.voxel) / i128::from(self.cell);
        Cost::from_units(u32::try_from(units).unwrap_or(u32::MAX))
    }

    /// The columns, steps and voxels that a box in world units reaches into: each from the lowest
    /// to the highest included, but the steps, where the highest is the height of the top. `None`
    /// if the box is empty or leaves the world.
    pub(crate) fn reach_of(&self, low: Position, high: Position) -> Option<Reach> {
        if high.x <= low.x || high.y <= low.y || high.z <= low.z {
            return None;
        }
        let last = Position {
            x: high.x - 1,
            y: high.y - 1,
            z: high.z - 1,
        };
        let (first_cell, last_cell) = (self.cell(low)?, self.cell(last)?);
        Some(Reach {
            columns: (first_cell.column(), last_cell.column()),
            steps: (first_cell.z, last_cell.z.checked_add(1)?),
            voxels: (self.voxel(low)?, self.voxel(last)?),
        })
    }
}

/// What a box in world units reaches into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reach {
    pub(crate) columns: (Column, Column),
    /// The height of its foot and of its top.
    pub(crate) steps: (i32, i32),
    pub(crate) voxels: (Voxel, Voxel),
}

/// So many units in 1/65,536, to the nearest; the end of the numbers for what is none.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "a float to integer cast saturates, which is what is promised"
)]
fn parts(units: f64) -> i64 {
    if units.is_nan() {
        return i64::MAX;
    }
    (units * Position::PARTS as f64).round() as i64
}

/// `at` in 1/256 of `length` from `origin`, rounded down.
fn down(at: i64, origin: i64, length: i64) -> Option<Fixed> {
    let raw = (i128::from(at) - i128::from(origin)) * 256;
    let raw = raw.div_euclid(i128::from(length));
    i32::try_from(raw).ok().map(Fixed::from_raw)
}

/// `number` lengths from `origin`; saturates.
fn up(number: i64, length: i64, origin: i64) -> i64 {
    number.saturating_mul(length).saturating_add(origin)
}

#[cfg(test)]
mod tests;
