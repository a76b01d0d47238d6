//! Time-sliced searches on a flat grid.

use wayfarer_base::{Budget, Outcome, RequestError, Revision, SearchObserver, SearchStats};
use wayfarer_world::dense::DenseGround;

use super::searcher::validate;
use super::{DensePath, DenseRequest, DenseSearcher};
use crate::kernel::{Resumable, SearchSession, Slice};

/// A search in progress; owns its searcher, which also serves the next request.
///
/// However it is sliced, the outcome is that of one [`find_path`](super::find_path).
///
/// ```
/// use wayfarer_base::{Budget, Cell, Progress, Raster, Session};
/// use wayfarer_search::dense::{DenseRequest, DenseSearcher, DenseSession};
/// use wayfarer_world::dense::DenseGround;
///
/// let ground = DenseGround::from_raster(Raster::from_bytes(9, 1, vec![0; 9]).unwrap())?;
/// let request = DenseRequest::new(Cell::flat(0, 0), Cell::flat(8, 0));
/// let mut session = DenseSession::begin(&ground, DenseSearcher::default(), request)?;
/// let mut frames = 1;
/// while let Progress::InProgress { .. } = session.advance(&ground, Budget::expansions(3)) {
///     frames += 1;
/// }
/// assert_eq!(frames, 3); // 8 expansions, 3 at a time
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type DenseSession = SearchSession<DenseSearcher>;

impl Resumable for DenseSearcher {
    type World = DenseGround;
    type Request = DenseRequest;
    type Path = DensePath;

    fn revision(ground: &DenseGround) -> Revision {
        ground.revision()
    }

    fn validate(ground: &DenseGround, request: &DenseRequest) -> Result<(), RequestError> {
        validate(ground, request)
    }

    fn start(
        &mut self,
        ground: &DenseGround,
        request: &DenseRequest,
    ) -> Result<Option<Outcome<DensePath>>, RequestError> {
        self.begin(ground, request)
    }

    fn can_resume(&self, ground: &DenseGround, _request: &DenseRequest) -> bool {
        self.layout == Some(ground.layout())
    }

    fn resume(
        &mut self,
        ground: &DenseGround,
        request: &DenseRequest,
        slice: Slice,
        observer: &mut impl SearchObserver,
    ) -> Option<Outcome<DensePath>> {
        let stop = self.advance(ground, request, observer, slice.budget);
        let is_last = slice.is_last(stop, self.stats());
        is_last.then(|| self.outcome(ground, stop))
    }

    fn stats(&self) -> SearchStats {
        self.search.stats()
    }

    fn budget_left(&self, request: &DenseRequest) -> Budget {
        let (all, stats) = (request.budget, self.search.stats());
        Budget {
            expansions: all.expansions.saturating_sub(stats.expansions),
            memory_bytes: all.memory_bytes.saturating_sub(self.search.grown_bytes()),
        }
    }

    fn copy_path(&mut self, path: &DensePath) -> DensePath {
        let mut cells = self.take_spare();
        cells.reserve_exact(path.cells.len());
        cells.extend_from_slice(&path.cells);
        DensePath { cells, ..*path }
    }

    fn recycle(&mut self, path: DensePath) {
        self.recycle(path);
    }
}

#[cfg(test)]
mod tests;
