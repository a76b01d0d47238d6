//! Ways for those who walk freely, in any direction: lazy Theta*.
//!
//! A place is first taken to be reached by a straight line from where the way last turned; only
//! when it is its turn is the line looked at, and if it cannot be walked the place is reached by a
//! step from the best neighbor instead and waits for its turn once more. Found paths are legal and
//! no costlier than along the grid (but for a unit of cost a cell, lost by rounding), though not always
//! the cheapest: turns lie in the middles of cells.

use wayfarer_base::{
    Budget, Cell, Cost, Location, NoopObserver, Outcome, RequestError, Revision, SearchEvent,
    SearchObserver, SearchStats, UnreachableProof,
};
use wayfarer_world::ground::{NodeId, ProfileId, SuccessorBuffer};

use super::arena::{Arena, NONE, Record};
use super::dijkstra_sweep::steps_into;
use super::nav_graph::NavGraph;
use super::overlay::nav_links_from;
use super::reachability::start_node;
use super::string_pull::is_straight_walkable;
use crate::kernel::{Entry, OpenList, QuaternaryHeap, StopReason};

mod session;

pub use session::AnyAngleSession;

/// Places for which room is made before one is expanded: eight steps, and more nav links than
/// most cells have.
const MAX_STEPS: usize = 64;

/// A way for one who walks freely.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnyAnglePath {
    /// Where it turns, start and end included: from each to the next leads a straight line that
    /// can be walked at one cost multiplier, a single step, or a nav link.
    pub waypoints: Vec<Cell>,
    /// What it costs: lengths at their cost multipliers, rounded down line by line, and nav links.
    pub cost: Cost,
    /// The revision of the ground it was found at.
    pub revision: Revision,
    /// Whose way it is: a registered profile's, or that of the world's own walker.
    pub profile_id: Option<ProfileId>,
    /// Cells expanded to find it.
    pub expansions: u64,
}

/// The memory that searches in any direction reuse.
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
    into: Vec<(NodeId, Cost)>,
    aim: ThetaTarget,
    stats: SearchStats,
    /// Least rest of an expanded place, and its number; the first of equals.
    nearest: (u32, u32),
    grown_bytes: u64,
    spare: Vec<Vec<Cell>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Taken to be reached by a line, which is looked at before the place is expanded.
    Guessed,
    /// Reached by a step or a nav link.
    Sure,
    /// Expanded.
    Done,
}

