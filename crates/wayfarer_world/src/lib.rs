//! World state, the structures derived from it, and edits that repair them.
//!
//! `ground`: walkable floors on a sparse grid. `dense`: a flat grid, the baseline. `air`: free
//! voxels in an octree. `obstacles`: outlines on a plane. `bodies`: what range queries and sensors
//! find. `baked`: a packed region graph. `solid`: mesh voxelization. Nothing here searches.
//!
//! Part of `wayfarer`; use `wayfarer`.

pub mod air;
pub mod baked;
pub mod bodies;
pub mod dense;
pub mod ground;
pub mod obstacles;
pub mod solid;
