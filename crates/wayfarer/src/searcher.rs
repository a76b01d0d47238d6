//! [`Searcher`]: caches and scratch memory of queries, one per thread, and a pool of them.

use wayfarer_engine as engine;
use wayfarer_engine::base::Budget;
use wayfarer_engine::search::kernel::run_batch_with;

use crate::agent_type::AgentTypeId;
use crate::facade::World;
use crate::path::Path;
use crate::request::{NoPath, PathRequest, RequestError};

/// The caches and scratch memory of one thread's queries.
///
/// Its memory grows with the largest search so far. Results never depend on its contents.
#[derive(Clone, Debug, Default)]
pub struct Searcher {
    pub(crate) engine: engine::Searcher,
}

impl Searcher {
    /// Brings the caches up to date with the edits since the last query.
    ///
    /// Optional: every query does it first, and no result depends on it. But a thousand edits take
    /// milliseconds that no budget counts; called once per tick after the edits, it spreads them.
    pub fn sync(&mut self, world: &World) {
        self.engine.sync(world.engine());
    }

    /// Builds what searches over weighted ground need for an agent type, at load or in idle time, as far
    /// as the budget allows: about one expansion for each cell on the border of a block of 16 or 32 cells.
    /// False if more remains to be built.
    ///
    /// Optional: the first paths through a place build what they need, and no result depends on it. A
    /// type that does not walk needs nothing.
    ///
    /// # Errors
    /// If the type is unknown.
    ///
    /// ```
    /// use wayfarer::prelude::*;
    ///
    /// let map = b"type octile\nheight 1\nwidth 8\nmap\n........\n";
    /// let world = World::import("lane.map", map, Scale::UNIT)?;
    /// let mut searcher = Searcher::default();
    /// while !searcher.prepare(&world, AgentTypeId::DEFAULT, Budget::expansions(1_000))? {}
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare(
        &mut self,
        world: &World,
        agent_type: AgentTypeId,
        budget: Budget,
    ) -> Result<bool, RequestError> {
        let world = world.engine();
        match self.engine.prepare_tables(world, agent_type, budget) {
            Ok(is_done) => Ok(is_done),
            // The only error there is.
            Err(_) => Err(RequestError::UnknownAgentType),
        }
    }
}

/// One searcher per thread, kept from frame to frame.
///
/// ```
/// use wayfarer::prelude::*;
///
/// let map = b"type octile\nheight 1\nwidth 8\nmap\n........\n";
/// let world = World::import("lane.map", map, Scale::UNIT)?;
/// let at = |x: i32| Position::new(f64::from(x) + 0.5, 0.5, 0.0);
/// let requests: Vec<PathRequest> = (0..8).map(|x| PathRequest::new(at(x), at(7 - x))).collect();
/// let found = SearcherPool::new(4).find_paths(&world, &requests);
/// assert_eq!(found, SearcherPool::new(1).find_paths(&world, &requests));
/// # Ok::<(), Box<dyn std::error::Error>>(())
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

    /// The first searcher, for queries on the calling thread.
    pub fn primary(&mut self) -> &mut Searcher {
        &mut self.searchers[0]
    }

    /// Finds many paths in parallel, each thread with its own searcher. Results are in the order of
    /// the requests and equal for any number of threads. Without threads (wasm) it runs
    /// sequentially.
    pub fn find_paths(
        &mut self,
        world: &World,
        requests: &[PathRequest],
    ) -> Vec<Result<Path, NoPath>> {
        run_batch_with(requests, &mut self.searchers, |searcher, request| {
            world.find_path(searcher, request)
        })
    }
}
