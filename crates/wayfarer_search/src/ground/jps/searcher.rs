//! The memory that searches reuse, and the search itself: begin, go on, read off the way.

use wayfarer_base::{
    Budget, Cost, Location, Outcome, SearchEvent, SearchObserver, SearchStats, UnreachableProof,
};
use wayfarer_world::ground::{Ground, NodeId, SuccessorBuffer};

use super::Query;
use super::expand::Noting;
use super::heuristic::Heuristic;
use super::queue::{self, Queue};
use super::ray::EVERYWHERE;
use super::trace;
use super::vertices::{NONE, Vertex, VertexLookup, Vertices};
use crate::kernel::StopReason;

/// What a thread needs to search grounds of any size, reused from query to query.
///
/// Takes about 60 bytes for each place that the largest search so far came to. Results never
/// depend on what a searcher was used for before.
#[derive(Clone, Debug)]
pub struct JpsSearcher {
    pub(super) vertices: Vertices,
    pub(super) queue: Queue,
    pub(super) estimate: Heuristic,
    pub(super) steps: SuccessorBuffer,
    pub(super) goal: JpsGoal,
    /// The cheapest cost of the goal so far.
    pub(super) best: u32,
    /// True if something was left out because it cost more than `Cost` can hold.
    pub(super) too_far: bool,
    pub(super) stats: SearchStats,
    /// True if an expansion ended early for want of memory.
    starved: bool,
    memory_left: u64,
    grown_bytes: u64,
    /// The expanded place with the lowest estimate of the rest, and that; the first of equals.
    nearest: (u32, u32),
}

/// Where a search leads.
#[derive(Clone, Copy, Debug)]
pub(in crate::ground) struct JpsGoal {
    pub(super) node: NodeId,
    pub(super) x: i32,
    pub(super) y: i32,
}

impl Default for JpsSearcher {
    fn default() -> Self {
        Self {
            vertices: Vertices::default(),
            queue: Queue::default(),
            estimate: Heuristic::default(),
            steps: SuccessorBuffer::default(),
            goal: JpsGoal {
                node: NodeId::from_index(0),
                x: 0,
                y: 0,
            },
            best: u32::MAX,
            too_far: false,
            stats: SearchStats::default(),
            starved: false,
            memory_left: 0,
            grown_bytes: 0,
            nearest: (NONE, 0),
        }
    }
}

impl JpsSearcher {
    /// Forgets the last search and begins one; gives the outcome if none is needed, or if there
    /// is no memory for one: then the best so far is the start alone.
    ///
    /// What it takes of the budget's memory is in [`JpsSearcher::grown_bytes`].
    pub fn begin(&mut self, ground: &Ground, query: &Query) -> Option<Outcome<Cost>> {
        self.vertices.clear();
        self.queue.clear();
        self.stats = SearchStats::default();
        (self.best, self.too_far, self.starved) = (u32::MAX, false, false);
        self.grown_bytes = 0;
        self.nearest = (NONE, 0);
        if ground.component(query.start) != ground.component(query.goal) {
            return Some(unreachable(UnreachableProof::DifferentComponents));
        }
        let (start, goal) = (ground.cell(query.start), ground.cell(query.goal));
        self.goal = JpsGoal {
            node: query.goal,
            x: goal.x,
            y: goal.y,
        };
        self.estimate.prepare(ground, goal.column());
        let total = self.estimate.from(start.x, start.y);
        // Then there is nothing to be put on the open list.
        self.too_far = total == u32::MAX;
        self.memory_left = query.budget.memory_bytes;
        if !self.make_room() {
            return Some(Outcome::OutOfBudget {
                best: Cost::ZERO,
                stats: self.stats,
            });
        }
        let vertex = Vertex {
            node: query.start,
            x: start.x,
            y: start.y,
            cost: 0,
            total,
            parent: NONE,
            directions: EVERYWHERE,
            by_step: false,
        };
        if let VertexLookup::New(slot) = self.vertices.find(query.start, 0) {
            let number = self.vertices.enter(slot, vertex);
            self.queue.push(queue::entry(total, number));
            self.nearest = (number, total);
        }
        self.stats.pushes = 1;
        None
    }

