//! The memory that searches over the ground reuse, and how a request is carried out with it.

use wayfarer_base::{
    Budget, Cell, ChangeLog, Cost, NoopObserver, Outcome, Rect, RequestError, SearchObserver,
    SearchStats, UnreachableProof,
};
use wayfarer_world::ground::{Ground, GroundChanges, GroundDifference, NodeId};

use super::astar::Astar;
use super::check::{check, goal_cells, n_sectors};
use super::hierarchical::HierarchicalScratch;
use super::jps::{JpsSearcher, Query};
use super::jps_cached::{CacheLimit, CachedJpsSearcher, HeuristicWeight};
use super::lower_bound::Sense;
use super::nav_graph::NavGraph;
use super::path::{GroundPath, Leg};
use super::repair::GapRepair;
use super::{GroundGoal, GroundRequest, Method, PartialPolicy};
use crate::kernel::StopReason;

mod partial;
mod previous;

use previous::Route;

/// Sectors of an area that are looked through before the search, for cells that can be reached.
const MAX_SECTORS: u64 = 1024;

/// Old paths whose memory is kept.
const MAX_SPARE: usize = 8;

/// What a thread needs to search grounds of any size, reused from query to query.
///
/// Takes up to 60 bytes for each place that the largest search of each kind came to, and 4 bytes
/// per cell of each page that searches cell by cell touched; besides, methods `Bounded` and `Optimal`
/// remember jump points of one ground, up to a [cap](Cap). Results never depend on what a
/// searcher was used for before.
#[derive(Clone, Debug, Default)]
pub struct PathSearcher {
    pub(super) astar: Astar,
    plain: JpsSearcher,
    pub(super) exact: CachedJpsSearcher,
    pub(super) far: HierarchicalScratch,
    engine: Engine,
    /// What searches before the one at hand took, for the same request.
    earlier: Used,
    /// From where to look through all that can be reached, if the search at hand comes to nothing
    /// and the nearest cell is asked for.
    survey: Option<NodeId>,
    pub(super) nodes: Vec<NodeId>,
    /// Memory of old paths, the largest last.
    spare_cells: Vec<Vec<Cell>>,
    spare_legs: Vec<Vec<Leg>>,
    phase: Phase,
    /// The former route, if it still leads to the goal, and its cells.
    previous: Option<Route>,
    previous_nodes: Vec<NodeId>,
    pub(super) gap_repair: GapRepair,
}

/// Who does the search at hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Engine {
    #[default]
    Astar,
    Plain,
    Exact,
}

/// What was used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Used {
    stats: SearchStats,
    bytes: u64,
}

impl Used {
    /// What was used since `before`.
    fn since(self, before: Self) -> Self {
        Self {
            stats: SearchStats {
                expansions: self.stats.expansions - before.stats.expansions,
                pushes: self.stats.pushes - before.stats.pushes,
            },
            bytes: self.bytes - before.bytes,
        }
    }

    /// What is left of a budget; where there is no limit, there is none.
    fn left_of(self, all: Budget) -> Budget {
        let left = |all: u64, used: u64| match all {
            u64::MAX => u64::MAX,
            all => all.saturating_sub(used),
        };
        Budget {
            expansions: left(all.expansions, self.stats.expansions),
            memory_bytes: left(all.memory_bytes, self.bytes),
        }
    }
}

/// What the search at hand looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Phase {
    /// The goal.
    #[default]
    Goal,
    /// The cell nearest to the goal, for this reason.
    Nearest(Unreachable),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unreachable {
    /// The goal cannot be stood on.
    Blocked,
    /// It lies in another component.
    Apart,
    /// Everything that can be reached was looked at.
    Exhausted,
}

impl PathSearcher {
    /// A searcher that remembers at most as much as `cap` says.
    pub fn with_cache_limit(cap: CacheLimit) -> Self {
        Self {
            exact: CachedJpsSearcher::with_cache_limit(cap),
            ..Self::default()
        }
    }

    /// Takes over what a batch of edits changed, so that all that was not touched stays
    /// remembered. Nobody need call this: what was remembered of another revision is forgotten
    /// by itself, and a `World` hands its changes on.
    pub fn apply_changes(&mut self, ground: &Ground, changes: &GroundChanges) {
        self.exact.apply_changes(ground, changes);
    }

    /// As [`PathSearcher::apply_changes`], with all that a log knows of `ground` since.
    pub fn sync(&mut self, ground: &Ground, log: &ChangeLog<GroundDifference>) {
        self.exact.sync(ground, log);
    }

