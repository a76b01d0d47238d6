//! Whether an eased column can improve any path: not if a detour of equal cost existed before.
//!
//! A path that uses steps depending on a changed column enters the affected cells at one cell of
//! the ring of columns around them and leaves at another; for a body no wider than a cell that is
//! the ring of the 3 x 3 columns. If every pair of ring cells is connected without these steps at no
//! higher cost, every path over them has an equal without, and no path improves. Runs Dijkstra
//! searches over a few dozen cells; no allocation once warm.

use wayfarer_base::{Cell, Column, Direction, Rect};
use wayfarer_world::ground::NodeId;

use super::dijkstra_sweep::floors_around;
use super::nav_graph::{NavGraph, inflated};

/// The largest clearance, in columns, for which detours are searched; beyond it the ring is too
/// large.
const MAX_CLEARANCE: u32 = 2;

/// Scratch of the local searches.
#[derive(Clone, Debug, Default)]
pub(super) struct Detour {
    with_column: Vec<LocalNode>,
    without_column: Vec<LocalNode>,
}

#[derive(Clone, Copy, Debug)]
struct LocalNode {
    node: NodeId,
    cell: Cell,
    cost: u32,
    is_settled: bool,
}

impl Detour {
    /// True if steps that depend on `column` may improve some path, given which columns changed
    /// (`column` among them).
    pub(super) fn may_improve_paths(
        &mut self,
        nav_graph: NavGraph<'_>,
        column: Column,
        has_changed: impl Fn(Column) -> bool,
    ) -> bool {
        let clearance = nav_graph.clearance_columns();
        if clearance > MAX_CLEARANCE {
            return true;
        }
        let here = Rect::around(column, column);
        let (inner, around) = (inflated(here, clearance), inflated(here, clearance + 1));
        // Every step from a cell inside the ring depends on the column.
        let is_on_ring = |cell: Cell| !inner.contains(cell.column());
        let has_changed_neighbor = Direction::ALL
            .into_iter()
            .filter_map(|direction| column.step(direction))
            .any(&has_changed);
        if has_changed_neighbor {
            return true;
        }
        for from in floors_around(nav_graph, column).filter(|cell| is_on_ring(*cell)) {
            let Some(node) = nav_graph.node(from) else {
                continue;
            };
            let start = LocalNode {
                node,
                cell: from,
                cost: 0,
                is_settled: false,
            };
            let inside = |_: Cell, to: Cell| around.contains(to.column());
            local_dijkstra(nav_graph, start, u32::MAX, inside, &mut self.with_column);
            let ends = self.with_column.iter().filter(|end| is_on_ring(end.cell));
            let max_cost = ends.map(|end| end.cost).max().unwrap_or(0);
            let unchanged = |from: Cell, to: Cell| {
                let columns = inflated(Rect::around(from.column(), to.column()), clearance);
                !columns.columns().any(&has_changed)
            };
            let without = &mut self.without_column;
            local_dijkstra(nav_graph, start, max_cost, unchanged, without);
            let mut ends = self.with_column.iter().filter(|end| is_on_ring(end.cell));
            let improves = |end: &LocalNode| {
                let detour = without.iter().find(|other| other.node == end.node);
                detour.is_none_or(|detour| end.cost < detour.cost)
            };
            if ends.any(improves) {
                return true;
            }
        }
        false
    }
}

/// Finds the costs of all cells no costlier than `max_cost` over the allowed steps. The few cells
/// make a linear scan the fastest priority queue.
fn local_dijkstra(
    nav_graph: NavGraph<'_>,
    start: LocalNode,
    max_cost: u32,
    is_allowed: impl Fn(Cell, Cell) -> bool,
    found: &mut Vec<LocalNode>,
) {
    found.clear();
    found.push(start);
    while let Some(next) = (0..found.len())
        .filter(|index| !found[*index].is_settled)
        .min_by_key(|index| found[*index].cost)
    {
        found[next].is_settled = true;
        let from = found[next];
        for direction in Direction::ALL {
            let Some(to) = nav_graph.neighbor(from.node, direction) else {
                continue;
            };
            let cell = nav_graph.cell(to);
            if !is_allowed(from.cell, cell) {
                continue;
            }
            let step_cost = nav_graph.step_cost(from.node, to, direction);
            let cost = from.cost.saturating_add(step_cost.units());
            match found.iter_mut().find(|known| known.node == to) {
                Some(known) => known.cost = known.cost.min(cost),
                None if cost <= max_cost => found.push(LocalNode {
                    node: to,
                    cell,
                    cost,
                    is_settled: false,
                }),
                None => {}
            }
        }
    }
}
