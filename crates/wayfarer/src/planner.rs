//! [`Planner`]: a queue of path requests under a budget per tick, and the paths it found, kept valid
//! while the world changes.
//!
//! An update first reads the world's change log through the planner's own cursor and checks what
//! lies ahead of each agent where something changed (`validity`); then it searches (`schedule`).
//! Nothing depends on time, threads or the order of calls within a tick beyond the ids.

mod entry;
pub(crate) mod save;
mod schedule;
pub(crate) mod validity;

use std::collections::BTreeMap;

use wayfarer_engine::base::Budget;

use crate::agent_type::AgentTypeId;
use crate::facade::World;
use crate::follower::PathStep;
use crate::goal::Goal;
use crate::path::Path;
use crate::request::{NoPath, PathRequest, RequestError};
use crate::searcher::Searcher;
use crate::units::Position;
use entry::{Entry, State};
use validity::Seen;

pub use save::PlannerLoadError;

/// Requests for paths, answered in a fair order under a budget per tick.
///
/// ```
/// use wayfarer::{Planner, PlannerEvent, PlannerOptions, PathRequest, Position, Scale, World};
///
/// let map = b"type octile\nheight 2\nwidth 5\nmap\n..T..\n.....\n";
/// let world = World::import("lane.map", map, Scale::UNIT)?;
/// let mut planner = Planner::new(PlannerOptions::default());
/// let from = Position::new(0.5, 0.5, 0.0);
/// let id = planner.request(PathRequest::new(from, Position::new(4.5, 0.5, 0.0)));
/// planner.update(&world);
/// assert_eq!(planner.take_events(), [PlannerEvent::Found { id }]);
/// let step = planner.advance(id, from).unwrap();
/// assert_eq!(step.target, Position::new(1.5, 1.5, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Planner {
    options: PlannerOptions,
    entries: BTreeMap<RequestId, Entry>,
    events: Vec<PlannerEvent>,
    /// Updates so far.
    tick: u64,
    /// What it saw of the world at the last update.
    cursor: Option<Seen>,
    last_id: u64,
    stats: PlannerStats,
    /// The requests whose paths the last update changed.
    changed: Vec<RequestId>,
    /// Searchers that no search in progress holds.
    searchers: Vec<Searcher>,
    /// Keeps what was prepared; new searchers are copies of it.
    prepared: Searcher,
}

/// The limits of a planner.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlannerOptions {
    /// The work of all requests together in one update: expansions, and one more for every cell of a
    /// path whose waypoints are pulled, four where the ground has several heights or thin walls. The
    /// waypoints of the last path of an update may exceed it.
    pub budget: Budget,
    /// The work of one request over all updates; its own budget counts if it is less.
    pub request_budget: Budget,
    /// Threads that search, at least 1. Results do not depend on it.
    pub n_threads: usize,
    /// How near to a waypoint an agent has reached it, in units.
    pub arrival: f64,
}

impl Default for PlannerOptions {
    /// 20,000 expansions per update on one thread, arrival within 0.25 units.
    fn default() -> Self {
        Self {
            budget: Budget::expansions(20_000),
            request_budget: Budget::UNLIMITED,
            n_threads: 1,
            arrival: 0.25,
        }
    }
}

impl PlannerOptions {
    /// The options with at least one expansion and one thread.
    fn checked(mut self) -> Self {
        self.budget.expansions = self.budget.expansions.max(1);
        self.n_threads = self.n_threads.max(1);
        self
    }
}

/// The id of a request; never reused by its planner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RequestId(pub(crate) u64);

impl RequestId {
    /// The id as a number, the same in a planner that was saved and loaded.
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// The id of [`RequestId::to_bits`]; whether a planner knows it is found out when it is used.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

/// What happened to a request.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum PlannerEvent {
    /// A path was found for a new or retargeted request.
    Found {
        /// The request.
        id: RequestId,
    },
    /// An edit blocked the path ahead of the agent or made it costlier; another is searched.
    Invalidated {
        /// The request.
        id: RequestId,
        /// Where.
        at: Position,
    },
    /// An invalidated path was replaced, from where the agent is.
    Repaired {
        /// The request.
        id: RequestId,
    },
    /// There is no path. The request stays, to be retargeted or canceled.
    Failed {
        /// The request.
        id: RequestId,
        /// Why.
        reason: NoPath,
    },
}

/// The load of a planner.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlannerStats {
    /// Requests without an answer after the last update.
    pub n_waiting: usize,
    /// Expansions of the last update.
    pub expansions: u64,
    /// What the last update took of its budget: expansions and waypoints.
    pub work: u64,
    /// The most updates that a request has waited for its answer so far.
    pub max_wait: u64,
}

impl Planner {
    /// A planner without requests. A budget of no expansions counts as 1.
    pub fn new(options: PlannerOptions) -> Self {
        Self {
            options: options.checked(),
            entries: BTreeMap::new(),
            events: Vec::new(),
            tick: 0,
            cursor: None,
            last_id: 0,
            stats: PlannerStats::default(),
            changed: Vec::new(),
            searchers: Vec::new(),
            prepared: Searcher::default(),
        }
    }

