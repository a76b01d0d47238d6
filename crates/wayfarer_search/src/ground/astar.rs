//! A\* and Dijkstra cell by cell over any ground: floors, walls, nav links, drops, cost multipliers.
//! Optimal; pausable; no allocation once warm.
//!
//! # The tie rule
//! That of the [kernel](crate::kernel) with record numbers for node ids: lowest f, then highest g,
//! then the cell generated first. Successors are generated clockwise from north, then nav links in
//! the order of their ids, so the result follows from the ground and the request alone.

use wayfarer_base::{Budget, Cell, Cost, Location, SearchEvent, SearchObserver, SearchStats};
use wayfarer_world::ground::{NodeId, SuccessorBuffer};

use super::Area;
use super::area::{PreparedArea, SpareCorners};
use super::arena::{Arena, NONE, Record};
use super::lower_bound::LowerBound;
use super::nav_graph::NavGraph;
use super::overlay::{Overlay, nav_links_from};
use super::string_pull::has_line_of_sight;
use crate::kernel::{Entry, QuaternaryHeap, StopReason};

/// The goals, the heuristic and the overlay of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Task {
    /// The heuristic.
    pub(super) lower_bound: LowerBound,
    /// Goal cells as stored, sorted.
    pub(super) goals: Vec<u32>,
    /// The goal area, if any.
    pub(super) area: Option<PreparedArea>,
    spare: SpareCorners,
    /// A cell that must be in line of sight from a goal cell of the area.
    pub(super) sight_of: Option<Cell>,
    pub(super) overlay: Overlay,
    /// Cells with a higher g are not generated.
    pub(super) max_cost: u32,
}

impl Task {
    pub(super) fn clear(&mut self) {
        self.lower_bound.clear();
        self.goals.clear();
        self.set_area(None);
        self.sight_of = None;
        self.overlay.clear();
        self.max_cost = u32::MAX - 1;
    }

    /// Sets the goal area.
    pub(super) fn set_area(&mut self, area: Option<&Area>) {
        let old = self.area.take();
        old.into_iter()
            .for_each(|prepared| self.spare.put(prepared.area));
        self.area = area.map(|area| PreparedArea::new(self.spare.copy(area)));
    }

    /// True if the search may end at `node`.
    pub(super) fn is_goal(&self, nav_graph: NavGraph<'_>, node: NodeId) -> bool {
        if self.goals.binary_search(&node.index()).is_ok() {
            return true;
        }
        self.area.as_ref().is_some_and(|area| {
            let cell = nav_graph.cell(node);
            area.contains(cell)
                && !self.overlay.avoids(cell)
                && self
                    .sight_of
                    .is_none_or(|of| has_line_of_sight(nav_graph.ground(), cell, of))
        })
    }
}

/// A pausable search, and the memory it reuses for the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct Astar {
    pub(super) task: Task,
    pub(super) arena: Arena,
    open: QuaternaryHeap,
    buffer: SuccessorBuffer,
    stats: SearchStats,
    /// Lowest h of an expanded record, and its number; the first of equals.
    nearest: (u32, u32),
    grown_bytes: u64,
    /// A successor was dropped because its g exceeds the range of `Cost`.
    is_cut: bool,
}

impl Astar {
    /// Starts a new search at `node` for `task`. Returns false, with nothing started, if that takes
    /// more than `budget.memory_bytes` beyond what the scratch holds already.
    pub(super) fn begin(&mut self, nav_graph: NavGraph<'_>, node: NodeId, budget: Budget) -> bool {
        self.reset();
        let growth =
            self.arena.growth_for(1, std::iter::once(node.index())) + self.open.growth_for(1);
        if growth > budget.memory_bytes {
            return false;
        }
        self.grown_bytes = growth;
        self.arena.reserve(1);
        self.open.reserve(1);
        let h = self.task.lower_bound.at(nav_graph.cell(node).column());
        let number = self.arena.add(Record {
            node: node.index(),
            g: 0,
            parent: NONE,
            h,
        });
        self.stats.pushes = 1;
        self.nearest = (h, number);
        self.open.push(Entry::new(h, 0, number));
        true
    }

