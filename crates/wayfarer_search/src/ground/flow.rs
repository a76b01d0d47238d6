//! A flow field: for every cell of an area, which way to go to the nearest of some goals.
//!
//! The field holds what each cell costs to leave; the way follows from that: the first step,
//! clockwise from north and then nav links by name, that leads to where the rest of the cost is
//! paid. So a field that was repaired and one that was made anew show the same paths.
//!
//! # Repair
//! Cells around a change are looked at by rising cost: one that no step supports any more loses
//! its cost, and those that came over it are looked at in turn. Then costs spread again from the
//! cells beside, as in Dijkstra's search, into what was lost and into what became cheaper.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use wayfarer_base::collections::FastMap;
use wayfarer_base::{Cell, ChangeLog, Column, Cost, Direction, DirtySector, Rect, Revision};
use wayfarer_world::ground::{Ground, GroundDifference, NodeId, ProfileId, SuccessorBuffer};

use super::area::columns_touched;
use super::dijkstra_sweep::{DijkstraSweep, Span, SweepDirection, cells_around, steps_into};
use super::nav_graph::{NavGraph, grown};
use super::overlay::nav_links_from;
use super::path::sectors_of;

/// For every cell of an area the way to the nearest of some goals.
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

/// Room for making and repairing a field, kept so that edits need not ask for memory.
#[derive(Clone, Debug, Default)]
struct Scratch {
    spread: DijkstraSweep,
    nodes: Vec<NodeId>,
    buffer: SuccessorBuffer,
    into: Vec<(NodeId, Cost)>,
    /// Columns that changed, in order.
    columns: Vec<Column>,
    /// Cells whose steps may have changed, then also those that lost their cost.
    dirty: Vec<Cell>,
    queue: BinaryHeap<Reverse<(u32, Cell)>>,
}

/// How a field was brought up to date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlowUpdate {
    /// Nothing that it shows has changed.
    Holds,
    /// So many cells were looked at.
    Repaired {
        /// Cells whose cost was looked at or spread from.
        n_cells: usize,
    },
    /// It was made anew: the log does not reach back, or too much changed.
    Rebuilt,
}

impl FlowField {
    /// The field over `area` to the nearest of `goals`, those that can be stood on; paths do not
    /// leave the area.
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

    /// Makes the field anew for another agent, area or goals, in the same memory.
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

