//! Block tables: optimal paths over weighted ground by customizable route planning
//! \[Delling2011\].
//!
//! The ground is cut into blocks of 16 and of 32 columns whose outer lines, the frames, are shared.
//! A table has the least costs inside a block between any two frame cells. A query floods the
//! blocks of its ends, then searches over blocks with min-plus rows of tables. No step leads across
//! a line without a cell on it, and nav link ends count as frame cells, so the result is optimal.
//!
//! Everything is built lazily, follows from the graph alone, and is rebuilt where an edit made it
//! stale; results never depend on what is cached. Costs are exact: `i32` units in tables, packed or
//! not, where anything from 2^30 on counts as no path; a query without a path below that is left to A\*, as is
//! ground with too many floors above each other. Design: `docs/design/block-tables.md`.

use wayfarer_base::{Budget, Cell, ChangeLog, ChangeSet, Cost, Rect, Revision, SearchStats};
use wayfarer_world::ground::{Ground, GroundDifference, NodeId, ProfileId, SuccessorBuffer};

use super::lower_bound::LowerBound;
use super::nav_graph::{NavGraph, inflated};
use crate::kernel::WorkLimit;

mod ahead;
mod cache;
mod cells;
mod elimination;
mod ends;
mod flood;
mod frame;
mod goals;
mod legs;
mod min_plus;
mod pool;
mod scatter;
mod search;
mod store;
mod sweep;
mod table;
mod tiles;
mod trace;
mod unpack;

pub(super) use cache::TableCache;
use goals::Goals;
pub use pool::SharedTables;
use search::{BlockSearch, Query, Stop};
use store::{Store, Unsuitable};
use trace::Trace;

/// Searches over the block tables of one graph, and the tables.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockTables {
    store: Store,
    search: BlockSearch,
    goals: Goals,
    trace: Trace,
    buffer: SuccessorBuffer,
    /// Identity and revision of the ground, and the profile.
    bound_to: Option<Binding>,
}

type Binding = (u64, Revision, Option<ProfileId>);

fn binding(nav_graph: NavGraph<'_>) -> Binding {
    let ground = nav_graph.ground();
    (ground.identity(), ground.revision(), nav_graph.profile_id())
}

/// Why a search over tables stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TableStop {
    /// With an optimal path.
    Found,
    OutOfBudget,
    /// The tables have no answer: A\* must search.
    NoAnswer,
}

impl BlockTables {
    /// Tables that share what they build with others.
    fn new(shared: SharedTables) -> Self {
        let mut tables = Self::default();
        tables.store.shared = shared;
        tables
    }

    /// Limits the bytes of the tables; a search in progress may exceed it.
    pub(super) fn set_limit(&mut self, bytes: usize) {
        self.store.set_limit(bytes);
    }

    /// Limits the bytes of the tables, now.
    fn trim_to(&mut self, bytes: usize) {
        self.store.set_limit(bytes);
        self.store.trim();
    }

    /// Builds tables ahead of queries; false if more remain to be built.
    fn prepare(&mut self, nav_graph: NavGraph<'_>, budget: Budget) -> bool {
        self.bind(nav_graph);
        self.store.prepare(nav_graph, budget.expansions)
    }

    /// Builds stale tables again that recent queries used, for about `work`; returns the work. Ends the
    /// current query.
    fn rebuild(&mut self, nav_graph: NavGraph<'_>, work: u64) -> u64 {
        match self.bound_to == Some(binding(nav_graph)) {
            true => self.store.rebuild(nav_graph, work),
            false => 0,
        }
    }

    /// Starts a query of at most `budget` expansions for the cheapest of some goals, at least one.
    pub(super) fn begin(
        &mut self,
        nav_graph: NavGraph<'_>,
        start: NodeId,
        goals: &[u32],
        budget: u64,
    ) {
        self.bind(nav_graph);
        let has_shortcuts = !nav_graph.shortcuts().is_empty();
        self.goals.set(nav_graph, start, goals, has_shortcuts);
        let first = self.goals.next().unwrap_or(start);
        let query = Query {
            ends: (start, first),
            upper_bound: self.goals.upper_bound(),
            max_expansions: budget,
        };
        (self.search).begin(nav_graph, &mut self.store, &query);
    }

