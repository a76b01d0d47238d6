//! Flyers: balls that follow flights through the air, avoid each other and never enter a solid.
//!
//! A [`Flock`] is to the air what a [`Crowd`](crate::Crowd) is to the ground, in three dimensions:
//! ORCA by half-spaces, moves that are swept against the octree, overlaps that are undone. Positions
//! are multiples of 1/256 of a voxel, as the air counts, so a swept move is exact; what is rounded off
//! is carried over to the next tick.

mod flock;
mod motion;
mod orca;
mod save;
mod steer;
mod vector;

pub use flock::{Flight, Flock, Flyer, is_flyer};
pub use vector::Vec3;
