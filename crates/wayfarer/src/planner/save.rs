//! Saved planners.
//!
//! Layout: `WFPLAN04`; the state; its FNV-1a digest, 8 bytes, little-endian. A search in progress is
//! saved as its request and its expansions: loading runs it again up to there, which gives the same
//! state, since slices do not change a search.

pub(crate) mod codec;
mod paths;

use std::collections::BTreeSet;

use thiserror::Error;
use wayfarer_engine::base::{Budget, Cost, Digest, SectorId};

use super::entry::{Entry, Run, SearchInProgress, State};
use super::schedule::MAX_PAUSED;
use super::validity::Seen;
use super::{Planner, PlannerEvent, PlannerOptions, PlannerStats, RequestId};
use crate::facade::World;
use crate::follower::Follower;
use crate::path::Path;
use crate::request::{NoPath, PathRequest};
use codec::{Source, Stored};

const MAGIC: &[u8; 8] = b"WFPLAN04";
/// The most updates and requests of a planner: later ones must not overflow.
const MAX_COUNT: u64 = 1 << 63;

/// Why bytes are no saved planner of a world.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the bytes are no planner of this world: {what}")]
pub struct PlannerLoadError {
    what: &'static str,
}

/// An event to restore; the reason of an invalid request is found again by the next update.
type StoredEvent = (u8, (RequestId, (crate::units::Position, Option<Path>)));

impl Planner {
    /// Saves the planner for [`Planner::load`], with the events not yet taken, at any moment. If the
    /// ground was edited since the last update, searches in progress start again when it is loaded.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        self.options.put(&mut bytes);
        (self.tick, self.last_id).put(&mut bytes);
        self.cursor.put(&mut bytes);
        self.stats.put(&mut bytes);
        self.changed.put(&mut bytes);
        let events: Vec<StoredEvent> = self.events.iter().filter_map(stored_event).collect();
        events.put(&mut bytes);
        self.entries.len().put(&mut bytes);
        let failing = self.events.iter();
        let failing = failing.filter(|event| stored_event(event).is_none());
        let failing: BTreeSet<RequestId> = failing.map(PlannerEvent::id).collect();
        for (&id, entry) in &self.entries {
            id.put(&mut bytes);
            failing.contains(&id).put(&mut bytes);
            put_entry(entry, &mut bytes);
        }
        let mut digest = Digest::default();
        digest.bytes(&bytes);
        bytes.extend(digest.value().to_le_bytes());
        bytes
    }

    /// The planner saved by [`Planner::save`], which goes on with the same events. `world` is the
    /// world that was saved with it. Searches in progress run again up to where they were.
    ///
    /// # Errors
    /// The bytes are damaged, no saved planner, or refer to an agent type that the world lacks.
    pub fn load(bytes: &[u8], world: &World) -> Result<Self, PlannerLoadError> {
        let error = |what| PlannerLoadError { what };
        let (content, digest) = bytes.split_last_chunk::<8>().ok_or(error("too short"))?;
        let mut found = Digest::default();
        found.bytes(content);
        if found.value() != u64::from_le_bytes(*digest) {
            return Err(error("the digest does not match"));
        }
        let rest = content.strip_prefix(MAGIC.as_slice());
        let rest = rest.ok_or(error("the first bytes are not `WFPLAN04`"))?;
        let mut source = Source { rest, world };
        let planner = take_planner(&mut source);
        match (planner, source.rest) {
            (Some(planner), []) => Ok(planner),
            _ => Err(error(
                "a value is out of range, or an agent type is unknown",
            )),
        }
    }
}

fn take_planner(source: &mut Source<'_>) -> Option<Planner> {
    let mut planner = Planner::new(PlannerOptions::take(source)?);
    (planner.tick, planner.last_id) = Stored::take(source)?;
    if planner.tick.max(planner.last_id) > MAX_COUNT {
        return None;
    }
    planner.cursor = Stored::take(source)?;
    planner.stats = Stored::take(source)?;
    planner.changed = Stored::take(source)?;
    let events: Vec<StoredEvent> = Stored::take(source)?;
    planner.events = events
        .into_iter()
        .map(event_of)
        .collect::<Option<Vec<_>>>()?;
    let mut n_searches = 0;
    for _ in 0..usize::take(source)? {
        let id = RequestId::take(source)?;
        let is_failing = bool::take(source)?;
        let mut entry = take_entry(source, &planner.options, &mut n_searches)?;
        if is_failing {
            entry.state = State::Search;
        }
        let is_valid = id.0 <= planner.last_id && entry.since <= planner.tick;
        if !is_valid || planner.entries.insert(id, entry).is_some() {
            return None;
        }
    }
    Some(planner)
}

fn put_entry(entry: &Entry, bytes: &mut Vec<u8>) {
    entry.request.put(bytes);
    (entry.priority, entry.since).put(bytes);
    let (number, broken) = match &entry.state {
        State::Search => (0_u8, None),
        State::Repair(path) => (1, Some(path.clone())),
        State::Replan => (2, None),
        State::Found => (3, None),
        State::Failed => (4, None),
    };
    (number, broken).put(bytes);
    let follower = entry.follower.as_ref();
    follower.map(|follower| follower.path().clone()).put(bytes);
    let progress = follower.map_or((0, 0), |follower| (follower.next, follower.cell));
    progress.put(bytes);
    entry.runs.put(bytes);
    ((entry.n_restarts, entry.n_lost), entry.wanted).put(bytes);
    entry.search.is_some().put(bytes);
    if let Some(SearchInProgress { request, session }) = &entry.search {
        request.put(bytes);
        session.is_resumable().put(bytes);
        (session.work(), session.started_at()).put(bytes);
    }
}

