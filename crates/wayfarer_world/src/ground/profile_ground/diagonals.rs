//! Masks of diagonal steps, for wide bodies: a disc may pass a corner that its cells beside the
//! step do not fit at.

use wayfarer_base::Direction;

use crate::ground::bitboard::{PaddedBitboard, PaddedLanes};

/// The diagonal steps of a sheet and one cell outside, by rows and by columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiagonalMasks {
    /// Cells with a step south-east.
    pub(super) south_east: PaddedBitboard,
    /// Cells with a step south-west.
    pub(super) south_west: PaddedBitboard,
    /// The same with x and y exchanged.
    south_east_columns: PaddedBitboard,
    south_west_columns: PaddedBitboard,
}

impl DiagonalMasks {
    pub(super) fn new(south_east: PaddedBitboard, south_west: PaddedBitboard) -> Self {
        Self {
            south_east_columns: south_east.transposed(),
            south_west_columns: south_west.transposed(),
            south_east,
            south_west,
        }
    }

    /// The steps between columns x - 1 and x, for x 0 or 16: those south-east begin in the first,
    /// those south-west in the second. Bit y is row y, 0 to 15.
    pub(super) fn columns_at(&self, x: usize) -> [u16; 2] {
        let (east, west) = (&self.south_east_columns, &self.south_west_columns);
        [east.rows()[x], west.rows()[x + 1]]
    }

    /// True if a diagonal step leads from cell (x, y), 0 to 15 each, in a direction.
    #[inline]
    pub fn has_step(&self, (x, y): (i32, i32), direction: Direction) -> bool {
        match direction {
            Direction::NorthEast => self.south_west.get(x + 1, y - 1),
            Direction::SouthEast => self.south_east.get(x, y),
            Direction::SouthWest => self.south_west.get(x, y),
            _ => self.south_east.get(x - 1, y - 1),
        }
    }

    /// The diagonal steps forward from the cells of a row or column, for a scan in a straight
    /// direction: to the lower side and to the higher one. For each side bit n of the first word
    /// is cell n, and bit n of the second the cell behind cell n.
    #[inline]
    pub fn lanes(&self, direction: Direction, across: i32) -> [[u32; 2]; 2] {
        // Bit n + 1 of a whole row is cell n.
        match direction {
            Direction::East => {
                let low = self.south_west.whole_row(across - 1);
                let high = self.south_east.whole_row(across);
                [[low >> 2, low >> 1], [high >> 1, high]]
            }
            Direction::West => {
                let low = self.south_east.whole_row(across - 1);
                let high = self.south_west.whole_row(across);
                [[low, low >> 1], [high >> 1, high >> 2]]
            }
            Direction::South => {
                let low = self.south_west_columns.whole_row(across);
                let high = self.south_east_columns.whole_row(across);
                [[low >> 1, low], [high >> 1, high]]
            }
            _ => {
                let low = self.south_east_columns.whole_row(across - 1);
                let high = self.south_west_columns.whole_row(across + 1);
                [[low, low >> 1], [high, high >> 1]]
            }
        }
    }

    /// The rows of the masks from which the diagonal steps of rows 0 to 15 in a direction follow: those
    /// of a cell are where the mask has the cell after it for north-east, before it for north-west, the
    /// cell itself else.
    #[inline]
    pub fn step_rows(&self, direction: Direction) -> PaddedLanes<'_> {
        match direction {
            Direction::NorthEast => self.south_west.lanes(0),
            Direction::SouthEast => self.south_east.lanes(1),
            Direction::SouthWest => self.south_west.lanes(1),
            _ => self.south_east.lanes(0),
        }
    }

    /// The masks beside all rows or columns for scans in a straight direction, on the lower side and on
    /// the higher one: as [`Self::lanes`], for sixteen at once.
    #[inline]
    pub fn side_lanes(&self, direction: Direction) -> [PaddedLanes<'_>; 2] {
        match direction {
            Direction::East => [self.south_west.lanes(0), self.south_east.lanes(1)],
            Direction::West => [self.south_east.lanes(0), self.south_west.lanes(1)],
            Direction::South => {
                let (low, high) = (&self.south_west_columns, &self.south_east_columns);
                [low.lanes(1), high.lanes(1)]
            }
            _ => {
                let (low, high) = (&self.south_east_columns, &self.south_west_columns);
                [low.lanes(0), high.lanes(2)]
            }
        }
    }
}
