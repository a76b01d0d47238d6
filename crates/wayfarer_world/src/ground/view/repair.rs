//! Keeps views true: where the agent stands, what hangs together, sector by sector.

use wayfarer_base::{Column, Direction, Rect, SectorId};

use super::plain::PlainSector;
use super::walk::floor_at;
use super::{Link, View, ViewRegion, ViewSheet};
use crate::ground::hierarchy::{Linked, Place, Work, block_of};
use crate::ground::page::{NONE, PageKey, local_of, position_of};
use crate::ground::plane::{self, Board, EMPTY};
use crate::ground::repair::Dirty;
use crate::ground::rough::{NOWHERE, Neighbourhood};
use crate::ground::{Ground, NodeId};

/// Room for repairing views.
#[derive(Clone, Debug, Default)]
pub(crate) struct ViewWork {
    hood: Neighbourhood,
    /// For each floor of the neighbourhood whether the agent stands on it.
    stands: Vec<bool>,
    work: Work,
}

impl ViewWork {
    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.hood.heap_bytes() + self.stands.capacity() + self.work.heap_bytes()
    }
}

/// A view and the ground it is of.
struct Source<'a> {
    ground: &'a Ground,
    view: &'a mut View,
}

impl View {
    /// Derives everything from the ground.
    pub(super) fn build(&mut self, ground: &Ground) {
        let mut sectors: Vec<SectorId> = ground
            .pages
            .iter()
            .flatten()
            .filter(|page| page.rank == 0)
            .flat_map(|page| {
                page.sheets
                    .iter()
                    .map(|sheet| page.key.sector(sheet.position))
            })
            .collect();
        sectors.sort_unstable();
        self.refresh(ground, &sectors, &mut ViewWork::default());
    }

    /// Makes the view true again after an edit of the ground.
    pub(crate) fn repair(
        &mut self,
        ground: &Ground,
        dirty: &[Dirty],
        freed: &[u32],
        work: &mut ViewWork,
    ) {
        for &page in freed {
            if self
                .pages
                .get_mut(page as usize)
                .and_then(Option::take)
                .is_some()
            {
                self.hierarchy.leave(page, &mut work.work);
            }
        }
        let margin = i32::try_from(self.disc.margin()).unwrap_or(16);
        let mut sectors = Vec::new();
        for dirty in dirty {
            sectors.push(dirty.sector);
            let reached = plane::cells(&dirty.changed).fold(Rect::EMPTY, |rect, local| {
                let origin = dirty.sector.origin();
                let (x, y) = (
                    origin.x + i32::from(local & 15),
                    origin.y + i32::from(local >> 4),
                );
                rect.including(Column::new(x - margin, y - margin))
                    .including(Column::new(x + margin, y + margin))
            });
            if !reached.is_empty() {
                let (low, high) = (SectorId::of(reached.low), SectorId::of(reached.high));
                for y in low.y..=high.y {
                    sectors.extend((low.x..=high.x).map(|x| SectorId::new(x, y)));
                }
            }
            // The far ends of passages that may have gained or lost an end here.
            if let Some(features) = ground.features.of(dirty.sector) {
                for passage in &features.passages {
                    let ends = [passage.from, passage.to];
                    sectors.extend(ends.map(|end| SectorId::of(end.column())));
                }
            }
        }
        sectors.sort_unstable();
        sectors.dedup();
        self.refresh(ground, &sectors, work);
    }

    fn refresh(&mut self, ground: &Ground, sectors: &[SectorId], work: &mut ViewWork) {
        for &sector in sectors {
            self.refresh_standing(ground, sector, work);
        }
        let mut around: Vec<SectorId> = sectors
            .iter()
            .flat_map(|sector| {
                (-1..=1).flat_map(move |dy| {
                    (-1..=1).map(move |dx| SectorId::new(sector.x + dx, sector.y + dy))
                })
            })
            .collect();
        around.sort_unstable();
        around.dedup();
        let mut blocks = Vec::new();
        for &sector in &around {
            self.refresh_links(ground, sector, work);
            // All ranks: a sheet that is gone leaves its block another one.
            let mut page = ground.page_at(PageKey::of(sector)).unwrap_or(NONE);
            while page != NONE {
                if self.pages.get(page as usize).is_some_and(Option::is_some) {
                    blocks.push(block_of(page, position_of(sector)));
                }
                page = ground.page(page).above;
            }
        }
        blocks.sort_unstable();
        blocks.dedup();
        let mut hierarchy = std::mem::take(&mut self.hierarchy);
        let mut source = Source { ground, view: self };
        hierarchy.repair(&mut source, &blocks, &mut work.work);
        self.hierarchy = hierarchy;
    }

