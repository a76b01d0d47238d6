//! The caches of a searcher: jump points and block tables under one limit, kept through edits.

use wayfarer_base::{Budget, ChangeLog, RequestError};
use wayfarer_world::ground::{Ground, GroundChanges, GroundDifference, ProfileId};

use super::super::block_tables::{SharedTables, TableCache};
use super::super::jps_cached::{CacheLimit, CachedJpsSearcher};
use super::super::nav_graph::NavGraph;
use super::{Engine, Method, PathSearcher};

impl PathSearcher {
    /// A searcher whose caches take at most `limit` between requests: jump points and block tables
    /// of all profiles together. Results are the same for any limit; what does not fit is computed
    /// again by each request.
    ///
    /// What the current request does not use, the other kind of cache or the tables of other
    /// profiles, keeps at most half of the limit; the least recently used goes first. Within the
    /// tables in use, those that the last 64 requests did not enter are packed first, which takes a
    /// third of the bytes and more time, and evicted first if that does not suffice.
    /// [`CacheLimit::GroundMultiple`] limits jump points as described there, and all together to 64
    /// MiB.
    pub fn with_cache_limit(limit: CacheLimit) -> Self {
        Self {
            cached_jps: CachedJpsSearcher::with_cache_limit(limit),
            tables: TableCache::with_limit(limit),
            ..Self::default()
        }
    }

    /// A searcher that shares block tables with all others of the same [`SharedTables`]: what one has
    /// built and still keeps the others only refer to, for every profile and revision.
    ///
    /// ```
    /// use wayfarer_search::ground::{PathSearcher, SharedTables};
    /// let tables = SharedTables::default();
    /// let searchers = [(); 4].map(|()| PathSearcher::with_shared_tables(&tables));
    /// assert_eq!(searchers[0].cache_bytes(), 0);
    /// ```
    pub fn with_shared_tables(shared: &SharedTables) -> Self {
        let mut searcher = Self::default();
        searcher.tables.share(shared.clone());
        searcher
    }

    /// The tables that this searcher shares with its clones and with those made by
    /// [`PathSearcher::with_shared_tables`].
    pub fn shared_tables(&self) -> &SharedTables {
        self.tables.shared()
    }

    /// Takes over a batch of edits, so that the cache keeps all that they do not invalidate.
    /// Optional: a cache of another revision is dropped on the next request, and `World` forwards
    /// its changes.
    pub fn apply_changes(&mut self, ground: &Ground, changes: &GroundChanges) {
        self.cached_jps.apply_changes(ground, changes);
        self.tables.apply_set(ground, &changes.changes);
    }

    /// [`PathSearcher::apply_changes`] for all change sets of a log since the cache's revision.
    pub fn sync(&mut self, ground: &Ground, log: &ChangeLog<GroundDifference>) {
        self.cached_jps.sync(ground, log);
        self.tables.sync(ground, log);
    }

    /// Repairs the cache after the changes applied so far; without this the next request does.
    pub fn flush_invalidations(&mut self, ground: &Ground) {
        self.cached_jps.flush_invalidations(ground);
    }

    /// Builds block tables for an agent ahead of its requests, at load or in idle time: as many as
    /// the cache limit and the budget allow, in which each frame cell of a new table counts as an
    /// expansion. Returns false if the budget ran out before all were built; nothing is built where
    /// jump points serve. Optional: requests build what they need.
    ///
    /// # Errors
    /// If the profile is not registered.
    pub fn prepare_tables(
        &mut self,
        ground: &Ground,
        profile_id: Option<ProfileId>,
        budget: Budget,
    ) -> Result<bool, RequestError> {
        let nav_graph = NavGraph::new(ground, profile_id)?;
        if !self.tables.select(nav_graph, Method::Optimal) {
            return Ok(true);
        }
        self.state.engine = Engine::BlockTables;
        self.share_cache_limit();
        Ok(self.tables.prepare(nav_graph, budget))
    }

    /// Builds block tables again that changes made stale and one of the last 64 requests used, the
    /// oldest first, until that took the work of about so many expansions of A\*. Optional: requests build
    /// what they need, but one after many changes builds much at once. Ends the current request.
    pub fn rebuild_tables(&mut self, ground: &Ground, work: u64) {
        self.tables.rebuild(ground, work);
    }

    /// Bytes of the cache.
    pub fn cache_bytes(&self) -> usize {
        self.cached_jps.cache_bytes() + self.tables.heap_bytes()
    }

    /// Upper bound on the bytes of the cache between requests.
    pub fn cache_limit_bytes(&self) -> usize {
        self.tables.limit_bytes()
    }

    /// Evicts everything from the cache; keeps its memory.
    pub fn clear_cache(&mut self) {
        self.cached_jps.clear_cache();
        self.tables.clear();
    }

    /// Shares the cache limit between jump points and tables: what the current engine does not use
    /// keeps at most half of it.
    pub(super) fn share_cache_limit(&mut self) {
        let limit_bytes = self.cache_limit_bytes();
        match self.state.engine {
            Engine::BlockTables => {
                if self.cached_jps.cache_bytes() > limit_bytes / 2 {
                    self.cached_jps.free_cache();
                }
                let left = limit_bytes.saturating_sub(self.cached_jps.cache_bytes());
                self.tables.set_limit(left);
            }
            Engine::CachedJps => {
                self.tables.trim_to(limit_bytes / 2);
                let spare = limit_bytes.saturating_sub(self.cached_jps.cache_limit_bytes());
                let reserved = self.tables.heap_bytes().saturating_sub(spare);
                self.cached_jps.reserve_bytes(reserved);
            }
            Engine::Astar | Engine::Jps => {}
        }
    }
}
