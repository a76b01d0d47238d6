//! Test fixtures and brute-force oracles: ASCII worlds, random worlds and edits, reference
//! searches.
//!
//! Part of `wayfarer`; for its tests only. An oracle shares the plain values of `wayfarer_base`
//! (cells, profiles, shapes, edits) with the engine but none of its geometry, cost arithmetic or
//! searches, and prefers simplicity over speed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

pub mod allocations;
pub mod ascii;
pub mod cells;
pub mod multimodal;
pub mod obstacles;
pub mod random;
pub mod shapes;
pub mod shrink;
pub mod sight;
pub mod voxels;

pub use cells::ReferenceWorld;
pub use multimodal::ReferenceMultimodal;
pub use random::batch::{random_batch, random_batch_between};
pub use random::{WorldKind, random_profile, random_world};
pub use voxels::ReferenceVoxels;
use wayfarer_base::{Cost, Point2};
pub use wayfarer_counting::CountingAllocator;

/// The point (`x`, `y`), in 1/256 of a cell.
pub const fn point(x: i32, y: i32) -> Point2 {
    Point2::from_raw(x, y)
}

/// Dijkstra from `from`: the cost to every node reached before `goal` is expanded. Without a goal all
/// costs are optimal, else the goal's and those not above it.
pub fn dijkstra_until<N: Copy + Ord>(
    from: N,
    goal: Option<N>,
    mut successors: impl FnMut(N) -> Vec<(N, Cost)>,
) -> BTreeMap<N, Cost> {
    let mut costs = BTreeMap::from([(from, Cost::ZERO)]);
    let mut open = BinaryHeap::from([Reverse((Cost::ZERO, from))]);
    while let Some(Reverse((cost, node))) = open.pop() {
        if cost > costs[&node] {
            continue;
        }
        if goal == Some(node) {
            break;
        }
        for (next, step_cost) in successors(node) {
            let cost = Cost::from_units(cost.units().saturating_add(step_cost.units()));
            if costs.get(&next).is_none_or(|known| cost < *known) {
                costs.insert(next, cost);
                open.push(Reverse((cost, next)));
            }
        }
    }
    costs
}
