//! Where something is between the cells: positions in 1/256 of a cell.
//!
//! The middle of cell (0, 0) is at (128, 128) raw; its north-west corner is the origin. The
//! world reaches 8.3 million cells in every direction; beyond is an error where it is read.

use std::fmt;

use crate::Column;

/// A coordinate in 1/256 of a cell, from -8,388,608 to 8,388,607.996 cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Fixed(i32);

impl Fixed {
    /// Parts of a cell.
    pub const PARTS: i32 = 256;
    /// The largest.
    pub const MAX: Self = Self(i32::MAX);

    /// From 1/256 of a cell.
    #[inline]
    pub const fn from_raw(raw: i32) -> Self {
        Self(raw)
    }

    /// In 1/256 of a cell.
    #[inline]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// The low edge of cell number `cell`, or `None` outside the world.
    #[inline]
    pub const fn from_cell(cell: i32) -> Option<Self> {
        match cell.checked_mul(Self::PARTS) {
            Some(raw) => Some(Self(raw)),
            None => None,
        }
    }

    /// The nearest coordinate to `cells`, or `None` outside the world or if it is no number.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "compared with the limits just before"
    )]
    pub fn from_cells(cells: f64) -> Option<Self> {
        let raw = (cells * f64::from(Self::PARTS)).round();
        (raw >= f64::from(i32::MIN) && raw <= f64::from(i32::MAX)).then_some(Self(raw as i32))
    }

    /// In cells.
    pub fn to_cells(self) -> f64 {
        f64::from(self.0) / f64::from(Self::PARTS)
    }

    /// The number of the cell it lies in.
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

/// A position on the map.
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

    /// The middle of `column`, or `None` outside the world.
    pub const fn center_of(column: Column) -> Option<Self> {
        match (Fixed::from_cell(column.x), Fixed::from_cell(column.y)) {
            (Some(x), Some(y)) => Some(Self::new(Fixed(x.0 + 128), Fixed(y.0 + 128))),
            _ => None,
        }
    }

    /// The column it lies in.
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

/// A rectangle between positions, low edges included, high edges not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Aabb2 {
    /// North-west corner.
    pub low: Point2,
    /// South-east corner.
    pub high: Point2,
}

impl Aabb2 {
    /// True if `point` lies inside.
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