    /// The limits.
    pub const fn options(&self) -> PlannerOptions {
        self.options
    }

    /// Sets the limits from the next update on; paths that were found keep their arrival distance. A
    /// budget of no expansions counts as 1.
    pub fn set_options(&mut self, options: PlannerOptions) {
        self.options = options.checked();
    }

    /// Queues a request, at priority 0.
    pub fn request(&mut self, request: PathRequest) -> RequestId {
        self.last_id += 1;
        let id = RequestId(self.last_id);
        self.entries.insert(id, Entry::new(request, self.tick));
        id
    }

    /// Sets the priority of a request; the higher is searched first. Eight updates of waiting count
    /// as much as one level, so that no request waits forever. False if the id is unknown.
    pub fn set_priority(&mut self, id: RequestId, priority: u8) -> bool {
        let entry = self.entries.get_mut(&id);
        entry.map(|entry| entry.priority = priority).is_some()
    }

    /// Gives a request another goal, from where its agent is. Its path stays until the new one is
    /// found. False if the id is unknown.
    pub fn retarget(&mut self, id: RequestId, to: impl Into<Goal>) -> bool {
        let Some(entry) = self.entries.get_mut(&id) else {
            return false;
        };
        entry.request.to = to.into();
        entry.request.previous = None;
        self.searchers.extend(entry.wait(self.tick, State::Search));
        true
    }

    /// Ends a request and forgets its path. False if the id is unknown.
    pub fn cancel(&mut self, id: RequestId) -> bool {
        let Some(mut entry) = self.entries.remove(&id) else {
            return false;
        };
        self.searchers.extend(entry.wait(self.tick, State::Search));
        let is_other = |event: &PlannerEvent| event.id() != id;
        self.events.retain(is_other);
        true
    }

    /// Checks paths against the edits since the last update, then searches within the budget.
    pub fn update(&mut self, world: &World) {
        self.update_within(world, Budget::UNLIMITED);
    }

    /// [`Planner::update`] with at most this budget, if it is less than the planner's own.
    pub(crate) fn update_within(&mut self, world: &World, budget: Budget) {
        self.tick += 1;
        let n_before = self.events.len();
        self.read_changes(world);
        self.build_ahead(world);
        self.search(world, budget.expansions);
        let events = self.events[n_before..].iter();
        self.changed.clear();
        self.changed.extend(events.map(PlannerEvent::id));
    }

    /// The number of updates so far, and the requests whose paths the last one changed.
    pub(crate) fn changed(&self) -> (u64, &[RequestId]) {
        (self.tick, &self.changed)
    }

    /// Why a request has no path; `None` unless it failed. A loaded planner has forgotten the reason.
    pub(crate) fn failure(&self, id: RequestId) -> Option<NoPath> {
        let entry = self.entries.get(&id)?;
        let reason = || entry.failure.clone().unwrap_or(NoPath::Unreachable);
        (entry.state == State::Failed).then(reason)
    }

    /// Builds what searches over weighted ground need for an agent type, as [`Searcher::prepare`] does,
    /// for all searches of the planner. The budget of an update does not count it, nor what its searches
    /// have to build because it was not prepared, so that results are the same with and without.
    ///
    /// # Errors
    /// If the type is unknown.
    pub fn prepare(
        &mut self,
        world: &World,
        agent_type: AgentTypeId,
        budget: Budget,
    ) -> Result<bool, RequestError> {
        self.prepared.prepare(world, agent_type, budget)
    }

    /// The events since the last call, in the order in which they happened.
    pub fn take_events(&mut self) -> Vec<PlannerEvent> {
        std::mem::take(&mut self.events)
    }

    /// The path of a request; `None` before it is found, while an invalidated one is replaced, and
    /// for an unknown id.
    pub fn path(&self, id: RequestId) -> Option<&Path> {
        let follower = self.entries.get(&id)?.follower.as_ref()?;
        Some(follower.path())
    }

    /// Where the agent of a request goes next, now that it is at `position`. Searches start from
    /// the last position given, and edits behind it do not invalidate the path. `None` without a
    /// path, as [`Planner::path`].
    pub fn advance(&mut self, id: RequestId, position: Position) -> Option<PathStep> {
        let entry = self.entries.get_mut(&id)?;
        if position.is_finite() {
            entry.request.from = position;
        }
        entry.follower.as_mut()?.advance_with_cell(position)
    }

    /// The request of an id, its start moved to the last position of the agent.
    pub fn path_request(&self, id: RequestId) -> Option<&PathRequest> {
        self.entries.get(&id).map(|entry| &entry.request)
    }

    /// The load at the last update.
    pub const fn stats(&self) -> PlannerStats {
        self.stats
    }
}

impl PlannerEvent {
    /// The request that it concerns.
    pub const fn id(&self) -> RequestId {
        match self {
            Self::Found { id }
            | Self::Invalidated { id, .. }
            | Self::Repaired { id }
            | Self::Failed { id, .. } => *id,
        }
    }
}

#[cfg(test)]
mod tests;
