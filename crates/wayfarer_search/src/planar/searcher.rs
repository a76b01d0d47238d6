//! The memory that searches through the field reuse, and how a request is carried out with it.

use wayfarer_base::{
    Budget, Cost, Location, NoopObserver, Outcome, PartialReason, Point2, RequestError,
    SearchObserver, SearchStats, UnreachableProof,
};
use wayfarer_world::obstacles::quadtree::{ObstacleQuadtree, QuadId, SplitCriterion};
use wayfarer_world::obstacles::{DiscAgent, FreeScratch, ObstacleSet};

use super::quadtree::{TreeSearch, TreeStop};
use super::tangent_graph::{CornerStop, TangentSearch};
use super::{EndpointPolicy, PlanarMethod, PlanarPath, PlanarRequest, distance, string_pulling};

/// Expansions among corners before a look from the goal's side.
const BEFORE_PROBE: u64 = 2_048;
/// Expansions of that look.
const PROBE: u64 = 512;
/// Expansions among corners before the tree is asked.
const MAX_CORNERS: u64 = 65_536;
/// Expansions between two looks at the memory.
const SLICE: u64 = 256;

/// What a thread needs to search fields of any size, reused from query to query.
///
/// Results never depend on what a searcher was used for before.
#[derive(Clone, Debug, Default)]
pub struct PlanarSearcher {
    corners: TangentSearch,
    probe: TangentSearch,
    tree: TreeSearch,
    free: FreeScratch,
    spare: Vec<Point2>,
    phase: Phase,
    task: Option<Task>,
    bytes_before: u64,
}

/// What is being looked for.
#[derive(Clone, Copy, Debug)]
struct Task {
    /// The ends as they are used: free.
    from: Point2,
    to: Point2,
    /// The start as asked, if it was blocked.
    leaving: Option<Point2>,
    /// True if the goal was blocked and `to` is another.
    is_short: bool,
}

/// Which search is under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Phase {
    #[default]
    Corners,
    /// From the goal.
    Probe,
    /// Corners again, after the probe.
    More,
    Tree {
        /// True if it runs from goal to start.
        is_reversed: bool,
    },
    Found(Finder),
    Unreachable,
    /// The tree cannot grow any further.
    Full,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Finder {
    Corners,
    Probe,
    Tree { is_reversed: bool },
}

impl PlanarSearcher {
    /// Answers a request.
    ///
    /// The answer depends on the field and the request alone. Without a path, that there is none
    /// is said only if the tree, cut down to the criterion's smallest space, knows of none either.
    /// Once the scratch has grown nothing is allocated if old paths are handed back with
    /// [`PlanarSearcher::recycle`].
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    pub fn find(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
    ) -> Result<Outcome<PlanarPath>, RequestError> {
        self.find_observed(obstacles, request, &mut NoopObserver)
    }

    /// Answers a request and tells `observer` what happens on the way; the answer is that of
    /// [`PlanarSearcher::find`].
    ///
    /// # Errors
    /// What is wrong with the request, and where.
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

    /// Takes an old path back, so that the next one can use its memory.
    pub fn recycle(&mut self, path: PlanarPath) {
        if path.points.capacity() > self.spare.capacity() {
            self.spare = path.points;
        }
    }

    /// What the last search used.
    pub fn stats(&self) -> SearchStats {
        let mut stats = self.corners.stats;
        stats += self.probe.stats;
        stats += self.tree.stats;
        stats
    }

    /// The tree as the last search left it; empty if the search did not use it.
    pub const fn tree(&self) -> &ObstacleQuadtree {
        &self.tree.tree
    }

    /// How many corners the last search among them came to know, its two ends counted in: at most
    /// 8 for each obstacle that stops the agent, and 2.
    pub fn n_corners(&self) -> usize {
        self.corners.n_corners().max(self.probe.n_corners())
    }

    /// What it cost the last search from space to space to come to a space that it went through;
    /// none for the others.
    pub fn cost_to(&self, id: QuadId) -> Option<Cost> {
        self.tree.cost_to(id)
    }

