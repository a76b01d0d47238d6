//! Cells and regions of a layer on irregular ground: floor by floor where their surroundings changed.

use wayfarer_base::{Direction, SectorId};

use super::disc::Edge;
use super::moved::Moved;
use super::repair::{LayerWork, empty_sheet};
use super::step_masks::StepMasks;
use super::{Layer, LayerSheetRef};
use crate::ground::Ground;
use crate::ground::bitboard::{self, Bitboard, EMPTY};
use crate::ground::irregular::{FloorSuccessors, NO_FLOOR, Neighborhood};
use crate::ground::page::{NONE, PageKey, position_of};
use crate::ground::sheet::{self, Sheet};
use crate::ground::step_table::Crossing;
use crate::ground::window::Window;

impl Layer {
    /// Finds the cells and regions of an irregular sector floor by floor: those of a window, and all if
    /// the steps of the others are not known. Returns the first page without a sheet there, and what
    /// moved; `None` if nothing changed.
    pub(super) fn refresh_irregular(
        &mut self,
        ground: &Ground,
        (sector, touched): (SectorId, Option<Window>),
        work: &mut LayerWork,
    ) -> Option<(u32, Moved)> {
        let position = position_of(sector);
        let mut page = ground.page_at(PageKey::from_sector(sector)).unwrap_or(NONE);
        let mut moved = Moved::Nothing;
        if ground.sheets_at(sector).next().is_none() {
            return Some((page, moved));
        }
        let has_steps = |(page, _): (u32, &Sheet)| {
            let known = self.sheet(ground, page, position);
            known.is_none_or(|known| known.steps().is_some())
        };
        let are_known = ground.sheets_at(sector).all(has_steps);
        let touched = if are_known {
            touched
        } else {
            Some(Window::SECTOR)
        };
        if let Some(window) = touched {
            self.gather(ground, (sector, window), work);
        }
        let mut is_same = touched.is_none();
        for (rank, (number, floors)) in (0..=u8::MAX).zip(ground.sheets_at(sector)) {
            page = ground.page(number).above;
            let known = self.sheet(ground, number, position);
            let mut walkable = known.map_or(EMPTY, |known| known.cells.walkable.board());
            let steps = known.and_then(LayerSheetRef::steps);
            let mut steps = steps.map_or_else(Box::default, |steps| Box::new(steps.clone()));
            if let Some(window) = touched {
                self.evaluate(
                    ground,
                    (sector, window, rank),
                    work,
                    (&mut walkable, &mut steps),
                );
            }
            let mut found = empty_sheet(position);
            found.cells.set_board(&walkable);
            found.cells.base = floors.base;
            if floors.is_costly_in(&self.compiled, &walkable) {
                found.cells.flags |= sheet::WEIGHTED_HERE;
            }
            let is_as_known = |known: LayerSheetRef<'_>| {
                let weight = (known.cells.flags ^ found.cells.flags) & sheet::WEIGHTED_HERE;
                are_known
                    && weight == 0
                    && known.cells.base == found.cells.base
                    && known.cells.walkable.board() == walkable
                    && known.steps() == Some(&*steps)
            };
            if known.map_or_else(|| bitboard::is_empty(&walkable), is_as_known) {
                continue;
            }
            is_same = false;
            let regions = steps.split(&walkable);
            if !regions.is_empty() {
                found.details.get_or_insert_default().steps = Some(steps);
            }
            moved = moved.max(self.set_sheet((ground, number), found, &regions, work));
        }
        // Steps into a touched sector may have changed although its own have not.
        (!is_same || self.has_sheet_from(ground, page, position)).then_some((page, moved))
    }

    /// Finds the cells of a window where the agent fits, and their steps, on one rank.
    fn evaluate(
        &self,
        ground: &Ground,
        (sector, window, rank): (SectorId, Window, u8),
        work: &LayerWork,
        (walkable, steps): (&mut Bitboard, &mut StepMasks),
    ) {
        let neighborhood = &work.neighborhood;
        steps.clear(window);
        for local in window.cells() {
            let mut floors = neighborhood.floors_at(local);
            let floor = floors.find(|floor| neighborhood.floor(*floor).rank == rank);
            let floor = floor.filter(|floor| work.walkable[*floor as usize]);
            bitboard::put(walkable, local, floor.is_some());
            let Some(floor) = floor else { continue };
            let targets = self.steps(work, floor).into_iter().zip(Direction::ALL);
            for (to, direction) in targets.filter(|(to, _)| *to != NO_FLOOR) {
                let stays_on_rank = neighborhood.floor(to).rank == rank;
                steps.add(local, direction, stays_on_rank);
                if !stays_on_rank {
                    let (page, position, to) = ground.stored_cell(sector, neighborhood, to);
                    steps.crossings.push(Crossing {
                        local,
                        direction: direction.index(),
                        position,
                        to,
                        page,
                    });
                }
            }
        }
        if !steps.crossings.is_sorted() {
            steps.crossings.sort_unstable();
        }
    }

    /// Gathers the floors around a window, and finds where the agent fits, up to one cell outside.
    fn gather(&self, ground: &Ground, (sector, window): (SectorId, Window), work: &mut LayerWork) {
        let neighborhood = &mut work.neighborhood;
        let margin = match self.disc.is_wide() {
            true => i32::try_from(self.disc.margin()).unwrap_or(16),
            false => 1,
        };
        neighborhood.gather_for(ground, &self.compiled, sector, window.grown(margin));
        work.walkable.clear();
        work.walkable.resize(neighborhood.n_floors(), false);
        work.has_walls = self.disc.is_wide() && neighborhood.has_walls();
        for (x, y) in window.grown(1).columns() {
            for floor in neighborhood.floors_in_column(x, y) {
                let fits = self
                    .disc
                    .footprint
                    .iter()
                    .all(|(dx, dy)| self.reaches_column(neighborhood, floor, (x + dx, y + dy)));
                let edges = &self.disc.edges;
                let fits =
                    fits && !(work.has_walls && self.has_wall(neighborhood, floor, (x, y), edges));
                work.walkable[floor as usize] = fits;
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
}
