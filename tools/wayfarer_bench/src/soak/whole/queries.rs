//! Queries of every kind: each method, with budgets and options, sliced and threaded.

use wayfarer::base::session::{Progress, Session};
use wayfarer::base::{Budget, Cost, Location, Outcome, Rng};
use wayfarer::search::air;
use wayfarer::search::air::{
    FlightMethod, FlightRequest, FlightSearcher, FlightSession, OctreeParams,
};
use wayfarer::search::ground::{self, GroundRequest, GroundSession, Method, PathSearcher};
use wayfarer::search::planar::{PlanarMethod, PlanarRequest, PlanarSearcher, PlanarSession};
use wayfarer::{PathRequest, Searcher, SearcherPool};

use super::draw::{self, Agent};
use super::life::Life;
use super::paths::{Asked, PathResult};
use super::{Tally, ensure};

impl Life {
    fn some_request(&self, rng: &mut Rng) -> Asked {
        let agent = *rng.pick(&Agent::ALL).unwrap_or(&Agent::Walker);
        let from = draw::position(rng, &self.world, agent);
        let to = draw::position(rng, &self.world, agent);
        self.asked(agent, from, to)
    }

    /// A few questions, answered by a searcher that remembers and by a fresh one.
    pub(super) fn ask(&mut self, rng: &mut Rng, tally: &mut Tally) -> Result<(), String> {
        for _ in 0..4 {
            let asked = self.some_request(rng);
            tally.queries += 1;
            let report = |reason: String| format!("{reason}; asked: {asked:?}");
            let result = self.world.find_path(&mut self.searcher, &asked.request);
            let is_found = self.check_result(&asked, &result).map_err(report)?;
            tally.paths += u64::from(is_found);
            if let Ok(Outcome::Found(path)) = &result {
                tally.multimodal += u64::from(path.legs.len() > 1);
            }
            let again = self
                .world
                .find_path(&mut Searcher::default(), &asked.request);
            ensure!(
                without_effort(&again) == without_effort(&result),
                "a fresh searcher says {again:?}, not {result:?}; asked: {asked:?}"
            );
            let why = self.world.explain(&mut self.searcher, &asked.request);
            if is_found {
                let is_empty = |why: &wayfarer::base::Explanation| {
                    why.frontier.is_empty() && why.unblock_options.is_empty()
                };
                ensure!(
                    why.as_ref().is_ok_and(is_empty),
                    "there is a way, and {why:?} explains that there is none"
                );
            }
            self.ask_with_wishes(rng, &asked, &result).map_err(report)?;
            self.by_every_method(&asked).map_err(report)?;
        }
        Ok(())
    }

    /// The parts' own searches, by every method they have.
    fn by_every_method(&mut self, asked: &Asked) -> Result<(), String> {
        match (asked.agent, asked.from, asked.to) {
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
            let asked = self.some_request(rng);
            let slice = Budget::expansions(1 + u64::from(rng.below(9)));
            match (asked.from, asked.to) {
                (Location::Cell(from), Location::Cell(to)) => {
                    let ground = self.world.ground();
                    for method in Method::ALL {
                        tally.sessions += 1;
                        let request = GroundRequest {
                            method,
                            ..GroundRequest::new(from, to)
                        };
                        let whole = PathSearcher::default().find(ground, &request);
                        let session =
                            GroundSession::begin(ground, PathSearcher::default(), request);
                        let sliced = session.map(|session| finish(session, ground, slice));
                        same_in_slices(&format!("{method:?}"), &asked, &sliced, &whole)?;
                    }
                }
                (Location::Voxel(from), Location::Voxel(to)) => {
                    let Some(air) = self.world.air() else {
                        continue;
                    };
                    for method in [
                        FlightMethod::VoxelAStar,
                        FlightMethod::Octree(OctreeParams::BALANCED),
                    ] {
                        tally.sessions += 1;
                        let request = FlightRequest {
                            method,
                            ..FlightRequest::new(from, to)
                        };
                        let whole = FlightSearcher::default().find(air, &request);
                        let session = FlightSession::begin(air, FlightSearcher::default(), request);
                        let sliced = session.map(|session| finish(session, air, slice));
                        same_in_slices(&format!("{method:?}"), &asked, &sliced, &whole)?;
                    }
                }
                (Location::Point(from), Location::Point(to)) => {
                    let Some(obstacles) = self.world.obstacles() else {
                        continue;
                    };
                    for method in [PlanarMethod::TangentGraph, PlanarMethod::Quadtree] {
                        tally.sessions += 1;
                        let request = PlanarRequest {
                            method,
                            agent: self.agents.roamer,
                            ..PlanarRequest::new(from, to)
                        };
                        let whole = PlanarSearcher::default().find(obstacles, &request);
                        let session =
                            PlanarSession::begin(obstacles, PlanarSearcher::default(), request);
                        let sliced = session.map(|session| finish(session, obstacles, slice));
                        same_in_slices(&format!("{method:?}"), &asked, &sliced, &whole)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Many questions at once are answered the same on any number of threads.
    pub(super) fn on_threads(&mut self, rng: &mut Rng, tally: &mut Tally) -> Result<(), String> {
        let all: Vec<Asked> = (0..12).map(|_| self.some_request(rng)).collect();
        let requests: Vec<PathRequest> = all.iter().map(|asked| asked.request.clone()).collect();
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
        for (asked, result) in all.iter().zip(&one) {
            self.check_result(asked, result)
                .map_err(|reason| format!("{reason}; asked: {asked:?}"))?;
        }
        let walks: Vec<GroundRequest> = all
            .iter()
            .filter_map(|asked| match (asked.from, asked.to) {
                (Location::Cell(from), Location::Cell(to)) => Some(GroundRequest::new(from, to)),
                _ => None,
            })
            .collect();
        let ground = self.world.ground();
        ensure!(
            ground::find_batch(ground, &walks, 1) == ground::find_batch(ground, &walks, 2),
            "walks in a batch differ on two threads"
        );
        let flights: Vec<FlightRequest> = all
            .iter()
            .filter_map(|asked| match (asked.from, asked.to) {
                (Location::Voxel(from), Location::Voxel(to)) => Some(FlightRequest::new(from, to)),
                _ => None,
            })
            .collect();
        if let Some(air) = self.world.air() {
            ensure!(
                air::find_batch(air, &flights, 1) == air::find_batch(air, &flights, 2),
                "flights in a batch differ on two threads"
            );
        }
        Ok(())
    }
}

/// An answer without what it took to find it, which depends on what a searcher remembers.
pub(super) fn without_effort(result: &PathResult) -> PathResult {
    let mut result = result.clone();
    if let Ok(outcome) = result {
        result = Ok(outcome.map(|mut path| {
            path.expansions = 0;
            for leg in &mut path.legs {
                match leg {
                    wayfarer::PathLeg::Ground(walk) => walk.expansions = 0,
                    wayfarer::PathLeg::Flight(flight) => flight.expansions = 0,
                    wayfarer::PathLeg::Planar(found_path) => found_path.expansions = 0,
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
    asked: &Asked,
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
        "{method} in slices {sliced:?}, at once {whole:?}; asked: {asked:?}"
    );
    Ok(())
}
