//! Ways over the ground: requests, exact search, paths that know whether they still hold.
//!
//! ```
//! use wayfarer_base::{Cell, Cost, Outcome, Raster};
//! use wayfarer_search::ground::{PathRequest, PathSearcher};
//! use wayfarer_world::ground::Ground;
//!
//! // . . .
//! // # # .
//! // . . .
//! let map = Raster::from_bytes(3, 3, vec![0, 0, 0, 255, 255, 0, 0, 0, 0]).unwrap();
//! let ground = Ground::from_raster(&map);
//! let mut searcher = PathSearcher::default();
//!
//! let request = PathRequest::new(Cell::flat(0, 0), Cell::flat(0, 2));
//! let Outcome::Found(path) = searcher.find(&ground, &request)? else {
//!     unreachable!("the way round the wall is open");
//! };
//! // A diagonal would cut the wall's corner: six straight steps.
//! assert_eq!(path.cells.len(), 7);
//! assert_eq!(path.cost, Cost::from_units(6 * Cost::STRAIGHT.units()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any_angle;
mod area;
pub(crate) mod arena;
mod astar;
mod batch;
mod bound;
mod check;
mod detour;
pub mod exact;
mod explain;
mod far;
mod flow;
mod footing;
mod nearest;
mod overlay;
mod path;
pub mod plain;
mod reach;
mod repair;
mod request;
mod searcher;
mod session;
mod smooth;
mod spread;
mod status;
mod stride;
mod watch;

pub use any_angle::{AnyAnglePath, AnyAngleSearcher, AnyAngleSession};
pub use area::Area;
pub use batch::{PathResult, find_batch};
pub use far::HierarchicalPath;
pub use flow::{FlowField, FlowUpdate};
pub use footing::NavGraph;
pub use nearest::nearest_reachable;
pub use path::{GroundPath, Leg, LegKind};
pub use reach::{NearestTarget, ReachabilitySearcher, ReachableSet};
pub use repair::RepairedPath;
pub use request::{GroundGoal, GroundRequest, Method, PartialPolicy, PreviousPath};
pub use searcher::PathSearcher;
pub use session::GroundSession;
pub use smooth::{is_straight_walkable, polyline_length, waypoints, waypoints_for};
pub use status::status;
pub use watch::{InvalidationReport, PathIndex, PathSubscriptions};

#[cfg(test)]
mod tests;
