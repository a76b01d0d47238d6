//! Validity of a flight from the change sets since it was found, without a search.

use wayfarer_base::{ChangeLog, Cost, Location, PathStatus, Voxel, math};
use wayfarer_world::air::{Air, AirCube, AirDifference};

use super::FlightPath;
use super::segment_test::{SegmentTest, touches};

/// The change log of an air.
pub type AirLog = ChangeLog<AirDifference, AirCube>;

/// A box of voxels, both corners included.
pub(super) type VoxelBox = (Voxel, Voxel);

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
    let mut is_reweighted = false;
    for set in changes {
        for dirty in &set.dirty_sectors {
            let sector = cube_box(air, dirty.sector);
            if dirty.cost_change.may_invalidate_paths() {
                hardened.push(sector);
            }
            if dirty.cost_change.may_improve_paths() {
                eased.push(sector);
            }
        }
        for volume in volumes(&set.differences) {
            hardened.push(volume);
            eased.push(volume);
            is_reweighted = true;
        }
    }
    hardened.sort_unstable();
    hardened.dedup();
    if let Some(leg) = first_blocked(air, path, &hardened) {
        let at = path.waypoints.get(leg + 1).copied().unwrap_or(start);
        return PathStatus::Invalid {
            leg,
            at: Location::Voxel(at),
        };
    }
    if is_reweighted && current_cost(air, path) > path.cost {
        let leg = (0..path.n_legs())
            .find(|leg| is_near(path, *leg, &hardened))
            .unwrap_or(0);
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

/// The boxes of inserted, changed and removed volumes.
pub(super) fn volumes(differences: &[AirDifference]) -> impl Iterator<Item = VoxelBox> {
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
pub(super) fn cube_box(air: &Air, cube: AirCube) -> VoxelBox {
    let low = air.sector_low(cube.first_sector());
    let last = cube.side().cast_signed() - 1;
    let high = Voxel::new(
        low.x.saturating_add(last),
        low.y.saturating_add(last),
        low.z.saturating_add(last),
    );
    (low, high)
}

/// The first blocked leg among those near one of the boxes.
pub(super) fn first_blocked(air: &Air, path: &FlightPath, near: &[VoxelBox]) -> Option<usize> {
    if near.is_empty() {
        return None;
    }
    let test = SegmentTest::new(air, path.radius);
    let start = path.start()?;
    if path.n_legs() == 0 {
        return (!test.is_clear(start, start)).then_some(0);
    }
    (0..path.n_legs())
        .filter(|leg| is_near(path, *leg, near))
        .find(|leg| !test.is_clear(path.waypoints[*leg], path.waypoints[*leg + 1]))
}

/// True if a leg passes within the agent's radius of one of the boxes.
pub(super) fn is_near(path: &FlightPath, leg: usize, boxes: &[VoxelBox]) -> bool {
    let margin = (path.radius.raw() >> 8) + 1;
    let Some(ends) = path.waypoints.get(leg..leg + 2) else {
        return false;
    };
    boxes.iter().any(|(low, high)| {
        let low = Voxel::new(
            low.x.saturating_sub(margin),
            low.y.saturating_sub(margin),
            low.z.saturating_sub(margin),
        );
        let high = Voxel::new(
            high.x.saturating_add(margin),
            high.y.saturating_add(margin),
            high.z.saturating_add(margin),
        );
        touches((ends[0], ends[1]), (low, high))
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
