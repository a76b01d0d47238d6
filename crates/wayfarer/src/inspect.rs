//! What a world and its searches hold inside, read only: for debug views, viewers and lessons.
//!
//! [`World::inspect`] gives an [`Inspector`]: floors with their regions and components, portals, nodes
//! of the octree, grid bins of a footprint, the quadtree of a planar search, and the [`Trace`] of a search step by step.
//! Everything is a copy in world units; numbers of regions and components are for colors and are valid
//! until the next edit.
//!
//! ```
//! use wayfarer::inspect::TraceKind;
//! use wayfarer::prelude::*;
//!
//! let map = b"type octile\nheight 2\nwidth 5\nmap\n..T..\n.....\n";
//! let world = World::import("lane.map", map, Scale::UNIT)?;
//! let request = PathRequest {
//!     method: Method::AStar,
//!     ..PathRequest::new(Position::new(0.5, 0.5, 0.0), Position::new(4.5, 0.5, 0.0))
//! };
//! let trace = world.inspect().trace(&mut Searcher::default(), &request)?;
//! assert_eq!(trace.path, world.find_path(&mut Searcher::default(), &request));
//! let expanded = trace.events.iter().filter(|event| event.kind == TraceKind::Expanded);
//! assert!(expanded.count() >= 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod air;
mod bodies;
mod ground;
mod planar;
mod trace;

pub use air::{FlightPreset, OctreeNode};
pub use bodies::{Bin, Coverage};
pub use ground::{FloorGrid, Portal};
pub use planar::{PlanarMethod, PlanarTrace, Quad, SplitCriterion};
pub use trace::{Trace, TraceEvent, TraceKind};

use crate::facade::World;

/// A read-only look inside a world; see the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Inspector<'w> {
    world: &'w World,
}

impl World {
    /// A look inside: regions, portals, octree, traces.
    pub const fn inspect(&self) -> Inspector<'_> {
        Inspector { world: self }
    }
}
