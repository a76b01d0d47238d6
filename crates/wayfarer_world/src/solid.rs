//! Turns the triangles of a mesh out solid cubes: what one bumps out, and what is inside.
//!
//! All decisions are made in whole numbers (1/256 of a voxel), so every machine agrees:
//! * A voxel is solid if a triangle reaches its inside. Touching a face, edge or vertex from
//!   without is not enough, so a wall that ends on a voxel's face does not swell by a voxel.
//! * A triangle that lies in a plane between two layers of voxels belongs to the voxels behind it:
//!   vertices run counter-clockwise seen from outside, `(b - a) x (c - a)` points outward.
//! * With [`Fill::Inside`] the voxels whose middle lies inside are solid too.
//!
//! Two free voxels that share a face are therefore never on two sides of a triangle's surface.

use thiserror::Error;
use wayfarer_base::{TriangleSoup, Voxel};

mod fill;
mod spans;
mod triangle;
mod voxel_grid;

pub use fill::{BoundaryEdge, BoundaryEdges};
pub use spans::{Run, Span, Spans};
pub use voxel_grid::VoxelGrid;

/// Which voxels of a mesh are solid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fill {
    /// Only those that a triangle reaches.
    Surface,
    /// Those and all whose middle lies inside the mesh.
    #[default]
    Inside,
}

/// The voxels of a mesh, and where it is not closed.
#[derive(Clone, PartialEq, Debug)]
pub struct VoxelizedMesh {
    /// The solid voxels.
    pub spans: Spans,
    /// Edges without a partner; empty with [`Fill::Surface`], which does not ask.
    pub boundary_edges: BoundaryEdges,
}

/// Why a mesh could not be made solid.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum SolidError {
    /// A vertex lies too far away to be counted in 1/256 of a voxel.
    #[error(
        "vertex {vertex} lies at {at:?} voxels from the origin, expected at most {} on each axis",
        VoxelGrid::MAX_COORDINATE
    )]
    VertexTooFar {
        /// Which vertex, from 0.
        vertex: usize,
        /// Where it lies, in voxels.
        at: [f64; 3],
    },
    /// The grid cannot be used.
    #[error("the grid's {what} is {found}, expected {expected}")]
    InvalidGrid {
        /// Which of its numbers.
        what: &'static str,
        /// What it was.
        found: f64,
        /// What it may be.
        expected: &'static str,
    },
    /// The mesh reaches out more columns of voxels than can be held.
    #[error("the mesh has more than {limit} spans of solid voxels; use larger voxels")]
    TooManySpans {
        /// The most there may be.
        limit: usize,
    },
}

/// The most spans that [`voxelize`] collects before it gives up; a bound on time and memory.
pub const MAX_SPANS: usize = 1 << 25;

/// The solid voxels of a mesh inside the bounds of `voxel_grid`.
///
/// Work grows with the voxels reached inside the bounds, however large a triangle is. Triangles
/// without area are harmless: they count as the segment or point that they are.
///
/// # Errors
/// A vertex out of reach, a grid that cannot be, or more than [`MAX_SPANS`] spans.
///
/// ```
/// use wayfarer_base::{TriangleSoup, Voxel};
/// use wayfarer_world::solid::{voxelize, Fill, VoxelGrid};
///
/// // A tetrahedron with edges of 4 metres, in voxels of 1 metre.
/// let vertices = vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
/// let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let mesh = TriangleSoup::new(vertices, faces).unwrap();
/// let voxel_grid = VoxelGrid::cubes(1.0, Voxel::new(-9, -9, -9), Voxel::new(9, 9, 9));
/// let solid = voxelize(&mesh, &voxel_grid, Fill::Inside).unwrap();
/// assert!(solid.boundary_edges.is_empty());
/// assert_eq!(solid.spans.n_voxels(), 10 + 6 + 3 + 1);
/// ```
pub fn voxelize(
    mesh: &TriangleSoup,
    grid: &VoxelGrid,
    fill: Fill,
) -> Result<VoxelizedMesh, SolidError> {
    grid.check()?;
    let vertices = grid.vertices(mesh)?;
    let triangles = || {
        mesh.triangles()
            .iter()
            .map(|named| named.map(|vertex| vertices[vertex as usize]))
    };
    let mut runs = Vec::new();
    for vertices in triangles() {
        triangle::runs(vertices, grid, &mut runs)?;
    }
    let mut boundary_edges = BoundaryEdges::default();
    if fill == Fill::Inside {
        fill::inside(triangles(), grid, &mut runs)?;
        boundary_edges = fill::boundary_edges(triangles(), grid);
    }
    Ok(VoxelizedMesh {
        spans: Spans::from_runs(runs),
        boundary_edges,
    })
}

/// The error if `runs` are too many.
fn check_span_limit(runs: &[Run]) -> Result<(), SolidError> {
    if runs.len() > MAX_SPANS {
        return Err(SolidError::TooManySpans { limit: MAX_SPANS });
    }
    Ok(())
}

/// A vertex in 1/256 of a voxel.
type Vertex = [i64; 3];

/// The voxel of a vertex; vertices lie within [`VoxelGrid::MAX_COORDINATE`], so it fits.
fn voxel_of(vertex: Vertex) -> Voxel {
    let at = |axis: usize| i32::try_from(vertex[axis] >> 8).expect("vertices lie within reach");
    Voxel::new(at(0), at(1), at(2))
}

#[cfg(test)]
mod tests;
