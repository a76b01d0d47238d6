//! A flight looked for a little at a time.

use wayfarer_base::{
    Budget, NoopObserver, Outcome, Progress, RequestError, Revision, SearchObserver, Session,
};
use wayfarer_world::air::Air;

use super::{FlightPath, FlightRequest, FlightSearcher};

/// A request that is answered in slices; the answer is that of one unlimited search.
///
/// ```
/// use wayfarer_base::{Budget, Progress, Session, Voxel};
/// use wayfarer_search::air::{FlightSession, FlightRequest, FlightSearcher};
/// use wayfarer_world::air::AirBuilder;
///
/// let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [64, 64, 64])?;
/// builder.solid_box(Voxel::new(30, 0, 0), Voxel::new(30, 63, 60))?;
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
    began: Revision,
    done: Option<Outcome<FlightPath>>,
}

impl FlightSession {
    /// Begins with the memory of a searcher.
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    pub fn begin(
        air: &Air,
        mut searcher: FlightSearcher,
        request: FlightRequest,
    ) -> Result<Self, RequestError> {
        let done = searcher.begin(air, &request)?;
        Ok(Self {
            searcher,
            request,
            began: air.revision(),
            done,
        })
    }

    /// Drops the request in the making, if any, and begins with another, in the same memory.
    ///
    /// # Errors
    /// What is wrong with the request, and where; the former request is then dropped as well.
    pub fn replace_request(
        &mut self,
        air: &Air,
        request: FlightRequest,
    ) -> Result<(), RequestError> {
        self.request = request;
        self.began = air.revision();
        self.done = None;
        self.done = self.searcher.begin(air, &self.request)?;
        Ok(())
    }

    /// Goes on by at most `budget` and tells `observer` what happens, as
    /// [`advance`](Session::advance) does without one.
    pub fn advance_observed(
        &mut self,
        air: &Air,
        budget: Budget,
        observer: &mut impl SearchObserver,
    ) -> Progress<FlightPath> {
        if air.revision() != self.began {
            return Progress::Stale {
                started_at: self.began,
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

    /// Ends the session and gives its searcher back.
    pub fn into_searcher(self) -> FlightSearcher {
        self.searcher
    }
}

impl Session<Air> for FlightSession {
    type Path = FlightPath;

    /// Goes on by at most `budget`; once done, gives the same outcome again.
    ///
    /// The air must be the one the session began with: another one with the same revision is not
    /// told apart. A slice that allows too little memory for the next step makes no headway.
    fn advance(&mut self, air: &Air, budget: Budget) -> Progress<FlightPath> {
        self.advance_observed(air, budget, &mut NoopObserver)
    }

    fn started_at(&self) -> Revision {
        self.began
    }
}
