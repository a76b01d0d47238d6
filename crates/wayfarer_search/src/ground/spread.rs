//! Spreading out from some cells in all directions: how far it is to or from everywhere.

use wayfarer_base::{Budget, Cell, Column, Cost, Direction, LinkDirection, Rect, SectorId};
use wayfarer_world::ground::{NodeId, SuccessorBuffer};

use super::arena::{Arena, NONE, Record};
use super::footing::{Footing, grown};
use crate::kernel::{Entry, OpenList, QuadHeap};

/// Which way to spread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// From the sources, as one walks.
    Out,
    /// To the sources: against the steps.
    Back,
}

/// From where to spread, which way, and how far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span<'a> {
    pub(super) sources: &'a [NodeId],
    pub(super) way: Way,
    /// Cells dearer to get to than this are not come to.
    pub(super) limit: Cost,
    pub(super) budget: Budget,
}

impl<'a> Span<'a> {
    /// Without limits.
    pub(super) const fn new(sources: &'a [NodeId], way: Way) -> Self {
        Self {
            sources,
            way,
            limit: Cost::MAX,
            budget: Budget::UNLIMITED,
        }
    }
}

/// A Dijkstra search in the making, and the memory it reuses.
#[derive(Clone, Debug, Default)]
pub(super) struct Spread {
    pub(super) arena: Arena,
    open: QuadHeap,
    buffer: SuccessorBuffer,
    into: Vec<(NodeId, Cost)>,
    pub(super) n_expanded: u64,
}

impl Spread {
    /// Spreads from the sources until `visit` says stop, nothing is left within `limit`, or the
    /// budget is used up; true unless the budget was. `visit` sees each cell once, by rising cost,
    /// of equals the first discovered first.
    pub(super) fn run(
        &mut self,
        footing: Footing<'_>,
        span: Span<'_>,
        visit: impl FnMut(NodeId, Cost) -> bool,
    ) -> bool {
        let everywhere = |_: NodeId| true;
        self.run_where(footing, span, everywhere, visit)
    }

    /// As [`Spread::run`], over the cells that `allows` allows.
    pub(super) fn run_where(
        &mut self,
        footing: Footing<'_>,
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
            if known.cost != entry.cost() {
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
            let mut take = |to: NodeId, price: Cost| {
                let cost = known.cost.saturating_add(price.units());
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
            match span.way {
                Way::Out => {
                    let steps = footing.steps(node, &mut self.buffer);
                    steps.for_each(|(to, price)| take(to, price));
                }
                Way::Back => {
                    steps_into(footing, node, &mut self.into);
                    self.into
                        .iter()
                        .for_each(|(from, price)| take(*from, *price));
                }
            }
        }
        true
    }

    /// Spreads over the cells that are `inside`.
    pub(super) fn run_inside(
        &mut self,
        footing: Footing<'_>,
        span: Span<'_>,
        inside: impl Fn(Cell) -> bool,
        mut visit: impl FnMut(Cell, Cost),
    ) {
        let allows = |node: NodeId| inside(footing.cell(node));
        self.run_where(footing, span, allows, |node, cost| {
            visit(footing.cell(node), cost);
            true
        });
    }

    /// What it costs to get from a source to a cell (or back), if it was come to.
    pub(super) fn cost(&self, node: NodeId) -> Option<Cost> {
        let number = self.arena.find(node.index())?;
        Some(Cost::from_units(self.arena.record(number).cost))
    }

    /// The cells from a source to one that was come to, both included (or back, against the steps).
    pub(super) fn way_to(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let mut way = Vec::new();
        let mut next = self.arena.find(node.index());
        while let Some(number) = next {
            let record = self.arena.record(number);
            way.push(NodeId::from_index(record.node));
            next = (record.before != NONE).then_some(record.before);
        }
        way.into_iter().rev()
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
/// clockwise from north, lower floors first, then passages in the order of their names.
pub(super) fn steps_into(footing: Footing<'_>, node: NodeId, into: &mut Vec<(NodeId, Cost)>) {
    into.clear();
    let cell = footing.cell(node);
    for direction in Direction::ALL {
        let Some(column) = cell.column().step(direction) else {
            continue;
        };
        let back = direction.opposite();
        for z in footing.heights(column) {
            let Some(from) = footing.node(column.at(z)) else {
                continue;
            };
            if footing.walk(from, back) == Some(node) {
                into.push((from, footing.step_cost(from, node, direction)));
            }
        }
    }
    let keys = footing.profile().keys;
    for passage in footing.passages_in(SectorId::of(cell.column())) {
        let there = passage.to == cell;
        let back = passage.from == cell && passage.direction == LinkDirection::Bidirectional;
        for (taken, end) in [(there, passage.from), (back, passage.to)] {
            if taken
                && passage.state.admits(keys)
                && let Some(from) = footing.node(end)
            {
                into.push((from, passage.cost));
            }
        }
    }
}

/// Every floor of the columns from which a step can depend on `column`, walkable or not.
pub(super) fn cells_around(footing: Footing<'_>, column: Column) -> impl Iterator<Item = Cell> {
    let around = grown(Rect::around(column, column), footing.reach() + 1);
    let columns = around.columns();
    columns.flat_map(move |column| footing.heights(column).map(move |z| column.at(z)))
}
