//! Integer grid coordinates of the ground: column, cell, direction, sector, rectangle.
//!
//! x grows east, y grows south as the rows of a map do, z grows up; all may be negative. Columns
//! are counted in cells, heights in steps, sectors in blocks of 16 x 16 columns. Nothing allocates.

use std::fmt;

/// A grid square seen from above. It holds any number of floors at different heights.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Column {
    /// East of the origin, in cells.
    pub x: i32,
    /// South of the origin, in cells.
    pub y: i32,
}

impl Column {
    /// The column at (`x`, `y`).
    #[inline]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The cell of this column whose floor lies at height `z`.
    #[inline]
    pub const fn at(self, z: i32) -> Cell {
        Cell::new(self.x, self.y, z)
    }

    /// The adjacent column in `direction`; `None` beyond the `i32` range.
    #[inline]
    pub const fn step(self, direction: Direction) -> Option<Self> {
        let (dx, dy) = direction.offset();
        match (self.x.checked_add(dx), self.y.checked_add(dy)) {
            (Some(x), Some(y)) => Some(Self { x, y }),
            _ => None,
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// A floor position: a column and the height of one floor in it.
///
/// ```
/// use wayfarer_base::{Cell, SectorId};
///
/// let cell = Cell::new(-1, 40, 3);
/// assert_eq!(cell.to_string(), "(-1, 40, 3)");
/// assert_eq!(SectorId::from_column(cell.column()), SectorId::new(-1, 2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cell {
    /// East of the origin, in cells.
    pub x: i32,
    /// South of the origin, in cells.
    pub y: i32,
    /// Height of the floor, in steps.
    pub z: i32,
}

impl Cell {
    /// The cell at (`x`, `y`) whose floor lies at height `z`.
    #[inline]
    pub const fn new(x: i32, y: i32, z: i32) -> Self {
        Self { x, y, z }
    }

    /// The cell at (`x`, `y`) with height 0, as on flat maps.
    #[inline]
    pub const fn flat(x: i32, y: i32) -> Self {
        Self { x, y, z: 0 }
    }

    /// The column that contains the cell.
    #[inline]
    pub const fn column(self) -> Column {
        Column {
            x: self.x,
            y: self.y,
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}, {})", self.x, self.y, self.z)
    }
}

/// One of the eight grid directions, clockwise from north.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// y - 1.
    North,
    /// x + 1, y - 1.
    NorthEast,
    /// x + 1.
    East,
    /// x + 1, y + 1.
    SouthEast,
    /// y + 1.
    South,
    /// x - 1, y + 1.
    SouthWest,
    /// x - 1.
    West,
    /// x - 1, y - 1.
    NorthWest,
}

impl Direction {
    /// All eight, clockwise from north.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::NorthEast,
        Self::East,
        Self::SouthEast,
        Self::South,
        Self::SouthWest,
        Self::West,
        Self::NorthWest,
    ];

    /// The four cardinal directions, clockwise from north.
    pub const STRAIGHT: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The direction at `index` modulo 8 in [`Direction::ALL`].
    #[inline]
    pub const fn from_index(index: u8) -> Self {
        Self::ALL[(index & 7) as usize]
    }

    /// Index in [`Direction::ALL`], 0 to 7.
    #[inline]
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// The direction of a step of -1, 0 or 1 along each axis; `None` for (0, 0) and longer steps.
    ///
    /// ```
    /// use wayfarer_base::Direction;
    ///
    /// assert_eq!(Direction::from_offset((1, -1)), Some(Direction::NorthEast));
    /// assert_eq!(Direction::from_offset((0, 0)), None);
    /// ```
    #[inline]
    pub const fn from_offset(step: (i32, i32)) -> Option<Self> {
        Some(match step {
            (0, -1) => Self::North,
            (1, -1) => Self::NorthEast,
            (1, 0) => Self::East,
            (1, 1) => Self::SouthEast,
            (0, 1) => Self::South,
            (-1, 1) => Self::SouthWest,
            (-1, 0) => Self::West,
            (-1, -1) => Self::NorthWest,
            _ => return None,
        })
    }

    /// Change of (x, y) by one step.
    #[inline]
    pub const fn offset(self) -> (i32, i32) {
        const OFFSETS: [(i32, i32); 8] = [
            (0, -1),
            (1, -1),
            (1, 0),
            (1, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (-1, -1),
        ];
        OFFSETS[self as usize]
    }

    /// True for the four diagonal directions.
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        self.index() & 1 == 1
    }

    /// The reverse direction.
    #[inline]
    pub const fn opposite(self) -> Self {
        Self::from_index(self.index() + 4)
    }

    /// This direction rotated clockwise by `eighths` of a full turn.
    #[inline]
    pub const fn turned(self, eighths: u8) -> Self {
        Self::from_index(self.index().wrapping_add(eighths))
    }
}

