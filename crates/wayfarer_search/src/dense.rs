//! Ways over a flat map, cell by cell: A* and Dijkstra.
//!
//! ```
//! use wayfarer_base::{Cell, Cost, Outcome, Raster};
//! use wayfarer_search::dense::{DenseRequest, DenseSearcher, find_path};
//! use wayfarer_world::dense::DenseGround;
//!
//! // . . .
//! // # # .
//! // . . .
//! let map = Raster::from_bytes(3, 3, vec![0, 0, 0, 255, 255, 0, 0, 0, 0]).unwrap();
//! let ground = DenseGround::from_raster(map)?;
//! let mut searcher = DenseSearcher::default();
//!
//! let request = DenseRequest::new(Cell::flat(0, 0), Cell::flat(0, 2));
//! let Outcome::Found(path) = find_path(&ground, &mut searcher, &request)? else {
//!     unreachable!("the way round the wall is open");
//! };
//! // A diagonal would cut the wall's corner: six straight steps.
//! assert_eq!(path.cells.len(), 7);
//! assert_eq!(path.cost, Cost::from_units(6 * Cost::STRAIGHT.units()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod distances;
mod path;
mod request;
mod searcher;
mod session;
mod steps;

pub use distances::{DenseDistances, distances_from};
pub use path::{DensePath, status};
pub use request::{DenseMethod, DenseQueue, DenseRequest};
pub use searcher::DenseSearcher;
pub use session::DenseSession;

use wayfarer_base::{NoopObserver, Outcome, RequestError, SearchObserver};
use wayfarer_world::dense::DenseGround;

/// Finds a cheapest path.
///
/// The answer depends on the ground and the request alone, whatever the searcher did before.
/// Goals in another component are answered without a search. With a budget that runs out, the
/// best is the way to the expanded cell with the lowest estimate of the rest. A way costlier than
/// `Cost` can hold (2.9 million cells) is answered as out of budget.
///
/// After some queries of the same size the scratch no longer allocates; the path does, unless an
/// old one is handed back with [`DenseSearcher::recycle`].
pub fn find_path(
    ground: &DenseGround,
    searcher: &mut DenseSearcher,
    request: &DenseRequest,
) -> Result<Outcome<DensePath>, RequestError> {
    find_path_observed(ground, searcher, request, &mut NoopObserver)
}

/// Finds a cheapest path and tells `observer` what happens on the way.
///
/// The answer is that of [`find_path`].
pub fn find_path_observed(
    ground: &DenseGround,
    searcher: &mut DenseSearcher,
    request: &DenseRequest,
    observer: &mut impl SearchObserver,
) -> Result<Outcome<DensePath>, RequestError> {
    if let Some(early) = searcher.begin(ground, request)? {
        return Ok(early);
    }
    let budget = searcher.budget_left(request);
    let stop = searcher.advance(ground, request, observer, budget);
    Ok(searcher.outcome(ground, stop))
}

#[cfg(test)]
mod tests;
