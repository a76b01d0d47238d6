//! Refinement of a request segment by segment, at once or over many frames.

use wayfarer_base::{
    Budget, Cell, Cost, Location, Outcome, Progress, RequestError, Revision, SearchStats,
    UnreachableProof,
};

use super::abstract_graph::AbstractGraph;
use super::leg::{LegResult, LegSearch, LegTarget};
use super::path::{RefinedPath, RefinementStats};
use super::refinement::{Corridor, RefinementParams, Smoothing};
use super::regions::RegionSearch;
use super::smooth::Smoother;

/// A request for a refined path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RefinementRequest<R = ()> {
    /// The start.
    pub start: Cell,
    /// The goal.
    pub goal: Cell,
    /// The parameters of refinement.
    pub params: RefinementParams,
    /// The region of the start, if the caller knows it, which saves a flood fill; ignored if it is
    /// of another sector.
    pub start_region: Option<R>,
}

impl<R> RefinementRequest<R> {
    /// A request without a known region.
    pub const fn new(start: Cell, goal: Cell, params: RefinementParams) -> Self {
        Self {
            start,
            goal,
            params,
            start_region: None,
        }
    }
}

/// Reusable scratch for refinement. Once warm, [`Refiner::find`] does not allocate if paths are
/// returned by [`Refiner::recycle`].
#[derive(Clone, Debug)]
pub struct Refiner<R> {
    regions: RegionSearch<R>,
    leg: LegSearch,
    corridor: Vec<u32>,
    smoother: Smoother,
    spare: Spare<R>,
    spare_path: RefinedPath,
}

/// The memory of a finished session.
#[derive(Clone, Debug)]
struct Spare<R> {
    path: Vec<R>,
    steps: Vec<(u32, u32)>,
    segments: Vec<usize>,
}

impl<R> Default for Refiner<R> {
    fn default() -> Self {
        Self {
            regions: RegionSearch::default(),
            leg: LegSearch::default(),
            corridor: Vec::new(),
            smoother: Smoother::default(),
            spare: Spare {
                path: Vec::new(),
                steps: Vec::new(),
                segments: Vec::new(),
            },
            spare_path: RefinedPath::default(),
        }
    }
}

/// A query between slices: the abstract path and what is refined of it.
#[derive(Clone, Debug)]
pub struct RefinementSession<R> {
    request: RefinementRequest<R>,
    started_at: Revision,
    identity: u64,
    start: u32,
    goal: u32,
    /// Regions from start to goal; empty without an abstract path.
    abstract_path: Vec<R>,
    /// Refined edges of the abstract path.
    n_refined: usize,
    steps: Vec<(u32, u32)>,
    segments: Vec<usize>,
    stats: RefinementStats,
    /// Most regions and cells to expand.
    max_expansions: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Refining,
    Complete,
    Unreachable(UnreachableProof),
    OutOfBudget,
}

impl<R: Copy + Eq + std::fmt::Debug> Refiner<R> {
    /// Finds the abstract path; [`Refiner::advance`] refines its segments.
    ///
    /// # Errors
    /// If the start or the goal is not walkable.
    pub fn begin<P: AbstractGraph<Region = R>>(
        &mut self,
        graph: &P,
        request: &RefinementRequest<R>,
    ) -> Result<RefinementSession<R>, RequestError> {
        self.begin_within(graph, request, u64::MAX)
    }

    fn begin_within<P: AbstractGraph<Region = R>>(
        &mut self,
        graph: &P,
        request: &RefinementRequest<R>,
        max_expansions: u64,
    ) -> Result<RefinementSession<R>, RequestError> {
        let at = |cell| Location::Cell(cell);
        let start = graph.number(request.start).map_err(|reason| {
            let at = at(request.start);
            RequestError::StartBlocked { at, reason }
        })?;
        let goal = graph.number(request.goal).map_err(|reason| {
            let at = at(request.goal);
            RequestError::GoalBlocked { at, reason }
        })?;
        let mut path = std::mem::take(&mut self.spare.path);
        let mut steps = std::mem::take(&mut self.spare.steps);
        let mut segments = std::mem::take(&mut self.spare.segments);
        path.clear();
        steps.clear();
        segments.clear();
        let mut session = RefinementSession {
            request: *request,
            started_at: graph.revision(),
            identity: graph.identity(),
            start,
            goal,
            abstract_path: path,
            n_refined: 0,
            steps,
            segments,
            stats: RefinementStats::default(),
            max_expansions,
            state: State::Refining,
        };
        if !graph.may_reach(start, goal) {
            session.state = State::Unreachable(UnreachableProof::DifferentComponents);
            return Ok(session);
        }
        let known = request.start_region;
        let known = known.filter(|region| graph.sector_of(*region) == graph.sector(start));
        let from = known.or_else(|| graph.region(start));
        if let (Some(from), Some(to)) = (from, graph.region(goal))
            && self
                .regions
                .find(
                    graph,
                    from,
                    to,
                    &mut session.abstract_path,
                    (&mut session.stats.regions, max_expansions),
                )
                .is_none()
        {
            session.abstract_path.clear();
            if session.stats.regions >= max_expansions {
                session.state = State::OutOfBudget;
            }
        }
        Ok(session)
    }

