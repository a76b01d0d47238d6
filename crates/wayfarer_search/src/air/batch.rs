//! Many flights at once, on several threads, with the same answers as on one.

use wayfarer_base::{Outcome, RequestError};
use wayfarer_world::air::Air;

use super::{FlightPath, FlightRequest, FlightSearcher};
use crate::kernel::in_batch;

/// The answer to one request.
pub type FlightResult = Result<Outcome<FlightPath>, RequestError>;

/// Answers many requests on `n_threads` threads, each with a searcher of its own; the answers are
/// in the order of the requests and do not depend on the number of threads.
///
/// On one thread, and where there are no threads (wasm), everything is done in turn.
///
/// ```
/// use wayfarer_base::Voxel;
/// use wayfarer_search::air::{FlightRequest, find_batch};
/// use wayfarer_world::air::AirBuilder;
///
/// let air = AirBuilder::new(Voxel::new(0, 0, 0), [9, 9, 9])?.build()?;
/// let requests: Vec<FlightRequest> = (0..9)
///     .map(|x| FlightRequest::new(Voxel::new(x, 0, 0), Voxel::new(0, 8, x)))
///     .collect();
/// assert_eq!(find_batch(&air, &requests, 8), find_batch(&air, &requests, 1));
/// # Ok::<(), wayfarer_world::air::AirError>(())
/// ```
pub fn find_batch(air: &Air, requests: &[FlightRequest], n_threads: usize) -> Vec<FlightResult> {
    in_batch(
        requests,
        n_threads,
        |searcher: &mut FlightSearcher, request| searcher.find(air, request),
    )
}
