//! Flow fields: per cell of an area, the cost to the nearest of some goals and the next step.
//!
//! A field stores costs only. The next step from a cell is the first, clockwise from north and then
//! nav links by id, that leads to a cell whose cost is lower by the step's cost, so a repaired field
//! and a rebuilt one give the same paths.
//!
//! # Repair
//! Dynamic shortest paths in two phases, as in \[Ramalingam1996\] (relative). By rising cost, each
//! affected cell that no successor supports any more loses its cost, and its dependents are
//! affected in turn. Then Dijkstra spreads costs from the cells beside into what was lost and into
//! what became cheaper. Takes time in the number of affected cells, not of the field.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use wayfarer_base::collections::FastMap;
use wayfarer_base::{Cell, ChangeLog, Column, Cost, Direction, DirtySector, Rect, Revision};
use wayfarer_world::ground::{Ground, GroundDifference, NodeId, ProfileId, SuccessorBuffer};

use super::area::dirty_columns;
use super::dijkstra_sweep::{
    DijkstraSweep, SweepDirection, SweepParams, floors_around, write_predecessors,
};
use super::nav_graph::{NavGraph, inflated};
use super::overlay::nav_links_from;
use super::path::sectors_in;

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
    costs: FastMap<Cell, u32>,
    revision: Revision,
    profile_id: Option<ProfileId>,
    scratch: Scratch,
}

