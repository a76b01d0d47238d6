//! Searches within the budget of an update.
//!
//! Requests take turns, by priority, waiting time and id. A turn is a quarter of the budget, so that
//! one long search does not hold up the others, and most searches end in one: a search that pauses
//! keeps its searcher, and the next needs another one, whose caches are colder. What is left after
//! every request had a turn is shared out again. The turns of a wave run in parallel. How many expansions each may use is
//! fixed before the wave starts, so that no result depends on the number of threads, and their sum
//! never exceeds the budget. The waypoints of the paths found take from what is left, too: a wave sets
//! aside what they are expected to take.
//!
//! A search that does not finish pauses and goes on in the next update, unless an edit of what it has
//! seen makes it start again. It then gets twice the turn, at last the whole budget of an update.

use std::cmp::Reverse;
use std::sync::{Mutex, PoisonError};

use wayfarer_engine::PathSession;
use wayfarer_engine::base::Budget;
use wayfarer_engine::search::ground::waypoint_work;
use wayfarer_engine::search::kernel::run_batch_with;

use super::entry::{Entry, SearchInProgress, State};
use super::{Planner, PlannerEvent, RequestId};
use crate::facade::World;
use crate::goal::Goal;
use crate::path::Path;
use crate::request::{Method, NoPath, PartialPolicy, PartialReason, PathRequest};
use crate::searcher::Searcher;

/// Work that is set aside for the waypoints of a path, for every cell.
const CELL_WORK: u64 = 2;
/// The part of an update's work with which no turn begins: 1 of this.
const RESERVE_SHARE: u64 = 16;
/// The part of the budget that an update builds tables ahead for at most, beside it: 1 of this.
const BUILD_SHARE: u64 = 6;
/// Turns of equal size in the budget of an update; most turns of a wave.
const N_TURNS: u64 = 4;
/// Most searches that pause between two updates: each holds a searcher.
pub(super) const MAX_PAUSED: usize = 16;
/// Updates after which the searcher that new ones are copied from is replaced by a warmer one.
const KEEP_TICKS: u64 = 32;
/// Updates of waiting that count as one level of priority.
const TICKS_PER_LEVEL: u64 = 8;
/// Searches of a request that edits may end after the whole budget of an update before it fails: its
/// path takes several updates to find, and the world changes faster.
const MAX_LOST: u32 = 3;

/// One turn of a request.
struct Turn {
    id: RequestId,
    request: PathRequest,
    search: Option<SearchInProgress>,
    broken: Option<Path>,
    budget: Budget,
}

/// What came out of a turn.
struct Answer {
    /// Expansions used, at least 1.
    used: u64,
    result: TurnResult,
}

enum TurnResult {
    Done(Result<Path, NoPath>),
    /// To go on with, or to start again if `None`.
    Paused(Option<Box<SearchInProgress>>),
    /// The path cannot be repaired within the turn.
    Replan,
}

impl Planner {
    /// Builds a part of what edits made stale of the tables that searches use, so that a search after many
    /// edits does not build it all at once. That is no part of the budget: no result depends on it.
    pub(super) fn build_ahead(&mut self, world: &World) {
        let work = self.options.budget.expansions / BUILD_SHARE;
        // The one that the next search takes.
        let searcher = self.searchers.last_mut().unwrap_or(&mut self.prepared);
        searcher.engine.rebuild_tables(world.engine(), work);
    }

    /// Runs turns until no request waits or the budget, at most `limit`, is used up.
    pub(super) fn search(&mut self, world: &World, limit: u64) {
        let mut left = self.options.budget.expansions.min(limit);
        self.restart_stale(world);
        let mut order = self.order();
        let (mut n_used, mut n_pulled) = (0, 0);
        // Room for the waypoints of a path that is longer than expected.
        let reserve = left / RESERVE_SHARE;
        while left > reserve && !order.is_empty() {
            let before = left;
            let mut rest = order.as_slice();
            while left > reserve && !rest.is_empty() {
                let (n_taken, turns) = self.wave(world, rest, left);
                rest = &rest[n_taken..];
                let (used, pulled) = self.run(world, turns);
                (n_used, n_pulled) = (n_used + used, n_pulled + pulled);
                left = left.saturating_sub(used + pulled);
            }
            order.retain(|id| self.entries[id].is_waiting());
            if left == before {
                break;
            }
        }
        self.pause(&order);
        (self.stats.expansions, self.stats.work) = (n_used, n_used + n_pulled);
        self.stats.n_waiting = order.len();
        let waits = order.iter().map(|id| self.tick - self.entries[id].since);
        self.stats.max_wait = waits.fold(self.stats.max_wait, u64::max);
    }

