//! Repair of a profile's data after a batch: walkable cells, regions, edges, components.
//!
//! The sectors within the body's margin of a changed column are derived anew, from bits where it
//! is planar, floor by floor elsewhere. Blocks whose regions or edges differ go to the
//! hierarchy.

use wayfarer_base::{Direction, SectorId, Terrain};

use super::adjacency::{CornerSteps, LayerGraph, LayerLabels, crossings_of};
use super::levels::SectorLevels;
use super::links::LinkScope;
use super::moved::{
    Moved, has_same_border, has_same_regions, has_same_regions_outside, leads_as, moved_sides,
};
use super::open_cells::{OpenSector, OpenSectors};
use super::planar::PlanarSheet;
use super::weights::note_weights;
use super::{Layer, LayerRegion, LayerSheet, Link};
use crate::ground::Ground;
use crate::ground::bitboard::{Bitboard, EMPTY};
use crate::ground::hierarchy::{RegionSlot, RelabelScratch, block_of};
use crate::ground::irregular::Neighborhood;
use crate::ground::page::{NONE, PageKey, position_of};
use crate::ground::repair::{Dirty, sort_and_merge};
use crate::ground::scratch::SectorScratch;
use crate::ground::sheet::{self, Sheet, SheetCells};
use crate::ground::window::Window;

/// Buffers for repairing profiles.
#[derive(Clone, Debug, Default)]
pub(crate) struct LayerWork {
    pub(super) neighborhood: Neighborhood,
    /// Open cells of the sectors read.
    open: OpenSectors,
    /// Sectors whose sheets the ground may have changed.
    ground_sectors: Vec<SectorId>,
    /// The only structural sector of the batch, if its walkable cells along its edge stayed.
    kept: Option<SectorId>,
    /// For each dirty sector the heights of its ranks now.
    levels: Vec<SectorLevels>,
    /// Regions of the sheet at hand.
    parts: Vec<Bitboard>,
    /// For each floor of the neighborhood whether the agent fits on it.
    pub(super) walkable: Vec<bool>,
    /// True if the agent is wide and the neighborhood has thin walls.
    pub(super) has_walls: bool,
    relabel: RelabelScratch,
    sectors: Vec<SectorId>,
    /// Their cells that the body reaches from changed columns; a sector may be listed several times.
    touched: Vec<(SectorId, Window)>,
    /// Sectors of which only modifiers changed.
    costs: Vec<SectorId>,
    /// Sectors whose edges are found anew, and which of them.
    link_sectors: Vec<(SectorId, LinkScope)>,
    /// Blocks whose regions or edges changed.
    blocks: Vec<u32>,
    /// Sectors whose flag `WEIGHTED` may have changed.
    pub(super) weights: Vec<SectorId>,
    /// True if the flag `WEIGHTED_HERE` of the sector at hand changed.
    pub(super) has_weight_changed: bool,
    /// Neighbors of the sector at hand that what moved in it may concern: a bit per direction.
    moved_sides: u8,
}

impl LayerWork {
    /// Prepares the repair of all layers after a batch.
    pub(crate) fn begin(&mut self, ground: &Ground, dirty: &[Dirty], sectors: &SectorScratch) {
        self.ground_sectors.clear();
        let bordered = sectors.borders.iter().map(|(sector, _)| *sector);
        self.ground_sectors.extend(bordered);
        self.ground_sectors.extend_from_slice(&sectors.weights);
        let mut structural = dirty.iter().filter(|dirty| dirty.structural);
        let only = structural.next().filter(|_| structural.next().is_none());
        let keeps_border = |only: &&Dirty| {
            let now = ground.sheets_at(only.sector).next();
            let now = now.map_or(EMPTY, |(_, sheet)| sheet.walkable.board());
            has_same_border(&only.before.walkable, &now)
        };
        self.kept = only.filter(keeps_border).map(|only| only.sector);
        self.open.clear();
        self.levels.clear();
        let levels = |dirty: &Dirty| {
            let structural = dirty.structural.then_some(dirty.sector);
            structural.map_or_else(SectorLevels::default, |sector| ground.levels(sector))
        };
        self.levels.extend(dirty.iter().map(levels));
    }

