//! [`PathSession`]: a path search that runs in slices.

use std::sync::Arc;

use wayfarer_base::{
    Budget, Location, NoopObserver, Outcome, Progress, RequestError, Revision, SearchStats,
    UnreachableProof,
};
use wayfarer_search::abstraction::RefinementParams;
use wayfarer_search::air::FlightRequest;
use wayfarer_search::ground::{AnyAngleRequest, GroundRequest, NavGraph};
use wayfarer_search::kernel::{Resumable, Slice, WorkLimit};
use wayfarer_search::multimodal::FlightProfile;
use wayfarer_search::planar::PlanarRequest;
use wayfarer_world::baked::BakedAbstraction;

use super::World;
use super::find::{flight_request, planar_request};
use super::path::{Path, PathLeg};
use super::request::PathRequest;
use super::searcher::Searcher;

/// The search that a [`PathSession`] runs.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum SessionMethod {
    /// That of [`World::find_path`].
    #[default]
    Path,
    /// That of [`World::find_any_angle`].
    AnyAngle,
    /// That of [`World::find_hierarchical`]: in one piece.
    Hierarchical,
    /// That of [`World::find_refined`]: in one piece.
    Refined(RefinementParams, Option<Arc<BakedAbstraction>>),
}

/// A path search in progress; owns its searcher.
///
/// Ground, flight, planar and any-angle searches go on where they stopped, with the outcome of one
/// search without a pause. Hierarchical searches, those around avoided obstacles, with viewers, or
/// over ground and air run again in each slice until one suffices: [`PathSession::is_resumable`].
///
/// ```
/// use wayfarer_engine::base::{Budget, Outcome, Progress, Raster};
/// use wayfarer_engine::{PathRequest, PathSession, Position, Searcher, SessionMethod, World};
///
/// let world = World::from_raster(&Raster::from_bytes(64, 8, vec![0; 512]).unwrap());
/// let request = PathRequest::new(Position::new(0.5, 0.5, 0.0), Position::new(63.5, 5.5, 0.0));
/// let whole = world.find_path(&mut Searcher::default(), &request)?;
/// let mut session = PathSession::new(Searcher::default(), request, SessionMethod::Path);
/// let sliced = loop {
///     if let Progress::Done(outcome) = session.advance(&world, Budget::expansions(2))? {
///         break outcome;
///     }
/// };
/// assert_eq!(sliced, whole);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PathSession {
    searcher: Searcher,
    request: PathRequest,
    method: SessionMethod,
    search: Search,
    started_at: Revision,
    identity: u64,
    stats: SearchStats,
    work: u64,
    counts_building: bool,
}

#[derive(Clone, Debug)]
enum Search {
    NotStarted,
    Ground(GroundRequest),
    Flight(FlightRequest, FlightProfile),
    Planar(PlanarRequest),
    AnyAngle(AnyAngleRequest),
    Whole,
}

/// What the first slice of a search gives.
type Started = Result<(Search, Option<Outcome<Path>>), RequestError>;

impl PathSession {
    /// Most expansions before the first pause.
    pub const MAX_START: u64 = 128;

    /// A search for `request`, whose budget covers the whole session. It starts with the first
    /// slice.
    pub fn new(searcher: Searcher, request: PathRequest, method: SessionMethod) -> Self {
        Self {
            searcher,
            request,
            method,
            search: Search::NotStarted,
            started_at: Revision::default(),
            identity: 0,
            stats: SearchStats::default(),
            work: 0,
            counts_building: true,
        }
    }

    /// Leaves what is built for the searcher's caches out of the budget of slices: how many slices a
    /// search takes then follows from world and request alone, and one with cold caches takes longer
    /// ([`Searcher::prepare_tables`] builds ahead).
    pub fn leave_out_building(&mut self) {
        self.counts_building = false;
    }

