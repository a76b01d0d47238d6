//! A broken flight repaired: what still holds is kept, and only the gap is searched.

use wayfarer_base::{Cost, Outcome, RequestError};
use wayfarer_world::air::Air;

use super::sight::Sight;
use super::smooth::smooth;
use super::status::cost_now;
use super::{FlightPath, FlightRequest, FlightSearcher};

/// A flight that was repaired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepairedFlight {
    /// The flight as it is now.
    pub path: FlightPath,
    /// How many legs of the former path were kept; 0 if it was found anew.
    pub n_kept: usize,
}

impl FlightSearcher {
    /// Repairs `path`, which was found for `request` at an earlier revision: keeps the legs before
    /// the first and after the last broken one, searches between, and pulls the whole tight.
    ///
    /// There is a repaired flight if and only if there is a fresh one. Where nothing can be kept it
    /// is found anew. A flight that holds is given back as of the present revision.
    ///
    /// # Errors
    /// What is wrong with the request, and where.
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
        let sight = Sight::new(air, path.radius);
        let points = &path.waypoints;
        let is_broken = |leg: &usize| !sight.sees_voxel(points[*leg], points[*leg + 1]);
        let mut broken = (0..path.n_legs()).filter(is_broken);
        let Some(first) = broken.next() else {
            // Nothing to do, unless there is but one waypoint and it is no longer free.
            let is_alive = points.first().is_some_and(|at| sight.sees_voxel(*at, *at));
            return is_alive.then(|| RepairedFlight {
                path: FlightPath {
                    cost: cost_now(air, path),
                    revision: air.revision(),
                    expansions: 0,
                    ..path.clone()
                },
                n_kept: path.n_legs(),
            });
        };
        let last = broken.next_back().unwrap_or(first);
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
            .map(|leg| sight.leg_cost(leg[0], leg[1]))
            .sum();
        let place = |at| air.place(at).map(|at| at.map(u32::cast_signed));
        self.points.clear();
        for at in whole {
            self.points.push(place(at)?);
        }
        self.keep_raw();
        if let Some(params) = request.params() {
            smooth(
                &mut self.points,
                &mut self.spare,
                params.cutting_rounds.min(15),
                &sight,
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