impl AnyAngleSearcher {
    /// Finds a short way from `from` to `to`.
    ///
    /// A goal in another component is answered without a search. If the budget runs out, the best
    /// is the way to the expanded cell nearest to the goal.
    ///
    /// After some queries of the same size the scratch no longer allocates; the path does, unless
    /// an old one is handed back with [`AnyAngleSearcher::recycle`].
    ///
    /// # Errors
    /// If one cannot stand at either end, or the budget allows no expansion.
    pub fn find<'g>(
        &mut self,
        nav_graph: impl Into<NavGraph<'g>>,
        from: Cell,
        to: Cell,
        budget: Budget,
    ) -> Result<Outcome<AnyAnglePath>, RequestError> {
        self.find_observed(nav_graph, from, to, budget, &mut NoopObserver)
    }

    /// As [`AnyAngleSearcher::find`], and tells `observer` what happens on the way.
    ///
    /// # Errors
    /// If one cannot stand at either end, or the budget allows no expansion.
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

    /// Begins a search; false if there is no way.
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
        self.open.clear(0, 0);
        self.stats = SearchStats::default();
        self.nearest = (u32::MAX, 0);
        self.grown_bytes = 0;
        self.aim = ThetaTarget {
            to,
            goal: goal.index(),
            has_shortcuts: !nav_graph.shortcuts().is_empty(),
        };
        if nav_graph.component(start) != nav_graph.component(goal) {
            return Ok(false);
        }
        self.add(start, 0, NONE, self.aim.least(from), State::Sure);
        self.stats.pushes = 1;
        Ok(true)
    }

    /// Goes on until the goal is reached, everything was looked at, or `budget` is used up; it
    /// counts from this call on.
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
            if self.states[number as usize] == State::Done
                || self.arena.record(number).cost != entry.g()
            {
                continue;
            }
            let place = |nav_graph: NavGraph<'_>, node: u32| {
                Location::Cell(nav_graph.cell(NodeId::from_index(node)))
            };
            self.make_sure(nav_graph, number);
            let Record {
                node, cost, rest, ..
            } = self.arena.record(number);
            if cost != entry.g() {
                // Dearer than it was taken to be: others may have their turn first.
                self.push(number, cost, rest);
                continue;
            }
            if node == self.aim.goal {
                self.open.push(entry);
                if O::ACTIVE {
                    observer.on_event(SearchEvent::Reached {
                        at: place(nav_graph, node),
                        cost: Cost::from_units(cost),
                    });
                }
                return StopReason::Goal(number);
            }
            if self.stats.expansions >= until || !self.make_room(&mut memory_left) {
                self.open.push(entry);
                return StopReason::OutOfBudget;
            }
            self.stats.expansions += 1;
            let state = std::mem::replace(&mut self.states[number as usize], State::Done);
            let record = self.arena.record(number);
            if record.rest < self.nearest.0 {
                self.nearest = (record.rest, number);
            }
            if O::ACTIVE {
                observer.on_event(SearchEvent::Expanded {
                    at: place(nav_graph, record.node),
                    cost: Cost::from_units(record.cost),
                });
            }
            self.expand(nav_graph, number, state);
        }
        StopReason::Exhausted
    }

    /// Makes room for the steps of one place; false if that would take too much memory. Tables
    /// of pages that are come to for the first time are not counted.
    fn make_room(&mut self, memory_left: &mut u64) -> bool {
        let growth =
            self.arena.growth_for(MAX_STEPS, std::iter::empty()) + self.open.growth_for(MAX_STEPS);
        if growth > *memory_left {
            return false;
        }
        *memory_left -= growth;
        self.grown_bytes += growth;
        self.arena.reserve(MAX_STEPS);
        self.open.reserve(MAX_STEPS);
        true
    }

    /// The answer of a search that has stopped for good.
    pub(super) fn outcome(
        &mut self,
        nav_graph: NavGraph<'_>,
        stop: StopReason,
    ) -> Outcome<AnyAnglePath> {
        match stop {
            StopReason::Goal(number) => Outcome::Found(self.path_to(nav_graph, number)),
            StopReason::Exhausted => unreachable(UnreachableProof::SearchExhausted),
            StopReason::OutOfBudget | StopReason::TooFar => Outcome::OutOfBudget {
                best: self.path_to(nav_graph, self.nearest.1),
                stats: self.stats,
            },
        }
    }

    /// What the last search used.
    pub fn stats(&self) -> SearchStats {
        self.stats
    }

    /// What is left of `budget` after what the search at hand used.
    pub(super) fn budget_left(&self, budget: Budget) -> Budget {
        Budget {
            expansions: budget.expansions.saturating_sub(self.stats.expansions),
            memory_bytes: budget.memory_bytes.saturating_sub(self.grown_bytes),
        }
    }

    /// Takes an old path back, so that the next one can use its memory.
    pub fn recycle(&mut self, path: AnyAnglePath) {
        if self.spare.len() < 2 {
            self.spare.push(path.waypoints);
        }
    }

    fn add(&mut self, node: NodeId, cost: u32, before: u32, rest: u32, state: State) {
        let number = self.arena.add(Record {
            node: node.index(),
            cost,
            before,
            rest,
        });
        self.states.push(state);
        self.push(number, cost, rest);
    }

    fn push(&mut self, number: u32, cost: u32, rest: u32) {
        self.stats.pushes += 1;
        let entry = Entry::new(cost.saturating_add(rest), cost, number);
        self.open.push(entry);
    }

    /// Looks at the line that a place is taken to be reached by; if it cannot be walked, the place
    /// is reached by a step from the best neighbor that was expanded.
    fn make_sure(&mut self, nav_graph: NavGraph<'_>, number: u32) {
        let record = self.arena.record(number);
        if self.states[number as usize] != State::Guessed {
            return;
        }
        let cell = nav_graph.cell(NodeId::from_index(record.node));
        let before = self.arena.record(record.before).node;
        if is_straight_walkable(nav_graph, nav_graph.cell(NodeId::from_index(before)), cell) {
            return;
        }
        steps_into(nav_graph, NodeId::from_index(record.node), &mut self.into);
        let known = self.into.iter().filter_map(|(from, step_cost)| {
            let from = self.arena.find(from.index())?;
            let is_done = self.states[from as usize] == State::Done;
            let cost = self
                .arena
                .record(from)
                .cost
                .saturating_add(step_cost.units());
            is_done.then_some((cost, from))
        });
        if let Some((cost, from)) = known.min() {
            let record = self.arena.record_mut(number);
            (record.cost, record.before) = (cost, from);
            self.states[number as usize] = State::Sure;
        }
    }

    fn expand(&mut self, nav_graph: NavGraph<'_>, number: u32, state: State) {
        let aim = self.aim;
        let record = self.arena.record(number);
        let node = NodeId::from_index(record.node);
        // Lines go on from where the way last turned: here, if one came onto ground of another
        // cost multiplier, or by a nav link that is cheaper than the line.
        let before = (record.before != NONE).then(|| self.arena.record(record.before));
        let before = before.filter(|before| {
            let there = NodeId::from_index(before.node);
            let (from, to) = (nav_graph.cell(there), nav_graph.cell(node));
            let line = line_cost(from, to)
                .scaled_by(nav_graph.cost_multiplier(there))
                .units();
            state == State::Guessed
                || before.cost.saturating_add(line) <= record.cost
                    && is_straight_walkable(nav_graph, from, to)
        });
        let (turn, turned) = match before {
            Some(before) => (record.before, before),
            None => (number, record),
        };
        let turn_node = NodeId::from_index(turned.node);
        let (turn_cell, multiplier) = (
            nav_graph.cell(turn_node),
            nav_graph.cost_multiplier(turn_node),
        );
        let mut buffer = std::mem::take(&mut self.buffer);
        let steps = nav_graph.steps(node, &mut buffer);
        let n_walks = steps.len() - nav_links_from(nav_graph, nav_graph.cell(node)).count();
        for (index, (to, step)) in steps.enumerate() {
            let cell = nav_graph.cell(to);
            let is_walk = index < n_walks && nav_graph.cost_multiplier(to) == multiplier;
            let (cost, before, state) = if is_walk {
                let line = line_cost(turn_cell, cell).scaled_by(multiplier).units();
                (turned.cost.saturating_add(line), turn, State::Guessed)
            } else {
                (
                    record.cost.saturating_add(step.units()),
                    number,
                    State::Sure,
                )
            };
            if cost == u32::MAX {
                continue;
            }
            match self.arena.find(to.index()) {
                None => self.add(to, cost, before, aim.least(cell), state),
                Some(known) => {
                    let is_open = self.states[known as usize] != State::Done;
                    let old = self.arena.record_mut(known);
                    if is_open && cost < old.cost {
                        (old.cost, old.before) = (cost, before);
                        let rest = old.rest;
                        self.states[known as usize] = state;
                        self.push(known, cost, rest);
                    }
                }
            }
        }
        self.buffer = buffer;
    }

    fn path_to(&mut self, nav_graph: NavGraph<'_>, number: u32) -> AnyAnglePath {
        let mut waypoints = self.spare.pop().unwrap_or_default();
        waypoints.clear();
        let before = |number: &u32| {
            let before = self.arena.record(*number).before;
            (before != NONE).then_some(before)
        };
        let backwards = std::iter::successors(Some(number), before);
        let cell = |at: u32| nav_graph.cell(NodeId::from_index(self.arena.record(at).node));
        waypoints.extend(backwards.map(cell));
        waypoints.reverse();
        AnyAnglePath {
            waypoints,
            cost: Cost::from_units(self.arena.record(number).cost),
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

/// Where a search leads, for estimates.
#[derive(Clone, Copy, Debug, Default)]
struct ThetaTarget {
    to: Cell,
    goal: u32,
    has_shortcuts: bool,
}

impl ThetaTarget {
    /// The straight line; nothing where nav links undercut it.
    fn least(self, from: Cell) -> u32 {
        if self.has_shortcuts {
            0
        } else {
            line_cost(from, self.to).units()
        }
    }
}

/// The length of the line between the middles of two columns at cost multiplier 1, rounded down.
fn line_cost(from: Cell, to: Cell) -> Cost {
    let square = |a: i32, b: i32| u128::from(a.abs_diff(b)).pow(2);
    let units = u128::from(Cost::UNITS_PER_CELL);
    let length = ((square(from.x, to.x) + square(from.y, to.y)) * units * units).isqrt();
    Cost::from_units(u32::try_from(length).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests;
