//! Repair of invalidated flights: keeps the valid legs and searches the gap.

use wayfarer_base::{Cost, Outcome, RequestError};
use wayfarer_world::air::Air;

use super::segment_test::SegmentTest;
use super::smooth::smooth;
use super::status::current_cost;
use super::{FlightPath, FlightRequest, FlightSearcher};

/// The result of [`FlightSearcher::repair`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepairedFlight {
    /// The valid flight.
    pub path: FlightPath,
    /// Legs kept from the previous path; 0 after a full search.
    pub n_kept: usize,
}

impl FlightSearcher {
    /// Repairs `path`, found for `request` at an earlier revision: keeps the legs before the first
    /// and after the last blocked one, searches the gap, and string-pulls the result.
    ///
    /// Succeeds exactly if a full search does, and runs one if nothing can be kept. A valid flight
    /// is returned with the current revision and cost.
    ///
    /// # Errors
    /// As [`FlightSearcher::find`].
    pub fn repair(
        &mut self,
        air: &Air,
        request: &FlightRequest,
        path: &FlightPath,
    ) -> Result<Outcome<RepairedFlight>, RequestError> {
        let is_same = path.start() == Some(request.from) && path.end() == Some(request.to);
        if is_same
            && path.radius == request.radius
            && let Some(repaired) = self.repair_path(air, request, path)
        {
            return Ok(Outcome::Found(repaired));
        }
        let fresh = self.find(air, request)?;
        Ok(fresh.map(|path| RepairedFlight { path, n_kept: 0 }))
    }

    fn repair_path(
        &mut self,
        air: &Air,
        request: &FlightRequest,
        path: &FlightPath,
    ) -> Option<RepairedFlight> {
        let test = SegmentTest::new(air, path.radius);
        let points = &path.waypoints;
        let is_blocked = |leg: &usize| !test.is_clear(points[*leg], points[*leg + 1]);
        let mut blocked = (0..path.n_legs()).filter(is_blocked);
        let Some(first) = blocked.next() else {
            // Valid, unless its only waypoint is blocked.
            let is_valid = points.first().is_some_and(|at| test.is_clear(*at, *at));
            return is_valid.then(|| RepairedFlight {
                path: FlightPath {
                    cost: current_cost(air, path),
                    revision: air.revision(),
                    expansions: 0,
                    ..path.clone()
                },
                n_kept: path.n_legs(),
            });
        };
        let last = blocked.next_back().unwrap_or(first);
        let gap = FlightRequest {
            from: points[first],
            to: points[last + 1],
            ..*request
        };
        let gap = self.find(air, &gap).ok()?.found()?;
        let mut whole = Vec::with_capacity(points.len() + gap.waypoints.len());
        whole.extend_from_slice(&points[..first]);
        whole.extend_from_slice(&gap.waypoints);
        whole.extend_from_slice(&points[last + 2..]);
        let raw_cost: Cost = whole
            .windows(2)
            .map(|leg| test.leg_cost(leg[0], leg[1]))
            .sum();
        self.points.clear();
        for at in whole {
            self.points.push(air.to_local(at)?.map(u32::cast_signed));
        }
        self.keep_raw();
        if let Some(params) = request.params() {
            smooth(
                &mut self.points,
                &mut self.spare,
                params.cutting_rounds.min(15),
                &test,
            );
        }
        let expansions = gap.expansions;
        self.recycle(gap);
        let path = FlightPath {
            expansions,
            ..self.path(air, request, raw_cost)
        };
        let n_kept = points.len() - 1 - (last + 1 - first);
        Some(RepairedFlight { path, n_kept })
    }
}
