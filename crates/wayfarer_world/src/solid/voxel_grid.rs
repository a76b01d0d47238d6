//! Where the voxels lie in the world of a mesh, and how large they are.

use wayfarer_base::{TriangleSoup, Voxel};

use super::{SolidError, Vertex};

/// How the world units of a mesh become voxels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct VoxelGrid {
    /// The low vertex of voxel (0, 0, 0), in world units.
    pub origin: [f64; 3],
    /// Size of a voxel along each axis, in world units; more than 0.
    pub voxel: [f64; 3],
    /// The lowest voxel kept.
    pub low: Voxel,
    /// The highest voxel kept.
    pub high: Voxel,
}

impl VoxelGrid {
    /// How far from the origin vertices and bounds may lie on each axis, in voxels.
    pub const MAX_COORDINATE: i32 = 1 << 22;

    /// Cubes of `side` world units, voxel (0, 0, 0) at the origin, kept from `low` to `high`.
    pub const fn cubes(side: f64, low: Voxel, high: Voxel) -> Self {
        Self {
            origin: [0.0; 3],
            voxel: [side; 3],
            low,
            high,
        }
    }

    /// The lowest and highest voxel that the triangles of a mesh may make solid, whatever is kept;
    /// `None` without triangles.
    ///
    /// # Errors
    /// A vertex out of reach, or a grid that cannot be.
    pub fn bounds_of(&self, mesh: &TriangleSoup) -> Result<Option<(Voxel, Voxel)>, SolidError> {
        self.check()?;
        let vertices = self.vertices(mesh)?;
        let used = mesh.triangles().iter().flatten();
        let ends = used.fold(None, |ends: Option<(Vertex, Vertex)>, &vertex| {
            let at = vertices[vertex as usize];
            let (low, high) = ends.unwrap_or((at, at));
            Some((
                std::array::from_fn(|axis| low[axis].min(at[axis])),
                std::array::from_fn(|axis| high[axis].max(at[axis])),
            ))
        });
        // What lies between two layers of voxels may belong to either.
        let voxels = |(low, high): (Vertex, Vertex)| {
            (super::voxel_of(low.map(|at| at - 1)), super::voxel_of(high))
        };
        Ok(ends.map(voxels))
    }

    pub(super) fn check(&self) -> Result<(), SolidError> {
        let bad = |what, found, expected| {
            Err(SolidError::InvalidGrid {
                what,
                found,
                expected,
            })
        };
        for axis in 0..3 {
            if !self.origin[axis].is_finite() {
                return bad("origin", self.origin[axis], "a finite number");
            }
            if !(self.voxel[axis].is_finite() && self.voxel[axis] > 0.0) {
                return bad("voxel", self.voxel[axis], "more than 0");
            }
        }
        for bound in self.low_bound().into_iter().chain(self.high_bound()) {
            if bound.abs() >= i64::from(Self::MAX_COORDINATE) {
                #[expect(clippy::cast_precision_loss, reason = "a voxel number has 32 bits")]
                return bad("bounds", bound as f64, "within 4194303 voxels");
            }
        }
        Ok(())
    }

    /// The lowest voxel kept, as an array.
    pub(super) fn low_bound(&self) -> Vertex {
        [self.low.x, self.low.y, self.low.z].map(i64::from)
    }

    /// The highest voxel kept, as an array.
    pub(super) fn high_bound(&self) -> Vertex {
        [self.high.x, self.high.y, self.high.z].map(i64::from)
    }

    /// The vertices of a mesh in 1/256 of a voxel, each within reach.
    pub(super) fn vertices(&self, mesh: &TriangleSoup) -> Result<Vec<Vertex>, SolidError> {
        let place = |(vertex, at): (usize, &[f64; 3])| {
            let voxels: [f64; 3] =
                std::array::from_fn(|axis| (at[axis] - self.origin[axis]) / self.voxel[axis]);
            if voxels
                .iter()
                .all(|at| at.abs() < f64::from(Self::MAX_COORDINATE))
            {
                Ok(voxels.map(to_raw))
            } else {
                Err(SolidError::VertexTooFar { vertex, at: voxels })
            }
        };
        mesh.vertices().iter().enumerate().map(place).collect()
    }

    /// A vertex in world units.
    pub(super) fn to_world(self, vertex: Vertex) -> [f64; 3] {
        #[expect(clippy::cast_precision_loss, reason = "vertices have 31 bits")]
        let voxels = |axis: usize| vertex[axis] as f64 / 256.0;
        std::array::from_fn(|axis| voxels(axis) * self.voxel[axis] + self.origin[axis])
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "compared with the reach just before"
)]
fn to_raw(voxels: f64) -> i64 {
    (voxels * 256.0).round() as i64
}
