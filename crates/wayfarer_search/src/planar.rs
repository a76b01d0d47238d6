//! Paths of a disc agent among obstacles on the plane, any of which may move between queries.
//!
//! [`PlanarMethod::TangentGraph`] runs A* over a lazily built tangent graph of inflated outlines
//! (\[Hechenberger2020\] is the closest relative); [`PlanarMethod::Quadtree`] runs weighted A* over
//! a quadtree split on demand \[Guerrilla2013\] and pulls the path through it with the funnel
//! algorithm \[Lee1984\]. Neither keeps data between queries: a moved obstacle costs nothing here.
//! Paths are string-pulled with exact rays. No allocation once warm. See
//! `docs/design/tangent-graph.md`.
//!
//! ```
//! use wayfarer_base::{Fixed, Outcome, Point2};
//! use wayfarer_search::planar::{PlanarRequest, PlanarSearcher};
//! use wayfarer_world::obstacles::{Obstacle, ObstacleSet, ObstacleCategories};
//!
//! let mut obstacles = ObstacleSet::square(100)?;
//! obstacles.edit().insert(&Obstacle::cells(40, 0, 20, 90, ObstacleCategories::ALL)?)?;
//!
//! let at = |x, y| Point2::new(Fixed::from_cell(x).unwrap(), Fixed::from_cell(y).unwrap());
//! let mut searcher = PlanarSearcher::default();
//! let request = PlanarRequest::new(at(10, 50), at(90, 50));
//! let Outcome::Found(path) = searcher.find(&obstacles, &request)? else {
//!     unreachable!("the gap south of the wall is open");
//! };
//! // Around both southern corners of the wall.
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
mod tangent_graph;

pub use path::PlanarPath;
pub use request::{EndpointPolicy, PlanarMethod, PlanarRequest};
pub use searcher::PlanarSearcher;
pub use session::PlanarSession;
pub use status::{PlanarStatus, RepairedPlanarPath, status};

use wayfarer_base::{Cost, Fixed, Point2, math};

/// Cost of the segment between two points times `weight`, rounded down.
#[inline]
pub(crate) fn distance(a: Point2, b: Point2, weight: f64) -> Cost {
    let between = |a: Fixed, b: Fixed| f64::from(a.raw()) - f64::from(b.raw());
    let raw = math::length(between(a.x, b.x), between(a.y, b.y));
    Cost::from_cells(raw * (weight / f64::from(Fixed::UNITS_PER_CELL)))
}

/// Orientation of `c` relative to the line from `a` to `b`: above 0 right of it (y south), 0 on
/// it. Exact.
#[inline]
fn orientation(a: Point2, b: Point2, c: Point2) -> i64 {
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
