//! What hangs together for the world's own walker, and what an edit parted or joined.

use wayfarer_base::Direction;

use super::hierarchy::{ComponentId, Linked, Place};
use super::node::NodeId;
use super::page::{NONE, PageKey};
use super::sheet::{self, Sheet};
use super::{Ground, Scratch};

mod compare;

impl Ground {
    /// Makes components true again for the pages noted in `scratch.pages`, and for all above
    /// that see a difference.
    pub(crate) fn repair_components(&mut self, scratch: &mut Scratch) {
        scratch.parted.clear();
        scratch.joined.clear();
        scratch.freed.clear();
        if scratch.pages.is_empty() {
            return;
        }
        scratch.pages.sort_unstable();
        scratch.pages.dedup();
        scratch.before.clear();
        for region in &scratch.old_regions {
            let before = self.component_of(region.page, region.label);
            scratch.before.push(before);
        }
        for region in &scratch.same_regions {
            let before = self.component_of(region.page, region.label);
            scratch.before.push(before);
        }
        for cell in &scratch.old_cells {
            scratch
                .before
                .push(self.component_of(cell.page, cell.label));
        }
        let mut hierarchy = std::mem::take(&mut self.hierarchy);
        for index in (0..scratch.pages.len()).rev() {
            let page = scratch.pages[index];
            let found = self.pages[page as usize].as_deref();
            if found.is_none_or(|found| found.sheets.is_empty()) {
                hierarchy.leave(page, &mut scratch.work);
                scratch.pages.remove(index);
                scratch.freed.push(page);
                if found.is_some() {
                    self.free_page(page);
                }
            }
        }
        hierarchy.repair(self, &scratch.pages, &mut scratch.work);
        self.hierarchy = hierarchy;
        self.compare_components(scratch);
    }

    /// The component of a cell that can be stood on.
    pub fn component(&self, node: NodeId) -> ComponentId {
        let page = self.page(node.page());
        let label = page.sheet(node.position()).map_or(0, |sheet| {
            sheet.regions()[usize::from(sheet.region_at(node.local()))].label
        });
        self.component_of(node.page(), label)
    }

    /// The component that has this label in a page.
    pub(crate) fn component_of(&self, page: u32, label: u16) -> ComponentId {
        self.hierarchy.component_of(page, label)
    }

    /// Calls `visit` with each region of a sheet and each place that it leads to other than by
    /// plain portals.
    fn for_strange_links(sheet: &Sheet, mut visit: impl FnMut(u8, Place)) {
        let Some(side) = sheet.side.as_deref() else {
            return;
        };
        for portal in &side.wide {
            let to = Place {
                page: portal.page,
                position: portal.position,
                ordinal: portal.ordinal,
            };
            visit(portal.from, to);
        }
        for join in &side.joins {
            let to = Place {
                page: join.page,
                position: join.position,
                ordinal: join.ordinal,
            };
            visit(join.own, to);
        }
    }
}

impl Linked for Ground {
    fn key(&self, page: u32) -> PageKey {
        self.page(page).key
    }

    fn n_regions(&self, page: u32, position: u8) -> u8 {
        let sheet = self.page(page).sheet(position);
        sheet.map_or(0, |sheet| sheet.n_regions)
    }

    fn for_links(&self, page: u32, mut visit: impl FnMut(u8, u8, Place)) {
        let here = self.page(page);
        for position in 0..64_u8 {
            let Some(sheet) = here.sheet(position) else {
                continue;
            };
            for (own, region) in (0..=u8::MAX).zip(sheet.regions()) {
                if region.n_portals == 0 {
                    continue;
                }
                for portal in sheet.portals(region) {
                    let direction = Direction::STRAIGHT[usize::from(portal.direction())];
                    let (next, there) = self.next_sheet(page, position, direction);
                    let to = Place {
                        page: next,
                        position: there,
                        ordinal: portal.ordinal(),
                    };
                    visit(position, own, to);
                }
            }
            if sheet.flags & sheet::MOVES != 0 {
                Self::for_strange_links(sheet, |own, to| visit(position, own, to));
            }
        }
    }

    /// Plain ways north and west into pages of the same group are left out: those pages tell of
    /// them as ways south and east.
    fn for_exits(
        &self,
        page: u32,
        inside: impl Fn(u32) -> bool,
        mut visit: impl FnMut(u16, Place),
    ) {
        let here = self.page(page);
        for (index, direction) in (0_u8..).zip(Direction::STRAIGHT) {
            let next = here.around[usize::from(direction.index())];
            let told = matches!(direction, Direction::North | Direction::West);
            if next == NONE || told && inside(next) {
                continue;
            }
            for along in 0..8_u8 {
                let (position, there) = match direction {
                    Direction::North => (along, 56 | along),
                    Direction::East => (along << 3 | 7, along << 3),
                    Direction::South => (56 | along, along),
                    _ => (along << 3, along << 3 | 7),
                };
                let Some(sheet) = here.sheet(position) else {
                    continue;
                };
                for region in sheet.regions() {
                    for portal in sheet.portals(region) {
                        if portal.direction() == index {
                            let to = Place {
                                page: next,
                                position: there,
                                ordinal: portal.ordinal(),
                            };
                            visit(region.label, to);
                        }
                    }
                }
            }
        }
        let strange = |sheet: &&Sheet| sheet.flags & sheet::MOVES != 0;
        for sheet in here.sheets.iter().filter(strange) {
            Self::for_strange_links(sheet, |own, to| {
                if to.page != page {
                    visit(sheet.regions()[usize::from(own)].label, to);
                }
            });
        }
    }

    fn label(&self, place: Place) -> Option<u16> {
        let sheet = self.page(place.page).sheet(place.position)?;
        let region = sheet.regions().get(usize::from(place.ordinal))?;
        Some(region.label)
    }

    fn set_labels(&mut self, page: u32, position: u8, mut next: impl FnMut() -> u16) {
        if let Some(sheet) = self.page_mut(page).sheet_mut(position) {
            for region in sheet.regions_mut() {
                region.label = next();
            }
        }
    }
}
