//! Recording of connectivity before it changes, as input for split and merged pairs.

use wayfarer_base::SectorId;

use crate::ground::Ground;
use crate::ground::bitboard::Bitboard;
use crate::ground::scratch::{OldRegion, Scratch};

impl Ground {
    /// Records the regions of a sector before they are found anew.
    pub(super) fn record_old_regions(&self, sector: SectorId, scratch: &mut Scratch) {
        let dirty = scratch.batch.index.find(sector.x, sector.y);
        let dirty = dirty.map(|index| &scratch.batch.dirty[index as usize]);
        // Sectors that were not uniform have their cells recorded one by one.
        if dirty.is_none_or(|dirty| dirty.was_uniform) {
            let before = dirty.filter(|dirty| dirty.structural);
            let before = before.map(|dirty| (dirty.walkable_before, dirty.height_before));
            self.record_regions_of(sector, before, &mut scratch.old.regions);
        }
    }

    /// Records the regions at the far ends of nav links that may have gained or lost their near
    /// end.
    pub(super) fn record_link_ends(&self, scratch: &mut Scratch) {
        for dirty in scratch.batch.dirty.iter().filter(|dirty| dirty.structural) {
            let Some(features) = self.features.sector(dirty.sector) else {
                continue;
            };
            for nav_link in &features.nav_links {
                for end in [nav_link.from, nav_link.to] {
                    let sector = SectorId::from_column(end.column());
                    // Structural sectors were recorded when they became dirty.
                    let dirty = scratch.batch.index.find(sector.x, sector.y);
                    if dirty.is_none_or(|index| !scratch.batch.dirty[index as usize].structural) {
                        self.record_regions_of(sector, None, &mut scratch.old.regions);
                    }
                }
            }
        }
    }

    /// Records the regions of a sector with their labels; the cells of a single region were
    /// `before`.
    pub(super) fn record_regions_of(
        &self,
        sector: SectorId,
        before: Option<(Bitboard, i32)>,
        recorded: &mut Vec<OldRegion>,
    ) {
        // Cells that were at one height may lie at others, or on other ranks, now.
        let has_moved = before.is_some_and(|(_, base)| {
            let now = self.sheets_at(sector).next();
            !self.is_uniform(sector) || now.is_some_and(|(_, sheet)| sheet.base != base)
        });
        for (page, sheet) in self.sheets_at(sector) {
            for (ordinal, region) in (0_u8..).zip(sheet.regions()) {
                let board = match &sheet.region_table {
                    Some(table) => table.boards[usize::from(ordinal)],
                    None => before.map_or_else(|| sheet.walkable.board(), |(board, _)| board),
                };
                recorded.push(OldRegion {
                    page,
                    position: sheet.position,
                    label: region.label,
                    board,
                    // Of others it is unknown: their portals may be repaired already.
                    is_isolated: before.is_some() && region.n_portals == 0,
                    height_before: before.filter(|_| has_moved).map(|(_, base)| base),
                });
            }
        }
    }
}
