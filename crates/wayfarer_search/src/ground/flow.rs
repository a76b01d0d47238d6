//! Flow fields: per cell of an area, the cost to the nearest of some goals and the next step.
//!
//! A field stores costs only. The next step from a cell is the first, clockwise from north and then
//! nav links by id, that leads to a cell whose cost is lower by the step's cost, so a repaired field
//! and a rebuilt one give the same paths.
//!
//! # Building
//! Dijkstra's algorithm with buckets \[Dial1969\] against the direction of travel, in slices if the
//! caller wants: O(cells), no allocation once warm.
//!
//! # Repair
//! Dynamic shortest paths in two phases, as in \[Ramalingam1996\] (relative). By rising cost, each
//! affected cell that no successor supports any more loses its cost, and its dependents are
//! affected in turn. Then Dijkstra spreads costs from the cells beside into what was lost and into
//! what became cheaper. Takes time in the number of affected cells, not of the field.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use wayfarer_base::{Cell, ChangeLog, Column, Cost, Direction, DirtySector, Rect, Revision};
use wayfarer_world::ground::{Ground, GroundDifference, NodeId, ProfileId, SuccessorBuffer};

use super::area::dirty_columns;
use super::dijkstra_sweep::floors_around;
use super::nav_graph::{NavGraph, inflated};
use super::overlay::nav_links_from;
use super::path::sectors_in;

mod cost_buckets;
mod tiles;

use cost_buckets::CostBuckets;
use tiles::{CostTiles, UNKNOWN};

/// Per cell of an area the cost and the next step to the nearest of some goals.
///
/// ```
/// use wayfarer_base::{Cell, Column, Cost, Raster, Rect};
/// use wayfarer_search::ground::FlowField;
/// use wayfarer_world::ground::Ground;
///
/// let ground = Ground::from_raster(&Raster::from_bytes(4, 1, vec![0; 4]).unwrap());
/// let area = Rect::around(Column::new(0, 0), Column::new(3, 0));
/// let flow = FlowField::new(&ground, area, &[Cell::flat(3, 0)]);
/// assert_eq!(flow.next(&ground, Cell::flat(1, 0)), Some(Cell::flat(2, 0)));
/// assert_eq!(flow.cost(Cell::flat(2, 0)), Some(Cost::STRAIGHT));
/// ```
#[derive(Clone, Debug)]
pub struct FlowField {
    area: Rect,
    goals: Vec<Cell>,
    costs: CostTiles,
    /// Cells whose steps remain to be followed; none once the field is complete.
    open: CostBuckets,
    is_complete: bool,
    /// Cells whose steps were followed so far, by slices, repairs and rebuilds.
    n_followed: u64,
    revision: Revision,
    profile_id: Option<ProfileId>,
    scratch: Scratch,
}

/// The scratch of repairing a field; keeps edits free of allocation.
#[derive(Clone, Debug, Default)]
struct Scratch {
    buffer: SuccessorBuffer,
    /// Changed columns, sorted.
    columns: Vec<Column>,
    /// Cells whose steps may have changed.
    dirty: Vec<Cell>,
    /// Their slots, then also those that lost their cost.
    slots: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
}

/// How a field was brought up to date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlowUpdate {
    /// No cost of the field changed.
    Unchanged,
    /// The affected cells were repaired.
    Repaired {
        /// Cells whose cost was checked or propagated.
        n_cells: usize,
    },
    /// It was rebuilt: the log does not reach back, or too much changed.
    Rebuilt,
}

