//! Path search in world units: chooses the search for the modes of movement of the agent type.
//!
//! * Ground: cached jump point search, replanned around avoided obstacles.
//! * Flight: A\* over the octree.
//! * Planar: the obstacle set's search.
//! * Ground and flight: the ground path and the flight (take-off at the start, landing at the goal)
//!   give an upper bound; A\* over cells and voxels then finds anything cheaper by more than the
//!   factor of the method: [`MULTIMODAL_BOUND`](super::MULTIMODAL_BOUND) by default, 1 for `optimal`.
//!   Its flights are string-pulled.
//! * With viewers: the ground path without exposure, if it is within that factor with exposure; else
//!   A\* over cells and voxels with exposure in the step costs, for anything cheaper.

use wayfarer_base::explanation::{BlockedStep, UnblockOption};
use wayfarer_base::{
    Cost, Explanation, Fixed, Location, Outcome, Point2, RequestError, SearchStats, Voxel,
};
use wayfarer_search::air::{
    FlightMethod, FlightPartialPolicy, FlightPath, FlightRequest, OctreeParams,
};
use wayfarer_search::ground::{GroundPath, GroundRequest};
use wayfarer_search::multimodal::FlightProfile;
use wayfarer_search::planar::{EndpointPolicy, PlanarRequest};
use wayfarer_world::obstacles::DiscAgent;

use super::World;
use super::agent::Registered;
use super::body_obstacles::AvoidingAgent;
use super::multimodal::{flight_end, flight_start};
use super::path::{Path, PathLeg, within_cost_limit};
use super::request::PathRequest;
use super::searcher::Searcher;
use crate::Position;

impl World {
    /// Finds a path. Use one searcher per thread.
    ///
    /// The result depends on the world and the request alone. Ground paths cost at most the factor
    /// of [`Method::Bounded`](wayfarer_search::ground::Method::Bounded) more than the optimum,
    /// flights are near-optimal, multimodal paths cost at most
    /// [`MULTIMODAL_BOUND`](super::MULTIMODAL_BOUND) times the optimum over cells and voxels, by
    /// method `optimal` no more than that. All searches of a request share its budget. If it runs out
    /// during a multimodal search, the result is the best complete path so far, or
    /// [`Outcome::OutOfBudget`] without one.
    /// For thousands of cells without a bound on the cost, [`World::find_hierarchical`] and
    /// [`World::begin_hierarchical`] are far faster; this method never chooses them.
    ///
    /// # Errors
    /// The request is invalid: an end is out of range or blocked, the agent type is unknown, the
    /// budget is 0, or the world lacks the domain.
    ///
    /// ```
    /// use wayfarer_engine::{Position, PathRequest, Searcher, World};
    /// use wayfarer_engine::base::{GroundEdit, PathStatus, Raster};
    ///
    /// // . . .
    /// // . # .
    /// // . . .
    /// let map = Raster::from_bytes(3, 3, vec![0, 0, 0, 0, 255, 0, 0, 0, 0]).unwrap();
    /// let mut world = World::from_raster(&map);
    /// let mut searcher = Searcher::default();
    /// let request = PathRequest::new(Position::new(0.5, 1.5, 0.0), Position::new(2.5, 1.5, 0.0));
    ///
    /// let path = world.find_path(&mut searcher, &request)?.found().unwrap();
    /// assert_eq!((path.locations().len(), world.status(&path)), (5, PathStatus::Valid));
    /// let subscription = world.subscribe(path.clone());
    ///
    /// let cell = path.as_ground_path().unwrap().cells[2];
    /// let changes = world.apply([GroundEdit::RemoveCell { cell }])?;
    /// assert_eq!(changes.invalidated, [subscription]);
    /// assert!(matches!(world.status(&path), PathStatus::Invalid { leg: 0, .. }));
    ///
    /// let repaired = world.repair(&mut searcher, &request, &path)?.found().unwrap();
    /// assert_eq!(repaired.cost, path.cost); // the path on the other side is as short
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_path(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
    ) -> Result<Outcome<Path>, RequestError> {
        self.find(searcher, request).map(within_cost_limit)
    }