    /// The cells of a sector that the body reaches from changed columns.
    fn touched_in(&self, sector: SectorId) -> Option<Window> {
        let start = self.touched.partition_point(|(at, _)| *at < sector);
        let own = self.touched[start..].iter();
        let own = own.take_while(|(at, _)| *at == sector);
        own.fold(None, |all, (_, window)| Some(window.with(all)))
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.neighborhood.heap_bytes()
            + self.touched.capacity() * size_of::<(SectorId, Window)>()
            + self.open.heap_bytes()
            + self.ground_sectors.capacity() * size_of::<SectorId>()
            + self.levels.capacity() * size_of::<SectorLevels>()
            + self.parts.capacity() * size_of::<Bitboard>()
            + self.walkable.capacity()
            + self.relabel.heap_bytes()
            + (self.sectors.capacity() + self.costs.capacity()) * size_of::<SectorId>()
            + self.link_sectors.capacity() * size_of::<(SectorId, LinkScope)>()
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
        let touched = sectors.iter().map(|sector| (*sector, Window::SECTOR));
        let mut work = LayerWork {
            touched: touched.collect(),
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
        let margin = |has_walls| i32::try_from(self.disc.repair_margin(has_walls)).unwrap_or(16);
        let margins = [margin(false), margin(true)];
        work.sectors.clear();
        work.touched.clear();
        work.costs.clear();
        for (index, dirty) in dirty.iter().enumerate() {
            if dirty.nav_links {
                self.mark_block(ground, dirty.sector, &mut work.blocks);
            }
            if !dirty.structural {
                continue;
            }
            let levels = work.levels[index];
            let before = &dirty.before.levels;
            let has_new_levels = levels != *before && !(levels.is_mixed && before.is_mixed);
            // Floors of higher ranks take headroom from those below.
            if !has_new_levels && levels.n_ranks <= 1 && !self.is_concerned(dirty) {
                continue;
            }
            let SectorId { x, y } = dirty.sector;
            let changed = Window::around(&dirty.changed_floors);
            if changed.is_none() && !has_new_levels && !dirty.nav_links {
                work.costs.push(dirty.sector);
                continue;
            }
            work.sectors.push(dirty.sector);
            if has_new_levels {
                // Whether the bits determine the steps may have changed next door.
                for (dx, dy) in Direction::ALL.map(Direction::offset) {
                    work.sectors.push(SectorId::new(x + dx, y + dy));
                }
            }
            let Some(changed) = changed else {
                continue;
            };
            let reached = changed.grown(margins[usize::from(dirty.beyond_floors)]);
            for dy in reached.low.1 >> 4..=reached.high.1 >> 4 {
                for dx in reached.low.0 >> 4..=reached.high.0 >> 4 {
                    let sector = SectorId::new(x + dx, y + dy);
                    work.sectors.push(sector);
                    let touched = reached.seen_from((-dx, -dy));
                    work.touched.extend(touched.map(|window| (sector, window)));
                }
            }
        }
        for index in 0..work.ground_sectors.len() {
            let sector = work.ground_sectors[index];
            let page = ground.page_at(PageKey::from_sector(sector));
            if page.is_some_and(|page| self.is_shared(page, position_of(sector))) {
                work.sectors.push(sector);
            }
        }
        work.touched.sort_unstable_by_key(|(sector, _)| *sector);
        let is_idle = work.sectors.is_empty() && work.costs.is_empty();
        if !(is_idle && work.blocks.is_empty() && work.relabel.is_idle()) {
            self.refresh(ground, work);
        }
    }

    /// True if a change of floors of one rank may matter to the agent: a floor it may walk on came or
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
            self.refresh_sector(ground, sector, work, &mut link_sectors);
        }
        for index in 0..work.costs.len() {
            let sector = work.costs[index];
            if sectors.binary_search(&sector).is_err() && !self.refresh_costs(ground, sector, work)
            {
                self.refresh_sector(ground, sector, work, &mut link_sectors);
            }
        }
        self.refresh_weights(ground, work);
        sort_and_merge(&mut link_sectors);
        for &(sector, scope) in &link_sectors {
            self.refresh_links(ground, (sector, scope), work);
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

    /// Finds the cells, steps and costs of a sector anew, and notes whose edges may differ.
    fn refresh_sector(
        &mut self,
        ground: &Ground,
        sector: SectorId,
        work: &mut LayerWork,
        link_sectors: &mut Vec<(SectorId, LinkScope)>,
    ) {
        work.has_weight_changed = false;
        work.moved_sides = 0;
        let Some(moved) = self.refresh_walkable(ground, sector, work) else {
            return;
        };
        note_weights(sector, work);
        let renumbered = match moved {
            Moved::Regions => LinkScope::RENUMBERED,
            _ => LinkScope::default(),
        };
        link_sectors.push((sector, LinkScope::ALL | renumbered));
        if moved != Moved::Nothing {
            let sides = work.moved_sides;
            let is_moved = |direction: &Direction| sides >> direction.index() & 1 == 1;
            for direction in Direction::ALL.into_iter().filter(is_moved) {
                let (dx, dy) = direction.offset();
                let near = SectorId::new(sector.x + dx, sector.y + dy);
                if self.is_affected(ground, near, moved) {
                    let scope = LinkScope::towards(direction.opposite());
                    link_sectors.push((near, scope | LinkScope::RENUMBERED));
                }
            }
        }
        self.mark_link_blocks(ground, sector, &mut work.blocks);
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

    /// Finds the cells of a sector where the agent fits, and their regions. Returns what moved for its
    /// neighbors; `None` if nothing changed on planar ground.
    fn refresh_walkable(
        &mut self,
        ground: &Ground,
        sector: SectorId,
        work: &mut LayerWork,
    ) -> Option<Moved> {
        let position = position_of(sector);
        let mut open = std::mem::take(&mut work.open);
        let planar = open.planar(ground, sector, &self.compiled);
        let found = if let Some(nine) = planar {
            self.refresh_planar(ground, (&nine, sector), work)
        } else {
            let touched = work.touched_in(sector);
            self.refresh_irregular(ground, (sector, touched), work)
        };
        work.open = open;
        let (mut page, mut moved) = found?;
        // Ranks without sheets, in pages that still exist.
        while page != NONE {
            moved = moved.max(self.set_sheet((ground, page), empty_sheet(position), &[], work));
            page = ground.page(page).above;
        }
        Some(moved)
    }

    /// Finds the cells and regions of a sector whose sheets are planar. Returns the first page without
    /// a sheet there, and what moved; `None` if nothing changed.
    fn refresh_planar(
        &mut self,
        ground: &Ground,
        (nine, sector): (&[&OpenSector; 9], SectorId),
        work: &mut LayerWork,
    ) -> Option<(u32, Moved)> {
        let position = position_of(sector);
        let n_ranks = usize::from(nine[4].levels.n_ranks);
        let mut page = ground.page_at(PageKey::from_sector(sector)).unwrap_or(NONE);
        let (mut moved, mut is_same) = (Moved::Nothing, true);
        for rank in 0..n_ranks {
            let own = nine[4].sheets[rank].page;
            page = ground.page(own).above;
            let Some(planar) = PlanarSheet::new(ground, self, (nine, sector), rank) else {
                if self.has_sheet(own, position) {
                    is_same = false;
                    let gone = (ground, own);
                    moved = moved.max(self.set_sheet(gone, empty_sheet(position), &[], work));
                }
                continue;
            };
            let floors = ground.page(own).sheet(position).expect("just read");
            let is_shareable = rank == 0 && planar.is_of_ground(floors);
            let was_shared = self.is_shared(own, position);
            let is_known = match self.sheet(ground, own, position) {
                // The ground no longer has what it was.
                Some(_) if was_shared => is_shareable && work.kept == Some(sector),
                Some(known) => planar.equals(known, floors) && (known.is_costly() || !is_shareable),
                None => planar.is_empty(),
            };
            if is_known {
                continue;
            }
            is_same = false;
            if is_shareable {
                moved = moved.max(self.share_sheet(own, floors, work));
                continue;
            }
            let mut found = LayerSheet {
                cells: planar.cells(position, floors),
                diagonals: planar.diagonals(),
                ..empty_sheet(position)
            };
            if let Some(steps) = planar.steps() {
                found.details.get_or_insert_default().steps = Some(steps);
            }
            let mut parts = std::mem::take(&mut work.parts);
            planar.split(&mut parts);
            moved = moved.max(self.set_sheet((ground, own), found, &parts, work));
            work.parts = parts;
        }
        (!is_same || self.has_sheet_from(ground, page, position)).then_some((page, moved))
    }

    /// True if the layer has a sheet at a position of a page or of one above it.
    pub(super) fn has_sheet_from(&self, ground: &Ground, mut page: u32, position: u8) -> bool {
        while page != NONE {
            if self.has_sheet(page, position) {
                return true;
            }
            page = ground.page(page).above;
        }
        false
    }

    /// Takes over a sheet and its regions; a sheet without walkable cells is removed. Marks its
    /// block dirty if its edges may differ. Returns what moved, for its neighbors.
    pub(super) fn set_sheet(
        &mut self,
        (ground, page): (&Ground, u32),
        mut found: LayerSheet,
        boards: &[Bitboard],
        work: &mut LayerWork,
    ) -> Moved {
        if self.pages.len() <= page as usize {
            self.pages.resize_with(page as usize + 1, || None);
        }
        if self.pages[page as usize].is_none() && boards.is_empty() {
            return Moved::Nothing;
        }
        let position = found.cells.position;
        let known = self.pages[page as usize].as_deref();
        let known = known.and_then(|here| here.own_sheet(position));
        let keeps_edges = known.is_some_and(|known| {
            let found = (found.as_sheet(), boards.len());
            self.keeps_edges((ground, page), known.as_sheet(), found)
        });
        if known.is_none_or(|known| known.as_sheet().has_bit_steps()) || boards.is_empty() {
            work.moved_sides = u8::MAX;
        }
        let here = self.pages[page as usize].get_or_insert_with(Box::default);
        found.cells.n_regions = u8::try_from(boards.len()).expect("at most 128 regions");
        let is_weighted = found.cells.flags & sheet::WEIGHTED_HERE != 0;
        let is_exact = found.as_sheet().is_bit_exact();
        let was_shared = here.is_shared(position);
        let Some(known) = here.own_sheet_mut(position) else {
            if boards.is_empty() && !was_shared {
                return Moved::Nothing;
            }
            work.blocks.push(block_of(page, position));
            if boards.is_empty() {
                here.remove(position);
                return Moved::Nothing;
            }
            found.set_regions(layer_regions(boards));
            here.insert(found);
            self.note_weight((false, is_weighted), work);
            return Moved::new((boards.len() > 1, !is_exact));
        };
        let was_weighted = known.cells.flags & sheet::WEIGHTED_HERE != 0;
        let was_exact = known.as_sheet().is_bit_exact();
        if boards.is_empty() {
            let n_regions = known.as_sheet().n_regions();
            here.remove(position);
            work.blocks.push(block_of(page, position));
            self.note_weight((was_weighted, false), work);
            return Moved::new((n_regions > 1, !was_exact));
        }
        let same = has_same_regions(known.as_sheet(), found.as_sheet(), boards);
        let sides = match same {
            true => 0,
            false => moved_sides(known.as_sheet(), found.as_sheet(), boards),
        };
        let keeps_ordinals = sides == 0;
        work.moved_sides |= sides;
        let same_outside =
            keeps_ordinals || has_same_regions_outside(known.as_sheet(), found.as_sheet(), boards);
        let leads_same = leads_as(known.as_sheet(), found.as_sheet());
        if !same || !(leads_same || keeps_edges) {
            work.blocks.push(block_of(page, position));
        }
        let kept = known.details.as_deref_mut().map(std::mem::take);
        let kept = kept.unwrap_or_default();
        if !found.as_sheet().has_bit_steps() && !kept.links.is_empty() {
            found.details.get_or_insert_default().links = kept.links;
        }
        found.label = known.label;
        let mut regions = layer_regions(boards);
        if same {
            for (region, kept) in regions.iter_mut().zip(&kept.regions) {
                region.label = kept.label;
            }
        }
        found.set_regions(regions);
        *known = found;
        self.note_weight((was_weighted, is_weighted), work);
        // Over a corner both sheets decide whether straight steps imply a step.
        let are_both_exact = is_exact && was_exact;
        let moved = Moved::new((!same_outside, !leads_same && !are_both_exact));
        if moved == Moved::Steps {
            work.moved_sides = u8::MAX;
        }
        moved.max(if keeps_ordinals {
            Moved::Nothing
        } else {
            Moved::Ordinals
        })
    }

    /// Shares the ground's sheet at a position; otherwise as [`Layer::set_sheet`].
    fn share_sheet(&mut self, page: u32, floors: &Sheet, work: &mut LayerWork) -> Moved {
        if self.pages.len() <= page as usize {
            self.pages.resize_with(page as usize + 1, || None);
        }
        let position = floors.position;
        work.moved_sides = u8::MAX;
        let here = self.pages[page as usize].get_or_insert_with(Box::default);
        let Some(known) = here.own_sheet(position) else {
            work.blocks.push(block_of(page, position));
            if !here.is_shared(position) {
                here.share(position, 0);
            }
            return Moved::Nothing;
        };
        let old = known.as_sheet();
        let was_weighted = old.cells.flags & sheet::WEIGHTED_HERE != 0;
        let (same, was_exact) = (old.n_regions() == 1, old.is_bit_exact());
        let leads_same = old.has_bit_steps()
            && old.all_crossings() == crossings_of(&floors.cells)
            && old.corner_steps() == CornerSteps::default();
        let label = old.label(0).unwrap_or_default();
        here.share(position, label);
        if !same || !leads_same {
            work.blocks.push(block_of(page, position));
        }
        self.note_weight((was_weighted, false), work);
        Moved::new((!same, !leads_same && !was_exact))
    }

    /// Finds the edges from the regions of an irregular sector, and marks blocks dirty where they
    /// differ; if ordinals next door moved, those of sheets that bits describe, too.
    fn refresh_links(
        &mut self,
        ground: &Ground,
        (sector, scope): (SectorId, LinkScope),
        work: &mut LayerWork,
    ) {
        let position = position_of(sector);
        if scope.has(LinkScope::RENUMBERED) {
            // Stored edges are compared below. Of those of wide bodies some count only if what lies
            // beyond a corner does not imply them.
            for (page, _) in ground.sheets_at(sector) {
                let sheet = self.sheet(ground, page, position);
                if sheet.is_some_and(|sheet| self.disc.is_wide() || sheet.has_bit_steps()) {
                    work.blocks.push(block_of(page, position));
                }
            }
        }
        let has_links = |(page, _): (u32, _)| {
            let sheet = self.sheet(ground, page, position);
            sheet.is_some_and(|sheet| !sheet.has_bit_steps())
        };
        if !ground.sheets_at(sector).any(has_links) {
            return;
        }
        let mut found: Vec<(u32, u8, RegionSlot)> = Vec::new();
        let mut open = std::mem::take(&mut work.open);
        if let Some(nine) = open.planar(ground, sector, &self.compiled) {
            self.find_planar_links(ground, (&nine, sector), &mut found);
        } else {
            if !scope.has(LinkScope::ALL) {
                self.keep_links(ground, (sector, scope), &mut found);
            }
            self.find_irregular_links(ground, (sector, scope), &mut found);
        }
        work.open = open;
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
            if let Some(sheet) = kept.and_then(|page| page.own_sheet_mut(position))
                && *sheet.as_sheet().links() != *links
            {
                sheet.details.get_or_insert_default().links = links;
                work.blocks.push(block_of(page, position));
            }
        }
    }

    /// Finds the edges between regions of a sector whose sheets are planar, with walls.
    fn find_planar_links(
        &self,
        ground: &Ground,
        (nine, sector): (&[&OpenSector; 9], SectorId),
        found: &mut Vec<(u32, u8, RegionSlot)>,
    ) {
        let position = position_of(sector);
        for rank in 0..usize::from(nine[4].levels.n_ranks) {
            let page = nine[4].sheets[rank].page;
            let sheet = self.sheet(ground, page, position);
            let Some(sheet) = sheet.filter(|sheet| !sheet.has_bit_steps()) else {
                continue;
            };
            let Some(planar) = PlanarSheet::new(ground, self, (nine, sector), rank) else {
                continue;
            };
            let graph = LayerGraph {
                ground,
                layer: self,
            };
            planar.for_each_step_out(|from, to| {
                let step = graph.regions_of_step(page, sheet, from, to);
                let link = step.map(|(own, to)| (page, own, to));
                if link.is_some() && found.last() != link.as_ref() {
                    found.extend(link);
                }
            });
        }
    }
}

/// A sheet without walkable cells, on irregular ground.
pub(super) fn empty_sheet(position: u8) -> LayerSheet {
    let mut cells = SheetCells::new(position, 0, Terrain::GROUND);
    cells.flags = sheet::MOVES;
    LayerSheet {
        cells,
        label: 0,
        diagonals: None,
        details: None,
    }
}

/// The regions, if there are several.
fn layer_regions(boards: &[Bitboard]) -> Box<[LayerRegion]> {
    let region = |board: &Bitboard| LayerRegion {
        board: *board,
        label: 0,
    };
    let several = if boards.len() > 1 { boards } else { &[] };
    several.iter().map(region).collect()
}
