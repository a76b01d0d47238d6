//! The way from one position to another, through whichever parts of the world the agent can use.
//!
//! * Who only walks: the ground's own search, round the movers of the field.
//! * Who only flies: the air's own search over the octree.
//! * Who roams: the field's own search.
//! * Who walks and flies: the walk alone, the flight alone (up at once, down at the end), and the
//!   exact search over cells and voxels for anything cheaper than both. Flights are then pulled
//!   tight, so that no way over cells and voxels is cheaper than the path.
//! * Past watchers: the exact search, with exposure as a toll.

use wayfarer_base::explanation::{BlockedStep, UnblockOption};
use wayfarer_base::{
    Cell, Cost, Explanation, Fixed, Location, Outcome, Point2, RequestError, SearchStats, Voxel,
};
use wayfarer_search::air::{
    FlightMethod, FlightPartialPolicy, FlightPath, FlightRequest, OctreeParams, string_pull,
};
use wayfarer_search::ground::{GroundPath, GroundRequest, NavGraph};
use wayfarer_search::multimodal::{
    FlightProfile, MultimodalGraph, MultimodalPath, MultimodalRequest,
};
use wayfarer_search::planar::{EndpointPolicy, PlanarRequest};
use wayfarer_world::obstacles::DiscAgent;

use super::World;
use super::agent::Registered;
use super::dynamic_obstacles::left;
use super::exposure::RequestCosts;
use super::path::{ModeTransition, Path, PathLeg};
use super::request::PathRequest;
use super::searcher::Searcher;
use crate::Position;

