//! Last stages of a repair: connected components of the default profile, then split and merged
//! pairs.
//!
//! [`Ground::repair_components`] takes the dirty blocks, looks up the old components while the
//! hierarchy still has them, repairs the hierarchy and compares ([`split_merge`]). Components are
//! weak: a one-way step connects. A component query climbs the hierarchy, O(levels).

use wayfarer_base::Direction;

use super::Ground;
use super::hierarchy::{
    ComponentId, Hierarchy, RegionAdjacency, RegionLabels, RegionSlot, block_of,
};
use super::node::NodeId;
use super::page::{NONE, PageKey};
use super::scratch::Scratch;
use super::sheet::{self, Sheet};

mod split_merge;

impl Ground {
    /// Repairs the hierarchy above `scratch.components.blocks`, then finds split and merged pairs.
    pub(crate) fn repair_components(&mut self, scratch: &mut Scratch) {
        scratch.old.split_pairs.clear();
        scratch.old.merged_pairs.clear();
        scratch.components.freed_pages.clear();
        if scratch.components.blocks.is_empty() && self.has_same_labels(scratch) {
            return;
        }
        scratch.components.blocks.sort_unstable();
        scratch.components.blocks.dedup();
        self.drop_unchanged(scratch);
        scratch.old.components.clear();
        for region in &scratch.old.regions {
            let before = self.component_of(region.page, region.position, region.label);
            scratch.old.components.push(before);
        }
        for region in &scratch.old.kept_regions {
            let before = self.component_of(region.page, region.position, region.label);
            scratch.old.components.push(before);
        }
        for cell in &scratch.old.cells {
            let before = self.component_of(cell.page, cell.position, cell.label);
            scratch.old.components.push(before);
        }
        let mut hierarchy = std::mem::take(&mut self.hierarchy);
        self.free_empty_pages(&mut hierarchy, scratch);
        hierarchy.repair(
            self,
            &scratch.components.blocks,
            &mut scratch.components.relabel,
        );
        self.hierarchy = hierarchy;
        self.find_split_and_merged(scratch);
    }

    /// Frees pages without sheets, and removes their blocks from the list.
    fn free_empty_pages(&mut self, hierarchy: &mut Hierarchy, scratch: &mut Scratch) {
        let mut last = NONE;
        for index in (0..scratch.components.blocks.len()).rev() {
            let page = scratch.components.blocks[index] >> 2;
            if page == last {
                continue;
            }
            last = page;
            let found = self.pages[page as usize].as_deref();
            if found.is_none_or(|found| found.sheets.is_empty()) {
                hierarchy.remove_page(page, &mut scratch.components.relabel);
                scratch.components.freed_pages.push(page);
                if found.is_some() {
                    self.free_page(page);
                }
            }
        }
        if !scratch.components.freed_pages.is_empty() {
            let freed = &scratch.components.freed_pages;
            scratch
                .components
                .blocks
                .retain(|block| !freed.contains(&(block >> 2)));
        }
    }

    /// The connected component of a walkable cell.
    pub fn component(&self, node: NodeId) -> ComponentId {
        let page = self.page(node.page());
        let label = page.sheet(node.position()).map_or(0, |sheet| {
            sheet.regions()[usize::from(sheet.region_at(node.local()))].label
        });
        self.component_of(node.page(), node.position(), label)
    }

    /// The component of the regions with this label in the block of a position.
    pub(crate) fn component_of(&self, page: u32, position: u8, label: u16) -> ComponentId {
        self.hierarchy.component_of(block_of(page, position), label)
    }

    /// Calls `visit` with each region of a sheet and the target of each of its irregular edges:
    /// wide portals and nav links. Portals of diagonals alone are skipped: the two straight steps
    /// around the corner exist whenever the diagonal does, so they connect nothing new.
    fn for_each_irregular_link(sheet: &Sheet, mut visit: impl FnMut(u8, RegionSlot)) {
        let Some(details) = sheet.details.as_deref() else {
            return;
        };
        for portal in details.wide.iter().filter(|portal| portal.straight) {
            let to = RegionSlot {
                page: portal.page,
                position: portal.position,
                ordinal: portal.ordinal,
            };
            visit(portal.from, to);
        }
        for link in &details.region_links {
            let to = RegionSlot {
                page: link.page,
                position: link.position,
                ordinal: link.ordinal,
            };
            visit(link.own, to);
        }
    }
}

impl RegionAdjacency for Ground {
    fn key(&self, page: u32) -> (PageKey, u8) {
        let page = self.page(page);
        (page.key, page.rank)
    }

    fn neighbor_pages(&self, page: u32) -> [u32; 4] {
        let neighbors = &self.page(page).neighbors;
        Direction::STRAIGHT.map(|direction| neighbors[usize::from(direction.index())])
    }

    fn n_regions(&self, page: u32, position: u8) -> u8 {
        let sheet = self.page(page).sheet(position);
        sheet.map_or(0, |sheet| sheet.n_regions)
    }

    /// Uniform portals north and west inside the block are skipped: the sheets there report them as
    /// portals south and east.
    fn for_each_link(&self, page: u32, position: u8, mut visit: impl FnMut(u8, RegionSlot)) {
        let here = self.page(page);
        let Some(sheet) = here.sheet(position) else {
            return;
        };
        let (x, y) = (position & 3, position >> 3 & 3);
        let reported = [y != 0, false, false, x != 0];
        let regions = if sheet.has_portals() {
            sheet.regions()
        } else {
            &[]
        };
        for (own, region) in (0..=u8::MAX).zip(regions) {
            if region.n_portals == 0 {
                continue;
            }
            for portal in sheet.portals(region) {
                let direction = usize::from(portal.direction());
                if reported[direction] {
                    continue;
                }
                let direction = Direction::STRAIGHT[direction];
                let (page, position) = self.next_sheet(page, position, direction);
                let to = RegionSlot {
                    page,
                    position,
                    ordinal: portal.ordinal(),
                };
                visit(own, to);
            }
        }
        if sheet.flags & sheet::MOVES != 0 {
            Self::for_each_irregular_link(sheet, visit);
        }
    }

    fn label(&self, location: RegionSlot) -> Option<u16> {
        let sheet = self.page(location.page).sheet(location.position)?;
        let region = sheet.regions().get(usize::from(location.ordinal))?;
        Some(region.label)
    }
}

impl RegionLabels for Ground {
    fn set_labels(&mut self, page: u32, position: u8, mut next: impl FnMut() -> u16) {
        if let Some(sheet) = self.page_mut(page).sheet_mut(position) {
            for region in sheet.regions_mut() {
                region.label = next();
            }
        }
    }
}
