//! [`Path`]: a sequence of legs on the ground, in the air and on the plane, with the revision and
//! the options of the request it was found for.

use wayfarer_base::{Cell, Cost, Location, Outcome, Revision, Voxel};
use wayfarer_search::air::FlightPath;
use wayfarer_search::ground::GroundPath;
use wayfarer_search::planar::PlanarPath;
use wayfarer_world::bodies::BodyId;
use wayfarer_world::obstacles::ObstacleCategories;

use super::World;
use super::agent::AgentTypeId;
use crate::Position;

/// A path through the world at one revision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The legs in order; each starts where the one before ends.
    pub legs: Vec<PathLeg>,
    /// Total cost, exposure included; a straight step over uniform ground costs 1,463 units.
    pub cost: Cost,
    /// The revision of the world at which the path was found.
    pub revision: Revision,
    /// The agent type of the request.
    pub agent_type: AgentTypeId,
    /// Nodes expanded to find it.
    pub expansions: u64,
    /// The obstacle categories that the path avoids.
    pub avoided_obstacles: ObstacleCategories,
    /// True if the cost includes exposure to viewers.
    pub includes_exposure: bool,
    /// The agent's own body, which does not occlude lines of sight to it.
    pub body: Option<BodyId>,
}

/// One leg of a path: a stretch in one mode of movement, or a transition between modes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathLeg {
    /// On the ground, cell by cell. Its own cost excludes exposure.
    Ground(GroundPath),
    /// From the ground into the air.
    TakeOff(ModeTransition),
    /// In the air, a polyline of waypoints. Its own cost is in voxel units.
    Flight(FlightPath),
    /// From the air to the ground.
    Landing(ModeTransition),
    /// On the plane, a polyline of points.
    Planar(PlanarPath),
}

/// A transition between ground and air.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ModeTransition {
    /// The end on the ground.
    pub cell: Cell,
    /// The end in the air.
    pub voxel: Voxel,
    /// Its cost.
    pub cost: Cost,
}

impl PathLeg {
    /// The first and last location; `None` for an empty leg.
    pub fn ends(&self) -> Option<(Location, Location)> {
        match self {
            Self::Ground(walk) => Some((walk.start()?.into(), walk.end()?.into())),
            Self::Flight(flight) => Some((flight.start()?.into(), flight.end()?.into())),
            Self::Planar(path) => Some((path.start()?.into(), path.end()?.into())),
            Self::TakeOff(up) => Some((up.cell.into(), up.voxel.into())),
            Self::Landing(down) => Some((down.voxel.into(), down.cell.into())),
        }
    }

    /// Its cells, waypoints or points, both ends included.
    pub fn locations(&self) -> Vec<Location> {
        match self {
            Self::Ground(walk) => walk.cells.iter().map(|at| Location::Cell(*at)).collect(),
            Self::Flight(flight) => flight
                .waypoints
                .iter()
                .map(|at| Location::Voxel(*at))
                .collect(),
            Self::Planar(path) => path.points.iter().map(|at| Location::Point(*at)).collect(),
            Self::TakeOff(up) => vec![up.cell.into(), up.voxel.into()],
            Self::Landing(down) => vec![down.voxel.into(), down.cell.into()],
        }
    }
}

impl Path {
    /// The first location; `None` if the path is empty.
    pub fn start(&self) -> Option<Location> {
        self.legs.first()?.ends().map(|ends| ends.0)
    }

    /// The last location; `None` if the path is empty.
    pub fn end(&self) -> Option<Location> {
        self.legs.last()?.ends().map(|ends| ends.1)
    }

    /// All cells, waypoints and points in order, without consecutive duplicates.
    pub fn locations(&self) -> Vec<Location> {
        let mut locations: Vec<Location> = self.legs.iter().flat_map(PathLeg::locations).collect();
        locations.dedup();
        locations
    }

    /// The ground path, if the path is a single ground leg.
    pub fn as_ground_path(&self) -> Option<&GroundPath> {
        match &self.legs[..] {
            [PathLeg::Ground(walk)] => Some(walk),
            _ => None,
        }
    }
}

impl World {
    /// The locations of a path in world units: centers of cells and voxels, and points.
    pub fn positions(&self, path: &Path) -> Vec<Position> {
        let locations = path.locations().into_iter();
        locations
            .map(|location| self.position_of(location))
            .collect()
    }

    /// Samples along a path, in order, at most a cell apart on the ground, a voxel in the air and
    /// the larger of both in between; each with the height of the agent's center above it: `half`
    /// on the ground, 0 in the air.
    pub(super) fn samples(&self, path: &Path, half: i64) -> Vec<(Position, i64)> {
        let mut samples = Vec::new();
        let [cell, _, voxel] = self.scale.lengths();
        let vertices: Vec<(Position, i64, i64)> = path
            .locations()
            .into_iter()
            .map(|location| match location {
                Location::Voxel(_) => (self.position_of(location), 0, voxel),
                Location::Cell(_) | Location::Point(_) => (self.position_of(location), half, cell),
            })
            .collect();
        for pair in vertices.windows(2) {
            let ((a, low, one), (b, high, other)) = (pair[0], pair[1]);
            let spacing = one.max(other).max(1);
            let distance = (a.x.abs_diff(b.x))
                .max(a.y.abs_diff(b.y))
                .max(a.z.abs_diff(b.z));
            let n_parts = distance.div_ceil(spacing.unsigned_abs()).max(1);
            let n_parts = i64::try_from(n_parts).unwrap_or(i64::MAX);
            for part in 0..n_parts {
                let at = |a: i64, b: i64| {
                    a + (b - a) / n_parts * part + (b - a) % n_parts * part / n_parts
                };
                let position = Position {
                    x: at(a.x, b.x),
                    y: at(a.y, b.y),
                    z: at(a.z, b.z),
                };
                samples.push((position, at(low, high)));
            }
        }
        samples.extend(vertices.last().map(|(at, by, _)| (*at, *by)));
        samples
    }
}

/// No path costs [`Cost::MAX`]: legs, or their conversion to ground units, can exceed it together.
pub(super) fn within_cost_limit(outcome: Outcome<Path>) -> Outcome<Path> {
    match outcome {
        Outcome::Found(path) if path.cost.is_saturated() => Outcome::BEYOND_COST_LIMIT,
        other => other,
    }
}
