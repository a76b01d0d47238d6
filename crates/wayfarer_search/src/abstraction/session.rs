//! How a request is carried out, piece by piece, now or over many frames.

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

/// From where to where, and how to refine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RefinementRequest<R = ()> {
    /// Where the way begins.
    pub start: Cell,
    /// Where it ends.
    pub goal: Cell,
    /// How it is refined.
    pub refine: RefinementParams,
    /// The region of the start, if the unit knows it from before; one of another sector is ignored.
    pub start_region: Option<R>,
}

impl<R> RefinementRequest<R> {
    /// A request for which nothing is known beforehand.
    pub const fn new(start: Cell, goal: Cell, refine: RefinementParams) -> Self {
        Self {
            start,
            goal,
            refine,
            start_region: None,
        }
    }
}

/// Memory for planning and refining, reused from request to request. Once it has grown, and paths
/// are given back with [`Refiner::recycle`], [`Refiner::find`] allocates nothing.
#[derive(Clone, Debug)]
pub struct Refiner<R> {
    regions: RegionSearch<R>,
    leg: LegSearch,
    corridor: Vec<u32>,
    smoother: Smoother,
    spare: Spare<R>,
    spare_path: RefinedPath,
}

/// What a session that came to its end leaves to the next one.
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

/// A way in the making: the way over regions and what is refined of it. All that is carried over
/// from frame to frame.
#[derive(Clone, Debug)]
pub struct RefinementSession<R> {
    request: RefinementRequest<R>,
    began: Revision,
    start: u32,
    goal: u32,
    /// Regions from start to goal; empty if nothing was planned.
    abstract_path: Vec<R>,
    /// Edges of the way that are refined.
    done: usize,
    steps: Vec<(u32, u32)>,
    segments: Vec<usize>,
    work: RefinementStats,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Refining,
    Whole,
    Unreachable(UnreachableProof),
}

