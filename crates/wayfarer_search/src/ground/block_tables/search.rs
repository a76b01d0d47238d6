//! A query over block tables: ends, sweep, and the frame cell where they meet at least cost.

use wayfarer_base::{Budget, SearchStats};
use wayfarer_world::ground::NodeId;

use super::super::lower_bound::LowerBound;
use super::super::nav_graph::NavGraph;
use super::ends::{End, are_near};
use super::flood::FloodDirection;
use super::min_plus::{INFINITE, least_sum};
use super::store::{LevelId, Store, Unsuitable};
use super::sweep::{Scope, Sweep};

/// The state of a query.
#[derive(Clone, Debug)]
pub(super) struct BlockSearch {
    pub(super) level: LevelId,
    pub(super) start: End,
    pub(super) goal: End,
    pub(super) sweep: Sweep,
    /// The least cost known of a path, over a frame cell of the goal's block or direct.
    pub(super) cost: i32,
    pub(super) is_direct: bool,
    pub(super) stats: SearchStats,
    /// True until the first call of `advance`, whose budget covers the floods of the ends too.
    is_new: bool,
    /// Expansions of the whole query, at most.
    max_expansions: u64,
    /// True if what is left of them does not suffice for the next block.
    pub(super) is_exhausted: bool,
}

/// Why a search stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    Found,
    Exhausted,
    OutOfBudget,
}

impl Default for BlockSearch {
    fn default() -> Self {
        Self {
            level: LevelId::Fine,
            start: End::new(FloodDirection::From),
            goal: End::new(FloodDirection::To),
            sweep: Sweep::default(),
            cost: INFINITE,
            is_direct: false,
            stats: SearchStats::default(),
            is_new: false,
            max_expansions: u64::MAX,
            is_exhausted: false,
        }
    }
}

impl BlockSearch {
    /// Starts a query: finds the costs of both ends. A budget that could not hold that much work is
    /// left to A\*; that follows from the ground and the ends.
    pub(super) fn begin(
        &mut self,
        nav_graph: NavGraph<'_>,
        store: &mut Store,
        (start, goal): (NodeId, NodeId),
        lower_bound: &LowerBound,
        budget: u64,
    ) -> Result<(), Unsuitable> {
        self.stats = SearchStats::default();
        (self.max_expansions, self.is_exhausted) = (budget, false);
        store.begin_search();
        self.sweep.begin();
        let [from, to] = [start, goal].map(|node| nav_graph.cell(node).column());
        self.level = if are_near(from, to) {
            LevelId::Fine
        } else {
            LevelId::Coarse
        };
        (self.cost, self.is_direct) = (INFINITE, false);
        let sweep = &mut self.sweep;
        let mut n = 0;
        for (end, node) in [(&mut self.start, start), (&mut self.goal, goal)] {
            n += end.work_bound(nav_graph, store, node, self.level)?;
        }
        if n > budget {
            return Err(Unsuitable);
        }
        n = self.start.set(nav_graph, store, sweep, start, self.level)?;
        n += self.goal.set(nav_graph, store, sweep, goal, self.level)?;
        self.stats = SearchStats {
            expansions: n,
            pushes: n,
        };
        self.is_new = true;
        if start == goal {
            (self.cost, self.is_direct) = (0, true);
            return Ok(());
        }
        let is_same_block = self.start.fine_block == self.goal.fine_block;
        if is_same_block && !self.start.is_on_frame && !self.goal.is_on_frame {
            self.cost = self.start.flood.costs[self.goal.cell];
            self.is_direct = self.cost < INFINITE;
        }
        let scope = self.scope(nav_graph, lower_bound);
        self.start.seed(store, &mut self.sweep, &scope)?;
        self.meet(store);
        Ok(())
    }

    pub(super) fn scope<'a>(
        &self,
        nav_graph: NavGraph<'a>,
        lower_bound: &'a LowerBound,
    ) -> Scope<'a> {
        Scope {
            nav_graph,
            level: self.level,
            direction: FloodDirection::From,
            within: None,
            lower_bound: Some(lower_bound),
        }
    }

    /// Sweeps until no block can lead to a cheaper path.
    pub(super) fn advance(
        &mut self,
        nav_graph: NavGraph<'_>,
        store: &mut Store,
        lower_bound: &LowerBound,
        budget: Budget,
    ) -> Result<Stop, Unsuitable> {
        let scope = self.scope(nav_graph, lower_bound);
        let already = self.stats.expansions;
        let counted = match std::mem::take(&mut self.is_new) {
            true => 0,
            false => already,
        };
        let until = counted.saturating_add(budget.expansions);
        while let Some((key, block)) = self.sweep.peek(store, self.level) {
            if key >= self.cost.cast_unsigned() {
                break;
            }
            // A block is swept whole; the first of a slice in any case, so that slices of any size
            // end.
            let n_rows = store.block(self.level, block).n_marked();
            let is_first = self.stats.expansions == already && until > already;
            let n_expansions = self.stats.expansions.saturating_add(n_rows);
            self.is_exhausted = n_expansions > self.max_expansions;
            if self.is_exhausted || n_expansions > until && !is_first {
                return Ok(Stop::OutOfBudget);
            }
            let before = self.sweep.n_rows;
            self.sweep.visit(store, &scope, block)?;
            if block == self.goal.block {
                self.meet(store);
            }
            let n_rows = self.sweep.n_rows - before;
            self.stats.expansions += n_rows;
            self.stats.pushes += n_rows;
        }
        Ok(if self.cost < INFINITE {
            Stop::Found
        } else {
            Stop::Exhausted
        })
    }

    /// Lowers the cost of the path over the frame of the goal's block.
    fn meet(&mut self, store: &Store) {
        let block = store.block(self.level, self.goal.block);
        let cost = least_sum(&block.costs, &self.goal.costs);
        if cost < self.cost {
            (self.cost, self.is_direct) = (cost, false);
        }
    }

    /// The frame cell with the least lower bound among those reached; the first of equals.
    pub(super) fn nearest(
        &self,
        nav_graph: NavGraph<'_>,
        store: &Store,
        lower_bound: &LowerBound,
    ) -> Option<(u32, usize)> {
        let mut nearest = None;
        for (number, block) in (0_u32..).zip(&store.level(self.level).blocks) {
            if block.stamp != store.stamp {
                continue;
            }
            for (i, node) in block.frame.nodes.iter().enumerate() {
                if block.costs[i] < INFINITE {
                    let cell = nav_graph.cell(NodeId::from_index(*node));
                    let key = (lower_bound.at(cell.column()), cell);
                    if nearest.is_none_or(|(known, _)| key < known) {
                        nearest = Some((key, (number, i)));
                    }
                }
            }
        }
        nearest.map(|(_, at)| at)
    }
}
