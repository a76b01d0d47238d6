//! Flight requests: ends, method, radius, budget, partial policy.

use wayfarer_base::{Budget, Fixed, Voxel};

use super::OctreeParams;

/// A request for a flight from voxel to voxel.
///
/// ```
/// use wayfarer_base::{Budget, Voxel};
/// use wayfarer_search::air::{FlightMethod, FlightRequest, OctreeParams};
/// let request = FlightRequest {
///     method: FlightMethod::Octree(OctreeParams::FAST),
///     budget: Budget::expansions(500),
///     ..FlightRequest::new(Voxel::new(0, 0, 0), Voxel::new(90, 12, 7))
/// };
/// assert_eq!(request.radius.raw(), 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlightRequest {
    /// The flight starts at the center of this voxel.
    pub from: Voxel,
    /// The flight ends at the center of this voxel.
    pub to: Voxel,
    /// How to search.
    pub method: FlightMethod,
    /// Radius of the agent's ball, 0 to 12 voxels. The ball may touch solid voxels, not overlap
    /// them. With radius 0, all voxels that the line touches, edges and corners included, must be
    /// free. The bounds of the air are no wall.
    pub radius: Fixed,
    /// Limit on expansions and scratch memory.
    pub budget: Budget,
    /// What to do if the goal is blocked or unreachable.
    pub partial: FlightPartialPolicy,
}

impl FlightRequest {
    /// A request for a point agent with [`OctreeParams::BALANCED`] and unlimited budget.
    pub const fn new(from: Voxel, to: Voxel) -> Self {
        Self {
            from,
            to,
            method: FlightMethod::Octree(OctreeParams::BALANCED),
            radius: Fixed::from_raw(0),
            budget: Budget::UNLIMITED,
            partial: FlightPartialPolicy::Never,
        }
    }

    /// The parameters of the octree search, if that is the method.
    pub(super) const fn params(&self) -> Option<OctreeParams> {
        match self.method {
            FlightMethod::Octree(params) => Some(params),
            FlightMethod::VoxelAStar => None,
        }
    }
}

/// The search algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlightMethod {
    /// Weighted A* over octree nodes, string-pulled: any angle, near the shortest, no bound.
    Octree(OctreeParams),
    /// A* over 26-connected voxels: optimal on that graph, slow. A move requires all voxels of
    /// the box that it spans to be free.
    VoxelAStar,
}

/// What to do if the goal is blocked or unreachable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FlightPartialPolicy {
    /// No partial path: a blocked goal is an error, an unreachable one an `Unreachable` outcome.
    #[default]
    Never,
    /// A path to the reachable voxel of least Euclidean distance to the goal; ties: lowest z, then
    /// y, then x. For agents wider than a voxel and in air with volumes, the search is exhaustive
    /// and ends at the node of lowest heuristic, at its voxel nearest to the goal.
    Nearest,
}
