//! Parallel batches of ground requests.

use wayfarer_base::{Outcome, RequestError};
use wayfarer_world::ground::Ground;

use super::{GroundPath, GroundRequest, PathSearcher};
use crate::kernel::run_batch;

/// The result of one request.
pub type PathResult = Result<Outcome<GroundPath>, RequestError>;

/// Runs many requests on `n_threads` threads, each with its own searcher; results are in the order
/// of the requests and do not depend on the number of threads.
///
/// On one thread, and on targets without threads (wasm), requests run in sequence.
///
/// ```
/// use wayfarer_base::{Cell, Raster};
/// use wayfarer_search::ground::{GroundRequest, find_batch};
/// use wayfarer_world::ground::Ground;
///
/// let ground = Ground::from_raster(&Raster::from_bytes(5, 1, vec![0; 5]).unwrap());
/// let requests: Vec<GroundRequest> = (0..5)
///     .map(|x| GroundRequest::new(Cell::flat(x, 0), Cell::flat(0, 0)))
///     .collect();
/// assert_eq!(find_batch(&ground, &requests, 8), find_batch(&ground, &requests, 1));
/// ```
pub fn find_batch(
    ground: &Ground,
    requests: &[GroundRequest],
    n_threads: usize,
) -> Vec<PathResult> {
    run_batch(
        requests,
        n_threads,
        |searcher: &mut PathSearcher, request| searcher.find(ground, request),
    )
}
