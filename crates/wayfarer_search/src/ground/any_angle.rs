//! Lazy Theta\* \[Nash2010\]: any-angle paths over the ground.
//!
//! A generated node is first assumed to be in line of sight of its parent's parent. Only when the
//! search pops it does it check that line; if the line is not walkable, the node gets the cheapest
//! expanded neighbor as parent and returns to the open list. Lines keep to one cost multiplier.
//! Paths are no costlier than the optimal grid path (but for a unit of cost per cell, lost by
//! rounding) and not always optimal: they turn at cell centers only. No allocation once warm.

use wayfarer_base::{
    Budget, Cell, Cost, Location, NoopObserver, Outcome, RequestError, Revision, SearchEvent,
    SearchObserver, SearchStats, UnreachableProof,
};
use wayfarer_world::ground::{NodeId, ProfileId, SuccessorBuffer};

use super::arena::{Arena, NONE, Record};
use super::dijkstra_sweep::write_predecessors;
use super::nav_graph::NavGraph;
use super::overlay::nav_links_from;
use super::reachability::start_node;
use super::string_pull::is_straight_walkable;
use crate::kernel::{Entry, QuaternaryHeap, StopReason};

mod session;

pub use session::{AnyAngleRequest, AnyAngleSession};

/// Successors for which the search reserves memory before an expansion: eight neighbors, and more
/// nav links than most cells have.
const RESERVED_SUCCESSORS: usize = 64;

/// An any-angle path, valid at one revision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnyAnglePath {
    /// Its corners, start and end included: each pair is joined by a walkable line at one cost
    /// multiplier, by a single step, or by a nav link.
    pub waypoints: Vec<Cell>,
    /// Its cost: line lengths times their multipliers, rounded down line by line, and nav links.
    pub cost: Cost,
    /// The revision of the ground at which it was found.
    pub revision: Revision,
    /// The agent's profile; `None` for the ground's default profile.
    pub profile_id: Option<ProfileId>,
    /// Cells expanded by the search.
    pub expansions: u64,
}

/// The reusable scratch of Lazy Theta\*.
///
/// ```
/// use wayfarer_base::{Budget, Cell, Outcome, Raster};
/// use wayfarer_search::ground::AnyAngleSearcher;
/// use wayfarer_world::ground::Ground;
///
/// let ground = Ground::from_raster(&Raster::from_bytes(9, 4, vec![0; 36]).unwrap());
/// let (from, to) = (Cell::flat(0, 0), Cell::flat(8, 3));
/// let mut searcher = AnyAngleSearcher::default();
/// let path = searcher.find(&ground, from, to, Budget::UNLIMITED)?.found().unwrap();
/// assert_eq!(path.waypoints, vec![from, to]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct AnyAngleSearcher {
    arena: Arena,
    states: Vec<State>,
    open: QuaternaryHeap,
    buffer: SuccessorBuffer,
    predecessors: Vec<(NodeId, Cost)>,
    target: ThetaTarget,
    stats: SearchStats,
    /// Lowest h of an expanded node, and its record number; the first of equals.
    nearest: (u32, u32),
    grown_bytes: u64,
    /// True if a successor was left out because its cost is not below the limit.
    is_cut: bool,
    spare: Vec<Vec<Cell>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Its line from the parent is not checked yet.
    Assumed,
    /// Its parent is one step or one nav link away.
    Confirmed,
    Expanded,
}