/// The scratch of building and repairing a field; keeps edits free of allocation.
#[derive(Clone, Debug, Default)]
struct Scratch {
    sweep: DijkstraSweep,
    nodes: Vec<NodeId>,
    buffer: SuccessorBuffer,
    predecessors: Vec<(NodeId, Cost)>,
    /// Changed columns, sorted.
    columns: Vec<Column>,
    /// Cells whose steps may have changed, then also those that lost their cost.
    dirty: Vec<Cell>,
    queue: BinaryHeap<Reverse<(u32, Cell)>>,
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
        let mut flow = Self {
            area,
            goals: Vec::new(),
            costs: FastMap::default(),
            revision: nav_graph.ground().revision(),
            profile_id: None,
            scratch: Scratch::default(),
        };
        flow.retarget(nav_graph, area, goals);
        flow
    }

    /// Rebuilds the field for another profile, area or goals, in the same memory.
    pub fn retarget<'g>(&mut self, nav_graph: impl Into<NavGraph<'g>>, area: Rect, goals: &[Cell]) {
        let nav_graph = nav_graph.into();
        self.area = area;
        self.profile_id = nav_graph.profile_id();
        self.goals.clear();
        let inside = goals.iter().filter(|goal| area.contains(goal.column()));
        self.goals.extend(inside);
        self.goals.sort_unstable();
        self.goals.dedup();
        self.rebuild(nav_graph);
    }

    /// The cost from a cell to the nearest goal; `None` if no goal is reachable within the area.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        self.costs.get(&cell).copied().map(Cost::from_units)
    }

    /// The next cell on the path from a cell; `None` at a goal and where no goal is reachable. The
    /// ground must be at the field's revision.
    pub fn next(&self, ground: &Ground, cell: Cell) -> Option<Cell> {
        let nav_graph = NavGraph::new(ground, self.profile_id).ok()?;
        let cost = *self.costs.get(&cell)?;
        if cost == 0 {
            return None;
        }
        let from = nav_graph.node(cell)?;
        let leads = |to: NodeId, step_cost: Cost| {
            let to = nav_graph.cell(to);
            let remaining = *self.costs.get(&to)?;
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

    /// The number of cells that reach a goal.
    pub fn len(&self) -> usize {
        self.costs.len()
    }

    /// True if no cell reaches a goal.
    pub fn is_empty(&self) -> bool {
        self.costs.is_empty()
    }

    /// The revision of the ground it is valid at.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The columns it covers.
    pub fn area(&self) -> Rect {
        self.area
    }

    fn rebuild(&mut self, nav_graph: NavGraph<'_>) {
        self.costs.clear();
        self.revision = nav_graph.ground().revision();
        let Scratch { sweep, nodes, .. } = &mut self.scratch;
        nodes.clear();
        nodes.extend(self.goals.iter().filter_map(|goal| nav_graph.node(*goal)));
        // Paths that leave the area do not count.
        let area = self.area;
        let costs = &mut self.costs;
        let is_inside = |cell: Cell| area.contains(cell.column());
        let params = SweepParams::new(nodes, SweepDirection::Backward);
        sweep.run_inside(nav_graph, params, is_inside, |cell, cost| {
            costs.insert(cell, cost.units());
        });
    }

    /// Brings the field up to the ground's revision, from the change sets since. Empties it if its
    /// profile is no longer registered.
    pub fn update(&mut self, ground: &Ground, log: &ChangeLog<GroundDifference>) -> FlowUpdate {
        let Ok(nav_graph) = NavGraph::new(ground, self.profile_id) else {
            self.costs.clear();
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
            predecessors,
            dirty,
            queue,
            ..
        } = &mut scratch;
        let mut n_cells = 0;
        // Remove unsupported costs, by rising cost.
        queue.clear();
        let costs = dirty.iter().map(|cell| (self.costs.get(cell), cell));
        queue.extend(costs.filter_map(|(cost, cell)| Some(Reverse((*cost?, *cell)))));
        while let Some(Reverse((cost, cell))) = queue.pop() {
            if self.costs.get(&cell) != Some(&cost) {
                continue;
            }
            n_cells += 1;
            let node = nav_graph.node(cell);
            let best = node.and_then(|node| self.best_cost(nav_graph, node, cell, buffer));
            if best.is_some_and(|best| best <= cost) {
                continue;
            }
            self.costs.remove(&cell);
            dirty.push(cell);
            if let Some(node) = node {
                write_predecessors(nav_graph, node, predecessors);
                for (from, step_cost) in predecessors.iter() {
                    let from = nav_graph.cell(*from);
                    let dependent = self.costs.get(&from);
                    if dependent == Some(&cost.saturating_add(step_cost.units())) {
                        queue.extend(dependent.map(|dependent| Reverse((*dependent, from))));
                    }
                }
            }
        }
        // Propagate from the remaining costs.
        for cell in dirty.iter().copied() {
            let node = nav_graph.node(cell);
            let best = node.and_then(|node| self.best_cost(nav_graph, node, cell, buffer));
            let known = self.costs.get(&cell).copied();
            if let Some(best) = best.filter(|best| known.is_none_or(|known| *best < known)) {
                queue.push(Reverse((best, cell)));
            }
        }
        while let Some(Reverse((cost, cell))) = queue.pop() {
            if self.costs.get(&cell).is_some_and(|known| *known <= cost) {
                continue;
            }
            n_cells += 1;
            self.costs.insert(cell, cost);
            let Some(node) = nav_graph.node(cell) else {
                continue;
            };
            write_predecessors(nav_graph, node, predecessors);
            for (from, step_cost) in predecessors.iter() {
                let from = nav_graph.cell(*from);
                let cost = cost.saturating_add(step_cost.units());
                let improves = self.costs.get(&from).is_none_or(|known| cost < *known);
                if improves && cost < u32::MAX && self.area.contains(from.column()) {
                    queue.push(Reverse((cost, from)));
                }
            }
        }
        self.scratch = scratch;
        n_cells
    }

    /// The lowest cost of a cell over its successors with a known cost.
    fn best_cost(
        &self,
        nav_graph: NavGraph<'_>,
        node: NodeId,
        cell: Cell,
        buffer: &mut SuccessorBuffer,
    ) -> Option<u32> {
        if self.goals.binary_search(&cell).is_ok() {
            return Some(0);
        }
        let successors = nav_graph.successors(node, buffer);
        let costs = successors.filter_map(|(to, step_cost)| {
            let remaining = self.costs.get(&nav_graph.cell(to))?;
            Some(remaining.saturating_add(step_cost.units()))
        });
        costs.min().filter(|cost| *cost < u32::MAX)
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
