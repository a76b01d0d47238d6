//! Repair of derived state after a batch, stage by stage; `docs/design/ground-repair.md`.
//!
//! Stages: floors to bits, borders, successors, regions, portals, region links, components,
//! registered profiles. Each stage finishes for all its sectors before the next begins, because it
//! reads what the previous one wrote, next door too. The sectors of a stage are the dirty ones and
//! those neighbors whose input changed.
//!
//! Invariant: repaired state equals rebuilt state, up to ids. Cost is linear in the sectors of the
//! stages, plus the hierarchy. Buffers are reused ([`Scratch`]).

use std::ops::BitOrAssign;

use wayfarer_base::{Direction, SectorId};

use super::Ground;
use super::bitboard::Bitboard;
use super::page::{NONE, PageKey, position_of};
use super::profile_ground::SectorLevels;
use super::scratch::{BatchScratch, Scratch};
use super::sheet::Sheet;
use super::window::Window;
use borders::{SheetShapes, changed_borders};

mod bits;
mod borders;
mod old_state;
mod planar;
mod region_links;
mod successors;

/// A dirty sector of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dirty {
    pub(crate) sector: SectorId,
    /// The sector before the batch.
    pub(crate) before: SectorState,
    /// True if a nav link with an end here changed.
    pub(crate) nav_links: bool,
    /// True if floors, walls or modifiers may have changed, or a nav link was added or removed.
    pub(crate) structural: bool,
    /// Columns whose floors, walls or modifiers changed.
    pub(crate) changed_columns: Bitboard,
    /// Those whose floors or walls changed.
    pub(crate) changed_floors: Bitboard,
    /// The last of its modifier changes, if any.
    pub(crate) modifier_change: Option<u32>,
    /// Terrains of floors that were added or removed, as a bit mask.
    pub(crate) added_or_removed: u64,
    /// Terrains of floors whose terrain changed, before and after.
    pub(crate) exchanged: u64,
    /// True if anything but floors may have changed.
    pub(crate) beyond_floors: bool,
    /// True if sheets are stored in another shape than before.
    pub(crate) has_new_shapes: bool,
}

/// What neighbors and layers read of a sector.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SectorState {
    /// The heights of its ranks.
    pub(crate) levels: SectorLevels,
    /// How its sheets are stored.
    pub(crate) shapes: SheetShapes,
    /// Walkable cells of its lowest sheet.
    pub(crate) walkable: Bitboard,
    /// True if a multiplier above 1 applies in it.
    pub(crate) is_weighted: bool,
    /// True if the walkable cells of the lowest sheet do not say all that neighbors read: thin walls,
    /// several heights, or higher ranks at the border.
    pub(crate) has_irregular_border: bool,
}

/// Longest list for the insertion sort: lists are nearly sorted, and the general sort costs a cold
/// edit three kilobytes of instruction fetches.
const MAX_INSERTION_SORT: usize = 96;

fn insertion_sort<F: Copy + Ord>(sectors: &mut [(SectorId, F)]) {
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

/// Sorts sectors and merges duplicates; the flags of a sector are those of all duplicates.
pub(crate) fn sort_and_merge<F: Copy + Ord + BitOrAssign>(sectors: &mut Vec<(SectorId, F)>) {
    if sectors.len() <= MAX_INSERTION_SORT {
        insertion_sort(sectors);
    } else {
        sectors.sort_unstable();
    }
    sectors.dedup_by(|later, first| {
        let same = later.0 == first.0;
        if same {
            first.1 |= later.1;
        }
        same
    });
}

impl BatchScratch {
    /// The cells of a sector whose steps the changed columns in and next to it may have changed: those
    /// next to them, and all where the shape of a sheet changed.
    fn touched_columns(&self, sector: SectorId) -> Option<Window> {
        let mut touched = None;
        for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
            let Some(index) = self.index.find(sector.x + dx, sector.y + dy) else {
                continue;
            };
            let dirty = &self.dirty[index as usize];
            if dirty.structural && dirty.has_new_shapes {
                return Some(Window::SECTOR);
            }
            let changed = Window::around(&dirty.changed_floors);
            let near = changed.and_then(|changed| changed.grown(1).seen_from((dx, dy)));
            touched = near.map(|near| near.with(touched)).or(touched);
        }
        touched
    }
}

impl Ground {
    /// True if the sector has at most one sheet, without details.
    pub(crate) fn is_uniform(&self, sector: SectorId) -> bool {
        let mut sheets = self.sheets_at(sector);
        let is_uniform = sheets
            .next()
            .is_none_or(|(_, sheet)| sheet.details.is_none());
        is_uniform && sheets.next().is_none()
    }

