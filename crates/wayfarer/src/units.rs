//! World units: scale, axes, headings, and the border where numbers enter.
//!
//! Every length, height and position of the facade is in world units; the engine computes in cells,
//! steps and voxels. [`Frame`] converts, once per number, with integers alone, so that results are
//! equal on every platform. A number that is not finite or out of range is a [`BadNumber`] that
//! names its parameter.

mod angle;
mod heading;

use thiserror::Error;
use wayfarer_engine as engine;
use wayfarer_engine::base::{Cell, Cost, CostMultiplier, Fixed, Location, Point2, Point3};

pub(crate) use angle::cosine;
pub use engine::Position;
pub use heading::Heading;

/// Which coordinate of a [`Position`] points up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Axes {
    /// z is up; rows of a map grow along y.
    #[default]
    ZUp,
    /// y is up, as in Bevy, Godot and glTF; rows of a map grow along z.
    YUp,
}

/// The sizes of cells, height steps and voxels in world units, the axes and the origin.
///
/// ```
/// use wayfarer::{Axes, Scale};
///
/// // Half a meter per cell, stairs of 10 cm, y up.
/// let scale = Scale { step: 0.1, axes: Axes::YUp, ..Scale::meters(0.5) };
/// assert_eq!(scale.voxel, 0.5);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Scale {
    /// Side of a cell, 1/256 to 65,536 units; any number, 0.3 too.
    pub cell: f64,
    /// Height of a step, the unit of floor heights, 1/256 to 65,536 units.
    pub step: f64,
    /// Side of a voxel of the air, 1/256 to 65,536 units.
    pub voxel: f64,
    /// Which coordinate points up.
    pub axes: Axes,
    /// The position of the low corner of cell (0, 0) at height 0.
    pub origin: Position,
}

impl Scale {
    /// A cell, a step and a voxel are one unit each.
    pub const UNIT: Self = Self::meters(1.0);

    /// Cells, steps and voxels of the same size, z up, origin 0.
    pub const fn meters(size: f64) -> Self {
        Self {
            cell: size,
            step: size,
            voxel: size,
            axes: Axes::ZUp,
            origin: Position { x: 0, y: 0, z: 0 },
        }
    }

    pub(crate) fn frame(&self) -> Result<Frame, BadNumber> {
        let lengths = engine::Scale::new(self.cell, self.step, self.voxel);
        let lengths = lengths.map_err(|error| match error {
            engine::ScaleError::BadLength { what, found } => BadNumber {
                what: match what {
                    "cell" => "the side of a cell",
                    "step" => "the height of a step",
                    _ => "the side of a voxel",
                },
                found,
                expected: "1/256 to 65,536 units",
            },
            _ => BadNumber {
                what: "the scale",
                found: self.cell,
                expected: "1/256 to 65,536 units",
            },
        })?;
        let frame = Frame {
            scale: lengths,
            axes: self.axes,
        };
        let origin = frame.to_engine(self.origin);
        let scale = lengths.at(origin);
        if !self.origin.is_finite() || scale.origin() != origin {
            return Err(BadNumber {
                what: "the origin",
                found: self.origin.units()[0],
                expected: "coordinates within 7e13 units of 0",
            });
        }
        Ok(Frame { scale, ..frame })
    }
}

impl Default for Scale {
    /// [`Scale::UNIT`].
    fn default() -> Self {
        Self::UNIT
    }
}

/// A number that is not finite or out of range.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[error("{what} is {found}, expected {expected}")]
pub struct BadNumber {
    /// The parameter.
    pub what: &'static str,
    /// Its value.
    pub found: f64,
    /// The valid range, with its unit.
    pub expected: &'static str,
}

/// The conversion between world units and the engine's cells, steps and voxels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    pub(crate) scale: engine::Scale,
    pub(crate) axes: Axes,
}

impl Frame {
    /// A position with z up.
    pub(crate) const fn to_engine(self, at: Position) -> Position {
        self.swapped(at)
    }

    /// A position with the axes of the user.
    pub(crate) const fn to_user(self, at: Position) -> Position {
        self.swapped(at)
    }

    const fn swapped(self, at: Position) -> Position {
        match self.axes {
            Axes::ZUp => at,
            Axes::YUp => Position {
                x: at.x,
                y: at.z,
                z: at.y,
            },
        }
    }