    /// Repairs what is remembered after what was followed; else the next question does.
    pub fn flush_invalidations(&mut self, ground: &Ground) {
        self.exact.flush_invalidations(ground);
    }

    /// Bytes of what is remembered of the ground.
    pub fn cache_bytes(&self) -> usize {
        self.exact.cache_bytes()
    }

    /// The most bytes that may be remembered, for the ground last searched.
    pub fn cache_limit_bytes(&self) -> usize {
        self.exact.cache_limit_bytes()
    }

    /// Forgets what is remembered of the ground; keeps the room.
    pub fn clear_cache(&mut self) {
        self.exact.clear_cache();
    }

    /// Answers a request.
    ///
    /// The answer depends on the ground and the request alone, whatever the searcher did before.
    /// A goal in another component is answered without a search, and so is a former route that
    /// cannot be clearly beaten; one that still leads to the goal is also kept if the budget runs
    /// out. Else the best is then the way to the expanded cell whose rest can cost least. A way costlier than `Cost` can hold (2.9 million cells) is
    /// answered as out of budget.
    ///
    /// After some queries of the same size the scratch no longer allocates; the path does, unless
    /// an old one is handed back with [`PathSearcher::recycle`].
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    pub fn find(
        &mut self,
        ground: &Ground,
        request: &GroundRequest,
    ) -> Result<Outcome<GroundPath>, RequestError> {
        self.find_observed(ground, request, &mut NoopObserver)
    }

    /// Answers a request and tells `observer` what happens on the way; the answer is that of
    /// [`PathSearcher::find`].
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    pub fn find_observed(
        &mut self,
        ground: &Ground,
        request: &GroundRequest,
        observer: &mut impl SearchObserver,
    ) -> Result<Outcome<GroundPath>, RequestError> {
        let nav_graph = NavGraph::new(ground, request.profile_id)?;
        if let Some(early) = self.begin(nav_graph, request)? {
            return Ok(early);
        }
        let stop = self.advance(nav_graph, observer, self.budget_left(request));
        Ok(self.outcome(nav_graph, request, stop))
    }

    /// What the way to the goal costs, and nothing else; `None` if there is none, or none was
    /// found within the budget. Takes no memory once the scratch has grown.
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    pub fn distance(
        &mut self,
        ground: &Ground,
        request: &GroundRequest,
    ) -> Result<Option<Cost>, RequestError> {
        let nav_graph = NavGraph::new(ground, request.profile_id)?;
        let early = self.begin(nav_graph, request)?;
        if let Some(early) = early {
            let cost = match &early {
                Outcome::Found(path) => Some(path.cost),
                _ => None,
            };
            let path = early.best();
            path.into_iter().for_each(|path| self.recycle(path));
            return Ok(cost);
        }
        let stop = self.advance_engine(nav_graph, &mut NoopObserver, self.budget_left(request));
        let cost = match (stop, self.phase) {
            (StopReason::Goal(_), Phase::Goal) => self.read_off(nav_graph, stop),
            _ => None,
        };
        let kept = self.kept(request, stop, cost).map(|route| route.cost);
        Ok(kept.or(cost))
    }

    /// Takes an old path back, so that the next one can use its memory.
    pub fn recycle(&mut self, path: GroundPath) {
        keep_spare(&mut self.spare_cells, path.cells);
        keep_spare(&mut self.spare_legs, path.legs);
    }

    /// Memory for the next path, with room for so many cells if there is any.
    fn spare(&mut self, n_cells: usize) -> (Vec<Cell>, Vec<Leg>) {
        let spares = &mut self.spare_cells;
        let fits = spares.partition_point(|spare| spare.capacity() < n_cells);
        let cells = if fits < spares.len() {
            spares.remove(fits)
        } else {
            // New memory is cheaper than to make old memory larger, which copies what is in it. A
            // path that grows from question to question needs it seldom: there is room for more.
            spares.drain(..1.min(spares.len()));
            Vec::with_capacity(n_cells + n_cells / 8)
        };
        (cells, self.spare_legs.pop().unwrap_or_default())
    }

