//! The searcher of method `jps`: reusable scratch, and begin, advance, outcome.

use wayfarer_base::{
    Budget, Cost, Location, Outcome, SearchEvent, SearchObserver, SearchStats, UnreachableProof,
};
use wayfarer_world::ground::{NodeId, ProfileGround, SuccessorBuffer};

use super::Query;
use super::expand::OpenListVisitor;
use super::heuristic::Heuristic;
use super::queue::{self, Queue};
use super::straight_scan::ALL_DIRECTIONS;
use super::trace;
use super::vertices::{NONE, Vertex, VertexLookup, Vertices};
use crate::kernel::StopReason;

/// Reusable scratch of one thread, for grounds of any size.
///
/// Takes about 60 bytes for each node that the largest search so far generated. Results never
/// depend on earlier searches.
#[derive(Clone, Debug)]
pub struct JpsSearcher {
    pub(super) vertices: Vertices,
    pub(super) open: Queue,
    pub(super) heuristic: Heuristic,
    pub(super) successors: SuccessorBuffer,
    pub(super) goal: JpsGoal,
    /// Lowest cost of the goal so far.
    pub(super) upper_bound: u32,
    /// True if a node was discarded because its f exceeds `Cost`.
    pub(super) has_overflowed: bool,
    pub(super) stats: SearchStats,
    /// True if the last expansion was interrupted by the memory budget.
    is_out_of_memory: bool,
    memory_left: u64,
    grown_bytes: u64,
    /// The expanded vertex with the lowest h, and that h; the first of equals.
    nearest: (u32, u32),
}

/// The goal of a search.
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
            open: Queue::default(),
            heuristic: Heuristic::default(),
            successors: SuccessorBuffer::default(),
            goal: JpsGoal {
                node: NodeId::from_index(0),
                x: 0,
                y: 0,
            },
            upper_bound: u32::MAX,
            has_overflowed: false,
            stats: SearchStats::default(),
            is_out_of_memory: false,
            memory_left: 0,
            grown_bytes: 0,
            nearest: (NONE, 0),
        }
    }
}

