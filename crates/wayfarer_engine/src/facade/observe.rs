//! Searches of one domain with their events, for visualization.

use wayfarer_base::{Location, Outcome, RequestError, SearchEvent};
use wayfarer_search::air::{FlightMethod, FlightRequest};
use wayfarer_search::ground::NavGraph;
use wayfarer_search::planar::{PlanarMethod, PlanarRequest, PlanarSearcher};
use wayfarer_world::obstacles::quadtree::SplitCriterion;

use super::World;
use super::find::{flight_request, planar_request};
use super::path::{Path, PathLeg, within_cost_limit};
use super::request::PathRequest;
use super::searcher::Searcher;

/// The search that [`World::find_observed`] runs; the agent type chooses the domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObservedSearch {
    /// On the ground, by the method of the request.
    Ground,
    /// On the ground, by Lazy Theta\*.
    AnyAngle,
    /// Through the air.
    Flight(FlightMethod),
    /// On the plane.
    Planar(PlanarMethod, SplitCriterion),
}

impl World {
    /// Finds a path and appends the events of its search. The path is that of the search without an
    /// observer. Avoided obstacles and viewers are ignored: their searches run several times.
    ///
    /// # Errors
    /// As [`World::find_path`]; the agent type does not move in the domain of `search`.
    pub fn find_observed(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        search: ObservedSearch,
        events: &mut Vec<SearchEvent>,
    ) -> Result<Outcome<Path>, RequestError> {
        let registered = self.registered(request.agent_type)?;
        let ends = self.ends(registered, request)?;
        let found = match (search, ends) {
            (ObservedSearch::Ground, (Location::Cell(from), Location::Cell(to))) => {
                searcher.ground.sync(&self.ground, &self.ground_log);
                let subrequest = self.ground_request(request, registered, (from, to));
                let ground = &mut searcher.ground;
                let walk = ground.find_observed(&self.ground, &subrequest, events)?;
                walk.map(|walk| self.path_from_walk(request, walk))
            }
            (ObservedSearch::AnyAngle, (Location::Cell(from), Location::Cell(to))) => {
                let nav_graph = NavGraph::new(&self.ground, registered.profile_id)?;
                let (lines, budget) = (&mut searcher.any_angle, request.budget);
                let found = lines.find_observed(nav_graph, from, to, budget, events)?;
                found.map(|path| self.path_along_lines(nav_graph, request, &path))
            }
            (ObservedSearch::Flight(method), (Location::Voxel(from), Location::Voxel(to))) => {
                let air = self.air.as_ref();
                let air = air.ok_or_else(|| unsupported("the world has no air"))?;
                let profile = registered.agent_type.flight.unwrap_or_default();
                let subrequest = FlightRequest {
                    method,
                    ..flight_request(request, profile, (from, to))
                };
                let flight = searcher.air.find_observed(air, &subrequest, events)?;
                flight.map(|flight| self.path_from_flight(request, profile, flight))
            }
            (
                ObservedSearch::Planar(method, criterion),
                (Location::Point(from), Location::Point(to)),
            ) => {
                let (Some(obstacles), Some(agent)) =
                    (&self.obstacles, registered.agent_type.planar)
                else {
                    return Err(unsupported("the world has no obstacle set"));
                };
                let subrequest = PlanarRequest {
                    method,
                    criterion,
                    ..planar_request(request, agent, (from, to))
                };
                let planar = &mut searcher.planar;
                let found = planar.find_observed(obstacles, &subrequest, events)?;
                found.map(|path| {
                    let (cost, expansions) = (path.cost, path.expansions);
                    self.new_path(request, vec![PathLeg::Planar(path)], cost, expansions)
                })
            }
            _ => return Err(unsupported("the agent type does not move in this domain")),
        };
        Ok(within_cost_limit(found))
    }
}

const fn unsupported(reason: &'static str) -> RequestError {
    RequestError::UnsupportedMethod {
        method: "an observed search",
        reason,
    }
}

impl Searcher {
    /// The searches on the plane, with the quadtree of the last one.
    pub const fn planar(&self) -> &PlanarSearcher {
        &self.planar
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use wayfarer_base::Raster;
    use wayfarer_search::ground::Method;

    /// A wall with a gap at the bottom.
    const MAP: [&str; 5] = [
        "....#....",
        "....#....",
        "....#....",
        "....#....",
        ".........",
    ];

    fn world() -> World {
        let cells = MAP.join("");
        let cells = cells.bytes().map(|byte| if byte == b'.' { 0 } else { 255 });
        World::from_raster(&Raster::from_bytes(9, 5, cells.collect()).unwrap())
    }

    #[test]
    fn an_observer_does_not_change_the_path() {
        let world = world();
        for method in [
            Method::AStar,
            Method::Jps,
            Method::Dijkstra,
            Method::Optimal,
        ] {
            let mut request =
                PathRequest::new(Position::new(0.5, 0.5, 0.0), Position::new(8.5, 0.5, 0.0));
            request.ground.method = method;
            let mut events = Vec::new();
            let search = ObservedSearch::Ground;
            let mut searcher = Searcher::default();
            let observed = world.find_observed(&mut searcher, &request, search, &mut events);
            let observed = observed.unwrap().found().unwrap();
            let plain = world.find_path(&mut Searcher::default(), &request);
            assert_eq!(observed, plain.unwrap().found().unwrap(), "{method:?}");
            let is_reached = |event: &SearchEvent| matches!(event, SearchEvent::Reached { .. });
            assert!(events.iter().any(is_reached), "{method:?}: {events:?}");
        }
    }

    #[test]
    fn a_search_of_another_domain_is_refused() {
        let request = PathRequest::new(Position::new(0.5, 0.5, 0.0), Position::new(8.5, 0.5, 0.0));
        let search = ObservedSearch::Planar(PlanarMethod::Quadtree, SplitCriterion::GUERRILLA_2013);
        let mut events = Vec::new();
        let found = world().find_observed(&mut Searcher::default(), &request, search, &mut events);
        assert!(matches!(found, Err(RequestError::UnsupportedMethod { .. })));
    }
}
