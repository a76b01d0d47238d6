//! Rectangles of columns around a sector: what a repair looks at.

use super::bitboard::Bitboard;

/// Columns from `low` to `high`, both included, relative to the first column of a sector; none outside the
/// eight sectors around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub(crate) low: (i32, i32),
    pub(crate) high: (i32, i32),
}

impl Window {
    /// A whole sector.
    pub(crate) const SECTOR: Self = Self {
        low: (0, 0),
        high: (15, 15),
    };

    /// The least window around the cells of a board; `None` if it is empty.
    pub(crate) fn around(board: &Bitboard) -> Option<Self> {
        let columns = board.iter().fold(0, |all, row| all | row);
        let top = board.iter().position(|row| *row != 0)?;
        let bottom = board.iter().rposition(|row| *row != 0)?;
        let row = |at: usize| i32::try_from(at).unwrap_or(0);
        Some(Self {
            low: (columns.trailing_zeros().cast_signed(), row(top)),
            high: (columns.ilog2().cast_signed(), row(bottom)),
        })
    }

    /// With `by` columns more on every side.
    pub(crate) fn grown(self, by: i32) -> Self {
        let Self { low, high } = self;
        Self {
            low: ((low.0 - by).max(-16), (low.1 - by).max(-16)),
            high: ((high.0 + by).min(31), (high.1 + by).min(31)),
        }
    }

    /// What a window of the sector at an offset covers of this one.
    pub(crate) fn seen_from(self, (dx, dy): (i32, i32)) -> Option<Self> {
        let clamp = |at: i32| at.clamp(0, 15);
        let (x, y) = (16 * dx, 16 * dy);
        let (low, high) = (
            (self.low.0 + x, self.low.1 + y),
            (self.high.0 + x, self.high.1 + y),
        );
        let is_outside = high.0 < 0 || high.1 < 0 || low.0 > 15 || low.1 > 15;
        (!is_outside).then(|| Self {
            low: (clamp(low.0), clamp(low.1)),
            high: (clamp(high.0), clamp(high.1)),
        })
    }

    /// The least window around both.
    pub(crate) fn with(self, other: Option<Self>) -> Self {
        let Some(other) = other else {
            return self;
        };
        Self {
            low: (self.low.0.min(other.low.0), self.low.1.min(other.low.1)),
            high: (self.high.0.max(other.high.0), self.high.1.max(other.high.1)),
        }
    }

    /// True if it contains a cell of the sector.
    pub(crate) fn has(self, local: u8) -> bool {
        let (x, y) = (i32::from(local & 15), i32::from(local >> 4));
        (self.low.0..=self.high.0).contains(&x) && (self.low.1..=self.high.1).contains(&y)
    }

    /// Its columns, row by row.
    pub(crate) fn columns(self) -> impl Iterator<Item = (i32, i32)> {
        let (xs, ys) = (self.low.0..=self.high.0, self.low.1..=self.high.1);
        ys.flat_map(move |y| xs.clone().map(move |x| (x, y)))
    }

    /// Its cells in the sector, row by row.
    pub(crate) fn cells(self) -> impl Iterator<Item = u8> {
        let inside = self.columns();
        let inside = inside.filter(|(x, y)| (0..16).contains(x) && (0..16).contains(y));
        inside.map(|(x, y)| (y << 4 | x).to_le_bytes()[0])
    }
}