impl AnyAngleSearcher {
    /// Finds an any-angle path from `from` to `to`.
    ///
    /// A goal in another component is unreachable without a search. When the budget runs out,
    /// `best` leads to the expanded cell with the lowest heuristic.
    ///
    /// A warm scratch does not allocate; the path does, unless the caller returns an old one with
    /// [`AnyAngleSearcher::recycle`].
    ///
    /// # Errors
    /// If an end is not walkable or the budget allows no expansion.
    pub fn find<'g>(
        &mut self,
        nav_graph: impl Into<NavGraph<'g>>,
        from: Cell,
        to: Cell,
        budget: Budget,
    ) -> Result<Outcome<AnyAnglePath>, RequestError> {
        self.find_observed(nav_graph, from, to, budget, &mut NoopObserver)
    }

    /// [`AnyAngleSearcher::find`] with an observer, which does not change the result.
    ///
    /// # Errors
    /// As [`AnyAngleSearcher::find`].
    pub fn find_observed<'g>(
        &mut self,
        nav_graph: impl Into<NavGraph<'g>>,
        from: Cell,
        to: Cell,
        budget: Budget,
        observer: &mut impl SearchObserver,
    ) -> Result<Outcome<AnyAnglePath>, RequestError> {
        let nav_graph = nav_graph.into();
        if !self.begin(nav_graph, from, to, budget)? {
            return Ok(unreachable(UnreachableProof::DifferentComponents));
        }
        let stop = self.advance(nav_graph, observer, budget);
        Ok(self.outcome(nav_graph, stop))
    }

    /// Starts a search; false if the ends lie in different components.
    pub(super) fn begin(
        &mut self,
        nav_graph: NavGraph<'_>,
        from: Cell,
        to: Cell,
        budget: Budget,
    ) -> Result<bool, RequestError> {
        let start = start_node(nav_graph, from)?;
        let goal = nav_graph.node(to).ok_or(RequestError::GoalBlocked {
            at: Location::Cell(to),
            reason: nav_graph.blocked_reason(to),
        })?;
        if budget.expansions == 0 {
            return Err(RequestError::OutOfRange {
                what: "the budget in expansions",
                found: 0,
                expected: "at least 1",
            });
        }
        self.arena.clear();
        self.states.clear();
        self.open.clear();
        self.stats = SearchStats::default();
        self.nearest = (u32::MAX, 0);
        self.grown_bytes = 0;
        self.is_cut = false;
        self.target = ThetaTarget {
            cell: to,
            node: goal.index(),
            has_shortcuts: !nav_graph.shortcuts().is_empty(),
        };
        if nav_graph.component(start) != nav_graph.component(goal) {
            return Ok(false);
        }
        self.add(
            start,
            0,
            NONE,
            self.target.heuristic(from),
            State::Confirmed,
        );
        self.stats.pushes = 1;
        Ok(true)
    }

    /// Expands nodes until the search reaches the goal, exhausts the graph or uses up `budget`,
    /// which counts from this call on.
    pub(super) fn advance<O: SearchObserver>(
        &mut self,
        nav_graph: NavGraph<'_>,
        observer: &mut O,
        budget: Budget,
    ) -> StopReason {
        let until = self.stats.expansions.saturating_add(budget.expansions);
        let mut memory_left = budget.memory_bytes;
        while let Some(entry) = self.open.pop() {
            let number = entry.node();
            if self.states[number as usize] == State::Expanded
                || self.arena.record(number).g != entry.g()
            {
                continue;
            }
            let location = |nav_graph: NavGraph<'_>, node: u32| {
                Location::Cell(nav_graph.cell(NodeId::from_index(node)))
            };
            self.set_vertex(nav_graph, number);
            let Record { node, g, h, .. } = self.arena.record(number);
            if g != entry.g() {
                // Costlier than assumed: other entries may come first.
                self.push(number, g, h);
                continue;
            }
            if node == self.target.node {
                self.open.push(entry);
                if O::ACTIVE {
                    observer.on_event(SearchEvent::Reached {
                        at: location(nav_graph, node),
                        cost: Cost::from_units(g),
                    });
                }
                return StopReason::Goal(number);
            }
            if self.stats.expansions >= until || !self.reserve(&mut memory_left) {
                self.open.push(entry);
                return StopReason::OutOfBudget;
            }
            self.stats.expansions += 1;
            let state = std::mem::replace(&mut self.states[number as usize], State::Expanded);
            if h < self.nearest.0 {
                self.nearest = (h, number);
            }
            if O::ACTIVE {
                observer.on_event(SearchEvent::Expanded {
                    at: location(nav_graph, node),
                    cost: Cost::from_units(g),
                });
            }
            self.expand(nav_graph, number, state);
        }
        if self.is_cut {
            StopReason::TooFar
        } else {
            StopReason::Exhausted
        }
    }

    /// Reserves memory for one expansion; false if that takes more than is left. Table segments of
    /// newly visited pages do not count.
    fn reserve(&mut self, memory_left: &mut u64) -> bool {
        let growth = self
            .arena
            .growth_for(RESERVED_SUCCESSORS, std::iter::empty())
            + self.open.growth_for(RESERVED_SUCCESSORS);
        if growth > *memory_left {
            return false;
        }
        *memory_left -= growth;
        self.grown_bytes += growth;
        self.arena.reserve(RESERVED_SUCCESSORS);
        self.open.reserve(RESERVED_SUCCESSORS);
        true
    }

    /// The result of a search that has stopped for good.
    pub(super) fn outcome(
        &mut self,
        nav_graph: NavGraph<'_>,
        stop: StopReason,
    ) -> Outcome<AnyAnglePath> {
        match stop {
            StopReason::Goal(number) => Outcome::Found(self.path_to(nav_graph, number)),
            StopReason::Exhausted => unreachable(UnreachableProof::SearchExhausted),
            StopReason::TooFar => Outcome::BEYOND_COST_LIMIT,
            StopReason::OutOfBudget => Outcome::OutOfBudget {
                best: self.path_to(nav_graph, self.nearest.1),
                stats: self.stats,
            },
        }
    }

    /// Expansions and pushes of the last search.
    pub fn stats(&self) -> SearchStats {
        self.stats
    }

    /// Takes back an old path, whose memory the next one reuses.
    pub fn recycle(&mut self, path: AnyAnglePath) {
        if self.spare.len() < 2 {
            self.spare.push(path.waypoints);
        }
    }

    fn add(&mut self, node: NodeId, g: u32, parent: u32, h: u32, state: State) {
        let number = self.arena.add(Record {
            node: node.index(),
            g,
            parent,
            h,
        });
        self.states.push(state);
        self.push(number, g, h);
    }

    fn push(&mut self, number: u32, g: u32, h: u32) {
        self.stats.pushes += 1;
        self.open.push(Entry::new(g.saturating_add(h), g, number));
    }

    /// Checks the assumed line to a node; if it is not walkable, the node gets the cheapest
    /// expanded predecessor as parent (`SetVertex` of Lazy Theta\*).
    fn set_vertex(&mut self, nav_graph: NavGraph<'_>, number: u32) {
        let record = self.arena.record(number);
        if self.states[number as usize] != State::Assumed {
            return;
        }
        let cell = nav_graph.cell(NodeId::from_index(record.node));
        let parent = self.arena.record(record.parent).node;
        if is_straight_walkable(nav_graph, nav_graph.cell(NodeId::from_index(parent)), cell) {
            return;
        }
        let node = NodeId::from_index(record.node);
        write_predecessors(nav_graph, node, &mut self.predecessors);
        let expanded = self.predecessors.iter().filter_map(|(from, step_cost)| {
            let from = self.arena.find(from.index())?;
            let is_expanded = self.states[from as usize] == State::Expanded;
            let g = self.arena.record(from).g.saturating_add(step_cost.units());
            is_expanded.then_some((g, from))
        });
        if let Some((g, from)) = expanded.min() {
            let record = self.arena.record_mut(number);
            (record.g, record.parent) = (g, from);
            self.states[number as usize] = State::Confirmed;
        }
    }

    fn expand(&mut self, nav_graph: NavGraph<'_>, number: u32, state: State) {
        let target = self.target;
        let record = self.arena.record(number);
        let node = NodeId::from_index(record.node);
        // Lines start at the parent, or at the node itself if it is reached from another cost
        // multiplier, or by a nav link cheaper than the line.
        let parent = (record.parent != NONE).then(|| self.arena.record(record.parent));
        let parent = parent.filter(|parent| {
            let parent_node = NodeId::from_index(parent.node);
            let (from, to) = (nav_graph.cell(parent_node), nav_graph.cell(node));
            let line = line_cost(from, to)
                .scaled_by(nav_graph.cost_multiplier(parent_node))
                .units();
            state == State::Assumed
                || parent.g.saturating_add(line) <= record.g
                    && is_straight_walkable(nav_graph, from, to)
        });
        let (origin, origin_record) = match parent {
            Some(parent) => (record.parent, parent),
            None => (number, record),
        };
        let origin_node = NodeId::from_index(origin_record.node);
        let (origin_cell, multiplier) = (
            nav_graph.cell(origin_node),
            nav_graph.cost_multiplier(origin_node),
        );
        let mut buffer = std::mem::take(&mut self.buffer);
        let successors = nav_graph.successors(node, &mut buffer);
        let n_neighbors =
            successors.len() - nav_links_from(nav_graph, nav_graph.cell(node)).count();
        for (index, (to, step)) in successors.enumerate() {
            let cell = nav_graph.cell(to);
            let is_line = index < n_neighbors && nav_graph.cost_multiplier(to) == multiplier;
            let (g, parent, state) = if is_line {
                let line = line_cost(origin_cell, cell).scaled_by(multiplier).units();
                (origin_record.g.saturating_add(line), origin, State::Assumed)
            } else {
                (
                    record.g.saturating_add(step.units()),
                    number,
                    State::Confirmed,
                )
            };
            if g == u32::MAX {
                self.is_cut = true;
                continue;
            }
            match self.arena.find(to.index()) {
                None => self.add(to, g, parent, target.heuristic(cell), state),
                Some(known) => {
                    let is_open = self.states[known as usize] != State::Expanded;
                    let old = self.arena.record_mut(known);
                    if is_open && g < old.g {
                        (old.g, old.parent) = (g, parent);
                        let h = old.h;
                        self.states[known as usize] = state;
                        self.push(known, g, h);
                    }
                }
            }
        }
        self.buffer = buffer;
    }

    fn path_to(&mut self, nav_graph: NavGraph<'_>, number: u32) -> AnyAnglePath {
        let mut waypoints = self.spare.pop().unwrap_or_default();
        waypoints.clear();
        let parent = |number: &u32| {
            let parent = self.arena.record(*number).parent;
            (parent != NONE).then_some(parent)
        };
        let backwards = std::iter::successors(Some(number), parent);
        let cell = |at: u32| nav_graph.cell(NodeId::from_index(self.arena.record(at).node));
        waypoints.extend(backwards.map(cell));
        waypoints.reverse();
        AnyAnglePath {
            waypoints,
            cost: Cost::from_units(self.arena.record(number).g),
            revision: nav_graph.ground().revision(),
            profile_id: nav_graph.profile_id(),
            expansions: self.stats.expansions,
        }
    }
}

fn unreachable(proof: UnreachableProof) -> Outcome<AnyAnglePath> {
    Outcome::Unreachable {
        proof,
        nearest: None,
    }
}

/// The goal of a search and its heuristic.
#[derive(Clone, Copy, Debug, Default)]
struct ThetaTarget {
    cell: Cell,
    node: u32,
    has_shortcuts: bool,
}

impl ThetaTarget {
    /// The Euclidean distance; 0 where nav links may be cheaper than that.
    fn heuristic(self, from: Cell) -> u32 {
        if self.has_shortcuts {
            0
        } else {
            line_cost(from, self.cell).units()
        }
    }
}

/// The length of the line between two column centers at cost multiplier 1, rounded down.
fn line_cost(from: Cell, to: Cell) -> Cost {
    let square = |a: i32, b: i32| u128::from(a.abs_diff(b)).pow(2);
    let units = u128::from(Cost::UNITS_PER_CELL);
    let length = ((square(from.x, to.x) + square(from.y, to.y)) * units * units).isqrt();
    Cost::from_units(u32::try_from(length).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests;
