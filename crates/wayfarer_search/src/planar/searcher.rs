//! The planar searcher: reusable scratch, and the phases of a query.
//!
//! A tangent graph query runs up to 2,048 expansions from the start, then a probe of 512 from the
//! goal, which detects an enclosed goal early, then up to 65,536 from the start in all. If the
//! tangent graph is exhausted or over its limit, the quadtree decides: it finds a path or proves
//! that none exists at its resolution. Weighted queries use the quadtree only.

use wayfarer_base::{
    Budget, Cost, Location, NoopObserver, Outcome, PartialReason, Point2, RequestError,
    SearchObserver, SearchStats, UnreachableProof,
};
use wayfarer_world::obstacles::quadtree::{ObstacleQuadtree, QuadId, SplitCriterion};
use wayfarer_world::obstacles::{DiscAgent, FreeScratch, ObstacleSet};

use super::quadtree::{QuadtreeSearch, QuadtreeStop};
use super::tangent_graph::{TangentSearch, TangentStop};
use super::{EndpointPolicy, PlanarMethod, PlanarPath, PlanarRequest, distance, string_pulling};

/// Tangent graph expansions from the start before the probe.
const PROBE_AFTER: u64 = 2_048;
/// Tangent graph expansions of the probe from the goal.
const MAX_PROBE: u64 = 512;
/// Tangent graph expansions from the start before the quadtree takes over.
const MAX_TANGENT: u64 = 65_536;
/// Expansions between two checks of the memory budget.
const SLICE: u64 = 256;

/// Planar search with scratch that is reused from query to query; one per thread.
///
/// Results never depend on earlier queries.
#[derive(Clone, Debug, Default)]
pub struct PlanarSearcher {
    tangent: TangentSearch,
    probe: TangentSearch,
    quadtree: QuadtreeSearch,
    free_scratch: FreeScratch,
    spare: Vec<Point2>,
    phase: Phase,
    ends: Option<Ends>,
    bytes_before: u64,
}

/// The ends of the running query.
#[derive(Clone, Copy, Debug)]
struct Ends {
    /// Free points, after the end-point policies.
    from: Point2,
    to: Point2,
    /// The requested start, if it is blocked.
    blocked_start: Option<Point2>,
    /// True if the requested goal is blocked and `to` replaces it.
    is_goal_moved: bool,
}

/// The running search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Phase {
    #[default]
    Tangent,
    /// Tangent graph from the goal.
    Probe,
    /// Tangent graph from the start, after the probe.
    Resumed,
    Quadtree {
        /// True if it runs from goal to start.
        is_reversed: bool,
    },
    Found(FoundBy),
    Unreachable,
    /// The quadtree holds as many quads as it may.
    Full,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FoundBy {
    Tangent,
    Probe,
    Quadtree { is_reversed: bool },
}

impl PlanarSearcher {
    /// Finds a path; a function of obstacles and request alone.
    ///
    /// `Unreachable` means that the quadtree, split down to the criterion's smallest quad, holds
    /// no path either. No allocation once warm if paths are returned by
    /// [`PlanarSearcher::recycle`].
    ///
    /// # Errors
    /// A blocked end under [`EndpointPolicy::Reject`], no free point at all, or a radius or
    /// smallest quad out of range.
    pub fn find(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
    ) -> Result<Outcome<PlanarPath>, RequestError> {
        self.find_observed(obstacles, request, &mut NoopObserver)
    }

    /// As [`PlanarSearcher::find`], reporting search events to `observer`.
    ///
    /// # Errors
    /// As [`PlanarSearcher::find`].
    pub fn find_observed(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
        observer: &mut impl SearchObserver,
    ) -> Result<Outcome<PlanarPath>, RequestError> {
        self.begin(obstacles, request)?;
        self.advance(obstacles, request, request.budget, observer);
        Ok(self.outcome(obstacles, request))
    }

    /// Takes the memory of a path for the next one.
    pub fn recycle(&mut self, path: PlanarPath) {
        if path.points.capacity() > self.spare.capacity() {
            self.spare = path.points;
        }
    }

    /// Statistics of the last query.
    pub fn stats(&self) -> SearchStats {
        let mut stats = self.tangent.stats;
        stats += self.probe.stats;
        stats += self.quadtree.stats;
        stats
    }

    /// The quadtree as the last query left it; empty if the query did not use it.
    pub const fn quadtree(&self) -> &ObstacleQuadtree {
        &self.quadtree.tree
    }

    /// Vertices of the last tangent graph, both ends included: at most 8 per obstacle that blocks
    /// the agent, plus 2.
    pub fn n_vertices(&self) -> usize {
        self.tangent.n_vertices().max(self.probe.n_vertices())
    }

    /// The g of a quad that the last quadtree search expanded; none for the others.
    pub fn quad_cost(&self, id: QuadId) -> Option<Cost> {
        self.quadtree.cost_to(id)
    }

    /// The closed vertices of the last tangent graph with their g, the start first.
    pub fn closed_vertices(&self) -> impl Iterator<Item = (Point2, Cost)> {
        self.tangent.closed()
    }

