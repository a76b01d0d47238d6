//! The scratch of searches on a flat grid, and the execution of a request with it.

use wayfarer_base::{
    Budget, Cell, Cost, Location, Outcome, RequestError, SearchObserver, SearchStats,
    UnreachableProof,
};
use wayfarer_world::dense::DenseGround;

use super::steps::{DenseSpace, offsets};
use super::{DenseMethod, DensePath, DenseQueue, DenseRequest};
use crate::kernel::{BucketQueue, OpenList, QuaternaryHeap, Search, StopReason};

/// The reusable scratch of one thread for dense grounds of any size.
///
/// Takes 8 bytes per cell of the largest ground searched, and a little for the open list. Results
/// never depend on a searcher's history.
#[derive(Clone, Debug, Default)]
pub struct DenseSearcher {
    search: Search,
    buckets: BucketQueue,
    heap: QuaternaryHeap,
    /// Memory of old paths, the larger first.
    spare: [Vec<Cell>; 2],
}

impl DenseSearcher {
    /// Takes back an old path, whose memory the next one reuses.
    pub fn recycle(&mut self, path: DensePath) {
        let [larger, smaller] = &mut self.spare;
        if path.cells.capacity() > smaller.capacity() {
            *smaller = path.cells;
        }
        if smaller.capacity() > larger.capacity() {
            std::mem::swap(larger, smaller);
        }
    }

    /// An empty list in the memory of an old path, if there is one.
    fn take_spare(&mut self) -> Vec<Cell> {
        let mut cells = std::mem::take(&mut self.spare[0]);
        self.spare.swap(0, 1);
        cells.clear();
        cells
    }

    /// Expansions and pushes of the last search.
    pub fn stats(&self) -> SearchStats {
        self.search.stats()
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.search.nodes().heap_bytes()
            + self.buckets.heap_bytes()
            + self.heap.heap_bytes()
            + self.spare.iter().map(Vec::capacity).sum::<usize>() * size_of::<Cell>()
    }

    /// Starts a search; returns the outcome if none is needed or memory does not suffice for one.
    pub(super) fn begin(
        &mut self,
        ground: &DenseGround,
        request: &DenseRequest,
    ) -> Result<Option<Outcome<DensePath>>, RequestError> {
        validate(ground, request)?;
        self.search.reset();
        if !ground.is_connected(request.start, request.goal) {
            return Ok(Some(unreachable()));
        }
        let start = ground.layout().index(request.start.x, request.start.y);
        let Self {
            search,
            buckets,
            heap,
            ..
        } = self;
        let budget = request.budget;
        let goal = request.goal;
        let has_started = match (request.method, request.queue) {
            (DenseMethod::AStar, DenseQueue::Buckets) => search.begin(
                &DenseSpace::<true>::new(ground, goal),
                buckets,
                start,
                budget,
            ),
            (DenseMethod::AStar, DenseQueue::Heap) => {
                search.begin(&DenseSpace::<true>::new(ground, goal), heap, start, budget)
            }
            (DenseMethod::Dijkstra, DenseQueue::Buckets) => search.begin(
                &DenseSpace::<false>::new(ground, goal),
                buckets,
                start,
                budget,
            ),
            (DenseMethod::Dijkstra, DenseQueue::Heap) => {
                search.begin(&DenseSpace::<false>::new(ground, goal), heap, start, budget)
            }
        };
        Ok((!has_started).then(|| self.out_of_memory(request)))
    }

    /// Advances the search started for `request`.
    pub(super) fn advance(
        &mut self,
        ground: &DenseGround,
        request: &DenseRequest,
        observer: &mut impl SearchObserver,
        budget: Budget,
    ) -> StopReason {
        let Self {
            search,
            buckets,
            heap,
            ..
        } = self;
        let goal = request.goal;
        match request.method {
            DenseMethod::AStar => {
                let space = DenseSpace::<true>::new(ground, goal);
                match request.queue {
                    DenseQueue::Buckets => search.advance(&space, buckets, observer, budget),
                    DenseQueue::Heap => search.advance(&space, heap, observer, budget),
                }
            }
            DenseMethod::Dijkstra => {
                let space = DenseSpace::<false>::new(ground, goal);
                match request.queue {
                    DenseQueue::Buckets => search.advance(&space, buckets, observer, budget),
                    DenseQueue::Heap => search.advance(&space, heap, observer, budget),
                }
            }
        }
    }

    /// The result of a request whose search has stopped for good.
    pub(super) fn outcome(&mut self, ground: &DenseGround, stop: StopReason) -> Outcome<DensePath> {
        match stop {
            StopReason::Goal(node) => Outcome::Found(self.path_to(ground, node)),
            StopReason::Exhausted => Outcome::Unreachable {
                proof: UnreachableProof::SearchExhausted,
                nearest: None,
            },
            StopReason::TooFar => Outcome::BEYOND_COST_LIMIT,
            StopReason::OutOfBudget => Outcome::OutOfBudget {
                best: self.path_to(ground, self.search.nearest()),
                stats: self.search.stats(),
            },
        }
    }

    /// What the start of the search has left of the request's budget.
    pub(super) fn budget_left(&self, request: &DenseRequest) -> Budget {
        let (all, stats) = (request.budget, self.search.stats());
        Budget {
            expansions: all.expansions.saturating_sub(stats.expansions),
            memory_bytes: all.memory_bytes.saturating_sub(self.search.grown_bytes()),
        }
    }

    fn out_of_memory(&mut self, request: &DenseRequest) -> Outcome<DensePath> {
        let mut cells = self.take_spare();
        cells.push(request.start);
        Outcome::OutOfBudget {
            best: DensePath {
                cells,
                cost: Cost::ZERO,
                expansions: 0,
            },
            stats: SearchStats::default(),
        }
    }

    /// The path to `node`, which the search has generated.
    fn path_to(&mut self, ground: &DenseGround, node: u32) -> DensePath {
        let (layout, offsets) = (ground.layout(), offsets(ground.layout()));
        let mut cells = self.take_spare();
        let nodes = self.search.nodes();
        let parent = |node: u32| {
            let label = nodes.get(node)?.label;
            let offset = *offsets.get(usize::from(label))?;
            Some(node.wrapping_sub(offset))
        };
        let n_cells = std::iter::successors(Some(node), |node| parent(*node)).count();
        cells.reserve_exact(n_cells);
        let backwards = std::iter::successors(Some(node), |node| parent(*node));
        cells.extend(backwards.map(|node| layout.cell(node)));
        cells.reverse();
        let cost = nodes.get(node).map_or(0, |record| record.cost);
        DensePath {
            cells,
            cost: Cost::from_units(cost),
            expansions: self.search.stats().expansions,
        }
    }
}

fn unreachable() -> Outcome<DensePath> {
    Outcome::Unreachable {
        proof: UnreachableProof::DifferentComponents,
        nearest: None,
    }
}

/// An error if the request is invalid.
fn validate(ground: &DenseGround, request: &DenseRequest) -> Result<(), RequestError> {
    if let Some(reason) = ground.blocked_reason(request.start) {
        let at = Location::Cell(request.start);
        return Err(RequestError::StartBlocked { at, reason });
    }
    if let Some(reason) = ground.blocked_reason(request.goal) {
        let at = Location::Cell(request.goal);
        return Err(RequestError::GoalBlocked { at, reason });
    }
    if request.budget.expansions == 0 {
        return Err(RequestError::OutOfRange {
            what: "the budget in expansions",
            found: 0,
            expected: "at least 1",
        });
    }
    Ok(())
}
