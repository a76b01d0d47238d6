//! What is, and how it changes.
//!
//! Part of `wayfarer`; use `wayfarer`.

pub mod air;
pub mod baked;
pub mod bodies;
pub mod dense;
pub mod ground;
pub mod obstacles;
pub mod solid;
