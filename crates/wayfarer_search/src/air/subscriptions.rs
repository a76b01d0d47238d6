//! Subscriptions of flights: which of them an edit invalidates.
//!
//! Flights are indexed by the sectors they pass (16 x 16 x 16 voxels), so an edit tests only the
//! flights near it; a changed volume is tested against all flights.

use wayfarer_base::Voxel;
use wayfarer_world::air::{Air, AirChanges, AirSector};

use super::FlightPath;
use super::status::{AirChange, first_invalid, hardened_by};
use crate::subscriptions::{LocatedChange, Run, Subscribable};

impl Subscribable for FlightPath {
    type World = Air;
    type Changes = AirChanges;
    type Sector = AirSector;
    /// A flight depends on whole sectors.
    type Mask = ();
    type Change = AirChange;

    /// Covers all sectors that the agent passes; a superset.
    fn write_runs(&self, air: &Air, runs: &mut Vec<Run<AirSector, ()>>) {
        let margin = (self.radius.raw() >> 8) + 1;
        runs.clear();
        let local = |at: Voxel| air.to_local(at).map(|at| at.map(u32::cast_signed));
        let points: Vec<[i32; 3]> = self.waypoints.iter().filter_map(|at| local(*at)).collect();
        if let [only] = points[..] {
            cover(air, (only, only), margin, runs);
        }
        for leg in points.windows(2) {
            cover(air, (leg[0], leg[1]), margin, runs);
        }
        runs.sort_unstable_by_key(|run| run.sector);
        runs.dedup_by_key(|run| run.sector);
    }

    fn changes(air: &Air, set: &AirChanges) -> Vec<LocatedChange<AirSector, AirChange>> {
        hardened_by(air, set).collect()
    }

    fn depends_on(_mask: &(), _change: &AirChange) -> bool {
        true
    }

    fn is_invalidated(&self, air: &Air, changes: &[AirChange], n_checked: &mut usize) -> bool {
        *n_checked += 1;
        first_invalid(air, self, changes).is_some()
    }
}

/// Adds the sectors within `margin` of a segment; bisects it while its box spans many sectors.
fn cover(air: &Air, (a, b): ([i32; 3], [i32; 3]), margin: i32, runs: &mut Vec<Run<AirSector, ()>>) {
    let side = AirSector::SIDE.cast_signed();
    // One voxel more, since midpoints are rounded.
    let low: [i32; 3] = std::array::from_fn(|axis| (a[axis].min(b[axis]) - margin - 1).max(0));
    let high: [i32; 3] = std::array::from_fn(|axis| {
        let size = air.size()[axis].cast_signed();
        (a[axis].max(b[axis]) + margin + 1).min(size - 1)
    });
    let spans = |axis: usize| high[axis] / side - low[axis] / side;
    let is_long = (0..3).any(|axis| (a[axis] - b[axis]).abs() > 1);
    if is_long && (0..3).any(|axis| spans(axis) > 1) {
        let midpoint = std::array::from_fn(|axis| i32::midpoint(a[axis], b[axis]));
        cover(air, (a, midpoint), margin, runs);
        cover(air, (midpoint, b), margin, runs);
        return;
    }
    for z in low[2] / side..=high[2] / side {
        for y in low[1] / side..=high[1] / side {
            for x in low[0] / side..=high[0] / side {
                let at = [x, y, z].map(|at| (at * side).cast_unsigned());
                if let Some(sector) = air.sector(air.to_world(at)) {
                    runs.push(Run { sector, mask: () });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
