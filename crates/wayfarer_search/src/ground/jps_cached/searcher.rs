//! The searcher of methods `optimal` and `bounded`: begin, advance, and when to fall back to `jps`.

use wayfarer_base::{
    Budget, ChangeLog, Cost, Outcome, SearchObserver, SearchStats, UnreachableProof,
};
use wayfarer_world::ground::{Ground, GroundChanges, GroundDifference, NodeId, ProfileGround};

use super::super::jps::{JpsSearcher, Query};
use super::cache_state::{CacheLimit, CacheState};
use super::goal_heuristic::{GoalHeuristic, HeuristicWeight, octile};
use super::parked_caches::ParkedCaches;
use super::query_state::QueryState;
use super::successor_scan::SuccessorScan;
use crate::kernel::StopReason;

/// Reusable scratch of one thread, for grounds of any size, with a cache of one of them.
///
/// Results never depend on earlier searches, nor on the contents of the cache.
#[derive(Clone, Debug)]
pub struct CachedJpsSearcher {
    /// The cache of the type searched for last.
    pub(super) cache: CacheState,
    parked: ParkedCaches,
    pub(super) query: QueryState,
    pub(super) buffers: Buffers,
    pub(super) fallback: Fallback,
    /// Bytes of the limit that others take.
    reserved_bytes: usize,
}

/// Buffers of expansions and results; meaningless between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    pub(super) scan: SuccessorScan,
    /// The slots at the ends of the edges of the scan.
    pub(super) edge_slots: Vec<u32>,
    /// The nodes of a path.
    pub(super) path: Vec<NodeId>,
}

/// The search without a cache, for queries that the cache does not suit.
#[derive(Clone, Debug, Default)]
pub(super) struct Fallback {
    pub(super) jps: JpsSearcher,
    /// True if it runs the current query.
    pub(super) is_active: bool,
    /// Statistics of the cached search before it gave up.
    stats_before: SearchStats,
}

/// The bridge tree is used if the ground has at most this many sheets per cell between start and
/// goal: building it then takes less time than the search gains.
const SHEETS_PER_CELL: usize = 4;

/// Larger grounds have no bridge tree.
const MAX_SHEETS: usize = 1 << 14;

/// The first upper bound is 1.5 times the octile distance, plus this.
const UPPER_BOUND_MARGIN: u64 = 64 * Cost::STRAIGHT.units() as u64;

/// How a search ended.
pub(super) enum End {
    /// The goal is visible from this node.
    Goal(u32),
    /// The cached search does not suit the ground.
    GiveUp,
    OutOfBudget,
}

impl Default for CachedJpsSearcher {
    fn default() -> Self {
        Self::with_cache_limit(CacheLimit::default())
    }
}

impl CachedJpsSearcher {
    /// A searcher whose caches take at most `limit`, those of all agent types together.
    ///
    /// When a cache is full, new lists are used and not cached; once it rejected as many as it
    /// holds, it is cleared. The types not searched for at the moment keep at most half of the
    /// limit: beyond that, the cache of the type least recently searched for is evicted. The limit
    /// does not cover the nodes of one search.
    pub fn with_cache_limit(limit: CacheLimit) -> Self {
        Self {
            cache: CacheState::new(limit),
            parked: ParkedCaches::default(),
            query: QueryState::default(),
            buffers: Buffers::default(),
            fallback: Fallback::default(),
            reserved_bytes: 0,
        }
    }

    /// Leaves this many bytes of the limit to others, from the next search on.
    pub(crate) fn reserve_bytes(&mut self, bytes: usize) {
        self.reserved_bytes = bytes;
    }

    /// Clears the caches and frees their memory.
    pub(crate) fn free_cache(&mut self) {
        self.cache = CacheState::new(self.cache.limit());
        self.parked.clear();
    }

    /// Marks the changes of a batch of edits dirty, so that the rest of the cache stays valid.
    /// `changes` must be of `ground`, which may have changed further since.
    ///
    /// Optional: a cache of another revision is cleared when the next search begins.
    pub fn apply_changes(&mut self, ground: &Ground, changes: &GroundChanges) {
        self.cache.apply_set(ground, &changes.changes);
        self.parked.apply_set(ground, &changes.changes);
    }

