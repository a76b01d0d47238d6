//! The memory that searches through the field reuse, and how a request is carried out with it.

use wayfarer_base::{
    Budget, Cost, Location, NoopObserver, Outcome, PartialReason, Point2, RequestError,
    SearchObserver, SearchStats, UnreachableProof,
};
use wayfarer_world::field::tree::{ObstacleQuadtree, QuadId, SplitCriterion};
use wayfarer_world::field::{DiscAgent, FreeScratch, ObstacleSet};

use super::corners::{CornerSearch, CornerStop};
use super::tree::{TreeSearch, TreeStop};
use super::{FieldMethod, FieldPath, FieldRequest, IfBlocked, distance, shorten};

/// Expansions among corners before a look from the goal's side.
const BEFORE_PROBE: u64 = 2_048;
/// Expansions of that look.
const PROBE: u64 = 512;
/// Expansions among corners before the tree is asked.
const MOST_CORNERS: u64 = 65_536;
/// Expansions between two looks at the memory.
const SLICE: u64 = 256;

/// What a thread needs to search fields of any size, reused from query to query.
///
/// Results never depend on what a searcher was used for before.
#[derive(Clone, Debug, Default)]
pub struct FieldSearcher {
    corners: CornerSearch,
    probe: CornerSearch,
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
    NoWay,
    /// The tree cannot grow any further.
    Full,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Finder {
    Corners,
    Probe,
    Tree { is_reversed: bool },
}

impl FieldSearcher {
    /// Answers a request.
    ///
    /// The answer depends on the field and the request alone. Without a path, that there is none
    /// is said only if the tree, cut down to the criterion's smallest space, knows of none either.
    /// Once the scratch has grown nothing is allocated if old paths are handed back with
    /// [`FieldSearcher::recycle`].
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    pub fn find(
        &mut self,
        field: &ObstacleSet,
        request: &FieldRequest,
    ) -> Result<Outcome<FieldPath>, RequestError> {
        self.find_observed(field, request, &mut NoopObserver)
    }

    /// Answers a request and tells `observer` what happens on the way; the answer is that of
    /// [`FieldSearcher::find`].
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    pub fn find_observed(
        &mut self,
        field: &ObstacleSet,
        request: &FieldRequest,
        observer: &mut impl SearchObserver,
    ) -> Result<Outcome<FieldPath>, RequestError> {
        self.begin(field, request)?;
        self.advance(field, request, request.budget, observer);
        Ok(self.outcome(field, request))
    }

    /// Takes an old path back, so that the next one can use its memory.
    pub fn recycle(&mut self, path: FieldPath) {
        if path.points.capacity() > self.spare.capacity() {
            self.spare = path.points;
        }
    }

    /// What the last search used.
    pub fn spent(&self) -> SearchStats {
        let mut spent = self.corners.spent;
        spent += self.probe.spent;
        spent += self.tree.spent;
        spent
    }

    /// The tree as the last search left it; empty if the search did not use it.
    pub const fn tree(&self) -> &ObstacleQuadtree {
        &self.tree.tree
    }

    /// How many corners the last search among them came to know, its two ends counted in: at most
    /// 8 for each entity that stops the agent, and 2.
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
        self.spent().expansions.is_multiple_of(SLICE) && grown > memory_bytes
    }

    /// Judges the request and gets ready.
    pub(super) fn begin(
        &mut self,
        field: &ObstacleSet,
        request: &FieldRequest,
    ) -> Result<(), RequestError> {
        request.check()?;
        let from = self.free_end(field, request, request.from, request.if_start_blocked);
        let from = from.map_err(|because| RequestError::StartBlocked {
            at: Location::Point(request.from),
            reason: because,
        })?;
        let to = self.free_end(field, request, request.to, request.if_goal_blocked);
        let to = to.map_err(|because| RequestError::GoalBlocked {
            at: Location::Point(request.to),
            reason: because,
        })?;
        self.corners.rest();
        self.probe.rest();
        self.tree.rest(field);
        self.bytes_before = self.heap_bytes() as u64;
        self.task = Some(Task {
            from,
            to,
            leaving: (from != request.from).then_some(request.from),
            is_short: to != request.to,
        });
        if request.method == FieldMethod::Tree || request.is_priced() {
            self.begin_tree(field, request, false);
        } else {
            self.phase = Phase::Corners;
            let weight = weight_of(field, request.agent);
            self.corners.begin(from, to, request.agent, weight);
        }
        Ok(())
    }

