//! A query over block tables: ends, sweep, and the frame cell where they meet at least cost.

use wayfarer_base::SearchStats;
use wayfarer_world::ground::NodeId;

use super::super::lower_bound::LowerBound;
use super::super::nav_graph::NavGraph;
use super::ahead::Credit;
use super::ends::{End, are_near};
use super::flood::FloodDirection;
use super::min_plus::{INFINITE, least_sum};
use super::store::{LevelId, Store, Unsuitable};
use super::sweep::{Scope, Sweep};
use crate::kernel::WorkLimit;

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
    stage: Stage,
    /// What the slices of the query may still use.
    credit: Credit,
    /// Work of building before the query.
    n_work_before: u64,
    /// Expansions of the whole query, at most.
    pub(super) max_expansions: u64,
    /// Only a path that costs less is found.
    upper_bound: i32,
    /// True if what is left of them does not suffice for the next block.
    pub(super) is_exhausted: bool,
}

/// What is searched for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Query {
    /// Start and goal.
    pub(super) ends: (NodeId, NodeId),
    /// Only a path that costs less counts.
    pub(super) upper_bound: i32,
    pub(super) max_expansions: u64,
}

/// How far a query is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The block of an end is to be flooded.
    Flood(Side),
    /// The tables of 16 carry its costs to the frame of its block of 32.
    Carry(Side),
    /// The costs of the start are to be given to the sweep.
    Seed,
    Sweep,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Start,
    Goal,
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
            stage: Stage::Sweep,
            credit: Credit::default(),
            n_work_before: 0,
            max_expansions: u64::MAX,
            upper_bound: INFINITE,
            is_exhausted: false,
        }
    }
}