impl World {
    /// Finds a way; keep one searcher for each thread.
    ///
    /// The answer depends on the world and the request alone. Walks cost at most what
    /// [`Method::Default`](wayfarer_search::ground::Method::Default) promises of the cheapest, flights are near the shortest, mixed paths
    /// cost no more than the cheapest over cells and voxels; if the budget ends the search for
    /// those, the best known whole way is given, and [`Outcome::OutOfBudget`] if there is none.
    /// All searches that a request needs share its budget. Walks over thousands of cells for which
    /// no such promise is needed are found far sooner by [`World::find_hierarchical`] and piece by piece by
    /// [`World::set_out`]; this never chooses them by itself.
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    ///
    /// ```
    /// use wayfarer::{Position, PathRequest, Searcher, World};
    /// use wayfarer::base::{Cell, Edit, PathStatus, Raster};
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
    /// assert_eq!((path.locations().len(), world.status(&path)), (5, PathStatus::Holds));
    /// let watched = world.watch(path.clone());
    ///
    /// let cell = path.as_walk().unwrap().cells[2]; // a rock falls on the middle new the way
    /// let changes = world.apply([Edit::RemoveCell { cell }])?;
    /// assert_eq!(changes.broken, [watched]);
    /// assert!(matches!(world.status(&path), PathStatus::Invalid { leg: 0, .. }));
    ///
    /// let mended = world.repair(&mut searcher, &request, &path)?.found().unwrap();
    /// assert_eq!(mended.cost, path.cost); // the way round the other side is as short
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_path(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
    ) -> Result<Outcome<Path>, RequestError> {
        let known = self.registered(request.agent_type)?;
        let (from, to) = self.ends(known, request)?;
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
                self.roam(searcher, request, known, (from, to))
            }
            (Location::Cell(from), Location::Cell(to))
                if known.agent_type.flight.is_none() || self.air.is_none() =>
            {
                if has_viewers {
                    refuse_near(request)?;
                    let ends = (from.into(), to.into());
                    return self.joint(
                        searcher,
                        request,
                        known,
                        ends,
                        (None, SearchStats::default()),
                    );
                }
                let mut stats = SearchStats::default();
                let walk = self.walk(searcher, request, known, (from, to), &mut stats)?;
                Ok(walk.map(|walk| self.of_walk(request, walk)))
            }
            (Location::Voxel(from), Location::Voxel(to))
                if known.agent_type.ground.is_none() && !has_viewers =>
            {
                let flight_profile = known.agent_type.flight.unwrap_or_default();
                let flight = self.fly(searcher, request, flight_profile, (from, to))?;
                Ok(flight.map(|flight| self.of_flight(request, flight_profile, flight)))
            }
            ends => self.both(searcher, request, known, ends),
        }
    }

    /// What stands between the start and the goal of a request that found no way, and what would
    /// open one, in the parts that the agent can use; empty if there is a way.
    ///
    /// # Errors
    /// If one cannot be at the start.
    pub fn explain(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
    ) -> Result<Explanation, RequestError> {
        let known = self.registered(request.agent_type)?;
        let (from, to) = self.ends(known, request)?;
        if matches!(self.find_path(searcher, request), Ok(Outcome::Found(_))) {
            return Ok(Explanation::default());
        }
        let mut explain = Explanation::default();
        if let (Location::Point(from), Location::Point(to)) = (from, to)
            && let (Some(obstacles), Some(agent)) = (&self.obstacles, known.agent_type.planar)
        {
            let asked = roam_request(request, agent, (from, to));
            return searcher.planar.explain(obstacles, &asked);
        }
        if let (Location::Cell(from), Location::Cell(to)) = (from, to) {
            let asked = GroundRequest {
                profile_id: known.profile_id,
                budget: request.budget,
                ..GroundRequest::new(from, to)
            };
            explain = searcher.reach.explain(&self.ground, &asked)?;
            if explain == Explanation::default()
                && let Some(agent) = self.mover_agent(request.avoided_obstacles, known)
            {
                explain = self.explain_dynamic_obstacles(searcher, &asked, agent)?;
            }
        }
        if let (Some(air), Some(flight)) = (&self.air, known.agent_type.flight) {
            let world = self.mixed(known)?;
            let up = flying_start(&world, from).map(|end| end.0);
            let down = flying_end(&world, to).map(|end| end.0);
            if let (Some(up), Some(down)) = (up, down) {
                let asked = flight_request(request, flight, (up, down));
                let more = searcher.air.explain(air, &asked)?;
                explain.frontier.extend(more.frontier);
                explain.unblock_options.extend(more.unblock_options);
                let blocked = [explain.cheapest_blocked, more.cheapest_blocked];
                let blocked = blocked.into_iter().flatten();
                explain.cheapest_blocked = blocked.min_by_key(|step| step.cost);
            }
        }
        Ok(explain)
    }

    /// The movers on the way that would be taken without them.
    fn explain_dynamic_obstacles(
        &self,
        searcher: &mut Searcher,
        asked: &GroundRequest,
        agent: DiscAgent,
    ) -> Result<Explanation, RequestError> {
        let path = searcher.ground.find(&self.ground, asked)?;
        let Some(path) = path.found() else {
            return Ok(Explanation::default());
        };
        let mut hit = self.dynamic_obstacles_on(&path.cells, agent, true);
        let first = hit.first().map(|(step, _)| *step);
        hit.sort_by_key(|(step, mover)| (*mover, *step));
        hit.dedup_by_key(|(_, mover)| *mover);
        hit.sort_unstable();
        let step = first.and_then(|at| Some((*path.cells.get(at)?, *path.cells.get(at + 1)?)));
        let outline = |mover| self.obstacles.as_ref()?.outline(mover, agent);
        let unblock_options = hit.iter().filter_map(|(_, mover)| {
            let outline = outline(*mover)?;
            let half = |a: Fixed, b: Fixed| Fixed::from_raw(i32::midpoint(a.raw(), b.raw()));
            let (low, high) = (outline.low(), outline.high());
            let at = Point2::new(half(low.x, high.x), half(low.y, high.y));
            let what = "mover";
            Some(UnblockOption {
                at: at.into(),
                what,
            })
        });
        Ok(Explanation {
            frontier: step.map(|(from, _)| from.into()).into_iter().collect(),
            // A single step opens the way only if there is one mover on it.
            cheapest_blocked: step
                .filter(|_| hit.len() == 1)
                .map(|(from, to)| BlockedStep {
                    from: from.into(),
                    to: to.into(),
                    cost: path.cost,
                    reason: "somebody to keep clear of is there",
                }),
            unblock_options: unblock_options.collect(),
        })
    }

    pub(super) fn ends(
        &self,
        known: &Registered,
        request: &PathRequest,
    ) -> Result<(Location, Location), RequestError> {
        let place = |at: Position, what: [&'static str; 3]| {
            self.place_of(known, at).ok_or_else(|| {
                // Which number is to blame: the farthest from the world's origin.
                let origin = self.scale.origin();
                let numbers = [(at.x, origin.x), (at.y, origin.y), (at.z, origin.z)];
                let far = |axis: &usize| numbers[*axis].0.abs_diff(numbers[*axis].1);
                let axis = [2, 1, 0].into_iter().max_by_key(far).unwrap_or(0);
                RequestError::OutOfRange {
                    what: what[axis],
                    found: numbers[axis].0 / Position::PARTS,
                    expected: "a position in the world",
                }
            })
        };
        Ok((
            place(
                request.from,
                ["x of the start", "y of the start", "z of the start"],
            )?,
            place(
                request.to,
                ["x of the goal", "y of the goal", "z of the goal"],
            )?,
        ))
    }

    pub(super) fn fly(
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
                method: "fly",
                reason: "the world has no air",
            }),
        }
    }

    fn roam(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        known: &Registered,
        (from, to): (Point2, Point2),
    ) -> Result<Outcome<Path>, RequestError> {
        let (Some(obstacles), Some(agent)) = (&self.obstacles, known.agent_type.planar) else {
            return Err(RequestError::UnsupportedMethod {
                method: "roam",
                reason: "the agent does not roam, or the world has no field",
            });
        };
        let found = searcher
            .planar
            .find(obstacles, &roam_request(request, agent, (from, to)))?;
        Ok(found.map(|path| {
            let (cost, expansions) = (path.cost, path.expansions);
            self.path(request, vec![PathLeg::Planar(path)], cost, expansions)
        }))
    }

    /// For one who walks and flies.
    fn both(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        known: &Registered,
        ends: (Location, Location),
    ) -> Result<Outcome<Path>, RequestError> {
        refuse_near(request)?;
        let world = self.mixed(known)?;
        let reason = "there is no room for the agent";
        if !world.fits(ends.0) {
            return Err(RequestError::StartBlocked { at: ends.0, reason });
        }
        if !world.fits(ends.1) {
            return Err(RequestError::GoalBlocked { at: ends.1, reason });
        }
        // Tolls depend on the way: with watchers nothing is known beforehand.
        let mut stats = SearchStats::default();
        let best = if request.viewers.is_empty() {
            self.alone(searcher, request, known, (&world, ends), &mut stats)
        } else {
            None
        };
        self.joint(searcher, request, known, ends, (best, stats))
    }

    /// The cheaper of the way that is only walked and the one that is only flown, if one is whole;
    /// adds to `stats` what both took.
    fn alone(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        known: &Registered,
        (world, ends): (&MultimodalGraph<'_>, (Location, Location)),
        stats: &mut SearchStats,
    ) -> Option<Path> {
        let walk = match ends {
            (Location::Cell(from), Location::Cell(to)) => {
                let walk = self.walk(searcher, request, known, (from, to), stats);
                let walk = walk.ok().and_then(Outcome::found);
                walk.map(|walk| self.of_walk(request, walk))
            }
            _ => None,
        };
        let asked = PathRequest {
            budget: left(request.budget, SearchStats::default(), *stats),
            ..request.clone()
        };
        let flight_profile = known
            .agent_type
            .flight
            .filter(|_| asked.budget.expansions > 0);
        let up = flying_start(world, ends.0).zip(flying_end(world, ends.1));
        let flight = flight_profile
            .zip(up)
            .and_then(|(flight_profile, (up, down))| {
                let lands_free = self.can_land(request, known, ends.1);
                let flight = self
                    .fly(searcher, &asked, flight_profile, (up.0, down.0))
                    .ok()?;
                *stats += searcher.air.stats();
                let flight = flight.found().filter(|_| lands_free)?;
                self.between_transfers(request, known, flight_profile, ends, (up, flight, down))
            });
        let both = [walk, flight].into_iter().flatten();
        both.min_by_key(|path| path.cost)
    }

    /// The path of a flight with the take-off before and the landing after it, at their costs,
    /// where one begins or ends on the ground.
    fn between_transfers(
        &self,
        request: &PathRequest,
        known: &Registered,
        flight_profile: FlightProfile,
        ends: (Location, Location),
        (up, flight, down): ((Voxel, Cost), FlightPath, (Voxel, Cost)),
    ) -> Option<Path> {
        let total = up.1 + self.flight_cost(flight.cost, flight_profile) + down.1;
        let expansions = flight.expansions;
        let mut legs = Vec::new();
        if let Location::Cell(cell) = ends.0 {
            legs.push(PathLeg::Ground(self.stand(known, cell)?));
            let (voxel, cost) = up;
            legs.push(PathLeg::TakeOff(ModeTransition { cell, voxel, cost }));
        }
        legs.push(PathLeg::Flight(flight));
        if let Location::Cell(cell) = ends.1 {
            let (voxel, cost) = down;
            legs.push(PathLeg::Landing(ModeTransition { cell, voxel, cost }));
            legs.push(PathLeg::Ground(self.stand(known, cell)?));
        }
        Some(self.path(request, legs, total, expansions))
    }

    /// A walk of no length, so that who watches knows where one stands.
    fn stand(&self, known: &Registered, cell: Cell) -> Option<GroundPath> {
        let nav_graph = NavGraph::new(&self.ground, known.profile_id).ok()?;
        GroundPath::from_cells(nav_graph, &[cell])
    }

    /// False if somebody to keep clear of stands where one would land.
    fn can_land(&self, request: &PathRequest, known: &Registered, at: Location) -> bool {
        match (at, self.mover_agent(request.avoided_obstacles, known)) {
            (Location::Cell(cell), Some(agent)) => self.mover_in(cell, agent).is_none(),
            _ => true,
        }
    }

    /// The exact search over cells and voxels, for anything cheaper than the best known way, with
    /// what its finding left of the budget.
    fn joint(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        known: &Registered,
        ends: (Location, Location),
        (best, before): (Option<Path>, SearchStats),
    ) -> Result<Outcome<Path>, RequestError> {
        let world = self.mixed(known)?;
        if ends.0 != ends.1 && !self.can_land(request, known, ends.1) {
            return Err(RequestError::GoalBlocked {
                at: ends.1,
                reason: "somebody to keep clear of is there",
            });
        }
        let asked = MultimodalRequest {
            from: ends.0,
            to: ends.1,
            budget: left(request.budget, SearchStats::default(), before),
            cost_limit: best.as_ref().map_or(Cost::MAX, |path| path.cost),
        };
        let mut tolls = RequestCosts::new(self, request, known);
        let result = if tolls.are_none() {
            searcher.mixed.find(&world, &asked, None)?
        } else {
            let mut cost_fn = |from, to| tolls.on(from, to);
            searcher.mixed.find(&world, &asked, Some(&mut cost_fn))?
        };
        let mut stats = before;
        stats += searcher.mixed.stats();
        let assembled = |found_path: &MultimodalPath| {
            let path = self.assemble(request, known, &world, found_path)?;
            let expansions = stats.expansions;
            Some(Path { expansions, ..path })
        };
        Ok(match (result, best) {
            (Outcome::Found(found_path), _) => match assembled(&found_path) {
                Some(path) => Outcome::Found(path),
                None => nothing(),
            },
            (_, Some(best)) => Outcome::Found(Path {
                expansions: stats.expansions,
                ..best
            }),
            (Outcome::OutOfBudget { best, .. }, None) => match assembled(&best) {
                Some(best) => Outcome::OutOfBudget { best, stats },
                None => nothing(),
            },
            (Outcome::Unreachable { proof, .. }, None) => Outcome::Unreachable {
                proof,
                nearest: None,
            },
            (Outcome::Partial { .. }, None) => nothing(),
        })
    }

    /// The path along cells and voxels, its flights pulled tight where no toll is paid.
    fn assemble(
        &self,
        request: &PathRequest,
        known: &Registered,
        world: &MultimodalGraph<'_>,
        path: &MultimodalPath,
    ) -> Option<Path> {
        let mut legs = Vec::new();
        let mut saved = Cost::ZERO;
        let is_air = |location: &Location| matches!(location, Location::Voxel(_));
        let mut last: Option<Location> = None;
        for run in path.locations.chunk_by(|a, b| is_air(a) == is_air(b)) {
            if let (Some(from), Some(to)) = (last, run.first()) {
                legs.push(transfer(world, from, *to)?);
            }
            last = run.last().copied();
            if run.first().is_some_and(is_air) {
                let (air, flight_profile) = world.air?;
                let voxels: Vec<Voxel> = run.iter().filter_map(voxel_of).collect();
                let flight = self.flight(air, flight_profile, &voxels, request)?;
                let before = self.flight_cost(flight.raw_cost, flight_profile);
                saved += before - self.flight_cost(flight.cost, flight_profile);
                legs.push(PathLeg::Flight(flight));
            } else {
                let cells: Vec<Cell> = run.iter().filter_map(cell_of).collect();
                let nav_graph = NavGraph::new(&self.ground, known.profile_id).ok()?;
                let mut walk = GroundPath::from_cells(nav_graph, &cells)?;
                walk.has_request_costs = !request.viewers.is_empty();
                legs.push(PathLeg::Ground(walk));
            }
        }
        Some(self.path(request, legs, path.cost - saved, path.expansions))
    }

    fn flight(
        &self,
        air: &wayfarer_world::air::Air,
        flight_profile: FlightProfile,
        voxels: &[Voxel],
        request: &PathRequest,
    ) -> Option<FlightPath> {
        let mut flight = string_pull(air, voxels, flight_profile.radius)?;
        if !request.viewers.is_empty() {
            // Straight lines could lead through places that are seen.
            flight.waypoints = voxels.to_vec();
            flight.cost = flight.raw_cost;
        }
        Some(flight)
    }

    pub(super) fn of_walk(&self, request: &PathRequest, walk: GroundPath) -> Path {
        let (cost, expansions) = (walk.cost, walk.expansions);
        self.path(request, vec![PathLeg::Ground(walk)], cost, expansions)
    }

    pub(super) fn of_flight(
        &self,
        request: &PathRequest,
        flight_profile: FlightProfile,
        flight: FlightPath,
    ) -> Path {
        let cost = self.flight_cost(flight.cost, flight_profile);
        let expansions = flight.expansions;
        self.path(request, vec![PathLeg::Flight(flight)], cost, expansions)
    }

    pub(super) fn path(
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

/// Only whole paths are searched for over cells and voxels as one, and past watchers.
fn refuse_near(request: &PathRequest) -> Result<(), RequestError> {
    if request.allow_partial {
        return Err(RequestError::UnsupportedMethod {
            method: "goes_near",
            reason: "who walks and flies, or goes past watchers, goes all the way or not at all",
        });
    }
    Ok(())
}

fn nothing() -> Outcome<Path> {
    Outcome::Unreachable {
        proof: wayfarer_base::UnreachableProof::SearchExhausted,
        nearest: None,
    }
}

fn voxel_of(location: &Location) -> Option<Voxel> {
    match location {
        Location::Voxel(voxel) => Some(*voxel),
        _ => None,
    }
}

fn cell_of(location: &Location) -> Option<Cell> {
    match location {
        Location::Cell(cell) => Some(*cell),
        _ => None,
    }
}

/// The cheapest nav link between ground and air that joins two places.
fn transfer(world: &MultimodalGraph<'_>, from: Location, to: Location) -> Option<PathLeg> {
    let mut best: Option<Cost> = None;
    let mut take = |cost: Cost| best = Some(best.map_or(cost, |best| best.min(cost)));
    match (from, to) {
        (Location::Cell(cell), Location::Voxel(voxel)) => {
            world.take_offs(cell, |there, cost| {
                if there == voxel {
                    take(cost);
                }
            });
            best.map(|cost| PathLeg::TakeOff(ModeTransition { cell, voxel, cost }))
        }
        (Location::Voxel(voxel), Location::Cell(cell)) => {
            world.landings(voxel, |there, cost| {
                if there == cell {
                    take(cost);
                }
            });
            best.map(|cost| PathLeg::Landing(ModeTransition { cell, voxel, cost }))
        }
        _ => None,
    }
}

/// Where the flight begins for one who takes off at once, and what that costs.
fn flying_start(world: &MultimodalGraph<'_>, at: Location) -> Option<(Voxel, Cost)> {
    let mut best: Option<(Cost, Voxel)> = None;
    match at {
        Location::Voxel(voxel) => return Some((voxel, Cost::ZERO)),
        Location::Cell(cell) => world.take_offs(cell, |voxel, cost| {
            best = Some(best.map_or((cost, voxel), |best| best.min((cost, voxel))));
        }),
        Location::Point(_) => {}
    }
    best.map(|(cost, voxel)| (voxel, cost))
}

/// Where the flight ends for one who lands at the end, and what that costs.
fn flying_end(world: &MultimodalGraph<'_>, at: Location) -> Option<(Voxel, Cost)> {
    let cell = match at {
        Location::Voxel(voxel) => return Some((voxel, Cost::ZERO)),
        Location::Cell(cell) => cell,
        Location::Point(_) => return None,
    };
    let (_, flight) = world.air?;
    let over = world.frame.over(cell, flight.radius);
    let here = world
        .air_links
        .iter()
        .filter(|air_link| air_link.cell == cell);
    let voxels = here.map(|air_link| air_link.voxel).chain(over);
    let mut best: Option<(Cost, Voxel)> = None;
    for voxel in voxels.filter(|voxel| world.fits((*voxel).into())) {
        world.landings(voxel, |there, cost| {
            if there == cell {
                best = Some(best.map_or((cost, voxel), |best| best.min((cost, voxel))));
            }
        });
    }
    best.map(|(cost, voxel)| (voxel, cost))
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

pub(super) fn roam_request(
    request: &PathRequest,
    agent: DiscAgent,
    (from, to): (Point2, Point2),
) -> PlanarRequest {
    let if_blocked = if request.allow_partial {
        EndpointPolicy::NearestFree
    } else {
        EndpointPolicy::Reject
    };
    PlanarRequest {
        agent,
        budget: request.budget,
        start_policy: if_blocked,
        goal_policy: if_blocked,
        ..PlanarRequest::new(from, to)
    }
}

#[cfg(test)]
mod tests;