    /// The corners that the last search came to, its start first, each with what that cost.
    pub fn corners(&self) -> impl Iterator<Item = (Point2, Cost)> {
        self.corners.reached()
    }

    /// Where the last search from space to space went, nearest to its goal first.
    pub(super) fn frontier(&self, most: usize) -> Vec<Point2> {
        self.tree.frontier(most)
    }

    /// Bytes on the heap, lists that are as long as a path left out.
    pub fn heap_bytes(&self) -> usize {
        self.corners.heap_bytes() + self.probe.heap_bytes() + self.tree.heap_bytes()
    }

    /// True if the scratch has grown by more than so many bytes since the search began. Looked at
    /// only after every so many expansions, so that however a search is sliced it ends the same.
    pub(super) fn is_over(&self, memory_bytes: u64) -> bool {
        let grown = (self.heap_bytes() as u64).saturating_sub(self.bytes_before);
        self.stats().expansions.is_multiple_of(SLICE) && grown > memory_bytes
    }

    /// Judges the request and gets ready.
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
        self.corners.rest();
        self.probe.rest();
        self.tree.rest(obstacles);
        self.bytes_before = self.heap_bytes() as u64;
        self.task = Some(Task {
            from,
            to,
            leaving: (from != request.from).then_some(request.from),
            is_short: to != request.to,
        });
        if request.method == PlanarMethod::Quadtree || request.is_weighted() {
            self.begin_tree(obstacles, request, false);
        } else {
            self.phase = Phase::Corners;
            let weight = weight_of(obstacles, request.agent);
            self.corners.begin(from, to, request.agent, weight);
        }
        Ok(())
    }

    fn free_end(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
        at: Point2,
        if_blocked: EndpointPolicy,
    ) -> Result<Point2, &'static str> {
        if obstacles.is_free(at, request.agent) {
            return Ok(at);
        }
        match if_blocked {
            EndpointPolicy::Reject if obstacles.is_inside(at) => Err("an entity is in the way"),
            EndpointPolicy::Reject => Err("it lies outside the field"),
            EndpointPolicy::NearestFree => obstacles
                .nearest_free(at, request.agent, &mut self.free)
                .ok_or("nothing in the whole field is free"),
        }
    }

    fn begin_tree(&mut self, obstacles: &ObstacleSet, request: &PlanarRequest, is_reversed: bool) {
        let task = self.task.expect("set before any phase");
        let ends = if is_reversed {
            (task.to, task.from)
        } else {
            (task.from, task.to)
        };
        // Where corners failed nothing but a way that touches nothing will do.
        let is_asked = request.method == PlanarMethod::Quadtree || request.is_weighted();
        let criterion = SplitCriterion {
            occupancy: if is_asked {
                request.criterion.occupancy
            } else {
                0
            },
            ..request.criterion
        };
        self.phase = Phase::Tree { is_reversed };
        self.tree.begin(obstacles, ends, request, criterion);
    }

    /// Goes on by at most `budget`; true once it is known how it ends.
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

    /// One slice of whichever search is under way.
    fn step(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
        slice: u64,
        observer: &mut impl SearchObserver,
    ) {
        let task = self.task.expect("set before any phase");
        match self.phase {
            Phase::Corners | Phase::More => {
                let limit = if self.phase == Phase::Corners {
                    BEFORE_PROBE
                } else {
                    MAX_CORNERS
                };
                let slice = slice.min(limit - self.corners.stats.expansions);
                match self.corners.advance(obstacles, slice, observer) {
                    CornerStop::Reached => self.phase = Phase::Found(Finder::Corners),
                    CornerStop::Paused if self.corners.stats.expansions < limit => {}
                    CornerStop::Paused if self.phase == Phase::Corners => {
                        let weight = weight_of(obstacles, request.agent);
                        self.probe.begin(task.to, task.from, request.agent, weight);
                        self.phase = Phase::Probe;
                    }
                    CornerStop::Dry | CornerStop::Paused => {
                        self.begin_tree(obstacles, request, false)
                    }
                }
            }
            Phase::Probe => {
                let slice = slice.min(PROBE - self.probe.stats.expansions);
                match self.probe.advance(obstacles, slice, observer) {
                    CornerStop::Reached => self.phase = Phase::Found(Finder::Probe),
                    CornerStop::Dry => self.begin_tree(obstacles, request, true),
                    CornerStop::Paused if self.probe.stats.expansions < PROBE => {}
                    CornerStop::Paused => self.phase = Phase::More,
                }
            }
            Phase::Tree { is_reversed } => match self.tree.advance(obstacles, slice, observer) {
                TreeStop::Reached => self.phase = Phase::Found(Finder::Tree { is_reversed }),
                TreeStop::Exhausted => self.phase = Phase::Unreachable,
                TreeStop::Paused if self.tree.tree.is_full() => self.phase = Phase::Full,
                TreeStop::Paused => {}
            },
            Phase::Found(_) | Phase::Unreachable | Phase::Full => {}
        }
    }

    /// What came of it; the best so far if it is not done.
    pub(super) fn outcome(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
    ) -> Outcome<PlanarPath> {
        let task = self.task.expect("set before any phase");
        let mut points = std::mem::take(&mut self.spare);
        let is_found = matches!(self.phase, Phase::Found(_));
        let mut method = PlanarMethod::TangentGraph;
        match self.phase {
            Phase::Found(Finder::Corners) | Phase::Corners | Phase::More => {
                self.corners.trace(is_found, &mut points);
            }
            Phase::Found(Finder::Probe) => {
                self.probe.trace(true, &mut points);
                points.reverse();
            }
            Phase::Probe => self.corners.trace(false, &mut points),
            Phase::Found(Finder::Tree { is_reversed }) => {
                method = PlanarMethod::Quadtree;
                self.tree.trace(obstacles, request, true, &mut points);
                if is_reversed {
                    points.reverse();
                }
            }
            Phase::Tree { .. } | Phase::Full => {
                if request.method == PlanarMethod::Quadtree || request.is_weighted() {
                    method = PlanarMethod::Quadtree;
                    self.tree.trace(obstacles, request, false, &mut points);
                } else {
                    self.corners.trace(false, &mut points);
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
        let path = self.finish(obstacles, request, points, method, task);
        match (is_found, task.is_short) {
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

    /// Pulls a way string-pulled and makes it a path.
    fn finish(
        &self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
        points: Vec<Point2>,
        method: PlanarMethod,
        task: Task,
    ) -> PlanarPath {
        let mut points = points;
        let before = polyline_length(&points);
        if request.is_weighted() {
            string_pulling::drop_turns(&mut points, |from, to| {
                request.is_uniform(obstacles, from, to)
            });
        } else {
            string_pulling::pull(obstacles, request.agent, &mut points);
        }
        let saved = before - polyline_length(&points);
        let n_leaving = usize::from(task.leaving.is_some());
        if let Some(start) = task.leaving {
            points.insert(0, start);
        }
        // Only what costs nothing besides its length was pulled string-pulled.
        let cost = if request.is_weighted() {
            let leaving = polyline_length(&points[..=n_leaving]);
            (self.tree.traced_cost - saved + leaving).max(polyline_length(&points))
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
            n_leaving,
        }
    }
}

fn polyline_length(points: &[Point2]) -> Cost {
    let legs = points.windows(2);
    legs.map(|leg| distance(leg[0], leg[1], 1.0)).sum()
}

/// How much the estimate of the rest counts among corners: more where it is crowded, so that not
/// every alley is tried. At a load of 0.28 paths are 0.3 % too long, at 0.5 0.6 %; less weight
/// takes twice as long and more lengthens paths.
fn weight_of(obstacles: &ObstacleSet, agent: DiscAgent) -> f64 {
    let load = (f64::from(obstacles.density_per_mille(agent)) / 1000.0).min(1.0);
    1.02 + 0.2 * load * load
}
