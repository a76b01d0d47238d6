//! Searches from outside the crate, in one program: what a warm searcher allocates, and sensors
//! that see over the ground. Allocations are counted by thread.

mod no_allocation;
mod no_allocation_planar;
mod no_allocation_refinement;
mod sensors_over_ground;

#[global_allocator]
static ALLOCATOR: wayfarer_counting::CountingAllocator = wayfarer_counting::CountingAllocator;
