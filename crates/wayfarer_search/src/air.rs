//! Flight paths through a sparse voxel octree \[Brewer2017\].
//!
//! Weighted A* expands one node per free cube, or per connected component of free voxels in a
//! leaf, and generates successors lazily face by face. Hard queries first search a graph of
//! regions of 16 voxels a side and restrict the octree search to that corridor. Waypoints are
//! string-pulled and corner-cut with exact line-of-sight tests; agents with a radius and volumes
//! with costs are supported. [`FlightMethod::VoxelAStar`] is the optimal 26-connected reference.
//! Results depend on air and request alone. No allocation once warm. See `docs/design/flight.md`.
//!
//! ```
//! use wayfarer_base::{Outcome, Voxel};
//! use wayfarer_search::air::{FlightRequest, FlightSearcher};
//! use wayfarer_world::air::AirBuilder;
//!
//! // A wall with a hole in its upper corner.
//! let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [64, 64, 64])?;
//! builder.add_box(Voxel::new(30, 0, 0), Voxel::new(31, 63, 59))?;
//! builder.add_box(Voxel::new(30, 0, 60), Voxel::new(31, 59, 63))?;
//! let air = builder.build()?;
//!
//! let request = FlightRequest::new(Voxel::new(2, 2, 2), Voxel::new(61, 2, 2));
//! let Outcome::Found(path) = FlightSearcher::default().find(&air, &request)? else {
//!     unreachable!("the hole is open");
//! };
//! assert!(path.waypoints.iter().any(|at| at.y >= 60 && at.z >= 60));
//! assert!(path.length() < 180.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agent_regions;
mod corridor;
mod curve;
mod explain;
mod flight_components;
mod inflated;
mod inflated_blocks;
mod node_points;
mod node_source;
mod octree;
mod octree_params;
mod path;
mod repair;
mod request;
mod scratch;
mod searcher;
mod segment_test;
mod session;
mod smooth;
mod status;
mod string_pull;
mod subscriptions;
mod trace;
pub(crate) mod voxel_astar;

pub use curve::FlightCurve;
pub use flight_components::FlightComponents;
pub use octree_params::{LeafNodes, Metric, NodePoint, OctreeParams};
pub use path::FlightPath;
pub use repair::RepairedFlight;
pub use request::{FlightMethod, FlightPartialPolicy, FlightRequest};
pub use searcher::FlightSearcher;
pub use session::FlightSession;
pub use status::{AirLog, status};
pub use string_pull::string_pull;

#[cfg(test)]
mod tests;
