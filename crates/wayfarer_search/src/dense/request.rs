//! What one asks of a flat map.

use wayfarer_base::{Budget, Cell};

/// A request for a path over a dense ground.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DenseRequest {
    /// Where the path begins.
    pub start: Cell,
    /// Where it ends.
    pub goal: Cell,
    /// The most it may cost to find.
    pub budget: Budget,
    /// How to search.
    pub method: DenseMethod,
    /// Which open list to use; the answer does not depend on it.
    pub queue: DenseQueue,
}

impl DenseRequest {
    /// A request for a cheapest path by A*, without limit.
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

/// How to search; every method finds a cheapest path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DenseMethod {
    /// Towards the goal, by the octile distance.
    #[default]
    AStar,
    /// In all directions alike.
    Dijkstra,
}

/// Which open list to use; the answer does not depend on it, only the time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DenseQueue {
    /// A ring of buckets: the faster one.
    #[default]
    Buckets,
    /// A heap with four children per entry.
    Heap,
}
