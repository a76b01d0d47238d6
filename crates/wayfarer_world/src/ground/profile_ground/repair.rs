//! Repair of a profile's data after a batch: walkable cells, regions, edges, components.
//!
//! The sectors within the body's margin of a changed column are derived anew, from bits where the
//! ground is uniform, floor by floor elsewhere. Blocks whose regions or edges differ go to the
//! hierarchy.

use wayfarer_base::{Column, Direction, Rect, SectorId};

use super::adjacency::Source;
use super::uniform::UniformSector;
use super::{Link, ProfileData, ProfileRegion, ProfileSheet};
use crate::ground::Ground;
use crate::ground::bitboard::{self, Bitboard, EMPTY, PaddedBitboard};
use crate::ground::hierarchy::{RegionSlot, RelabelScratch, block_of};
use crate::ground::irregular::{NO_FLOOR, Neighborhood};
use crate::ground::page::{NONE, PageKey, local_of, position_of};
use crate::ground::repair::{Dirty, sort_and_merge};

/// Buffers for repairing profiles.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProfileWork {
    neighborhood: Neighborhood,
    /// For each floor of the neighborhood whether the agent fits on it.
    walkable: Vec<bool>,
    relabel: RelabelScratch,
    sectors: Vec<SectorId>,
    /// Sectors whose edges are found anew, and whether ordinals next to them moved.
    link_sectors: Vec<(SectorId, bool)>,
    /// Blocks whose regions or edges changed.
    blocks: Vec<u32>,
}

impl ProfileWork {
    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.neighborhood.heap_bytes()
            + self.walkable.capacity()
            + self.relabel.heap_bytes()
            + self.sectors.capacity() * size_of::<SectorId>()
            + self.link_sectors.capacity() * size_of::<(SectorId, bool)>()
            + self.blocks.capacity() * size_of::<u32>()
    }
}

