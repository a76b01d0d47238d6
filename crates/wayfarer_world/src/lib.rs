//! What is, and how it changes.
//!
//! Part of `wayfarer`; use `wayfarer`.

pub mod air;
pub mod dense;
pub mod field;
pub mod frozen;
pub mod ground;
pub mod objects;
pub mod solid;
