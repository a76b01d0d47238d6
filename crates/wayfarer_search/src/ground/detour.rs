//! Whether something that opened saves anything: if one could get around it as cheaply before,
//! it does not.
//!
//! A way that uses steps around a changed column comes to them at one cell of the ring of columns
//! around all cells whose steps depend on it, and leaves them at another: for a body no wider than
//! a cell that is the ring of the 3 x 3 columns. If between all such cells there is a way without
//! these steps that costs no more, every way over them has an equal without, and nothing became
//! shorter.

use wayfarer_base::{Cell, Column, Direction, Rect};
use wayfarer_world::ground::NodeId;

use super::dijkstra_sweep::cells_around;
use super::nav_graph::{NavGraph, grown};

/// The widest reach of a body for which detours are looked for; beyond, there are too many cells.
const MAX_REACH: u32 = 2;

/// Costs of a few cells near each other, and room to find them.
#[derive(Clone, Debug, Default)]
pub(super) struct Detour {
    with: Vec<Near>,
    without: Vec<Near>,
}

#[derive(Clone, Copy, Debug)]
struct Near {
    node: NodeId,
    cell: Cell,
    cost: u32,
    is_settled: bool,
}

impl Detour {
    /// True if steps that depend on `column` may make some way shorter, given which columns
    /// changed (`column` among them).
    pub(super) fn may_shorten(
        &mut self,
        nav_graph: NavGraph<'_>,
        column: Column,
        has_changed: impl Fn(Column) -> bool,
    ) -> bool {
        let reach = nav_graph.reach();
        if reach > MAX_REACH {
            return true;
        }
        let here = Rect::around(column, column);
        let (inner, around) = (grown(here, reach), grown(here, reach + 1));
        // Whoever stands nearer than the ring depends on the column for every step.
        let is_on_ring = |cell: Cell| !inner.contains(cell.column());
        let others_changed = Direction::ALL
            .into_iter()
            .filter_map(|direction| column.step(direction))
            .any(&has_changed);
        if others_changed {
            return true;
        }
        for from in cells_around(nav_graph, column).filter(|cell| is_on_ring(*cell)) {
            let Some(node) = nav_graph.node(from) else {
                continue;
            };
            let start = Near {
                node,
                cell: from,
                cost: 0,
                is_settled: false,
            };
            let inside = |_: Cell, to: Cell| around.contains(to.column());
            spread(nav_graph, start, u32::MAX, inside, &mut self.with);
            let ends = self.with.iter().filter(|end| is_on_ring(end.cell));
            let most = ends.map(|end| end.cost).max().unwrap_or(0);
            let unchanged = |from: Cell, to: Cell| {
                let columns = grown(Rect::around(from.column(), to.column()), reach);
                !columns.columns().any(&has_changed)
            };
            spread(nav_graph, start, most, unchanged, &mut self.without);
            let mut ends = self.with.iter().filter(|end| is_on_ring(end.cell));
            let saves = |end: &Near| {
                let around = self.without.iter().find(|other| other.node == end.node);
                around.is_none_or(|around| end.cost < around.cost)
            };
            if ends.any(saves) {
                return true;
            }
        }
        false
    }
}

/// Finds what it costs to walk to all cells no costlier than `most`, over steps that are allowed;
/// for a few cells, so the list is simply looked through.
fn spread(
    nav_graph: NavGraph<'_>,
    start: Near,
    most: u32,
    allows: impl Fn(Cell, Cell) -> bool,
    found: &mut Vec<Near>,
) {
    found.clear();
    found.push(start);
    while let Some(next) = (0..found.len())
        .filter(|at| !found[*at].is_settled)
        .min_by_key(|at| found[*at].cost)
    {
        found[next].is_settled = true;
        let from = found[next];
        for direction in Direction::ALL {
            let Some(to) = nav_graph.walk(from.node, direction) else {
                continue;
            };
            let cell = nav_graph.cell(to);
            if !allows(from.cell, cell) {
                continue;
            }
            let step_cost = nav_graph.step_cost(from.node, to, direction);
            let cost = from.cost.saturating_add(step_cost.units());
            match found.iter_mut().find(|known| known.node == to) {
                Some(known) => known.cost = known.cost.min(cost),
                None if cost <= most => found.push(Near {
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
