//! Queries of every kind: each method, with budgets and options, sliced and threaded.

use wayfarer_engine::base::session::{Progress, Session};
use wayfarer_engine::base::{Budget, Cost, Location, Outcome, Rng};
use wayfarer_engine::search::air::{
    FlightMethod, FlightRequest, FlightSearcher, FlightSession, OctreeParams,
};
use wayfarer_engine::search::ground::{GroundRequest, GroundSession, Method, PathSearcher};
use wayfarer_engine::search::kernel::find_batch;
use wayfarer_engine::search::planar::{PlanarMethod, PlanarRequest, PlanarSearcher, PlanarSession};
use wayfarer_engine::{PathRequest, Searcher, SearcherPool};

use super::draw::{self, Agent};
use super::life::Life;
use super::paths::{PathResult, Query};
use super::{Tally, ensure};

/// Compares a search in slices with the same search at once.
macro_rules! sliced {
    ($searcher:ident, $session:ident, $world:expr, $request:expr, $slice:expr, $query:expr) => {
        let request = $request;
        let method = format!("{:?}", request.method);
        let whole = $searcher::default().find($world, &request);
        let session = $session::begin($world, $searcher::default(), request);
        let sliced = session.map(|session| finish(session, $world, $slice));
        same_in_slices(&method, $query, &sliced, &whole)?;
    };
}

impl Life {
    fn some_request(&self, rng: &mut Rng) -> Query {
        let agent = *rng.pick(&Agent::ALL).unwrap_or(&Agent::Walker);
        let from = draw::position(rng, &self.world, agent);
        let to = draw::position(rng, &self.world, agent);
        self.query(agent, from, to)
    }

    /// A few queries, by a searcher with a cache and by a fresh one.
    pub(super) fn query_paths(&mut self, rng: &mut Rng, tally: &mut Tally) -> Result<(), String> {
        for _ in 0..4 {
            let query = self.some_request(rng);
            tally.queries += 1;
            let report = |reason: String| format!("{reason}; query: {query:?}");
            let result = self.world.find_path(&mut self.searcher, &query.request);
            let is_found = self.check_result(&query, &result).map_err(report)?;
            tally.paths += u64::from(is_found);
            if let Ok(Outcome::Found(path)) = &result {
                tally.multimodal += u64::from(path.legs.len() > 1);
            }
            let again = self
                .world
                .find_path(&mut Searcher::default(), &query.request);
            ensure!(
                without_effort(&again) == without_effort(&result),
                "a fresh searcher finds {again:?}, not {result:?}; query: {query:?}"
            );
            let why = self.world.explain(&mut self.searcher, &query.request);
            if is_found {
                let is_empty = |why: &wayfarer_engine::base::Explanation| {
                    why.frontier.is_empty() && why.unblock_options.is_empty()
                };
                ensure!(
                    why.as_ref().is_ok_and(is_empty),
                    "there is a path, and {why:?} explains that there is none"
                );
            }
            self.check_options(rng, &query, &result).map_err(report)?;
            self.by_every_method(&query).map_err(report)?;
        }
        Ok(())
    }

