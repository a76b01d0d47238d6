//! What open nav links join: region by region, kept so that a door that moves costs a door.

use wayfarer_base::{NavLink, SectorId};

use crate::ground::hierarchy::{RegionSlot, block_of};
use crate::ground::node::NodeId;
use crate::ground::page::position_of;
use crate::ground::sheet::{Join, Sheet};
use crate::ground::{Ground, SameRegion, Scratch};

impl Ground {
    /// Makes the joins of nav links true again: wherever regions were found anew, at the far ends
    /// of nav links from there, and where a gate opened or closed.
    pub(super) fn repair_joins(&mut self, scratch: &mut Scratch) {
        scratch.join_sectors.clear();
        for &(sector, found_anew) in &scratch.reach {
            if found_anew {
                self.add_ends(sector, &mut scratch.join_sectors);
            }
        }
        let gates = std::mem::take(&mut scratch.gates);
        for nav_link in &gates {
            let structural = |sector: SectorId| {
                let index = scratch.dirty_at.find(sector.x, sector.y);
                index.is_some_and(|index| scratch.dirty[index as usize].structural)
            };
            let ends = [nav_link.from, nav_link.to].map(|end| SectorId::from_column(end.column()));
            if ends.into_iter().any(structural) {
                scratch.join_sectors.extend(ends);
            } else {
                self.turn_gate(nav_link, scratch);
            }
        }
        scratch.gates = gates;
        scratch.gates.clear();
        scratch.join_sectors.sort_unstable();
        scratch.join_sectors.dedup();
        for index in 0..scratch.join_sectors.len() {
            let sector = scratch.join_sectors[index];
            self.refresh_joins(sector, scratch);
        }
    }

    /// A sector with nav links, and the sectors of their other ends.
    fn add_ends(&self, sector: SectorId, sectors: &mut Vec<SectorId>) {
        let joined = |sheet: &Sheet| {
            sheet
                .side
                .as_deref()
                .is_some_and(|side| !side.joins.is_empty())
        };
        if self.sheets_at(sector).any(|(_, sheet)| joined(sheet)) {
            sectors.push(sector);
        }
        if let Some(features) = self.features.of(sector) {
            for nav_link in &features.nav_links {
                let ends = [nav_link.from, nav_link.to];
                sectors.extend(ends.map(|end| SectorId::from_column(end.column())));
            }
        }
    }

    /// Adds or takes away the joins of one nav link whose gate has just changed.
    fn turn_gate(&mut self, nav_link: &NavLink, scratch: &mut Scratch) {
        let ends = (
            self.place_of_end(nav_link.from),
            self.place_of_end(nav_link.to),
        );
        let (Some(from), Some(to)) = ends else {
            return;
        };
        let opens = nav_link.state.admits(self.walker.keys);
        for (own, other) in [(from, to), (to, from)] {
            let label = self.region_label(own);
            scratch.same_regions.push(SameRegion {
                page: own.page,
                position: own.position,
                ordinal: own.ordinal,
                label,
            });
            scratch.blocks.push(block_of(own.page, own.position));
            let sheet = self.page_mut(own.page).sheet_mut(own.position);
            let side = sheet.and_then(|sheet| sheet.side.as_deref_mut());
            let Some(side) = side else { continue };
            let join = join(own, other);
            match (side.joins.binary_search(&join), opens) {
                (Ok(at) | Err(at), true) => side.joins.insert(at, join),
                (Ok(at), false) => {
                    side.joins.remove(at);
                }
                (Err(_), false) => {}
            }
        }
    }

    /// Finds the joins of a sector's sheets anew, and notes the blocks where they differ.
    fn refresh_joins(&mut self, sector: SectorId, scratch: &mut Scratch) {
        scratch.joins.clear();
        if let Some(features) = self.features.of(sector) {
            for nav_link in &features.nav_links {
                if !nav_link.state.admits(self.walker.keys) {
                    continue;
                }
                let ends = (
                    self.place_of_end(nav_link.from),
                    self.place_of_end(nav_link.to),
                );
                if let (Some(from), Some(to)) = ends {
                    scratch.joins.push((from, join(from, to)));
                    scratch.joins.push((to, join(to, from)));
                }
            }
        }
        scratch.joins.sort_unstable();
        let position = position_of(sector);
        let mut page = self.page_at(crate::ground::page::PageKey::of(sector));
        while let Some(number) = page {
            let Some(sheet) = self.page_mut(number).sheet_mut(position) else {
                break;
            };
            if let Some(side) = sheet.side.as_deref_mut() {
                let own = |(location, _): &&(RegionSlot, Join)| {
                    (location.page, location.position) == (number, position)
                };
                let found = scratch.joins.iter().filter(own).map(|(_, join)| *join);
                if !side.joins.iter().copied().eq(found.clone()) {
                    side.joins = found.collect();
                    scratch.blocks.push(block_of(number, position));
                }
                let walkable = sheet.plane.board();
                if side.is_trivial(&walkable) {
                    sheet.side = None;
                }
            }
            let above = self.page(number).above;
            page = (above != crate::ground::page::NONE).then_some(above);
        }
    }

    /// The region in which a nav link begins or ends, if its end can be stood on.
    fn place_of_end(&self, end: wayfarer_base::Cell) -> Option<RegionSlot> {
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

fn join(own: RegionSlot, to: RegionSlot) -> Join {
    Join {
        own: own.ordinal,
        position: to.position,
        ordinal: to.ordinal,
        page: to.page,
    }
}
