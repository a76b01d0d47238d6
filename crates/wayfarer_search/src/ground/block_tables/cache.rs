//! The block tables of a searcher: one set for each profile, and whether a query suits them.

use wayfarer_base::{Budget, ChangeLog, ChangeSet, CostMultiplier, Revision};
use wayfarer_world::ground::{Ground, GroundDifference, ProfileId};

use super::super::Method;
use super::super::jps_cached::CacheLimit;
use super::super::nav_graph::NavGraph;
use super::scatter::Scatter;
use super::{BlockTables, SharedTables};

/// The limit of all caches, if the caller states none in bytes: 64 MiB, the tables of more than a
/// million open cells.
const DEFAULT_BYTES: usize = 64 << 20;

/// Walkable cells for each convex corner from which on jump points serve `optimal` better.
const CELLS_PER_CORNER: u64 = 4;
/// The same for `bounded`, whose weighted heuristic gains more from jump points.
const CELLS_PER_CORNER_BOUNDED: u64 = 2;

/// The tables of a searcher.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct TableCache {
    /// By last use; the last is that of the current query.
    sets: Vec<TableSet>,
    limit: CacheLimit,
    shared: SharedTables,
}

/// The tables of one profile.
#[derive(Clone, Debug, Default)]
struct TableSet {
    profile_id: Option<ProfileId>,
    tables: BlockTables,
    /// Identity and revision of a ground, and its only cost multiplier, if it has one.
    multiplier: Option<(u64, Revision, Option<CostMultiplier>)>,
    scatter: Scatter,
}

impl TableCache {
    pub(in super::super) fn with_limit(limit: CacheLimit) -> Self {
        Self {
            limit,
            ..Self::default()
        }
    }

    /// Shares what it builds with other searchers.
    pub(in super::super) fn share(&mut self, shared: SharedTables) {
        self.shared = shared;
        self.sets.clear();
    }

    /// What it shares.
    pub(in super::super) fn shared(&self) -> &SharedTables {
        &self.shared
    }

    /// Selects the tables of a graph for the next query; false if jump points suit it better.
    ///
    /// The rule: where jump points find optimal paths by one cost multiplier
    /// ([`TableCache::jump_multiplier`]), and obstacles are not scattered ([`Scatter`]), jump points;
    /// else tables. It follows from the ground, the profile and the method alone, so that ties do.
    pub(in super::super) fn select(&mut self, nav_graph: NavGraph<'_>, method: Method) -> bool {
        let set = self.set_of(nav_graph);
        let cells_per_corner = match method {
            Method::Bounded => CELLS_PER_CORNER_BOUNDED,
            _ => CELLS_PER_CORNER,
        };
        set.jump_multiplier(nav_graph.ground()).is_none()
            || set.scatter.applies(nav_graph, cells_per_corner)
    }

    /// The only cost multiplier in use, if jump points find optimal paths by base costs, scaled by it:
    /// 1, or a whole number on ground without nav links. Steps at other multipliers are rounded, and
    /// nav links have costs of their own.
    pub(in super::super) fn jump_multiplier(
        &mut self,
        nav_graph: NavGraph<'_>,
    ) -> Option<CostMultiplier> {
        let set = self.set_of(nav_graph);
        set.jump_multiplier(nav_graph.ground())
    }

    /// The tables of a graph, which become the current ones.
    fn set_of(&mut self, nav_graph: NavGraph<'_>) -> &mut TableSet {
        let (ground, profile_id) = (nav_graph.ground(), nav_graph.profile_id());
        let sets = &mut self.sets;
        match sets.iter().position(|set| set.profile_id == profile_id) {
            Some(known) => sets[known..].rotate_left(1),
            None => {
                // Profiles that are gone leave their place.
                sets.retain(|set| NavGraph::new(ground, set.profile_id).is_ok());
                sets.push(TableSet {
                    profile_id,
                    tables: BlockTables::new(self.shared.clone()),
                    ..TableSet::default()
                });
            }
        }
        sets.last_mut().expect("it was found or added")
    }

    /// Builds tables ahead of queries, if they suit the graph; false if more remain to be built.
    pub(in super::super) fn prepare(&mut self, nav_graph: NavGraph<'_>, budget: Budget) -> bool {
        self.current().prepare(nav_graph, budget)
    }

    /// Builds stale tables again that recent queries used, of the profiles used last first, for about
    /// `work`.
    pub(in super::super) fn rebuild(&mut self, ground: &Ground, work: u64) {
        let mut left = work;
        for set in self.sets.iter_mut().rev() {
            if let Ok(nav_graph) = NavGraph::new(ground, set.profile_id) {
                left = left.saturating_sub(set.tables.rebuild(nav_graph, left));
            }
        }
    }

