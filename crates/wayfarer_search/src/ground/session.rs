//! A search over the ground that goes on a little each frame.

use wayfarer_base::{
    Budget, NoopObserver, Outcome, Progress, RequestError, Revision, SearchObserver, Session,
};
use wayfarer_world::ground::Ground;

use super::nav_graph::NavGraph;
use super::request::SpareCells;
use super::{GroundPath, GroundRequest, PathSearcher};

/// A request in the making; owns its searcher, which serves the next request too.
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
    began: Revision,
    done: Option<Outcome<GroundPath>>,
    /// True if the request was refused: there is nothing to go on with.
    is_refused: bool,
    spare: SpareCells,
}

impl GroundSession {
    /// Begins with `request`; `request.budget` is for the whole session.
    ///
    /// # Errors
    /// What is wrong with the request, and where.
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
            began: ground.revision(),
            done,
            is_refused: false,
            spare: SpareCells::default(),
        })
    }

    /// Drops the request in the making, if any, and begins with another, in the same memory.
    ///
    /// # Errors
    /// What is wrong with the request, and where; the former request is then dropped as well, and
    /// the session is stale until it begins anew.
    pub fn replace_request(
        &mut self,
        ground: &Ground,
        request: &GroundRequest,
    ) -> Result<(), RequestError> {
        self.request.copy_from(request, &mut self.spare);
        self.restart(ground)
    }

    /// Begins with the same request again, for when the world has moved on.
    ///
    /// # Errors
    /// What is wrong with the request now, and where; the session is then stale.
    pub fn restart(&mut self, ground: &Ground) -> Result<(), RequestError> {
        self.began = ground.revision();
        self.is_refused = true;
        let old = self.done.take().and_then(Outcome::best);
        old.into_iter().for_each(|path| self.searcher.recycle(path));
        let nav_graph = NavGraph::new(ground, self.request.profile_id)?;
        self.done = self.searcher.begin(nav_graph, &self.request)?;
        self.is_refused = false;
        Ok(())
    }

    /// Goes on by at most `budget` and tells `observer` what happens, as
    /// [`advance`](Session::advance) does without one.
    pub fn advance_observed(
        &mut self,
        ground: &Ground,
        budget: Budget,
        observer: &mut impl SearchObserver,
    ) -> Progress<GroundPath> {
        if ground.revision() != self.began || self.is_refused {
            return Progress::Stale {
                started_at: self.began,
                current: ground.revision(),
            };
        }
        let Ok(nav_graph) = NavGraph::new(ground, self.request.profile_id) else {
            return Progress::Stale {
                started_at: self.began,
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

    /// Takes an old path back, so that the next one can use its memory.
    pub fn recycle(&mut self, path: GroundPath) {
        self.searcher.recycle(path);
    }

    /// Ends the session and gives its searcher back.
    pub fn into_searcher(self) -> PathSearcher {
        self.searcher
    }
}

impl Session<Ground> for GroundSession {
    type Path = GroundPath;

    /// Goes on by at most `budget`; once done, gives the same outcome again.
    ///
    /// The ground must be the one the session began with: another one with the same revision is
    /// not told apart. A slice that allows too little memory for the next step makes no headway.
    fn advance(&mut self, ground: &Ground, budget: Budget) -> Progress<GroundPath> {
        self.advance_observed(ground, budget, &mut NoopObserver)
    }

    fn started_at(&self) -> Revision {
        self.began
    }
}