    /// The requests that wait, first to be searched first.
    fn order(&self) -> Vec<RequestId> {
        let waiting = self.entries.iter().filter(|(_, entry)| entry.is_waiting());
        let key = |(&id, entry): (&RequestId, &Entry)| {
            let levels = (self.tick - entry.since) / TICKS_PER_LEVEL;
            (Reverse(u64::from(entry.priority) + levels), entry.since, id)
        };
        let mut keys: Vec<_> = waiting.map(key).collect();
        keys.sort_unstable();
        keys.into_iter().map(|(_, _, id)| id).collect()
    }

    /// Starts searches again that have seen what an edit changed.
    fn restart_stale(&mut self, world: &World) {
        let all = self.options.budget.expansions;
        for (&id, entry) in &mut self.entries {
            let is_stale = |search: &mut SearchInProgress| !search.session.catch_up(world.engine());
            if let Some(search) = entry.search.take_if(is_stale) {
                entry.restart(search.session.work(), all);
                self.searchers.push(search.into_searcher());
            }
            if entry.n_lost > MAX_LOST {
                self.stats.max_wait = self.stats.max_wait.max(self.tick - entry.since);
                let reason = NoPath::OutOfBudget { best: None };
                fail(id, entry, reason, &mut self.events);
            }
        }
    }

    /// The turns of the next wave with their budgets, and how many requests it takes from `order`.
    fn wave(&mut self, world: &World, order: &[RequestId], left: u64) -> (usize, Vec<Turn>) {
        let all = self.options.budget.expansions;
        let mut unassigned = left;
        let mut turns: Vec<Turn> = Vec::new();
        let mut n_taken = 0;
        for &id in order {
            if turns.len() as u64 == N_TURNS || unassigned == 0 {
                break;
            }
            let entry = self.entries.get_mut(&id);
            let Some(entry) = entry.filter(|entry| entry.is_searchable(self.tick)) else {
                n_taken += 1;
                continue;
            };
            let wanted = turn(all).max(entry.wanted).max(entry.start_cost().min(all));
            let search = entry.search.as_ref();
            let is_resumable = match search {
                Some(search) => search.session.is_resumable(),
                None => entry.start_cost() == 0,
            };
            let pulled = CELL_WORK * entry.expected_cells(world);
            if wanted.saturating_add(pulled) > unassigned && !turns.is_empty() {
                // The next wave may have more.
                break;
            }
            n_taken += 1;
            if !is_resumable && wanted > unassigned {
                continue; // A smaller slice than it needs would be lost.
            }
            let expansions = wanted.min(unassigned);
            unassigned = unassigned.saturating_sub(expansions + pulled);
            turns.push(entry.turn(
                id,
                Budget {
                    expansions,
                    ..self.options.budget
                },
                self.options.request_budget,
            ));
        }
        (n_taken, turns)
    }

    /// Runs the turns of a wave and takes their results in order; returns the expansions used, and what
    /// the waypoints of the paths count.
    fn run(&mut self, world: &World, turns: Vec<Turn>) -> (u64, u64) {
        let n_threads = self.options.n_threads.min(turns.len()).max(1);
        let turns: Vec<Mutex<Option<Turn>>> = turns
            .into_iter()
            .map(|turn| Mutex::new(Some(turn)))
            .collect();
        let searchers = Mutex::new(std::mem::take(&mut self.searchers));
        let answers = run_batch_with(&turns, &mut vec![(); n_threads], |(), turn| {
            let turn = turn.lock().unwrap_or_else(PoisonError::into_inner).take()?;
            Some((turn.id, turn.run(world, &searchers, &self.prepared)))
        });
        self.searchers = searchers
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let (mut used, mut pulled) = (0, 0);
        for (id, answer) in answers.into_iter().flatten() {
            if let TurnResult::Done(Ok(path)) = &answer.result {
                let entry = self.entries.get(&id);
                pulled += entry.map_or(0, |entry| string_pulling(world, entry, path));
            }
            used += self.take_answer(world, id, answer);
        }
        (used, pulled)
    }

