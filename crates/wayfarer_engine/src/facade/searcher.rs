//! [`Searcher`]: caches and scratch memory of queries, one per thread, and a pool of them.

use wayfarer_base::{Budget, Outcome, RequestError};
use wayfarer_search::abstraction::Refiner;
use wayfarer_search::air::FlightSearcher;
use wayfarer_search::ground::{AnyAngleSearcher, PathSearcher, ReachabilitySearcher};
use wayfarer_search::kernel::run_batch_with;
use wayfarer_search::multimodal::MultimodalSearcher;
use wayfarer_search::planar::PlanarSearcher;
use wayfarer_world::baked::BakedRegion;
use wayfarer_world::ground::RegionId;

use super::World;
use super::agent::AgentTypeId;
use super::path::{Path, PathLeg};
use super::request::PathRequest;

/// The caches and scratch memory of one thread's queries.
///
/// Its memory grows with the largest search so far. Results never depend on its contents.
#[derive(Clone, Debug, Default)]
pub struct Searcher {
    pub(super) ground: PathSearcher,
    pub(super) air: FlightSearcher,
    pub(super) planar: PlanarSearcher,
    pub(super) multimodal: MultimodalSearcher,
    pub(super) reachability: ReachabilitySearcher,
    pub(super) any_angle: AnyAngleSearcher,
    pub(super) live_refiner: Refiner<RegionId>,
    pub(super) baked_refiner: Refiner<BakedRegion>,
}

impl Searcher {
    /// Brings the caches up to date with the edits since the last query.
    ///
    /// Optional: every query syncs first, and no result depends on it. But syncing a thousand edits
    /// takes milliseconds that no budget counts. Called once per tick after the edits, it spreads
    /// that cost: about 10 microseconds per edited cell on a fully cached city map of 1,024 by
    /// 1,024 cells.
    ///
    /// ```
    /// use wayfarer_engine::{Position, PathRequest, Searcher, World};
    /// use wayfarer_engine::base::{Cell, GroundEdit, Raster};
    ///
    /// let mut world = World::from_raster(&Raster::from_bytes(64, 8, vec![0; 512]).unwrap());
    /// let request = PathRequest::new(Position::new(0.5, 0.5, 0.0), Position::new(63.5, 0.5, 0.0));
    /// let mut searcher = Searcher::default();
    /// world.find_path(&mut searcher, &request)?;
    /// for x in 8..56 {
    ///     world.apply([GroundEdit::RemoveCell { cell: Cell::flat(x, 0) }])?;
    ///     searcher.sync(&world);
    /// }
    /// let result = world.find_path(&mut searcher, &request)?;
    /// assert_eq!(result, world.find_path(&mut Searcher::default(), &request)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sync(&mut self, world: &World) {
        self.ground.sync(&world.ground, &world.ground_log);
        self.ground.flush_invalidations(&world.ground);
        if let Some(air) = &world.air {
            self.air.sync(air, &world.air_log);
        }
    }

    /// Builds block tables for an agent type ahead of its requests, at load or in idle time, as far as
    /// the budget allows; what was built before and is still valid costs nothing. False if more remain.
    /// Optional: requests build what they need, and no result depends on it. A type that does not walk
    /// needs none.
    ///
    /// # Errors
    /// If the type is unknown.
    pub fn prepare_tables(
        &mut self,
        world: &World,
        agent_type: AgentTypeId,
        budget: Budget,
    ) -> Result<bool, RequestError> {
        let registered = world.registered(agent_type)?;
        if registered.agent_type.ground.is_none() {
            return Ok(true);
        }
        self.ground.sync(&world.ground, &world.ground_log);
        (self.ground).prepare_tables(&world.ground, registered.profile_id, budget)
    }

    /// Takes over the edits since the last request and builds again what they made stale of the block
    /// tables that recent requests used, for about the work of so many expansions. Optional, and no
    /// result depends on it: once per tick it spreads what a request after many edits builds at once.
    pub fn rebuild_tables(&mut self, world: &World, work: u64) {
        self.ground.sync(&world.ground, &world.ground_log);
        self.ground.rebuild_tables(&world.ground, work);
    }

    /// Another searcher that shares the block tables of this one: what one has built and still keeps
    /// the other only refers to.
    pub fn sharing_tables(&self) -> Self {
        Self {
            ground: PathSearcher::with_shared_tables(self.ground.shared_tables()),
            ..Self::default()
        }
    }

    /// The searches without a path: reachable sets and nearest targets.
    pub fn reachability(&mut self) -> &mut ReachabilitySearcher {
        &mut self.reachability
    }

    /// Returns the memory of a path for reuse by the next ground path.
    pub fn recycle(&mut self, path: Path) {
        for leg in path.legs {
            if let PathLeg::Ground(walk) = leg {
                self.ground.recycle(walk);
            }
        }
    }
}