    /// True if what is left of the query's budget does not suffice for the next block.
    pub(super) fn is_exhausted(&self) -> bool {
        self.search.is_exhausted
    }

    /// Searches until the path is found, the budget of the query does not suffice for the next
    /// block, or `slice` is used up: expansions and the work of building together.
    pub(super) fn advance(
        &mut self,
        nav_graph: NavGraph<'_>,
        lower_bound: &LowerBound,
        slice: WorkLimit,
    ) -> TableStop {
        if self.bound_to != Some(binding(nav_graph)) {
            return TableStop::NoAnswer;
        }
        let mut slice = slice;
        loop {
            let (search, store) = (&mut self.search, &mut self.store);
            match search.advance(nav_graph, store, lower_bound, slice) {
                Ok(Stop::OutOfBudget) => return TableStop::OutOfBudget,
                Err(Unsuitable) => return TableStop::NoAnswer,
                Ok(Stop::Found) if self.goals.is_last() => return TableStop::Found,
                Ok(Stop::Found) => self.keep_path(nav_graph),
                // No path, or none that is better than that to an earlier goal.
                Ok(Stop::Exhausted) => {}
            }
            let Some(goal) = self.goals.next() else {
                return match self.goals.cost {
                    Some(_) => TableStop::Found,
                    None => TableStop::NoAnswer,
                };
            };
            // The next search has what this one leaves.
            slice = self.search.take_rest();
            self.begin_next(nav_graph, goal);
        }
    }

    /// Keeps the path found, and what it took, before the search for another goal.
    fn keep_path(&mut self, nav_graph: NavGraph<'_>) {
        let mut nodes = std::mem::take(&mut self.goals.nodes);
        let Self { store, search, .. } = self;
        (self.trace.path(nav_graph, store, search, &mut nodes))
            .expect("the search has entered the blocks of its path");
        self.goals.nodes = nodes;
        self.goals.cost = Some(self.search.cost);
    }

    fn begin_next(&mut self, nav_graph: NavGraph<'_>, goal: NodeId) {
        self.goals.is_past_first = true;
        self.goals.n_work += self.search.work(&self.store);
        self.goals.stats += self.search.stats;
        let used = self.search.stats.expansions;
        let query = Query {
            ends: (self.search.start.node, goal),
            upper_bound: self.goals.upper_bound(),
            max_expansions: self.search.max_expansions.saturating_sub(used),
        };
        (self.search).begin(nav_graph, &mut self.store, &query);
    }

    /// False if the current query has touched no block that contains columns of `rect`; what the
    /// searches for earlier goals touched is not known.
    pub(super) fn has_seen(&self, rect: Rect) -> bool {
        self.goals.is_past_first || self.store.has_touched(rect)
    }

    /// Where the current query starts.
    pub(super) fn start(&self) -> NodeId {
        self.search.start.node
    }

    /// Writes the nodes of the path found and returns its cost.
    pub(super) fn path(&mut self, nav_graph: NavGraph<'_>, nodes: &mut Vec<NodeId>) -> Cost {
        if self.goals.cost.is_some() && self.search.cost >= self.goals.upper_bound() {
            nodes.clone_from(&self.goals.nodes);
            self.store.trim();
            return self.cost();
        }
        let Self {
            store,
            search,
            trace,
            ..
        } = self;
        (trace.path(nav_graph, store, search, nodes))
            .expect("the search has entered the blocks of its path");
        store.trim();
        self.cost()
    }

    /// Ends a query whose path is not wanted, and returns its cost.
    pub(super) fn finish(&mut self) -> Cost {
        self.store.trim();
        self.cost()
    }

    /// The cost of the path found.
    fn cost(&self) -> Cost {
        let cost = self.search.cost.min(self.goals.upper_bound());
        Cost::from_units(cost.cast_unsigned())
    }

