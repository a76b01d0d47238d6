//! A way over a flat map, and whether it still holds.

use wayfarer_base::{Cell, Cost, CostChange, Direction, Location, PathStatus, Revision};
use wayfarer_world::dense::DenseGround;

/// A way over a dense ground, as it was at one revision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DensePath {
    /// Every cell from start to end, both included; each is one step from the one before.
    pub cells: Vec<Cell>,
    /// What it costs to walk.
    pub cost: Cost,
    /// The revision of the ground it was found at.
    pub revision: Revision,
    /// Cells expanded to find it.
    pub expansions: u64,
}

impl DensePath {}

/// Whether `path` still holds on `ground`, from the change log and the path alone: no search.
///
/// Costs time in proportion to the cells changed since, and to the length of the path if anything
/// was closed. `Valid` is certain: nothing that opened lies near enough to make the way shorter.
/// A broken leg `k` leads from cell `k` to cell `k + 1`; the place is the cell it cannot reach.
pub fn status(ground: &DenseGround, path: &DensePath) -> PathStatus {
    let Some(changes) = ground.changes_since(path.revision) else {
        return PathStatus::Unknown;
    };
    let (Some(&start), Some(&end)) = (path.cells.first(), path.cells.last()) else {
        return PathStatus::Valid;
    };
    let (mut has_closed, mut may_shorten) = (false, false);
    for difference in changes.flat_map(|changes| &changes.differences) {
        match difference.cost_change() {
            Some(CostChange::Increase) => has_closed = true,
            Some(_) => {
                let at = difference.at.at(0);
                // A new way leads over this cell or cuts the corner at it, which saves at most
                // the difference between two straight steps and a diagonal.
                let least = octile(start, at) + octile(at, end);
                may_shorten |= least < path.cost + Cost::STRAIGHT + Cost::STRAIGHT - Cost::DIAGONAL
                    && ground.is_walkable(at);
            }
            None => {}
        }
    }
    if has_closed && let Some((leg, at)) = first_broken(ground, path) {
        return PathStatus::Invalid {
            leg,
            at: Location::Cell(at),
        };
    }
    if may_shorten {
        PathStatus::MaybeSuboptimal
    } else {
        PathStatus::Valid
    }
}

/// The first leg of `path` that is not a legal step, and the cell it cannot reach.
fn first_broken(ground: &DenseGround, path: &DensePath) -> Option<(usize, Cell)> {
    let start = *path.cells.first()?;
    if !ground.is_walkable(start) {
        return Some((0, start));
    }
    (0..)
        .zip(path.cells.windows(2))
        .find(|(_, leg)| !is_step(ground, leg[0], leg[1]))
        .map(|(place, leg)| (place, leg[1]))
}

/// True if one step leads from `from` to `to`.
fn is_step(ground: &DenseGround, from: Cell, to: Cell) -> bool {
    ground.is_walkable(from)
        && Direction::ALL.into_iter().any(|direction| {
            let moves = ground.moves()[ground.frame().number(from.x, from.y) as usize];
            moves & 1 << direction.index() != 0
                && from.column().step(direction) == Some(to.column())
                && to.z == 0
        })
}

fn octile(a: Cell, b: Cell) -> Cost {
    Cost::octile(a.x.abs_diff(b.x), a.y.abs_diff(b.y))
}

#[cfg(test)]
mod tests;
