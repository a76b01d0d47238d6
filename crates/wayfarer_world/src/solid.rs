//! Voxelization of triangle meshes: surface \[`AkenineMoller2001`\] and interior \[Schwarz2010\].
//!
//! All decisions are made in integers (1/256 voxel), so results are equal on every target:
//! * A voxel is solid if a triangle overlaps its interior. Touching a face, edge or corner from
//!   outside does not count, so a wall that ends on a voxel face does not grow by a voxel.
//! * A triangle in the plane between two layers of voxels belongs to the voxels behind it: vertices
//!   run counter-clockwise seen from outside, `(b - a) x (c - a)` points outward.
//! * With [`Fill::Interior`], voxels whose center lies inside the mesh are solid too.
//!
//! Invariant: no triangle separates two free voxels that share a face. Cost is linear in the voxels
//! of the surface inside the bounds, plus a sort of the spans.

use thiserror::Error;
use wayfarer_base::{TriangleSoup, Voxel};

mod fill;
mod spans;
mod triangle;
mod voxel_grid;

pub use fill::{BoundaryEdge, BoundaryEdges};
pub use spans::{Run, Span, Spans};
pub use voxel_grid::VoxelGrid;

/// Which voxels of a mesh become solid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fill {
    /// Those that a triangle overlaps.
    Surface,
    /// Those, and all whose center lies inside the mesh.
    #[default]
    Interior,
}

/// The solid voxels of a mesh, and its boundary edges.
#[derive(Clone, PartialEq, Debug)]
pub struct VoxelizedMesh {
    /// The solid voxels.
    pub spans: Spans,
    /// Edges with an odd number of triangles; not computed for [`Fill::Surface`].
    pub boundary_edges: BoundaryEdges,
}

/// A mesh that could not be voxelized.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum VoxelizeError {
    /// A vertex beyond the range of coordinates in 1/256 voxel.
    #[error(
        "vertex {vertex} lies at {at:?} voxels from the origin, expected at most {} on each axis",
        VoxelGrid::MAX_COORDINATE
    )]
    VertexTooFar {
        /// Index of the vertex.
        vertex: usize,
        /// Its position, in voxels.
        at: [f64; 3],
    },
    /// An invalid voxel grid.
    #[error("the grid's {what} is {found}, expected {expected}")]
    InvalidGrid {
        /// The invalid number.
        what: &'static str,
        /// Its value.
        found: f64,
        /// The allowed range.
        expected: &'static str,
    },
    /// More spans than [`max_spans`] of the mesh.
    #[error("the mesh has more than {limit} spans of solid voxels; use larger voxels")]
    TooManySpans {
        /// The limit.
        limit: usize,
    },
}

/// Spans that [`voxelize`] collects for a mesh of so many triangles, at most: a bound on time and
/// memory in proportion to the mesh. 2^21 and 256 for each triangle, up to 2^25.
pub const fn max_spans(n_triangles: usize) -> usize {
    let limit = n_triangles.saturating_mul(1 << 8).saturating_add(1 << 21);
    if limit < 1 << 25 { limit } else { 1 << 25 }
}

/// The solid voxels of a mesh inside the bounds of `grid`.
///
/// Triangles without area count as the segment or point that they are.
///
/// # Errors
/// A vertex out of range, an invalid grid, or more than [`max_spans`] spans, which is known at once
/// if triangles inside the bounds cover as many columns.
///
/// ```
/// use wayfarer_base::{TriangleSoup, Voxel};
/// use wayfarer_world::solid::{voxelize, Fill, VoxelGrid};
///
/// // A tetrahedron with edges of 4 meters, in voxels of 1 meter.
/// let vertices = vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
/// let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let mesh = TriangleSoup::new(vertices, faces).unwrap();
/// let grid = VoxelGrid::cubes(1.0, Voxel::new(-9, -9, -9), Voxel::new(9, 9, 9));
/// let solid = voxelize(&mesh, &grid, Fill::Interior).unwrap();
/// assert!(solid.boundary_edges.is_empty());
/// assert_eq!(solid.spans.n_voxels(), 10 + 6 + 3 + 1);
/// ```
pub fn voxelize(
    mesh: &TriangleSoup,
    grid: &VoxelGrid,
    fill: Fill,
) -> Result<VoxelizedMesh, VoxelizeError> {
    grid.check()?;
    let vertices = grid.vertices(mesh)?;
    let triangles = || {
        mesh.triangles()
            .iter()
            .map(|named| named.map(|vertex| vertices[vertex as usize]))
    };
    let limit = max_spans(mesh.triangles().len());
    let n_columns = triangles().map(|vertices| fill::min_columns(vertices, grid));
    if n_columns.fold(0, u64::saturating_add) > limit as u64 {
        return Err(VoxelizeError::TooManySpans { limit });
    }
    let mut runs = Vec::new();
    for vertices in triangles() {
        triangle::runs(vertices, grid, limit, &mut runs)?;
    }
    let mut boundary_edges = BoundaryEdges::default();
    if fill == Fill::Interior {
        fill::inside(triangles(), grid, limit, &mut runs)?;
        boundary_edges = fill::boundary_edges(triangles(), grid);
    }
    Ok(VoxelizedMesh {
        spans: Spans::from_runs(runs),
        boundary_edges,
    })
}

/// An error if there are more than `limit` runs or crossings.
fn check_span_limit<T>(found: &[T], limit: usize) -> Result<(), VoxelizeError> {
    if found.len() > limit {
        return Err(VoxelizeError::TooManySpans { limit });
    }
    Ok(())
}

/// A vertex, in 1/256 voxel.
type Vertex = [i64; 3];

/// The voxel of a vertex.
fn voxel_of(vertex: Vertex) -> Voxel {
    let at = |axis: usize| i32::try_from(vertex[axis] >> 8).expect("vertices are within range");
    Voxel::new(at(0), at(1), at(2))
}

#[cfg(test)]
mod tests;