/// The result of one request.
pub type PathResult = Result<Outcome<Path>, RequestError>;

/// One searcher per thread, kept from frame to frame.
///
/// ```
/// use wayfarer_engine::{Position, PathRequest, SearcherPool, World};
/// use wayfarer_engine::base::Raster;
///
/// let world = World::from_raster(&Raster::from_bytes(8, 8, vec![0; 64]).unwrap());
/// let at = |x: i32| Position::new(f64::from(x) + 0.5, 0.5, 0.0);
/// let requests: Vec<PathRequest> = (0..8).map(|x| PathRequest::new(at(x), at(7 - x))).collect();
/// let mut pool = SearcherPool::new(4);
/// let results = pool.find_paths(&world, &requests);
/// assert_eq!(results, SearcherPool::new(1).find_paths(&world, &requests));
/// ```
#[derive(Clone, Debug)]
pub struct SearcherPool {
    searchers: Vec<Searcher>,
}

impl SearcherPool {
    /// A pool for `n_threads` threads, at least 1.
    pub fn new(n_threads: usize) -> Self {
        Self {
            searchers: vec![Searcher::default(); n_threads.max(1)],
        }
    }

    /// Finds many paths in parallel, each thread with its own searcher. Results are in request order
    /// and equal for any number of threads. Without threads (wasm) it runs sequentially.
    pub fn find_paths(&mut self, world: &World, requests: &[PathRequest]) -> Vec<PathResult> {
        run_batch_with(requests, &mut self.searchers, |searcher, request| {
            world.find_path(searcher, request)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use wayfarer_base::{Cell, GroundEdit, Raster, Rng, Terrain};

    #[test]
    fn no_result_depends_on_when_a_searcher_syncs() {
        let raster = Raster::from_bytes(96, 96, vec![0; 96 * 96]).unwrap();
        let mut world = World::from_raster(&raster);
        let mut rng = Rng::new(61);
        let [mut eager, mut lazy] = [(); 2].map(|()| Searcher::default());
        let mut other_world = World::from_raster(&raster);
        for round in 0..400 {
            let edits: Vec<GroundEdit> = (0..rng.below(60))
                .map(|_| {
                    let cell = Cell::flat(rng.between(0, 95), rng.between(0, 95));
                    match world.is_walkable(cell) {
                        true => GroundEdit::RemoveCell { cell },
                        false => GroundEdit::PutCell {
                            cell,
                            terrain: Terrain::GROUND,
                        },
                    }
                })
                .collect();
            for edit in edits {
                world.apply([edit]).unwrap();
                if rng.chance(1, 3) {
                    eager.sync(&world);
                }
            }
            if round % 50 == 20 {
                // Syncing with another world must not leave stale entries.
                other_world
                    .apply([GroundEdit::RemoveCell {
                        cell: Cell::flat(round % 96, 3),
                    }])
                    .unwrap();
                eager.sync(&other_world);
            }
            let mut at = || {
                let coordinate = |rng: &mut Rng| f64::from(rng.between(0, 95)) + 0.5;
                Position::new(coordinate(&mut rng), coordinate(&mut rng), 0.0)
            };
            let request = PathRequest::new(at(), at());
            let result = world.find_path(&mut eager, &request);
            assert_eq!(result, world.find_path(&mut lazy, &request));
            if round % 8 == 0 {
                assert_eq!(result, world.find_path(&mut Searcher::default(), &request));
            }
        }
    }
}
