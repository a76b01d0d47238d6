//! The block tables of a searcher: one set for each profile, and whether a query suits them.

use wayfarer_base::{Budget, ChangeLog, ChangeSet, CostMultiplier, Revision};
use wayfarer_world::ground::{Ground, GroundDifference, ProfileId};

use super::super::jps_cached::CacheLimit;
use super::super::nav_graph::NavGraph;
use super::BlockTables;

/// Lower clamp of the limit by ground: 64 MiB, the tables of 700,000 open cells.
const MIN_BYTES: usize = 64 << 20;

/// The tables of a searcher.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct TableCache {
    sets: Vec<TableSet>,
    limit: CacheLimit,
    /// The set of the current query.
    current: usize,
}

/// The tables of one profile.
#[derive(Clone, Debug, Default)]
struct TableSet {
    profile_id: Option<ProfileId>,
    tables: BlockTables,
    /// Identity and revision of a ground, and its only cost multiplier, if it has one.
    multiplier: Option<(u64, Revision, Option<CostMultiplier>)>,
}

impl TableCache {
    pub(in super::super) fn with_limit(limit: CacheLimit) -> Self {
        Self {
            limit,
            ..Self::default()
        }
    }

    /// Selects the tables of a graph for the next query; false if jump points suit it better.
    ///
    /// The rule: where one cost multiplier is in use, the base cost, jump points; else tables. It
    /// follows from the ground and the profile alone, so that ties do.
    pub(in super::super) fn select(&mut self, nav_graph: NavGraph<'_>) -> bool {
        let (ground, profile_id) = (nav_graph.ground(), nav_graph.profile_id());
        self.current = match self
            .sets
            .iter()
            .position(|set| set.profile_id == profile_id)
        {
            Some(known) => known,
            None => {
                // Profiles that are gone leave their place.
                (self.sets).retain(|set| NavGraph::new(ground, set.profile_id).is_ok());
                self.sets.push(TableSet {
                    profile_id,
                    ..TableSet::default()
                });
                self.sets.len() - 1
            }
        };
        let limit_bytes = self.limit_bytes();
        let set = &mut self.sets[self.current];
        set.tables.set_limit(limit_bytes);
        set.only_multiplier(ground) != Some(CostMultiplier::ONE)
    }

    /// Builds tables ahead of queries, if they suit the graph; false if more remain to be built.
    pub(in super::super) fn prepare(&mut self, nav_graph: NavGraph<'_>, budget: Budget) -> bool {
        !self.select(nav_graph) || self.current().prepare(nav_graph, budget)
    }

    /// The tables of the current query.
    pub(in super::super) fn current(&mut self) -> &mut BlockTables {
        &mut self.sets[self.current].tables
    }

    /// The tables of the current query, if there was one.
    pub(in super::super) fn known(&self) -> Option<&BlockTables> {
        self.sets.get(self.current).map(|set| &set.tables)
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
        }
    }

    /// Bytes of all tables.
    pub(in super::super) fn heap_bytes(&self) -> usize {
        self.sets.iter().map(|set| set.tables.heap_bytes()).sum()
    }

    /// Upper bound on the bytes of the tables of one profile.
    pub(in super::super) fn limit_bytes(&self) -> usize {
        match self.limit {
            CacheLimit::Bytes(bytes) => bytes,
            CacheLimit::GroundMultiple(_) => MIN_BYTES,
        }
    }

    /// Forgets all tables.
    pub(in super::super) fn clear(&mut self) {
        self.sets.iter_mut().for_each(|set| set.tables.clear());
    }
}

impl TableSet {
    /// Keeps a ground of base cost known as such, if a change set leaves it so: without this every
    /// edit would cost a look at all sheets.
    fn follow(&mut self, ground: &Ground, set: &ChangeSet<GroundDifference>) {
        let known = Some((ground.identity(), set.before, Some(CostMultiplier::ONE)));
        let Ok(nav_graph) = NavGraph::new(ground, self.profile_id) else {
            return;
        };
        let profile = nav_graph.profile();
        let is_base = |difference: &GroundDifference| {
            let mut is_base = true;
            match difference {
                GroundDifference::CostModifier(_) => is_base = false,
                GroundDifference::Wall { .. } | GroundDifference::NavLink(_) => {}
                floors => floors.for_each_floor(|_, _, after| {
                    let cost = after.map(|terrain| profile.terrain_cost(terrain));
                    is_base &= cost.is_none_or(|cost| cost == CostMultiplier::ONE);
                }),
            }
            is_base
        };
        if self.multiplier == known && set.differences.iter().all(is_base) {
            self.multiplier = Some((ground.identity(), set.after, Some(CostMultiplier::ONE)));
        }
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
