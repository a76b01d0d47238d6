//! Blocks of 64 x 64 columns: what hangs together inside one, and where it goes on. The ground
//! seen from far away, for those who have far to go.
//!
//! Nothing is stored for this: components are kept block by block anyway, and every edit keeps
//! them true.

use wayfarer_base::Column;

use super::Ground;
use super::hierarchy::block_of;
use super::node::NodeId;
use super::plane;

/// A part of a block: cells of one block, and of one rank of floors, that reach each other inside
/// it. Valid until the next edit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PartId {
    block: u32,
    label: u16,
}

impl Ground {
    /// Side of a block in columns.
    pub const BLOCK_SIDE: i32 = 64;

    /// The part of its block that a cell belongs to.
    pub fn part(&self, node: NodeId) -> PartId {
        let sheet = self.page(node.page()).sheet(node.position());
        let label = sheet.map_or(0, |sheet| {
            sheet.regions()[usize::from(sheet.region_at(node.local()))].label
        });
        PartId {
            block: block_of(node.page(), node.position()),
            label,
        }
    }

    /// Where a part's block lies, in blocks: its columns begin at 64 times that.
    pub fn block_of(&self, part: PartId) -> (i32, i32) {
        let key = self.page(part.block >> 2).key;
        let (x, y) = (part.block & 1, part.block >> 1 & 1);
        (key.x * 2 + x.cast_signed(), key.y * 2 + y.cast_signed())
    }

    /// Calls `visit` with every part that steps or passages lead to from a part, or from there to
    /// it; with some of them more than once.
    pub fn for_parts_beside(&self, part: PartId, mut visit: impl FnMut(PartId)) {
        self.hierarchy
            .for_beside(self, part.block, part.label, |block, label| {
                visit(PartId { block, label });
            });
    }

    /// The cell of a part that is nearest to `column` in the sector of the part nearest to it; of
    /// equals the first, row by row. `None` if an edit has taken the part away.
    pub fn cell_in(&self, part: PartId, column: Column) -> Option<NodeId> {
        let page = part.block >> 2;
        let stored = self.pages.get(page as usize)?.as_deref()?;
        let sheets = stored.sheets.iter().filter(|sheet| {
            block_of(page, sheet.position) == part.block
                && sheet
                    .regions()
                    .iter()
                    .any(|region| region.label == part.label)
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
            .filter(|(_, region)| region.label == part.label);
        let cells = own.flat_map(|(ordinal, _)| plane::cells(&sheet.board_of(ordinal)));
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
