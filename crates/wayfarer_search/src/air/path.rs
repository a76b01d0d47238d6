//! Flight paths as values: waypoints, cost, revision.

use wayfarer_base::{Cost, Fixed, Revision, Voxel, math};

/// A flight path, valid at one revision of the air.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlightPath {
    /// Voxels from start to end, both included. Leg k is the segment from the center of waypoint
    /// k to the center of the next.
    pub waypoints: Vec<Voxel>,
    /// Its length, scaled by the multipliers of the volumes it crosses.
    pub cost: Cost,
    /// Its cost before string pulling.
    pub raw_cost: Cost,
    /// The revision of the air it was found at.
    pub revision: Revision,
    /// Expansions of the search, regions included.
    pub expansions: u64,
    /// The radius of the agent it was found for.
    pub radius: Fixed,
}

impl FlightPath {
    /// The first waypoint.
    pub fn start(&self) -> Option<Voxel> {
        self.waypoints.first().copied()
    }

    /// The last waypoint.
    pub fn end(&self) -> Option<Voxel> {
        self.waypoints.last().copied()
    }

    /// The number of legs.
    pub fn n_legs(&self) -> usize {
        self.waypoints.len().saturating_sub(1)
    }

    /// Its length in voxels.
    pub fn length(&self) -> f64 {
        let legs = self.waypoints.windows(2);
        legs.map(|leg| distance(leg[0], leg[1])).sum()
    }
}

/// The distance between the centers of two voxels, in voxels.
pub(super) fn distance(a: Voxel, b: Voxel) -> f64 {
    let apart = |a: i32, b: i32| f64::from(a) - f64::from(b);
    math::length_3(apart(a.x, b.x), apart(a.y, b.y), apart(a.z, b.z))
}
