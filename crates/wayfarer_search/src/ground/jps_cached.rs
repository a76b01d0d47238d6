//! A cheapest path, found quickly again and again: method `exact`.
//!
//! Where a way over uniform ground may have to turn depends on the ground alone, not on who asks.
//! So what is seen from a jump point is kept when it was looked for once, and the next search
//! walks from jump point to jump point without looking at the ground at all. Only from the
//! start it looks around, and from the goal along its row and column.
//!
//! # Why the answer is right
//! The places, and what each offers, are those of [`jps`](super::plain), whose proof holds. The
//! goal ends the search when a place is taken from the open list from where a way diagonally and
//! then straight leads to it: that way costs what the estimate says, so nothing can be cheaper.
//! Areas that do not lie between start and goal are left out, because no cheapest path leads there,
//! and the estimate knows the narrow places between: see `exact::bridge_tree`.
//!
//! # Why the answer does not depend on the cache
//! A list holds what looking around would find, in the same order, with a board of the ground or
//! without; nothing else in the search depends on either. Places are numbered in the order the
//! search first sees them, never by their number in the cache. Of equal estimates the place seen
//! last goes first. Whether the tree of areas is asked, and what it says, follows from the ground
//! as it is and from the query. On large grounds it looks no further than it must, and where that
//! was not far enough it begins again: see `exact::cost_fence`.
//!
//! # Where it leaves the work to `jps`
//! If a teleport is shorter than the straight line, and if memory is limited by the query. Where
//! cost multipliers, heights, walls or nav links mean that bits do not say everything, it goes step by step
//! as `jps` does.

mod bridge_tree;
mod cache;
mod cost_fence;
mod goal_heuristic;
mod jump_bitmap;
mod list_repair;
mod search;
mod searcher;
mod successor_scan;
mod trace;
mod transient_nodes;

pub use super::jps::Query;
pub use goal_heuristic::HeuristicWeight;
pub use searcher::{CacheLimit, CachedJpsSearcher};

use wayfarer_base::{Cost, Outcome, SearchObserver};
use wayfarer_world::ground::{Ground, NodeId};

/// Finds a cheapest path for the world's own walker and writes every cell of it to `cells`, start
/// and goal included; as [`jps::find`](super::plain::find), and of the same cost, though of
/// several cheapest paths it may be another.
///
/// Allocates nothing once `searcher` and `cells` have grown, and nothing new has to be looked at.
///
/// ```
/// use wayfarer_base::{Cell, Cost, Edit, Outcome, Raster, NoopObserver};
/// use wayfarer_search::ground::exact::{CachedJpsSearcher, Query, find};
/// use wayfarer_world::ground::Ground;
///
/// // . . .
/// // # # .
/// // . . .
/// let map = Raster::from_bytes(3, 3, vec![0, 0, 0, 255, 255, 0, 0, 0, 0]).unwrap();
/// let mut ground = Ground::from_raster(&map);
/// let (mut searcher, mut cells) = (CachedJpsSearcher::default(), Vec::new());
/// let mut steps = |ground: &Ground, searcher: &mut CachedJpsSearcher| {
///     let node = |x, y| ground.node(Cell::flat(x, y)).unwrap();
///     let query = Query::new(node(0, 0), node(0, 2));
///     let outcome = find(ground, searcher, &query, &mut NoopObserver, &mut cells);
///     assert!(matches!(outcome, Outcome::Found(_)));
///     cells.len() - 1
/// };
/// assert_eq!(steps(&ground, &mut searcher), 6);
///
/// // A door opens; what was remembered elsewhere stays.
/// let door = Edit::PutCell { cell: Cell::flat(0, 1), terrain: wayfarer_base::Terrain::GROUND };
/// let changes = ground.apply(&[door]).unwrap();
/// searcher.follow(&ground, &changes);
/// assert_eq!(steps(&ground, &mut searcher), 2);
/// ```
pub fn find(
    ground: &Ground,
    searcher: &mut CachedJpsSearcher,
    query: &Query,
    observer: &mut impl SearchObserver,
    cells: &mut Vec<NodeId>,
) -> Outcome<Cost> {
    searcher.find(ground, query, observer, cells)
}

#[cfg(test)]
mod tests;
