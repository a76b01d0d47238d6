//! Flights through the air: large steps through open space, near walls voxel by voxel.
//!
//! ```
//! use wayfarer_base::{Outcome, Voxel};
//! use wayfarer_search::air::{FlightRequest, FlightSearcher};
//! use wayfarer_world::air::AirBuilder;
//!
//! // A wall with a hole in its upper corner.
//! let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [64, 64, 64])?;
//! builder.solid_box(Voxel::new(30, 0, 0), Voxel::new(31, 63, 59))?;
//! builder.solid_box(Voxel::new(30, 0, 60), Voxel::new(31, 59, 63))?;
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

mod batch;
mod corridor;
mod curve;
pub(crate) mod exact;
mod explain;
mod look;
mod narrow;
mod octree;
mod path;
mod places;
mod pockets;
mod repair;
mod request;
mod scratch;
mod searcher;
mod session;
mod sight;
mod smooth;
mod status;
mod tighten;
mod trace;
mod tuning;
mod watch;

pub use batch::{FlightResult, find_batch};
pub use curve::FlightCurve;
pub use path::FlightPath;
pub use repair::RepairedFlight;
pub use request::{FlightMethod, FlightPartialPolicy, FlightRequest};
pub use searcher::FlightSearcher;
pub use session::FlightSession;
pub use status::{AirLog, status};
pub use tighten::string_pull;
pub use tuning::{LeafNodes, Metric, NodePoint, OctreeParams};
pub use watch::{FlightInvalidation, FlightSubscriptions};

#[cfg(test)]
mod tests;
