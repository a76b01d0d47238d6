//! Time-sliced searches over the ground.

use wayfarer_base::{
    Budget, NoopObserver, Outcome, Progress, RequestError, Revision, SearchObserver, Session,
};
use wayfarer_world::ground::Ground;

use super::nav_graph::NavGraph;
use super::request::SpareCells;
use super::{GroundPath, GroundRequest, PathSearcher};

/// A request in progress; owns its searcher, which also serves the next request.
///
/// However it is sliced, the outcome is that of one [`PathSearcher::find`].
///
/// ```
/// use wayfarer_base::{Budget, Cell, Progress, Raster, Session};
/// use wayfarer_search::ground::{GroundSession, Method, GroundRequest, PathSearcher};
/// use wayfarer_world::ground::Ground;
///
/// let ground = Ground::from_raster(&Raster::from_bytes(9, 1, vec![0; 9]).unwrap());
/// let mut request = GroundRequest::new(Cell::flat(0, 0), Cell::flat(8, 0));
/// request.method = Method::AStar;
/// let mut session = GroundSession::begin(&ground, PathSearcher::default(), request)?;
/// let mut frames = 1;
/// while let Progress::InProgress { .. } = session.advance(&ground, Budget::expansions(3)) {
///     frames += 1;
/// }
/// assert_eq!(frames, 3); // 8 expansions, 3 at a time
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GroundSession {
    searcher: PathSearcher,
    request: GroundRequest,
    started_at: Revision,
    done: Option<Outcome<GroundPath>>,
    /// The last request was invalid: there is no search to advance.
    is_rejected: bool,
    spare: SpareCells,
}

impl GroundSession {
    /// Starts `request`; `request.budget` covers the whole session.
    ///
    /// # Errors
    /// As [`PathSearcher::find`].
    pub fn begin(
        ground: &Ground,
        searcher: PathSearcher,
        request: GroundRequest,
    ) -> Result<Self, RequestError> {
        let mut searcher = searcher;
        let nav_graph = NavGraph::new(ground, request.profile_id)?;
        let done = searcher.begin(nav_graph, &request)?;
        Ok(Self {
            searcher,
            request,
            started_at: ground.revision(),
            done,
            is_rejected: false,
            spare: SpareCells::default(),
        })
    }

    /// Drops the request in progress, if any, and starts another in the same memory.
    ///
    /// # Errors
    /// As [`PathSearcher::find`]; the session is then stale until it starts a valid request.
    pub fn replace_request(
        &mut self,
        ground: &Ground,
        request: &GroundRequest,
    ) -> Result<(), RequestError> {
        self.request.copy_from(request, &mut self.spare);
        self.restart(ground)
    }

    /// Starts the same request again, after the world has changed.
    ///
    /// # Errors
    /// As [`PathSearcher::find`]; the session is then stale.
    pub fn restart(&mut self, ground: &Ground) -> Result<(), RequestError> {
        self.started_at = ground.revision();
        self.is_rejected = true;
        let old = self.done.take().and_then(Outcome::best);
        old.into_iter().for_each(|path| self.searcher.recycle(path));
        let nav_graph = NavGraph::new(ground, self.request.profile_id)?;
        self.done = self.searcher.begin(nav_graph, &self.request)?;
        self.is_rejected = false;
        Ok(())
    }

    /// [`advance`](Session::advance) with an observer.
    pub fn advance_observed(
        &mut self,
        ground: &Ground,
        budget: Budget,
        observer: &mut impl SearchObserver,
    ) -> Progress<GroundPath> {
        let nav_graph = NavGraph::new(ground, self.request.profile_id);
        let is_fresh = ground.revision() == self.started_at && !self.is_rejected;
        let (Ok(nav_graph), true) = (nav_graph, is_fresh) else {
            return Progress::Stale {
                started_at: self.started_at,
                current: ground.revision(),
            };
        };
        if let Some(outcome) = &self.done {
            return Progress::Done(self.searcher.copy(outcome));
        }
        let left = self.searcher.budget_left(&self.request);
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
        let outcome = self.searcher.outcome(nav_graph, &self.request, stop);
        let copy = self.searcher.copy(&outcome);
        self.done = Some(outcome);
        Progress::Done(copy)
    }

    /// Takes back an old path, whose memory the next one reuses.
    pub fn recycle(&mut self, path: GroundPath) {
        self.searcher.recycle(path);
    }

    /// Ends the session and returns its searcher.
    pub fn into_searcher(self) -> PathSearcher {
        self.searcher
    }
}

impl Session<Ground> for GroundSession {
    type Path = GroundPath;

    /// Advances by at most `budget`; once done, returns the same outcome again.
    ///
    /// The ground must be the one the session started with: another one at the same revision is
    /// not detected. A slice with too little memory for the next expansion makes no progress.
    fn advance(&mut self, ground: &Ground, budget: Budget) -> Progress<GroundPath> {
        self.advance_observed(ground, budget, &mut NoopObserver)
    }

    fn started_at(&self) -> Revision {
        self.started_at
    }
}
