//! The state of one request.

use wayfarer_engine::PathSession;
use wayfarer_engine::base::{Cost, Fixed, SectorId};
use wayfarer_engine::search::ground::{GroundPath, NavGraph, is_clear_for_body, is_clear_for_disc};

use crate::facade::World;
use crate::follower::Follower;
use crate::path::Path;
use crate::request::{NoPath, PathRequest};
use crate::searcher::Searcher;

/// A request and what the planner knows about it.
#[derive(Debug)]
pub(super) struct Entry {
    /// As given, but from the last position of the agent.
    pub(super) request: PathRequest,
    pub(super) priority: u8,
    pub(super) state: State,
    /// The update at which it began to wait.
    pub(super) since: u64,
    /// The path that the agent follows.
    pub(super) follower: Option<Follower>,
    /// The ground path of the follower by sectors; empty for other paths.
    pub(super) runs: Vec<Run>,
    /// The search in progress.
    pub(super) search: Option<SearchInProgress>,
    /// Times that an edit made the search start again.
    pub(super) n_restarts: u32,
    /// Those that lost the work of a whole update.
    pub(super) n_lost: u32,
    /// Why there is no path, if it failed.
    pub(super) failure: Option<NoPath>,
    /// Expansions that the next turn should have, if more than the usual share.
    pub(super) wanted: u64,
    /// The update in which the agent could not take over a path; another try there would end alike.
    pub(super) rejected_in: u64,
}

/// A search that goes on in the next update.
#[derive(Debug)]
pub(super) struct SearchInProgress {
    /// The request as it was when the search began.
    pub(super) request: PathRequest,
    pub(super) session: PathSession,
}

impl SearchInProgress {
    pub(super) fn into_searcher(self) -> Searcher {
        let engine = self.session.into_searcher();
        Searcher { engine }
    }
}

/// What a request waits for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum State {
    /// Its first path, or one to a new goal.
    Search,
    /// Another path in place of this one, which an edit blocked.
    Repair(Path),
    /// A search in place of a path that could not be repaired.
    Replan,
    /// Nothing: it has a path.
    Found,
    /// Nothing: there is no path.
    Failed,
}

/// Consecutive cells of a ground path that begin in one sector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Run {
    pub(super) sector: SectorId,
    /// Index of its first cell.
    pub(super) begin: usize,
    /// Index of its last cell, the first of the next run.
    pub(super) end: usize,
    /// What it cost when the path was accepted.
    pub(super) cost: Cost,
}

impl Entry {
    pub(super) const fn new(request: PathRequest, tick: u64) -> Self {
        Self {
            request,
            priority: 0,
            state: State::Search,
            since: tick,
            follower: None,
            runs: Vec::new(),
            search: None,
            n_restarts: 0,
            n_lost: 0,
            failure: None,
            wanted: 0,
            rejected_in: 0,
        }
    }

    pub(super) const fn is_waiting(&self) -> bool {
        !matches!(self.state, State::Found | State::Failed)
    }

    /// True if it waits and a search in update `tick` may help.
    pub(super) const fn is_searchable(&self, tick: u64) -> bool {
        self.is_waiting() && self.rejected_in != tick
    }

    /// Gives up a path that the agent could not take over: the next update searches from where it stands.
    pub(super) fn reject(&mut self, tick: u64) {
        if matches!(self.state, State::Repair(_)) {
            self.state = State::Replan;
        }
        self.rejected_in = tick;
    }

    /// Begins to wait; a request that waits already keeps its turn. Gives back the searcher of a
    /// search in progress.
    pub(super) fn wait(&mut self, tick: u64, state: State) -> Option<Searcher> {
        if !self.is_waiting() {
            self.since = tick;
        }
        self.state = state;
        (self.n_restarts, self.n_lost, self.wanted) = (0, 0, 0);
        let search = self.search.take();
        search.map(SearchInProgress::into_searcher)
    }

    /// Follows a path found in update `tick`. False if the agent has moved since the search began and
    /// neither the start of the path nor its first turn lies in a clear line: it stops then, and waits
    /// for a search from where it stands.
    pub(super) fn accept(&mut self, world: &World, path: Path, arrival: f64, tick: u64) -> bool {
        let next = self.first_target(world, &path, tick);
        self.runs = runs_of(world, &path);
        self.follower = next.map(|next| Follower::at(path, arrival, (next, 0)));
        if next.is_some() {
            self.state = State::Found;
        } else {
            self.runs.clear();
        }
        (self.n_restarts, self.n_lost, self.wanted) = (0, 0, 0);
        next.is_some()
    }

    /// True if the agent followed a path up to update `tick`: it is no longer where it was last seen.
    fn is_walking(&self, tick: u64) -> bool {
        let is_just_invalid = matches!(self.state, State::Repair(_) | State::Replan);
        self.follower.is_some() || is_just_invalid && self.since == tick
    }

    /// The waypoint that the agent steers to first.
    fn first_target(&self, world: &World, path: &Path, tick: u64) -> Option<usize> {
        let frame = world.frame();
        let (position, start) = (self.request.from, path.start());
        let from = frame.point(position);
        let nav_graph = world.engine().nav_graph(path.agent_type());
        let is_walk = path.engine().as_ground_path().is_some();
        let (Ok(nav_graph), Some(from), true) = (nav_graph, from, is_walk) else {
            return Some(0);
        };
        let height = frame.cell(position).map_or(0, |cell| cell.z);
        if start.and_then(|start| frame.point(start)) == Some(from) {
            // Not back to a place where an edit left no room for the body. A point on a line that
            // touches a corner may be off it by the rounding.
            let radius = nav_graph.profile().radius.raw().saturating_sub(2);
            let at = (from, height);
            let fits = || is_clear_for_disc(nav_graph, Fixed::from_raw(radius), at, at);
            return (!self.is_walking(tick) || fits()).then_some(0);
        }
        let is_clear = |index: &usize| {
            let to = path.waypoints().nth(*index);
            let to = to.and_then(|to| Some((frame.point(to)?, frame.cell(to)?.z)));
            to.is_some_and(|to| is_clear_for_body(nav_graph, (from, height), to))
        };
        [1, 0].into_iter().find(is_clear)
    }
}

/// The runs of a path that is a single ground leg, at present costs; none for other paths.
fn runs_of(world: &World, path: &Path) -> Vec<Run> {
    let nav_graph = world.engine().nav_graph(path.agent_type());
    let (Some(walk), Ok(nav_graph)) = (path.engine().as_ground_path(), nav_graph) else {
        return Vec::new();
    };
    let mut runs = Vec::new();
    let mut begin = 0;
    for end in 1..walk.cells.len() {
        let sector = SectorId::from_column(walk.cells[begin].column());
        let is_last = end + 1 == walk.cells.len();
        if is_last || SectorId::from_column(walk.cells[end].column()) != sector {
            runs.push(Run {
                sector,
                begin,
                end,
                cost: run_cost(nav_graph, walk, (begin, end)).unwrap_or(Cost::ZERO),
            });
            begin = end;
        }
    }
    runs
}

/// The present cost of the cells from `begin` to `end`; `None` if a step is blocked.
pub(super) fn run_cost(
    nav_graph: NavGraph<'_>,
    walk: &GroundPath,
    (begin, end): (usize, usize),
) -> Option<Cost> {
    GroundPath::cost_along(nav_graph, walk.cells.get(begin..=end)?)
}
