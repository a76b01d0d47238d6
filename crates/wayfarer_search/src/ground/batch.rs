//! Many requests at once, on several threads, with the same answers as on one.

use wayfarer_base::{Outcome, RequestError};
use wayfarer_world::ground::Ground;

use super::{GroundPath, GroundRequest, PathSearcher};
use crate::kernel::in_batch;

/// The answer to one request.
pub type PathResult = Result<Outcome<GroundPath>, RequestError>;

/// Answers many requests on `n_threads` threads, each with a searcher of its own; the answers are
/// in the order of the requests and do not depend on the number of threads.
///
/// On one thread, and where there are no threads (wasm), everything is done in turn.
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
    in_batch(
        requests,
        n_threads,
        |searcher: &mut PathSearcher, request| searcher.find(ground, request),
    )
}
