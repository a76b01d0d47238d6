//! Whether something that opened saves anything: if one could get around it as cheaply before,
//! it does not.
//!
//! A way that uses steps around a changed column comes to them at one cell of the 3 x 3 columns
//! around it and leaves them at another. If between all such cells there is a way without these
//! steps that costs no more, every way over them has an equal without, and nothing became shorter.

use wayfarer_base::{Cell, Column, Cost, Direction};
use wayfarer_world::ground::{Ground, NodeId};

use super::spread::cells_around;

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
        ground: &Ground,
        column: Column,
        has_changed: impl Fn(Column) -> bool,
    ) -> bool {
        let is_near = |cell: Cell| is_beside(cell.column(), column);
        let others_changed = Direction::ALL
            .into_iter()
            .filter_map(|direction| column.step(direction))
            .any(&has_changed);
        if others_changed {
            return true;
        }
        for from in cells_around(ground, column).filter(|cell| cell.column() != column) {
            let Some(node) = ground.node(from) else {
                continue;
            };
            let start = Near {
                node,
                cell: from,
                cost: 0,
                is_settled: false,
            };
            let inside = |_: Cell, to: Cell| is_near(to);
            spread(ground, start, u32::MAX, inside, &mut self.with);
            let ends = self.with.iter().filter(|end| end.cell.column() != column);
            let most = ends.map(|end| end.cost).max().unwrap_or(0);
            let unchanged = |from: Cell, to: Cell| {
                let columns = [
                    from.column(),
                    to.column(),
                    Column::new(from.x, to.y),
                    Column::new(to.x, from.y),
                ];
                !columns.into_iter().any(&has_changed)
            };
            spread(ground, start, most, unchanged, &mut self.without);
            let mut ends = self.with.iter().filter(|end| end.cell.column() != column);
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

fn is_beside(a: Column, b: Column) -> bool {
    a.x.abs_diff(b.x) <= 1 && a.y.abs_diff(b.y) <= 1
}

/// Finds what it costs to walk to all cells no dearer than `most`, over steps that are allowed;
/// for a few cells, so the list is simply looked through.
fn spread(
    ground: &Ground,
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
            let Some(to) = ground.walk(from.node, direction) else {
                continue;
            };
            let cell = ground.cell(to);
            if !allows(from.cell, cell) {
                continue;
            }
            let length = Cost::of_step(direction.is_diagonal());
            let price = length.between(ground.price(from.node), ground.price(to));
            let cost = from.cost.saturating_add(price.units());
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
