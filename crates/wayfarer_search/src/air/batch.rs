//! Batches of flight queries on several threads.

use wayfarer_base::{Outcome, RequestError};
use wayfarer_world::air::Air;

use super::{FlightPath, FlightRequest, FlightSearcher};
use crate::kernel::run_batch;

/// The result of one request.
pub type FlightResult = Result<Outcome<FlightPath>, RequestError>;

/// Runs requests on `n_threads` threads, one searcher per thread. Results come in the order of
/// the requests and do not depend on the number of threads.
///
/// Sequential on one thread and where threads are missing (wasm).
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
    run_batch(
        requests,
        n_threads,
        |searcher: &mut FlightSearcher, request| searcher.find(air, request),
    )
}