    /// Entries of the quads that the last quadtree search expanded, lowest heuristic first.
    pub(super) fn frontier(&self, n_max: usize) -> Vec<Point2> {
        self.quadtree.frontier(n_max)
    }

    /// Bytes on the heap, lists as long as a path excluded.
    pub fn heap_bytes(&self) -> usize {
        self.tangent.heap_bytes() + self.probe.heap_bytes() + self.quadtree.heap_bytes()
    }

    /// True if the scratch grew by more than `memory_bytes` during the query. Checked at multiples
    /// of [`SLICE`] expansions only, so that slicing does not change the outcome.
    pub(super) fn is_over(&self, memory_bytes: u64) -> bool {
        let grown = (self.heap_bytes() as u64).saturating_sub(self.bytes_before);
        self.stats().expansions.is_multiple_of(SLICE) && grown > memory_bytes
    }

    /// Checks the request, resolves its ends and starts the first phase.
    pub(super) fn begin(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
    ) -> Result<(), RequestError> {
        request.check()?;
        let from = self.free_end(obstacles, request, request.from, request.start_policy);
        let from = from.map_err(|reason| RequestError::StartBlocked {
            at: Location::Point(request.from),
            reason,
        })?;
        let to = self.free_end(obstacles, request, request.to, request.goal_policy);
        let to = to.map_err(|reason| RequestError::GoalBlocked {
            at: Location::Point(request.to),
            reason,
        })?;
        self.tangent.reset();
        self.probe.reset();
        self.quadtree.reset(obstacles);
        self.bytes_before = self.heap_bytes() as u64;
        self.ends = Some(Ends {
            from,
            to,
            blocked_start: (from != request.from).then_some(request.from),
            is_goal_moved: to != request.to,
        });
        if request.requires_quadtree() {
            self.begin_quadtree(obstacles, request, false);
        } else {
            self.phase = Phase::Tangent;
            let weight = heuristic_weight(obstacles, request.agent);
            self.tangent.begin(from, to, request.agent, weight);
        }
        Ok(())
    }

