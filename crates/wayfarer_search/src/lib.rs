//! How ways are found; nothing here ever changes the world.
//!
//! Part of `wayfarer`; use `wayfarer`.

pub mod abstraction;
pub mod air;
pub mod dense;
pub mod field;
pub mod ground;
pub mod kernel;
pub mod mixed;
pub mod near;
pub mod sight;
