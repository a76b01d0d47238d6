//! Triangle soup: the exchange type of mesh readers, generators and voxelization.

/// Indexed triangles without topology, in world units, z up.
///
/// Invariant: every index is in range, every coordinate is finite.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TriangleSoup {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

/// Invalid triangles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TriangleError {
    /// A vertex has a coordinate that is infinite or NaN.
    #[error("vertex {vertex} is not finite")]
    NotFinite {
        /// Index of the vertex.
        vertex: usize,
    },
    /// A triangle has a vertex index out of range.
    #[error("triangle {triangle} has vertex {vertex}, expected less than {count}")]
    NoSuchVertex {
        /// Index of the triangle.
        triangle: usize,
        /// The vertex index.
        vertex: u32,
        /// Number of vertices.
        count: usize,
    },
}

impl TriangleSoup {
    /// Validated triangles. O(n).
    ///
    /// # Errors
    /// The first invalid vertex, or else the first triangle with an index out of range.
    pub fn new(vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Result<Self, TriangleError> {
        let is_finite = |vertex: &[f64; 3]| vertex.iter().all(|at| at.is_finite());
        if let Some(vertex) = vertices.iter().position(|vertex| !is_finite(vertex)) {
            return Err(TriangleError::NotFinite { vertex });
        }
        for (triangle, indices) in triangles.iter().enumerate() {
            let out_of_range = indices.iter().find(|&&n| n as usize >= vertices.len());
            if let Some(&vertex) = out_of_range {
                return Err(TriangleError::NoSuchVertex {
                    triangle,
                    vertex,
                    count: vertices.len(),
                });
            }
        }
        Ok(Self {
            vertices,
            triangles,
        })
    }

    /// The vertices, in world units.
    pub fn vertices(&self) -> &[[f64; 3]] {
        &self.vertices
    }

    /// The vertex indices of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The vertex positions of each triangle.
    pub fn iter(&self) -> impl Iterator<Item = [[f64; 3]; 3]> {
        self.triangles
            .iter()
            .map(|t| t.map(|vertex| self.vertices[vertex as usize]))
    }
}
