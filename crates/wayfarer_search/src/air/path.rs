//! A flight as a value: its waypoints, what it costs, when it was found.

use wayfarer_base::{Cost, Fixed, Revision, Voxel, math};

/// A flight through the air, as it was at one revision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlightPath {
    /// Voxels from start to end, both included; one flies straight from the middle of each to the
    /// middle of the next. Leg k leads from waypoint k to the next.
    pub waypoints: Vec<Voxel>,
    /// What it costs to fly: its length, times the cost multipliers of volumes it leads through.
    pub cost: Cost,
    /// What it cost before it was pulled tight.
    pub raw_cost: Cost,
    /// The revision of the air it was found at.
    pub revision: Revision,
    /// Nodes expanded to find it, regions included.
    pub expansions: u64,
    /// The radius of the agent it was found for.
    pub radius: Fixed,
}

impl FlightPath {
    /// Where it begins.
    pub fn start(&self) -> Option<Voxel> {
        self.waypoints.first().copied()
    }

    /// Where it ends.
    pub fn end(&self) -> Option<Voxel> {
        self.waypoints.last().copied()
    }

    /// How many straight legs it has.
    pub fn n_legs(&self) -> usize {
        self.waypoints.len().saturating_sub(1)
    }

    /// Its length in voxels.
    pub fn length(&self) -> f64 {
        let legs = self.waypoints.windows(2);
        legs.map(|leg| distance(leg[0], leg[1])).sum()
    }
}

/// The distance between the middles of two voxels.
pub(super) fn distance(a: Voxel, b: Voxel) -> f64 {
    let apart = |a: i32, b: i32| f64::from(a) - f64::from(b);
    math::length_3(apart(a.x, b.x), apart(a.y, b.y), apart(a.z, b.z))
}
