//! Changed floors in blocks: one entry for all floors of a sector that have the same height and
//! changed alike. An edit of an area is as small in a change set as it is on the map.

use wayfarer_base::edit::cells_of;
use wayfarer_base::{Cell, FloorBlock, SectorId, Terrain};

use super::bitboard;
use super::page::local_of;

/// Floors of one height in one sector that changed alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FloorChange {
    /// The sector.
    pub sector: SectorId,
    /// Height of the floors, in steps.
    pub z: i32,
    /// Their terrain before, if they existed.
    pub before: Option<Terrain>,
    /// Their terrain now, if they exist.
    pub after: Option<Terrain>,
    /// Their columns: bit x of row y, from the sector's first column.
    pub columns: [u16; 16],
}

impl FloorChange {
    /// The cells of the floors, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        cells_of(self.sector, self.z, self.columns)
    }

    /// The change that undoes this one.
    pub(super) const fn inverse(&self) -> Self {
        Self {
            before: self.after,
            after: self.before,
            ..*self
        }
    }

    /// The block that an edit sets.
    pub(super) const fn to_block(self) -> FloorBlock {
        FloorBlock {
            sector: self.sector,
            z: self.z,
            columns: self.columns,
            terrain: self.after,
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        (self.sector, self.z) == (other.sector, other.z)
            && (self.before, self.after) == (other.before, other.after)
    }
}

/// Collects changed floors into blocks.
#[derive(Debug, Default)]
pub(super) struct FloorChanges {
    /// Blocks of the present sector are the last ones, from `first_open` on.
    blocks: Vec<FloorChange>,
    first_open: usize,
    /// Blocks after the last merge.
    n_merged: usize,
}

/// Blocks that are merged no earlier.
const MIN_MERGED: usize = 4_096;

impl FloorChanges {
    /// Adds a floor; cheap if its sector is that of the floor before.
    pub(super) fn add(&mut self, cell: Cell, before: Option<Terrain>, after: Option<Terrain>) {
        let mut one = FloorChange {
            sector: SectorId::from_column(cell.column()),
            z: cell.z,
            before,
            after,
            columns: bitboard::EMPTY,
        };
        bitboard::put(&mut one.columns, local_of(cell.column()), true);
        if self
            .blocks
            .last()
            .is_some_and(|last| last.sector != one.sector)
        {
            if self.blocks.len() > 2 * self.n_merged.max(MIN_MERGED) {
                self.merge();
            }
            self.first_open = self.blocks.len();
        }
        let mut open = self.blocks[self.first_open..].iter_mut().rev();
        match open.find(|block| block.is_like(&one)) {
            Some(block) => merge(block, &one),
            None => self.blocks.push(one),
        }
    }

    /// The blocks, sorted, each kind of a sector once.
    pub(super) fn finish(mut self) -> Vec<FloorChange> {
        self.merge();
        self.blocks.shrink_to_fit();
        self.blocks
    }

    /// Merges the blocks that an edit row by row leaves of each sector.
    fn merge(&mut self) {
        self.blocks.sort_unstable();
        self.blocks.dedup_by(|later, first| {
            let same = first.is_like(later);
            if same {
                merge(first, later);
            }
            same
        });
        self.n_merged = self.blocks.len();
    }
}

fn merge(into: &mut FloorChange, other: &FloorChange) {
    for (row, more) in into.columns.iter_mut().zip(other.columns) {
        *row |= more;
    }
}