    /// As [`CachedJpsSearcher::apply_changes`], for all changes of `ground` that a log holds since
    /// the last search or the last changes applied.
    pub fn sync(&mut self, ground: &Ground, log: &ChangeLog<GroundDifference>) {
        self.cache.sync(ground, log);
        self.parked.sync(ground, log);
    }

    /// Invalidates what the applied changes affect. The next search does so by itself; a call
    /// moves the work to an earlier time.
    pub fn flush_invalidations(&mut self, ground: &Ground) {
        if let Some(ground) = ground.layer_ground(self.cache.source.1) {
            self.cache.flush(ground);
        }
        self.parked.flush(ground);
    }

    /// Clears the cache; keeps the capacity.
    pub fn clear_cache(&mut self) {
        self.cache.clear();
        self.parked.clear();
    }

    /// Bytes of the caches of all agent types.
    pub fn cache_bytes(&self) -> usize {
        self.cache.heap_bytes() + self.parked.heap_bytes()
    }

    /// Limit of the cache in bytes, for the ground last searched.
    pub fn cache_limit_bytes(&self) -> usize {
        self.cache.limit_bytes
    }

    /// Statistics of the last query.
    pub fn stats(&self) -> SearchStats {
        if !self.fallback.is_active {
            return self.query.stats;
        }
        let (before, jps) = (self.fallback.stats_before, self.fallback.jps.stats());
        SearchStats {
            expansions: before.expansions + jps.expansions,
            pushes: before.pushes + jps.pushes,
        }
    }

    /// True if the last query fell back to the search without a cache.
    pub fn fell_back_to_jps(&self) -> bool {
        self.fallback.is_active
    }

    pub(super) fn find(
        &mut self,
        ground: ProfileGround<'_>,
        query: &Query,
        observer: &mut impl SearchObserver,
        cells: &mut Vec<NodeId>,
    ) -> Outcome<Cost> {
        cells.clear();
        if let Some(known) = self.begin(ground, query, HeuristicWeight::ONE) {
            if matches!(known, Outcome::OutOfBudget { .. }) {
                cells.push(query.start);
            }
            return known;
        }
        let budget = Budget {
            memory_bytes: query.budget.memory_bytes.saturating_sub(self.grown_bytes()),
            ..query.budget
        };
        let stop = self.advance(ground, observer, budget);
        self.outcome(ground, stop, cells)
    }

