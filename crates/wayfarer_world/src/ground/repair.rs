//! After an edit: bits, borders, steps, regions, portals and components are made true again.
//!
//! Only sectors that were touched, and those next to them, are looked at. Each stage ends for
//! all sectors before the next begins, because each reads what the one before wrote:
//! floors to bits; bits to borders; steps; regions; portals; components.

use wayfarer_base::{Direction, SectorId};

use super::Ground;
use super::bitboard::Bitboard;
use super::page::{NONE, PageKey, position_of};
use super::scratch::Scratch;
use super::sheet::Sheet;

mod bits;
mod borders;
mod old_state;
mod region_links;
mod successors;

/// A sector that a batch has touched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dirty {
    pub(crate) sector: SectorId,
    /// Its lowest sheet's walkable squares before, if it was plain and alone.
    pub(crate) walkable_before: Bitboard,
    /// The height of those squares.
    pub(crate) height_before: i32,
    /// True if it was plain: one sheet without a side.
    pub(crate) was_uniform: bool,
    /// True if nav links came, went or changed.
    pub(crate) nav_links: bool,
    /// False if nothing but nav links changed.
    pub(crate) structural: bool,
    /// Columns whose floors, walls or effects changed.
    pub(crate) changed_columns: Bitboard,
}

/// Whether steps had to be judged one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StepEvaluation {
    /// The bits tell, as before.
    No,
    /// The bits tell now.
    NoLonger,
    /// They were judged; the neighborhood is gathered.
    Yes,
}

/// Sectors that are put in order one by one: they come nearly so, and what sorts any number of
/// them is three kilobytes of instructions that a cold edit would have to fetch.
const MAX_INSERTION_SORT: usize = 96;

fn insertion_sort(sectors: &mut [(SectorId, bool)]) {
    for end in 1..sectors.len() {
        let last = sectors[end];
        let mut at = end;
        while at > 0 && sectors[at - 1] > last {
            sectors[at] = sectors[at - 1];
            at -= 1;
        }
        sectors[at] = last;
    }
}

/// Sorts, and keeps each sector once, marked if any of its copies was.
pub(crate) fn sort_and_merge(sectors: &mut Vec<(SectorId, bool)>) {
    if sectors.len() <= MAX_INSERTION_SORT {
        insertion_sort(sectors);
    } else {
        sectors.sort_unstable();
    }
    sectors.dedup_by(|later, first| {
        let same = later.0 == first.0;
        first.1 |= same && later.1;
        same
    });
}

impl Ground {
    /// True if the sector has at most one sheet, and that without a side.
    pub(crate) fn is_uniform(&self, sector: SectorId) -> bool {
        let mut sheets = self.sheets_at(sector);
        let plain = sheets
            .next()
            .is_none_or(|(_, sheet)| sheet.details.is_none());
        plain && sheets.next().is_none()
    }