    /// What the way from a cell to the nearest goal costs; `None` if there is none.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        self.costs.get(&cell).copied().map(Cost::from_units)
    }

    /// Where to step from a cell; `None` at a goal and where there is no way. The ground must be
    /// at the field's revision.
    pub fn next(&self, ground: &Ground, cell: Cell) -> Option<Cell> {
        let nav_graph = NavGraph::new(ground, self.profile_id).ok()?;
        let cost = *self.costs.get(&cell)?;
        if cost == 0 {
            return None;
        }
        let from = nav_graph.node(cell)?;
        let leads = |to: NodeId, step_cost: Cost| {
            let to = nav_graph.cell(to);
            let rest = *self.costs.get(&to)?;
            (rest.saturating_add(step_cost.units()) == cost).then_some(to)
        };
        let mut walks = Direction::ALL.into_iter();
        let walk = walks.find_map(|direction| {
            let to = nav_graph.walk(from, direction)?;
            leads(to, nav_graph.step_cost(from, to, direction))
        });
        walk.or_else(|| {
            let mut nav_links = nav_links_from(nav_graph, cell);
            nav_links.find_map(|(nav_link, to)| leads(to, nav_link.cost))
        })
    }

    /// How many cells have a way to a goal.
    pub fn len(&self) -> usize {
        self.costs.len()
    }

    /// True if no cell has.
    pub fn is_empty(&self) -> bool {
        self.costs.is_empty()
    }

    /// The revision of the ground that it shows.
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
        let Scratch { spread, nodes, .. } = &mut self.scratch;
        nodes.clear();
        nodes.extend(self.goals.iter().filter_map(|goal| nav_graph.node(*goal)));
        // Cells outside are not spread from: their costs would be those of paths that leave.
        let area = self.area;
        let costs = &mut self.costs;
        let inside = |cell: Cell| area.contains(cell.column());
        let span = Span::new(nodes, SweepDirection::Back);
        spread.run_inside(nav_graph, span, inside, |cell, cost| {
            costs.insert(cell, cost.units());
        });
    }

    /// Brings the field up to the ground's revision, from the change sets since. If the profile it
    /// was made for is no longer registered, nothing is left in it.
    pub fn update(&mut self, ground: &Ground, log: &ChangeLog<GroundDifference>) -> FlowUpdate {
        let Ok(nav_graph) = NavGraph::new(ground, self.profile_id) else {
            self.costs.clear();
            self.revision = ground.revision();
            return FlowUpdate::Rebuilt;
        };
        if self.revision == ground.revision() {
            return FlowUpdate::Holds;
        }
        let Some(sets) = log.since(self.revision) else {
            self.rebuild(nav_graph);
            return FlowUpdate::Rebuilt;
        };
        let reach = nav_graph.reach();
        let Scratch {
            columns,
            dirty: touched,
            ..
        } = &mut self.scratch;
        columns.clear();
        touched.clear();
        let near = grown(self.area, reach + 1);
        for set in sets {
            for difference in &set.differences {
                note(difference, (near, &set.dirty_sectors), columns, touched);
            }
        }
        columns.sort_unstable();
        columns.dedup();
        self.revision = ground.revision();
        if columns.is_empty() {
            return FlowUpdate::Holds;
        }
        // A column matters to as many cells as a body is wide.
        let n_near = columns.len() * (1 + 2 * reach as usize).pow(2);
        if n_near * 8 > self.costs.len().max(64) {
            self.rebuild(nav_graph);
            return FlowUpdate::Rebuilt;
        }
        for column in columns {
            touched.extend(cells_around(nav_graph, *column));
            let around = grown(Rect::around(*column, *column), reach);
            for nav_link in sectors_of(around).flat_map(|sector| nav_graph.nav_links_in(sector)) {
                let ends = [nav_link.from, nav_link.to];
                if ends.iter().any(|end| around.contains(end.column())) {
                    touched.extend(ends);
                }
            }
        }
        touched.retain(|cell| self.area.contains(cell.column()));
        touched.sort_unstable();
        touched.dedup();
        FlowUpdate::Repaired {
            n_cells: self.repair(nav_graph),
        }
    }

    /// Makes costs true again, given every cell whose steps may have changed in `touched`.
    fn repair(&mut self, nav_graph: NavGraph<'_>) -> usize {
        let mut scratch = std::mem::take(&mut self.scratch);
        let Scratch {
            buffer,
            into,
            dirty: touched,
            queue,
            ..
        } = &mut scratch;
        let mut n_cells = 0;
        // Lose what is no longer supported, by rising cost.
        queue.clear();
        let costs = touched.iter().map(|cell| (self.costs.get(cell), cell));
        queue.extend(costs.filter_map(|(cost, cell)| Some(Reverse((*cost?, *cell)))));
        while let Some(Reverse((cost, cell))) = queue.pop() {
            if self.costs.get(&cell) != Some(&cost) {
                continue;
            }
            n_cells += 1;
            let node = nav_graph.node(cell);
            let best = node.and_then(|node| self.best(nav_graph, node, cell, buffer));
            if best.is_some_and(|best| best <= cost) {
                continue;
            }
            self.costs.remove(&cell);
            touched.push(cell);
            if let Some(node) = node {
                steps_into(nav_graph, node, into);
                for (from, step_cost) in into.iter() {
                    let from = nav_graph.cell(*from);
                    let theirs = self.costs.get(&from);
                    if theirs == Some(&cost.saturating_add(step_cost.units())) {
                        queue.extend(theirs.map(|theirs| Reverse((*theirs, from))));
                    }
                }
            }
        }
        // Spread again from what is left.
        for cell in touched.iter().copied() {
            let node = nav_graph.node(cell);
            let best = node.and_then(|node| self.best(nav_graph, node, cell, buffer));
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
            steps_into(nav_graph, node, into);
            for (from, step_cost) in into.iter() {
                let from = nav_graph.cell(*from);
                let cost = cost.saturating_add(step_cost.units());
                let is_better = self.costs.get(&from).is_none_or(|known| cost < *known);
                if is_better && cost < u32::MAX && self.area.contains(from.column()) {
                    queue.push(Reverse((cost, from)));
                }
            }
        }
        self.scratch = scratch;
        n_cells
    }

    /// The least that a cell can cost by its steps into cells whose cost is known.
    fn best(
        &self,
        nav_graph: NavGraph<'_>,
        node: NodeId,
        cell: Cell,
        buffer: &mut SuccessorBuffer,
    ) -> Option<u32> {
        if self.goals.binary_search(&cell).is_ok() {
            return Some(0);
        }
        let steps = nav_graph.steps(node, buffer);
        let costs = steps.filter_map(|(to, step_cost)| {
            let rest = self.costs.get(&nav_graph.cell(to))?;
            Some(rest.saturating_add(step_cost.units()))
        });
        costs.min().filter(|cost| *cost < u32::MAX)
    }
}

/// Notes the columns of `area` that a difference changed, and cells that may be gone.
fn note(
    difference: &GroundDifference,
    (area, dirty): (Rect, &[DirtySector]),
    columns: &mut Vec<Column>,
    lost: &mut Vec<Cell>,
) {
    let near = |column: &Column| area.contains(*column);
    match difference {
        GroundDifference::Floor { cell, .. } => {
            columns.extend(Some(cell.column()).filter(near));
            lost.push(*cell);
        }
        GroundDifference::Wall { wall, .. } => {
            columns.extend(Some(wall.cell.column()).filter(near));
        }
        GroundDifference::NavLink(nav_link) => {
            let ends = [nav_link.name.from, nav_link.name.to];
            columns.extend(ends.map(Cell::column).into_iter().filter(near));
        }
        GroundDifference::CostModifier(modifier) => {
            for modifier in modifier.before.iter().chain(&modifier.after) {
                columns.extend(columns_touched(&modifier.shape, dirty).filter(near));
            }
        }
    }
}
