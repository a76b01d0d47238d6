//! What leads from region to region for a view's agent, as components want to know it.

use wayfarer_base::{Direction, SectorId};

use super::walk::floor_at;
use super::{View, ViewSheet};
use crate::ground::hierarchy::{Linked, Place};
use crate::ground::page::PageKey;
use crate::ground::plane::{self, Plane};
use crate::ground::regions::facing;
use crate::ground::{Ground, NodeId};

/// A view and the ground it is of.
pub(super) struct Source<'a> {
    pub(super) ground: &'a Ground,
    pub(super) view: &'a mut View,
}

/// For each side, north first, clockwise, where one can step across it.
pub(super) fn seen(plane: &Plane) -> [u16; 4] {
    [
        plane.row(-1) & plane.row(0),
        plane.column(16) & plane.column(15),
        plane.row(16) & plane.row(15),
        plane.column(-1) & plane.column(0),
    ]
}

impl ViewSheet {
    /// For each side where one can step across it, if the board tells.
    pub(super) fn seen(&self) -> [u16; 4] {
        seen(&self.plane)
    }
}

impl View {
    /// Calls `visit` both ways for each passage of a sector that joins two regions now.
    fn for_passages(&self, ground: &Ground, sector: SectorId, mut visit: impl FnMut(Place, Place)) {
        let Some(features) = ground.features.of(sector) else {
            return;
        };
        let place = |node: NodeId| {
            let sheet = self.sheet(node.page(), node.position())?;
            Some(Place {
                page: node.page(),
                position: node.position(),
                ordinal: sheet.region_at(node.local())?,
            })
        };
        for passage in &features.passages {
            if !passage.gate.lets_through(self.walker.keys) {
                continue;
            }
            let end = |cell| floor_at(ground, cell).and_then(place);
            if let (Some(from), Some(to)) = (end(passage.from), end(passage.to)) {
                visit(from, to);
                visit(to, from);
            }
        }
    }
}

impl Source<'_> {
    /// Links of a sheet whose board tells all steps: what faces each other over its sides. Ways
    /// north and west inside the block are left out, those sheets tell of them.
    fn for_told_links(&self, page: u32, sheet: &ViewSheet, mut visit: impl FnMut(u8, Place)) {
        let position = sheet.position;
        let (x, y) = (position & 3, position >> 3 & 3);
        let left_out = [y != 0, false, false, x != 0];
        let sides = Direction::STRAIGHT.into_iter().zip(sheet.seen());
        for ((direction, seen), left_out) in sides.zip(left_out) {
            if seen == 0 || left_out {
                continue;
            }
            let (next, there) = self.ground.next_sheet(page, position, direction);
            let Some(other) = self.view.sheet(next, there) else {
                continue;
            };
            // Squares in a row on both sides belong to one region on each.
            let firsts = seen & !(seen << 1);
            for at in (0..16_u8).filter(|at| firsts >> at & 1 == 1) {
                let (here, beyond) = facing(direction, at);
                if let (Some(own), Some(ordinal)) = (sheet.region_at(here), other.region_at(beyond))
                {
                    let to = Place {
                        page: next,
                        position: there,
                        ordinal,
                    };
                    visit(own, to);
                }
            }
        }
    }
}

impl Linked for Source<'_> {
    fn key(&self, page: u32) -> (PageKey, u8) {
        self.ground.key(page)
    }

    fn beside(&self, page: u32) -> [u32; 4] {
        self.ground.beside(page)
    }

    fn n_regions(&self, page: u32, position: u8) -> u8 {
        let sheet = self.view.sheet(page, position);
        let n_regions = sheet.map_or(0, ViewSheet::n_regions);
        u8::try_from(n_regions).expect("at most 128 regions")
    }

    fn for_links(&self, page: u32, position: u8, mut visit: impl FnMut(u8, Place)) {
        let Some(sheet) = self.view.sheet(page, position) else {
            return;
        };
        if sheet.told {
            self.for_told_links(page, sheet, visit);
            return;
        }
        for link in &sheet.links {
            let apart = link.position ^ position;
            let over_corner = apart & 7 != 0 && apart >> 3 != 0;
            // A body no wider than a cell can take both ways around a corner, and so can any where
            // the board tells all steps.
            let around = || {
                let there = self.view.sheet(link.page, link.position);
                !self.view.disc.is_wide() || there.is_some_and(|there| there.told)
            };
            if !over_corner || !around() {
                visit(link.own, link.to());
            }
        }
        let floors = self.ground.page(page).sheet(position);
        let side = floors.and_then(|floors| floors.side.as_deref());
        if side.is_some_and(|side| !plane::is_empty(&side.passages)) {
            let sector = self.ground.page(page).key.sector(position);
            self.view.for_passages(self.ground, sector, |from, to| {
                if (from.page, from.position) == (page, position) {
                    visit(from.ordinal, to);
                }
            });
        }
    }

    fn label(&self, place: Place) -> Option<u16> {
        let sheet = self.view.sheet(place.page, place.position)?;
        sheet.label(place.ordinal)
    }

    fn set_labels(&mut self, page: u32, position: u8, mut next: impl FnMut() -> u16) {
        let n_regions = self.n_regions(page, position);
        let page = self.view.pages[page as usize].as_deref_mut();
        if let Some(sheet) = page.and_then(|page| page.sheet_mut(position)) {
            for ordinal in 0..n_regions {
                sheet.set_label(ordinal, next());
            }
        }
    }
}