    fn free_end(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
        at: Point2,
        policy: EndpointPolicy,
    ) -> Result<Point2, &'static str> {
        if obstacles.is_free(at, request.agent) {
            return Ok(at);
        }
        match policy {
            EndpointPolicy::Reject if obstacles.is_inside(at) => Err("an obstacle covers it"),
            EndpointPolicy::Reject => Err("it lies out of bounds"),
            EndpointPolicy::NearestFree => obstacles
                .nearest_free(at, request.agent, &mut self.free_scratch)
                .ok_or("no point within bounds is free"),
        }
    }

    fn begin_quadtree(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
        is_reversed: bool,
    ) {
        let ends = self.ends.expect("set before any phase");
        let from_to = if is_reversed {
            (ends.to, ends.from)
        } else {
            (ends.from, ends.to)
        };
        // As a fallback of the tangent graph the quadtree must not cross obstacles either.
        let criterion = SplitCriterion {
            occupancy: if request.requires_quadtree() {
                request.criterion.occupancy
            } else {
                0
            },
            ..request.criterion
        };
        self.phase = Phase::Quadtree { is_reversed };
        self.quadtree.begin(obstacles, from_to, request, criterion);
    }

    /// Runs within `budget`; true once the outcome is final.
    pub(super) fn advance(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
        budget: Budget,
        observer: &mut impl SearchObserver,
    ) -> bool {
        let end = self.stats().expansions.saturating_add(budget.expansions);
        loop {
            if matches!(
                self.phase,
                Phase::Found(_) | Phase::Unreachable | Phase::Full
            ) {
                return true;
            }
            if self.is_over(budget.memory_bytes) {
                return false;
            }
            let n_expansions = self.stats().expansions;
            let left = end
                .saturating_sub(n_expansions)
                .min(SLICE - n_expansions % SLICE);
            if left == 0 {
                return false;
            }
            self.step(obstacles, request, left, observer);
        }
    }

    /// Runs one slice of the current phase.
    fn step(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
        slice: u64,
        observer: &mut impl SearchObserver,
    ) {
        match self.phase {
            Phase::Tangent | Phase::Resumed => {
                let limit = if self.phase == Phase::Tangent {
                    PROBE_AFTER
                } else {
                    MAX_TANGENT
                };
                let slice = slice.min(limit - self.tangent.stats.expansions);
                match self.tangent.advance(obstacles, slice, observer) {
                    TangentStop::Reached => self.phase = Phase::Found(FoundBy::Tangent),
                    TangentStop::Paused if self.tangent.stats.expansions < limit => {}
                    TangentStop::Paused if self.phase == Phase::Tangent => {
                        let ends = self.ends.expect("set before any phase");
                        let weight = heuristic_weight(obstacles, request.agent);
                        self.probe.begin(ends.to, ends.from, request.agent, weight);
                        self.phase = Phase::Probe;
                    }
                    TangentStop::Exhausted | TangentStop::Paused => {
                        self.begin_quadtree(obstacles, request, false);
                    }
                }
            }
            Phase::Probe => {
                let slice = slice.min(MAX_PROBE - self.probe.stats.expansions);
                match self.probe.advance(obstacles, slice, observer) {
                    TangentStop::Reached => self.phase = Phase::Found(FoundBy::Probe),
                    TangentStop::Exhausted => self.begin_quadtree(obstacles, request, true),
                    TangentStop::Paused if self.probe.stats.expansions < MAX_PROBE => {}
                    TangentStop::Paused => self.phase = Phase::Resumed,
                }
            }
            Phase::Quadtree { is_reversed } => {
                match self.quadtree.advance(obstacles, slice, observer) {
                    QuadtreeStop::Reached => {
                        self.phase = Phase::Found(FoundBy::Quadtree { is_reversed });
                    }
                    QuadtreeStop::Exhausted => self.phase = Phase::Unreachable,
                    QuadtreeStop::Paused if self.quadtree.tree.is_full() => {
                        self.phase = Phase::Full;
                    }
                    QuadtreeStop::Paused => {}
                }
            }
            Phase::Found(_) | Phase::Unreachable | Phase::Full => {}
        }
    }

    /// The outcome; a path to the closest approach if the search is not done.
    pub(super) fn outcome(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
    ) -> Outcome<PlanarPath> {
        let ends = self.ends.expect("set before any phase");
        let mut points = std::mem::take(&mut self.spare);
        let is_found = matches!(self.phase, Phase::Found(_));
        let mut method = PlanarMethod::TangentGraph;
        match self.phase {
            Phase::Found(FoundBy::Tangent) | Phase::Tangent | Phase::Resumed => {
                self.tangent.trace(is_found, &mut points);
            }
            Phase::Found(FoundBy::Probe) => {
                self.probe.trace(true, &mut points);
                points.reverse();
            }
            Phase::Probe => self.tangent.trace(false, &mut points),
            Phase::Found(FoundBy::Quadtree { is_reversed }) => {
                method = PlanarMethod::Quadtree;
                self.quadtree.trace(obstacles, request, true, &mut points);
                if is_reversed {
                    points.reverse();
                }
            }
            Phase::Quadtree { .. } | Phase::Full => {
                if request.requires_quadtree() {
                    method = PlanarMethod::Quadtree;
                    self.quadtree.trace(obstacles, request, false, &mut points);
                } else {
                    self.tangent.trace(false, &mut points);
                }
            }
            Phase::Unreachable => {
                self.spare = points;
                return Outcome::Unreachable {
                    proof: UnreachableProof::SearchExhausted,
                    nearest: None,
                };
            }
        }
        let path = self.finish(obstacles, request, points, method, ends);
        match (is_found, ends.is_goal_moved) {
            (true, _) if path.cost.is_saturated() => Outcome::BEYOND_COST_LIMIT,
            (true, false) => Outcome::Found(path),
            (true, true) => Outcome::Partial {
                best: path,
                reason: PartialReason::GoalBlocked,
            },
            (false, _) => Outcome::OutOfBudget {
                best: path,
                stats: self.stats(),
            },
        }
    }

    /// String-pulls the points and makes them a path.
    fn finish(
        &self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
        points: Vec<Point2>,
        method: PlanarMethod,
        ends: Ends,
    ) -> PlanarPath {
        let mut points = points;
        let before = polyline_length(&points);
        if request.is_weighted() {
            string_pulling::shortcut(&mut points, |from, to| {
                request.is_uniform(obstacles, from, to)
            });
        } else {
            string_pulling::pull(obstacles, request.agent, &mut points);
        }
        let saved = before - polyline_length(&points);
        let n_leaving = usize::from(ends.blocked_start.is_some());
        if let Some(start) = ends.blocked_start {
            points.insert(0, start);
        }
        // Shortcuts run over uniform ground only, so the length saved is the cost saved.
        let cost = if request.is_weighted() {
            let leaving = polyline_length(&points[..=n_leaving]);
            (self.quadtree.traced_cost - saved + leaving).max(polyline_length(&points))
        } else {
            polyline_length(&points)
        };
        PlanarPath {
            points,
            cost,
            agent: request.agent,
            revision: obstacles.revision(),
            expansions: self.stats().expansions,
            method,
            n_exit_legs: n_leaving,
        }
    }
}

fn polyline_length(points: &[Point2]) -> Cost {
    let legs = points.windows(2);
    legs.map(|leg| distance(leg[0], leg[1], 1.0)).sum()
}

/// Heuristic weight of the tangent graph, 1.02 to 1.22, growing with the density of obstacles.
/// At a density of 0.28 paths are 0.3 % longer than the shortest, at 0.5 0.6 %; a lower weight
/// doubles the time, a higher one lengthens paths.
fn heuristic_weight(obstacles: &ObstacleSet, agent: DiscAgent) -> f64 {
    let density = (f64::from(obstacles.density_per_mille(agent)) / 1000.0).min(1.0);
    1.02 + 0.2 * density * density
}