    /// A copy of an outcome, in the memory of old paths.
    pub(super) fn copy(&mut self, outcome: &Outcome<GroundPath>) -> Outcome<GroundPath> {
        let mut copy = |path: &GroundPath| {
            let (mut cells, mut legs) = self.spare(path.cells.len());
            cells.clone_from(&path.cells);
            legs.clone_from(&path.legs);
            GroundPath {
                cells,
                legs,
                ..*path
            }
        };
        match outcome {
            Outcome::Found(path) => Outcome::Found(copy(path)),
            Outcome::Partial { best, reason: why } => Outcome::Partial {
                best: copy(best),
                reason: *why,
            },
            Outcome::OutOfBudget { best, stats: spent } => Outcome::OutOfBudget {
                best: copy(best),
                stats: *spent,
            },
            Outcome::Unreachable { proof, nearest } => Outcome::Unreachable {
                proof: *proof,
                nearest: nearest.as_ref().map(copy),
            },
        }
    }

    /// What the last request used.
    pub fn stats(&self) -> SearchStats {
        self.used().stats
    }

    /// What the request at hand used so far.
    fn used(&self) -> Used {
        let (stats, bytes) = match self.engine {
            Engine::Astar => (self.astar.stats(), self.astar.grown_bytes()),
            Engine::Plain => (self.plain.stats(), self.plain.grown_bytes()),
            Engine::Exact => (self.exact.stats(), self.exact.grown_bytes()),
        };
        let mut all = self.earlier;
        all.stats += stats;
        all.bytes += bytes;
        all
    }

    /// Makes ready for pieces of a far way: nothing is left of the request before.
    pub(super) fn engine_for_far(&mut self) {
        self.astar.rest();
        self.astar.task.clear();
        self.engine = Engine::Exact;
        self.earlier = Used::default();
        self.survey = None;
        self.previous = None;
    }

    /// Begins a search; gives the outcome if none is needed.
    pub(super) fn begin(
        &mut self,
        nav_graph: NavGraph<'_>,
        request: &GroundRequest,
    ) -> Result<Option<Outcome<GroundPath>>, RequestError> {
        let start = check(nav_graph, request)?;
        self.clear(request);
        if let Some(no_path) = self.take_aim(nav_graph, request, start) {
            return self.begin_nearest(nav_graph, request, start, no_path);
        }
        self.previous = self.previous_route(nav_graph, request);
        if let Some(route) = self
            .previous
            .filter(|route| route.is_close_to(route.least, request))
        {
            return Ok(Some(self.keep_previous(nav_graph, request, route)));
        }
        if request.method == Method::Dijkstra {
            self.astar.task.aim.clear();
        }
        Ok(self.begin_at(nav_graph, request, start))
    }

    fn clear(&mut self, request: &GroundRequest) {
        self.astar.rest();
        self.astar.task.clear();
        self.engine = Engine::Astar;
        self.earlier = Used::default();
        self.survey = None;
        self.previous = None;
        self.phase = Phase::Goal;
        if request.has_overlay() {
            self.astar.task.overlay.set(request);
        }
    }

    /// Sets where a search for `request` may end, without beginning one; false if it is in vain.
    pub(super) fn prepare(
        &mut self,
        nav_graph: NavGraph<'_>,
        request: &GroundRequest,
    ) -> Result<bool, RequestError> {
        let start = check(nav_graph, request)?;
        self.clear(request);
        Ok(self.take_aim(nav_graph, request, start).is_none())
    }

    /// Sets where the search may end; says why that is in vain, if it is.
    fn take_aim(
        &mut self,
        nav_graph: NavGraph<'_>,
        request: &GroundRequest,
        start: NodeId,
    ) -> Option<Unreachable> {
        let task = &mut self.astar.task;
        let (shortcuts, keys) = (nav_graph.shortcuts(), nav_graph.profile().keys);
        let home = nav_graph.component(start);
        let mut any_stands = false;
        match &request.to {
            GroundGoal::Cell(_) | GroundGoal::AnyOf(_) => {
                for cell in goal_cells(&request.to) {
                    let Some(node) = nav_graph
                        .node(*cell)
                        .filter(|_| !task.overlay.avoids(*cell))
                    else {
                        continue;
                    };
                    any_stands = true;
                    if nav_graph.component(node) == home {
                        task.ends.push(node.index());
                    }
                }
                task.ends.sort_unstable();
                task.ends.dedup();
                if task.ends.is_empty() {
                    return Some(if any_stands {
                        Unreachable::Apart
                    } else {
                        Unreachable::Blocked
                    });
                }
                let columns = goal_cells(&request.to).iter().map(|cell| cell.column());
                task.aim.set_columns(columns, shortcuts, keys);
            }
            GroundGoal::Area(_) | GroundGoal::Within { .. } | GroundGoal::LineOfSightTo { .. } => {
                match &request.to {
                    GroundGoal::Area(area) => task.set_area(Some(area)),
                    round => task.set_area(round.area().as_ref()),
                }
                let Some(area) = &task.area else {
                    return Some(Unreachable::Blocked);
                };
                let bounds = area.shape.bounds();
                task.sight_of = request.to.sight_of();
                if n_sectors(bounds) <= MAX_SECTORS {
                    let mut any_reached = false;
                    nav_graph.for_standing_in(bounds, |node| {
                        if !any_reached && task.ends_at(nav_graph, node) {
                            any_stands = true;
                            any_reached = nav_graph.component(node) == home;
                        }
                    });
                    if !any_reached {
                        return Some(if any_stands {
                            Unreachable::Apart
                        } else {
                            Unreachable::Blocked
                        });
                    }
                }
                task.aim.set(bounds, shortcuts, keys, Sense::Towards);
            }
        }
        None
    }

