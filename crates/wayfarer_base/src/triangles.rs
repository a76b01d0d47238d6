//! Loose triangles, as meshes of any format hand them over.

/// Triangles over shared corners, in world units, z up.
///
/// Invariant: every index names a corner, every coordinate is finite.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TriangleSoup {
    corners: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

/// Why triangles were refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TriangleError {
    /// A corner is infinite or no number.
    #[error("corner {corner} is not finite")]
    NotFinite {
        /// Which corner, from 0.
        corner: usize,
    },
    /// A triangle names a corner that is not there.
    #[error("triangle {triangle} names corner {corner}, there are {count}")]
    NoSuchCorner {
        /// Which triangle, from 0.
        triangle: usize,
        /// The corner it names.
        corner: u32,
        /// How many there are.
        count: usize,
    },
}

impl TriangleSoup {
    /// Checked triangles.
    ///
    /// # Errors
    /// The first corner or triangle that cannot be.
    pub fn new(corners: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Result<Self, TriangleError> {
        let finite = |corner: &[f64; 3]| corner.iter().all(|at| at.is_finite());
        if let Some(corner) = corners.iter().position(|corner| !finite(corner)) {
            return Err(TriangleError::NotFinite { corner });
        }
        for (triangle, named) in triangles.iter().enumerate() {
            let missing = named.iter().find(|&&n| n as usize >= corners.len());
            if let Some(&corner) = missing {
                return Err(TriangleError::NoSuchCorner {
                    triangle,
                    corner,
                    count: corners.len(),
                });
            }
        }
        Ok(Self { corners, triangles })
    }

    /// The corners, in world units.
    pub fn corners(&self) -> &[[f64; 3]] {
        &self.corners
    }

    /// The triangles, as numbers of corners.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The three corners of each triangle.
    pub fn iter(&self) -> impl Iterator<Item = [[f64; 3]; 3]> {
        self.triangles
            .iter()
            .map(|t| t.map(|corner| self.corners[corner as usize]))
    }
}
