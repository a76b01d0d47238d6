//! Ways that are walked in part and flown in part.
//!
//! Cells of the ground and voxels of the air are one graph. From a cell one takes off to the voxel
//! over it, in a voxel over a floor one lands, each at a cost; air links are such nav links made by
//! hand, which may lead farther. The search is A* over that graph, exact, cell by cell and voxel by
//! voxel: for reference, for short paths, and within a budget.
//!
//! Costs are those of the ground: a cell's length at cost multiplier 1 is 1,463 units. A move through the
//! air costs its length in cells, times the cost multiplier of flying, times the mean of the cost multipliers of
//! volumes at both ends, rounded down.

mod grid_alignment;
mod searcher;

pub use grid_alignment::GridAlignment;
pub use searcher::MultimodalSearcher;

use wayfarer_base::{Budget, Cell, Cost, CostMultiplier, Fixed, Location, Voxel};
use wayfarer_world::air::Air;

use crate::ground::NavGraph;

/// How somebody flies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlightProfile {
    /// The radius of the body as a ball, 0 to 12 voxels: it may touch what is solid, not overlap
    /// it. 0 is a point.
    pub radius: Fixed,
    /// What flying costs against walking on uniform ground.
    pub multiplier: CostMultiplier,
    /// What taking off costs where no air link says otherwise.
    pub take_off: Cost,
    /// What landing costs where no air link says otherwise.
    pub land: Cost,
    /// True if one takes off and lands at air links only, false if on any floor with room above it.
    pub requires_air_link: bool,
}

impl Default for FlightProfile {
    /// A point that flies at the cost multiplier of walking and takes off and lands anywhere for nothing.
    fn default() -> Self {
        Self {
            radius: Fixed::from_raw(0),
            multiplier: CostMultiplier::ONE,
            take_off: Cost::ZERO,
            land: Cost::ZERO,
            requires_air_link: false,
        }
    }
}

/// A nav link between ground and air, made by hand: a tower's top, a nest, a landing pad.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AirLink {
    /// Where one stands.
    pub cell: Cell,
    /// Where one flies.
    pub voxel: Voxel,
    /// What taking off costs; `None` if one only lands here.
    pub take_off: Option<Cost>,
    /// What landing costs; `None` if one only takes off here.
    pub land: Option<Cost>,
}

/// What somebody who walks and flies finds there.
#[derive(Clone, Copy, Debug)]
pub struct MultimodalGraph<'w> {
    /// The ground, for one who walks.
    pub nav_graph: Option<NavGraph<'w>>,
    /// The air, for one who flies.
    pub air: Option<(&'w Air, FlightProfile)>,
    /// How cells, steps and voxels lie to each other.
    pub frame: GridAlignment,
    /// Air links, sorted.
    pub air_links: &'w [AirLink],
}

/// From where to where, and at what expense.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MultimodalRequest {
    /// The cell or voxel where the way begins.
    pub from: Location,
    /// The cell or voxel where it ends.
    pub to: Location,
    /// The most it may cost to find.
    pub budget: Budget,
    /// Ways of this cost or more are not looked for.
    pub cost_limit: Cost,
}

/// A way over cells and through voxels.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MultimodalPath {
    /// Every cell and voxel from start to end, both included.
    pub locations: Vec<Location>,
    /// What it costs, tolls included; none is cheaper.
    pub cost: Cost,
    /// Places expanded to find it.
    pub expansions: u64,
}

/// What a step from one place to the next costs besides: what uniform ground costs in the first and
/// in the second place; `None` if the step may not be taken.
pub type StepCostFn<'t> =
    &'t mut dyn FnMut(Location, Location) -> Option<(CostMultiplier, CostMultiplier)>;

#[cfg(test)]
mod tests;
