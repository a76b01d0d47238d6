//! The A\* loop over any [`SearchSpace`]: pausable, budgeted in expansions and bytes.
//!
//! Nodes are reopened by lazy deletion: a cheaper g pushes a second entry and the loop skips the
//! stale one. No allocation once the scratch is warm.

use wayfarer_base::{Budget, Cost, Location, SearchEvent, SearchObserver, SearchStats};

use super::{Entry, NodeTable, OpenList};

/// An implicit graph with a goal and a heuristic.
///
/// The heuristic is consistent: it never exceeds the true remaining cost and falls by no more than
/// an edge's cost along that edge. The first path found to the goal is therefore optimal.
pub trait SearchSpace {
    /// Upper bound on the increase of f over one edge.
    const MAX_F_INCREASE: u32;
    /// Upper bound on the out-degree of a node.
    const MAX_SUCCESSORS: usize;

    /// Node ids are below this.
    fn n_nodes(&self) -> u32;

    /// Lower bound on the cost from `node` to the goal, in units of `Cost`.
    fn heuristic(&self, node: u32) -> u32;

    /// True where the search ends.
    fn is_goal(&self, node: u32) -> bool;

    /// Calls `take` with every successor of `node`: its id, the edge's label and the edge's cost.
    ///
    /// `arrived` is the label of the edge that led to `node`, or [`NodeTable::START`]; successors
    /// that the parent reaches at no higher cost may be pruned.
    fn for_each_successor(&self, node: u32, arrived: u8, take: impl FnMut(u32, u8, u32));

    /// The location of `node`, for observers.
    fn location(&self, node: u32) -> Location;
}

/// Why a search stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The search reached the goal, this node.
    Goal(u32),
    /// Every reachable node is expanded.
    Exhausted,
    /// The budget is used up; the search can resume.
    OutOfBudget,
    /// A path would cost more than `Cost` can represent.
    TooFar,
}

/// A pausable search, and the memory it reuses for the next one.
#[derive(Clone, Debug, Default)]
pub struct Search {
    nodes: NodeTable,
    stats: SearchStats,
    /// Lowest h of an expanded node and that node, the first of equals.
    nearest: (u32, u32),
    grown_bytes: u64,
}

impl Search {
    /// Starts a new search at `node`; `open` must be passed to every [`Search::advance`]. Returns
    /// false, with nothing started, if that takes more than `budget.memory_bytes` beyond what the
    /// scratch holds already.
    pub fn begin<S: SearchSpace>(
        &mut self,
        space: &S,
        open: &mut impl OpenList,
        node: u32,
        budget: Budget,
    ) -> bool {
        let h = space.heuristic(node);
        open.clear(h, S::MAX_F_INCREASE);
        let growth =
            self.nodes.growth_for(space.n_nodes()) + open.growth_for(S::MAX_SUCCESSORS + 1);
        if growth > budget.memory_bytes {
            return false;
        }
        self.grown_bytes = growth;
        open.reserve(S::MAX_SUCCESSORS + 1);
        self.nodes.clear(space.n_nodes());
        self.stats = SearchStats {
            expansions: 0,
            pushes: 1,
        };
        self.nearest = (h, node);
        self.nodes.improve(node, 0, NodeTable::START);
        open.push(Entry::new(h, 0, node));
        true
    }

    /// Drops the last search, for a request that needs none.
    pub fn reset(&mut self) {
        self.nodes.clear(0);
        self.stats = SearchStats::default();
        self.grown_bytes = 0;
    }

    /// Expands nodes until the search reaches the goal, exhausts the graph or uses up `budget`,
    /// which counts from this call on.
    ///
    /// Reaching the goal is no expansion. After [`StopReason::OutOfBudget`] the next call resumes
    /// exactly where this one stopped.
    pub fn advance<S: SearchSpace, Q: OpenList, O: SearchObserver>(
        &mut self,
        space: &S,
        open: &mut Q,
        observer: &mut O,
        budget: Budget,
    ) -> StopReason {
        let until = self.stats.expansions.saturating_add(budget.expansions);
        let mut memory_left = budget.memory_bytes;
        let Self { nodes, stats, .. } = self;
        let (mut expansions, mut pushes) = (stats.expansions, stats.pushes);
        let mut nearest = self.nearest;
        let stop = loop {
            let Some(entry) = open.pop() else {
                break StopReason::Exhausted;
            };
            let (node, g) = (entry.node(), entry.g());
            let record = nodes.record(node);
            if record.cost != g {
                continue; // A cheaper path was found since.
            }
            if space.is_goal(node) {
                open.push(entry);
                if O::ACTIVE {
                    observer.on_event(SearchEvent::Reached {
                        at: space.location(node),
                        cost: Cost::from_units(g),
                    });
                }
                break StopReason::Goal(node);
            }
            if expansions >= until {
                open.push(entry);
                break StopReason::OutOfBudget;
            }
            if entry.f() > u32::MAX - S::MAX_F_INCREASE {
                open.push(entry);
                break StopReason::TooFar;
            }
            let growth = open.growth_for(S::MAX_SUCCESSORS);
            if growth > 0 {
                if growth > memory_left {
                    open.push(entry);
                    break StopReason::OutOfBudget;
                }
                memory_left -= growth;
                self.grown_bytes += growth;
                open.reserve(S::MAX_SUCCESSORS);
            }
            expansions += 1;
            let h = entry.f() - g;
            if h < nearest.0 {
                nearest = (h, node);
            }
            if O::ACTIVE {
                observer.on_event(SearchEvent::Expanded {
                    at: space.location(node),
                    cost: Cost::from_units(g),
                });
            }
            space.for_each_successor(node, record.label, |next, label, edge_cost| {
                let g = g + edge_cost;
                let was_generated = O::ACTIVE && nodes.get(next).is_some();
                if !nodes.improve(next, g, label) {
                    return;
                }
                pushes += 1;
                open.push(Entry::new(g + space.heuristic(next), g, next));
                if O::ACTIVE {
                    let (at, cost) = (space.location(next), Cost::from_units(g));
                    observer.on_event(if was_generated {
                        SearchEvent::Improved { at, cost }
                    } else {
                        SearchEvent::Opened { at, cost }
                    });
                }
            });
        };
        *stats = SearchStats { expansions, pushes };
        self.nearest = nearest;
        stop
    }

    /// Expansions and pushes since the search started.
    pub fn stats(&self) -> SearchStats {
        self.stats
    }

    /// Bytes by which the scratch grew since the search started.
    pub fn grown_bytes(&self) -> u64 {
        self.grown_bytes
    }

    /// The expanded node with the lowest h, the first of equals; the start if no node was
    /// expanded.
    pub fn nearest(&self) -> u32 {
        self.nearest.1
    }

    /// The records of the nodes.
    #[inline]
    pub fn nodes(&self) -> &NodeTable {
        &self.nodes
    }
}

#[cfg(test)]
mod tests;