    /// Searches for at most `budget`. A session that is done starts again. The first slice for a
    /// partial path may use [`PathSession::MAX_START`] expansions even if `budget` is less.
    ///
    /// Stale if an edit changed what it has seen of the domain that it searches: the next slice starts
    /// again.
    ///
    /// # Errors
    /// As [`World::find_path`].
    pub fn advance(
        &mut self,
        world: &World,
        budget: Budget,
    ) -> Result<Progress<Path>, RequestError> {
        if !self.catch_up(world)
            && let Some((started_at, current)) = self.staleness(world)
        {
            self.search = Search::NotStarted;
            return Ok(Progress::Stale {
                started_at,
                current,
            });
        }
        let mut n_before = self.stats.expansions;
        if matches!(self.search, Search::NotStarted) {
            n_before = 0;
            (self.stats, self.work) = (SearchStats::default(), 0);
            self.searcher.ground.sync(&world.ground, &world.ground_log);
            let (search, early) = self.start(world)?;
            self.search = search;
            (self.started_at, self.identity) = self.state_of(world).unwrap_or_default();
            self.count();
            if let Some(outcome) = early {
                return Ok(self.done(outcome));
            }
        }
        let outcome = self.resume(world, budget, n_before)?;
        Ok(match outcome {
            Some(outcome) => self.done(outcome),
            None => Progress::InProgress { stats: self.stats },
        })
    }

    /// The work since the search started; for a search that runs again, of its last slice.
    pub const fn stats(&self) -> SearchStats {
        self.stats
    }

    /// What the slices used: expansions, and what was built for the searcher's caches if that counts.
    ///
    /// A slice that pauses counts as a whole, so one slice of as much leads to the same state.
    pub const fn work(&self) -> u64 {
        self.work
    }

    /// False if a slice that does not suffice is lost: only a larger one gets further.
    pub const fn is_resumable(&self) -> bool {
        !matches!(self.search, Search::Whole)
    }

    /// Carries the search over to the present world if the edits since it started touch nothing that it
    /// has seen; false if it must start again. Searches over block tables and A\* know what they have
    /// seen, [`PathSearcher::carry_over`](wayfarer_search::ground::PathSearcher::carry_over); jump point
    /// searches, flights and planar searches start again after any edit of their domain.
    pub fn catch_up(&mut self, world: &World) -> bool {
        let Some((started_at, current)) = self.staleness(world) else {
            return true;
        };
        let Search::Ground(request) = &self.search else {
            return false;
        };
        let is_same_ground = self.identity == world.ground.identity();
        let log = &world.ground_log;
        let has_caught_up = is_same_ground
            && (self.searcher.ground).carry_over(&world.ground, log, request, started_at);
        if has_caught_up {
            self.started_at = current;
        }
        has_caught_up
    }

    /// True if it has started and an edit since then changed the domain that it searches; it may still
    /// [catch up](PathSession::catch_up).
    pub fn is_stale(&self, world: &World) -> bool {
        self.staleness(world).is_some()
    }

    /// The revision, of the domain that it searches, at which the search started.
    pub const fn started_at(&self) -> Revision {
        self.started_at
    }

    /// Ends the session and returns its searcher.
    pub fn into_searcher(self) -> Searcher {
        self.searcher
    }

    fn done(&mut self, outcome: Outcome<Path>) -> Progress<Path> {
        self.search = Search::NotStarted;
        Progress::Done(outcome)
    }

    /// The revision and identity of the domain that is searched.
    fn state_of(&self, world: &World) -> Option<(Revision, u64)> {
        match &self.search {
            Search::Ground(_) | Search::AnyAngle(_) => {
                Some((world.ground.revision(), world.ground.identity()))
            }
            Search::Flight(..) => {
                let air = world.air.as_ref();
                air.map(|air| (air.revision(), air.identity()))
            }
            Search::Planar(_) => {
                let obstacles = world.obstacles.as_ref();
                obstacles.map(|obstacles| (obstacles.revision(), 0))
            }
            Search::NotStarted | Search::Whole => None,
        }
    }

