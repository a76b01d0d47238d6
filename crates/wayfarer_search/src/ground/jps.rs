//! Block-based jump point search over the sparse ground \[Harabor2011, Harabor2014\]: method `jps`.
//! Optimal, no preprocessing.
//!
//! On uniform sheets (one height, one cost multiplier, no walls, no nav links) it scans rows and
//! columns 16 cells at a time, and only jump points enter the open list. On irregular sheets it
//! expands cell by cell. Both mix freely in one search. Allocates nothing once warm.
//!
//! # Optimality
//! On uniform ground, after the step from p to x, the successor y of x is pruned if p reaches y
//! without x cheaper, or at equal cost with a last step that is straight (`dense::steps` lists the
//! cases). Take any y and an optimal path to it. A step pruned for the first reason lies on no
//! optimal path. If some optimal path to y ends with a straight step, that step is never pruned; if
//! none does, no step to y is pruned for the second reason. So some cell with its optimal g
//! generates y with its optimal g, whichever of several optimal parents that cell has.
//!
//! The paths from p to y use cells beside p and x. These may lie in an irregular sheet: the
//! diagonal steps of x require them, and no cost multiplier applies there. A scan ends where it
//! enters a sheet of another height or an irregular one, and nothing is pruned from there. The same
//! pruning applies at an irregular cell reached by a step, if it and its eight neighbors share one
//! multiplier.
//!
//! # Tie rule
//! Lowest f, then the node generated last. Of equally cheap paths to a node the first stays.
//! Directions are scanned in a fixed order and nav links in the order of their ids. So the result
//! follows from the world and the query alone: not from node ids, which depend on the history of
//! edits, and not from earlier searches.

mod diagonal_scan;
mod expand;
mod heuristic;
mod masked_scan;
mod queue;
mod scan_stops;
mod searcher;
pub(super) mod shared;
mod straight_scan;
mod trace;
mod vertices;

pub use searcher::JpsSearcher;
pub use trace::write_cells;
pub(in crate::ground) use trace::{append_cells, write_run};

use wayfarer_base::{Budget, Cost, Outcome, SearchObserver};
use wayfarer_world::ground::{NodeId, ProfileGround};

/// Start, goal and budget of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Query {
    /// First node of the path.
    pub start: NodeId,
    /// Last node of the path.
    pub goal: NodeId,
    /// Limits of the search.
    pub budget: Budget,
}

impl Query {
    /// A query without limits.
    pub const fn new(start: NodeId, goal: NodeId) -> Self {
        Self {
            start,
            goal,
            budget: Budget::UNLIMITED,
        }
    }
}

/// Finds an optimal path for the profile of `ground` and writes every cell of it to `cells`, start and
/// goal included.
///
/// A goal in another component is reported unreachable without a search. If the budget runs out,
/// `cells` is the path to the expanded node with the lowest h, and the outcome holds its cost; so
/// it is if every path costs more than `Cost` can hold (2.9 million cells). If the goal is
/// unreachable, `cells` is empty.
///
/// Allocates nothing once `searcher` and `cells` have grown.
///
/// ```
/// use wayfarer_base::{Cell, Cost, NoopObserver, Outcome, Raster};
/// use wayfarer_search::ground::jps::{JpsSearcher, Query, find};
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
pub fn find<'g>(
    ground: impl Into<ProfileGround<'g>>,
    searcher: &mut JpsSearcher,
    query: &Query,
    observer: &mut impl SearchObserver,
    cells: &mut Vec<NodeId>,
) -> Outcome<Cost> {
    let ground: ProfileGround<'_> = ground.into();
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
