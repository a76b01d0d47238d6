//! The domains from outside the crate, in one program: memory, and the corpus of real maps and
//! meshes. Allocations are counted by thread.

mod air_corpus;
mod air_memory;
mod bodies_memory;
mod ground_memory;
mod mesh_corpus;

#[global_allocator]
static ALLOCATOR: wayfarer_counting::CountingAllocator = wayfarer_counting::CountingAllocator;
