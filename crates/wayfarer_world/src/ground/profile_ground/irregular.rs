//! Cells, regions and edges of a layer on irregular ground, floor by floor.

use wayfarer_base::{Column, Direction, SectorId};

use super::Layer;
use super::disc::Edge;
use super::moved::Moved;
use super::repair::{LayerWork, empty_sheet};
use super::step_masks::StepMasks;
use crate::ground::Ground;
use crate::ground::bitboard::{self, Bitboard, EMPTY};
use crate::ground::hierarchy::RegionSlot;
use crate::ground::irregular::{FloorSuccessors, NO_FLOOR, Neighborhood};
use crate::ground::page::{NONE, PageKey, local_of, position_of};
use crate::ground::sheet;

impl Layer {
    /// Finds the cells and regions of an irregular sector floor by floor. Returns the first page
    /// without a sheet there, and what moved.
    pub(super) fn refresh_irregular(
        &mut self,
        ground: &Ground,
        sector: SectorId,
        work: &mut LayerWork,
    ) -> (u32, Moved) {
        let position = position_of(sector);
        let mut page = ground.page_at(PageKey::from_sector(sector)).unwrap_or(NONE);
        let mut moved = Moved::Nothing;
        if ground.sheets_at(sector).next().is_none() {
            return (page, moved);
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
            let mut steps = Box::<StepMasks>::default();
            let regions = self.split(&walkable, rank, work, &mut steps);
            let mut found = empty_sheet(position);
            if !regions.is_empty() {
                found.details.get_or_insert_default().steps = Some(steps);
            }
            found.cells.set_board(&walkable);
            found.cells.base = floors.base;
            if floors.is_costly_in(&self.compiled, &walkable) {
                found.cells.flags |= sheet::WEIGHTED_HERE;
            }
            moved = moved.max(self.set_sheet((ground, number), found, &regions, work));
            page = ground.page(number).above;
        }
        (page, moved)
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

    /// The targets of all steps of the agent, at most one cell outside the sector.
    fn steps(&self, work: &LayerWork, from: u32) -> FloorSuccessors {
        if !work.walkable[from as usize] {
            return [NO_FLOOR; 8];
        }
        let mut steps = work.neighborhood.successors(from);
        for (to, direction) in steps.iter_mut().zip(Direction::ALL) {
            if *to != NO_FLOOR && !self.can_step(work, (from, *to), direction) {
                *to = NO_FLOOR;
            }
        }
        steps
    }

    /// True if the agent, which fits on `from`, can make the step to `to`.
    fn can_step(&self, work: &LayerWork, (from, to): (u32, u32), direction: Direction) -> bool {
        let neighborhood = &work.neighborhood;
        if !work.walkable[to as usize] {
            return false;
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
        fits && !(work.has_walls && crosses_wall())
    }

    /// Splits the walkable cells of a rank into parts connected by steps within the sheet, by
    /// union-find, and notes all their steps.
    fn split(
        &self,
        walkable: &Bitboard,
        rank: u8,
        work: &LayerWork,
        steps: &mut StepMasks,
    ) -> Vec<Bitboard> {
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
            for (to, direction) in self.steps(work, floor).into_iter().zip(Direction::ALL) {
                if to == NO_FLOOR {
                    continue;
                }
                let stays_on_rank = neighborhood.floor(to).rank == rank;
                steps.add(local, direction, stays_on_rank);
                if !stays_on_rank {
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

    /// The region of a floor where the agent fits, and its sector.
    fn region_slot_of(
        &self,
        ground: &Ground,
        sector: SectorId,
        work: &LayerWork,
        floor: u32,
    ) -> Option<(RegionSlot, SectorId)> {
        let (page, position, local) = ground.stored_cell(sector, &work.neighborhood, floor);
        let ordinal = self.sheet(ground, page, position)?.region_at(local)?;
        let location = RegionSlot {
            page,
            position,
            ordinal,
        };
        Some((location, ground.page(page).key.sector(position)))
    }

    /// Finds the edges between regions of an irregular sector, by page and region.
    pub(super) fn find_irregular_links(
        &self,
        ground: &Ground,
        sector: SectorId,
        work: &mut LayerWork,
        found: &mut Vec<(u32, u8, RegionSlot)>,
    ) {
        self.gather(ground, sector, work);
        self.find_region_slots(ground, sector, work);
        let inside = |x: i32, y: i32| (0..16).contains(&x) && (0..16).contains(&y);
        for (x, y) in (-1..=16).flat_map(|y| (-1..=16).map(move |x| (x, y))) {
            for from in work.neighborhood.floors_in_column(x, y) {
                let Some(slot) = work.region_slots[from as usize] else {
                    continue;
                };
                for (to, direction) in self.steps(work, from).into_iter().zip(Direction::ALL) {
                    let (dx, dy) = direction.offset();
                    if to == NO_FLOOR || !(inside(x, y) || inside(x + dx, y + dy)) {
                        continue;
                    }
                    let Some(next) = work.region_slots[to as usize] else {
                        continue;
                    };
                    for (own, other) in [(slot, next), (next, slot)] {
                        let link = (own.0.page, own.0.ordinal, other.0);
                        let is_link = own.1 == sector && own.0 != other.0;
                        if is_link && found.last() != Some(&link) {
                            found.push(link);
                        }
                    }
                }
            }
        }
    }

    /// Finds the regions of the floors of the neighborhood, up to one cell outside the sector.
    fn find_region_slots(&self, ground: &Ground, sector: SectorId, work: &mut LayerWork) {
        let mut slots = std::mem::take(&mut work.region_slots);
        slots.clear();
        slots.resize(work.neighborhood.n_floors(), None);
        for (x, y) in (-1..=16).flat_map(|y| (-1..=16).map(move |x| (x, y))) {
            for floor in work.neighborhood.floors_in_column(x, y) {
                if work.walkable[floor as usize] {
                    slots[floor as usize] = self.region_slot_of(ground, sector, work, floor);
                }
            }
        }
        work.region_slots = slots;
    }
}