    /// Repairs everything derived from the sectors of `scratch.batch.dirty`.
    pub(crate) fn repair(&mut self) {
        let mut scratch = self.scratch.take().unwrap_or_default();
        scratch.begin_repair();
        for index in 0..scratch.batch.dirty.len() {
            let dirty = scratch.batch.dirty[index];
            if !dirty.structural {
                continue;
            }
            self.refresh_bits(&dirty, &mut scratch);
            let now = self.sector_state(dirty.sector);
            let changed = changed_borders(&dirty, &now);
            let has_new_shapes = dirty.before.shapes.differ(&now.shapes);
            scratch.batch.dirty[index].has_new_shapes = has_new_shapes;
            let is_weight_changed = dirty.before.is_weighted != now.is_weighted;
            for direction in Direction::ALL {
                let (dx, dy) = direction.offset();
                let next = SectorId::new(dirty.sector.x + dx, dirty.sector.y + dy);
                if changed >> direction.index() & 1 == 1 {
                    scratch.sectors.borders.push((next, false));
                } else if is_weight_changed {
                    scratch.sectors.weights.push(next);
                }
            }
            scratch.sectors.borders.push((dirty.sector, true));
        }
        sort_and_merge(&mut scratch.sectors.borders);
        self.settle_old_regions(&mut scratch.old.regions, &scratch.batch);
        self.refresh_all_borders(&mut scratch);
        for &sector in &scratch.sectors.weights {
            self.refresh_weighted(sector);
        }
        scratch.sectors.portals.clear();
        for index in 0..scratch.sectors.borders.len() {
            let (sector, is_dirty) = scratch.sectors.borders[index];
            let touched = scratch.sectors.touched[index];
            self.refresh_successors(sector, touched, &mut scratch.neighborhood);
            scratch.sectors.portals.push((sector, is_dirty));
            if !is_dirty {
                // Steps within it are as before, so its regions are.
                continue;
            }
            let moved = self.refresh_regions(sector, &mut scratch);
            for direction in Direction::ALL {
                if moved >> direction.index() & 1 == 1 {
                    // This neighbor refers to regions by ordinal, and ordinals moved.
                    let (dx, dy) = direction.offset();
                    let next = SectorId::new(sector.x + dx, sector.y + dy);
                    scratch.sectors.portals.push((next, false));
                }
            }
        }
        sort_and_merge(&mut scratch.sectors.portals);
        for index in 0..scratch.sectors.portals.len() {
            let (sector, has_new_regions) = scratch.sectors.portals[index];
            self.refresh_portals(sector, !has_new_regions, &mut scratch);
        }
        self.record_link_ends(&mut scratch);
        self.repair_region_links(&mut scratch);
        self.repair_components(&mut scratch);
        self.repair_layers(&mut scratch);
        self.scratch = Some(scratch);
    }

    /// [`Ground::repair`] for a ground that was just filled: no old state, no neighbors outside.
    pub(crate) fn repair_fresh(&mut self) {
        let mut scratch = self.scratch.take().unwrap_or_default();
        scratch.begin_repair();
        scratch.old.cells.clear();
        scratch.old.regions.clear();
        for index in 0..scratch.batch.dirty.len() {
            let dirty = scratch.batch.dirty[index];
            self.refresh_bits(&dirty, &mut scratch);
            scratch.sectors.borders.push((dirty.sector, true));
        }
        self.refresh_all_borders(&mut scratch);
        for index in 0..scratch.sectors.borders.len() {
            let (sector, _) = scratch.sectors.borders[index];
            let (is_irregular, _) = scratch.sectors.touched[index];
            let all = (is_irregular, Some(Window::SECTOR));
            self.refresh_successors(sector, all, &mut scratch.neighborhood);
            self.refresh_regions(sector, &mut scratch);
        }
        for index in 0..scratch.sectors.borders.len() {
            let (sector, _) = scratch.sectors.borders[index];
            self.refresh_portals(sector, false, &mut scratch);
        }
        self.repair_components(&mut scratch);
        self.scratch = Some(scratch);
    }

    /// Repairs the layers of registered profiles.
    fn repair_layers(&mut self, scratch: &mut Scratch) {
        if self.layers.is_empty() {
            return;
        }
        let mut layers = std::mem::take(&mut self.layers);
        scratch
            .layers
            .begin(self, &scratch.batch.dirty, &scratch.sectors);
        for layer in layers.iter_mut().flatten() {
            layer.repair(
                self,
                &scratch.batch.dirty,
                &scratch.components.freed_pages,
                &mut scratch.layers,
            );
        }
        self.layers = layers;
    }

    fn refresh_all_borders(&mut self, scratch: &mut Scratch) {
        scratch.sectors.touched.clear();
        for &(sector, _) in &scratch.sectors.borders {
            let is_irregular = self.refresh_borders(sector) && !self.has_planar_steps(sector);
            let touched = is_irregular
                .then(|| scratch.batch.touched_columns(sector))
                .flatten();
            scratch.sectors.touched.push((is_irregular, touched));
        }
    }

    /// Calls `change` with each sheet of a sector, lowest rank first.
    pub(crate) fn for_each_sheet_mut(
        &mut self,
        sector: SectorId,
        mut change: impl FnMut(&mut Sheet),
    ) {
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
