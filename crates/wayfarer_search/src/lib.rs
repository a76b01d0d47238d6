//! Path search, line of sight and reachability over the structures of `wayfarer_world`.
//!
//! One module per domain (`ground`, `air`, `planar`, `dense`, `sight`), the combinations
//! (`multimodal`, `abstraction`, `path_distance`) and what they share (`kernel`, `subscriptions`).
//! Searches read the world and never edit it. Part of `wayfarer`; use `wayfarer`.

pub mod abstraction;
pub mod air;
pub mod dense;
pub mod ground;
pub mod kernel;
pub mod multimodal;
pub mod path_distance;
pub mod planar;
pub mod sight;
pub mod subscriptions;
