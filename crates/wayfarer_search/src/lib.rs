//! How paths are found; nothing here ever changes the world.
//!
//! Part of `wayfarer`; use `wayfarer`.

pub mod abstraction;
pub mod air;
pub mod dense;
pub mod ground;
pub mod kernel;
pub mod multimodal;
pub mod path_distance;
pub mod planar;
pub mod sight;