    /// Writes the nodes of the best path to a goal so far, else to the frame cell with the least lower
    /// bound, else the start alone, and returns its cost.
    pub(super) fn best_so_far(
        &mut self,
        nav_graph: NavGraph<'_>,
        lower_bound: &LowerBound,
        nodes: &mut Vec<NodeId>,
    ) -> Cost {
        if self.goals.cost.is_some() {
            nodes.clone_from(&self.goals.nodes);
            return Cost::from_units(self.goals.upper_bound().cast_unsigned());
        }
        let Self {
            store,
            search,
            trace,
            buffer,
            ..
        } = self;
        nodes.clear();
        if let Some(at) = search.nearest(nav_graph, store, lower_bound)
            && trace
                .path_to_frame_cell(nav_graph, store, search, at, nodes)
                .is_err()
        {
            nodes.clear();
        }
        if nodes.is_empty() {
            nodes.push(search.start.node);
        }
        store.trim();
        path_cost(nav_graph, nodes, buffer)
    }

    /// Cells flooded and rows relaxed by the current query.
    pub(super) fn stats(&self) -> SearchStats {
        let mut all = self.goals.stats;
        all += self.search.stats;
        all
    }

    /// Expansions of the current query and the work of building for it, or what its slices used.
    pub(super) fn work(&self) -> u64 {
        self.goals.n_work + self.search.work(&self.store)
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.store.heap_bytes()
    }

    /// Binds the tables to the current revision of a graph; forgets those of another one.
    fn bind(&mut self, nav_graph: NavGraph<'_>) {
        let now = Some(binding(nav_graph));
        if self.bound_to != now {
            self.store.clear();
            self.bound_to = now;
        }
    }

    /// Forgets all tables.
    fn clear(&mut self) {
        self.store.clear();
        self.bound_to = None;
    }

    /// Applies all change sets of a log since the bound revision.
    pub(super) fn sync(&mut self, ground: &Ground, log: &ChangeLog<GroundDifference>) {
        if let Some((identity, revision, _)) = self.bound_to
            && identity == ground.identity()
            && revision != ground.revision()
            && let Some(sets) = log.since(revision)
        {
            sets.for_each(|set| self.apply_set(ground, set));
        }
    }

    /// Marks the blocks of a change set stale, if it leads on from the bound revision.
    pub(super) fn apply_set(&mut self, ground: &Ground, set: &ChangeSet<GroundDifference>) {
        let Some((identity, revision, profile_id)) = self.bound_to else {
            return;
        };
        let Ok(nav_graph) = NavGraph::new(ground, profile_id) else {
            self.clear();
            return;
        };
        if (identity, revision) != (ground.identity(), set.before) {
            return;
        }
        self.bound_to = Some((identity, set.after, profile_id));
        let margin = nav_graph.clearance_columns();
        for difference in &set.differences {
            for rect in changed_columns(difference).into_iter().flatten() {
                self.store.invalidate(inflated(rect, margin));
            }
        }
    }
}

/// The columns where a difference may change cells, steps or nav links, for a point: up to two
/// rectangles.
pub fn changed_columns(difference: &GroundDifference) -> [Option<Rect>; 2] {
    let cell = |cell: Cell| Rect::around(cell.column(), cell.column());
    match difference {
        GroundDifference::Floor { cell: at, .. } => [Some(cell(*at)), None],
        GroundDifference::Floors(_) | GroundDifference::Solid(_) => {
            let mut bounds = Rect::EMPTY;
            difference.for_each_floor(|cell, _, _| bounds = bounds.including(cell.column()));
            [Some(bounds).filter(|bounds| !bounds.is_empty()), None]
        }
        GroundDifference::Wall { wall, .. } => [Some(inflated(cell(wall.cell), 1)), None],
        GroundDifference::NavLink(nav_link) => {
            let ends = nav_link.before.or(nav_link.after);
            [ends.map(|it| cell(it.from)), ends.map(|it| cell(it.to))]
        }
        GroundDifference::CostModifier(modifier) => [&modifier.before, &modifier.after]
            .map(|modifier| modifier.as_ref().map(|it| it.shape.bounds())),
    }
}

/// The sum of the cheapest steps along a path.
fn path_cost(nav_graph: NavGraph<'_>, nodes: &[NodeId], buffer: &mut SuccessorBuffer) -> Cost {
    let steps = nodes.windows(2).map(|pair| {
        let successors = nav_graph.successors(pair[0], buffer);
        let costs = successors.filter(|(to, _)| *to == pair[1]);
        costs.map(|(_, cost)| cost).min().unwrap_or(Cost::ZERO)
    });
    steps.sum()
}

#[cfg(test)]
mod tests;