    /// Goes on until the goal is reached, everything was looked at, or `budget` is used up; it
    /// counts from this call on. Called again after [`StopReason::OutOfBudget`] on the same ground, it
    /// goes on exactly as if it had not stopped.
    pub fn advance(
        &mut self,
        ground: &Ground,
        observer: &mut impl SearchObserver,
        budget: Budget,
    ) -> StopReason {
        let until = self.stats.expansions.saturating_add(budget.expansions);
        self.memory_left = budget.memory_bytes;
        loop {
            let Some(entry) = self.queue.pop() else {
                return if self.too_far {
                    StopReason::TooFar
                } else {
                    StopReason::Exhausted
                };
            };
            let (total, number) = queue::parts(entry);
            let from = self.vertices.at(number);
            let (node, cost) = (from.node, from.cost);
            if from.total != total {
                continue; // A cheaper way was found since.
            }
            if node == self.goal.node {
                self.queue.push(entry);
                if is_active(observer) {
                    observer.on_event(SearchEvent::Reached {
                        at: Location::Cell(ground.cell(node)),
                        cost: Cost::from_units(cost),
                    });
                }
                return StopReason::Goal(node.index());
            }
            if self.stats.expansions >= until {
                self.queue.push(entry);
                return StopReason::OutOfBudget;
            }
            // An expansion that ended early is run again as a whole: what it noted then changes
            // nothing now.
            let again = std::mem::take(&mut self.starved);
            if is_active(observer) && !again {
                observer.on_event(SearchEvent::Expanded {
                    at: Location::Cell(ground.cell(node)),
                    cost: Cost::from_units(cost),
                });
            }
            Noting {
                ground,
                searcher: self,
                observer,
                number,
            }
            .expand();
            if self.starved {
                self.queue.push(entry);
                return StopReason::OutOfBudget;
            }
            self.stats.expansions += 1;
            let rest = total - cost;
            if rest < self.nearest.1 {
                self.nearest = (number, rest);
            }
        }
    }

    /// The answer to a search that stopped for good, its way written to `cells`: the whole way,
    /// or the best so far, or nothing.
    pub fn outcome(
        &self,
        ground: &Ground,
        stop: StopReason,
        cells: &mut Vec<NodeId>,
    ) -> Outcome<Cost> {
        cells.clear();
        match stop {
            StopReason::Goal(_) => match self.vertices.number_of(self.goal.node) {
                Some(number) => Outcome::Found(self.write(ground, number, cells)),
                None => unreachable(UnreachableProof::SearchExhausted),
            },
            StopReason::Exhausted => unreachable(UnreachableProof::SearchExhausted),
            StopReason::OutOfBudget | StopReason::TooFar => Outcome::OutOfBudget {
                best: self.write(ground, self.nearest.0, cells),
                stats: self.stats,
            },
        }
    }

    fn write(&self, ground: &Ground, number: u32, cells: &mut Vec<NodeId>) -> Cost {
        trace::write(ground, &self.vertices, number, cells);
        Cost::from_units(self.vertices.at(number).cost)
    }

    /// What the last search used.
    pub fn stats(&self) -> SearchStats {
        self.stats
    }

    /// Bytes by which the scratch grew in the last search.
    pub fn grown_bytes(&self) -> u64 {
        self.grown_bytes
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.vertices.heap_bytes() + self.queue.heap_bytes() + self.estimate.heap_bytes()
    }

    /// True if no way over (x, y), reached at `cost`, is cheaper than what is known.
    #[inline]
    pub(super) fn is_hopeless(&self, x: i32, y: i32, cost: u64) -> bool {
        self.best != u32::MAX && cost + u64::from(self.estimate.from(x, y)) >= u64::from(self.best)
    }

    /// Makes room for one more place; false if the budget does not allow it.
    #[inline]
    pub(super) fn make_room(&mut self) -> bool {
        (self.vertices.has_room() && self.queue.has_room()) || self.make_room_slowly()
    }

    #[cold]
    fn make_room_slowly(&mut self) -> bool {
        let mut growth = 0;
        if !self.vertices.has_room() {
            growth += self.vertices.growth();
        }
        if !self.queue.has_room() {
            growth += self.queue.growth();
        }
        if growth > self.memory_left {
            self.starved = true;
            return false;
        }
        self.memory_left -= growth;
        self.grown_bytes += growth;
        if !self.vertices.has_room() {
            self.vertices.grow();
        }
        if !self.queue.has_room() {
            self.queue.grow();
        }
        true
    }
}

fn unreachable(proof: UnreachableProof) -> Outcome<Cost> {
    Outcome::Unreachable {
        proof,
        nearest: None,
    }
}

/// Whether events need to be made for `observer`.
const fn is_active<O: SearchObserver>(_observer: &O) -> bool {
    O::ACTIVE
}
