//! Paths over walkable floors: requests, search methods, sessions, repair and invalidation.
//!
//! [`PathSearcher`] runs a [`GroundRequest`] with one [`Method`]: cached jump points
//! ([`jps_cached`]), jump points without a cache ([`jps`]), A\* or Dijkstra cell by cell. Besides:
//! Lazy Theta\* ([`AnyAngleSearcher`]), hierarchical paths ([`HierarchicalPath`]), flow fields
//! ([`FlowField`]), reachability ([`ReachabilitySearcher`]), string pulling ([`waypoints`]). A
//! [`GroundPath`] carries its revision: [`status`](fn@status) and
//! [subscriptions](crate::subscriptions) derive from change sets whether it is still valid, and
//! [`PathSearcher::repair`] searches only the gaps.
//!
//! ```
//! use wayfarer_base::{Cell, Cost, Outcome, Raster};
//! use wayfarer_search::ground::{GroundRequest, PathSearcher};
//! use wayfarer_world::ground::Ground;
//!
//! // . . .
//! // # # .
//! // . . .
//! let map = Raster::from_bytes(3, 3, vec![0, 0, 0, 255, 255, 0, 0, 0, 0]).unwrap();
//! let ground = Ground::from_raster(&map);
//! let mut searcher = PathSearcher::default();
//!
//! let request = GroundRequest::new(Cell::flat(0, 0), Cell::flat(0, 2));
//! let Outcome::Found(path) = searcher.find(&ground, &request)? else {
//!     unreachable!("the path around the wall is open");
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
mod block_tables;
mod body_string;
mod check;
mod detour;
mod dijkstra_sweep;
mod explain;
mod flow;
mod hierarchical;
pub mod jps;
pub mod jps_cached;
mod jump_links;
mod lower_bound;
mod nav_graph;
mod nearest;
mod overlay;
mod path;
mod path_cursor;
mod reachability;
mod repair;
mod request;
mod searcher;
mod session;
mod status;
mod string_pull;
mod subscriptions;

pub use any_angle::{AnyAnglePath, AnyAngleRequest, AnyAngleSearcher, AnyAngleSession};
pub use area::{Area, PreparedArea};
pub use block_tables::{SharedTables, changed_columns};
pub use body_string::{
    BodyWaypoint, body_waypoints, is_clear_for_body, is_clear_for_disc, waypoint_work,
};
pub use flow::{FlowField, FlowUpdate};
pub use hierarchical::HierarchicalPath;
pub use jump_links::{JumpLimits, jump_links};
pub use nav_graph::NavGraph;
pub use nearest::nearest_reachable;
pub use path::{GroundPath, Leg, LegKind};
pub use reachability::{NearestTarget, ReachabilitySearcher, ReachableSet};
pub use repair::RepairedPath;
pub use request::{GroundGoal, GroundRequest, Method, PartialPolicy, PreviousPath};
pub use searcher::PathSearcher;
pub use session::GroundSession;
pub use status::status;
pub use string_pull::{is_straight_walkable, polyline_length, waypoints, waypoints_for};

#[cfg(test)]
mod tests;
