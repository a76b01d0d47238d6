//! Requests for paths on a flat grid.

use wayfarer_base::{Budget, Cell};

/// A request for a path over a dense ground.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DenseRequest {
    /// Where the path begins.
    pub start: Cell,
    /// Where it ends.
    pub goal: Cell,
    /// Limit of the whole search.
    pub budget: Budget,
    /// The search algorithm.
    pub method: DenseMethod,
    /// The open list; the result does not depend on it.
    pub queue: DenseQueue,
}

impl DenseRequest {
    /// A request for an optimal path by A\*, without limit.
    pub const fn new(start: Cell, goal: Cell) -> Self {
        Self {
            start,
            goal,
            budget: Budget::UNLIMITED,
            method: DenseMethod::AStar,
            queue: DenseQueue::Buckets,
        }
    }
}

/// The search algorithm; each is optimal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DenseMethod {
    /// A\* with the octile heuristic.
    #[default]
    AStar,
    /// No heuristic.
    Dijkstra,
}

/// The open list; only the time depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DenseQueue {
    /// A circular bucket queue: the faster one.
    #[default]
    Buckets,
    /// A 4-ary heap.
    Heap,
}
