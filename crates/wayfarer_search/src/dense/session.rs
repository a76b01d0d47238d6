//! A search over a flat map that goes on a little each frame.

use wayfarer_base::{
    Budget, NoopObserver, Outcome, Progress, RequestError, Revision, SearchObserver, Session,
};
use wayfarer_world::dense::{DenseGround, DenseLayout};

use super::searcher::unreachable;
use super::{DensePath, DenseRequest, DenseSearcher};
use crate::kernel::StopReason;

/// A request in the making; owns its searcher, which serves the next request too.
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
    began: Revision,
    frame: DenseLayout,
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
    /// Begins with `request`; `request.budget` is for the whole session.
    pub fn begin(
        ground: &DenseGround,
        searcher: DenseSearcher,
        request: &DenseRequest,
    ) -> Result<Self, RequestError> {
        let mut session = Self {
            searcher,
            request: *request,
            began: ground.revision(),
            frame: ground.frame(),
            state: State::Running,
        };
        session.replace_request(ground, request)?;
        Ok(session)
    }

    /// Drops the request in the making, if any, and begins with another, in the same memory.
    ///
    /// If it is refused, the session stays as it was.
    pub fn replace_request(
        &mut self,
        ground: &DenseGround,
        request: &DenseRequest,
    ) -> Result<(), RequestError> {
        let early = self.searcher.begin(ground, request)?;
        self.request = *request;
        self.began = ground.revision();
        self.frame = ground.frame();
        self.state = match early {
            None => State::Running,
            Some(Outcome::Unreachable { .. }) => State::DifferentComponents,
            Some(_) => State::NoMemory,
        };
        Ok(())
    }

    /// Goes on by at most `budget` and tells `observer` what happens, as
    /// [`advance`](Session::advance) does without one.
    pub fn advance_observed(
        &mut self,
        ground: &DenseGround,
        budget: Budget,
        observer: &mut impl SearchObserver,
    ) -> Progress<DensePath> {
        if ground.revision() != self.began || ground.frame() != self.frame {
            return Progress::Stale {
                started_at: self.began,
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

    /// Ends the session and gives its searcher back.
    pub fn into_searcher(self) -> DenseSearcher {
        self.searcher
    }

    /// Takes an old path back, so that the next one can use its memory.
    pub fn recycle(&mut self, path: DensePath) {
        self.searcher.recycle(path);
    }
}

impl Session<DenseGround> for DenseSession {
    type Path = DensePath;

    /// Goes on by at most `budget`; once done, gives the same outcome again.
    ///
    /// A ground of another size counts as one that has moved on. A slice that allows too little
    /// memory for the next step makes no headway; a whole session that does is out of budget.
    fn advance(&mut self, ground: &DenseGround, budget: Budget) -> Progress<DensePath> {
        self.advance_observed(ground, budget, &mut NoopObserver)
    }

    fn started_at(&self) -> Revision {
        self.began
    }
}

#[cfg(test)]
mod tests;
