//! Validity of a flight from the change sets since it was found, without a search.

use wayfarer_base::{ChangeLog, Cost, Location, PathStatus, Voxel, math};
use wayfarer_world::air::{Air, AirChanges, AirCube, AirDifference, AirSector};

use super::FlightPath;
use super::segment_test::{SegmentTest, touches};
use crate::subscriptions::LocatedChange;

/// The change log of an air.
pub type AirLog = ChangeLog<AirDifference, AirCube>;

/// A box of voxels, both corners included.
type VoxelBox = (Voxel, Voxel);

/// Where flights may have become impossible or costlier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AirChange {
    /// The voxels.
    within: VoxelBox,
    /// True if costs may have changed as well.
    is_volume: bool,
}

/// The validity of `path` in `air`, from the change log and the path alone.
///
/// * `Invalid`: a leg is blocked for the agent, or the path costs more. The location is the leg's
///   end.
/// * `MaybeSuboptimal`: an edit lies where a shorter path could lead through it. Never missed for
///   edits since the path was found; shorter paths that existed then are not detected.
/// * `Unknown`: the log does not reach back to the path's revision.
///
/// O(dirty cubes x legs). A partial path is judged as a path to its own end.
pub fn status(air: &Air, log: &AirLog, path: &FlightPath) -> PathStatus {
    let Some(changes) = log.since(path.revision) else {
        return PathStatus::Unknown;
    };
    let (Some(start), Some(end)) = (path.start(), path.end()) else {
        return PathStatus::Valid;
    };
    let (mut hardened, mut eased) = (Vec::new(), Vec::new());
    for set in changes {
        hardened.extend(hardened_by(air, set).map(|(_, change)| change));
        let dirty = set.dirty_sectors.iter();
        let dirty = dirty.filter(|dirty| dirty.cost_change.may_improve_paths());
        eased.extend(dirty.map(|dirty| cube_box(air, dirty.sector)));
        eased.extend(volumes(&set.differences));
    }
    hardened.sort_unstable();
    hardened.dedup();
    if let Some(leg) = first_invalid(air, path, &hardened) {
        let at = path.waypoints.get(leg + 1).copied().unwrap_or(start);
        return PathStatus::Invalid {
            leg,
            at: Location::Voxel(at),
        };
    }
    let cost = path.cost.to_cells();
    let margin = path.radius.to_cells() + 1.0;
    let may_improve = |sector: &VoxelBox| {
        distance_to(start, *sector, margin) + distance_to(end, *sector, margin) < cost
    };
    if eased.iter().any(may_improve) {
        PathStatus::MaybeSuboptimal
    } else {
        PathStatus::Valid
    }
}

/// The cost of the path at the current revision.
pub(super) fn current_cost(air: &Air, path: &FlightPath) -> Cost {
    let test = SegmentTest::new(air, path.radius);
    path.waypoints
        .windows(2)
        .map(|leg| test.leg_cost(leg[0], leg[1]))
        .sum()
}

/// The changes of a batch that may invalidate flights, with their sectors; volumes have none.
pub(super) fn hardened_by(
    air: &Air,
    set: &AirChanges,
) -> impl Iterator<Item = LocatedChange<AirSector, AirChange>> {
    let volumes = volumes(&set.differences).map(|within| {
        let is_volume = true;
        (None, AirChange { within, is_volume })
    });
    let dirty = set.dirty_sectors.iter();
    let dirty = dirty.filter(|dirty| dirty.cost_change.may_invalidate_paths());
    volumes.chain(dirty.map(|dirty| {
        let change = AirChange {
            within: cube_box(air, dirty.sector),
            is_volume: false,
        };
        (Some(dirty.sector.sectors()), change)
    }))
}

/// The boxes of inserted, changed and removed volumes.
fn volumes(differences: &[AirDifference]) -> impl Iterator<Item = VoxelBox> {
    differences.iter().flat_map(|difference| {
        let both = match difference {
            AirDifference::Volume { before, after, .. } => [*before, *after],
            _ => [None, None],
        };
        both.into_iter()
            .flatten()
            .map(|volume| (volume.low, volume.high))
    })
}

/// The voxels of a dirty cube.
fn cube_box(air: &Air, cube: AirCube) -> VoxelBox {
    let low = air.sector_low(cube.first_sector());
    let last = cube.side().cast_signed() - 1;
    let high = Voxel::new(
        low.x.saturating_add(last),
        low.y.saturating_add(last),
        low.z.saturating_add(last),
    );
    (low, high)
}

/// The first blocked leg among those near a change; the first near one if the path as a whole is
/// costlier.
pub(super) fn first_invalid(air: &Air, path: &FlightPath, changes: &[AirChange]) -> Option<usize> {
    if changes.is_empty() {
        return None;
    }
    let test = SegmentTest::new(air, path.radius);
    let start = path.start()?;
    if path.n_legs() == 0 {
        return (!test.is_clear(start, start)).then_some(0);
    }
    let mut near = (0..path.n_legs()).filter(|leg| is_near(path, *leg, changes));
    let first = near.clone().next().unwrap_or(0);
    let blocked = near.find(|leg| !test.is_clear(path.waypoints[*leg], path.waypoints[*leg + 1]));
    blocked.or_else(|| {
        let is_costlier =
            changes.iter().any(|change| change.is_volume) && current_cost(air, path) > path.cost;
        is_costlier.then_some(first)
    })
}

/// True if a leg passes within the agent's radius of one of the changes.
fn is_near(path: &FlightPath, leg: usize, changes: &[AirChange]) -> bool {
    let margin = (path.radius.raw() >> 8) + 1;
    let Some(ends) = path.waypoints.get(leg..leg + 2) else {
        return false;
    };
    let moved = |at: Voxel, by: i32| {
        let [x, y, z] = [at.x, at.y, at.z].map(|at| at.saturating_add(by));
        Voxel::new(x, y, z)
    };
    changes.iter().any(|change| {
        let (low, high) = change.within;
        touches(
            (ends[0], ends[1]),
            (moved(low, -margin), moved(high, margin)),
        )
    })
}

/// The distance from the center of a voxel to a box grown by `margin`.
fn distance_to(from: Voxel, (low, high): VoxelBox, margin: f64) -> f64 {
    let gap = |from: i32, low: i32, high: i32| {
        let at = f64::from(from) + 0.5;
        (f64::from(low) - margin - at)
            .max(at - f64::from(high) - 1.0 - margin)
            .max(0.0)
    };
    math::length_3(
        gap(from.x, low.x, high.x),
        gap(from.y, low.y, high.y),
        gap(from.z, low.z, high.z),
    )
}
