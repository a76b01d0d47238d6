//! Far paths planned in the large and walked in the small: first from room to room, then step by
//! step.
//!
//! A way is first found over regions, each known by its center; then pieces of it are refined, a
//! few regions at a time, by searches that stay short. [`RefinementParams`] says how: R[n, t, c, s] with n
//! edges for each piece, t cut off the end of each piece, c the corridor a piece must stay in, and
//! s the smoothing of the whole. A unit may set out once the first piece is known.
//!
//! The same method runs over a [baked map](FrozenPlan) and over the [live ground](LivePlan).
//!
//! ```
//! use wayfarer_base::{Budget, Cell, Raster};
//! use wayfarer_search::abstraction::{BakedGraph, Refiner, RefinementRequest};
//! use wayfarer_world::{dense::DenseGround, baked::Draft};
//!
//! let map = Raster::from_bytes(96, 96, vec![0; 96 * 96]).ok_or("too large")?;
//! let baked = Draft::of_raster(&map, 16)?.bake()?;
//! let ground = DenseGround::from_raster(map)?;
//! let abstract_graph = BakedGraph::new(&baked, &ground)?;
//!
//! let request = RefinementRequest::new(Cell::flat(2, 3), Cell::flat(90, 80), "1,10%,-,-".parse()?);
//! let path = Refiner::default().find(&abstract_graph, &request)?.found().ok_or("no way")?;
//! assert_eq!(path.cells.last(), Some(&Cell::flat(90, 80)));
//! assert!(path.segments.len() > 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod abstract_graph;
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
pub use baked::{BakedGraph, SizeMismatch};
pub use centers::{CenterPlacement, optimize_centers, optimize_centers_from};
pub use live::LiveGraph;
pub use path::{RefinedPath, RefinementStats};
pub use refinement::{Corridor, RefinementError, RefinementParams, Smoothing, Trim};
pub use session::{RefinementRequest, RefinementSession, Refiner};

#[cfg(test)]
mod tests;