    /// Limits the tables: those of other profiles than that of the current query keep at most half,
    /// the least recently used is evicted first.
    pub(in super::super) fn set_limit(&mut self, limit_bytes: usize) {
        let Some((current, others)) = self.sets.split_last_mut() else {
            return;
        };
        let sum =
            |sets: &[TableSet]| -> usize { sets.iter().map(|set| set.tables.heap_bytes()).sum() };
        for first in 0..others.len() {
            if sum(&others[first..]) > limit_bytes / 2 {
                others[first].tables.clear();
            }
        }
        (current.tables).set_limit(limit_bytes.saturating_sub(sum(others)));
    }

    /// Evicts tables, those of the least recently used profile first, until all take at most this
    /// many bytes.
    pub(in super::super) fn trim_to(&mut self, bytes: usize) {
        for number in 0..self.sets.len() {
            let excess = self.heap_bytes().saturating_sub(bytes);
            if excess > 0 {
                let tables = &mut self.sets[number].tables;
                tables.trim_to(tables.heap_bytes().saturating_sub(excess));
            }
        }
    }

    /// The tables of the current query, after a call of `select`.
    pub(in super::super) fn current(&mut self) -> &mut BlockTables {
        let last = self.sets.last_mut();
        &mut last.expect("a query selects its tables first").tables
    }

    /// The tables of the current query, if there was one.
    pub(in super::super) fn known(&self) -> Option<&BlockTables> {
        self.sets.last().map(|set| &set.tables)
    }

    /// Takes over a change set.
    pub(in super::super) fn apply_set(
        &mut self,
        ground: &Ground,
        set: &ChangeSet<GroundDifference>,
    ) {
        for tables in &mut self.sets {
            tables.tables.apply_set(ground, set);
            tables.follow(ground, set);
            tables.scatter.apply_set(ground, set);
        }
    }

    /// Takes over all change sets of a log since the tables' revision.
    pub(in super::super) fn sync(&mut self, ground: &Ground, log: &ChangeLog<GroundDifference>) {
        for tables in &mut self.sets {
            tables.tables.sync(ground, log);
            if let Some((_, revision, _)) = tables.multiplier
                && let Some(sets) = log.since(revision)
            {
                sets.for_each(|set| tables.follow(ground, set));
            }
            tables.scatter.sync(ground, log);
        }
    }

    /// Bytes of all tables.
    pub(in super::super) fn heap_bytes(&self) -> usize {
        self.sets.iter().map(|set| set.tables.heap_bytes()).sum()
    }

    /// Upper bound on the bytes of all caches of a searcher.
    pub(in super::super) fn limit_bytes(&self) -> usize {
        match self.limit {
            CacheLimit::Bytes(bytes) => bytes,
            CacheLimit::GroundMultiple(_) => DEFAULT_BYTES,
        }
    }

    /// Forgets all tables.
    pub(in super::super) fn clear(&mut self) {
        self.sets.iter_mut().for_each(|set| set.tables.clear());
    }
}

impl TableSet {
    /// Keeps the only multiplier of a ground known as such, if a change set leaves it so: without this
    /// every edit would cost a look at all sheets.
    fn follow(&mut self, ground: &Ground, set: &ChangeSet<GroundDifference>) {
        let Some((identity, revision, Some(only))) = self.multiplier else {
            return;
        };
        let Ok(nav_graph) = NavGraph::new(ground, self.profile_id) else {
            return;
        };
        // A modifier may apply to a new floor, and to no other.
        let is_known = (identity, revision) == (ground.identity(), set.before)
            && ground.cost_modifiers().next().is_none();
        let profile = nav_graph.profile();
        let keeps = |difference: &GroundDifference| {
            let mut keeps = true;
            match difference {
                GroundDifference::CostModifier(_) => keeps = false,
                GroundDifference::Wall { .. } | GroundDifference::NavLink(_) => {}
                floors => floors.for_each_floor(|_, before, after| {
                    let cost = after.map(|terrain| profile.terrain_cost(terrain));
                    keeps &= cost.is_none_or(|cost| cost == only);
                    // The last floor may go; ground without floors has base cost.
                    keeps &= before.is_none() || after.is_some() || only == CostMultiplier::ONE;
                }),
            }
            keeps
        };
        if is_known && set.differences.iter().all(keeps) {
            self.multiplier = Some((identity, set.after, Some(only)));
        }
    }

    /// See [`TableCache::jump_multiplier`].
    fn jump_multiplier(&mut self, ground: &Ground) -> Option<CostMultiplier> {
        let only = self.only_multiplier(ground)?;
        let is_whole = only
            .sixteenths()
            .is_multiple_of(CostMultiplier::ONE.sixteenths());
        let scales = || is_whole && ground.nav_links().next().is_none();
        (only == CostMultiplier::ONE || scales()).then_some(only)
    }

    fn only_multiplier(&mut self, ground: &Ground) -> Option<CostMultiplier> {
        let now = (ground.identity(), ground.revision());
        if let Some((identity, revision, known)) = self.multiplier
            && (identity, revision) == now
        {
            return known;
        }
        let only = ground.only_cost_multiplier(self.profile_id);
        self.multiplier = Some((now.0, now.1, only));
        only
    }
}
