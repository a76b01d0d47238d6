//! Jump point search over a lazily built jump point graph \[Harabor2019, relative\]: methods
//! `optimal` and `bounded`.
//!
//! Jump points on uniform ground depend on the ground alone, not on the query. So a searcher caches
//! the successor list of each jump point it expands, and later searches go from jump point to jump
//! point without reading the ground. Only the start is scanned, and the row and column of the goal.
//! Edits invalidate the lists whose scans read a changed cell. `docs/design/jump-point-cache.md`
//! describes data structures and algorithms.
//!
//! # Optimality
//! Jump points and their successors are those of [`jps`](super::jps), whose proof holds. The search
//! ends when it pops a node from which the diagonal-first path to the goal is walkable: that path
//! costs h, so no other is cheaper. With a weight above 1 the search is weighted A\* with reopening
//! \[Pohl1970\]. Components of the region graph off the route between start and goal are pruned,
//! and the heuristic includes the bridges on it: see `bridge_tree`.
//!
//! # Independence from the cache
//! A list equals a new scan, edge by edge, with the bitmap or without. Nodes are numbered in the
//! order of their generation, never by their index in the cache. Ties: lowest f, then the node
//! generated last. Whether the bridge tree is used, and its bounds, follow from the ground and the
//! query. On large grounds scans end at a fence, and the search restarts if that was too near: see
//! `cost_fence`.
//!
//! # Fallback to `jps`
//! If a nav link is cheaper than the octile distance, if the query has a memory budget, and if most
//! expanded nodes are irregular. Irregular nodes are expanded cell by cell and not cached.

mod bridge_tree;
mod cache_state;
mod cost_fence;
mod frontier;
mod goal_heuristic;
mod jump_bitmap;
mod jump_point_graph;
mod list_repair;
mod parked_caches;
mod query_state;
mod search;
mod searcher;
mod successor_scan;
mod trace;
mod transient_nodes;

pub use super::jps::Query;
pub use cache_state::CacheLimit;
pub use goal_heuristic::HeuristicWeight;
pub use searcher::CachedJpsSearcher;

use wayfarer_base::{Cost, Outcome, SearchObserver};
use wayfarer_world::ground::{NodeId, ProfileGround};

/// Finds an optimal path for the profile of `ground` and writes every cell of it to `cells`, start and
/// goal included. As [`jps::find`](super::jps::find), and of the same cost; of several optimal
/// paths it may be another.
///
/// Allocates nothing once `searcher` and `cells` have grown and all lists are cached.
///
/// ```
/// use wayfarer_base::{Cell, GroundEdit, NoopObserver, Outcome, Raster, Terrain};
/// use wayfarer_search::ground::jps_cached::{CachedJpsSearcher, Query, find};
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
/// // A door opens; lists that did not read its cell stay valid.
/// let door = GroundEdit::PutCell { cell: Cell::flat(0, 1), terrain: Terrain::GROUND };
/// let changes = ground.apply(&[door]).unwrap();
/// searcher.apply_changes(&ground, &changes);
/// assert_eq!(steps(&ground, &mut searcher), 2);
/// ```
pub fn find<'g>(
    ground: impl Into<ProfileGround<'g>>,
    searcher: &mut CachedJpsSearcher,
    query: &Query,
    observer: &mut impl SearchObserver,
    cells: &mut Vec<NodeId>,
) -> Outcome<Cost> {
    let ground: ProfileGround<'_> = ground.into();
    searcher.find(ground, query, observer, cells)
}

#[cfg(test)]
mod tests;