    /// Takes over the result of a turn; returns the expansions used.
    fn take_answer(&mut self, world: &World, id: RequestId, answer: Answer) -> u64 {
        let all = self.options.budget.expansions;
        let Some(entry) = self.entries.get_mut(&id) else {
            return answer.used;
        };
        let wait = self.tick - entry.since;
        match answer.result {
            TurnResult::Done(result) => {
                self.stats.max_wait = self.stats.max_wait.max(wait);
                match result {
                    Ok(path) => {
                        let event = match entry.state {
                            State::Repair(_) | State::Replan => PlannerEvent::Repaired { id },
                            _ => PlannerEvent::Found { id },
                        };
                        let is_accepted =
                            entry.accept(world, path, self.options.arrival, self.tick);
                        self.events.extend(is_accepted.then_some(event));
                        if !is_accepted {
                            entry.reject(self.tick);
                        }
                    }
                    Err(reason) => fail(id, entry, reason, &mut self.events),
                }
            }
            TurnResult::Replan => entry.state = State::Replan,
            TurnResult::Paused(search) => {
                let search = search.map(|search| *search);
                let is_lost = search
                    .as_ref()
                    .is_some_and(|search| !search.session.is_resumable());
                if is_lost && entry.wanted >= all {
                    let search = search.map(SearchInProgress::into_searcher);
                    self.searchers.extend(search);
                    let reason = NoPath::OutOfBudget { best: None };
                    fail(id, entry, reason, &mut self.events);
                    return answer.used;
                }
                if is_lost {
                    entry.wanted = entry.wanted.max(turn(all)).saturating_mul(2).min(all);
                }
                entry.search = search;
            }
        }
        answer.used
    }

    /// Keeps the first searches in progress; the others start again later.
    fn pause(&mut self, order: &[RequestId]) {
        let mut n_paused = 0;
        for id in order {
            let Some(entry) = self.entries.get_mut(id) else {
                continue;
            };
            n_paused += usize::from(entry.search.is_some());
            if n_paused > MAX_PAUSED {
                let search = entry.search.take();
                self.searchers
                    .extend(search.map(SearchInProgress::into_searcher));
            }
        }
        // The last ones are the warmest.
        let n_kept = self.options.n_threads.max(MAX_PAUSED / 4);
        let n_cold = self.searchers.len().saturating_sub(n_kept);
        self.searchers.drain(..n_cold);
        // The one that is copied follows the edits: it takes turns with the others.
        if self.tick.is_multiple_of(KEEP_TICKS)
            && let Some(warm) = self.searchers.last_mut()
        {
            std::mem::swap(warm, &mut self.prepared);
        }
    }
}

/// What the waypoints of a path count besides the search.
fn string_pulling(world: &World, entry: &Entry, path: &Path) -> u64 {
    let walk = path.engine().as_ground_path();
    let nav_graph = world.engine().nav_graph(entry.request.agent_type).ok();
    let both = walk.zip(nav_graph);
    both.map_or(0, |(walk, nav_graph)| waypoint_work(nav_graph, walk))
}

/// The usual turn.
fn turn(all: u64) -> u64 {
    (all / N_TURNS).max(1)
}

fn fail(id: RequestId, entry: &mut Entry, reason: NoPath, events: &mut Vec<PlannerEvent>) {
    entry.follower = None;
    entry.runs.clear();
    entry.state = State::Failed;
    entry.failure = Some(reason.clone());
    (entry.n_restarts, entry.n_lost, entry.wanted) = (0, 0, 0);
    events.push(PlannerEvent::Failed { id, reason });
}

impl Entry {
    /// The expansions that a turn may use at least.
    fn start_cost(&self) -> u64 {
        let is_start = self.search.is_none() && self.request.partial != PartialPolicy::Never;
        if is_start { PathSession::MAX_START } else { 0 }
    }

    /// About the cells of its path: a turn sets aside what their waypoints take.
    fn expected_cells(&self, world: &World) -> u64 {
        if let State::Repair(path) = &self.state {
            return path.n_cells() as u64;
        }
        let frame = world.frame();
        let Goal::Position(to) = self.request.to else {
            return 0;
        };
        let columns = frame.cell(self.request.from).zip(frame.cell(to));
        let is_walk = world.engine().nav_graph(self.request.agent_type).is_ok();
        columns.filter(|_| is_walk).map_or(0, |(from, to)| {
            // Paths are about half as long again.
            let distance = from.x.abs_diff(to.x).max(from.y.abs_diff(to.y));
            u64::from(distance) * 3 / 2
        })
    }

    /// Starts the search again after an edit; it used `used` expansions of `all` in an update.
    pub(super) fn restart(&mut self, used: u64, all: u64) {
        self.n_restarts = self.n_restarts.saturating_add(1);
        self.n_lost = self.n_lost.saturating_add(u32::from(used >= all));
        let wanted = turn(all).checked_mul(1 << self.n_restarts.min(16));
        self.wanted = wanted.map_or(all, |wanted| wanted.min(all));
    }

