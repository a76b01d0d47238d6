//! Ways through a field of things that stand and move.
//!
//! ```
//! use wayfarer_base::{Fixed, Outcome, Point2};
//! use wayfarer_search::field::{PlanarRequest, PlanarSearcher};
//! use wayfarer_world::field::{Obstacle, ObstacleSet, ObstacleCategories};
//!
//! let mut field = ObstacleSet::square(100)?;
//! field.edit().insert(&Obstacle::cells(40, 0, 20, 90, ObstacleCategories::ALL)?)?;
//!
//! let at = |x, y| Point2::new(Fixed::from_cell(x).unwrap(), Fixed::from_cell(y).unwrap());
//! let mut searcher = PlanarSearcher::default();
//! let request = PlanarRequest::new(at(10, 50), at(90, 50));
//! let Outcome::Found(path) = searcher.find(&field, &request)? else {
//!     unreachable!("the way round the wall is open");
//! };
//! // Round both lower tangent_graph of the wall.
//! assert_eq!(path.points.len(), 4);
//! assert!((path.cost.to_cells() - 120.0).abs() < 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod explain;
mod funnel;
mod lookahead_heap;
mod path;
mod quadtree;
mod request;
mod searcher;
mod session;
mod status;
mod string_pulling;
mod table;
mod tangent_graph;

pub use path::PlanarPath;
pub use request::{EndpointPolicy, PlanarMethod, PlanarRequest};
pub use searcher::PlanarSearcher;
pub use session::PlanarSession;
pub use status::{PlanarStatus, RepairedPlanarPath, status};

use wayfarer_base::{Cost, Fixed, Point2, math};

/// What the straight path between two points costs, times `weight`, rounded down.
#[inline]
pub(crate) fn distance(a: Point2, b: Point2, weight: f64) -> Cost {
    let between = |a: Fixed, b: Fixed| f64::from(a.raw()) - f64::from(b.raw());
    let raw = math::length(between(a.x, b.x), between(a.y, b.y));
    Cost::from_cells(raw * (weight / f64::from(Fixed::PARTS)))
}

/// Above 0 if `c` lies right of the way from `a` to `b` (y south), 0 on its line. Exact.
#[inline]
fn turn(a: Point2, b: Point2, c: Point2) -> i64 {
    let minus = |p: Point2| {
        [
            i64::from(p.x.raw()) - i64::from(a.x.raw()),
            i64::from(p.y.raw()) - i64::from(a.y.raw()),
        ]
    };
    let (b, c) = (minus(b), minus(c));
    b[0] * c[1] - b[1] * c[0]
}

#[cfg(test)]
mod tests;
