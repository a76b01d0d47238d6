//! The facade of `wayfarer` in a browser: plain numbers in, typed arrays out.
//!
//! One struct per view of the page. Positions are three numbers each, in meters; errors are the
//! messages of the library. Nothing here computes what the library does not: the page lies in
//! `page/`, and `cargo xtask page` builds and serves both.

mod air;
mod convert;
mod crowd;
mod ground;
mod ground_edits;
mod path;
mod planar;
mod sight;
mod skirmish;
mod trace;

pub use air::AirScene;
pub use crowd::CrowdScene;
pub use ground::{FloorArrays, GroundScene};
pub use path::PathArrays;
pub use planar::{PlanarArrays, PlanarScene};
pub use sight::{CoverageArrays, SightScene};
pub use skirmish::SkirmishScene;
pub use trace::TraceArrays;
