//! Fixed-point positions in 1/256 of a cell, and the AABB of the plane.
//!
//! The north-west corner of cell (0, 0) is the origin, its center is (128, 128) raw. Coordinates
//! range over ±8.3 million cells; constructors return `None` outside that range.

use std::fmt;

use crate::Column;

/// A fixed-point coordinate in 1/256 of a cell, from -8,388,608 to 8,388,607.996 cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Fixed(i32);

impl Fixed {
    /// Raw units per cell.
    pub const UNITS_PER_CELL: i32 = 256;
    /// The largest coordinate.
    pub const MAX: Self = Self(i32::MAX);

    /// The coordinate of `raw` units of 1/256 cell.
    #[inline]
    pub const fn from_raw(raw: i32) -> Self {
        Self(raw)
    }

    /// The coordinate in units of 1/256 cell.
    #[inline]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// The low edge of cell `cell`; `None` out of range.
    #[inline]
    pub const fn from_cell(cell: i32) -> Option<Self> {
        match cell.checked_mul(Self::UNITS_PER_CELL) {
            Some(raw) => Some(Self(raw)),
            None => None,
        }
    }

    /// The coordinate nearest to `cells`; `None` out of range or for NaN.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "compared with the limits just before"
    )]
    pub fn from_cells(cells: f64) -> Option<Self> {
        let raw = (cells * f64::from(Self::UNITS_PER_CELL)).round();
        (raw >= f64::from(i32::MIN) && raw <= f64::from(i32::MAX)).then_some(Self(raw as i32))
    }

    /// The coordinate in cells, exact.
    pub fn to_cells(self) -> f64 {
        f64::from(self.0) / f64::from(Self::UNITS_PER_CELL)
    }

    /// The cell that contains the coordinate (rounds towards negative infinity).
    #[inline]
    pub const fn cell(self) -> i32 {
        self.0 >> 8
    }
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}", self.to_cells())
    }
}

/// A position on the plane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Point2 {
    /// East of the origin.
    pub x: Fixed,
    /// South of the origin.
    pub y: Fixed,
}

impl Point2 {
    /// The position (`x`, `y`).
    #[inline]
    pub const fn new(x: Fixed, y: Fixed) -> Self {
        Self { x, y }
    }

    /// The position (`x`, `y`) in 1/256 of a cell.
    #[inline]
    pub const fn from_raw(x: i32, y: i32) -> Self {
        Self::new(Fixed::from_raw(x), Fixed::from_raw(y))
    }

    /// The center of `column`; `None` out of range.
    pub const fn center_of(column: Column) -> Option<Self> {
        match (Fixed::from_cell(column.x), Fixed::from_cell(column.y)) {
            (Some(x), Some(y)) => Some(Self::new(Fixed(x.0 + 128), Fixed(y.0 + 128))),
            _ => None,
        }
    }

    /// The column that contains the position.
    #[inline]
    pub const fn column(self) -> Column {
        Column::new(self.x.cell(), self.y.cell())
    }
}

impl fmt::Display for Point2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// A position in space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Point3 {
    /// East of the origin.
    pub x: Fixed,
    /// South of the origin.
    pub y: Fixed,
    /// Above the origin.
    pub z: Fixed,
}

/// An axis-aligned rectangle, half-open: low edges included, high edges excluded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Aabb2 {
    /// North-west corner.
    pub low: Point2,
    /// South-east corner.
    pub high: Point2,
}

impl Aabb2 {
    /// True if the rectangle contains `point`.
    #[inline]
    pub fn contains(&self, point: Point2) -> bool {
        self.low.x <= point.x
            && point.x < self.high.x
            && self.low.y <= point.y
            && point.y < self.high.y
    }
}

#[cfg(test)]
mod tests;
