//! Time-sliced planar search.

use wayfarer_base::{
    Budget, NoopObserver, Outcome, Progress, RequestError, Revision, SearchObserver, Session,
};
use wayfarer_world::obstacles::ObstacleSet;

use super::{PlanarPath, PlanarRequest, PlanarSearcher};

/// A planar query that runs in slices; owns its searcher until [`PlanarSession::into_searcher`].
///
/// The outcome equals that of one [`PlanarSearcher::find`], whatever the slices.
///
/// ```
/// use wayfarer_base::{Budget, Fixed, Point2, Progress, Session};
/// use wayfarer_search::planar::{PlanarRequest, PlanarSearcher, PlanarSession};
/// use wayfarer_world::obstacles::{Obstacle, ObstacleSet, ObstacleCategories};
///
/// let mut obstacles = ObstacleSet::square(100)?;
/// obstacles.edit().insert(&Obstacle::cells(40, 0, 20, 90, ObstacleCategories::ALL)?)?;
/// let at = |x, y| Point2::new(Fixed::from_cell(x).unwrap(), Fixed::from_cell(y).unwrap());
/// let request = PlanarRequest::new(at(10, 50), at(90, 50));
/// let mut session = PlanarSession::begin(&obstacles, PlanarSearcher::default(), request)?;
/// let mut frames = 1;
/// while let Progress::InProgress { .. } = session.advance(&obstacles, Budget::expansions(2)) {
///     frames += 1;
/// }
/// assert!(frames > 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlanarSession {
    searcher: PlanarSearcher,
    request: PlanarRequest,
    started_at: Revision,
    done: Option<Outcome<PlanarPath>>,
}

impl PlanarSession {
    /// Starts `request`; `request.budget` limits the whole session.
    ///
    /// # Errors
    /// As [`PlanarSearcher::find`].
    pub fn begin(
        obstacles: &ObstacleSet,
        searcher: PlanarSearcher,
        request: PlanarRequest,
    ) -> Result<Self, RequestError> {
        let mut searcher = searcher;
        searcher.begin(obstacles, &request)?;
        Ok(Self {
            searcher,
            request,
            started_at: obstacles.revision(),
            done: None,
        })
    }

    /// As [`advance`](Session::advance), reporting search events to `observer`.
    pub fn advance_observed(
        &mut self,
        obstacles: &ObstacleSet,
        budget: Budget,
        observer: &mut impl SearchObserver,
    ) -> Progress<PlanarPath> {
        if obstacles.revision() != self.started_at {
            return Progress::Stale {
                started_at: self.started_at,
                current: obstacles.revision(),
            };
        }
        if let Some(outcome) = &self.done {
            return Progress::Done(outcome.clone());
        }
        let stats = self.searcher.stats();
        let left = self
            .request
            .budget
            .expansions
            .saturating_sub(stats.expansions);
        let slice = Budget {
            expansions: budget.expansions.min(left),
            memory_bytes: budget.memory_bytes.min(self.request.budget.memory_bytes),
        };
        let is_done = self
            .searcher
            .advance(obstacles, &self.request, slice, observer);
        let stats = self.searcher.stats();
        let is_exhausted = stats.expansions >= self.request.budget.expansions
            || self.searcher.is_over(self.request.budget.memory_bytes);
        if !is_done && !is_exhausted {
            return Progress::InProgress { stats };
        }
        let outcome = self.searcher.outcome(obstacles, &self.request);
        self.done = Some(outcome.clone());
        Progress::Done(outcome)
    }

    /// Ends the session and returns its searcher.
    pub fn into_searcher(self) -> PlanarSearcher {
        self.searcher
    }
}

impl Session<ObstacleSet> for PlanarSession {
    type Path = PlanarPath;

    /// Runs within `budget`; once done, returns the same outcome again.
    ///
    /// `obstacles` must be the set the session began with: another set at the same revision is
    /// not detected.
    fn advance(&mut self, obstacles: &ObstacleSet, budget: Budget) -> Progress<PlanarPath> {
        self.advance_observed(obstacles, budget, &mut NoopObserver)
    }

    fn started_at(&self) -> Revision {
        self.started_at
    }
}
