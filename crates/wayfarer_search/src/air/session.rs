//! Time-sliced flight search.

use wayfarer_base::{Budget, Outcome, RequestError, Revision, SearchObserver, SearchStats};
use wayfarer_world::air::Air;

use super::{FlightPath, FlightRequest, FlightSearcher};
use crate::kernel::{Resumable, SearchSession, Slice};

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
pub type FlightSession = SearchSession<FlightSearcher>;

impl Resumable for FlightSearcher {
    type World = Air;
    type Request = FlightRequest;
    type Path = FlightPath;

    fn revision(air: &Air) -> Revision {
        air.revision()
    }

    fn identity(air: &Air) -> u64 {
        air.identity()
    }

    fn start(
        &mut self,
        air: &Air,
        request: &FlightRequest,
    ) -> Result<Option<Outcome<FlightPath>>, RequestError> {
        self.begin(air, request)
    }

    fn resume(
        &mut self,
        air: &Air,
        request: &FlightRequest,
        slice: Slice,
        observer: &mut impl SearchObserver,
    ) -> Option<Outcome<FlightPath>> {
        let stop = self.advance(air, request, observer, slice.budget);
        let is_last = slice.is_last(stop, self.stats());
        is_last.then(|| self.outcome(air, request, stop))
    }

    fn stats(&self) -> SearchStats {
        self.stats()
    }

    fn budget_left(&self, request: &FlightRequest) -> Budget {
        let (all, used) = (request.budget, self.stats().expansions);
        Budget {
            expansions: all.expansions.saturating_sub(used),
            ..all
        }
    }

    fn recycle(&mut self, path: FlightPath) {
        self.recycle(path);
    }
}