    /// Begins at `start`; gives the outcome if there is no memory for that.
    fn begin_at(
        &mut self,
        nav_graph: NavGraph<'_>,
        request: &GroundRequest,
        start: NodeId,
    ) -> Option<Outcome<GroundPath>> {
        let task = &self.astar.task;
        let is_simple =
            nav_graph.profile_id().is_none() && task.overlay.is_empty() && task.ends.len() == 1;
        self.engine = match request.method {
            Method::Bounded | Method::Optimal if is_simple => Engine::Exact,
            Method::Jps if is_simple => Engine::Plain,
            _ => Engine::Astar,
        };
        let goal = NodeId::from_index(task.ends.first().copied().unwrap_or_default());
        self.astar.rest();
        let budget = self.earlier.left_of(request.budget);
        let query = Query {
            start,
            goal,
            budget,
        };
        // A search by leaps does not note what lies between.
        let asks_near = self.engine != Engine::Astar && request.partial != PartialPolicy::Never;
        self.survey = asks_near.then_some(start);
        let ground = nav_graph.ground();
        let has_begun = match self.engine {
            Engine::Astar => self.astar.begin(nav_graph, start, budget),
            Engine::Plain => self.plain.begin(ground, &query).is_none(),
            Engine::Exact => {
                let weight = match request.method {
                    Method::Bounded => HeuristicWeight::BOUNDED,
                    _ => HeuristicWeight::ONE,
                };
                self.exact.begin(ground, &query, weight).is_none()
            }
        };
        if has_begun {
            return None;
        }
        self.nodes.clear();
        self.nodes.push(start);
        Some(Outcome::OutOfBudget {
            best: self.assemble(nav_graph, Cost::ZERO, None),
            stats: self.earlier.stats,
        })
    }

    /// Goes on with the search that was begun, and if it comes to nothing with one through all that
    /// can be reached, if the nearest cell is asked for.
    pub(super) fn advance(
        &mut self,
        nav_graph: NavGraph<'_>,
        observer: &mut impl SearchObserver,
        budget: Budget,
    ) -> StopReason {
        let before = self.used();
        let stop = self.advance_engine(nav_graph, observer, budget);
        let Some(start) = self.survey.filter(|_| stop == StopReason::Exhausted) else {
            return stop;
        };
        self.earlier = self.used();
        self.begin_survey(nav_graph, start);
        let left = self.used().since(before).left_of(budget);
        self.advance_engine(nav_graph, observer, left)
    }

    fn advance_engine(
        &mut self,
        nav_graph: NavGraph<'_>,
        observer: &mut impl SearchObserver,
        budget: Budget,
    ) -> StopReason {
        match self.engine {
            Engine::Astar => self.astar.advance(nav_graph, observer, budget),
            Engine::Plain => self.plain.advance(nav_graph.ground(), observer, budget),
            Engine::Exact => self.exact.advance(nav_graph.ground(), observer, budget),
        }
    }

    /// What the request's budget still allows.
    pub(super) fn budget_left(&self, request: &GroundRequest) -> Budget {
        self.used().left_of(request.budget)
    }

