//! Time-sliced searches over the ground.

use wayfarer_base::{Budget, Outcome, RequestError, Revision, SearchObserver, SearchStats};
use wayfarer_world::ground::Ground;

use super::nav_graph::NavGraph;
use super::{GroundPath, GroundRequest, PathSearcher};
use crate::kernel::{Resumable, SearchSession, Slice};

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
pub type GroundSession = SearchSession<PathSearcher>;

impl Resumable for PathSearcher {
    type World = Ground;
    type Request = GroundRequest;
    type Path = GroundPath;

    fn revision(ground: &Ground) -> Revision {
        ground.revision()
    }

    fn identity(ground: &Ground) -> u64 {
        ground.identity()
    }

    fn start(
        &mut self,
        ground: &Ground,
        request: &GroundRequest,
    ) -> Result<Option<Outcome<GroundPath>>, RequestError> {
        self.begin(NavGraph::new(ground, request.profile_id)?, request)
    }

    fn can_resume(&self, ground: &Ground, request: &GroundRequest) -> bool {
        NavGraph::new(ground, request.profile_id).is_ok()
    }

    fn resume(
        &mut self,
        ground: &Ground,
        request: &GroundRequest,
        slice: Slice,
        observer: &mut impl SearchObserver,
    ) -> Option<Outcome<GroundPath>> {
        let nav_graph = NavGraph::new(ground, request.profile_id).ok()?;
        let had_tables = self.runs_over_tables();
        let mut budget = slice.budget;
        if had_tables {
            // Tables keep to the work of all slices so far.
            budget.expansions = slice.left.expansions;
        }
        let stop = self.advance(nav_graph, observer, budget, slice.work);
        let is_last = !self.is_pause(had_tables, stop) && slice.is_last(stop, self.stats());
        is_last.then(|| self.outcome(nav_graph, request, stop))
    }

    fn stats(&self) -> SearchStats {
        self.stats()
    }

    fn work(&self) -> u64 {
        self.work()
    }

    fn budget_left(&self, request: &GroundRequest) -> Budget {
        self.budget_left(request)
    }

    fn copy_path(&mut self, path: &GroundPath) -> GroundPath {
        self.spare.copy(path)
    }

    fn copy_request(&mut self, to: &mut GroundRequest, from: &GroundRequest) {
        to.copy_from(from, &mut self.spare_cells);
    }

    fn recycle(&mut self, path: GroundPath) {
        self.recycle(path);
    }
}