    fn find(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
    ) -> Result<Outcome<Path>, RequestError> {
        let registered = self.registered(request.agent_type)?;
        let (from, to) = self.ends(registered, request)?;
        if request.budget.expansions == 0 {
            return Err(RequestError::OutOfRange {
                what: "the budget in expansions",
                found: 0,
                expected: "at least 1",
            });
        }
        searcher.ground.sync(&self.ground, &self.ground_log);
        let has_viewers = !request.viewers.is_empty();
        match (from, to) {
            (Location::Point(from), Location::Point(to)) => {
                self.find_planar(searcher, request, registered, (from, to))
            }
            (Location::Cell(from), Location::Cell(to))
                if registered.agent_type.flight.is_none() || self.air.is_none() =>
            {
                if has_viewers {
                    return self.find_exposed(searcher, request, registered, (from, to));
                }
                let mut stats = SearchStats::default();
                let walk = self.find_walk(searcher, request, registered, (from, to), &mut stats)?;
                Ok(walk.map(|walk| self.path_from_walk(request, walk)))
            }
            (Location::Voxel(from), Location::Voxel(to))
                if registered.agent_type.ground.is_none() && !has_viewers =>
            {
                let flight_profile = registered.agent_type.flight.unwrap_or_default();
                let flight = self.find_flight(searcher, request, flight_profile, (from, to))?;
                Ok(flight.map(|flight| self.path_from_flight(request, flight_profile, flight)))
            }
            ends => self.find_multimodal(searcher, request, registered, ends),
        }
    }

    /// Explains why a request finds no path: the frontier of the search, the cheapest blocked step
    /// and what would unblock a path, in every domain of the agent type. Empty if a path exists.
    ///
    /// # Errors
    /// The start is out of range or blocked.
    pub fn explain(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
    ) -> Result<Explanation, RequestError> {
        let registered = self.registered(request.agent_type)?;
        let (from, to) = self.ends(registered, request)?;
        if matches!(self.find_path(searcher, request), Ok(Outcome::Found(_))) {
            return Ok(Explanation::default());
        }
        let mut explanation = Explanation::default();
        if let (Location::Point(from), Location::Point(to)) = (from, to)
            && let (Some(obstacles), Some(agent)) = (&self.obstacles, registered.agent_type.planar)
        {
            let subrequest = planar_request(request, agent, (from, to));
            return searcher.planar.explain(obstacles, &subrequest);
        }
        if let (Location::Cell(from), Location::Cell(to)) = (from, to) {
            let subrequest = GroundRequest {
                profile_id: registered.profile_id,
                budget: request.budget,
                ..GroundRequest::new(from, to)
            };
            explanation = searcher.reachability.explain(&self.ground, &subrequest)?;
            if explanation == Explanation::default()
                && let Some(agent) =
                    self.avoiding((request.avoided_obstacles, request.own_body), registered)
            {
                explanation = self.explain_obstacles(searcher, &subrequest, agent)?;
            }
        }
        if let (Some(air), Some(flight)) = (&self.air, registered.agent_type.flight) {
            let graph = self.multimodal_graph(registered)?;
            let up = flight_start(&graph, from).map(|end| end.0);
            let down = flight_end(&graph, to).map(|end| end.0);
            if let (Some(up), Some(down)) = (up, down) {
                let subrequest = flight_request(request, flight, (up, down));
                let more = searcher.air.explain(air, &subrequest)?;
                explanation.frontier.extend(more.frontier);
                explanation.unblock_options.extend(more.unblock_options);
                let blocked = [explanation.cheapest_blocked, more.cheapest_blocked];
                let blocked = blocked.into_iter().flatten();
                explanation.cheapest_blocked = blocked.min_by_key(|step| step.cost);
            }
        }
        Ok(explanation)
    }

    /// The avoided obstacles on the path that exists without them.
    fn explain_obstacles(
        &self,
        searcher: &mut Searcher,
        subrequest: &GroundRequest,
        agent: AvoidingAgent,
    ) -> Result<Explanation, RequestError> {
        let path = searcher.ground.find(&self.ground, subrequest)?;
        let Some(path) = path.found() else {
            return Ok(Explanation::default());
        };
        let mut hit = self.obstacles_on_walk(&path.cells, agent, true);
        let first = hit.first().map(|(step, _)| *step);
        hit.sort_by_key(|(step, id)| (*id, *step));
        hit.dedup_by_key(|(_, id)| *id);
        hit.sort_unstable();
        let step = first.and_then(|at| Some((*path.cells.get(at)?, *path.cells.get(at + 1)?)));
        let outline = |id| self.obstacles.as_ref()?.outline(id, agent.disc);
        let unblock_options = hit.iter().filter_map(|(_, id)| {
            let outline = outline(*id)?;
            let middle = |a: Fixed, b: Fixed| Fixed::from_raw(i32::midpoint(a.raw(), b.raw()));
            let (low, high) = (outline.low(), outline.high());
            let at = Point2::new(middle(low.x, high.x), middle(low.y, high.y));
            let what = "avoided obstacle";
            Some(UnblockOption {
                at: at.into(),
                what,
            })
        });
        Ok(Explanation {
            frontier: step.map(|(from, _)| from.into()).into_iter().collect(),
            // One step unblocks the path only if a single obstacle is on it.
            cheapest_blocked: step
                .filter(|_| hit.len() == 1)
                .map(|(from, to)| BlockedStep {
                    from: from.into(),
                    to: to.into(),
                    cost: path.cost,
                    reason: "an avoided obstacle is there",
                }),
            unblock_options: unblock_options.collect(),
        })
    }

