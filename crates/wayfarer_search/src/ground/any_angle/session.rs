//! Time-sliced Lazy Theta\*.

use wayfarer_base::{
    Budget, Cell, NoopObserver, Progress, RequestError, Revision, SearchObserver, Session,
    UnreachableProof,
};
use wayfarer_world::ground::{Ground, ProfileId};

use super::{AnyAnglePath, AnyAngleSearcher, unreachable};
use crate::ground::NavGraph;
use crate::kernel::StopReason;

/// An any-angle search in progress; owns its searcher, which also serves the next request.
///
/// However it is sliced, the outcome is that of one [`AnyAngleSearcher::find`].
///
/// ```
/// use wayfarer_base::{Budget, Cell, Progress, Raster, Session};
/// use wayfarer_search::ground::{AnyAngleSearcher, AnyAngleSession};
/// use wayfarer_world::ground::Ground;
///
/// let ground = Ground::from_raster(&Raster::from_bytes(9, 1, vec![0; 9]).unwrap());
/// let searcher = AnyAngleSearcher::default();
/// let (from, to) = (Cell::flat(0, 0), Cell::flat(8, 0));
/// let mut session = AnyAngleSession::begin(&ground, searcher, (from, to), Budget::UNLIMITED)?;
/// let mut frames = 1;
/// while let Progress::InProgress { .. } = session.advance(&ground, Budget::expansions(3)) {
///     frames += 1;
/// }
/// assert_eq!(frames, 3); // 8 expansions, 3 at a time
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AnyAngleSession {
    searcher: AnyAngleSearcher,
    profile_id: Option<ProfileId>,
    budget: Budget,
    started_at: Revision,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Running,
    Stopped(StopReason),
    DifferentComponents,
    /// The last request was invalid.
    Rejected,
}

impl AnyAngleSession {
    /// Starts a search from the first of `ends` to the second; `budget` covers the whole session.
    ///
    /// # Errors
    /// As [`AnyAngleSearcher::find`].
    pub fn begin<'g>(
        nav_graph: impl Into<NavGraph<'g>>,
        searcher: AnyAngleSearcher,
        ends: (Cell, Cell),
        budget: Budget,
    ) -> Result<Self, RequestError> {
        let nav_graph = nav_graph.into();
        let mut session = Self {
            searcher,
            profile_id: nav_graph.profile_id(),
            budget,
            started_at: nav_graph.ground().revision(),
            state: State::Running,
        };
        session.replace_request(nav_graph, ends, budget)?;
        Ok(session)
    }

    /// Drops the request in progress, if any, and starts another in the same memory.
    ///
    /// # Errors
    /// As [`AnyAngleSearcher::find`]; the session is then stale until its request is replaced.
    pub fn replace_request<'g>(
        &mut self,
        nav_graph: impl Into<NavGraph<'g>>,
        (from, to): (Cell, Cell),
        budget: Budget,
    ) -> Result<(), RequestError> {
        let nav_graph = nav_graph.into();
        self.profile_id = nav_graph.profile_id();
        self.budget = budget;
        self.started_at = nav_graph.ground().revision();
        self.state = State::Rejected;
        self.state = if self.searcher.begin(nav_graph, from, to, budget)? {
            State::Running
        } else {
            State::DifferentComponents
        };
        Ok(())
    }

    /// [`advance`](Session::advance) with an observer.
    pub fn advance_observed(
        &mut self,
        ground: &Ground,
        budget: Budget,
        observer: &mut impl SearchObserver,
    ) -> Progress<AnyAnglePath> {
        let nav_graph = NavGraph::new(ground, self.profile_id);
        let is_fresh = ground.revision() == self.started_at && self.state != State::Rejected;
        let (Ok(nav_graph), true) = (nav_graph, is_fresh) else {
            return Progress::Stale {
                started_at: self.started_at,
                current: ground.revision(),
            };
        };
        if self.state == State::Running {
            let left = self.searcher.budget_left(self.budget);
            let slice = Budget {
                expansions: budget.expansions.min(left.expansions),
                memory_bytes: budget.memory_bytes.min(left.memory_bytes),
            };
            let before = self.searcher.stats().expansions;
            let stop = self.searcher.advance(nav_graph, observer, slice);
            let stats = self.searcher.stats();
            if !stop.is_last(slice, left, stats.expansions - before) {
                return Progress::InProgress { stats };
            }
            self.state = State::Stopped(stop);
        }
        Progress::Done(match self.state {
            State::Stopped(stop) => self.searcher.outcome(nav_graph, stop),
            _ => unreachable(UnreachableProof::DifferentComponents),
        })
    }

    /// Takes back an old path, whose memory the next one reuses.
    pub fn recycle(&mut self, path: AnyAnglePath) {
        self.searcher.recycle(path);
    }

    /// Ends the session and returns its searcher.
    pub fn into_searcher(self) -> AnyAngleSearcher {
        self.searcher
    }
}

impl Session<Ground> for AnyAngleSession {
    type Path = AnyAnglePath;

    /// Advances by at most `budget`; once done, returns the same outcome again.
    fn advance(&mut self, ground: &Ground, budget: Budget) -> Progress<AnyAnglePath> {
        self.advance_observed(ground, budget, &mut NoopObserver)
    }

    fn started_at(&self) -> Revision {
        self.started_at
    }
}
