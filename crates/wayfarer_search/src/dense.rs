//! Cell-by-cell A\* and Dijkstra on a flat grid of uniform cost, with jump point search's neighbor
//! pruning: optimal.
//!
//! The cheapest query where the ground is one rectangle of equal cells; also the baseline of the
//! benchmarks. A searcher takes 8 bytes per cell; no allocation once warm.
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
//!     unreachable!("the path around the wall is open");
//! };
//! // A diagonal would cut the wall's corner: six straight steps.
//! assert_eq!(path.cells.len(), 7);
//! assert_eq!(path.cost, Cost::from_units(6 * Cost::STRAIGHT.units()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod path;
mod request;
mod searcher;
mod steps;

pub use path::DensePath;
pub use request::{DenseMethod, DenseQueue, DenseRequest};
pub use searcher::DenseSearcher;

use wayfarer_base::{NoopObserver, Outcome, RequestError, SearchObserver};
use wayfarer_world::dense::DenseGround;

/// Finds an optimal path.
///
/// The result depends on the ground and the request alone, not on the searcher's history. Goals in
/// another component are unreachable without a search. When the budget runs out, `best` leads to
/// the expanded cell with the lowest heuristic; so it does if the path costs more than `Cost` can
/// represent (2.9 million cells).
///
/// A warm scratch does not allocate; the path does, unless the caller returns an old one with
/// [`DenseSearcher::recycle`].
///
/// # Errors
/// If an end is not walkable or the budget allows no expansion.
pub fn find_path(
    ground: &DenseGround,
    searcher: &mut DenseSearcher,
    request: &DenseRequest,
) -> Result<Outcome<DensePath>, RequestError> {
    find_path_observed(ground, searcher, request, &mut NoopObserver)
}

/// [`find_path`] with an observer, which does not change the result.
///
/// # Errors
/// As [`find_path`].
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
