//! Tests of subscribed flights.

use wayfarer_base::{ChangeLog, CostMultiplier, PathStatus};
use wayfarer_world::air::{AirBuilder, AirEdit, Volume, VolumeId, VolumeRule};

use super::super::{AirLog, FlightRequest, FlightSearcher, status};
use super::*;
use crate::subscriptions::PathIndex;

#[test]
fn a_costlier_or_closed_volume_on_a_flight_invalidates_it_once() {
    // A multiplier in sixteenths, 0 for closed; 16 leaves the cost as it is.
    for (rule, y) in [(16, 5), (40, 5), (40, 30), (0, 5), (0, 30)] {
        let mut air = AirBuilder::new(Voxel::new(0, 0, 0), [48; 3])
            .unwrap()
            .build()
            .unwrap();
        let request = FlightRequest::new(Voxel::new(1, 5, 5), Voxel::new(40, 5, 5));
        let found = FlightSearcher::default().find(&air, &request).unwrap();
        let path = found.found().unwrap();
        let mut flights = PathIndex::default();
        let id = flights.insert(path.clone(), &air, &path);
        let volume = Volume {
            low: Voxel::new(10, y, 0),
            high: Voxel::new(20, y + 3, 20),
            rule: CostMultiplier::from_sixteenths(rule)
                .map_or(VolumeRule::Closed, VolumeRule::CostMultiplier),
        };
        let mut log: AirLog = ChangeLog::new(2);
        let put = AirEdit::PutVolume {
            id: VolumeId(1),
            volume,
        };
        let changes = air.apply(&[put]).unwrap();
        let report = flights.find_invalidated(&air, &changes, Some);
        flights.mark_invalid(&report.invalidated);
        log.push(changes);
        let is_invalid = matches!(status(&air, &log, &path), PathStatus::Invalid { .. });
        let expected: &[_] = if is_invalid { &[id] } else { &[] };
        assert_eq!(is_invalid, y == 5 && rule != 16, "{rule} {y}");
        assert_eq!(report.invalidated, expected, "{rule} {y}");
        let solid = AirEdit::Fill {
            low: Voxel::new(10, 0, 0),
            high: Voxel::new(12, 9, 9),
        };
        let changes = air.apply(&[solid]).unwrap();
        let report = flights.find_invalidated(&air, &changes, Some);
        assert_eq!(report.n_checked, usize::from(!is_invalid), "{rule} {y}");
    }
}