    fn staleness(&self, world: &World) -> Option<(Revision, Revision)> {
        let (current, identity) = self.state_of(world)?;
        let is_same = (self.started_at, self.identity) == (current, identity);
        (!is_same).then_some((self.started_at, current))
    }

    /// Chooses the search as [`World::find_path`] does and starts it.
    fn start(&mut self, world: &World) -> Started {
        let request = &self.request;
        let registered = world.registered(request.agent_type)?;
        let ends = world.ends(registered, request)?;
        let agent_type = &registered.agent_type;
        let flies = agent_type.flight.is_some() && world.air.is_some();
        let is_plain = request.viewers.is_empty()
            && world
                .avoiding_agent(request.avoided_obstacles, registered)
                .is_none();
        match (&self.method, ends) {
            (SessionMethod::AnyAngle, (Location::Cell(from), Location::Cell(to))) => {
                let subrequest = AnyAngleRequest {
                    from,
                    to,
                    profile_id: registered.profile_id,
                    budget: request.budget,
                };
                let early = self.searcher.any_angle.start(&world.ground, &subrequest)?;
                let nav_graph = NavGraph::new(&world.ground, registered.profile_id)?;
                let path = |path| world.path_along_lines(nav_graph, request, &path);
                let early = early.map(|early| early.map(path));
                Ok((Search::AnyAngle(subrequest), early))
            }
            (SessionMethod::Path, (Location::Cell(from), Location::Cell(to)))
                if is_plain && !flies =>
            {
                let subrequest = world.ground_request(request, registered, (from, to));
                let early = self.searcher.ground.start(&world.ground, &subrequest)?;
                let path = |walk| world.path_from_walk(request, walk);
                let early = early.map(|early| early.map(path));
                Ok((Search::Ground(subrequest), early))
            }
            (SessionMethod::Path, (Location::Voxel(from), Location::Voxel(to)))
                if is_plain && agent_type.ground.is_none() =>
            {
                let Some(air) = &world.air else {
                    return Ok((Search::Whole, None));
                };
                let profile = agent_type.flight.unwrap_or_default();
                let subrequest = flight_request(request, profile, (from, to));
                let early = self.searcher.air.start(air, &subrequest)?;
                let path = |flight| world.path_from_flight(request, profile, flight);
                let early = early.map(|early| early.map(path));
                Ok((Search::Flight(subrequest, profile), early))
            }
            (SessionMethod::Path, (Location::Point(from), Location::Point(to))) => {
                let (Some(obstacles), Some(agent)) = (&world.obstacles, agent_type.planar) else {
                    return Ok((Search::Whole, None));
                };
                let subrequest = planar_request(request, agent, (from, to));
                self.searcher.planar.start(obstacles, &subrequest)?;
                Ok((Search::Planar(subrequest), None))
            }
            _ => Ok((Search::Whole, None)),
        }
    }

    /// Takes over what the search has used so far.
    fn count(&mut self) {
        self.stats = self.search_stats();
        self.work = match &self.search {
            Search::Ground(_) => Resumable::work(&self.searcher.ground),
            _ => self.stats.expansions,
        };
    }

    fn search_stats(&self) -> SearchStats {
        match &self.search {
            Search::NotStarted | Search::Whole => SearchStats::default(),
            Search::Ground(_) => self.searcher.ground.stats(),
            Search::Flight(..) => self.searcher.air.stats(),
            Search::Planar(_) => self.searcher.planar.stats(),
            Search::AnyAngle(_) => Resumable::stats(&self.searcher.any_angle),
        }
    }