    /// Refines segments until `budget.expansions` are used; at least one, so that every session
    /// ends.
    pub fn advance<P: AbstractGraph<Region = R>>(
        &mut self,
        graph: &P,
        session: &mut RefinementSession<R>,
        budget: Budget,
    ) -> Progress<RefinedPath> {
        if session.started_at != graph.revision() || session.identity != graph.identity() {
            return Progress::Stale {
                started_at: session.started_at,
                current: graph.revision(),
            };
        }
        let until = session.stats.cells.saturating_add(budget.expansions);
        while session.state == State::Refining {
            self.refine_segment(graph, session);
            if session.stats.cells >= until && session.state == State::Refining {
                return Progress::InProgress {
                    stats: SearchStats {
                        expansions: session.stats.expansions(),
                        pushes: 0,
                    },
                };
            }
        }
        Progress::Done(match session.state {
            State::Unreachable(proof) => Outcome::Unreachable {
                proof,
                nearest: None,
            },
            state => {
                let mut path = std::mem::take(&mut self.spare_path);
                session.write(graph, &mut path);
                let stats = SearchStats {
                    expansions: session.stats.expansions(),
                    pushes: 0,
                };
                match state {
                    State::OutOfBudget => Outcome::OutOfBudget { best: path, stats },
                    _ => Outcome::Found(path),
                }
            }
        })
    }

    /// Finds and refines the complete path.
    ///
    /// # Errors
    /// As [`Refiner::begin`].
    pub fn find<P: AbstractGraph<Region = R>>(
        &mut self,
        graph: &P,
        request: &RefinementRequest<R>,
    ) -> Result<Outcome<RefinedPath>, RequestError> {
        self.find_within(graph, request, u64::MAX)
    }

    /// [`Refiner::find`] that expands at most `max_expansions` regions and cells; the path is out of
    /// budget then, as far as it is refined.
    ///
    /// # Errors
    /// As [`Refiner::begin`].
    pub fn find_within<P: AbstractGraph<Region = R>>(
        &mut self,
        graph: &P,
        request: &RefinementRequest<R>,
        max_expansions: u64,
    ) -> Result<Outcome<RefinedPath>, RequestError> {
        let mut session = self.begin_within(graph, request, max_expansions)?;
        let progress = self.advance(graph, &mut session, Budget::UNLIMITED);
        self.spare = Spare {
            path: session.abstract_path,
            steps: session.steps,
            segments: session.segments,
        };
        match progress {
            Progress::Done(outcome) => Ok(outcome),
            // Not reached: the budget is unlimited and the graph does not change.
            Progress::InProgress { .. } | Progress::Stale { .. } => Ok(Outcome::Unreachable {
                proof: UnreachableProof::SearchExhausted,
                nearest: None,
            }),
        }
    }

    /// Takes the memory of a path for the next one.
    pub fn recycle(&mut self, path: RefinedPath) {
        if path.cells.capacity() >= self.spare_path.cells.capacity() {
            self.spare_path = path;
        }
    }

