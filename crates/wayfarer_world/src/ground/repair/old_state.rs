//! Recording of connectivity before it changes, as input for split and merged pairs.

use wayfarer_base::SectorId;

use crate::ground::Ground;
use crate::ground::profile_ground::SectorLevels;
use crate::ground::scratch::{BatchScratch, OldRegion, Scratch};

impl Ground {
    /// Records the regions of a sector before it changes.
    pub(in crate::ground) fn record_old_regions(
        &self,
        sector: SectorId,
        levels: &SectorLevels,
        recorded: &mut Vec<OldRegion>,
    ) {
        for (rank, (page, sheet)) in self.sheets_at(sector).enumerate() {
            let has_links = sheet.details.as_deref().is_some_and(|details| {
                !(details.wide.is_empty() && details.region_links.is_empty())
            });
            for (ordinal, region) in (0_u8..).zip(sheet.regions()) {
                recorded.push(OldRegion {
                    page,
                    position: sheet.position,
                    label: region.label,
                    board: sheet.board_of(ordinal),
                    is_isolated: !levels.is_mixed && !has_links && region.n_portals == 0,
                    height_before: (!levels.is_mixed).then(|| levels.level(rank)).flatten(),
                    is_mixed: levels.is_mixed,
                });
            }
        }
    }

    /// Finds of regions recorded before the batch which cells kept height and rank, once all floors have
    /// changed.
    pub(super) fn settle_old_regions(&self, regions: &mut [OldRegion], batch: &BatchScratch) {
        for region in regions {
            let Some(page) = self.pages[region.page as usize].as_deref() else {
                continue;
            };
            let sector = page.key.sector(region.position);
            if region.is_mixed {
                if let Some(index) = batch.index.find(sector.x, sector.y) {
                    let changed = &batch.dirty[index as usize].changed_floors;
                    for (row, changed) in region.board.iter_mut().zip(changed) {
                        *row &= !changed;
                    }
                }
                continue;
            }
            let levels = self.levels(sector);
            let rank = usize::from(page.rank);
            region.height_before = region
                .height_before
                .filter(|z| !levels.is_only_level(rank, *z));
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
                        self.record_regions_of(sector, &mut scratch.old.regions);
                    }
                }
            }
        }
    }

    /// Records the regions of a sector whose floors stay.
    pub(super) fn record_regions_of(&self, sector: SectorId, recorded: &mut Vec<OldRegion>) {
        for (page, sheet) in self.sheets_at(sector) {
            for (ordinal, region) in (0_u8..).zip(sheet.regions()) {
                recorded.push(OldRegion {
                    page,
                    position: sheet.position,
                    label: region.label,
                    board: sheet.board_of(ordinal),
                    // Portals may be repaired already.
                    is_isolated: false,
                    height_before: None,
                    is_mixed: false,
                });
            }
        }
    }
}
