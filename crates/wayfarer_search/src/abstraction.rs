//! Hierarchical pathfinding by abstraction and refinement R[n, t, c, s] \[Sturtevant2007\].
//!
//! A* over regions, each represented by its center, yields an abstract path. Segments of n edges
//! are refined one by one by A* over cells; t trims the end of each segment, c restricts it to a
//! corridor of sectors, s smooths the complete path. An agent may start once the first segment is
//! refined. [`RefinementParams::HPA`] and [`RefinementParams::PRA`] are the settings equivalent to
//! HPA* \[Botea2004\] and PRA* \[Sturtevant2005\]. Complete; no bound on the path's cost. No
//! allocation once warm.
//!
//! Runs over a [baked abstraction](BakedGraph), also of a ground that [changed since](AttachedGraph),
//! or over the [live ground](LiveGraph).
//!
//! ```
//! use wayfarer_base::{Budget, Cell, Raster};
//! use wayfarer_search::abstraction::{BakedGraph, Refiner, RefinementRequest};
//! use wayfarer_world::{baked::AbstractionBuilder, dense::DenseGround};
//!
//! let map = Raster::from_bytes(96, 96, vec![0; 96 * 96]).ok_or("too large")?;
//! let baked = AbstractionBuilder::from_raster(&map, 16)?.bake()?;
//! let ground = DenseGround::from_raster(map)?;
//! let graph = BakedGraph::new(&baked, &ground)?;
//!
//! let params = "1,10%,-,-".parse()?;
//! let request = RefinementRequest::new(Cell::flat(2, 3), Cell::flat(90, 80), params);
//! let path = Refiner::default().find(&graph, &request)?.found().ok_or("no path")?;
//! assert_eq!(path.cells.last(), Some(&Cell::flat(90, 80)));
//! assert!(path.segments.len() > 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod abstract_graph;
mod attached;
mod baked;
mod centers;
mod leg;
mod live;
mod path;
mod refinement;
mod regions;
mod session;
mod smooth;

pub use abstract_graph::AbstractGraph;
pub use attached::AttachedGraph;
pub use baked::{BakedGraph, SizeMismatch};
pub use centers::{CenterPlacement, optimize_centers, optimize_centers_from};
pub use live::LiveGraph;
pub use path::{RefinedPath, RefinementStats};
pub use refinement::{Corridor, RefinementError, RefinementParams, Smoothing, Trim};
pub use session::{RefinementRequest, RefinementSession, Refiner};

#[cfg(test)]
mod tests;
