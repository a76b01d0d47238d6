//! The registry's path finders as engines, each set up as well as its documentation allows.
//!
//! Only with the feature `baselines`; `bevy_northstar` only with `baseline-northstar`. Where an engine can be told the benchmark's rule, it is; where
//! it cannot, its rule says what it does instead, and the paths that cut corners are counted.

#[cfg(feature = "baseline-northstar")]
mod bevy_northstar;
mod grid_pathfinding;
mod hierarchical_pathfinding;
mod pathfinding;
mod polyanya;
mod rectangles;

#[cfg(feature = "baseline-northstar")]
pub use self::bevy_northstar::BevyNorthstar;
pub use self::grid_pathfinding::GridPathfinding;
pub use self::hierarchical_pathfinding::HierarchicalPathfinding;
pub use self::pathfinding::{Pathfinding, TunedPathfinding};
pub use self::polyanya::Polyanya;

use crate::engine::Engine;

/// All baselines, in the order of the tables.
pub fn all() -> Vec<Box<dyn Engine>> {
    vec![
        Box::new(Pathfinding::default()),
        Box::new(TunedPathfinding::default()),
        Box::new(GridPathfinding::default()),
        Box::new(HierarchicalPathfinding::default()),
        Box::new(Polyanya::default()),
        #[cfg(feature = "baseline-northstar")]
        Box::new(BevyNorthstar::default()),
    ]
}

#[cfg(test)]
mod tests;
