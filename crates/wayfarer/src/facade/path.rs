//! A way through the world as a value: legs on the ground, in the air and through the field.

use wayfarer_base::{Cell, Cost, Location, Revision, Voxel};
use wayfarer_search::air::FlightPath;
use wayfarer_search::ground::GroundPath;
use wayfarer_search::planar::PlanarPath;
use wayfarer_world::bodies::BodyId;
use wayfarer_world::obstacles::ObstacleCategories;

use super::World;
use super::agent::AgentTypeId;
use crate::Position;

/// A way through the world, as it was at one revision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The way in pieces, in order; each begins where the one before ends.
    pub legs: Vec<PathLeg>,
    /// What it costs in all, exposure included; a cell of uniform ground costs 1,463 units.
    pub cost: Cost,
    /// The revision of the world it was found at.
    pub revision: Revision,
    /// Whose way it is.
    pub agent_type: AgentTypeId,
    /// Expansions it took to find.
    pub expansions: u64,
    /// The obstacles that were kept clear of.
    pub avoided_obstacles: ObstacleCategories,
    /// True if it was priced by who sees it.
    pub includes_exposure: bool,
    /// The body of who asked for it, which hides nobody from watchers.
    pub body: Option<BodyId>,
}

/// A piece of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathLeg {
    /// On foot, cell by cell; its cost is that of the ground alone.
    Ground(GroundPath),
    /// From the ground into the air.
    TakeOff(ModeTransition),
    /// Through the air, straight from waypoint to waypoint; its cost is in voxels.
    Flight(FlightPath),
    /// From the air to the ground.
    Landing(ModeTransition),
    /// Through the field, straight from point to point.
    Planar(PlanarPath),
}

/// A nav link between ground and air.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ModeTransition {
    /// Where one stands.
    pub cell: Cell,
    /// Where one flies.
    pub voxel: Voxel,
    /// What it costs.
    pub cost: Cost,
}

impl PathLeg {
    /// Where it begins and ends.
    pub fn ends(&self) -> Option<(Location, Location)> {
        match self {
            Self::Ground(walk) => Some((walk.start()?.into(), walk.end()?.into())),
            Self::Flight(flight) => Some((flight.start()?.into(), flight.end()?.into())),
            Self::Planar(path) => Some((path.start()?.into(), path.end()?.into())),
            Self::TakeOff(up) => Some((up.cell.into(), up.voxel.into())),
            Self::Landing(down) => Some((down.voxel.into(), down.cell.into())),
        }
    }

    /// Its turns, both ends included: cells, waypoints, points.
    pub fn places(&self) -> Vec<Location> {
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
    /// Where it begins.
    pub fn start(&self) -> Option<Location> {
        self.legs.first()?.ends().map(|ends| ends.0)
    }

    /// Where it ends.
    pub fn end(&self) -> Option<Location> {
        self.legs.last()?.ends().map(|ends| ends.1)
    }

    /// Every cell, waypoint and point of it in order, none twice in a row.
    pub fn places(&self) -> Vec<Location> {
        let mut locations: Vec<Location> = self.legs.iter().flat_map(PathLeg::places).collect();
        locations.dedup();
        locations
    }

    /// The walk, if it is one walk and nothing else.
    pub fn as_walk(&self) -> Option<&GroundPath> {
        match &self.legs[..] {
            [PathLeg::Ground(walk)] => Some(walk),
            _ => None,
        }
    }
}

impl World {
    /// Where a path leads, in world units: the middles of its cells and waypoints, its points.
    pub fn positions(&self, path: &Path) -> Vec<Position> {
        let places = path.places().into_iter();
        places.map(|location| self.position_of(location)).collect()
    }

    /// Positions along a path, in order, no farther from each other than a cell on foot, a voxel in
    /// the air and the longer of both in between; each with how far the middle of the agent is
    /// above it: `half` on foot, nothing in the air.
    pub(super) fn along(&self, path: &Path, half: i64) -> Vec<(Position, i64)> {
        let mut all = Vec::new();
        let [cell, _, voxel] = self.scale.lengths();
        let places: Vec<(Position, i64, i64)> = path
            .places()
            .into_iter()
            .map(|location| match location {
                Location::Voxel(_) => (self.position_of(location), 0, voxel),
                Location::Cell(_) | Location::Point(_) => (self.position_of(location), half, cell),
            })
            .collect();
        for pair in places.windows(2) {
            let ((a, low, one), (b, high, other)) = (pair[0], pair[1]);
            let most = one.max(other).max(1);
            let far = (a.x.abs_diff(b.x))
                .max(a.y.abs_diff(b.y))
                .max(a.z.abs_diff(b.z));
            let n_parts = far.div_ceil(most.unsigned_abs()).max(1);
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
                all.push((position, at(low, high)));
            }
        }
        all.extend(places.last().map(|(at, by, _)| (*at, *by)));
        all
    }
}
