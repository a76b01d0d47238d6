//! Time-sliced planar search.

use wayfarer_base::{Budget, Outcome, RequestError, Revision, SearchObserver, SearchStats};
use wayfarer_world::obstacles::ObstacleSet;

use super::{PlanarPath, PlanarRequest, PlanarSearcher};
use crate::kernel::{Resumable, SearchSession, Slice};

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
pub type PlanarSession = SearchSession<PlanarSearcher>;

impl Resumable for PlanarSearcher {
    type World = ObstacleSet;
    type Request = PlanarRequest;
    type Path = PlanarPath;

    fn revision(obstacles: &ObstacleSet) -> Revision {
        obstacles.revision()
    }

    fn start(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
    ) -> Result<Option<Outcome<PlanarPath>>, RequestError> {
        self.begin(obstacles, request)?;
        Ok(None)
    }

    fn resume(
        &mut self,
        obstacles: &ObstacleSet,
        request: &PlanarRequest,
        slice: Slice,
        observer: &mut impl SearchObserver,
    ) -> Option<Outcome<PlanarPath>> {
        let is_last = self.advance(obstacles, request, slice.budget, observer)
            || self.stats().expansions >= request.budget.expansions
            || self.is_over(request.budget.memory_bytes);
        is_last.then(|| self.outcome(obstacles, request))
    }

    fn stats(&self) -> SearchStats {
        self.stats()
    }

    fn budget_left(&self, request: &PlanarRequest) -> Budget {
        let (all, used) = (request.budget, self.stats().expansions);
        Budget {
            expansions: all.expansions.saturating_sub(used),
            ..all
        }
    }

    fn recycle(&mut self, path: PlanarPath) {
        self.recycle(path);
    }
}