    fn refine_segment<P: AbstractGraph<Region = R>>(
        &mut self,
        graph: &P,
        session: &mut RefinementSession<R>,
    ) {
        let params = session.request.params;
        let n_edges = session.abstract_path.len().saturating_sub(1);
        // A path within one or two regions is a single segment.
        let next = if n_edges <= 1 {
            n_edges
        } else {
            session
                .n_refined
                .saturating_add(params.edges as usize)
                .min(n_edges)
        };
        let is_last = next == n_edges;
        let center = if is_last {
            None
        } else {
            graph.center(session.abstract_path[next])
        };
        let corridor = if n_edges <= 1 {
            Corridor::None
        } else {
            params.corridor
        };
        let has_corridor = self.fill_corridor(graph, session, next, corridor);
        let from = session.steps.last().map_or(session.start, |step| step.0);
        let first = session.steps.len();
        let before = session.stats.cells;
        let left = session.max_expansions.saturating_sub(session.stats.regions);
        let target = LegTarget {
            to: center.unwrap_or(session.goal),
            region: (params.allow_any_region_cell && !is_last).then(|| session.abstract_path[next]),
            corridor: has_corridor.then_some(self.corridor.as_slice()),
            max_expansions: left.saturating_sub(session.stats.cells),
            allow_line: !params.requires_search,
        };
        let (steps, expansions) = (&mut session.steps, &mut session.stats.cells);
        let mut result = self.leg.find(graph, from, target, steps, expansions);
        if result == LegResult::Unreachable && has_corridor {
            let target = LegTarget {
                corridor: None,
                max_expansions: left.saturating_sub(*expansions),
                ..target
            };
            result = self.leg.find(graph, from, target, steps, expansions);
        }
        let n_expanded = session.stats.cells - before;
        session.stats.max_segment = session.stats.max_segment.max(n_expanded);
        if result == LegResult::OutOfBudget {
            session.steps.truncate(first);
            session.state = State::OutOfBudget;
            return;
        }
        if result != LegResult::Found {
            if is_last {
                session.state = State::Unreachable(UnreachableProof::SearchExhausted);
            } else {
                // One-way ground: the center is unreachable from here; search for the goal itself.
                session.abstract_path.truncate(1);
                session.n_refined = 0;
            }
            return;
        }
        if !is_last {
            let n_kept = params.trim.n_kept(session.steps.len() - first);
            session.steps.truncate(first + n_kept);
        }
        session.segments.push(session.steps.len());
        session.n_refined = next;
        if is_last {
            session.state = State::Complete;
            if params.smoothing == Smoothing::Simple {
                self.smoother
                    .smooth(graph, session.start, &mut session.steps, &mut self.leg);
                session.segments.clear();
                session.segments.push(session.steps.len());
            }
        }
    }

    /// Collects the sectors of the next segment's corridor; false without a corridor.
    fn fill_corridor<P: AbstractGraph<Region = R>>(
        &mut self,
        graph: &P,
        session: &RefinementSession<R>,
        next: usize,
        corridor: Corridor,
    ) -> bool {
        if corridor == Corridor::None {
            return false;
        }
        self.corridor.clear();
        // Trimming may have left the path in the previous region.
        let from = session.n_refined.saturating_sub(1);
        for region in &session.abstract_path[from..=next] {
            self.corridor.push(graph.sector_of(*region));
            if corridor == Corridor::PathAndAround {
                graph.for_each_edge(*region, |to| self.corridor.push(graph.sector_of(to)));
            }
        }
        self.corridor.sort_unstable();
        self.corridor.dedup();
        true
    }
}

impl<R: Copy> RefinementSession<R> {
    /// The path as far as it is refined.
    pub fn path<P: AbstractGraph<Region = R>>(&self, graph: &P) -> RefinedPath {
        let mut path = RefinedPath::default();
        self.write(graph, &mut path);
        path
    }

    fn write<P: AbstractGraph<Region = R>>(&self, graph: &P, path: &mut RefinedPath) {
        path.cells.clear();
        path.cells.push(graph.cell(self.start));
        let steps = self.steps.iter();
        path.cells
            .extend(steps.map(|(number, _)| graph.cell(*number)));
        let costs = self.steps.iter().map(|(_, cost)| *cost);
        path.cost = Cost::from_units(costs.fold(0, u32::saturating_add));
        path.abstract_path.clear();
        let centers = self
            .abstract_path
            .iter()
            .filter_map(|region| graph.center(*region));
        path.abstract_path
            .extend(centers.map(|center| graph.cell(center)));
        path.segments.clear();
        path.segments.extend_from_slice(&self.segments);
        path.revision = self.started_at;
        path.stats = self.stats;
    }
}
