//! A* and Dijkstra over any ground: floors, walls, nav links, one-way steps, cost multipliers.
//!
//! # The tie rule
//! That of the [kernel](crate::kernel), with cells numbered in the order the search discovers
//! them: lowest estimate of the whole way first, then highest cost so far, then the cell that was
//! discovered first. Steps are looked at clockwise from north, then nav links in the order of their
//! names; so the answer follows from the ground and the request alone.

use wayfarer_base::{Budget, Cell, Cost, Location, SearchEvent, SearchObserver, SearchStats};
use wayfarer_world::ground::{NodeId, SuccessorBuffer};

use super::Area;
use super::area::SpareCorners;
use super::arena::{Arena, NONE, Record};
use super::lower_bound::LowerBound;
use super::nav_graph::NavGraph;
use super::overlay::{Overlay, nav_links_from};
use super::string_pull::has_in_sight;
use crate::kernel::{Entry, OpenList, QuaternaryHeap, StopReason};

/// What a search looks for.
#[derive(Clone, Debug, Default)]
pub(super) struct Task {
    /// Where it leads, for estimates.
    pub(super) aim: LowerBound,
    /// Stored cells where it may end, sorted.
    pub(super) ends: Vec<u32>,
    /// An area where it may end.
    pub(super) area: Option<Area>,
    spare: SpareCorners,
    /// A cell that must be seen from there.
    pub(super) sight_of: Option<Cell>,
    pub(super) overlay: Overlay,
    /// Cells costlier to get to than this are not looked at.
    pub(super) limit: u32,
}

impl Task {
    pub(super) fn clear(&mut self) {
        self.aim.clear();
        self.ends.clear();
        self.set_area(None);
        self.sight_of = None;
        self.overlay.clear();
        self.limit = u32::MAX - 1;
    }

    /// Lets the search end in an area, or in none.
    pub(super) fn set_area(&mut self, area: Option<&Area>) {
        let old = self.area.take();
        old.into_iter().for_each(|area| self.spare.take(area));
        self.area = area.map(|area| self.spare.copy(area));
    }

    /// True where the search may end.
    pub(super) fn ends_at(&self, nav_graph: NavGraph<'_>, node: NodeId) -> bool {
        if self.ends.binary_search(&node.index()).is_ok() {
            return true;
        }
        self.area.as_ref().is_some_and(|area| {
            let cell = nav_graph.cell(node);
            area.contains(cell)
                && !self.overlay.avoids(cell)
                && self
                    .sight_of
                    .is_none_or(|of| has_in_sight(nav_graph.ground(), cell, of))
        })
    }
}

/// A search that can pause, and the memory it reuses for the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct Astar {
    pub(super) task: Task,
    pub(super) arena: Arena,
    open: QuaternaryHeap,
    buffer: SuccessorBuffer,
    stats: SearchStats,
    /// Least rest of an expanded cell, and its number; the first of equals.
    nearest: (u32, u32),
    grown_bytes: u64,
    /// A step was left out because the way would cost more than `Cost` can hold.
    is_cut: bool,
}

impl Astar {
    /// Forgets the last search and begins at `node`, for what `task` says. False, with nothing
    /// begun, if that would take more than `budget.memory_bytes` beyond what is already held.
    pub(super) fn begin(&mut self, nav_graph: NavGraph<'_>, node: NodeId, budget: Budget) -> bool {
        self.rest();
        let growth =
            self.arena.growth_for(1, std::iter::once(node.index())) + self.open.growth_for(1);
        if growth > budget.memory_bytes {
            return false;
        }
        self.grown_bytes = growth;
        self.arena.reserve(1);
        self.open.reserve(1);
        let rest = self.task.aim.least(nav_graph.cell(node).column());
        let number = self.arena.add(Record {
            node: node.index(),
            cost: 0,
            before: NONE,
            rest,
        });
        self.stats.pushes = 1;
        self.nearest = (rest, number);
        self.open.push(Entry::new(rest, 0, number));
        true
    }

    /// Forgets the last search.
    pub(super) fn rest(&mut self) {
        self.arena.clear();
        self.open.clear(0, 0);
        self.stats = SearchStats::default();
        self.nearest = (u32::MAX, 0);
        self.grown_bytes = 0;
        self.is_cut = false;
    }