    fn turn(&mut self, id: RequestId, budget: Budget, request_budget: Budget) -> Turn {
        let search = self.search.take();
        let mut request = match &search {
            Some(search) => search.request.clone(),
            None => self.request.clone(),
        };
        let own = &mut request.budget;
        own.expansions = own.expansions.min(request_budget.expansions);
        own.memory_bytes = own.memory_bytes.min(request_budget.memory_bytes);
        Turn {
            id,
            request,
            search,
            broken: match &self.state {
                State::Repair(path) => Some(path.clone()),
                _ => None,
            },
            budget,
        }
    }
}

impl Turn {
    fn run(self, world: &World, searchers: &Mutex<Vec<Searcher>>, prepared: &Searcher) -> Answer {
        let give = |searcher| {
            let mut all = searchers.lock().unwrap_or_else(PoisonError::into_inner);
            all.push(searcher);
        };
        let take = || {
            let mut all = searchers.lock().unwrap_or_else(PoisonError::into_inner);
            // What it has read of the world is a copy, which is far cheaper than reading it again.
            all.pop().unwrap_or_else(|| prepared.clone())
        };
        if let Some(broken) = &self.broken {
            let mut searcher = take();
            let answer = self.repair(world, &mut searcher, broken);
            give(searcher);
            return answer;
        }
        let Self {
            request,
            search,
            budget,
            ..
        } = self;
        let begun = match search {
            Some(search) => Ok(search.session),
            None => world.begin_path(take(), &request),
        };
        let mut session = match begun {
            Ok(session) => session,
            Err(rejected) => {
                let (searcher, error) = *rejected;
                give(searcher);
                return Answer {
                    used: 1,
                    result: TurnResult::Done(Err(error.into())),
                };
            }
        };
        // What is built is not counted: how much that is follows from caches.
        session.leave_out_building();
        let before = match session.is_resumable() {
            true => session.work(),
            false => 0,
        };
        let result = world.advance_path(&mut session, &request, budget);
        let used = session.work().saturating_sub(before);
        // A turn has as much memory as any other: what it lacks now, it always lacks.
        let is_starved = budget.memory_bytes < u64::MAX && session.is_resumable() && used == 0;
        let starved = || is_starved.then_some(Err(NoPath::OutOfBudget { best: None }));
        let used = used.max(1);
        let result = match result.or_else(starved) {
            Some(result) => {
                give(Searcher {
                    engine: session.into_searcher(),
                });
                TurnResult::Done(result)
            }
            None => {
                let search = SearchInProgress { request, session };
                TurnResult::Paused(Some(Box::new(search)))
            }
        };
        Answer { used, result }
    }

    /// True if no search is needed to know that there is no path.
    fn is_disconnected(&self, world: &World) -> bool {
        let Goal::Position(to) = self.request.to else {
            return false;
        };
        world.is_connected(self.request.agent_type, self.request.from, to) == Some(false)
    }

    /// Repairs a path if the agent is in one of its cells and the turn suffices.
    fn repair(&self, world: &World, searcher: &mut Searcher, broken: &Path) -> Answer {
        let replan = |used| Answer {
            used,
            result: TurnResult::Replan,
        };
        let from = world.frame().cell(self.request.from);
        let walk = broken.engine().as_ground_path();
        let is_on_path = self.request.method != Method::AnyAngle
            && walk.zip(from).is_some_and(|(walk, from)| {
                walk.cells.iter().any(|cell| cell.column() == from.column())
            });
        if !is_on_path {
            return replan(1);
        }
        let mut request = self.request.clone();
        request.budget.expansions = request.budget.expansions.min(self.budget.expansions);
        let all = self.budget.expansions;
        match world.repair(searcher, &request, broken) {
            Ok(path) if path.partial() != Some(PartialReason::OutOfBudget) => Answer {
                used: path.expansions().clamp(1, all),
                result: TurnResult::Done(Ok(path)),
            },
            Ok(path) => replan(path.expansions().clamp(1, all)),
            Err(NoPath::OutOfBudget { best: Some(best) }) => {
                replan(best.expansions().clamp(1, all))
            }
            Err(NoPath::Unreachable) if self.is_disconnected(world) => Answer {
                used: 1,
                result: TurnResult::Done(Err(NoPath::Unreachable)),
            },
            // How much it used is not known.
            Err(NoPath::OutOfBudget { best: None } | NoPath::Unreachable) => replan(all),
            Err(reason) => Answer {
                used: 1,
                result: TurnResult::Done(Err(reason)),
            },
        }
    }
}