    /// The scale as the user gave it, rounded as the engine keeps it.
    pub(crate) fn user_scale(self) -> Scale {
        let [cell, step, voxel] = self.scale.exact_lengths().map(exact_units);
        Scale {
            cell,
            step,
            voxel,
            axes: self.axes,
            origin: self.to_user(self.scale.origin()),
        }
    }

    /// The plane point of a position; `None` outside the world.
    #[inline]
    pub(crate) fn point(self, at: Position) -> Option<Point2> {
        at.is_finite()
            .then(|| self.scale.point(self.to_engine(at)))?
    }

    /// The cell of a position; `None` outside the world.
    pub(crate) fn cell(self, at: Position) -> Option<Cell> {
        at.is_finite()
            .then(|| self.scale.cell(self.to_engine(at)))?
    }

    /// A horizontal length in 1/256 of a cell, rounded down or up.
    pub(crate) fn length(
        self,
        what: &'static str,
        units: f64,
        rounding: Rounding,
    ) -> Result<Fixed, BadNumber> {
        let cell = exact_units(self.scale.exact_lengths()[0]);
        let raw = rounding.apply(units / cell * 256.0);
        let is_valid = units.is_finite() && units >= 0.0 && raw <= f64::from(i32::MAX);
        if !is_valid {
            return Err(BadNumber {
                what,
                found: units,
                expected: "a length from 0 to 8 million cells",
            });
        }
        Ok(Fixed::from_raw(truncated(raw)))
    }

    /// A vertical length in steps, rounded down or up.
    pub(crate) fn steps(
        self,
        what: &'static str,
        units: f64,
        rounding: Rounding,
    ) -> Result<i32, BadNumber> {
        let step = exact_units(self.scale.exact_lengths()[1]);
        let raw = rounding.apply(units / step);
        let is_valid = units.is_finite() && units >= 0.0 && raw <= f64::from(i32::MAX);
        if !is_valid {
            return Err(BadNumber {
                what,
                found: units,
                expected: "a height from 0 to 2 billion steps",
            });
        }
        Ok(truncated(raw))
    }

    /// The steps between two heights on the vertical axis, both included.
    pub(crate) fn height_range(self, low: f64, high: f64) -> Result<(i32, i32), BadNumber> {
        let step = exact_units(self.scale.exact_lengths()[1]);
        let origin = self.scale.origin().units()[2];
        let to_steps = |what, units: f64, rounding: Rounding| {
            let raw = rounding.apply((units - origin) / step);
            if !units.is_finite() {
                let expected = "a height";
                return Err(BadNumber {
                    what,
                    found: units,
                    expected,
                });
            }
            Ok(truncated(
                raw.clamp(f64::from(i32::MIN), f64::from(i32::MAX)),
            ))
        };
        Ok((
            to_steps("the lowest height", low, Rounding::Up)?,
            to_steps("the highest height", high, Rounding::Down)?,
        ))
    }

    /// A vertical length in 1/256 of a step, rounded up.
    pub(crate) fn height_length(self, what: &'static str, units: f64) -> Result<Fixed, BadNumber> {
        let step = exact_units(self.scale.exact_lengths()[1]);
        let raw = Rounding::Up.apply(units / step * 256.0);
        let is_valid = units.is_finite() && units >= 0.0 && raw <= f64::from(i32::MAX);
        if !is_valid {
            let expected = "a height from 0 to 8 million steps";
            return Err(BadNumber {
                what,
                found: units,
                expected,
            });
        }
        Ok(Fixed::from_raw(truncated(raw)))
    }

    /// A coordinate on the vertical axis in 1/256 of a step above the origin, rounded down; beyond the
    /// world it saturates.
    pub(crate) fn height(self, what: &'static str, units: f64) -> Result<Fixed, BadNumber> {
        if !units.is_finite() {
            let expected = "a height";
            return Err(BadNumber {
                what,
                found: units,
                expected,
            });
        }
        let step = exact_units(self.scale.exact_lengths()[1]);
        let origin = self.scale.origin().units()[2];
        let raw = Rounding::Down.apply((units - origin) / step * 256.0);
        let raw = raw.clamp(f64::from(i32::MIN), f64::from(i32::MAX));
        Ok(Fixed::from_raw(truncated(raw)))
    }

    /// A horizontal length in units.
    pub(crate) fn units(self, length: Fixed) -> f64 {
        f64::from(length.raw()) / 256.0 * exact_units(self.scale.exact_lengths()[0])
    }