    /// Goes on up to `budget` beyond the first `n_before` expansions.
    fn resume(
        &mut self,
        world: &World,
        budget: Budget,
        n_before: u64,
    ) -> Result<Option<Outcome<Path>>, RequestError> {
        let n_used = self.stats.expansions - n_before;
        let is_whole = matches!(self.search, Search::Whole);
        if n_used >= budget.expansions && !is_whole {
            return Ok(None);
        }
        let budget = Budget {
            expansions: budget.expansions - if is_whole { 0 } else { n_used },
            ..budget
        };
        let slice = (budget, self.counts_building);
        let (request, searcher) = (&self.request, &mut self.searcher);
        let outcome = match &self.search {
            Search::NotStarted => None,
            Search::Ground(subrequest) => {
                let found = resumed(&mut searcher.ground, &world.ground, subrequest, slice);
                found.map(|found| found.map(|walk| world.path_from_walk(request, walk)))
            }
            Search::AnyAngle(subrequest) => {
                let nav_graph = NavGraph::new(&world.ground, subrequest.profile_id)?;
                let found = resumed(&mut searcher.any_angle, &world.ground, subrequest, slice);
                let path = |path| world.path_along_lines(nav_graph, request, &path);
                found.map(|found| found.map(path))
            }
            Search::Flight(subrequest, profile) => {
                let air = world.air.as_ref();
                let found = air.and_then(|air| resumed(&mut searcher.air, air, subrequest, slice));
                let path = |flight| world.path_from_flight(request, *profile, flight);
                found.map(|found| found.map(path))
            }
            Search::Planar(subrequest) => {
                let obstacles = world.obstacles.as_ref();
                let found = obstacles.and_then(|obstacles| {
                    resumed(&mut searcher.planar, obstacles, subrequest, slice)
                });
                let path = |path: wayfarer_search::planar::PlanarPath| {
                    let (cost, expansions) = (path.cost, path.expansions);
                    world.new_path(request, vec![PathLeg::Planar(path)], cost, expansions)
                };
                found.map(|found| found.map(path))
            }
            Search::Whole => return self.run_whole(world, budget),
        };
        self.count();
        Ok(outcome)
    }

    /// Runs a search that cannot pause, with the lesser of slice and request budget.
    fn run_whole(
        &mut self,
        world: &World,
        budget: Budget,
    ) -> Result<Option<Outcome<Path>>, RequestError> {
        let all = self.request.budget;
        let slice = Budget {
            expansions: all.expansions.min(budget.expansions),
            memory_bytes: all.memory_bytes.min(budget.memory_bytes),
        };
        self.request.budget = slice;
        let searcher = &mut self.searcher;
        let outcome = match &self.method {
            SessionMethod::Refined(params, baked) => {
                world.find_refined(searcher, &self.request, *params, baked.as_deref())
            }
            SessionMethod::Path => world.find_path(searcher, &self.request),
            SessionMethod::AnyAngle => world.find_any_angle(searcher, &self.request),
            SessionMethod::Hierarchical => world.find_hierarchical(searcher, &self.request),
        };
        self.request.budget = all;
        let outcome = outcome?;
        let expansions = match &outcome {
            Outcome::Found(path) | Outcome::Partial { best: path, .. } => path.expansions,
            Outcome::OutOfBudget { stats, .. } => stats.expansions,
            Outcome::Unreachable {
                proof: UnreachableProof::DifferentComponents,
                ..
            } => 1,
            // The searches do not say: as much as they may have used.
            Outcome::Unreachable { .. } => slice.expansions,
        };
        self.stats = SearchStats {
            expansions,
            pushes: 0,
        };
        self.work = expansions;
        let is_last = slice == all || !matches!(outcome, Outcome::OutOfBudget { .. });
        Ok(is_last.then_some(outcome))
    }
}

/// Runs a slice of a search.
fn resumed<S: Resumable>(
    searcher: &mut S,
    world: &S::World,
    request: &S::Request,
    (budget, counts_building): (Budget, bool),
) -> Option<Outcome<S::Path>> {
    let left = searcher.budget_left(request);
    let slice = Slice {
        budget: Budget {
            expansions: budget.expansions.min(left.expansions),
            memory_bytes: budget.memory_bytes.min(left.memory_bytes),
        },
        left,
        n_before: searcher.stats().expansions,
        work: WorkLimit {
            work: budget.expansions,
            counts_building,
        },
    };
    searcher.resume(world, request, slice, &mut NoopObserver)
}

#[cfg(test)]
mod tests;