fn take_entry(
    source: &mut Source<'_>,
    options: &PlannerOptions,
    n_searches: &mut usize,
) -> Option<Entry> {
    let mut entry = Entry::new(PathRequest::take(source)?, 0);
    (entry.priority, entry.since) = Stored::take(source)?;
    let (number, broken): (u8, Option<Path>) = Stored::take(source)?;
    entry.state = match (number, broken) {
        (0, None) => State::Search,
        (1, Some(path)) => State::Repair(path),
        (2, None) => State::Replan,
        (3, None) => State::Found,
        (4, None) => State::Failed,
        _ => return None,
    };
    let path: Option<Path> = Stored::take(source)?;
    let progress = Stored::take(source)?;
    entry.follower = path.map(|path| Follower::at(path, options.arrival, progress));
    entry.runs = Stored::take(source)?;
    let follower = entry.follower.as_ref();
    let walk = follower.and_then(|follower| follower.path().engine().as_ground_path());
    let n_cells = walk.map_or(0, |walk| walk.cells.len());
    if entry.runs.iter().any(|run| run.end >= n_cells) {
        return None;
    }
    ((entry.n_restarts, entry.n_lost), entry.wanted) = Stored::take(source)?;
    if bool::take(source)? {
        // Each is run again, which takes far longer than reading it.
        *n_searches += 1;
        if *n_searches > MAX_PAUSED {
            return None;
        }
        let request = PathRequest::take(source)?;
        let is_resumable = bool::take(source)?;
        let (n_used, started_at) = Stored::take(source)?;
        entry.search = run_again(source.world, request, is_resumable.then_some(n_used));
        let is_stale = entry
            .search
            .as_ref()
            .is_none_or(|search| is_resumable && search.session.started_at() != started_at);
        if is_stale {
            entry.search = None;
            entry.restart(n_used, options.budget.expansions);
        }
    }
    Some(entry)
}

/// Runs a search up to where it was; `None` if it ends before, in a world that has changed.
fn run_again(world: &World, request: PathRequest, n_used: Option<u64>) -> Option<SearchInProgress> {
    let mut session = world.begin_path(Default::default(), &request).ok()?;
    session.leave_out_building();
    let budget = Budget::expansions(n_used.unwrap_or(1));
    match world.advance_path(&mut session, &request, budget) {
        Some(_) => None,
        None => Some(SearchInProgress { request, session }),
    }
}

/// `None` for an invalid request.
fn stored_event(event: &PlannerEvent) -> Option<StoredEvent> {
    let (number, at, best) = match event {
        PlannerEvent::Found { .. } => (0, None, None),
        PlannerEvent::Invalidated { at, .. } => (1, Some(*at), None),
        PlannerEvent::Repaired { .. } => (2, None, None),
        PlannerEvent::Failed { reason, .. } => match reason {
            NoPath::Unreachable => (3, None, None),
            NoPath::OutOfBudget { best } => (4, None, best.clone()),
            NoPath::Invalid(_) => return None,
        },
    };
    Some((number, (event.id(), (at.unwrap_or_default(), best))))
}

fn event_of((number, (id, (at, best))): StoredEvent) -> Option<PlannerEvent> {
    Some(match number {
        0 => PlannerEvent::Found { id },
        1 => PlannerEvent::Invalidated { id, at },
        2 => PlannerEvent::Repaired { id },
        3 => PlannerEvent::Failed {
            id,
            reason: NoPath::Unreachable,
        },
        4 => PlannerEvent::Failed {
            id,
            reason: NoPath::OutOfBudget { best },
        },
        _ => return None,
    })
}

impl Stored for RequestId {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.0.put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        u64::take(source).map(Self)
    }
}

impl Stored for Seen {
    fn put(&self, bytes: &mut Vec<u8>) {
        (self.ground, self.air).put(bytes);
        (self.obstacles, self.air_links).put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        let (ground, air) = Stored::take(source)?;
        let (obstacles, air_links) = Stored::take(source)?;
        Some(Self {
            ground,
            air,
            obstacles,
            air_links,
        })
    }
}

impl Stored for PlannerOptions {
    fn put(&self, bytes: &mut Vec<u8>) {
        (self.budget, self.request_budget).put(bytes);
        (self.n_threads, self.arrival).put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        let (budget, request_budget): (Budget, Budget) = Stored::take(source)?;
        let (n_threads, arrival) = Stored::take(source)?;
        Some(Self {
            budget,
            request_budget,
            n_threads,
            arrival,
        })
    }
}

impl Stored for PlannerStats {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.n_waiting.put(bytes);
        (self.expansions, self.max_wait).put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        let n_waiting = Stored::take(source)?;
        let (expansions, max_wait) = Stored::take(source)?;
        Some(Self {
            n_waiting,
            expansions,
            work: expansions,
            max_wait,
        })
    }
}

impl Stored for Run {
    fn put(&self, bytes: &mut Vec<u8>) {
        (self.sector.x, self.sector.y).put(bytes);
        ((self.begin, self.end), self.cost).put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        let (x, y) = Stored::take(source)?;
        let ((begin, end), cost): ((usize, usize), Cost) = Stored::take(source)?;
        (begin <= end).then_some(Self {
            sector: SectorId::new(x, y),
            begin,
            end,
            cost,
        })
    }
}
