//! Dijkstra from one or more sources, forward or backward, bounded by cost and expansions.
//!
//! The sweep behind reachability queries, explanations and flow fields. Ties: the cell generated
//! first. No allocation once warm.

use wayfarer_base::{Budget, Cell, Column, Cost, Direction, LinkDirection, Rect, SectorId};
use wayfarer_world::ground::{NodeId, SuccessorBuffer};

use super::arena::{Arena, NONE, Record};
use super::nav_graph::{NavGraph, inflated};
use crate::kernel::{Entry, QuaternaryHeap};

/// Along or against the edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SweepDirection {
    /// Costs from the sources.
    Forward,
    /// Costs to the sources.
    Backward,
}

/// Sources, direction and limits of a sweep.
#[derive(Clone, Copy, Debug)]
pub(super) struct SweepParams<'a> {
    pub(super) sources: &'a [NodeId],
    pub(super) direction: SweepDirection,
    /// Costlier cells are not generated.
    pub(super) max_cost: Cost,
    pub(super) budget: Budget,
}

impl<'a> SweepParams<'a> {
    /// Without limits.
    pub(super) const fn new(sources: &'a [NodeId], direction: SweepDirection) -> Self {
        Self {
            sources,
            direction,
            max_cost: Cost::MAX,
            budget: Budget::UNLIMITED,
        }
    }
}

/// A Dijkstra search, and the memory it reuses.
#[derive(Clone, Debug, Default)]
pub(super) struct DijkstraSweep {
    pub(super) arena: Arena,
    open: QuaternaryHeap,
    buffer: SuccessorBuffer,
    predecessors: Vec<(NodeId, Cost)>,
    pub(super) n_expanded: u64,
}

impl DijkstraSweep {
    /// Sweeps until `visit` returns false, all cells within `max_cost` are settled or the budget is
    /// used up; returns false in the last case. `visit` receives each cell once, by rising cost, of
    /// equals the first generated first.
    pub(super) fn run(
        &mut self,
        nav_graph: NavGraph<'_>,
        params: SweepParams<'_>,
        visit: impl FnMut(NodeId, Cost) -> bool,
    ) -> bool {
        self.run_where(nav_graph, params, |_| true, visit)
    }

    /// [`DijkstraSweep::run`] over the cells for which `is_allowed` holds.
    pub(super) fn run_where(
        &mut self,
        nav_graph: NavGraph<'_>,
        params: SweepParams<'_>,
        is_allowed: impl Fn(NodeId) -> bool,
        mut visit: impl FnMut(NodeId, Cost) -> bool,
    ) -> bool {
        self.arena.clear();
        self.open.clear();
        self.n_expanded = 0;
        for source in params.sources {
            if self.arena.find(source.index()).is_none() {
                let record = record(*source, 0, NONE);
                let number = self.arena.add(record);
                self.open.push(Entry::new(0, 0, number));
            }
        }
        while let Some(entry) = self.open.pop() {
            let number = entry.node();
            let known = self.arena.record(number);
            if known.g != entry.g() {
                continue;
            }
            let node = NodeId::from_index(known.node);
            if !visit(node, Cost::from_units(known.g)) {
                return true;
            }
            if self.n_expanded >= params.budget.expansions {
                return false;
            }
            self.n_expanded += 1;
            let mut take = |to: NodeId, step_cost: Cost| {
                let g = known.g.saturating_add(step_cost.units());
                if g > params.max_cost.units() || g == u32::MAX || !is_allowed(to) {
                    return;
                }
                let next = match self.arena.find(to.index()) {
                    Some(next) if self.arena.record(next).g <= g => return,
                    Some(next) => {
                        *self.arena.record_mut(next) = record(to, g, number);
                        next
                    }
                    None => self.arena.add(record(to, g, number)),
                };
                self.open.push(Entry::new(g, g, next));
            };
            match params.direction {
                SweepDirection::Forward => {
                    let successors = nav_graph.successors(node, &mut self.buffer);
                    successors.for_each(|(to, step_cost)| take(to, step_cost));
                }
                SweepDirection::Backward => {
                    write_predecessors(nav_graph, node, &mut self.predecessors);
                    self.predecessors
                        .iter()
                        .for_each(|(from, step_cost)| take(*from, *step_cost));
                }
            }
        }
        true
    }

    /// The cost between the sources and a cell, if the sweep has generated it.
    pub(super) fn cost(&self, node: NodeId) -> Option<Cost> {
        let number = self.arena.find(node.index())?;
        Some(Cost::from_units(self.arena.record(number).g))
    }

    /// The cells from a source to `node`, both included; to a source if the sweep is backward,
    /// then in reverse order.
    pub(super) fn path_to(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let mut path = Vec::new();
        let mut next = self.arena.find(node.index());
        while let Some(number) = next {
            let record = self.arena.record(number);
            path.push(NodeId::from_index(record.node));
            next = (record.parent != NONE).then_some(record.parent);
        }
        path.into_iter().rev()
    }
}

const fn record(node: NodeId, g: u32, parent: u32) -> Record {
    Record {
        node: node.index(),
        g,
        parent,
        h: 0,
    }
}

/// Writes every predecessor of a cell with the cost of its step: the eight directions clockwise
/// from north, lower floors first, then nav links in the order of their ids.
pub(super) fn write_predecessors(
    nav_graph: NavGraph<'_>,
    node: NodeId,
    predecessors: &mut Vec<(NodeId, Cost)>,
) {
    predecessors.clear();
    let cell = nav_graph.cell(node);
    let in_sheet = nav_graph.profile_ground().predecessors_in_sheet(node);
    if let Some(all) = in_sheet {
        let steps = Direction::ALL.into_iter();
        for direction in steps.filter(|at| all >> at.index() & 1 == 1) {
            let (dx, dy) = direction.offset();
            let from = node.index().wrapping_add_signed(16 * dy + dx);
            let from = NodeId::from_index(from);
            predecessors.push((from, nav_graph.step_cost(from, node, direction)));
        }
    }
    for direction in Direction::ALL.into_iter().filter(|_| in_sheet.is_none()) {
        let Some(column) = cell.column().step(direction) else {
            continue;
        };
        let back = direction.opposite();
        for z in nav_graph.heights(column) {
            let Some(from) = nav_graph.node(column.at(z)) else {
                continue;
            };
            if nav_graph.neighbor(from, back) == Some(node) {
                predecessors.push((from, nav_graph.step_cost(from, node, direction)));
            }
        }
    }
    let keys = nav_graph.profile().keys;
    for nav_link in nav_graph.nav_links_in(SectorId::from_column(cell.column())) {
        let leads_here = nav_link.to == cell;
        let leads_back =
            nav_link.from == cell && nav_link.direction == LinkDirection::Bidirectional;
        for (is_predecessor, end) in [(leads_here, nav_link.from), (leads_back, nav_link.to)] {
            if is_predecessor
                && nav_link.state.admits(keys)
                && let Some(from) = nav_graph.node(end)
            {
                predecessors.push((from, nav_link.cost));
            }
        }
    }
}

/// Every floor, walkable or not, of the columns from which a step can depend on `column`.
pub(super) fn floors_around(nav_graph: NavGraph<'_>, column: Column) -> impl Iterator<Item = Cell> {
    let clearance = nav_graph.clearance_columns();
    let around = inflated(Rect::around(column, column), clearance + 1);
    let columns = around.columns();
    columns.flat_map(move |column| nav_graph.heights(column).map(move |z| column.at(z)))
}
