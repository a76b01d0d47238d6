//! What was there before an edit, noted so that the change set can say what was parted or joined.

use wayfarer_base::SectorId;

use crate::ground::Ground;
use crate::ground::bitboard::Bitboard;
use crate::ground::scratch::{OldRegion, Scratch};

impl Ground {
    /// Notes the regions of a sector before they are found anew.
    pub(super) fn record_old_regions(&self, sector: SectorId, scratch: &mut Scratch) {
        let dirty = scratch.batch.index.find(sector.x, sector.y);
        let dirty = dirty.map(|index| &scratch.batch.dirty[index as usize]);
        // Cells of sectors that were not plain were noted one by one.
        if dirty.is_none_or(|dirty| dirty.was_uniform) {
            let before = dirty.filter(|dirty| dirty.structural);
            let before = before.map(|dirty| (dirty.walkable_before, dirty.height_before));
            self.record_regions_of(sector, before, &mut scratch.old.regions);
        }
    }

    /// Notes the regions at the far ends of nav links that may have gained or lost an end.
    pub(super) fn record_link_ends(&self, scratch: &mut Scratch) {
        for dirty in scratch.batch.dirty.iter().filter(|dirty| dirty.structural) {
            let Some(features) = self.features.sector(dirty.sector) else {
                continue;
            };
            for nav_link in &features.nav_links {
                for end in [nav_link.from, nav_link.to] {
                    let sector = SectorId::from_column(end.column());
                    // Where more than gates changed, they were noted before.
                    let dirty = scratch.batch.index.find(sector.x, sector.y);
                    if dirty.is_none_or(|index| !scratch.batch.dirty[index as usize].structural) {
                        self.record_regions_of(sector, None, &mut scratch.old.regions);
                    }
                }
            }
        }
    }

    /// Notes the regions of a sector as they are, with where their components are found; a lone
    /// region had the squares `before`.
    pub(super) fn record_regions_of(
        &self,
        sector: SectorId,
        before: Option<(Bitboard, i32)>,
        noted: &mut Vec<OldRegion>,
    ) {
        // Squares that were at one height may be found at others, or in other ranks, now.
        let height_before = before.is_some_and(|(_, base)| {
            let now = self.sheets_at(sector).next();
            !self.is_uniform(sector) || now.is_some_and(|(_, sheet)| sheet.base != base)
        });
        for (page, sheet) in self.sheets_at(sector) {
            for (ordinal, region) in (0_u8..).zip(sheet.regions()) {
                let board = match &sheet.region_table {
                    Some(table) => table.boards[usize::from(ordinal)],
                    None => before.map_or_else(|| sheet.walkable.board(), |(board, _)| board),
                };
                noted.push(OldRegion {
                    page,
                    position: sheet.position,
                    label: region.label,
                    board,
                    // Of others it is not known: their portals may have been found anew.
                    is_isolated: before.is_some() && region.n_portals == 0,
                    height_before: before.filter(|_| height_before).map(|(_, base)| base),
                });
            }
        }
    }
}
