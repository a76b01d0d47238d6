//! Alignment of the voxel grid: world units to voxels.

use wayfarer_base::{TriangleSoup, Voxel};

use super::{Vertex, VoxelizeError};

/// Position, size and bounds of the voxels in the world units of a mesh.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct VoxelGrid {
    /// The low corner of voxel (0, 0, 0), in world units.
    pub origin: [f64; 3],
    /// Size of a voxel along each axis, in world units; more than 0.
    pub voxel: [f64; 3],
    /// The lowest voxel of the bounds.
    pub low: Voxel,
    /// The highest voxel of the bounds.
    pub high: Voxel,
}

impl VoxelGrid {
    /// Largest magnitude of vertices and bounds on each axis, in voxels.
    pub const MAX_COORDINATE: i32 = 1 << 22;

    /// Cubes of `side` world units, voxel (0, 0, 0) at the origin, bounds from `low` to `high`, both
    /// included. Validated where it is used: `side` must be finite and above 0, the bounds below
    /// [`VoxelGrid::MAX_COORDINATE`].
    pub const fn cubes(side: f64, low: Voxel, high: Voxel) -> Self {
        Self {
            origin: [0.0; 3],
            voxel: [side; 3],
            low,
            high,
        }
    }

    /// The lowest and highest voxel that a mesh may make solid, regardless of the bounds; `None`
    /// without triangles.
    ///
    /// # Errors
    /// A vertex out of range, or an invalid grid.
    pub fn bounds_of(&self, mesh: &TriangleSoup) -> Result<Option<(Voxel, Voxel)>, VoxelizeError> {
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
        // A triangle between two layers of voxels may belong to either.
        let voxels = |(low, high): (Vertex, Vertex)| {
            (super::voxel_of(low.map(|at| at - 1)), super::voxel_of(high))
        };
        Ok(ends.map(voxels))
    }

    pub(super) fn check(&self) -> Result<(), VoxelizeError> {
        let bad = |what, found, expected| {
            Err(VoxelizeError::InvalidGrid {
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

    pub(super) fn low_bound(&self) -> Vertex {
        [self.low.x, self.low.y, self.low.z].map(i64::from)
    }

    pub(super) fn high_bound(&self) -> Vertex {
        [self.high.x, self.high.y, self.high.z].map(i64::from)
    }

    /// The vertices of a mesh, in 1/256 voxel.
    pub(super) fn vertices(&self, mesh: &TriangleSoup) -> Result<Vec<Vertex>, VoxelizeError> {
        let place = |(vertex, at): (usize, &[f64; 3])| {
            let voxels: [f64; 3] =
                std::array::from_fn(|axis| (at[axis] - self.origin[axis]) / self.voxel[axis]);
            if voxels
                .iter()
                .all(|at| at.abs() < f64::from(Self::MAX_COORDINATE))
            {
                Ok(voxels.map(to_raw))
            } else {
                Err(VoxelizeError::VertexTooFar { vertex, at: voxels })
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
    reason = "the caller checked the range"
)]
fn to_raw(voxels: f64) -> i64 {
    (voxels * 256.0).round() as i64
}
