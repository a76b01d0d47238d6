//! Paths that combine walking and flying: A* over cells and voxels as one graph, optimal or, with a
//! weighted heuristic \[Pohl1970\], within a stated factor of the optimum.
//!
//! An agent takes off from a cell to the voxel over it and lands from a voxel on the floor under
//! it, each at a cost; explicit air links may lead farther. Expands cell by cell and voxel by
//! voxel: for short paths, and as a reference.
//!
//! Costs are those of the ground: a cell's length is 1,463 units. A move through the air costs its
//! length in cells, times the flight multiplier, times the mean of the volume multipliers at both
//! ends, rounded down.

mod cells;
mod graph;
mod grid_alignment;
mod moves;
mod node;
mod open;
mod query;
mod searcher;
mod voxels;

pub use grid_alignment::GridAlignment;
pub use searcher::MultimodalSearcher;

use wayfarer_base::{Budget, Cell, Cost, CostMultiplier, Fixed, Location, Voxel};
use wayfarer_world::air::Air;

use crate::ground::NavGraph;

/// How an agent flies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlightProfile {
    /// Radius of the agent's ball, 0 to 12 voxels: it may touch solid voxels, not overlap them.
    pub radius: Fixed,
    /// Cost of flying relative to walking at base cost.
    pub multiplier: CostMultiplier,
    /// Cost of taking off without an air link.
    pub take_off: Cost,
    /// Cost of landing without an air link.
    pub landing: Cost,
    /// True if the agent takes off and lands at air links only; false if on any floor with
    /// clearance above it.
    pub requires_air_link: bool,
}

impl Default for FlightProfile {
    /// A point agent that flies at the cost of walking and takes off and lands anywhere at no cost.
    fn default() -> Self {
        Self {
            radius: Fixed::from_raw(0),
            multiplier: CostMultiplier::ONE,
            take_off: Cost::ZERO,
            landing: Cost::ZERO,
            requires_air_link: false,
        }
    }
}

/// An explicit link between ground and air, such as a landing pad.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AirLink {
    /// The end on the ground.
    pub cell: Cell,
    /// The end in the air.
    pub voxel: Voxel,
    /// Cost of taking off; `None` for landing only.
    pub take_off: Option<Cost>,
    /// Cost of landing; `None` for take-off only.
    pub landing: Option<Cost>,
}

/// The implicit graph of an agent that walks, flies or both.
#[derive(Clone, Copy, Debug)]
pub struct MultimodalGraph<'w> {
    /// The ground, if the agent walks.
    pub nav_graph: Option<NavGraph<'w>>,
    /// The air, if the agent flies.
    pub air: Option<(&'w Air, FlightProfile)>,
    /// Relative sizes of cells, steps and voxels.
    pub alignment: GridAlignment,
    /// Air links, sorted.
    pub air_links: &'w [AirLink],
}

/// A request for a multimodal path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MultimodalRequest {
    /// The start: a cell or voxel.
    pub from: Location,
    /// The goal: a cell or voxel.
    pub to: Location,
    /// Limit on expansions and scratch growth.
    pub budget: Budget,
    /// Upper bound, exclusive: paths of this cost or more are not found.
    pub cost_limit: Cost,
    /// Weight of the heuristic: the path costs at most this times the optimum.
    pub weight: CostMultiplier,
}

/// A path over cells and voxels.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MultimodalPath {
    /// Every cell and voxel from start to end, both included.
    pub locations: Vec<Location>,
    /// Its cost, step costs of the request included.
    pub cost: Cost,
    /// Expansions of the search.
    pub expansions: u64,
}

/// Additional cost multipliers of a step: at its first and at its second location; `None` if the
/// step is forbidden.
pub type StepCostFn<'t> =
    &'t mut dyn FnMut(Location, Location) -> Option<(CostMultiplier, CostMultiplier)>;

#[cfg(test)]
mod tests;
