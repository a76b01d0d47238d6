//! The search itself: take the most promising place, look at where one can go from there, repeat.

use wayfarer_base::{Budget, Cost, Location, SearchEvent, SearchObserver, SearchStats};

use super::{Entry, NodeTable, OpenList};

/// Where one can go: what a search runs over.
///
/// The estimate never exceeds the true cost of the rest and never falls by more than a step's
/// cost along that step, so that the first way found to the goal is the cheapest.
pub trait SearchSpace {
    /// Most that the estimate of a whole way can rise by over one step.
    const RISE: u32;
    /// Most steps from one node.
    const MAX_STEPS: usize;

    /// Numbers of nodes are below this.
    fn n_nodes(&self) -> u32;

    /// Estimate of the cost from `node` to the goal, in units of `Cost`.
    fn heuristic(&self, node: u32) -> u32;

    /// True where the search may end.
    fn is_goal(&self, node: u32) -> bool;

    /// Hands every step from `node` to `take`, with the node it leads to, its label and its cost.
    ///
    /// `arrived` is the label of the step that led to `node`, or [`NodeTable::BEGIN`]; steps that
    /// cannot be cheaper than what was noted from the node before may be left out.
    fn for_each_successor(&self, node: u32, arrived: u8, take: impl FnMut(u32, u8, u32));

    /// Where `node` lies, for whoever watches.
    fn location(&self, node: u32) -> Location;
}

/// Why a search stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The goal was reached: this node.
    Goal(u32),
    /// All that can be reached was looked at.
    Exhausted,
    /// The budget ran out; the search can go on.
    OutOfBudget,
    /// The way would cost more than `Cost` can hold.
    TooFar,
}

impl StopReason {
    /// True if nothing more comes of a session whose search stopped so, after `used` expansions of a
    /// `slice` of what was `left` to it. A step that finds too little memory counts for nothing: a
    /// slice that did not use up its expansions ended there, and no other will come farther if all
    /// memory that is left was in it.
    pub(crate) fn is_last(self, slice: Budget, left: Budget, used: u64) -> bool {
        let is_starved = left.memory_bytes < u64::MAX
            && slice.memory_bytes == left.memory_bytes
            && used < slice.expansions;
        self != Self::OutOfBudget || slice == left || is_starved
    }
}

/// A search that can pause, and the memory it reuses for the next one.
#[derive(Clone, Debug, Default)]
pub struct Search {
    nodes: NodeTable,
    stats: SearchStats,
    /// The expanded node with the lowest estimate of the rest, the first of equals.
    nearest: (u32, u32),
    grown_bytes: u64,
}

impl Search {
    /// Forgets the last search and begins at `node`, with `open` as the open list, which must be
    /// the one given to [`Search::advance`]. False, with nothing begun, if that would take more
    /// than `budget.memory_bytes` beyond what is already held.
    pub fn begin<S: SearchSpace>(
        &mut self,
        steps: &S,
        open: &mut impl OpenList,
        node: u32,
        budget: Budget,
    ) -> bool {
        let estimate = steps.heuristic(node);
        open.clear(estimate, S::RISE);
        let growth = self.nodes.growth_for(steps.n_nodes()) + open.growth_for(S::MAX_STEPS + 1);
        if growth > budget.memory_bytes {
            return false;
        }
        self.grown_bytes = growth;
        open.reserve(S::MAX_STEPS + 1);
        self.nodes.clear(steps.n_nodes());
        self.stats = SearchStats {
            expansions: 0,
            pushes: 1,
        };
        self.nearest = (estimate, node);
        self.nodes.improve(node, 0, NodeTable::BEGIN);
        open.push(Entry::new(estimate, 0, node));
        true
    }

    /// Forgets the last search, for a request that needs none.
    pub fn reset(&mut self) {
        self.nodes.clear(0);
        self.stats = SearchStats::default();
        self.grown_bytes = 0;
    }

    /// Goes on until the goal is reached, everything was looked at, or `budget` is used up; it
    /// counts from this call on.
    ///
    /// Reaching the goal is no expansion. Called again after [`StopReason::OutOfBudget`] with more, it
    /// goes on exactly as if it had not stopped.
    pub fn advance<S: SearchSpace, Q: OpenList, O: SearchObserver>(
        &mut self,
        steps: &S,
        open: &mut Q,
        observer: &mut O,
        budget: Budget,
    ) -> StopReason {
        let until = self.stats.expansions.saturating_add(budget.expansions);
        let mut memory_left = budget.memory_bytes;
        let Self {
            nodes,
            stats: spent,
            ..
        } = self;
        let (mut expansions, mut pushes) = (spent.expansions, spent.pushes);
        let mut nearest = self.nearest;
        let stop = loop {
            let Some(entry) = open.pop() else {
                break StopReason::Exhausted;
            };
            let (node, cost) = (entry.node(), entry.g());
            let arrival = nodes.known(node);
            if arrival.cost != cost {
                continue; // A cheaper way was found since.
            }
            if steps.is_goal(node) {
                open.push(entry);
                if O::ACTIVE {
                    observer.on_event(SearchEvent::Reached {
                        at: steps.location(node),
                        cost: Cost::from_units(cost),
                    });
                }
                break StopReason::Goal(node);
            }
            if expansions >= until {
                open.push(entry);
                break StopReason::OutOfBudget;
            }
            if entry.f() > u32::MAX - S::RISE {
                open.push(entry);
                break StopReason::TooFar;
            }
            let growth = open.growth_for(S::MAX_STEPS);
            if growth > 0 {
                if growth > memory_left {
                    open.push(entry);
                    break StopReason::OutOfBudget;
                }
                memory_left -= growth;
                self.grown_bytes += growth;
                open.reserve(S::MAX_STEPS);
            }
            expansions += 1;
            let rest = entry.f() - cost;
            if rest < nearest.0 {
                nearest = (rest, node);
            }
            if O::ACTIVE {
                observer.on_event(SearchEvent::Expanded {
                    at: steps.location(node),
                    cost: Cost::from_units(cost),
                });
            }
            steps.for_each_successor(node, arrival.label, |next, label, step| {
                let cost = cost + step;
                let was_known = O::ACTIVE && nodes.arrival(next).is_some();
                if !nodes.improve(next, cost, label) {
                    return;
                }
                pushes += 1;
                open.push(Entry::new(cost + steps.heuristic(next), cost, next));
                if O::ACTIVE {
                    let (at, cost) = (steps.location(next), Cost::from_units(cost));
                    observer.on_event(if was_known {
                        SearchEvent::Improved { at, cost }
                    } else {
                        SearchEvent::Opened { at, cost }
                    });
                }
            });
        };
        *spent = SearchStats { expansions, pushes };
        self.nearest = nearest;
        stop
    }

    /// What was used since the beginning.
    pub fn stats(&self) -> SearchStats {
        self.stats
    }

    /// Bytes by which the scratch grew since the beginning.
    pub fn grown_bytes(&self) -> u64 {
        self.grown_bytes
    }

    /// Of the nodes expanded, the one whose rest is estimated lowest, the first of equals; where
    /// the search began if none was expanded.
    pub fn nearest(&self) -> u32 {
        self.nearest.1
    }

    /// What is known of each node.
    #[inline]
    pub fn nodes(&self) -> &NodeTable {
        &self.nodes
    }
}

#[cfg(test)]
mod tests;
