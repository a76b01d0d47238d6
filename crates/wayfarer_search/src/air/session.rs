//! Time-sliced flight search.

use wayfarer_base::{
    Budget, NoopObserver, Outcome, Progress, RequestError, Revision, SearchObserver, Session,
};
use wayfarer_world::air::Air;

use super::{FlightPath, FlightRequest, FlightSearcher};

/// A flight query that runs in slices; the outcome equals that of one [`FlightSearcher::find`].
///
/// ```
/// use wayfarer_base::{Budget, Progress, Session, Voxel};
/// use wayfarer_search::air::{FlightSession, FlightRequest, FlightSearcher};
/// use wayfarer_world::air::AirBuilder;
///
/// let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [64, 64, 64])?;
/// builder.add_box(Voxel::new(30, 0, 0), Voxel::new(30, 63, 60))?;
/// let air = builder.build()?;
/// let request = FlightRequest::new(Voxel::new(2, 2, 2), Voxel::new(61, 2, 2));
/// let whole = FlightSearcher::default().find(&air, &request)?;
/// let mut session = FlightSession::begin(&air, FlightSearcher::default(), request)?;
/// let mut n_slices = 1;
/// let sliced = loop {
///     match session.advance(&air, Budget::expansions(3)) {
///         Progress::Done(outcome) => break outcome,
///         Progress::InProgress { .. } => n_slices += 1,
///         Progress::Stale { .. } => unreachable!("nothing was edited"),
///     }
/// };
/// assert_eq!(sliced, whole);
/// assert!(n_slices > 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FlightSession {
    searcher: FlightSearcher,
    request: FlightRequest,
    started_at: Revision,
    done: Option<Outcome<FlightPath>>,
}

impl FlightSession {
    /// Starts `request` with the scratch of a searcher.
    ///
    /// # Errors
    /// As [`FlightSearcher::find`].
    pub fn begin(
        air: &Air,
        mut searcher: FlightSearcher,
        request: FlightRequest,
    ) -> Result<Self, RequestError> {
        let done = searcher.begin(air, &request)?;
        Ok(Self {
            searcher,
            request,
            started_at: air.revision(),
            done,
        })
    }

    /// Drops the current request and starts another with the same scratch.
    ///
    /// # Errors
    /// As [`FlightSearcher::find`]; the current request is dropped nevertheless.
    pub fn replace_request(
        &mut self,
        air: &Air,
        request: FlightRequest,
    ) -> Result<(), RequestError> {
        self.request = request;
        self.started_at = air.revision();
        self.done = None;
        self.done = self.searcher.begin(air, &self.request)?;
        Ok(())
    }

    /// As [`advance`](Session::advance), reporting search events to `observer`.
    pub fn advance_observed(
        &mut self,
        air: &Air,
        budget: Budget,
        observer: &mut impl SearchObserver,
    ) -> Progress<FlightPath> {
        if air.revision() != self.started_at {
            return Progress::Stale {
                started_at: self.started_at,
                current: air.revision(),
            };
        }
        if let Some(outcome) = &self.done {
            return Progress::Done(outcome.clone());
        }
        let stats = self.searcher.stats();
        let left = Budget {
            expansions: self
                .request
                .budget
                .expansions
                .saturating_sub(stats.expansions),
            ..self.request.budget
        };
        let slice = Budget {
            expansions: budget.expansions.min(left.expansions),
            memory_bytes: budget.memory_bytes.min(left.memory_bytes),
        };
        let stop = self.searcher.advance(air, &self.request, observer, slice);
        let now = self.searcher.stats();
        if !stop.is_last(slice, left, now.expansions - stats.expansions) {
            return Progress::InProgress { stats: now };
        }
        let outcome = self.searcher.outcome(air, &self.request, stop);
        self.done = Some(outcome.clone());
        Progress::Done(outcome)
    }

    /// Ends the session and returns its searcher.
    pub fn into_searcher(self) -> FlightSearcher {
        self.searcher
    }
}

impl Session<Air> for FlightSession {
    type Path = FlightPath;

    /// Runs within `budget`; once done, returns the same outcome again.
    ///
    /// `air` must be the one the session began with: another air at the same revision is not
    /// detected. A slice with too little memory for the next expansion makes no progress.
    fn advance(&mut self, air: &Air, budget: Budget) -> Progress<FlightPath> {
        self.advance_observed(air, budget, &mut NoopObserver)
    }

    fn started_at(&self) -> Revision {
        self.started_at
    }
}
