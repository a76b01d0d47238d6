//! Paths on a flat grid, and whether they are still valid.

use wayfarer_base::{Cell, Cost, CostChange, Direction, Location, PathStatus, Revision};
use wayfarer_world::dense::DenseGround;

/// A path over a dense ground, valid at one revision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DensePath {
    /// Every cell from start to end, both included; each is one step from the one before.
    pub cells: Vec<Cell>,
    /// Its cost.
    pub cost: Cost,
    /// The revision of the ground at which it was found.
    pub revision: Revision,
    /// Cells expanded by the search.
    pub expansions: u64,
}

/// Whether `path` is still valid on `ground`, from the change log and the path alone, without a
/// search.
///
/// Takes time linear in the cells changed since, and in the length of the path if a cell was
/// removed. `Valid` is certain: no added cell can lie on a cheaper path. An invalid leg `k` leads
/// from cell `k` to cell `k + 1`; the reported location is the cell it fails to reach.
pub fn status(ground: &DenseGround, path: &DensePath) -> PathStatus {
    let Some(changes) = ground.changes_since(path.revision) else {
        return PathStatus::Unknown;
    };
    let (Some(&start), Some(&end)) = (path.cells.first(), path.cells.last()) else {
        return PathStatus::Valid;
    };
    let (mut has_removed, mut may_improve) = (false, false);
    for difference in changes.flat_map(|changes| &changes.differences) {
        match difference.cost_change() {
            Some(CostChange::Increase) => has_removed = true,
            Some(_) => {
                let at = difference.at.at(0);
                // A new path crosses this cell or cuts the corner at it, which saves at most the
                // difference between two straight steps and a diagonal.
                let lower_bound = octile(start, at) + octile(at, end);
                let saving = Cost::STRAIGHT + Cost::STRAIGHT - Cost::DIAGONAL;
                may_improve |= lower_bound < path.cost + saving && ground.is_walkable(at);
            }
            None => {}
        }
    }
    if has_removed && let Some((leg, at)) = first_invalid_leg(ground, path) {
        return PathStatus::Invalid {
            leg,
            at: Location::Cell(at),
        };
    }
    if may_improve {
        PathStatus::MaybeSuboptimal
    } else {
        PathStatus::Valid
    }
}

/// The first leg of `path` that is not a legal step, and the cell it fails to reach.
fn first_invalid_leg(ground: &DenseGround, path: &DensePath) -> Option<(usize, Cell)> {
    let start = *path.cells.first()?;
    if !ground.is_walkable(start) {
        return Some((0, start));
    }
    (0..)
        .zip(path.cells.windows(2))
        .find(|(_, leg)| !is_step(ground, leg[0], leg[1]))
        .map(|(index, leg)| (index, leg[1]))
}

/// True if a single step leads from `from` to `to`.
fn is_step(ground: &DenseGround, from: Cell, to: Cell) -> bool {
    ground.is_walkable(from)
        && Direction::ALL.into_iter().any(|direction| {
            let moves = ground.moves()[ground.layout().index(from.x, from.y) as usize];
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