    /// Finds where the agent stands in a sector, and what hangs together there.
    fn refresh_standing(&mut self, ground: &Ground, sector: SectorId, work: &mut ViewWork) {
        let position = position_of(sector);
        if let Some(plain) = PlainSector::new(ground, self, sector) {
            let page = ground
                .page_at(PageKey::of(sector))
                .expect("a plain sector has a sheet");
            self.set_sheet(page, position, plain.standing(), plain.parts());
            let above = ground.page(page).above;
            if above != u32::MAX {
                self.set_sheet(above, position, EMPTY, Vec::new());
            }
            return;
        }
        self.gather(ground, sector, work);
        for (rank, (page, _)) in (0..=u8::MAX).zip(ground.sheets_at(sector)) {
            let mut standing = EMPTY;
            for local in 0..=u8::MAX {
                let floor = work
                    .hood
                    .at(local)
                    .find(|f| work.hood.floor(*f).rank == rank);
                let stands = floor.is_some_and(|floor| work.stands[floor as usize]);
                plane::put(&mut standing, local, stands);
            }
            let regions = self.split(&standing, rank, work);
            self.set_sheet(page, position, standing, regions);
        }
        // Ranks that are gone: their pages still exist, or they were freed before.
        let mut page = ground.page_at(PageKey::of(sector)).unwrap_or(u32::MAX);
        while page != u32::MAX {
            let found = ground.page(page);
            if found.sheet(position).is_none() {
                self.set_sheet(page, position, EMPTY, Vec::new());
            }
            page = found.above;
        }
    }

    /// Gathers the floors around a sector, and judges where the agent stands, up to one step
    /// outside the sector.
    fn gather(&self, ground: &Ground, sector: SectorId, work: &mut ViewWork) {
        let hood = &mut work.hood;
        hood.gather_for(ground, &self.walker, sector, self.disc.margin());
        work.stands.clear();
        work.stands.resize(hood.n_floors(), false);
        for y in -1..=16 {
            for x in -1..=16 {
                for floor in hood.column(x, y) {
                    let stands = self
                        .disc
                        .standing
                        .iter()
                        .all(|(dx, dy)| self.reaches_column(hood, floor, (x + dx, y + dy)));
                    work.stands[floor as usize] = stands;
                }
            }
        }
    }

    /// True if the column has a floor within reach of a floor's height.
    fn reaches_column(&self, hood: &Neighbourhood, floor: u32, (x, y): (i32, i32)) -> bool {
        let z = hood.floor(floor).z;
        hood.column(x, y)
            .any(|other| self.walker.reaches(z, hood.floor(other).z))
    }

    /// Where a step of the agent leads from a floor, at most one step outside the sector.
    fn step(&self, work: &ViewWork, from: u32, direction: Direction) -> u32 {
        let hood = &work.hood;
        let to = hood.moves(from)[usize::from(direction.index())];
        if to == NOWHERE || !work.stands[from as usize] || !work.stands[to as usize] {
            return NOWHERE;
        }
        let fits = !direction.is_diagonal() || {
            let (x, y) = hood.place(from);
            self.disc.between(direction).iter().all(|(dx, dy)| {
                let square = (x + dx, y + dy);
                self.reaches_column(hood, from, square) && self.reaches_column(hood, to, square)
            })
        };
        if fits { to } else { NOWHERE }
    }

    /// Cuts standing squares of a rank into what hangs together by steps inside the sheet.
    fn split(&self, standing: &Board, rank: u8, work: &ViewWork) -> Vec<Board> {
        let hood = &work.hood;
        let floor_of = |local: u8| hood.at(local).find(|f| hood.floor(*f).rank == rank);
        let mut region_of = [u8::MAX; 256];
        let mut parent: [u8; 256] = std::array::from_fn(|at| u8::try_from(at).unwrap_or(0));
        fn find(parent: &mut [u8; 256], mut at: u8) -> u8 {
            while parent[usize::from(at)] != at {
                let over = parent[usize::from(parent[usize::from(at)])];
                parent[usize::from(at)] = over;
                at = over;
            }
            at
        }
        for local in plane::cells(standing) {
            let Some(floor) = floor_of(local) else {
                continue;
            };
            for direction in Direction::ALL {
                let to = self.step(work, floor, direction);
                if to == NOWHERE || hood.floor(to).rank != rank {
                    continue;
                }
                let (x, y) = hood.place(to);
                if (0..16).contains(&x) && (0..16).contains(&y) {
                    let there = local_of(Column::new(x, y));
                    let (a, b) = (find(&mut parent, local), find(&mut parent, there));
                    parent[usize::from(a.max(b))] = a.min(b);
                }
            }
        }
        let mut boards: Vec<Board> = Vec::new();
        for local in plane::cells(standing) {
            let root = usize::from(find(&mut parent, local));
            if region_of[root] == u8::MAX {
                region_of[root] = u8::try_from(boards.len()).expect("fewer regions than squares");
                boards.push(EMPTY);
            }
            plane::put(&mut boards[usize::from(region_of[root])], local, true);
        }
        boards
    }

