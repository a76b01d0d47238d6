//! Stage *region links*: edges between regions that open nav links make.
//!
//! Stored per sheet, sorted by region, so that opening or closing a door edits two short lists and
//! makes two blocks dirty.
//! Reads regions and nav links; writes `SheetDetails::region_links` and marks blocks dirty.

use wayfarer_base::{NavLink, SectorId};

use crate::ground::Ground;
use crate::ground::hierarchy::{RegionSlot, block_of};
use crate::ground::node::NodeId;
use crate::ground::page::position_of;
use crate::ground::scratch::{KeptRegion, Scratch};
use crate::ground::sheet::{RegionLink, Sheet};

impl Ground {
    /// Repairs region links where regions were found anew, at the far ends of nav links from there,
    /// and of nav links that opened or closed.
    pub(super) fn repair_region_links(&mut self, scratch: &mut Scratch) {
        scratch.links.sectors.clear();
        for &(sector, has_new_regions) in &scratch.sectors.portals {
            if has_new_regions {
                self.add_link_sectors(sector, &mut scratch.links.sectors);
            }
        }
        let toggled = std::mem::take(&mut scratch.batch.toggled_links);
        for nav_link in &toggled {
            let structural = |sector: SectorId| {
                let index = scratch.batch.index.find(sector.x, sector.y);
                index.is_some_and(|index| scratch.batch.dirty[index as usize].structural)
            };
            let ends = [nav_link.from, nav_link.to].map(|end| SectorId::from_column(end.column()));
            if ends.into_iter().any(structural) {
                scratch.links.sectors.extend(ends);
            } else {
                self.toggle_link(nav_link, scratch);
            }
        }
        scratch.batch.toggled_links = toggled;
        scratch.batch.toggled_links.clear();
        scratch.links.sectors.sort_unstable();
        scratch.links.sectors.dedup();
        for index in 0..scratch.links.sectors.len() {
            let sector = scratch.links.sectors[index];
            self.refresh_region_links(sector, scratch);
        }
    }

    /// Adds a sector with region links or nav links, and the sectors of their ends.
    fn add_link_sectors(&self, sector: SectorId, sectors: &mut Vec<SectorId>) {
        let has_links = |sheet: &Sheet| {
            sheet
                .details
                .as_deref()
                .is_some_and(|details| !details.region_links.is_empty())
        };
        if self.sheets_at(sector).any(|(_, sheet)| has_links(sheet)) {
            sectors.push(sector);
        }
        if let Some(features) = self.features.sector(sector) {
            for nav_link in &features.nav_links {
                let ends = [nav_link.from, nav_link.to];
                sectors.extend(ends.map(|end| SectorId::from_column(end.column())));
            }
        }
    }

    /// Adds or removes the edges of one nav link that opened or closed.
    fn toggle_link(&mut self, nav_link: &NavLink, scratch: &mut Scratch) {
        let ends = (
            self.region_slot_at(nav_link.from),
            self.region_slot_at(nav_link.to),
        );
        let (Some(from), Some(to)) = ends else {
            return;
        };
        let is_open = nav_link.state.admits(self.compiled.keys);
        for (own, other) in [(from, to), (to, from)] {
            let label = self.region_label(own);
            scratch.old.kept_regions.push(KeptRegion {
                page: own.page,
                position: own.position,
                ordinal: own.ordinal,
                label,
            });
            scratch
                .components
                .blocks
                .push(block_of(own.page, own.position));
            let sheet = self.page_mut(own.page).sheet_mut(own.position);
            let details = sheet.and_then(|sheet| sheet.details.as_deref_mut());
            let Some(details) = details else { continue };
            let link = region_link(own, other);
            match (details.region_links.binary_search(&link), is_open) {
                (Ok(at) | Err(at), true) => details.region_links.insert(at, link),
                (Ok(at), false) => {
                    details.region_links.remove(at);
                }
                (Err(_), false) => {}
            }
        }
    }

    /// Finds the region links of a sector's sheets, and marks blocks dirty where they differ.
    fn refresh_region_links(&mut self, sector: SectorId, scratch: &mut Scratch) {
        scratch.links.found.clear();
        if let Some(features) = self.features.sector(sector) {
            for nav_link in &features.nav_links {
                if !nav_link.state.admits(self.compiled.keys) {
                    continue;
                }
                let ends = (
                    self.region_slot_at(nav_link.from),
                    self.region_slot_at(nav_link.to),
                );
                if let (Some(from), Some(to)) = ends {
                    scratch.links.found.push((from, region_link(from, to)));
                    scratch.links.found.push((to, region_link(to, from)));
                }
            }
        }
        scratch.links.found.sort_unstable();
        let position = position_of(sector);
        let mut page = self.page_at(crate::ground::page::PageKey::from_sector(sector));
        while let Some(number) = page {
            let Some(sheet) = self.page_mut(number).sheet_mut(position) else {
                break;
            };
            if let Some(details) = sheet.details.as_deref_mut() {
                let own = |(location, _): &&(RegionSlot, RegionLink)| {
                    (location.page, location.position) == (number, position)
                };
                let found = scratch
                    .links
                    .found
                    .iter()
                    .filter(own)
                    .map(|(_, link)| *link);
                if !details.region_links.iter().copied().eq(found.clone()) {
                    details.region_links = found.collect();
                    scratch.components.blocks.push(block_of(number, position));
                }
                let walkable = sheet.cells.walkable.board();
                if details.is_trivial(&walkable) {
                    sheet.details = None;
                }
            }
            let above = self.page(number).above;
            page = (above != crate::ground::page::NONE).then_some(above);
        }
    }

    /// The region at an end of a nav link, if its cell is walkable.
    fn region_slot_at(&self, end: wayfarer_base::Cell) -> Option<RegionSlot> {
        let node: NodeId = self.node(end)?;
        Some(RegionSlot {
            page: node.page(),
            position: node.position(),
            ordinal: self.sheet_of(node).region_at(node.local()),
        })
    }

    fn region_label(&self, location: RegionSlot) -> u16 {
        let sheet = self.page(location.page).sheet(location.position);
        sheet.map_or(0, |sheet| {
            sheet.regions()[usize::from(location.ordinal)].label
        })
    }
}

fn region_link(own: RegionSlot, to: RegionSlot) -> RegionLink {
    RegionLink {
        own: own.ordinal,
        position: to.position,
        ordinal: to.ordinal,
        page: to.page,
    }
}
