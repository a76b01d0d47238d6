//! Blocks of 64 x 64 columns, and wider squares of 4 x 4 of them, of 4 x 4 of those and so on: what
//! is connected inside one, and where it goes on. The ground seen from far away, for those who
//! have far to go.
//!
//! Nothing is stored for this: components are kept square by square anyway, and every edit keeps
//! them true.

use wayfarer_base::{Column, Direction};

use super::Ground;
use super::bitboard;
use super::bits::SheetBits;
use super::hierarchy::{HierarchyNode, block_of, first_position, position_in};
use super::node::NodeId;
use super::page::{NONE, PageKey};

/// A part of a square: cells that reach each other inside it; in a block, cells of one rank of
/// floors. Valid until the next edit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AbstractNodeId(HierarchyNode);

impl AbstractNodeId {
    /// How wide its square is: 0 for a block, 1 for 4 x 4 blocks, and so on.
    #[inline]
    pub const fn level(self) -> u8 {
        self.0.level
    }
}

impl Ground {
    /// Side of a block in columns.
    pub const BLOCK_SIDE: i32 = 64;

    /// The part of its block that a cell belongs to.
    pub fn abstract_node(&self, node: NodeId) -> AbstractNodeId {
        let sheet = self.page(node.page()).sheet(node.position());
        let label = sheet.map_or(0, |sheet| {
            sheet.regions()[usize::from(sheet.region_at(node.local()))].label
        });
        AbstractNodeId(HierarchyNode {
            level: 0,
            cluster: block_of(node.page(), node.position()),
            label: label.into(),
        })
    }

    /// Levels of squares: blocks, and what is made of them. Grows with the world.
    pub fn n_abstraction_levels(&self) -> u8 {
        self.hierarchy.n_node_levels()
    }

    /// The part of the next wider square that a part belongs to; `None` if nothing leads out of
    /// it, or if its squares are the widest.
    #[inline]
    pub fn abstract_parent(&self, part: AbstractNodeId) -> Option<AbstractNodeId> {
        self.hierarchy.parent(part.0).map(AbstractNodeId)
    }

    /// Where a part's square lies, in squares of its level: the columns of a block begin at 64
    /// times that.
    pub fn block_of(&self, part: AbstractNodeId) -> (i32, i32) {
        let key = self.hierarchy.key_of_node(self, part.0);
        (key.x, key.y)
    }

    /// Calls `visit` with every part of the same level that steps or nav links lead to from a part,
    /// or from there to it; with some of them more than once. Those in the squares in the north,
    /// east, south and west come first, with the direction, in an order that follows from the
    /// cells; then those elsewhere, in no particular order.
    pub fn for_each_abstract_neighbor(
        &self,
        part: AbstractNodeId,
        mut visit: impl FnMut(AbstractNodeId, Option<Direction>),
    ) {
        self.hierarchy
            .for_each_neighbor(self, part.0, |piece, side| {
                visit(AbstractNodeId(piece), side)
            });
    }

    /// The sheets of one rank of a block, row by row, with their place in it: 0 to 3 along x and y.
    /// The columns of the block begin at 64 times `block`.
    pub fn sheets_of_block(
        &self,
        block: (i32, i32),
        rank: u8,
    ) -> impl Iterator<Item = ((u32, u32), SheetBits<'_>)> {
        let key = PageKey {
            x: block.0 >> 1,
            y: block.1 >> 1,
        };
        let mut page = self.page_at(key).unwrap_or(NONE);
        for _ in 0..rank {
            if page != NONE {
                page = self.page(page).above;
            }
        }
        let corner = (block.1 & 1) << 1 | block.0 & 1;
        let first = first_position(corner.cast_unsigned());
        let indices = if page == NONE { 0..0_u8 } else { 0..16_u8 };
        indices.filter_map(move |index| {
            let sheet = self.sheet_at(page, position_in(first, index))?;
            Some(((u32::from(index & 3), u32::from(index >> 2)), sheet))
        })
    }

    /// The cell of a part that is nearest to `column` in the sector of the part nearest to it; of
    /// equals the first, row by row. `None` if an edit has taken the part away, or if its square is
    /// wider than a block.
    pub fn cell_in(&self, part: AbstractNodeId, column: Column) -> Option<NodeId> {
        let (level, block, label) = (part.0.level, part.0.cluster, part.0.label);
        if level != 0 {
            return None;
        }
        let page = block >> 2;
        let stored = self.pages.get(page as usize)?.as_deref()?;
        let sheets = stored.sheets.iter().filter(|sheet| {
            block_of(page, sheet.position) == block
                && sheet
                    .regions()
                    .iter()
                    .any(|region| u32::from(region.label) == label)
        });
        let far = |x: i64, y: i64| x * x + y * y;
        let away = |position: u8| {
            let origin = stored.key.sector(position).origin();
            let along = |from: i32, to: i32| (i64::from(from) - i64::from(to)) * 2 + 15;
            let far = far(along(origin.x, column.x), along(origin.y, column.y));
            (far, origin.y, origin.x)
        };
        let sheet = sheets.min_by_key(|sheet| away(sheet.position))?;
        let origin = stored.key.sector(sheet.position).origin();
        let own = (0..)
            .zip(sheet.regions())
            .filter(|(_, region)| u32::from(region.label) == label);
        let cells = own.flat_map(|(ordinal, _)| bitboard::cells(&sheet.board_of(ordinal)));
        let nearest = cells.min_by_key(|local| {
            let x = i64::from(origin.x) + i64::from(local & 15) - i64::from(column.x);
            let y = i64::from(origin.y) + i64::from(local >> 4) - i64::from(column.y);
            (far(x, y), *local)
        });
        Some(NodeId::new(page, sheet.position, nearest?))
    }
}

#[cfg(test)]
mod tests;