/// A block of 16 x 16 columns: the unit of storage and repair of the ground.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SectorId {
    /// East of the origin, in sectors.
    pub x: i32,
    /// South of the origin, in sectors.
    pub y: i32,
}

impl SectorId {
    /// Columns along one side of a sector.
    pub const SIDE: i32 = 16;
    /// Base-2 logarithm of [`SectorId::SIDE`].
    pub const SHIFT: u32 = 4;

    /// The sector at (`x`, `y`), in sectors.
    #[inline]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The sector that contains `column`.
    #[inline]
    pub const fn from_column(column: Column) -> Self {
        Self {
            x: column.x >> Self::SHIFT,
            y: column.y >> Self::SHIFT,
        }
    }

    /// The north-west column. The sector must lie within the `i32` range of columns.
    #[inline]
    pub const fn origin(self) -> Column {
        Column {
            x: self.x << Self::SHIFT,
            y: self.y << Self::SHIFT,
        }
    }

    /// The columns of the sector.
    pub const fn rect(self) -> Rect {
        let low = self.origin();
        Rect {
            low,
            high: Column {
                x: low.x + (Self::SIDE - 1),
                y: low.y + (Self::SIDE - 1),
            },
        }
    }
}

impl fmt::Display for SectorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sector ({}, {})", self.x, self.y)
    }
}

/// A rectangle of columns, both corners included; empty if `high` is less than `low` on an axis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rect {
    /// The north-west column.
    pub low: Column,
    /// The south-east column.
    pub high: Column,
}

impl Rect {
    /// The rectangle without columns; the identity of [`Rect::including`].
    pub const EMPTY: Self = Self {
        low: Column::new(i32::MAX, i32::MAX),
        high: Column::new(i32::MIN, i32::MIN),
    };

    /// The `width` x `height` columns from (0, 0); saturates at `i32::MAX`.
    pub fn from_size(width: u32, height: u32) -> Self {
        let last = |n: u32| i32::try_from(n).map_or(i32::MAX, |n| n - 1);
        Self {
            low: Column::new(0, 0),
            high: Column::new(last(width), last(height)),
        }
    }

    /// The bounding rectangle of two columns.
    pub fn around(a: Column, b: Column) -> Self {
        Self {
            low: Column::new(a.x.min(b.x), a.y.min(b.y)),
            high: Column::new(a.x.max(b.x), a.y.max(b.y)),
        }
    }

    /// True if the rectangle contains no column.
    pub const fn is_empty(self) -> bool {
        self.low.x > self.high.x || self.low.y > self.high.y
    }

    /// True if the rectangle contains `column`.
    #[inline]
    pub const fn contains(self, column: Column) -> bool {
        self.low.x <= column.x
            && column.x <= self.high.x
            && self.low.y <= column.y
            && column.y <= self.high.y
    }

    /// The bounding rectangle of this one and `column`.
    pub fn including(self, column: Column) -> Self {
        Self {
            low: Column::new(self.low.x.min(column.x), self.low.y.min(column.y)),
            high: Column::new(self.high.x.max(column.x), self.high.y.max(column.y)),
        }
    }

    /// The columns of both rectangles.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self {
            low: Column::new(self.low.x.max(other.low.x), self.low.y.max(other.low.y)),
            high: Column::new(self.high.x.min(other.high.x), self.high.y.min(other.high.y)),
        }
    }

    /// Columns from west to east, 0 if empty; saturates at `u32::MAX`.
    pub const fn width(self) -> u32 {
        if self.is_empty() {
            0
        } else {
            self.high.x.abs_diff(self.low.x).saturating_add(1)
        }
    }

    /// Columns from north to south, 0 if empty; saturates at `u32::MAX`.
    pub const fn height(self) -> u32 {
        if self.is_empty() {
            0
        } else {
            self.high.y.abs_diff(self.low.y).saturating_add(1)
        }
    }

    /// Every column in row-major order.
    pub fn columns(self) -> impl Iterator<Item = Column> {
        (self.low.y..=self.high.y)
            .flat_map(move |y| (self.low.x..=self.high.x).map(move |x| Column::new(x, y)))
    }
}

#[cfg(test)]
mod tests;
