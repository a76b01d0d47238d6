//! A search through the field that goes on a little each frame.

use wayfarer_base::{
    Budget, NoopObserver, Outcome, Progress, RequestError, Revision, SearchObserver, Session,
};
use wayfarer_world::obstacles::ObstacleSet;

use super::{PlanarPath, PlanarRequest, PlanarSearcher};

/// A request in the making; owns its searcher, which serves the next request too.
///
/// However it is sliced, the outcome is that of one [`PlanarSearcher::find`].
///
/// ```
/// use wayfarer_base::{Budget, Fixed, Point2, Progress, Session};
/// use wayfarer_search::obstacles::{PlanarRequest, PlanarSearcher, PlanarSession};
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
    began: Revision,
    done: Option<Outcome<PlanarPath>>,
}

impl PlanarSession {
    /// Begins with `request`; `request.budget` is for the whole session.
    ///
    /// # Errors
    /// What is wrong with the request, and where.
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
            began: obstacles.revision(),
            done: None,
        })
    }

    /// Goes on by at most `budget` and tells `observer` what happens, as
    /// [`advance`](Session::advance) does without one.
    pub fn advance_observed(
        &mut self,
        obstacles: &ObstacleSet,
        budget: Budget,
        observer: &mut impl SearchObserver,
    ) -> Progress<PlanarPath> {
        if obstacles.revision() != self.began {
            return Progress::Stale {
                started_at: self.began,
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

    /// Ends the session and gives its searcher back.
    pub fn into_searcher(self) -> PlanarSearcher {
        self.searcher
    }
}

impl Session<ObstacleSet> for PlanarSession {
    type Path = PlanarPath;

    /// Goes on by at most `budget`; once done, gives the same outcome again.
    ///
    /// The field must be the one the session began with: another one with the same revision is
    /// not told apart.
    fn advance(&mut self, obstacles: &ObstacleSet, budget: Budget) -> Progress<PlanarPath> {
        self.advance_observed(obstacles, budget, &mut NoopObserver)
    }

    fn started_at(&self) -> Revision {
        self.began
    }
}