    pub(super) fn ends(
        &self,
        registered: &Registered,
        request: &PathRequest,
    ) -> Result<(Location, Location), RequestError> {
        let locate = |at: Position, what: [&'static str; 3]| {
            self.locate(registered, at).ok_or_else(|| {
                // Reports the coordinate farthest from the origin.
                let origin = self.scale.origin();
                let numbers = [(at.x, origin.x), (at.y, origin.y), (at.z, origin.z)];
                let distance = |axis: &usize| numbers[*axis].0.abs_diff(numbers[*axis].1);
                let axis = [2, 1, 0].into_iter().max_by_key(distance).unwrap_or(0);
                RequestError::OutOfRange {
                    what: what[axis],
                    found: numbers[axis].0 / Position::PARTS,
                    expected: "a position in the world",
                }
            })
        };
        Ok((
            locate(
                request.from,
                ["x of the start", "y of the start", "z of the start"],
            )?,
            locate(
                request.to,
                ["x of the goal", "y of the goal", "z of the goal"],
            )?,
        ))
    }

    pub(super) fn find_flight(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        flight: FlightProfile,
        ends: (Voxel, Voxel),
    ) -> Result<Outcome<FlightPath>, RequestError> {
        match &self.air {
            Some(air) => searcher
                .air
                .find(air, &flight_request(request, flight, ends)),
            None => Err(RequestError::UnsupportedMethod {
                method: "flight",
                reason: "the world has no air",
            }),
        }
    }

    fn find_planar(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        registered: &Registered,
        (from, to): (Point2, Point2),
    ) -> Result<Outcome<Path>, RequestError> {
        let (Some(obstacles), Some(agent)) = (&self.obstacles, registered.agent_type.planar) else {
            return Err(RequestError::UnsupportedMethod {
                method: "planar",
                reason: "the agent type is not planar, or the world has no obstacle set",
            });
        };
        let found = searcher
            .planar
            .find(obstacles, &planar_request(request, agent, (from, to)))?;
        Ok(found.map(|path| {
            let (cost, expansions) = (path.cost, path.expansions);
            self.new_path(request, vec![PathLeg::Planar(path)], cost, expansions)
        }))
    }

    pub(super) fn path_from_walk(&self, request: &PathRequest, walk: GroundPath) -> Path {
        let (cost, expansions) = (walk.cost, walk.expansions);
        self.new_path(request, vec![PathLeg::Ground(walk)], cost, expansions)
    }

    pub(super) fn path_from_flight(
        &self,
        request: &PathRequest,
        flight_profile: FlightProfile,
        flight: FlightPath,
    ) -> Path {
        let cost = self.flight_cost(flight.cost, flight_profile);
        let expansions = flight.expansions;
        self.new_path(request, vec![PathLeg::Flight(flight)], cost, expansions)
    }

    pub(super) fn new_path(
        &self,
        request: &PathRequest,
        legs: Vec<PathLeg>,
        cost: Cost,
        expansions: u64,
    ) -> Path {
        Path {
            legs,
            cost,
            revision: self.revision,
            agent_type: request.agent_type,
            expansions,
            avoided_obstacles: request.avoided_obstacles,
            includes_exposure: !request.viewers.is_empty(),
            body: request.own_body,
        }
    }
}

pub(super) fn flight_request(
    request: &PathRequest,
    flight: FlightProfile,
    (from, to): (Voxel, Voxel),
) -> FlightRequest {
    FlightRequest {
        method: FlightMethod::Octree(OctreeParams::BALANCED),
        radius: flight.radius,
        budget: request.budget,
        partial: if request.allow_partial {
            FlightPartialPolicy::Nearest
        } else {
            FlightPartialPolicy::Never
        },
        ..FlightRequest::new(from, to)
    }
}

pub(super) fn planar_request(
    request: &PathRequest,
    agent: DiscAgent,
    (from, to): (Point2, Point2),
) -> PlanarRequest {
    let policy = if request.allow_partial {
        EndpointPolicy::NearestFree
    } else {
        EndpointPolicy::Reject
    };
    PlanarRequest {
        agent,
        budget: request.budget,
        start_policy: policy,
        goal_policy: policy,
        ..PlanarRequest::new(from, to)
    }
}

#[cfg(test)]
mod tests;