    /// The parts' own searches, by every method they have.
    fn by_every_method(&mut self, query: &Query) -> Result<(), String> {
        match (query.agent, query.from, query.to) {
            (Agent::Walker, Location::Cell(from), Location::Cell(to)) => {
                let best = self.model.ground.path_cost(from, to, &self.agents.walker);
                for method in Method::ALL {
                    let request = GroundRequest {
                        method,
                        ..GroundRequest::new(from, to)
                    };
                    let found = PathSearcher::default().find(self.world.ground(), &request);
                    let cost = found.ok().and_then(Outcome::found).map(|path| path.cost);
                    let is_right = if method == Method::Bounded {
                        cost.is_some() == best.is_some() && cost >= best
                    } else {
                        cost == best
                    };
                    ensure!(is_right, "{method:?}: {cost:?}, expected {best:?}");
                }
            }
            (Agent::Flyer, Location::Voxel(from), Location::Voxel(to))
                if !self.is_air_weighted() =>
            {
                let Some(air) = self.world.air() else {
                    return Ok(());
                };
                let best = self.model.space().path_cost(from, to);
                let request = FlightRequest {
                    method: FlightMethod::VoxelAStar,
                    ..FlightRequest::new(from, to)
                };
                let found = FlightSearcher::default().find(air, &request);
                let cost = found.ok().and_then(Outcome::found);
                let cost: Option<Cost> = cost.map(|flight| flight.raw_cost);
                ensure!(cost == best, "exact flight: {cost:?}, expected {best:?}");
                for params in [OctreeParams::FAST, OctreeParams::BALANCED] {
                    let request = FlightRequest {
                        method: FlightMethod::Octree(params),
                        ..FlightRequest::new(from, to)
                    };
                    let found = FlightSearcher::default().find(air, &request);
                    let is_found = matches!(found, Ok(Outcome::Found(_)));
                    ensure!(
                        is_found == best.is_some(),
                        "{params:?}: {found:?}, expected {best:?}"
                    );
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Searches in slices give what the same search gives at once.
    pub(super) fn slices(&mut self, rng: &mut Rng, tally: &mut Tally) -> Result<(), String> {
        for _ in 0..3 {
            let query = self.some_request(rng);
            let slice = Budget::expansions(1 + u64::from(rng.below(9)));
            match (query.from, query.to) {
                (Location::Cell(from), Location::Cell(to)) => {
                    let ground = self.world.ground();
                    for method in Method::ALL {
                        let request = GroundRequest {
                            method,
                            ..GroundRequest::new(from, to)
                        };
                        tally.sessions += 1;
                        sliced!(PathSearcher, GroundSession, ground, request, slice, &query);
                    }
                }
                (Location::Voxel(from), Location::Voxel(to)) => {
                    let octree = FlightMethod::Octree(OctreeParams::BALANCED);
                    for method in [FlightMethod::VoxelAStar, octree] {
                        let Some(air) = self.world.air() else {
                            continue;
                        };
                        let request = FlightRequest {
                            method,
                            ..FlightRequest::new(from, to)
                        };
                        tally.sessions += 1;
                        sliced!(FlightSearcher, FlightSession, air, request, slice, &query);
                    }
                }
                (Location::Point(from), Location::Point(to)) => {
                    for method in [PlanarMethod::TangentGraph, PlanarMethod::Quadtree] {
                        let Some(obstacles) = self.world.obstacles() else {
                            continue;
                        };
                        let request = PlanarRequest {
                            method,
                            agent: self.agents.roamer,
                            ..PlanarRequest::new(from, to)
                        };
                        tally.sessions += 1;
                        sliced!(
                            PlanarSearcher,
                            PlanarSession,
                            obstacles,
                            request,
                            slice,
                            &query
                        );
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A batch of queries has the same results on any number of threads.
    pub(super) fn on_threads(&mut self, rng: &mut Rng, tally: &mut Tally) -> Result<(), String> {
        let all: Vec<Query> = (0..12).map(|_| self.some_request(rng)).collect();
        let requests: Vec<PathRequest> = all.iter().map(|query| query.request.clone()).collect();
        tally.queries += requests.len() as u64;
        let one = SearcherPool::new(1).find_paths(&self.world, &requests);
        for n_threads in [2, 3] {
            let many = SearcherPool::new(n_threads).find_paths(&self.world, &requests);
            ensure!(
                many.iter()
                    .map(without_effort)
                    .eq(one.iter().map(without_effort)),
                "on {n_threads} threads: {many:?}, on one {one:?}"
            );
        }
        for (query, result) in all.iter().zip(&one) {
            self.check_result(query, result)
                .map_err(|reason| format!("{reason}; query: {query:?}"))?;
        }
        let walks: Vec<GroundRequest> = all
            .iter()
            .filter_map(|query| match (query.from, query.to) {
                (Location::Cell(from), Location::Cell(to)) => Some(GroundRequest::new(from, to)),
                _ => None,
            })
            .collect();
        let ground = self.world.ground();
        ensure!(
            find_batch::<PathSearcher>(ground, &walks, 1)
                == find_batch::<PathSearcher>(ground, &walks, 2),
            "walks in a batch differ on two threads"
        );
        let flights: Vec<FlightRequest> = all
            .iter()
            .filter_map(|query| match (query.from, query.to) {
                (Location::Voxel(from), Location::Voxel(to)) => Some(FlightRequest::new(from, to)),
                _ => None,
            })
            .collect();
        if let Some(air) = self.world.air() {
            ensure!(
                find_batch::<FlightSearcher>(air, &flights, 1)
                    == find_batch::<FlightSearcher>(air, &flights, 2),
                "flights in a batch differ on two threads"
            );
        }
        Ok(())
    }
}

/// A result without its effort, which depends on the cache.
pub(super) fn without_effort(result: &PathResult) -> PathResult {
    let mut result = result.clone();
    if let Ok(outcome) = result {
        result = Ok(outcome.map(|mut path| {
            path.expansions = 0;
            for leg in &mut path.legs {
                match leg {
                    wayfarer_engine::PathLeg::Ground(walk) => walk.expansions = 0,
                    wayfarer_engine::PathLeg::Flight(flight) => flight.expansions = 0,
                    wayfarer_engine::PathLeg::Planar(found_path) => found_path.expansions = 0,
                    _ => {}
                }
            }
            path
        }));
    }
    result
}

fn finish<W: ?Sized, S: Session<W>>(
    mut session: S,
    world: &W,
    slice: Budget,
) -> Option<Outcome<S::Path>> {
    for _ in 0..100_000 {
        match session.advance(world, slice) {
            Progress::InProgress { .. } => {}
            Progress::Done(outcome) => return Some(outcome),
            Progress::Stale { .. } => return None,
        }
    }
    None
}

fn same_in_slices<P: Clone + PartialEq + std::fmt::Debug, E: PartialEq + std::fmt::Debug>(
    method: &str,
    query: &Query,
    sliced: &Result<Option<Outcome<P>>, E>,
    whole: &Result<Outcome<P>, E>,
) -> Result<(), String> {
    let is_same = match (sliced, whole) {
        (Ok(Some(sliced)), Ok(whole)) => sliced == whole,
        (Err(sliced), Err(whole)) => sliced == whole,
        _ => false,
    };
    ensure!(
        is_same,
        "{method} in slices {sliced:?}, at once {whole:?}; query: {query:?}"
    );
    Ok(())
}