    /// The answer to a request whose search has stopped for good.
    pub(super) fn outcome(
        &mut self,
        nav_graph: NavGraph<'_>,
        request: &GroundRequest,
        stop: StopReason,
    ) -> Outcome<GroundPath> {
        let cost = self.read_off(nav_graph, stop);
        if let Some(route) = self.kept(request, stop, cost) {
            return self.keep_previous(nav_graph, request, route);
        }
        let cost = cost.unwrap_or(Cost::ZERO);
        match (stop, self.phase) {
            (StopReason::Goal(_), Phase::Goal) => {
                let aim = Some(request.to.bounds());
                let mut path = self.assemble(nav_graph, cost, aim);
                path.cost_lower_bound = self.at_least(cost);
                Outcome::Found(path)
            }
            (StopReason::Goal(_), Phase::Nearest(no_path)) => {
                let at_least = self.at_least(cost);
                self.short_of(nav_graph, cost, at_least, no_path)
            }
            (StopReason::Exhausted, phase) => {
                let no_path = match phase {
                    Phase::Goal => Unreachable::Exhausted,
                    Phase::Nearest(no_path) => no_path,
                };
                if request.partial == PartialPolicy::Never {
                    return Outcome::Unreachable {
                        proof: UnreachableProof::SearchExhausted,
                        nearest: None,
                    };
                }
                let number = self.nearest_reached(nav_graph, request);
                let cost = Cost::from_units(self.astar.arena.record(number).cost);
                self.astar.path_to(number, &mut self.nodes);
                self.short_of(nav_graph, cost, cost, no_path)
            }
            (StopReason::OutOfBudget | StopReason::TooFar, _) => {
                let mut cost = cost;
                let task = &self.astar.task;
                if self.phase != Phase::Goal && task.ends.is_empty() {
                    // Without an end to go to, the nearest so far is the best.
                    let number = self.nearest_reached(nav_graph, request);
                    self.astar.path_to(number, &mut self.nodes);
                    cost = Cost::from_units(self.astar.arena.record(number).cost);
                }
                let mut best = self.assemble(nav_graph, cost, None);
                best.cost_lower_bound = Cost::ZERO;
                let stats = self.stats();
                Outcome::OutOfBudget { best, stats }
            }
        }
    }

    /// Writes the way that the search found to `nodes`, the best so far if it is not whole, and
    /// gives its cost; `None` if everything was looked at.
    fn read_off(&mut self, nav_graph: NavGraph<'_>, stop: StopReason) -> Option<Cost> {
        let ground = nav_graph.ground();
        let outcome = match self.engine {
            Engine::Astar => None,
            Engine::Plain => Some(self.plain.outcome(ground, stop, &mut self.nodes)),
            Engine::Exact => Some(self.exact.outcome(ground, stop, &mut self.nodes)),
        };
        if let Some(outcome) = outcome {
            return match outcome {
                Outcome::Found(cost) | Outcome::OutOfBudget { best: cost, .. } => Some(cost),
                Outcome::Partial { .. } | Outcome::Unreachable { .. } => None,
            };
        }
        let number = match stop {
            StopReason::Goal(number) => number,
            StopReason::Exhausted => return None,
            StopReason::OutOfBudget | StopReason::TooFar => self.astar.nearest(),
        };
        self.astar.path_to(number, &mut self.nodes);
        Some(Cost::from_units(self.astar.arena.record(number).cost))
    }

    /// What a cheapest path costs at least, after one at `cost` was found.
    fn at_least(&self, cost: Cost) -> Cost {
        match self.engine {
            Engine::Exact => self.exact.at_least().unwrap_or(cost),
            Engine::Astar | Engine::Plain => cost,
        }
    }

    /// The path of the cells in `nodes`.
    pub(super) fn assemble(
        &mut self,
        nav_graph: NavGraph<'_>,
        cost: Cost,
        aim: Option<Rect>,
    ) -> GroundPath {
        let previous = self.spare(self.nodes.len());
        let aim = aim.unwrap_or_else(|| {
            let end = self.nodes.last().map(|node| nav_graph.cell(*node).column());
            end.map_or(Rect::EMPTY, |end| Rect::around(end, end))
        });
        let expansions = self.stats().expansions;
        let mut path =
            GroundPath::assemble(nav_graph, &self.nodes, cost, expansions, aim, previous);
        path.has_request_costs = !self.astar.task.overlay.is_empty();
        path.ends_at_line_of_sight = self.astar.task.sight_of.is_some();
        path
    }
}

/// Adds a list to those by rising room; if there are many, the smallest goes.
fn keep_spare<T>(spares: &mut Vec<Vec<T>>, list: Vec<T>) {
    let at = spares.partition_point(|spare| spare.capacity() < list.capacity());
    if spares.len() < MAX_SPARE {
        spares.insert(at, list);
    } else if at > 0 {
        spares[..at].rotate_left(1);
        spares[at - 1] = list;
    }
}
