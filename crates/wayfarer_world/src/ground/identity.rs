//! Comparing grounds: their identity, and whether one is level around a column.

use wayfarer_base::{Column, SectorId};

use super::Ground;
use super::sheet;

impl Ground {
    /// With the revision it identifies the state, node ids and profile ids included: clones that
    /// went through the same batches and registrations are interchangeable. It differs from run to
    /// run; results must not depend on it.
    #[inline]
    pub fn identity(&self) -> u64 {
        self.identity.number()
    }

    /// True if all walkable cells in the sector of `column` and the eight around it lie at height `z` in
    /// uniform sheets; see [`SheetBits::is_uniform`](super::SheetBits::is_uniform).
    pub fn is_level_around(&self, column: Column, z: i32) -> bool {
        let center = SectorId::from_column(column);
        (-1..=1).all(|dy| {
            (-1..=1).all(|dx| {
                let sector =
                    SectorId::new(center.x.saturating_add(dx), center.y.saturating_add(dy));
                let mut sheets = self.sheets_at(sector);
                sheets.all(|(_, sheet)| {
                    sheet.n_regions == 0
                        || sheet.flags & (sheet::MOVES | sheet::WEIGHTED) == 0
                            && sheet.base == z
                            && sheet.is_flat()
                })
            })
        })
    }
}