    /// Makes everything derived true again after the floors of `scratch.batch.dirty` changed.
    pub(crate) fn repair(&mut self) {
        let mut scratch = self.scratch.take().unwrap_or_default();
        scratch.sectors.borders.clear();
        scratch.components.blocks.clear();
        scratch.old.regions.clear();
        scratch.old.kept_regions.clear();
        scratch.old.has_renumbered_cells = false;
        for index in 0..scratch.batch.dirty.len() {
            let dirty = scratch.batch.dirty[index];
            if !dirty.structural {
                continue;
            }
            self.refresh_bits(&dirty, &mut scratch.components.blocks);
            let changed = self.changed_borders(&dirty);
            for direction in Direction::ALL {
                if changed >> direction.index() & 1 == 1 {
                    let (dx, dy) = direction.offset();
                    let next = SectorId::new(dirty.sector.x + dx, dirty.sector.y + dy);
                    scratch.sectors.borders.push((next, false));
                }
            }
            scratch.sectors.borders.push((dirty.sector, true));
        }
        sort_and_merge(&mut scratch.sectors.borders);
        self.refresh_all_borders(&mut scratch);
        scratch.sectors.portals.clear();
        for index in 0..scratch.sectors.borders.len() {
            let (sector, dirty_sectors) = scratch.sectors.borders[index];
            let judge = scratch.sectors.is_irregular[index];
            let judged = self.refresh_successors(sector, judge, &mut scratch.neighborhood);
            let found_anew = dirty_sectors || judged != StepEvaluation::No;
            let several = if found_anew {
                self.record_old_regions(sector, &mut scratch);
                self.refresh_regions(sector, judged == StepEvaluation::Yes, &mut scratch)
            } else {
                false
            };
            scratch.sectors.portals.push((sector, found_anew));
            if several {
                // Neighbors name regions by number, and numbers may have moved.
                for direction in Direction::ALL {
                    let (dx, dy) = direction.offset();
                    let next = SectorId::new(sector.x + dx, sector.y + dy);
                    scratch.sectors.portals.push((next, false));
                }
            }
        }
        sort_and_merge(&mut scratch.sectors.portals);
        for index in 0..scratch.sectors.portals.len() {
            let (sector, found_anew) = scratch.sectors.portals[index];
            self.refresh_portals(sector, !found_anew, &mut scratch);
        }
        self.record_link_ends(&mut scratch);
        self.repair_region_links(&mut scratch);
        self.repair_components(&mut scratch);
        self.repair_profiles(&mut scratch);
        self.scratch = Some(scratch);
    }

    /// The same for a ground that has just been filled, where everything is new.
    pub(crate) fn repair_fresh(&mut self) {
        let mut scratch = self.scratch.take().unwrap_or_default();
        scratch.sectors.borders.clear();
        scratch.components.blocks.clear();
        scratch.old.regions.clear();
        scratch.old.kept_regions.clear();
        scratch.old.has_renumbered_cells = false;
        scratch.old.cells.clear();
        for index in 0..scratch.batch.dirty.len() {
            let dirty = scratch.batch.dirty[index];
            self.refresh_bits(&dirty, &mut scratch.components.blocks);
            scratch.sectors.borders.push((dirty.sector, true));
        }
        self.refresh_all_borders(&mut scratch);
        for index in 0..scratch.sectors.borders.len() {
            let (sector, _) = scratch.sectors.borders[index];
            let judge = scratch.sectors.is_irregular[index];
            let judged = self.refresh_successors(sector, judge, &mut scratch.neighborhood);
            self.refresh_regions(sector, judged == StepEvaluation::Yes, &mut scratch);
        }
        for index in 0..scratch.sectors.borders.len() {
            let (sector, _) = scratch.sectors.borders[index];
            self.refresh_portals(sector, false, &mut scratch);
        }
        self.repair_components(&mut scratch);
        self.scratch = Some(scratch);
    }

    /// Tells the views of registered profiles.
    fn repair_profiles(&mut self, scratch: &mut Scratch) {
        let mut profiles = std::mem::take(&mut self.profiles);
        for data in profiles.iter_mut().flatten() {
            data.repair(
                self,
                &scratch.batch.dirty,
                &scratch.components.freed_pages,
                &mut scratch.profiles,
            );
        }
        self.profiles = profiles;
    }

    fn refresh_all_borders(&mut self, scratch: &mut Scratch) {
        scratch.sectors.is_irregular.clear();
        for &(sector, _) in &scratch.sectors.borders {
            let judge = self.refresh_borders(sector);
            scratch.sectors.is_irregular.push(judge);
        }
    }

    /// Calls `change` for each sheet of a sector from the lowest rank up.
    pub(crate) fn for_sheets_mut(&mut self, sector: SectorId, mut change: impl FnMut(&mut Sheet)) {
        let position = position_of(sector);
        let mut page = self.page_at(PageKey::from_sector(sector)).unwrap_or(NONE);
        while page != NONE {
            let Some(sheet) = self.page_mut(page).sheet_mut(position) else {
                break;
            };
            change(sheet);
            page = self.page(page).above;
        }
    }
}
