//! Whether a flight still holds, from the change sets since it was found: no search.

use wayfarer_base::{ChangeLog, Location, PathStatus, Voxel, math};
use wayfarer_world::air::{Air, AirDifference, AirSector};

use super::FlightPath;
use super::sight::{Sight, touches};

/// The latest changes of an air.
pub type AirLog = ChangeLog<AirDifference, AirSector>;

/// A box of voxels, both corners included.
pub(super) type VoxelBox = (Voxel, Voxel);

/// Whether `path` still holds in `air`, from the change log and the path alone: no search.
///
/// * *Broken*: a leg leads through something solid or a closed volume now, or too near to it for
///   the agent, or the whole has become costlier. The place is the leg's end.
/// * *Shorter may exist*: an edit since lies where a shorter way could lead through it. Never
///   missed for what opened since the path was found; a way that was passed over then is not told.
/// * *Forgotten*: the log does not reach back to the path's revision.
///
/// Costs time in proportion to what changed since times the legs of the path. For a path that ends
/// short of its goal, the answer is about the way to its own end.
pub fn status(air: &Air, log: &AirLog, path: &FlightPath) -> PathStatus {
    let Some(changes) = log.since(path.revision) else {
        return PathStatus::Unknown;
    };
    let (Some(start), Some(end)) = (path.start(), path.end()) else {
        return PathStatus::Valid;
    };
    let (mut hard, mut eased) = (Vec::new(), Vec::new());
    let mut is_reweighted = false;
    for set in changes {
        for dirty in &set.dirty_sectors {
            let sector = sector_box(air, dirty.sector);
            if dirty.cost_change.may_invalidate_paths() {
                hard.push(sector);
            }
            if dirty.cost_change.may_improve_paths() {
                eased.push(sector);
            }
        }
        for volume in volumes(&set.differences) {
            hard.push(volume);
            eased.push(volume);
            is_reweighted = true;
        }
    }
    hard.sort_unstable();
    hard.dedup();
    if let Some(leg) = first_broken(air, path, &hard) {
        let at = path.waypoints.get(leg + 1).copied().unwrap_or(start);
        return PathStatus::Invalid {
            leg,
            at: Location::Voxel(at),
        };
    }
    if is_reweighted && cost_now(air, path) > path.cost {
        let leg = (0..path.n_legs())
            .find(|leg| is_near(path, *leg, &hard))
            .unwrap_or(0);
        let at = path.waypoints.get(leg + 1).copied().unwrap_or(start);
        return PathStatus::Invalid {
            leg,
            at: Location::Voxel(at),
        };
    }
    let cost = path.cost.to_cells();
    let room = path.radius.to_cells() + 1.0;
    let may_shorten =
        |sector: &VoxelBox| path_to(start, *sector, room) + path_to(end, *sector, room) < cost;
    if eased.iter().any(may_shorten) {
        PathStatus::MaybeSuboptimal
    } else {
        PathStatus::Valid
    }
}

/// What the path costs now.
pub(super) fn cost_now(air: &Air, path: &FlightPath) -> wayfarer_base::Cost {
    let sight = Sight::new(air, path.radius);
    path.waypoints
        .windows(2)
        .map(|leg| sight.leg_cost(leg[0], leg[1]))
        .sum()
}

/// The boxes of volumes that were put, changed or taken away.
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

/// The voxels of a sector.
pub(super) fn sector_box(air: &Air, sector: AirSector) -> VoxelBox {
    let low = air.sector_low(sector);
    let last = AirSector::SIDE.cast_signed() - 1;
    let high = Voxel::new(
        low.x.saturating_add(last),
        low.y.saturating_add(last),
        low.z.saturating_add(last),
    );
    (low, high)
}

/// The first leg near one of some boxes that cannot be flown any more.
pub(super) fn first_broken(air: &Air, path: &FlightPath, near: &[VoxelBox]) -> Option<usize> {
    if near.is_empty() {
        return None;
    }
    let sight = Sight::new(air, path.radius);
    let start = path.start()?;
    if path.n_legs() == 0 {
        return (!sight.sees_voxel(start, start)).then_some(0);
    }
    (0..path.n_legs())
        .filter(|leg| is_near(path, *leg, near))
        .find(|leg| !sight.sees_voxel(path.waypoints[*leg], path.waypoints[*leg + 1]))
}

/// True if a leg passes one of some boxes within the agent's radius.
pub(super) fn is_near(path: &FlightPath, leg: usize, boxes: &[VoxelBox]) -> bool {
    let room = (path.radius.raw() >> 8) + 1;
    let Some(ends) = path.waypoints.get(leg..leg + 2) else {
        return false;
    };
    boxes.iter().any(|(low, high)| {
        let low = Voxel::new(
            low.x.saturating_sub(room),
            low.y.saturating_sub(room),
            low.z.saturating_sub(room),
        );
        let high = Voxel::new(
            high.x.saturating_add(room),
            high.y.saturating_add(room),
            high.z.saturating_add(room),
        );
        touches((ends[0], ends[1]), (low, high))
    })
}

/// The least way from the middle of a voxel to a box with some room around it.
fn path_to(from: Voxel, (low, high): VoxelBox, room: f64) -> f64 {
    let gap = |from: i32, low: i32, high: i32| {
        let at = f64::from(from) + 0.5;
        (f64::from(low) - room - at)
            .max(at - f64::from(high) - 1.0 - room)
            .max(0.0)
    };
    math::length_3(
        gap(from.x, low.x, high.x),
        gap(from.y, low.y, high.y),
        gap(from.z, low.z, high.z),
    )
}
