//! Test fixtures and brute-force oracles: ASCII worlds, random worlds and edits, reference
//! searches.
//!
//! Part of `wayfarer`; for its tests only. An oracle shares the plain values of `wayfarer_base`
//! (cells, profiles, shapes, edits) with the engine but none of its geometry, cost arithmetic or
//! searches, and prefers simplicity over speed.

pub mod allocations;
pub mod ascii;
pub mod cells;
pub mod multimodal;
pub mod obstacles;
pub mod random;
pub mod shapes;
pub mod shrink;
pub mod sight;
pub mod voxels;

pub use cells::ReferenceWorld;
pub use multimodal::ReferenceMultimodal;
pub use random::batch::{random_batch, random_batch_between};
pub use random::{WorldKind, random_profile, random_world};
pub use voxels::ReferenceVoxels;
pub use wayfarer_counting::CountingAllocator;
