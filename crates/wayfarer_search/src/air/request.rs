//! What one asks: from where to where one wants to fly, how wide one is, and how to look for it.

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
    /// The voxel in whose middle the flight begins.
    pub from: Voxel,
    /// The voxel in whose middle it ends.
    pub to: Voxel,
    /// How to search.
    pub method: FlightMethod,
    /// The radius of the agent's ball, 0 to 12 voxels: the ball may touch what is solid, not
    /// overlap it. With 0 the straight line counts: where it passes through an edge or a corner,
    /// all voxels that meet there must be free. The bounds of the air are no wall.
    pub radius: Fixed,
    /// The most it may cost to find.
    pub budget: Budget,
    /// What to do if one cannot be at the goal or cannot get there.
    pub partial: FlightPartialPolicy,
}

impl FlightRequest {
    /// A request for a balanced flight of a point, without limit.
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

    /// The tuning, if the octree is searched.
    pub(super) const fn params(&self) -> Option<OctreeParams> {
        match self.method {
            FlightMethod::Octree(params) => Some(params),
            FlightMethod::VoxelAStar => None,
        }
    }
}

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlightMethod {
    /// Over the cubes of the octree: fast, near the shortest, in any direction.
    Octree(OctreeParams),
    /// Voxel by voxel in 26 directions: the shortest of its kind, slow. A move is allowed if all
    /// voxels of the box that it spans are free.
    VoxelAStar,
}

/// What to do if one cannot be at the goal, or cannot get there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FlightPartialPolicy {
    /// Say so: a goal that cannot be entered is refused, one that cannot be reached unreachable.
    #[default]
    Never,
    /// Fly to the voxel nearest to the goal in a straight line that can be reached; of equals the
    /// lowest, then northernmost, then westernmost. For agents with a body, and where volumes
    /// close or cost multiplier the air, everything is searched, and the flight leads to the node from
    /// which the goal seemed nearest, and there to the voxel nearest to it.
    Nearest,
}
