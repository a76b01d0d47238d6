//! Repair of a profile's data after a batch: walkable cells, regions, edges, components.
//!
//! The sectors within the body's margin of a changed column are derived anew, from bits where the
//! ground is uniform, floor by floor elsewhere. Blocks whose regions or edges differ go to the
//! hierarchy.

use wayfarer_base::{Column, Direction, SectorId, Terrain};

use super::adjacency::LayerLabels;
use super::disc::Edge;
use super::open_cells::OpenSectors;
use super::uniform::UniformSector;
use super::{Layer, LayerRegion, LayerSheet, Link};
use crate::ground::Ground;
use crate::ground::bitboard::{self, Bitboard, EMPTY};
use crate::ground::hierarchy::{RegionSlot, RelabelScratch, block_of};
use crate::ground::irregular::{NO_FLOOR, Neighborhood};
use crate::ground::page::{NONE, PageKey, local_of, position_of};
use crate::ground::repair::{Dirty, sort_and_merge};
use crate::ground::sheet::{self, SheetCells};

/// Buffers for repairing profiles.
#[derive(Clone, Debug, Default)]
pub(crate) struct LayerWork {
    neighborhood: Neighborhood,
    /// Open cells of the sectors read.
    open: OpenSectors,
    /// For each dirty sector whether it is planar now.
    is_planar: Vec<bool>,
    /// Regions of the sheet at hand.
    parts: Vec<Bitboard>,
    /// For each floor of the neighborhood whether the agent fits on it.
    walkable: Vec<bool>,
    /// True if the agent is wide and the neighborhood has thin walls.
    has_walls: bool,
    relabel: RelabelScratch,
    sectors: Vec<SectorId>,
    /// Sectors whose edges are found anew, and whether ordinals next to them moved.
    link_sectors: Vec<(SectorId, bool)>,
    /// Blocks whose regions or edges changed.
    blocks: Vec<u32>,
    /// Sectors whose flag `WEIGHTED` may have changed.
    weights: Vec<SectorId>,
    /// True if the flag `WEIGHTED_HERE` of the sector at hand changed.
    has_weight_changed: bool,
}

impl LayerWork {
    /// Prepares the repair of all layers after a batch.
    pub(crate) fn begin(&mut self, ground: &Ground, dirty: &[Dirty]) {
        self.open.clear();
        self.is_planar.clear();
        let is_planar = |dirty: &Dirty| !dirty.structural || ground.is_planar(dirty.sector);
        self.is_planar.extend(dirty.iter().map(is_planar));
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.neighborhood.heap_bytes()
            + self.open.heap_bytes()
            + self.is_planar.capacity()
            + self.parts.capacity() * size_of::<Bitboard>()
            + self.walkable.capacity()
            + self.relabel.heap_bytes()
            + self.sectors.capacity() * size_of::<SectorId>()
            + self.link_sectors.capacity() * size_of::<(SectorId, bool)>()
            + self.blocks.capacity() * size_of::<u32>()
            + self.weights.capacity() * size_of::<SectorId>()
    }
}