    fn free_end(
        &mut self,
        field: &ObstacleSet,
        request: &FieldRequest,
        at: Point2,
        if_blocked: IfBlocked,
    ) -> Result<Point2, &'static str> {
        if field.is_free(at, request.agent) {
            return Ok(at);
        }
        match if_blocked {
            IfBlocked::Refuse if field.is_inside(at) => Err("an entity is in the way"),
            IfBlocked::Refuse => Err("it lies outside the field"),
            IfBlocked::Nearest => field
                .nearest_free(at, request.agent, &mut self.free)
                .ok_or("nothing in the whole field is free"),
        }
    }

    fn begin_tree(&mut self, field: &ObstacleSet, request: &FieldRequest, is_reversed: bool) {
        let task = self.task.expect("set before any phase");
        let ends = if is_reversed {
            (task.to, task.from)
        } else {
            (task.from, task.to)
        };
        // Where corners failed nothing but a way that touches nothing will do.
        let is_asked = request.method == FieldMethod::Tree || request.is_priced();
        let criterion = SplitCriterion {
            occupancy: if is_asked {
                request.criterion.occupancy
            } else {
                0
            },
            ..request.criterion
        };
        self.phase = Phase::Tree { is_reversed };
        self.tree.begin(field, ends, request, criterion);
    }

    /// Goes on by at most `budget`; true once it is known how it ends.
    pub(super) fn advance(
        &mut self,
        field: &ObstacleSet,
        request: &FieldRequest,
        budget: Budget,
        observer: &mut impl SearchObserver,
    ) -> bool {
        let end = self.spent().expansions.saturating_add(budget.expansions);
        loop {
            if matches!(self.phase, Phase::Found(_) | Phase::NoWay | Phase::Full) {
                return true;
            }
            if self.is_over(budget.memory_bytes) {
                return false;
            }
            let spent = self.spent().expansions;
            let left = end.saturating_sub(spent).min(SLICE - spent % SLICE);
            if left == 0 {
                return false;
            }
            self.step(field, request, left, observer);
        }
    }

    /// One slice of whichever search is under way.
    fn step(
        &mut self,
        field: &ObstacleSet,
        request: &FieldRequest,
        slice: u64,
        observer: &mut impl SearchObserver,
    ) {
        let task = self.task.expect("set before any phase");
        match self.phase {
            Phase::Corners | Phase::More => {
                let limit = if self.phase == Phase::Corners {
                    BEFORE_PROBE
                } else {
                    MOST_CORNERS
                };
                let slice = slice.min(limit - self.corners.spent.expansions);
                match self.corners.advance(field, slice, observer) {
                    CornerStop::Reached => self.phase = Phase::Found(Finder::Corners),
                    CornerStop::Paused if self.corners.spent.expansions < limit => {}
                    CornerStop::Paused if self.phase == Phase::Corners => {
                        let weight = weight_of(field, request.agent);
                        self.probe.begin(task.to, task.from, request.agent, weight);
                        self.phase = Phase::Probe;
                    }
                    CornerStop::Dry | CornerStop::Paused => self.begin_tree(field, request, false),
                }
            }
            Phase::Probe => {
                let slice = slice.min(PROBE - self.probe.spent.expansions);
                match self.probe.advance(field, slice, observer) {
                    CornerStop::Reached => self.phase = Phase::Found(Finder::Probe),
                    CornerStop::Dry => self.begin_tree(field, request, true),
                    CornerStop::Paused if self.probe.spent.expansions < PROBE => {}
                    CornerStop::Paused => self.phase = Phase::More,
                }
            }
            Phase::Tree { is_reversed } => match self.tree.advance(field, slice, observer) {
                TreeStop::Reached => self.phase = Phase::Found(Finder::Tree { is_reversed }),
                TreeStop::Exhausted => self.phase = Phase::NoWay,
                TreeStop::Paused if self.tree.tree.is_full() => self.phase = Phase::Full,
                TreeStop::Paused => {}
            },
            Phase::Found(_) | Phase::NoWay | Phase::Full => {}
        }
    }

    /// What came of it; the best so far if it is not done.
    pub(super) fn outcome(
        &mut self,
        field: &ObstacleSet,
        request: &FieldRequest,
    ) -> Outcome<FieldPath> {
        let task = self.task.expect("set before any phase");
        let mut points = std::mem::take(&mut self.spare);
        let is_found = matches!(self.phase, Phase::Found(_));
        let mut method = FieldMethod::Corners;
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
                method = FieldMethod::Tree;
                self.tree.trace(field, request, true, &mut points);
                if is_reversed {
                    points.reverse();
                }
            }
            Phase::Tree { .. } | Phase::Full => {
                if request.method == FieldMethod::Tree || request.is_priced() {
                    method = FieldMethod::Tree;
                    self.tree.trace(field, request, false, &mut points);
                } else {
                    self.corners.trace(false, &mut points);
                }
            }
            Phase::NoWay => {
                self.spare = points;
                return Outcome::Unreachable {
                    proof: UnreachableProof::SearchExhausted,
                    nearest: None,
                };
            }
        }
        let path = self.finish(field, request, points, method, task);
        match (is_found, task.is_short) {
            (true, false) => Outcome::Found(path),
            (true, true) => Outcome::Partial {
                best: path,
                why: PartialReason::GoalBlocked,
            },
            (false, _) => Outcome::OutOfBudget {
                best: path,
                stats: self.spent(),
            },
        }
    }

    /// Pulls a way taut and makes it a path.
    fn finish(
        &self,
        field: &ObstacleSet,
        request: &FieldRequest,
        points: Vec<Point2>,
        method: FieldMethod,
        task: Task,
    ) -> FieldPath {
        let mut points = points;
        let before = length_of(&points);
        if request.is_priced() {
            shorten::drop_turns(&mut points, |from, to| request.is_plain(field, from, to));
        } else {
            shorten::pull(field, request.agent, &mut points);
        }
        let saved = before - length_of(&points);
        let n_leaving = usize::from(task.leaving.is_some());
        if let Some(start) = task.leaving {
            points.insert(0, start);
        }
        // Only what costs nothing besides its length was pulled taut.
        let cost = if request.is_priced() {
            let leaving = length_of(&points[..=n_leaving]);
            (self.tree.traced_cost - saved + leaving).max(length_of(&points))
        } else {
            length_of(&points)
        };
        FieldPath {
            points,
            cost,
            agent: request.agent,
            revision: field.revision(),
            expansions: self.spent().expansions,
            method,
            n_leaving,
        }
    }
}

fn length_of(points: &[Point2]) -> Cost {
    let legs = points.windows(2);
    legs.map(|leg| distance(leg[0], leg[1], 1.0)).sum()
}

/// How much the estimate of the rest counts among corners: more where it is crowded, so that not
/// every alley is tried. At a load of 0.28 ways are 0.3 % too long, at 0.5 0.6 %; less weight
/// takes twice as long and more lengthens ways.
fn weight_of(field: &ObstacleSet, agent: DiscAgent) -> f64 {
    let load = (f64::from(field.density_per_mille(agent)) / 1000.0).min(1.0);
    1.02 + 0.2 * load * load
}