impl ProfileData {
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
        let mut work = ProfileWork {
            sectors,
            ..ProfileWork::default()
        };
        self.refresh(ground, &mut work);
    }

    /// Repairs the data after a batch.
    pub(crate) fn repair(
        &mut self,
        ground: &Ground,
        dirty: &[Dirty],
        freed: &[u32],
        work: &mut ProfileWork,
    ) {
        for &page in freed {
            if self
                .pages
                .get_mut(page as usize)
                .and_then(Option::take)
                .is_some()
            {
                self.hierarchy.remove_page(page, &mut work.relabel);
            }
        }
        let margin = i32::try_from(self.disc.margin()).unwrap_or(16);
        work.sectors.clear();
        for dirty in dirty {
            if dirty.nav_links {
                self.mark_block(ground, dirty.sector, &mut work.blocks);
            }
            if !dirty.structural {
                continue;
            }
            work.sectors.push(dirty.sector);
            if dirty.was_uniform != ground.is_uniform(dirty.sector) {
                // Whether the bits determine the steps may have changed next door.
                for direction in Direction::ALL {
                    let (dx, dy) = direction.offset();
                    let sector = dirty.sector;
                    let next = SectorId::new(sector.x + dx, sector.y + dy);
                    work.sectors.push(next);
                }
            }
            let reached =
                bitboard::cells(&dirty.changed_columns).fold(Rect::EMPTY, |rect, local| {
                    let origin = dirty.sector.origin();
                    let (x, y) = (
                        origin.x + i32::from(local & 15),
                        origin.y + i32::from(local >> 4),
                    );
                    rect.including(Column::new(x - margin, y - margin))
                        .including(Column::new(x + margin, y + margin))
                });
            if !reached.is_empty() {
                let (low, high) = (
                    SectorId::from_column(reached.low),
                    SectorId::from_column(reached.high),
                );
                for y in low.y..=high.y {
                    let row = (low.x..=high.x).map(|x| SectorId::new(x, y));
                    work.sectors.extend(row);
                }
            }
        }
        self.refresh(ground, work);
    }

    /// Repairs `work.sectors`: all whose walkable cells, steps or nav links may have changed.
    fn refresh(&mut self, ground: &Ground, work: &mut ProfileWork) {
        let mut sectors = std::mem::take(&mut work.sectors);
        sectors.sort_unstable();
        sectors.dedup();
        let mut link_sectors = std::mem::take(&mut work.link_sectors);
        link_sectors.clear();
        for &sector in &sectors {
            let renumbered = self.refresh_walkable(ground, sector, work);
            link_sectors.push((sector, renumbered));
            if renumbered {
                // Neighbors refer to regions by ordinal.
                for direction in Direction::ALL {
                    let (dx, dy) = direction.offset();
                    link_sectors.push((SectorId::new(sector.x + dx, sector.y + dy), true));
                }
            }
            self.mark_link_blocks(ground, sector, &mut work.blocks);
        }
        sort_and_merge(&mut link_sectors);
        for &(sector, renumbered) in &link_sectors {
            self.refresh_links(ground, sector, renumbered, work);
        }
        (work.sectors, work.link_sectors) = (sectors, link_sectors);
        if work.blocks.is_empty() && work.relabel.is_idle() {
            return;
        }
        let mut blocks = std::mem::take(&mut work.blocks);
        blocks.sort_unstable();
        blocks.dedup();
        let mut hierarchy = std::mem::take(&mut self.hierarchy);
        let mut source = Source { ground, data: self };
        hierarchy.repair(&mut source, &blocks, &mut work.relabel);
        self.hierarchy = hierarchy;
        blocks.clear();
        work.blocks = blocks;
    }

    /// Marks the blocks at both ends of a sector's nav links dirty, on all ranks: the hierarchy
    /// resolves the nav links when it relabels a block.
    fn mark_link_blocks(&self, ground: &Ground, sector: SectorId, blocks: &mut Vec<u32>) {
        if ground.is_uniform(sector) {
            // Sectors with nav links are not uniform.
            return;
        }
        if let Some(features) = ground.features.sector(sector) {
            for nav_link in &features.nav_links {
                for end in [nav_link.from, nav_link.to] {
                    self.mark_block(ground, SectorId::from_column(end.column()), blocks);
                }
            }
        }
    }

    fn mark_block(&self, ground: &Ground, sector: SectorId, blocks: &mut Vec<u32>) {
        let mut page = ground.page_at(PageKey::from_sector(sector)).unwrap_or(NONE);
        while page != NONE {
            if self.pages.get(page as usize).is_some_and(Option::is_some) {
                blocks.push(block_of(page, position_of(sector)));
            }
            page = ground.page(page).above;
        }
    }

    /// Finds the cells of a sector where the agent fits, and their regions. Returns true if
    /// ordinals moved.
    fn refresh_walkable(
        &mut self,
        ground: &Ground,
        sector: SectorId,
        work: &mut ProfileWork,
    ) -> bool {
        let position = position_of(sector);
        let mut renumbered = false;
        let mut page = ground.page_at(PageKey::from_sector(sector)).unwrap_or(NONE);
        if let Some(uniform) = UniformSector::new(ground, self, sector) {
            let found = ProfileSheet {
                is_bit_exact: uniform.is_bit_exact,
                is_costly: uniform.is_costly,
                walkable: uniform.padded_walkable(),
                diagonals: uniform.diagonals(),
                ..empty_sheet(position)
            };
            renumbered |= self.set_sheet(page, found, &uniform.parts(), &mut work.blocks);
            page = ground.page(page).above;
        } else if ground.sheets_at(sector).next().is_some() {
            self.gather(ground, sector, work);
            for (rank, (number, _)) in (0..=u8::MAX).zip(ground.sheets_at(sector)) {
                let mut walkable = EMPTY;
                for local in 0..=u8::MAX {
                    let floor = work
                        .neighborhood
                        .floors_at(local)
                        .find(|f| work.neighborhood.floor(*f).rank == rank);
                    let fits = floor.is_some_and(|floor| work.walkable[floor as usize]);
                    bitboard::put(&mut walkable, local, fits);
                }
                let regions = self.split(&walkable, rank, work);
                let mut padded = PaddedBitboard::default();
                padded.set_board(&walkable);
                let found = ProfileSheet {
                    walkable: padded,
                    ..empty_sheet(position)
                };
                renumbered |= self.set_sheet(number, found, &regions, &mut work.blocks);
                page = ground.page(number).above;
            }
        }
        // Ranks without sheets, in pages that still exist.
        while page != NONE {
            renumbered |= self.set_sheet(page, empty_sheet(position), &[], &mut work.blocks);
            page = ground.page(page).above;
        }
        renumbered
    }

    /// Gathers the floors around a sector, and finds where the agent fits, up to one cell outside.
    fn gather(&self, ground: &Ground, sector: SectorId, work: &mut ProfileWork) {
        let neighborhood = &mut work.neighborhood;
        neighborhood.gather_for(ground, &self.compiled, sector, self.disc.margin());
        work.walkable.clear();
        work.walkable.resize(neighborhood.n_floors(), false);
        for y in -1..=16 {
            for x in -1..=16 {
                for floor in neighborhood.floors_in_column(x, y) {
                    let fits =
                        self.disc.footprint.iter().all(|(dx, dy)| {
                            self.reaches_column(neighborhood, floor, (x + dx, y + dy))
                        });
                    work.walkable[floor as usize] = fits;
                }
            }
        }
    }

    /// True if the column has a floor within step and drop limits of `floor`.
    fn reaches_column(&self, neighborhood: &Neighborhood, floor: u32, (x, y): (i32, i32)) -> bool {
        let z = neighborhood.floor(floor).z;
        neighborhood
            .floors_in_column(x, y)
            .any(|other| self.compiled.can_step(z, neighborhood.floor(other).z))
    }

    /// The target of a step of the agent, at most one cell outside the sector.
    fn step(&self, work: &ProfileWork, from: u32, direction: Direction) -> u32 {
        let neighborhood = &work.neighborhood;
        let to = neighborhood.successors(from)[usize::from(direction.index())];
        if to == NO_FLOOR || !work.walkable[from as usize] || !work.walkable[to as usize] {
            return NO_FLOOR;
        }
        let fits = !direction.is_diagonal() || {
            let (x, y) = neighborhood.column_of(from);
            self.disc.swept(direction).iter().all(|(dx, dy)| {
                let column = (x + dx, y + dy);
                self.reaches_column(neighborhood, from, column)
                    && self.reaches_column(neighborhood, to, column)
            })
        };
        if fits { to } else { NO_FLOOR }
    }

    /// Splits the walkable cells of a rank into parts connected by steps within the sheet, by
    /// union-find.
    fn split(&self, walkable: &Bitboard, rank: u8, work: &ProfileWork) -> Vec<Bitboard> {
        let neighborhood = &work.neighborhood;
        let floor_of = |local: u8| {
            neighborhood
                .floors_at(local)
                .find(|f| neighborhood.floor(*f).rank == rank)
        };
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
        for local in bitboard::cells(walkable) {
            let Some(floor) = floor_of(local) else {
                continue;
            };
            for direction in Direction::ALL {
                let to = self.step(work, floor, direction);
                if to == NO_FLOOR || neighborhood.floor(to).rank != rank {
                    continue;
                }
                let (x, y) = neighborhood.column_of(to);
                if (0..16).contains(&x) && (0..16).contains(&y) {
                    let there = local_of(Column::new(x, y));
                    let (a, b) = (find(&mut parent, local), find(&mut parent, there));
                    parent[usize::from(a.max(b))] = a.min(b);
                }
            }
        }
        let mut boards: Vec<Bitboard> = Vec::new();
        for local in bitboard::cells(walkable) {
            let root = usize::from(find(&mut parent, local));
            if region_of[root] == u8::MAX {
                region_of[root] = u8::try_from(boards.len()).expect("fewer regions than cells");
                boards.push(EMPTY);
            }
            bitboard::put(&mut boards[usize::from(region_of[root])], local, true);
        }
        boards
    }

    /// Takes over a sheet and its regions; a sheet without walkable cells is removed. Marks its
    /// block dirty if its edges may differ. Returns true if neighbors must find their edges anew:
    /// ordinals moved, or the representation of its steps changed.
    fn set_sheet(
        &mut self,
        page: u32,
        mut found: ProfileSheet,
        boards: &[Bitboard],
        blocks: &mut Vec<u32>,
    ) -> bool {
        if self.pages.len() <= page as usize {
            self.pages.resize_with(page as usize + 1, || None);
        }
        let slot = &mut self.pages[page as usize];
        if slot.is_none() && boards.is_empty() {
            return false;
        }
        let position = found.position;
        let here = slot.get_or_insert_with(Box::default);
        let at = here
            .sheets
            .binary_search_by_key(&position, |sheet| sheet.position);
        let at = match at {
            Ok(at) => at,
            Err(_) if boards.is_empty() => return false,
            Err(at) => {
                if here.sheets.len() == here.sheets.capacity() {
                    here.sheets.reserve_exact((here.sheets.len() / 8).max(1));
                }
                found.regions = profile_regions(boards);
                here.sheets.insert(at, found);
                here.set_table();
                blocks.push(block_of(page, position));
                return boards.len() > 1 || !here.sheets[at].is_bit_exact;
            }
        };
        if boards.is_empty() {
            let gone = here.sheets.remove(at);
            here.set_table();
            blocks.push(block_of(page, position));
            return gone.n_regions() > 1 || !gone.is_bit_exact;
        }
        let sheet = &mut here.sheets[at];
        let same = match &sheet.regions {
            None => boards.len() == 1,
            Some(regions) => regions.iter().map(|region| &region.board).eq(boards),
        };
        let leads_same = if found.is_bit_exact && sheet.is_bit_exact {
            sheet.all_crossings() == found.all_crossings()
        } else {
            // Edges on irregular ground are compared in `refresh_links`.
            found.is_uniform() == sheet.is_uniform()
                && found.is_bit_exact == sheet.is_bit_exact
                && (!found.is_uniform()
                    || (&found.walkable, &found.diagonals) == (&sheet.walkable, &sheet.diagonals))
        };
        if !same || !leads_same {
            blocks.push(block_of(page, position));
        }
        if !found.is_uniform() {
            found.links = std::mem::take(&mut sheet.links);
        }
        found.label = sheet.label;
        found.regions = if same {
            sheet.regions.take()
        } else {
            profile_regions(boards)
        };
        // Whether straight steps imply a corner depends on both sheets.
        let are_both_exact = found.is_bit_exact && sheet.is_bit_exact;
        *sheet = found;
        !same || !are_both_exact && !leads_same
    }

    /// Finds the edges from the regions of an irregular sector, and marks blocks dirty where they
    /// differ; the sector's own blocks too if ordinals next door moved (`renumbered`).
    fn refresh_links(
        &mut self,
        ground: &Ground,
        sector: SectorId,
        renumbered: bool,
        work: &mut ProfileWork,
    ) {
        if renumbered {
            self.mark_block(ground, sector, &mut work.blocks);
        }
        let position = position_of(sector);
        let irregular = |(page, _): (u32, _)| {
            let sheet = self.sheet(page, position);
            sheet.is_some_and(|sheet| !sheet.is_uniform())
        };
        if !ground.sheets_at(sector).any(irregular) {
            return;
        }
        self.gather(ground, sector, work);
        let mut found: Vec<(u32, u8, RegionSlot)> = Vec::new();
        for y in -1..=16 {
            for x in -1..=16 {
                for from in work.neighborhood.floors_in_column(x, y) {
                    for direction in Direction::ALL {
                        let (dx, dy) = direction.offset();
                        let inside = |x: i32, y: i32| (0..16).contains(&x) && (0..16).contains(&y);
                        if !(inside(x, y) || inside(x + dx, y + dy)) {
                            continue;
                        }
                        let to = self.step(work, from, direction);
                        if to == NO_FLOOR {
                            continue;
                        }
                        let ends = [from, to]
                            .map(|floor| self.region_slot_of(ground, sector, work, floor));
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
            let links: Box<[Link]> = own
                .map(|(_, ordinal, to)| Link::new(*ordinal, *to))
                .collect();
            let kept = self
                .pages
                .get_mut(page as usize)
                .and_then(Option::as_deref_mut);
            if let Some(sheet) = kept.and_then(|page| page.sheet_mut(position))
                && sheet.links != links
            {
                sheet.links = links;
                work.blocks.push(block_of(page, position));
            }
        }
    }

    /// The region of a floor where the agent fits, and its sector.
    fn region_slot_of(
        &self,
        ground: &Ground,
        sector: SectorId,
        work: &ProfileWork,
        floor: u32,
    ) -> Option<(RegionSlot, SectorId)> {
        let (page, position, local) = ground.stored_cell(sector, &work.neighborhood, floor);
        let ordinal = self.sheet(page, position)?.region_at(local)?;
        let location = RegionSlot {
            page,
            position,
            ordinal,
        };
        Some((location, ground.page(page).key.sector(position)))
    }
}

/// A sheet without walkable cells.
fn empty_sheet(position: u8) -> ProfileSheet {
    ProfileSheet {
        position,
        is_bit_exact: false,
        is_costly: false,
        label: 0,
        walkable: PaddedBitboard::default(),
        diagonals: None,
        regions: None,
        links: Box::default(),
    }
}

/// The regions, if there are several.
fn profile_regions(boards: &[Bitboard]) -> Option<Box<[ProfileRegion]>> {
    let region = |board: &Bitboard| ProfileRegion {
        board: *board,
        label: 0,
    };
    (boards.len() > 1).then(|| boards.iter().map(region).collect())
}