impl Layer {
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
        let mut work = LayerWork {
            sectors,
            ..LayerWork::default()
        };
        self.refresh(ground, &mut work);
    }

    /// Repairs the data after a batch.
    pub(crate) fn repair(
        &mut self,
        ground: &Ground,
        dirty: &[Dirty],
        freed: &[u32],
        work: &mut LayerWork,
    ) {
        for &page in freed {
            let gone = self.pages.get_mut(page as usize).and_then(Option::take);
            if let Some(gone) = gone {
                self.hierarchy.remove_page(page, &mut work.relabel);
                for sheet in &gone.sheets {
                    let was_weighted = sheet.cells.flags & sheet::WEIGHTED_HERE != 0;
                    self.note_weight((was_weighted, false), work);
                }
            }
        }
        let margin = i32::try_from(self.disc.repair_margin()).unwrap_or(16);
        work.sectors.clear();
        for (index, dirty) in dirty.iter().enumerate() {
            if dirty.nav_links {
                self.mark_block(ground, dirty.sector, &mut work.blocks);
            }
            if !dirty.structural {
                continue;
            }
            let is_planar = work.is_planar[index];
            if dirty.was_planar && is_planar && !self.is_concerned(dirty) {
                continue;
            }
            let SectorId { x, y } = dirty.sector;
            work.sectors.push(dirty.sector);
            if dirty.was_planar != is_planar {
                // Whether the bits determine the steps may have changed next door.
                for (dx, dy) in Direction::ALL.map(Direction::offset) {
                    work.sectors.push(SectorId::new(x + dx, y + dy));
                }
            }
            // Modifiers concern their own sector alone.
            let Some([low, high]) = bounds(&dirty.changed_floors) else {
                continue;
            };
            let reached = |at: i32| at.div_euclid(16);
            for dy in reached(low.1 - margin)..=reached(high.1 + margin) {
                for dx in reached(low.0 - margin)..=reached(high.0 + margin) {
                    work.sectors.push(SectorId::new(x + dx, y + dy));
                }
            }
        }
        if !(work.sectors.is_empty() && work.blocks.is_empty() && work.relabel.is_idle()) {
            self.refresh(ground, work);
        }
    }

    /// True if a change of planar ground may matter to the agent: a floor it may walk on came or
    /// went, or a floor became another one to it.
    fn is_concerned(&self, dirty: &Dirty) -> bool {
        let profile = &self.compiled;
        let are_alike = dirty.exchanged & !profile.allowed_terrains == 0
            && dirty.exchanged & profile.costly_terrains == 0
            || dirty.exchanged & profile.allowed_terrains == 0;
        dirty.beyond_floors || dirty.added_or_removed & profile.allowed_terrains != 0 || !are_alike
    }

    /// Repairs `work.sectors`: all whose walkable cells, steps or nav links may have changed.
    fn refresh(&mut self, ground: &Ground, work: &mut LayerWork) {
        let mut sectors = std::mem::take(&mut work.sectors);
        sectors.sort_unstable();
        sectors.dedup();
        let mut link_sectors = std::mem::take(&mut work.link_sectors);
        link_sectors.clear();
        for &sector in &sectors {
            work.has_weight_changed = false;
            let Some(renumbered) = self.refresh_walkable(ground, sector, work) else {
                continue;
            };
            work.weights.push(sector);
            if work.has_weight_changed {
                let near = Direction::ALL.into_iter().map(|direction| {
                    let (dx, dy) = direction.offset();
                    SectorId::new(sector.x + dx, sector.y + dy)
                });
                work.weights.extend(near);
            }
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
        self.refresh_weights(ground, work);
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
        let mut source = LayerLabels {
            ground,
            layer: self,
        };
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

    /// Finds the cells of a sector where the agent fits, and their regions. Returns whether
    /// ordinals moved; `None` if nothing changed on uniform ground.
    fn refresh_walkable(
        &mut self,
        ground: &Ground,
        sector: SectorId,
        work: &mut LayerWork,
    ) -> Option<bool> {
        let position = position_of(sector);
        let (mut page, mut renumbered);
        if let Some(uniform) = UniformSector::new(ground, self, sector, &mut work.open) {
            let own = uniform.page;
            let floors = ground.page(own).sheet(position).expect("just read");
            page = ground.page(own).above;
            let is_same = match self.sheet(own, position) {
                Some(known) => uniform.equals(known, floors),
                None => uniform.is_empty(),
            };
            if is_same && !self.has_sheet_from(ground, page, position) {
                return None;
            }
            let found = LayerSheet {
                cells: uniform.cells(position, floors),
                diagonals: uniform.diagonals(),
                ..empty_sheet(position)
            };
            let mut parts = std::mem::take(&mut work.parts);
            uniform.split(&mut parts);
            renumbered = self.set_sheet(own, found, &parts, work);
            work.parts = parts;
        } else {
            (page, renumbered) = self.refresh_irregular(ground, sector, work);
        }
        // Ranks without sheets, in pages that still exist.
        while page != NONE {
            renumbered |= self.set_sheet(page, empty_sheet(position), &[], work);
            page = ground.page(page).above;
        }
        Some(renumbered)
    }

    /// True if the layer has a sheet at a position of a page or of one above it.
    fn has_sheet_from(&self, ground: &Ground, mut page: u32, position: u8) -> bool {
        while page != NONE {
            if self.sheet(page, position).is_some() {
                return true;
            }
            page = ground.page(page).above;
        }
        false
    }

    /// Finds the cells and regions of an irregular sector floor by floor. Returns the first page
    /// without a sheet there, and whether ordinals moved.
    fn refresh_irregular(
        &mut self,
        ground: &Ground,
        sector: SectorId,
        work: &mut LayerWork,
    ) -> (u32, bool) {
        let position = position_of(sector);
        let mut page = ground.page_at(PageKey::from_sector(sector)).unwrap_or(NONE);
        let mut renumbered = false;
        if ground.sheets_at(sector).next().is_none() {
            return (page, false);
        }
        self.gather(ground, sector, work);
        for (rank, (number, floors)) in (0..=u8::MAX).zip(ground.sheets_at(sector)) {
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
            let mut found = empty_sheet(position);
            found.cells.set_board(&walkable);
            found.cells.base = floors.base;
            renumbered |= self.set_sheet(number, found, &regions, work);
            page = ground.page(number).above;
        }
        (page, renumbered)
    }

    /// Gathers the floors around a sector, and finds where the agent fits, up to one cell outside.
    fn gather(&self, ground: &Ground, sector: SectorId, work: &mut LayerWork) {
        let neighborhood = &mut work.neighborhood;
        neighborhood.gather_for(ground, &self.compiled, sector, self.disc.margin());
        work.walkable.clear();
        work.walkable.resize(neighborhood.n_floors(), false);
        work.has_walls = self.disc.is_wide() && neighborhood.has_walls();
        for y in -1..=16 {
            for x in -1..=16 {
                for floor in neighborhood.floors_in_column(x, y) {
                    let fits =
                        self.disc.footprint.iter().all(|(dx, dy)| {
                            self.reaches_column(neighborhood, floor, (x + dx, y + dy))
                        });
                    let edges = &self.disc.edges;
                    let fits = fits
                        && !(work.has_walls && self.has_wall(neighborhood, floor, (x, y), edges));
                    work.walkable[floor as usize] = fits;
                }
            }
        }
    }

    /// True if a thin wall stands on one of the edges around `floor` in column (x, y).
    fn has_wall(
        &self,
        neighborhood: &Neighborhood,
        floor: u32,
        (x, y): (i32, i32),
        edges: &[Edge],
    ) -> bool {
        let z = neighborhood.floor(floor).z;
        edges.iter().any(|&((dx, dy), side)| {
            neighborhood.has_wall(&self.compiled, z, (x + dx, y + dy), side)
        })
    }

    /// True if the column has a floor within step and drop limits of `floor`.
    fn reaches_column(&self, neighborhood: &Neighborhood, floor: u32, (x, y): (i32, i32)) -> bool {
        let z = neighborhood.floor(floor).z;
        neighborhood
            .floors_in_column(x, y)
            .any(|other| self.compiled.can_step(z, neighborhood.floor(other).z))
    }

    /// The target of a step of the agent, at most one cell outside the sector.
    fn step(&self, work: &LayerWork, from: u32, direction: Direction) -> u32 {
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
        let crosses_wall = || {
            let edges = self.disc.swept_edges(direction);
            let (dx, dy) = direction.offset();
            let (x, y) = neighborhood.column_of(from);
            self.has_wall(neighborhood, from, (x, y), edges)
                // From the height of the end; offsets count from the start.
                || {
                    let z = neighborhood.floor(to).z;
                    let (end_x, end_y) = neighborhood.column_of(to);
                    edges.iter().any(|&((at_x, at_y), side)| {
                        let column = (end_x - dx + at_x, end_y - dy + at_y);
                        neighborhood.has_wall(&self.compiled, z, column, side)
                    })
                }
        };
        if fits && !(work.has_walls && crosses_wall()) {
            to
        } else {
            NO_FLOOR
        }
    }

    /// Splits the walkable cells of a rank into parts connected by steps within the sheet, by
    /// union-find.
    fn split(&self, walkable: &Bitboard, rank: u8, work: &LayerWork) -> Vec<Bitboard> {
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
        mut found: LayerSheet,
        boards: &[Bitboard],
        work: &mut LayerWork,
    ) -> bool {
        if self.pages.len() <= page as usize {
            self.pages.resize_with(page as usize + 1, || None);
        }
        let slot = &mut self.pages[page as usize];
        if slot.is_none() && boards.is_empty() {
            return false;
        }
        let position = found.cells.position;
        let here = slot.get_or_insert_with(Box::default);
        found.cells.n_regions = u8::try_from(boards.len()).expect("at most 128 regions");
        let is_weighted = found.cells.flags & sheet::WEIGHTED_HERE != 0;
        let Some(sheet) = here.sheet_mut(position) else {
            if boards.is_empty() {
                return false;
            }
            found.regions = profile_regions(boards);
            let is_exact = found.is_bit_exact();
            here.insert(found);
            work.blocks.push(block_of(page, position));
            self.note_weight((false, is_weighted), work);
            return boards.len() > 1 || !is_exact;
        };
        let was_weighted = sheet.cells.flags & sheet::WEIGHTED_HERE != 0;
        if boards.is_empty() {
            let (n_regions, is_exact) = (sheet.n_regions(), sheet.is_bit_exact());
            here.remove(position);
            work.blocks.push(block_of(page, position));
            self.note_weight((was_weighted, false), work);
            return n_regions > 1 || !is_exact;
        }
        let same = match &sheet.regions {
            None => boards.len() == 1,
            Some(regions) => regions.iter().map(|region| &region.board).eq(boards),
        };
        // Edges on irregular ground are compared in `refresh_links`.
        let leads_same = found.is_uniform() == sheet.is_uniform()
            && (!found.is_uniform()
                || sheet.all_crossings() == found.all_crossings()
                    && sheet.corner_steps() == found.corner_steps());
        let are_both_exact = found.is_bit_exact() && sheet.is_bit_exact();
        if !same || !leads_same {
            work.blocks.push(block_of(page, position));
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
        *sheet = found;
        self.note_weight((was_weighted, is_weighted), work);
        // Over a corner both sheets decide whether straight steps imply a step.
        !same || !leads_same && !are_both_exact
    }

    /// Counts the sheets with a multiplier above 1.
    fn note_weight(&mut self, (was, is): (bool, bool), work: &mut LayerWork) {
        work.has_weight_changed |= was != is;
        match (was, is) {
            (false, true) => self.n_weighted += 1,
            (true, false) => self.n_weighted -= 1,
            _ => {}
        }
    }

    /// Sets the flag `WEIGHTED` of all sheets of `work.weights`, which may list a sector twice.
    fn refresh_weights(&mut self, ground: &Ground, work: &mut LayerWork) {
        let had_any = std::mem::replace(&mut self.has_weights, self.n_weighted > 0);
        if had_any || self.has_weights {
            for &sector in &work.weights {
                self.refresh_weight(ground, sector);
            }
        }
        work.weights.clear();
    }

    /// Sets the flag `WEIGHTED` of a sector's sheet: a multiplier above 1 applies there or next
    /// door. Only planar sheets need it, and they have rank 0.
    fn refresh_weight(&mut self, ground: &Ground, sector: SectorId) {
        let Some(page) = ground.page_at(PageKey::from_sector(sector)) else {
            return;
        };
        let position = position_of(sector);
        let is_weighted = |page: u32, position: u8| {
            let cells = self.cells(page, position);
            cells.is_some_and(|cells| cells.flags & sheet::WEIGHTED_HERE != 0)
        };
        let near = Direction::ALL
            .into_iter()
            .map(|direction| ground.next_sheet(page, position, direction));
        let any = is_weighted(page, position)
            || near
                .filter(|(page, _)| *page != NONE)
                .any(|(page, position)| is_weighted(page, position));
        let here = self.pages.get_mut(page as usize);
        let here = here.and_then(Option::as_deref_mut);
        if let Some(sheet) = here.and_then(|page| page.sheet_mut(position)) {
            sheet.cells.flags &= !sheet::WEIGHTED;
            sheet.cells.flags |= if any { sheet::WEIGHTED } else { 0 };
        }
    }

    /// Finds the edges from the regions of an irregular sector, and marks blocks dirty where they
    /// differ; the sector's own blocks too if ordinals next door moved (`renumbered`).
    fn refresh_links(
        &mut self,
        ground: &Ground,
        sector: SectorId,
        renumbered: bool,
        work: &mut LayerWork,
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
        work: &LayerWork,
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

/// The first and last column and row of a board, as (x, y); `None` if it is empty.
fn bounds(board: &Bitboard) -> Option<[(i32, i32); 2]> {
    let columns = board.iter().fold(0, |all, row| all | row);
    let top = board.iter().position(|row| *row != 0)?;
    let bottom = board.iter().rposition(|row| *row != 0)?;
    let row = |at: usize| i32::try_from(at).unwrap_or(0);
    let low = columns.trailing_zeros().cast_signed();
    let high = columns.ilog2().cast_signed();
    Some([(low, row(top)), (high, row(bottom))])
}

/// A sheet without walkable cells, on irregular ground.
fn empty_sheet(position: u8) -> LayerSheet {
    let mut cells = SheetCells::new(position, 0, Terrain::GROUND);
    cells.flags = sheet::MOVES;
    LayerSheet {
        cells,
        label: 0,
        diagonals: None,
        regions: None,
        links: Box::default(),
    }
}

/// The regions, if there are several.
fn profile_regions(boards: &[Bitboard]) -> Option<Box<[LayerRegion]>> {
    let region = |board: &Bitboard| LayerRegion {
        board: *board,
        label: 0,
    };
    (boards.len() > 1).then(|| boards.iter().map(region).collect())
}