impl BlockSearch {
    /// Starts a query.
    pub(super) fn begin(&mut self, nav_graph: NavGraph<'_>, store: &mut Store, query: &Query) {
        let (start, goal) = query.ends;
        self.stats = SearchStats::default();
        (self.max_expansions, self.is_exhausted) = (query.max_expansions, false);
        (self.credit, self.n_work_before) = (Credit::default(), store.n_work);
        store.begin_search();
        self.sweep.begin();
        self.start.set(nav_graph, start);
        self.goal.set(nav_graph, goal);
        self.level = if are_near(self.start.column, self.goal.column) {
            LevelId::Fine
        } else {
            LevelId::Coarse
        };
        self.upper_bound = query.upper_bound;
        (self.cost, self.is_direct) = (query.upper_bound, false);
        self.stage = Stage::Flood(Side::Start);
        if start == goal {
            (self.cost, self.is_direct, self.stage) = (0, true, Stage::Sweep);
        }
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

    /// Goes on with the query until no block can lead to a cheaper path.
    pub(super) fn advance(
        &mut self,
        nav_graph: NavGraph<'_>,
        store: &mut Store,
        lower_bound: &LowerBound,
        slice: WorkLimit,
    ) -> Result<Stop, Unsuitable> {
        self.credit.grant(slice);
        loop {
            let goes_on = match self.stage {
                Stage::Flood(side) => self.flood(nav_graph, store, side)?,
                Stage::Carry(side) => self.carry(nav_graph, store, side)?,
                Stage::Seed => self.seed(nav_graph, store, lower_bound)?,
                Stage::Sweep => break,
            };
            if !goes_on {
                return Ok(Stop::OutOfBudget);
            }
        }
        let scope = self.scope(nav_graph, lower_bound);
        while let Some((key, block)) = self.sweep.peek(store, self.level) {
            if key >= self.cost.cast_unsigned() {
                break;
            }
            let n_rows = store.block(self.level, block).n_marked();
            self.is_exhausted = self.stats.expansions.saturating_add(n_rows) > self.max_expansions;
            if self.is_exhausted || !self.visit(store, &scope, block, n_rows)? {
                return Ok(Stop::OutOfBudget);
            }
            if block == self.goal.block {
                self.meet(store);
            }
        }
        Ok(if self.cost < self.upper_bound {
            Stop::Found
        } else {
            Stop::Exhausted
        })
    }

    /// Expansions and the work of building for the query, or what its slices used.
    pub(super) fn work(&self, store: &Store) -> u64 {
        let built = store.n_work - self.n_work_before;
        let used = self.credit.used();
        used.unwrap_or(self.stats.expansions.saturating_add(built))
    }

    /// What the slices so far leave, for the next query.
    pub(super) fn take_rest(&mut self) -> WorkLimit {
        self.credit.take_rest()
    }

    /// Sweeps a block whole, of which `n_rows` are marked, once the credit holds that and what is to
    /// be built for it; false if it does not.
    fn visit(
        &mut self,
        store: &mut Store,
        scope: &Scope<'_>,
        block: u32,
        n_rows: u64,
    ) -> Result<bool, Unsuitable> {
        let credit = &mut self.credit;
        if credit.builds_ahead()
            && !(store.prepare_table(scope.nav_graph, scope.level, block, credit)?
                && store.prepare_neighbors(scope, block, credit))
            || !credit.allows(n_rows)
        {
            return Ok(false);
        }
        let (rows_before, work_before) = (self.sweep.n_rows, store.n_work);
        self.sweep.visit(store, scope, block)?;
        let n_rows = self.sweep.n_rows - rows_before;
        credit.spend(n_rows);
        credit.spend_building(store.n_work - work_before);
        self.stats.expansions += n_rows;
        self.stats.pushes += n_rows;
        Ok(true)
    }

    /// Floods the block of an end; false if the credit does not hold that.
    fn flood(
        &mut self,
        nav_graph: NavGraph<'_>,
        store: &mut Store,
        side: Side,
    ) -> Result<bool, Unsuitable> {
        let end = match side {
            Side::Start => &mut self.start,
            Side::Goal => &mut self.goal,
        };
        let credit = &mut self.credit;
        if credit.builds_ahead() {
            for (level, at) in end.places(self.level) {
                let number = store.number_at(level, at);
                if !store.prepare_frame(nav_graph, level, number, credit)? {
                    return Ok(false);
                }
            }
        }
        let work_before = store.n_work;
        let n_cells = end.enter(nav_graph, store, self.level)?;
        if !credit.allows(n_cells) {
            return Ok(false);
        }
        if self.stats.expansions.saturating_add(n_cells) > self.max_expansions {
            return self.give_up();
        }
        let n = end.flood(nav_graph, store, &mut self.sweep, self.level)?;
        credit.spend(n);
        credit.spend_building(store.n_work - work_before);
        self.stats.expansions += n;
        self.stats.pushes += n;
        self.stage = Stage::Carry(side);
        Ok(true)
    }

    /// Ends a query whose budget does not hold its ends: out of budget if a path to another goal is
    /// known, else it is left to A\*. That follows from the ground and the request.
    fn give_up(&mut self) -> Result<bool, Unsuitable> {
        self.is_exhausted = self.upper_bound < INFINITE;
        if self.is_exhausted {
            Ok(false)
        } else {
            Err(Unsuitable)
        }
    }

    /// Carries the costs of an end to the frame of its block; false if the credit does not hold the
    /// next block.
    fn carry(
        &mut self,
        nav_graph: NavGraph<'_>,
        store: &mut Store,
        side: Side,
    ) -> Result<bool, Unsuitable> {
        let scope = match side {
            Side::Start => self.start.child_scope(nav_graph),
            Side::Goal => self.goal.child_scope(nav_graph),
        };
        while let Some((_, block)) = self.sweep.peek(store, scope.level) {
            let n_rows = store.block(scope.level, block).n_marked();
            if self.stats.expansions.saturating_add(n_rows) > self.max_expansions {
                return self.give_up();
            }
            if !self.visit(store, &scope, block, n_rows)? {
                return Ok(false);
            }
        }
        let level = self.level;
        self.stage = match side {
            Side::Start => {
                self.start.take_costs(store, level);
                Stage::Flood(Side::Goal)
            }
            Side::Goal => {
                self.goal.take_costs(store, level);
                Stage::Seed
            }
        };
        Ok(true)
    }

    /// Seeds the sweep with the costs of the start; false if the credit does not hold what is to be
    /// built for it.
    fn seed(
        &mut self,
        nav_graph: NavGraph<'_>,
        store: &mut Store,
        lower_bound: &LowerBound,
    ) -> Result<bool, Unsuitable> {
        let scope = self.scope(nav_graph, lower_bound);
        let credit = &mut self.credit;
        if credit.builds_ahead() && !store.prepare_neighbors(&scope, self.start.block, credit) {
            return Ok(false);
        }
        let is_same_block = self.start.fine_block == self.goal.fine_block;
        if is_same_block && !self.start.is_on_frame && !self.goal.is_on_frame {
            let direct = self.start.flood.costs[self.goal.cell];
            self.is_direct = direct < self.cost;
            self.cost = self.cost.min(direct);
        }
        let work_before = store.n_work;
        self.start.seed(store, &mut self.sweep, &scope)?;
        credit.spend_building(store.n_work - work_before);
        self.meet(store);
        self.stage = Stage::Sweep;
        Ok(true)
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