impl JpsSearcher {
    /// Begins a search and discards the last one. Returns the outcome if no search is needed, or
    /// if the memory budget is too small for one: then the best path is the start alone.
    ///
    /// The part of the memory budget it takes is [`JpsSearcher::grown_bytes`].
    pub fn begin<'g>(
        &mut self,
        ground: impl Into<ProfileGround<'g>>,
        query: &Query,
    ) -> Option<Outcome<Cost>> {
        let ground: ProfileGround<'_> = ground.into();
        self.vertices.clear();
        self.open.clear();
        self.stats = SearchStats::default();
        (self.upper_bound, self.has_overflowed, self.is_out_of_memory) = (u32::MAX, false, false);
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
        self.heuristic.prepare(ground, goal.column());
        let f = self.heuristic.h(start.x, start.y);
        // A saturated f: no path fits into `Cost`.
        self.has_overflowed = f == u32::MAX;
        self.memory_left = query.budget.memory_bytes;
        if !self.reserve_vertex() {
            return Some(Outcome::OutOfBudget {
                best: Cost::ZERO,
                stats: self.stats,
            });
        }
        let vertex = Vertex {
            node: query.start,
            x: start.x,
            y: start.y,
            g: 0,
            f,
            parent: NONE,
            directions: ALL_DIRECTIONS,
            is_step: false,
        };
        if let VertexLookup::New(slot) = self.vertices.find(query.start, 0) {
            let id = self.vertices.insert(slot, vertex);
            self.open.push(queue::pack(f, id));
            self.nearest = (id, f);
        }
        self.stats.pushes = 1;
        None
    }

    /// Searches until the goal is reached, the open list is empty, or `budget` is used up; it
    /// counts from this call on. After [`StopReason::OutOfBudget`] on the same ground, another
    /// call continues exactly as if the search had not stopped.
    pub fn advance<'g>(
        &mut self,
        ground: impl Into<ProfileGround<'g>>,
        observer: &mut impl SearchObserver,
        budget: Budget,
    ) -> StopReason {
        let ground: ProfileGround<'_> = ground.into();
        let is_layered = ground.layer_id() != 0;
        let until = self.stats.expansions.saturating_add(budget.expansions);
        self.memory_left = budget.memory_bytes;
        // An interrupted expansion is repeated as a whole: what it relaxed is not relaxed again.
        let mut is_retry = std::mem::take(&mut self.is_out_of_memory);
        loop {
            let Some(entry) = self.open.pop() else {
                return if self.has_overflowed {
                    StopReason::TooFar
                } else {
                    StopReason::Exhausted
                };
            };
            let (f, id) = queue::unpack(entry);
            let from = self.vertices.at(id);
            let (node, g) = (from.node, from.g);
            if from.f != f {
                continue; // Stale: a cheaper path was found since.
            }
            if node == self.goal.node {
                self.open.push(entry);
                if is_active(observer) {
                    observer.on_event(SearchEvent::Reached {
                        at: Location::Cell(ground.cell(node)),
                        cost: ground.scaled(Cost::from_units(g)),
                    });
                }
                return StopReason::Goal(node.index());
            }
            if self.stats.expansions >= until {
                self.open.push(entry);
                // Still to be repeated if nothing was expanded.
                self.is_out_of_memory = is_retry && budget.expansions == 0;
                return StopReason::OutOfBudget;
            }
            if is_active(observer) && !std::mem::take(&mut is_retry) {
                observer.on_event(SearchEvent::Expanded {
                    at: Location::Cell(ground.cell(node)),
                    cost: ground.scaled(Cost::from_units(g)),
                });
            }
            if is_layered {
                self.expand::<true>(ground, observer, id);
            } else {
                self.expand::<false>(ground, observer, id);
            }
            if self.is_out_of_memory {
                self.open.push(entry);
                return StopReason::OutOfBudget;
            }
            self.stats.expansions += 1;
            let h = f - g;
            if h < self.nearest.1 {
                self.nearest = (id, h);
            }
        }
    }

    #[inline]
    fn expand<const LAYERED: bool>(
        &mut self,
        ground: ProfileGround<'_>,
        observer: &mut impl SearchObserver,
        expanded: u32,
    ) {
        OpenListVisitor::<_, LAYERED> {
            ground,
            searcher: self,
            observer,
            expanded,
        }
        .expand();
    }

    /// The outcome of a search that ended, with its path in `cells`: the whole path, the path to
    /// the nearest node expanded, or nothing.
    pub fn outcome<'g>(
        &self,
        ground: impl Into<ProfileGround<'g>>,
        stop: StopReason,
        cells: &mut Vec<NodeId>,
    ) -> Outcome<Cost> {
        let ground: ProfileGround<'_> = ground.into();
        cells.clear();
        match stop {
            StopReason::Goal(_) => match self.vertices.id_of(self.goal.node) {
                Some(id) => Outcome::Found(self.write(ground, id, cells)),
                None => unreachable(UnreachableProof::SearchExhausted),
            },
            StopReason::Exhausted => unreachable(UnreachableProof::SearchExhausted),
            StopReason::TooFar => Outcome::BEYOND_COST_LIMIT,
            StopReason::OutOfBudget => Outcome::OutOfBudget {
                best: self.write(ground, self.nearest.0, cells),
                stats: self.stats,
            },
        }
    }

    fn write(&self, ground: ProfileGround<'_>, id: u32, cells: &mut Vec<NodeId>) -> Cost {
        trace::write_path(ground.ground(), &self.vertices, id, cells);
        Cost::from_units(self.vertices.at(id).g)
    }

    /// Statistics of the last search.
    pub fn stats(&self) -> SearchStats {
        self.stats
    }

    /// Bytes by which the scratch grew in the last search.
    pub fn grown_bytes(&self) -> u64 {
        self.grown_bytes
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.vertices.heap_bytes() + self.open.heap_bytes() + self.heuristic.heap_bytes()
    }

    /// True if no path over (x, y), reached at cost `g`, is below the upper bound.
    #[inline]
    pub(super) fn is_prunable(&self, x: i32, y: i32, g: u64) -> bool {
        self.upper_bound != u32::MAX
            && g + u64::from(self.heuristic.h(x, y)) >= u64::from(self.upper_bound)
    }

    /// Reserves room for one more vertex; false if the memory budget does not allow it.
    #[inline]
    pub(super) fn reserve_vertex(&mut self) -> bool {
        (self.vertices.has_room() && self.open.has_room()) || self.grow_scratch()
    }

    #[cold]
    fn grow_scratch(&mut self) -> bool {
        let mut growth = 0;
        if !self.vertices.has_room() {
            growth += self.vertices.growth();
        }
        if !self.open.has_room() {
            growth += self.open.growth();
        }
        if growth > self.memory_left {
            self.is_out_of_memory = true;
            return false;
        }
        self.memory_left -= growth;
        self.grown_bytes += growth;
        if !self.vertices.has_room() {
            self.vertices.grow();
        }
        if !self.open.has_room() {
            self.open.grow();
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

/// Whether `observer` receives events.
const fn is_active<O: SearchObserver>(_observer: &O) -> bool {
    O::ACTIVE
}