    /// Drops the last search.
    pub(super) fn reset(&mut self) {
        self.arena.clear();
        self.open.clear();
        self.stats = SearchStats::default();
        self.nearest = (u32::MAX, 0);
        self.grown_bytes = 0;
        self.is_cut = false;
    }

    /// Expands nodes until the search reaches a goal, exhausts the graph or uses up `budget`, which
    /// counts from this call on. The stop reason names the goal's record.
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
            if record.g != entry.g() {
                continue; // A cheaper path was found since.
            }
            let node = NodeId::from_index(record.node);
            if self.task.is_goal(nav_graph, node) {
                self.open.push(entry);
                if O::ACTIVE {
                    observer.on_event(SearchEvent::Reached {
                        at: location(nav_graph, record.node),
                        cost: Cost::from_units(record.g),
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

    /// Generates the successors of a record; false, with nothing done, if that takes more memory
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
            stats,
            ..
        } = self;
        let node = NodeId::from_index(record.node);
        let successors = nav_graph.successors(node, buffer);
        let n_successors = successors.len();
        if *memory_left < u64::MAX {
            let nodes = successors.clone().map(|(to, _)| to.index());
            let growth = arena.growth_for(n_successors, nodes) + open.growth_for(n_successors);
            if growth > *memory_left {
                return false;
            }
            *memory_left -= growth;
            self.grown_bytes += growth;
        }
        arena.reserve(n_successors);
        open.reserve(n_successors);
        stats.expansions += 1;
        if record.h < self.nearest.0 {
            self.nearest = (record.h, number);
        }
        if O::ACTIVE {
            observer.on_event(SearchEvent::Expanded {
                at: location(nav_graph, record.node),
                cost: Cost::from_units(record.g),
            });
        }
        // Nav links follow the steps to neighbors.
        let n_neighbors = if task.overlay.is_empty() {
            usize::MAX
        } else {
            n_successors - nav_links_from(nav_graph, nav_graph.cell(node)).count()
        };
        for (index, (to, step_cost)) in successors.enumerate() {
            let step_cost = if n_neighbors == usize::MAX {
                step_cost
            } else {
                match task
                    .overlay
                    .cost(nav_graph, node, to, step_cost, index < n_neighbors)
                {
                    Some(step_cost) => step_cost,
                    None => continue,
                }
            };
            let g = record.g.saturating_add(step_cost.units());
            if g > task.max_cost {
                self.is_cut |= g == u32::MAX;
                continue;
            }
            let known = arena.find(to.index());
            let next = match known {
                Some(next) => {
                    let known = arena.record_mut(next);
                    if g >= known.g {
                        continue;
                    }
                    known.g = g;
                    known.parent = number;
                    next
                }
                None => arena.add(Record {
                    node: to.index(),
                    g,
                    parent: number,
                    h: task.lower_bound.at(nav_graph.cell(to).column()),
                }),
            };
            let f = g.saturating_add(arena.record(next).h);
            stats.pushes += 1;
            open.push(Entry::new(f, g, next));
            if O::ACTIVE {
                let (at, cost) = (location(nav_graph, to.index()), Cost::from_units(g));
                observer.on_event(match known {
                    Some(_) => SearchEvent::Improved { at, cost },
                    None => SearchEvent::Opened { at, cost },
                });
            }
        }
        true
    }

    /// Writes the stored cells of the path to record `number`, start first.
    pub(super) fn path_to(&self, number: u32, nodes: &mut Vec<NodeId>) {
        nodes.clear();
        let parent = |number: &u32| {
            let parent = self.arena.record(*number).parent;
            (parent != NONE).then_some(parent)
        };
        let backwards = std::iter::successors(Some(number), parent);
        nodes.extend(backwards.map(|at| NodeId::from_index(self.arena.record(at).node)));
        nodes.reverse();
    }

    pub(super) fn stats(&self) -> SearchStats {
        self.stats
    }

    pub(super) fn grown_bytes(&self) -> u64 {
        self.grown_bytes
    }

    /// The number of the expanded record with the lowest h, the first of equals.
    pub(super) fn nearest(&self) -> u32 {
        self.nearest.1
    }
}

fn location(nav_graph: NavGraph<'_>, node: u32) -> Location {
    Location::Cell(nav_graph.cell(NodeId::from_index(node)))
}
