//! The cost of a ground path without the path.

use wayfarer_base::{Cost, Location, RequestError};

use super::World;
use super::request::PathRequest;
use super::searcher::Searcher;

impl World {
    /// The cost of the path that [`World::find_path`] would find, without building it: `None` in the
    /// result if there is none within the budget. `None` if the request is not a plain search on the
    /// ground: one that flies, is planar, has viewers or avoids obstacles.
    pub fn distance(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
    ) -> Option<Result<Option<Cost>, RequestError>> {
        let registered = self.registered(request.agent_type).ok()?;
        let (Location::Cell(from), Location::Cell(to)) = self.ends(registered, request).ok()?
        else {
            return None;
        };
        let flies = registered.agent_type.flight.is_some() && self.air.is_some();
        let avoids = self
            .avoiding_agent(request.avoided_obstacles, registered)
            .is_some();
        if flies || avoids || !request.viewers.is_empty() || request.budget.expansions == 0 {
            return None;
        }
        searcher.ground.sync(&self.ground, &self.ground_log);
        let subrequest = self.ground_request(request, registered, (from, to));
        Some(searcher.ground.distance(&self.ground, &subrequest))
    }
}
