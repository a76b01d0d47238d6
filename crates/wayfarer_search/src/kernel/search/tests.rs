//! Tests of the A\* loop on random directed graphs.

use super::*;
use crate::kernel::{BucketQueue, QuaternaryHeap};
use wayfarer_base::{Cell, Rng};

/// A directed graph with edge costs up to 40; its heuristic is 0.
struct RandomGraph {
    from: Vec<Vec<(u32, u32)>>,
    goal: u32,
}

impl RandomGraph {
    fn new(seed: u64, n_nodes: u32) -> Self {
        let mut rng = Rng::new(seed);
        let edges = |rng: &mut Rng| {
            let n_edges = rng.below(4);
            (0..n_edges)
                .map(|_| (rng.below(n_nodes), 1 + rng.below(40)))
                .collect()
        };
        Self {
            from: (0..n_nodes).map(|_| edges(&mut rng)).collect(),
            goal: n_nodes - 1,
        }
    }

    /// Costs from node 0 by Bellman-Ford.
    fn reference_costs(&self) -> Vec<Option<u32>> {
        let mut costs = vec![None; self.from.len()];
        costs[0] = Some(0);
        for _ in 0..self.from.len() {
            for (from, edges) in self.from.iter().enumerate() {
                for &(to, cost) in edges {
                    if let Some(here) = costs[from] {
                        let there = &mut costs[to as usize];
                        *there =
                            Some(there.map_or(here + cost, |known: u32| known.min(here + cost)));
                    }
                }
            }
        }
        costs
    }
}

impl SearchSpace for RandomGraph {
    const MAX_F_INCREASE: u32 = 40;
    const MAX_SUCCESSORS: usize = 4;

    fn n_nodes(&self) -> u32 {
        u32::try_from(self.from.len()).unwrap()
    }
    fn heuristic(&self, _node: u32) -> u32 {
        0
    }
    fn is_goal(&self, node: u32) -> bool {
        node == self.goal
    }
    fn for_each_successor(&self, node: u32, _arrived: u8, mut take: impl FnMut(u32, u8, u32)) {
        for (label, &(to, cost)) in (0..).zip(&self.from[node as usize]) {
            take(to, label, cost);
        }
    }
    fn location(&self, node: u32) -> Location {
        Location::Cell(Cell::flat(node.cast_signed(), 0))
    }
}

#[test]
fn a_search_over_any_graph_is_optimal_with_every_open_list() {
    fn check(
        search: &mut Search,
        open: &mut impl OpenList,
        graph: &RandomGraph,
        events: &mut Vec<SearchEvent>,
    ) {
        assert!(search.begin(graph, open, 0, Budget::UNLIMITED));
        let stop = search.advance(graph, open, events, Budget::UNLIMITED);
        let expected = graph.reference_costs()[graph.goal as usize];
        match expected {
            None => assert_eq!(stop, StopReason::Exhausted),
            Some(cost) => {
                assert_eq!(stop, StopReason::Goal(graph.goal));
                assert_eq!(search.nodes().get(graph.goal).map(|to| to.cost), Some(cost));
            }
        }
    }
    let (mut search, mut buckets, mut heap) = (
        Search::default(),
        BucketQueue::default(),
        QuaternaryHeap::default(),
    );
    for seed in 0..300 {
        let graph = RandomGraph::new(seed, 2 + u32::try_from(seed).unwrap() % 60);
        let (mut by_buckets, mut by_heap) = (Vec::new(), Vec::new());
        check(&mut search, &mut buckets, &graph, &mut by_buckets);
        let stats = search.stats();
        check(&mut search, &mut heap, &graph, &mut by_heap);
        assert_eq!(by_buckets, by_heap, "seed {seed}: the orders differ");
        assert_eq!(stats, search.stats());
    }
}

#[test]
fn events_report_every_push_and_every_expansion() {
    let (mut search, mut open) = (Search::default(), BucketQueue::default());
    for seed in 0..100 {
        let graph = RandomGraph::new(seed, 40);
        let mut events = Vec::new();
        assert!(search.begin(&graph, &mut open, 0, Budget::UNLIMITED));
        let stop = search.advance(&graph, &mut open, &mut events, Budget::UNLIMITED);
        let count =
            |is: fn(&SearchEvent) -> bool| events.iter().filter(|event| is(event)).count() as u64;
        let expanded = count(|event| matches!(event, SearchEvent::Expanded { .. }));
        let pushed = count(|event| {
            matches!(
                event,
                SearchEvent::Opened { .. } | SearchEvent::Improved { .. }
            )
        });
        let reached = count(|event| matches!(event, SearchEvent::Reached { .. }));
        assert_eq!(search.stats().expansions, expanded);
        assert_eq!(
            search.stats().pushes,
            pushed + 1,
            "the first push is the start's"
        );
        assert_eq!(reached, u64::from(matches!(stop, StopReason::Goal(_))));
    }
}

#[test]
fn a_search_too_large_for_its_memory_does_not_begin() {
    let (mut search, mut open) = (Search::default(), BucketQueue::default());
    let budget = Budget {
        memory_bytes: 8 * 40,
        ..Budget::UNLIMITED
    };
    assert!(!search.begin(&RandomGraph::new(1, 40), &mut open, 0, budget));
    assert_eq!(search.nodes().heap_bytes(), 0);
}

#[test]
fn costs_beyond_the_range_of_cost_end_the_search() {
    /// An infinite chain whose edges cost a tenth of the range each.
    struct InfiniteChain;
    impl SearchSpace for InfiniteChain {
        const MAX_F_INCREASE: u32 = u32::MAX / 10;
        const MAX_SUCCESSORS: usize = 1;
        fn n_nodes(&self) -> u32 {
            100
        }
        fn heuristic(&self, _node: u32) -> u32 {
            0
        }
        fn is_goal(&self, _node: u32) -> bool {
            false
        }
        fn for_each_successor(&self, node: u32, _arrived: u8, mut take: impl FnMut(u32, u8, u32)) {
            take(node + 1, 0, Self::MAX_F_INCREASE);
        }
        fn location(&self, _node: u32) -> Location {
            Location::Cell(Cell::default())
        }
    }
    let (mut search, mut open) = (Search::default(), QuaternaryHeap::default());
    assert!(search.begin(&InfiniteChain, &mut open, 0, Budget::UNLIMITED));
    let stop = search.advance(
        &InfiniteChain,
        &mut open,
        &mut Vec::new(),
        Budget::UNLIMITED,
    );
    assert_eq!(stop, StopReason::TooFar);
    assert_eq!(search.stats().expansions, 10);
}

#[test]
fn of_expanded_nodes_with_equal_h_the_first_is_the_nearest() {
    let graph = RandomGraph {
        from: vec![vec![(1, 1), (2, 2)], vec![(3, 5)], vec![(3, 5)], vec![]],
        goal: 3,
    };
    let (mut search, mut open) = (Search::default(), BucketQueue::default());
    assert!(search.begin(&graph, &mut open, 0, Budget::UNLIMITED));
    let stop = search.advance(&graph, &mut open, &mut Vec::new(), Budget::expansions(2));
    assert_eq!((stop, search.nearest()), (StopReason::OutOfBudget, 0));
}