    /// Takes over what was found for a sheet; a sheet without standing squares is not kept.
    fn set_sheet(&mut self, page: u32, position: u8, standing: Board, boards: Vec<Board>) {
        if self.pages.len() <= page as usize {
            self.pages.resize_with(page as usize + 1, || None);
        }
        let empty = plane::is_empty(&standing);
        let place = &mut self.pages[page as usize];
        if place.is_none() && empty {
            return;
        }
        let found = place.get_or_insert_with(Box::default);
        let many = (boards.len() > 1).then(|| {
            let regions = boards.into_iter();
            regions
                .map(|board| ViewRegion { board, label: 0 })
                .collect()
        });
        let at = found
            .sheets
            .binary_search_by_key(&position, |sheet| sheet.position);
        match at {
            Ok(at) if empty => {
                found.sheets.remove(at);
            }
            Ok(at) => {
                found.sheets[at].standing = standing;
                found.sheets[at].many = many;
            }
            Err(_) if empty => {}
            Err(at) => {
                if found.sheets.len() == found.sheets.capacity() {
                    found.sheets.reserve_exact((found.sheets.len() / 8).max(1));
                }
                let sheet = ViewSheet {
                    position,
                    label: 0,
                    standing,
                    many,
                    links: Box::default(),
                };
                found.sheets.insert(at, sheet);
            }
        }
    }

    /// Finds what leads from the regions of a sector to others.
    fn refresh_links(&mut self, ground: &Ground, sector: SectorId, work: &mut ViewWork) {
        let position = position_of(sector);
        let kept = |(page, _): &(u32, _)| self.sheet(*page, position).is_some();
        if !ground.sheets_at(sector).any(|sheet| kept(&sheet)) {
            return;
        }
        if let Some(plain) = PlainSector::new(ground, self, sector) {
            self.refresh_plain_links(ground, sector, &plain);
            return;
        }
        self.gather(ground, sector, work);
        let mut found: Vec<(u32, u8, Place)> = Vec::new();
        for y in -1..=16 {
            for x in -1..=16 {
                for from in work.hood.column(x, y) {
                    for direction in Direction::ALL {
                        let (dx, dy) = direction.offset();
                        let inside = |x: i32, y: i32| (0..16).contains(&x) && (0..16).contains(&y);
                        if !(inside(x, y) || inside(x + dx, y + dy)) {
                            continue;
                        }
                        let to = self.step(work, from, direction);
                        if to == NOWHERE {
                            continue;
                        }
                        let ends =
                            [from, to].map(|floor| self.place_of(ground, sector, work, floor));
                        let [Some(from), Some(to)] = ends else {
                            continue;
                        };
                        for (own, other) in [(from, to), (to, from)] {
                            if own.1 == sector && own.0 != other.0 {
                                found.push((own.0.page, own.0.ordinal, other.0));
                            }
                        }
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        let pages: Vec<u32> = ground.sheets_at(sector).map(|(page, _)| page).collect();
        for page in pages {
            let own = found.iter().filter(|(of, _, _)| *of == page);
            let links = own
                .map(|(_, ordinal, to)| Link::new(*ordinal, *to))
                .collect();
            let kept = self
                .pages
                .get_mut(page as usize)
                .and_then(Option::as_deref_mut);
            if let Some(sheet) = kept.and_then(|page| page.sheet_mut(position)) {
                sheet.links = links;
            }
        }
    }

    /// The same for a sector of plain ground.
    fn refresh_plain_links(&mut self, ground: &Ground, sector: SectorId, plain: &PlainSector) {
        let position = position_of(sector);
        let page = ground
            .page_at(PageKey::of(sector))
            .expect("a plain sector has a sheet");
        let Some(sheet) = self.sheet(page, position) else {
            return;
        };
        let mut links: Vec<Link> = Vec::new();
        plain.for_crossings(|here, direction, there| {
            let (next, next_position) = ground.next_sheet(page, position, direction);
            let other = self.sheet(next, next_position);
            let ends = (
                sheet.region_at(here),
                other.and_then(|other| other.region_at(there)),
            );
            if let (Some(own), Some(ordinal)) = ends {
                let to = Place {
                    page: next,
                    position: next_position,
                    ordinal,
                };
                let link = Link::new(own, to);
                if links.last() != Some(&link) {
                    links.push(link);
                }
            }
        });
        links.sort_unstable();
        links.dedup();
        let kept = self.pages[page as usize].as_deref_mut();
        if let Some(sheet) = kept.and_then(|page| page.sheet_mut(position)) {
            sheet.links = links.into_boxed_slice();
        }
    }

    /// The region of a floor on which the agent stands, and its sector.
    fn place_of(
        &self,
        ground: &Ground,
        sector: SectorId,
        work: &ViewWork,
        floor: u32,
    ) -> Option<(Place, SectorId)> {
        let (page, position, local) = ground.place_of(sector, &work.hood, floor);
        let ordinal = self.sheet(page, position)?.region_at(local)?;
        let place = Place {
            page,
            position,
            ordinal,
        };
        Some((place, ground.page(page).key.sector(position)))
    }

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
        for link in &sheet.links {
            let apart = link.position ^ position;
            let over_corner = apart & 7 != 0 && apart >> 3 != 0;
            // A body no wider than a cell can take both ways around a corner.
            if !over_corner || self.view.disc.is_wide() {
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