    /// A vertical length in units.
    pub(crate) fn height_units(self, length: Fixed) -> f64 {
        f64::from(length.raw()) / 256.0 * exact_units(self.scale.exact_lengths()[1])
    }

    /// The side of a cell in units.
    pub(crate) fn cell_size(self) -> f64 {
        exact_units(self.scale.exact_lengths()[0])
    }

    /// A position on the plane, in cells.
    pub(crate) fn plane(self, at: Position) -> [f64; 2] {
        let (at, origin) = (self.to_engine(at).units(), self.scale.origin().units());
        let cell = self.cell_size();
        [(at[0] - origin[0]) / cell, (at[1] - origin[1]) / cell]
    }

    /// The position of a point of the plane in cells, at a height in steps.
    #[inline]
    pub(crate) fn plane_position(self, at: [f64; 2], z: i32) -> Position {
        let [cell, step, _] = self.scale.exact_lengths().map(exact_units);
        let origin = self.scale.origin().units();
        let [x, y] = [0, 1].map(|axis| origin[axis] + at[axis] * cell);
        self.to_user(Position::new(x, y, origin[2] + f64::from(z) * step))
    }

    /// The side of a voxel in units.
    pub(crate) fn voxel_size(self) -> f64 {
        exact_units(self.scale.exact_lengths()[2])
    }

    /// A position in the air, in voxels with z up; `None` outside the world.
    pub(crate) fn air(self, at: Position) -> Option<[f64; 3]> {
        let point = self.scale.air_point(self.to_engine(at))?;
        Some([point.x, point.y, point.z].map(Fixed::to_cells))
    }

    /// The position of a point of the air, in multiples of 1/256 of a voxel.
    pub(crate) fn air_position(self, at: [f64; 3]) -> Position {
        let [x, y, z] = at.map(|at| Fixed::from_raw(truncated(at * 256.0)));
        self.to_user(self.scale.air_position(Point3 { x, y, z }))
    }

    /// A cost as a length in world units: that of base terrain costing the same.
    pub(crate) fn cost(self, cost: Cost) -> f64 {
        cost.to_cells() * exact_units(self.scale.exact_lengths()[0])
    }

    /// A length in world units as a cost, rounded down.
    pub(crate) fn cost_of_length(self, what: &'static str, units: f64) -> Result<Cost, BadNumber> {
        if !units.is_finite() || units < 0.0 {
            let expected = "a length of at least 0";
            return Err(BadNumber {
                what,
                found: units,
                expected,
            });
        }
        Ok(Cost::from_cells(
            units / exact_units(self.scale.exact_lengths()[0]),
        ))
    }

    /// The position of a location: center of a cell's floor or of a voxel, or a point of the plane.
    pub(crate) fn position_of(self, location: Location) -> Position {
        let at = match location {
            Location::Cell(cell) => self.scale.cell_center(cell),
            Location::Voxel(voxel) => self.scale.voxel_center(voxel),
            Location::Point(point) => self.scale.ground_position(point, Fixed::default()),
        };
        self.to_user(at)
    }
}

/// How a length is rounded to the engine's units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rounding {
    /// Limits: steps, drops, ranges.
    Down,
    /// Sizes of bodies.
    Up,
}

impl Rounding {
    fn apply(self, number: f64) -> f64 {
        // A length that is a multiple in decimal stays one: 0.3 / 0.1 is below 3.
        let nearest = number.round();
        if (number - nearest).abs() <= 1e-6 * nearest.abs().max(1.0) {
            return nearest;
        }
        match self {
            Self::Down => number.floor(),
            Self::Up => number.ceil(),
        }
    }
}

/// A multiplier rounded to 1/16.
pub(crate) fn multiplier(what: &'static str, value: f64) -> Result<CostMultiplier, BadNumber> {
    let sixteenths = (value * 16.0).round();
    let is_valid = sixteenths >= 16.0 && sixteenths <= f64::from(u16::MAX);
    let found = is_valid.then(|| u16::try_from(truncated(sixteenths)).ok());
    let found = found.flatten().and_then(CostMultiplier::from_sixteenths);
    found.ok_or(BadNumber {
        what,
        found: value,
        expected: "a multiplier from 1 to 4,095",
    })
}

#[expect(clippy::cast_precision_loss, reason = "lengths have 48 bits")]
fn exact_units(length: i64) -> f64 {
    length as f64 / (1_u64 << 32) as f64
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "compared with the limits just before"
)]
fn truncated(number: f64) -> i32 {
    number as i32
}

#[cfg(test)]
mod tests;
