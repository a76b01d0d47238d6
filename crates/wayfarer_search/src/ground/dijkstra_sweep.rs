//! Spreading out from some cells in all directions: how far it is to or from everywhere.

use wayfarer_base::{Budget, Cell, Column, Cost, Direction, LinkDirection, Rect, SectorId};
use wayfarer_world::ground::{NodeId, SuccessorBuffer};

use super::arena::{Arena, NONE, Record};
use super::nav_graph::{NavGraph, grown};
use crate::kernel::{Entry, OpenList, QuaternaryHeap};

/// Which way to spread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SweepDirection {
    /// From the sources, as one walks.
    Out,
    /// To the sources: against the steps.
    Back,
}

/// From where to spread, which way, and how far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span<'a> {
    pub(super) sources: &'a [NodeId],
    pub(super) direction: SweepDirection,
    /// Cells costlier to get to than this are not come to.
    pub(super) limit: Cost,
    pub(super) budget: Budget,
}

impl<'a> Span<'a> {
    /// Without limits.
    pub(super) const fn new(sources: &'a [NodeId], direction: SweepDirection) -> Self {
        Self {
            sources,
            direction,
            limit: Cost::MAX,
            budget: Budget::UNLIMITED,
        }
    }
}

/// A Dijkstra search in the making, and the memory it reuses.
#[derive(Clone, Debug, Default)]
pub(super) struct DijkstraSweep {
    pub(super) arena: Arena,
    open: QuaternaryHeap,
    buffer: SuccessorBuffer,
    into: Vec<(NodeId, Cost)>,
    pub(super) n_expanded: u64,
}

impl DijkstraSweep {
    /// Spreads from the sources until `visit` says stop, nothing is left within `limit`, or the
    /// budget is used up; true unless the budget was. `visit` sees each cell once, by rising cost,
    /// of equals the first discovered first.
    pub(super) fn run(
        &mut self,
        nav_graph: NavGraph<'_>,
        span: Span<'_>,
        visit: impl FnMut(NodeId, Cost) -> bool,
    ) -> bool {
        let everywhere = |_: NodeId| true;
        self.run_where(nav_graph, span, everywhere, visit)
    }

    /// As [`DijkstraSweep::run`], over the cells that `allows` allows.
    pub(super) fn run_where(
        &mut self,
        nav_graph: NavGraph<'_>,
        span: Span<'_>,
        allows: impl Fn(NodeId) -> bool,
        mut visit: impl FnMut(NodeId, Cost) -> bool,
    ) -> bool {
        self.arena.clear();
        self.open.clear(0, 0);
        self.n_expanded = 0;
        for source in span.sources {
            if self.arena.find(source.index()).is_none() {
                let record = record(*source, 0, NONE);
                let number = self.arena.add(record);
                self.open.push(Entry::new(0, 0, number));
            }
        }
        while let Some(entry) = self.open.pop() {
            let number = entry.node();
            let known = self.arena.record(number);
            if known.cost != entry.g() {
                continue;
            }
            let node = NodeId::from_index(known.node);
            if !visit(node, Cost::from_units(known.cost)) {
                return true;
            }
            if self.n_expanded >= span.budget.expansions {
                return false;
            }
            self.n_expanded += 1;
            let mut take = |to: NodeId, step_cost: Cost| {
                let cost = known.cost.saturating_add(step_cost.units());
                if cost > span.limit.units() || cost == u32::MAX || !allows(to) {
                    return;
                }
                let next = match self.arena.find(to.index()) {
                    Some(next) if self.arena.record(next).cost <= cost => return,
                    Some(next) => {
                        *self.arena.record_mut(next) = record(to, cost, number);
                        next
                    }
                    None => self.arena.add(record(to, cost, number)),
                };
                self.open.push(Entry::new(cost, cost, next));
            };
            match span.direction {
                SweepDirection::Out => {
                    let steps = nav_graph.steps(node, &mut self.buffer);
                    steps.for_each(|(to, step_cost)| take(to, step_cost));
                }
                SweepDirection::Back => {
                    steps_into(nav_graph, node, &mut self.into);
                    self.into
                        .iter()
                        .for_each(|(from, step_cost)| take(*from, *step_cost));
                }
            }
        }
        true
    }

    /// Spreads over the cells that are `inside`.
    pub(super) fn run_inside(
        &mut self,
        nav_graph: NavGraph<'_>,
        span: Span<'_>,
        inside: impl Fn(Cell) -> bool,
        mut visit: impl FnMut(Cell, Cost),
    ) {
        let allows = |node: NodeId| inside(nav_graph.cell(node));
        self.run_where(nav_graph, span, allows, |node, cost| {
            visit(nav_graph.cell(node), cost);
            true
        });
    }

    /// What it costs to get from a source to a cell (or back), if it was come to.
    pub(super) fn cost(&self, node: NodeId) -> Option<Cost> {
        let number = self.arena.find(node.index())?;
        Some(Cost::from_units(self.arena.record(number).cost))
    }

    /// The cells from a source to one that was come to, both included (or back, against the steps).
    pub(super) fn path_to(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let mut path = Vec::new();
        let mut next = self.arena.find(node.index());
        while let Some(number) = next {
            let record = self.arena.record(number);
            path.push(NodeId::from_index(record.node));
            next = (record.before != NONE).then_some(record.before);
        }
        path.into_iter().rev()
    }
}

const fn record(node: NodeId, cost: u32, before: u32) -> Record {
    Record {
        node: node.index(),
        cost,
        before,
        rest: 0,
    }
}

/// Writes every step that leads into a cell, with the cell it comes from: the eight directions
/// clockwise from north, lower floors first, then nav links in the order of their names.
pub(super) fn steps_into(nav_graph: NavGraph<'_>, node: NodeId, into: &mut Vec<(NodeId, Cost)>) {
    into.clear();
    let cell = nav_graph.cell(node);
    for direction in Direction::ALL {
        let Some(column) = cell.column().step(direction) else {
            continue;
        };
        let back = direction.opposite();
        for z in nav_graph.heights(column) {
            let Some(from) = nav_graph.node(column.at(z)) else {
                continue;
            };
            if nav_graph.walk(from, back) == Some(node) {
                into.push((from, nav_graph.step_cost(from, node, direction)));
            }
        }
    }
    let keys = nav_graph.profile().keys;
    for nav_link in nav_graph.nav_links_in(SectorId::from_column(cell.column())) {
        let there = nav_link.to == cell;
        let back = nav_link.from == cell && nav_link.direction == LinkDirection::Bidirectional;
        for (taken, end) in [(there, nav_link.from), (back, nav_link.to)] {
            if taken
                && nav_link.state.admits(keys)
                && let Some(from) = nav_graph.node(end)
            {
                into.push((from, nav_link.cost));
            }
        }
    }
}

/// Every floor of the columns from which a step can depend on `column`, walkable or not.
pub(super) fn cells_around(nav_graph: NavGraph<'_>, column: Column) -> impl Iterator<Item = Cell> {
    let around = grown(Rect::around(column, column), nav_graph.reach() + 1);
    let columns = around.columns();
    columns.flat_map(move |column| nav_graph.heights(column).map(move |z| column.at(z)))
}