    /// Begins a search and discards the last one. Returns the outcome if no search is needed, or
    /// if the memory budget is too small for one: then the best path is the start alone.
    ///
    /// A query with a memory budget falls back to `jps`, which counts every byte.
    pub fn begin<'g>(
        &mut self,
        ground: impl Into<ProfileGround<'g>>,
        query: &Query,
        weight: HeuristicWeight,
    ) -> Option<Outcome<Cost>> {
        let ground: ProfileGround<'_> = ground.into();
        self.parked.select(&mut self.cache, ground);
        self.parked.enforce_limit(self.cache.limit_bytes);
        self.cache.parked_bytes = self.parked.heap_bytes() + self.reserved_bytes;
        self.cache.enforce_limit();
        self.fallback.is_active = false;
        self.fallback.stats_before = SearchStats::default();
        self.query.stats = SearchStats::default();
        self.query.query = *query;
        self.query.cost_lower_bound = None;
        if ground.component(query.start) != ground.component(query.goal) {
            return Some(Outcome::Unreachable {
                proof: UnreachableProof::DifferentComponents,
                nearest: None,
            });
        }
        // A nav link cheaper than the octile distance makes the heuristic inadmissible.
        if query.budget.memory_bytes == u64::MAX && ground.shortcuts().is_empty() {
            self.cache.bind(ground);
            self.query.started_on = self.cache.bound_to;
            self.cache.n_searches = self.cache.n_searches.saturating_add(1);
            self.set_goal(ground, weight, self.first_upper_bound(ground, weight));
            self.query.uses_tree = self.wants_tree(ground) && self.use_tree(ground);
            if self.seed_start(ground) {
                return None;
            }
        }
        self.begin_fallback(ground)
    }

    /// Searches until the goal is reached, the open list is empty, or `budget` is used up; it
    /// counts from this call on, memory only after a fallback to `jps`. After
    /// [`StopReason::OutOfBudget`] on the same ground, another call continues exactly as if the
    /// search had not stopped.
    pub fn advance<'g>(
        &mut self,
        ground: impl Into<ProfileGround<'g>>,
        observer: &mut impl SearchObserver,
        budget: Budget,
    ) -> StopReason {
        let ground: ProfileGround<'_> = ground.into();
        let before = self.stats().expansions;
        if !self.fallback.is_active {
            // Nodes of another revision are invalid, even if its changes were applied since: then
            // `jps` runs the whole query.
            if self.query.started_on == (ground.identity(), ground.revision()) {
                match self.search(ground, budget.expansions, observer) {
                    End::Goal(id) => return StopReason::Goal(id),
                    End::OutOfBudget => return StopReason::OutOfBudget,
                    End::GiveUp => {}
                }
            }
            if self.begin_fallback(ground).is_some() {
                return StopReason::OutOfBudget;
            }
        }
        let used = self.stats().expansions - before;
        let budget = Budget {
            expansions: budget.expansions.saturating_sub(used),
            ..budget
        };
        self.fallback.jps.advance(ground, observer, budget)
    }

    /// Lower bound of the optimal cost, once a path was found and read; `None` if the path is
    /// known to be optimal.
    pub fn cost_lower_bound(&self) -> Option<Cost> {
        self.query.cost_lower_bound.map(Cost::from_units)
    }

    /// Bytes by which the scratch grew in the last search; counted only after a fallback to `jps`.
    pub fn grown_bytes(&self) -> u64 {
        if self.fallback.is_active {
            self.fallback.jps.grown_bytes()
        } else {
            0
        }
    }

    /// Hands the query to the search without a cache.
    fn begin_fallback(&mut self, ground: ProfileGround<'_>) -> Option<Outcome<Cost>> {
        self.fallback.stats_before = self.query.stats;
        self.fallback.is_active = true;
        self.fallback.jps.begin(ground, &self.query.query)
    }

    /// The first assumed upper bound of f, weight included; none where scans are short.
    fn first_upper_bound(&self, ground: ProfileGround<'_>, weight: HeuristicWeight) -> u32 {
        if !self.cache.is_large || self.cache.bitmap.built().is_some() {
            return u32::MAX;
        }
        let Query { start, goal, .. } = self.query.query;
        let [start, goal] = [start, goal].map(|node| ground.cell(node));
        let (wide, high) = (start.x.abs_diff(goal.x), start.y.abs_diff(goal.y));
        let direct = weight.weigh(octile(wide.into(), high.into()));
        u32::try_from(direct + direct / 2 + UPPER_BOUND_MARGIN).unwrap_or(u32::MAX)
    }

    /// Scans the row and column of the goal, and sets the upper bound.
    pub(super) fn set_goal(
        &mut self,
        ground: ProfileGround<'_>,
        weight: HeuristicWeight,
        upper_bound: u32,
    ) {
        let max_length = match upper_bound {
            u32::MAX => u32::MAX,
            _ => upper_bound / Cost::STRAIGHT.units() + 1,
        };
        let query = &mut self.query;
        query.goal = GoalHeuristic::new(ground, &query.query, weight, max_length);
        (query.upper_bound, query.has_met_fence) = (upper_bound, query.goal.is_cut);
    }

    /// True if the path may be so long that the bridge tree pays, even if it must be built first.
    /// Follows from the ground and the query alone, except where the goal is visible from the
    /// start: there the result is the same with and without the tree.
    fn wants_tree(&self, ground: ProfileGround<'_>) -> bool {
        let (start_node, goal) = (self.query.query.start, &self.query.goal);
        let start = ground.cell(start_node);
        let (wide, high) = (start.x.abs_diff(goal.x), start.y.abs_diff(goal.y));
        let n_cells = usize::try_from(wide.max(high)).unwrap_or(usize::MAX);
        ground.has_at_most_sheets(n_cells.saturating_mul(SHEETS_PER_CELL).min(MAX_SHEETS))
            && (self.cache.tree.is_built()
                || !self.is_goal_visible_from(ground, start_node, (start.x, start.y)))
    }

    fn use_tree(&mut self, ground: ProfileGround<'_>) -> bool {
        if self.cache.tree.prepare(ground) {
            self.cache.invalidate_components();
        }
        let Query { start, goal, .. } = self.query.query;
        self.cache.tree.set_route(ground, start, goal)
    }
}
