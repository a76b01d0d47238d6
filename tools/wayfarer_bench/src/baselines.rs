//! Other libraries as engines, each configured as its documentation recommends for speed.
//!
//! Only with the feature `baselines`; `bevy_northstar` only with `baseline-northstar`. An engine is
//! configured for the benchmark's corner rule where it can be; otherwise its [`MovementRule`](crate::engine::MovementRule) states
//! what it does, and paths that cut corners are counted.

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
