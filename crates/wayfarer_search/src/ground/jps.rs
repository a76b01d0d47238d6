//! A cheapest path, found without anything being prepared: method `plain`.
//!
//! On uniform ground (one height, one cost multiplier, no walls, no nav links) rows and columns are looked
//! along sixteen cells at a time, and only places where a way may have to turn are put on the
//! open list. Elsewhere the search goes step by step, as the ground says. Both are mixed freely
//! in one search, and the answer is always a cheapest path.
//!
//! # Why no way is missed
//! On uniform ground, after the step from p to x, the step from x to y is left out if p offers y
//! without x a cheaper way, or an equally cheap one whose last step is straight (see
//! `dense::steps` for the cases). Take any y and a cheapest path to it. A step left out for the
//! first reason lies on no cheapest path. If some cheapest path to y ends with a straight step,
//! that step is never left out; if none does, no step to y is left out for the second reason.
//! So y is offered its least cost by some cell that was, in turn, offered its own, whichever of
//! several cheapest paths to that cell is remembered.
//!
//! The paths that p offers lead over cells beside p and x. These may lie in a sheet that is not
//! plain: their steps are known from x's own diagonals, which need them, and no cost multiplier is near.
//! Where a ray enters a sheet at another height, or one that is not plain, it ends, and nothing
//! is left out from there. The same steps as on uniform ground are left out in a cell that was come
//! to by a step, where it and the eight around it are costly, but all alike.
//!
//! # The tie rule
//! Of all places on the open list the next is the one with the lowest estimate of the whole way,
//! then the one that was first seen last. Of equally cheap paths to a place the first found is
//! kept. Directions are looked at in a fixed order, and nav links in the order of their names, so
//! the answer follows from the world and the query alone: not from the numbers that the ground
//! gave its cells, which depend on the history of edits, and not from what the searcher did before.

mod diagonal_scan;
mod expand;
mod heuristic;
pub(super) mod lend;
mod queue;
mod ray;
mod scan_stops;
mod searcher;
mod trace;
mod vertices;

pub use searcher::JpsSearcher;
pub use trace::write_cells;
pub(in crate::ground) use trace::{add_cells, write_run};

use wayfarer_base::{Budget, Cost, Outcome, SearchObserver};
use wayfarer_world::ground::{Ground, NodeId};

/// From where to where, and what finding out may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Query {
    /// Where the way begins.
    pub start: NodeId,
    /// Where it ends.
    pub goal: NodeId,
    /// The most it may cost to find.
    pub budget: Budget,
}

impl Query {
    /// A query without limit.
    pub const fn new(start: NodeId, goal: NodeId) -> Self {
        Self {
            start,
            goal,
            budget: Budget::UNLIMITED,
        }
    }
}

/// Finds a cheapest path for the world's own walker and writes every cell of it to `cells`, start
/// and goal included.
///
/// A goal in another component is answered without a search. With a budget that runs out,
/// `cells` is the way to the expanded place with the lowest estimate of the rest, and the outcome
/// holds its cost; a way costlier than `Cost` can hold (2.9 million cells) is answered as out of
/// budget. Without a way `cells` is empty.
///
/// Allocates nothing once `searcher` and `cells` have grown.
///
/// ```
/// use wayfarer_base::{Cell, Cost, Outcome, Raster, NoopObserver};
/// use wayfarer_search::ground::plain::{JpsSearcher, Query, find};
/// use wayfarer_world::ground::Ground;
///
/// // . . .
/// // # # .
/// // . . .
/// let map = Raster::from_bytes(3, 3, vec![0, 0, 0, 255, 255, 0, 0, 0, 0]).unwrap();
/// let ground = Ground::from_raster(&map);
/// let node = |x, y| ground.node(Cell::flat(x, y)).unwrap();
///
/// let query = Query::new(node(0, 0), node(0, 2));
/// let mut cells = Vec::new();
/// let outcome = find(&ground, &mut JpsSearcher::default(), &query, &mut NoopObserver, &mut cells);
/// // A diagonal would cut the wall's corner: six straight steps.
/// assert_eq!(outcome, Outcome::Found(Cost::from_units(6 * Cost::STRAIGHT.units())));
/// assert_eq!(cells.len(), 7);
/// assert_eq!(ground.cell(cells[3]), Cell::flat(2, 1));
/// ```
pub fn find(
    ground: &Ground,
    searcher: &mut JpsSearcher,
    query: &Query,
    observer: &mut impl SearchObserver,
    cells: &mut Vec<NodeId>,
) -> Outcome<Cost> {
    cells.clear();
    if let Some(known) = searcher.begin(ground, query) {
        if matches!(known, Outcome::OutOfBudget { .. }) {
            cells.push(query.start);
        }
        return known;
    }
    let grown = searcher.grown_bytes();
    let budget = Budget {
        memory_bytes: query.budget.memory_bytes.saturating_sub(grown),
        ..query.budget
    };
    let stop = searcher.advance(ground, observer, budget);
    searcher.outcome(ground, stop, cells)
}

#[cfg(test)]
mod tests;