impl<R: Copy + Eq + std::fmt::Debug> Refiner<R> {
    /// Plans the way over regions; its pieces come with [`Refiner::advance`].
    ///
    /// # Errors
    /// One cannot stand on the start or the goal.
    pub fn begin<P: AbstractGraph<Region = R>>(
        &mut self,
        plan: &P,
        request: &RefinementRequest<R>,
    ) -> Result<RefinementSession<R>, RequestError> {
        let at = |cell| Location::Cell(cell);
        let start = plan.number(request.start).map_err(|reason| {
            let at = at(request.start);
            RequestError::StartBlocked { at, reason }
        })?;
        let goal = plan.number(request.goal).map_err(|reason| {
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
            began: plan.revision(),
            start,
            goal,
            abstract_path: path,
            done: 0,
            steps,
            segments,
            work: RefinementStats::default(),
            state: State::Refining,
        };
        if !plan.may_reach(start, goal) {
            session.state = State::Unreachable(UnreachableProof::DifferentComponents);
            return Ok(session);
        }
        let known = request.start_region;
        let known = known.filter(|region| plan.sector_of(*region) == plan.sector(start));
        let from = known.or_else(|| plan.region(start));
        if let (Some(from), Some(to)) = (from, plan.region(goal))
            && self
                .regions
                .find(
                    plan,
                    from,
                    to,
                    &mut session.abstract_path,
                    &mut session.work.regions,
                )
                .is_none()
        {
            session.abstract_path.clear();
        }
        Ok(session)
    }

    /// Refines one piece after the other until `budget.expansions` are used; at least one piece,
    /// so that a session always comes to its end.
    pub fn advance<P: AbstractGraph<Region = R>>(
        &mut self,
        plan: &P,
        session: &mut RefinementSession<R>,
        budget: Budget,
    ) -> Progress<RefinedPath> {
        if session.began != plan.revision() {
            return Progress::Stale {
                started_at: session.began,
                current: plan.revision(),
            };
        }
        let until = session.work.cells.saturating_add(budget.expansions);
        while session.state == State::Refining {
            self.refine_piece(plan, session);
            if session.work.cells >= until && session.state == State::Refining {
                return Progress::InProgress {
                    stats: SearchStats {
                        expansions: session.work.expansions(),
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
            _ => {
                let mut path = std::mem::take(&mut self.spare_path);
                session.write(plan, &mut path);
                Outcome::Found(path)
            }
        })
    }

    /// The whole way at once.
    ///
    /// # Errors
    /// As for [`Refiner::begin`].
    pub fn find<P: AbstractGraph<Region = R>>(
        &mut self,
        plan: &P,
        request: &RefinementRequest<R>,
    ) -> Result<Outcome<RefinedPath>, RequestError> {
        let mut session = self.begin(plan, request)?;
        let progress = self.advance(plan, &mut session, Budget::UNLIMITED);
        self.spare = Spare {
            path: session.abstract_path,
            steps: session.steps,
            segments: session.segments,
        };
        match progress {
            Progress::Done(outcome) => Ok(outcome),
            // An unlimited budget does not run out and the world stood still.
            Progress::InProgress { .. } | Progress::Stale { .. } => Ok(Outcome::Unreachable {
                proof: UnreachableProof::SearchExhausted,
                nearest: None,
            }),
        }
    }

    /// Takes an old path back, so that the next one can use its memory.
    pub fn recycle(&mut self, path: RefinedPath) {
        if path.cells.capacity() >= self.spare_path.cells.capacity() {
            self.spare_path = path;
        }
    }

    fn refine_piece<P: AbstractGraph<Region = R>>(
        &mut self,
        plan: &P,
        session: &mut RefinementSession<R>,
    ) {
        let refine = session.request.refine;
        let n_edges = session.abstract_path.len().saturating_sub(1);
        // A way inside one or two regions is not worth pieces.
        let next = if n_edges <= 1 {
            n_edges
        } else {
            session
                .done
                .saturating_add(refine.edges as usize)
                .min(n_edges)
        };
        let is_last = next == n_edges;
        let target = if is_last {
            None
        } else {
            plan.center(session.abstract_path[next])
        };
        let corridor = if n_edges <= 1 {
            Corridor::None
        } else {
            refine.corridor
        };
        let has_corridor = self.fill_corridor(plan, session, next, corridor);
        let from = session.steps.last().map_or(session.start, |step| step.0);
        let first = session.steps.len();
        let before = session.work.cells;
        let aim = LegTarget {
            to: target.unwrap_or(session.goal),
            region: (refine.allow_any_region_cell && !is_last).then(|| session.abstract_path[next]),
            corridor: has_corridor.then_some(self.corridor.as_slice()),
            most: u64::MAX,
            tries_line: !refine.always_searches,
        };
        let (steps, expansions) = (&mut session.steps, &mut session.work.cells);
        let mut found = self.leg.find(plan, from, aim, steps, expansions);
        if found != LegResult::Path && has_corridor {
            let aim = LegTarget {
                corridor: None,
                ..aim
            };
            found = self.leg.find(plan, from, aim, steps, expansions);
        }
        let piece = session.work.cells - before;
        session.work.max_segment = session.work.max_segment.max(piece);
        if found != LegResult::Path {
            if is_last {
                session.state = State::Unreachable(UnreachableProof::SearchExhausted);
            } else {
                // One-way ground: the center cannot be reached from here, the goal perhaps can.
                session.abstract_path.truncate(1);
                session.done = 0;
            }
            return;
        }
        if !is_last {
            let kept = refine.trim.kept(session.steps.len() - first);
            session.steps.truncate(first + kept);
        }
        session.segments.push(session.steps.len());
        session.done = next;
        if is_last {
            session.state = State::Whole;
            if refine.smoothing == Smoothing::Simple {
                self.smoother
                    .simple(plan, session.start, &mut session.steps, &mut self.leg);
                session.segments.clear();
                session.segments.push(session.steps.len());
            }
        }
    }

    /// Notes the sectors that the next piece may go to; false if anywhere.
    fn fill_corridor<P: AbstractGraph<Region = R>>(
        &mut self,
        plan: &P,
        session: &RefinementSession<R>,
        next: usize,
        corridor: Corridor,
    ) -> bool {
        if corridor == Corridor::None {
            return false;
        }
        self.corridor.clear();
        // What was trimmed may have left the piece in the region before.
        let from = session.done.saturating_sub(1);
        for region in &session.abstract_path[from..=next] {
            self.corridor.push(plan.sector_of(*region));
            if corridor == Corridor::PathAndAround {
                plan.for_edges(*region, |to| self.corridor.push(plan.sector_of(to)));
            }
        }
        self.corridor.sort_unstable();
        self.corridor.dedup();
        true
    }
}

impl<R: Copy> RefinementSession<R> {
    /// The revision it began at.
    pub fn began(&self) -> Revision {
        self.began
    }

    /// The regions from start to goal, for units that remember where they are; empty if start and
    /// goal lie so close that nothing was planned.
    pub fn abstract_path(&self) -> &[R] {
        &self.abstract_path
    }

    /// The way as far as it is refined, to set out on before the rest is.
    pub fn path<P: AbstractGraph<Region = R>>(&self, plan: &P) -> RefinedPath {
        let mut path = RefinedPath::default();
        self.write(plan, &mut path);
        path
    }

    fn write<P: AbstractGraph<Region = R>>(&self, plan: &P, path: &mut RefinedPath) {
        path.cells.clear();
        path.cells.push(plan.cell(self.start));
        let steps = self.steps.iter();
        path.cells
            .extend(steps.map(|(number, _)| plan.cell(*number)));
        let costs = self.steps.iter().map(|(_, cost)| *cost);
        path.cost = Cost::from_units(costs.fold(0, u32::saturating_add));
        path.abstract_path.clear();
        let centers = self
            .abstract_path
            .iter()
            .filter_map(|region| plan.center(*region));
        path.abstract_path
            .extend(centers.map(|center| plan.cell(center)));
        path.segments.clear();
        path.segments.extend_from_slice(&self.segments);
        path.revision = self.began;
        path.work = self.work;
    }
}