    /// Goes on until an end is reached, everything was looked at, or `budget` is used up; it
    /// counts from this call on. The stop names the number of the end.
    pub(super) fn advance<O: SearchObserver>(
        &mut self,
        nav_graph: NavGraph<'_>,
        observer: &mut O,
        budget: Budget,
    ) -> StopReason {
        let until = self.stats.expansions.saturating_add(budget.expansions);
        let mut memory_left = budget.memory_bytes;
        loop {
            let Some(entry) = self.open.pop() else {
                return if self.is_cut {
                    StopReason::TooFar
                } else {
                    StopReason::Exhausted
                };
            };
            let number = entry.node();
            let record = self.arena.record(number);
            if record.cost != entry.g() {
                continue; // A cheaper way was found since.
            }
            let node = NodeId::from_index(record.node);
            if self.task.ends_at(nav_graph, node) {
                self.open.push(entry);
                if O::ACTIVE {
                    observer.on_event(SearchEvent::Reached {
                        at: place(nav_graph, record.node),
                        cost: Cost::from_units(record.cost),
                    });
                }
                return StopReason::Goal(number);
            }
            if self.stats.expansions >= until {
                self.open.push(entry);
                return StopReason::OutOfBudget;
            }
            if !self.expand(nav_graph, number, record, observer, &mut memory_left) {
                self.open.push(entry);
                return StopReason::OutOfBudget;
            }
        }
    }

    /// Looks at every step from a cell; false, with nothing done, if that would take more memory
    /// than is left.
    fn expand<O: SearchObserver>(
        &mut self,
        nav_graph: NavGraph<'_>,
        number: u32,
        record: Record,
        observer: &mut O,
        memory_left: &mut u64,
    ) -> bool {
        let Self {
            task,
            arena,
            open,
            buffer,
            stats: spent,
            ..
        } = self;
        let node = NodeId::from_index(record.node);
        let steps = nav_graph.steps(node, buffer);
        let n_steps = steps.len();
        if *memory_left < u64::MAX {
            let nodes = steps.clone().map(|(to, _)| to.index());
            let growth = arena.growth_for(n_steps, nodes) + open.growth_for(n_steps);
            if growth > *memory_left {
                return false;
            }
            *memory_left -= growth;
            self.grown_bytes += growth;
        }
        arena.reserve(n_steps);
        open.reserve(n_steps);
        spent.expansions += 1;
        if record.rest < self.nearest.0 {
            self.nearest = (record.rest, number);
        }
        if O::ACTIVE {
            observer.on_event(SearchEvent::Expanded {
                at: place(nav_graph, record.node),
                cost: Cost::from_units(record.cost),
            });
        }
        let n_walks = if task.overlay.is_empty() {
            usize::MAX
        } else {
            n_steps - nav_links_from(nav_graph, nav_graph.cell(node)).count()
        };
        for (index, (to, step_cost)) in steps.enumerate() {
            let step_cost = if n_walks == usize::MAX {
                step_cost
            } else {
                match task
                    .overlay
                    .cost(nav_graph, node, to, step_cost, index < n_walks)
                {
                    Some(step_cost) => step_cost,
                    None => continue,
                }
            };
            let cost = record.cost.saturating_add(step_cost.units());
            if cost > task.limit {
                self.is_cut |= cost == u32::MAX;
                continue;
            }
            let found = arena.find(to.index());
            let next = match found {
                Some(next) => {
                    let known = arena.record_mut(next);
                    if cost >= known.cost {
                        continue;
                    }
                    known.cost = cost;
                    known.before = number;
                    next
                }
                None => arena.add(Record {
                    node: to.index(),
                    cost,
                    before: number,
                    rest: task.aim.least(nav_graph.cell(to).column()),
                }),
            };
            let total = cost.saturating_add(arena.record(next).rest);
            spent.pushes += 1;
            open.push(Entry::new(total, cost, next));
            if O::ACTIVE {
                let (at, cost) = (place(nav_graph, to.index()), Cost::from_units(cost));
                observer.on_event(match found {
                    Some(_) => SearchEvent::Improved { at, cost },
                    None => SearchEvent::Opened { at, cost },
                });
            }
        }
        true
    }

    /// Writes the stored cells of the way to `number`, from the beginning.
    pub(super) fn path_to(&self, number: u32, nodes: &mut Vec<NodeId>) {
        nodes.clear();
        let before = |number: &u32| {
            let before = self.arena.record(*number).before;
            (before != NONE).then_some(before)
        };
        let backwards = std::iter::successors(Some(number), before);
        nodes.extend(backwards.map(|at| NodeId::from_index(self.arena.record(at).node)));
        nodes.reverse();
    }

    pub(super) fn stats(&self) -> SearchStats {
        self.stats
    }

    pub(super) fn grown_bytes(&self) -> u64 {
        self.grown_bytes
    }

    /// The number of the expanded cell from which the rest can cost least, the first of equals.
    pub(super) fn nearest(&self) -> u32 {
        self.nearest.1
    }
}

fn place(nav_graph: NavGraph<'_>, node: u32) -> Location {
    Location::Cell(nav_graph.cell(NodeId::from_index(node)))
}
