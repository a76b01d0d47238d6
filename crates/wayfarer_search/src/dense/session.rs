//! Time-sliced searches on a flat grid.

use wayfarer_base::{
    Budget, NoopObserver, Outcome, Progress, RequestError, Revision, SearchObserver, Session,
};
use wayfarer_world::dense::{DenseGround, DenseLayout};

use super::searcher::unreachable;
use super::{DensePath, DenseRequest, DenseSearcher};
use crate::kernel::StopReason;

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
/// let mut session = DenseSession::begin(&ground, DenseSearcher::default(), &request)?;
/// let mut frames = 1;
/// while let Progress::InProgress { .. } = session.advance(&ground, Budget::expansions(3)) {
///     frames += 1;
/// }
/// assert_eq!(frames, 3); // 8 expansions, 3 at a time
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DenseSession {
    searcher: DenseSearcher,
    request: DenseRequest,
    started_at: Revision,
    layout: DenseLayout,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Running,
    Stopped(StopReason),
    DifferentComponents,
    NoMemory,
}

impl DenseSession {
    /// Starts `request`; `request.budget` covers the whole session.
    ///
    /// # Errors
    /// As [`find_path`](super::find_path).
    pub fn begin(
        ground: &DenseGround,
        searcher: DenseSearcher,
        request: &DenseRequest,
    ) -> Result<Self, RequestError> {
        let mut session = Self {
            searcher,
            request: *request,
            started_at: ground.revision(),
            layout: ground.layout(),
            state: State::Running,
        };
        session.replace_request(ground, request)?;
        Ok(session)
    }

    /// Drops the request in progress, if any, and starts another in the same memory.
    ///
    /// # Errors
    /// As [`find_path`](super::find_path); the session is then unchanged.
    pub fn replace_request(
        &mut self,
        ground: &DenseGround,
        request: &DenseRequest,
    ) -> Result<(), RequestError> {
        let early = self.searcher.begin(ground, request)?;
        self.request = *request;
        self.started_at = ground.revision();
        self.layout = ground.layout();
        self.state = match early {
            None => State::Running,
            Some(Outcome::Unreachable { .. }) => State::DifferentComponents,
            Some(_) => State::NoMemory,
        };
        Ok(())
    }

    /// [`advance`](Session::advance) with an observer.
    pub fn advance_observed(
        &mut self,
        ground: &DenseGround,
        budget: Budget,
        observer: &mut impl SearchObserver,
    ) -> Progress<DensePath> {
        if ground.revision() != self.started_at || ground.layout() != self.layout {
            return Progress::Stale {
                started_at: self.started_at,
                current: ground.revision(),
            };
        }
        let (searcher, request) = (&mut self.searcher, &self.request);
        if self.state == State::Running {
            let left = searcher.budget_left(request);
            let slice = Budget {
                expansions: budget.expansions.min(left.expansions),
                memory_bytes: budget.memory_bytes.min(left.memory_bytes),
            };
            let before = searcher.stats().expansions;
            let stop = searcher.advance(ground, request, observer, slice);
            let stats = searcher.stats();
            if !stop.is_last(slice, left, stats.expansions - before) {
                return Progress::InProgress { stats };
            }
            self.state = State::Stopped(stop);
        }
        Progress::Done(match self.state {
            State::Stopped(stop) => searcher.outcome(ground, stop),
            State::NoMemory => searcher.out_of_memory(ground, request),
            State::Running | State::DifferentComponents => unreachable(),
        })
    }

    /// Ends the session and returns its searcher.
    pub fn into_searcher(self) -> DenseSearcher {
        self.searcher
    }

    /// Takes back an old path, whose memory the next one reuses.
    pub fn recycle(&mut self, path: DensePath) {
        self.searcher.recycle(path);
    }
}

impl Session<DenseGround> for DenseSession {
    type Path = DensePath;

    /// Advances by at most `budget`; once done, returns the same outcome again.
    ///
    /// A ground of another size is stale. A slice with too little memory for the next expansion
    /// makes no progress; a request with too little memory is out of budget.
    fn advance(&mut self, ground: &DenseGround, budget: Budget) -> Progress<DensePath> {
        self.advance_observed(ground, budget, &mut NoopObserver)
    }

    fn started_at(&self) -> Revision {
        self.started_at
    }
}

#[cfg(test)]
mod tests;