impl FlowField {
    /// The field over `area` to the nearest of the walkable `goals`; paths do not leave the area.
    pub fn new<'g>(nav_graph: impl Into<NavGraph<'g>>, area: Rect, goals: &[Cell]) -> Self {
        let nav_graph = nav_graph.into();
        let mut flow = Self::begin(nav_graph, area, goals);
        flow.advance(nav_graph, usize::MAX);
        flow
    }

    /// A field without costs; [`FlowField::advance`] builds it in slices.
    ///
    /// ```
    /// use wayfarer_base::{Cell, Column, Raster, Rect};
    /// use wayfarer_search::ground::FlowField;
    /// use wayfarer_world::ground::Ground;
    ///
    /// let ground = Ground::from_raster(&Raster::from_bytes(100, 1, vec![0; 100]).unwrap());
    /// let area = Rect::around(Column::new(0, 0), Column::new(99, 0));
    /// let mut flow = FlowField::begin(&ground, area, &[Cell::flat(99, 0)]);
    /// let mut n_slices = 0;
    /// while !flow.advance(&ground, 30) {
    ///     n_slices += 1;
    /// }
    /// assert_eq!((n_slices, flow.len()), (3, 100));
    /// ```
    pub fn begin<'g>(nav_graph: impl Into<NavGraph<'g>>, area: Rect, goals: &[Cell]) -> Self {
        let nav_graph = nav_graph.into();
        let mut flow = Self {
            area,
            goals: Vec::new(),
            costs: CostTiles::default(),
            open: CostBuckets::default(),
            is_complete: false,
            n_followed: 0,
            revision: nav_graph.ground().revision(),
            profile_id: None,
            scratch: Scratch::default(),
        };
        flow.begin_retarget(nav_graph, area, goals);
        flow
    }

    /// Rebuilds the field for another profile, area or goals, in the same memory.
    pub fn retarget<'g>(&mut self, nav_graph: impl Into<NavGraph<'g>>, area: Rect, goals: &[Cell]) {
        let nav_graph = nav_graph.into();
        self.begin_retarget(nav_graph, area, goals);
        self.advance(nav_graph, usize::MAX);
    }

    /// Empties the field for another profile, area or goals; [`FlowField::advance`] builds it in
    /// slices.
    pub fn begin_retarget<'g>(
        &mut self,
        nav_graph: impl Into<NavGraph<'g>>,
        area: Rect,
        goals: &[Cell],
    ) {
        let nav_graph = nav_graph.into();
        self.area = area;
        self.profile_id = nav_graph.profile_id();
        self.goals.clear();
        let inside = goals.iter().filter(|goal| area.contains(goal.column()));
        self.goals.extend(inside);
        self.goals.sort_unstable();
        self.goals.dedup();
        self.restart(nav_graph);
    }

    /// Follows the steps of up to `max_cells` more cells, about 50 ns each; true once the field is
    /// complete. Starts anew if the ground has changed since the last slice and the field was not
    /// [updated](FlowField::update). The caller passes the profile that it began with.
    pub fn advance<'g>(&mut self, nav_graph: impl Into<NavGraph<'g>>, max_cells: usize) -> bool {
        let nav_graph = nav_graph.into();
        if self.is_complete {
            return true;
        }
        if self.revision != nav_graph.ground().revision() {
            self.restart(nav_graph);
        }
        let Self {
            costs,
            open,
            area,
            n_followed,
            ..
        } = self;
        let mut n_cells = 0;
        while let Some((cost, slot)) = open.pop() {
            if costs.cost(slot) != cost {
                continue;
            }
            if n_cells == max_cells {
                open.push(cost, slot);
                return false;
            }
            n_cells += 1;
            *n_followed += 1;
            costs.for_each_predecessor(nav_graph, slot, *area, |costs, from, step_cost| {
                let cost = cost.saturating_add(step_cost);
                if cost < costs.cost(from) {
                    costs.set(from, cost);
                    open.push(cost, from);
                }
            });
        }
        self.is_complete = true;
        true
    }

    /// The work so far: cells whose steps were followed or checked.
    pub fn n_followed(&self) -> u64 {
        self.n_followed
    }

    /// True unless slices remain to be built.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The goals where the agent cannot stand, for instance because they are built over. If these
    /// are all goals, the field is empty.
    pub fn blocked_goals(&self) -> impl Iterator<Item = Cell> {
        let goals = self.goals.iter().copied();
        goals.filter(|goal| self.costs.get(*goal) != Some(0))
    }

    /// The cost from a cell to the nearest goal; `None` if no goal is reachable within the area, or
    /// if the cell's slice is not built yet.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        self.final_cost(cell).map(Cost::from_units)
    }

    #[inline]
    fn final_cost(&self, cell: Cell) -> Option<u32> {
        let cost = self.costs.get(cell)?;
        (self.is_complete || cost < self.open.open_cost() || cost == 0).then_some(cost)
    }

    /// The next cell on the path from a cell; `None` at a goal and where no goal is reachable. The
    /// ground must be at the field's revision.
    pub fn next(&self, ground: &Ground, cell: Cell) -> Option<Cell> {
        let nav_graph = NavGraph::new(ground, self.profile_id).ok()?;
        let cost = self.final_cost(cell)?;
        if cost == 0 {
            return None;
        }
        let from = nav_graph.node(cell)?;
        let leads = |to: NodeId, step_cost: Cost| {
            let to = nav_graph.cell(to);
            let remaining = self.costs.get(to)?;
            (remaining.saturating_add(step_cost.units()) == cost).then_some(to)
        };
        let mut directions = Direction::ALL.into_iter();
        let neighbor = directions.find_map(|direction| {
            let to = nav_graph.neighbor(from, direction)?;
            leads(to, nav_graph.step_cost(from, to, direction))
        });
        neighbor.or_else(|| {
            let mut nav_links = nav_links_from(nav_graph, cell);
            nav_links.find_map(|(nav_link, to)| leads(to, nav_link.cost))
        })
    }

    /// The number of cells that reach a goal, as far as built.
    pub fn len(&self) -> usize {
        self.costs.len()
    }

    /// True if no cell reaches a goal.
    pub fn is_empty(&self) -> bool {
        self.costs.len() == 0
    }

    /// The revision of the ground it is valid at.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The columns it covers.
    pub fn area(&self) -> Rect {
        self.area
    }

    /// Empties the field down to its goals.
    fn restart(&mut self, nav_graph: NavGraph<'_>) {
        self.costs.clear();
        self.open.clear();
        self.is_complete = false;
        self.revision = nav_graph.ground().revision();
        for goal in &self.goals {
            if nav_graph.node(*goal).is_some() {
                let slot = self.costs.slot(*goal, self.area);
                self.costs.set(slot, 0);
                self.open.push(0, slot);
            }
        }
    }

    fn rebuild(&mut self, nav_graph: NavGraph<'_>) {
        let is_sliced = !self.is_complete;
        self.restart(nav_graph);
        if !is_sliced {
            self.advance(nav_graph, usize::MAX);
        }
    }

    /// Brings the field up to the ground's revision, from the change sets since. Empties it if its
    /// profile is no longer registered. Of a field that is not complete, what is built is repaired, and
    /// the rest remains to be built.
    pub fn update(&mut self, ground: &Ground, log: &ChangeLog<GroundDifference>) -> FlowUpdate {
        let Ok(nav_graph) = NavGraph::new(ground, self.profile_id) else {
            self.costs.clear();
            self.open.clear();
            self.is_complete = true;
            self.revision = ground.revision();
            return FlowUpdate::Rebuilt;
        };
        if self.revision == ground.revision() {
            return FlowUpdate::Unchanged;
        }
        let Some(sets) = log.since(self.revision) else {
            self.rebuild(nav_graph);
            return FlowUpdate::Rebuilt;
        };
        let clearance = nav_graph.clearance_columns();
        let Scratch { columns, dirty, .. } = &mut self.scratch;
        columns.clear();
        dirty.clear();
        let near = inflated(self.area, clearance + 1);
        for set in sets {
            for difference in &set.differences {
                collect_changes(difference, (near, &set.dirty_sectors), columns, dirty);
            }
        }
        columns.sort_unstable();
        columns.dedup();
        self.revision = ground.revision();
        if columns.is_empty() {
            return FlowUpdate::Unchanged;
        }
        // A column affects the cells within the clearance of the body.
        let n_near = columns.len() * (1 + 2 * clearance as usize).pow(2);
        if n_near * 8 > self.costs.len().max(64) {
            // Little is built of one that has just begun.
            self.rebuild(nav_graph);
            return FlowUpdate::Rebuilt;
        }
        for column in columns {
            dirty.extend(floors_around(nav_graph, *column));
            let around = inflated(Rect::around(*column, *column), clearance);
            for nav_link in sectors_in(around).flat_map(|sector| nav_graph.nav_links_in(sector)) {
                let ends = [nav_link.from, nav_link.to];
                if ends.iter().any(|end| around.contains(end.column())) {
                    dirty.extend(ends);
                }
            }
        }
        dirty.retain(|cell| self.area.contains(cell.column()));
        dirty.sort_unstable();
        dirty.dedup();
        FlowUpdate::Repaired {
            n_cells: self.repair(nav_graph),
        }
    }

    /// Repairs the costs, given all cells whose steps may have changed in `scratch.dirty`.
    fn repair(&mut self, nav_graph: NavGraph<'_>) -> usize {
        let mut scratch = std::mem::take(&mut self.scratch);
        let Scratch {
            buffer,
            dirty,
            slots,
            queue,
            ..
        } = &mut scratch;
        let area = self.area;
        self.costs.begin_run();
        slots.clear();
        slots.extend(dirty.iter().map(|cell| self.costs.slot(*cell, area)));
        let mut n_cells = 0;
        // Remove unsupported costs, by rising cost.
        queue.clear();
        let known = slots.iter().map(|slot| (self.costs.cost(*slot), *slot));
        queue.extend(known.filter(|(cost, _)| *cost != UNKNOWN).map(Reverse));
        while let Some(Reverse((cost, slot))) = queue.pop() {
            if self.costs.cost(slot) != cost {
                continue;
            }
            n_cells += 1;
            if self.best_cost(nav_graph, slot, buffer) <= cost {
                continue;
            }
            self.costs.set(slot, UNKNOWN);
            slots.push(slot);
            // The dependents of a cell that is gone are dirty themselves.
            if nav_graph.node(self.costs.cell(slot)).is_none() {
                continue;
            }
            let costs = &mut self.costs;
            costs.for_each_predecessor(nav_graph, slot, area, |costs, from, step_cost| {
                let dependent = costs.cost(from);
                if dependent != UNKNOWN && dependent == cost.saturating_add(step_cost) {
                    queue.push(Reverse((dependent, from)));
                }
            });
        }
        // Propagate from the remaining costs.
        for &slot in slots.iter() {
            let best = self.best_cost(nav_graph, slot, buffer);
            if best < self.costs.cost(slot) {
                queue.push(Reverse((best, slot)));
            }
        }
        while let Some(Reverse((cost, slot))) = queue.pop() {
            if self.costs.cost(slot) <= cost {
                continue;
            }
            n_cells += 1;
            self.costs.set(slot, cost);
            if !self.is_complete && cost >= self.open.open_cost() {
                // The slices to come follow its steps.
                self.open.push(cost, slot);
                continue;
            }
            let costs = &mut self.costs;
            costs.for_each_predecessor(nav_graph, slot, area, |costs, from, step_cost| {
                let cost = cost.saturating_add(step_cost);
                if cost < costs.cost(from) {
                    queue.push(Reverse((cost, from)));
                }
            });
        }
        self.scratch = scratch;
        self.n_followed += n_cells as u64;
        n_cells
    }

    /// The lowest cost of a cell over its successors with a known cost, or [`UNKNOWN`].
    fn best_cost(&self, nav_graph: NavGraph<'_>, slot: u32, buffer: &mut SuccessorBuffer) -> u32 {
        let cell = self.costs.cell(slot);
        let Some(node) = nav_graph.node(cell) else {
            return UNKNOWN;
        };
        if self.goals.binary_search(&cell).is_ok() {
            return 0;
        }
        let successors = nav_graph.successors(node, buffer);
        let costs = successors.filter_map(|(to, step_cost)| {
            let remaining = self.costs.get(nav_graph.cell(to))?;
            Some(remaining.saturating_add(step_cost.units()))
        });
        costs.min().unwrap_or(UNKNOWN)
    }
}

/// Collects the columns of `area` that a difference changed, and cells that may be gone.
fn collect_changes(
    difference: &GroundDifference,
    (area, dirty): (Rect, &[DirtySector]),
    columns: &mut Vec<Column>,
    lost: &mut Vec<Cell>,
) {
    let near = |column: &Column| area.contains(*column);
    match difference {
        GroundDifference::Floor { .. }
        | GroundDifference::Floors(_)
        | GroundDifference::Solid(_) => difference.for_each_floor(|cell, _, _| {
            if near(&cell.column()) {
                columns.push(cell.column());
                lost.push(cell);
            }
        }),
        GroundDifference::Wall { wall, .. } => {
            columns.extend(Some(wall.cell.column()).filter(near));
        }
        GroundDifference::NavLink(nav_link) => {
            let ends = [nav_link.id.from, nav_link.id.to];
            columns.extend(ends.map(Cell::column).into_iter().filter(near));
        }
        GroundDifference::CostModifier(modifier) => {
            for modifier in modifier.before.iter().chain(&modifier.after) {
                columns.extend(dirty_columns(&modifier.shape, dirty).filter(near));
            }
        }
    }
}
