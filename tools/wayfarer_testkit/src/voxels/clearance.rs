//! How much room there is around a point or a line in space, measured against every solid voxel.
//!
//! Points are in voxels: voxel (x, y, z) is the closed cube from (x, y, z) to (x + 1, y + 1,
//! z + 1), its middle at + 0.5. Only solid voxels count, not the walls of the block. Distances
//! are f64, right to about 1e-9 for coordinates below a thousand.

use wayfarer_base::Voxel;

use super::ReferenceVoxels;

/// A point in space, in voxels: x, y, z.
pub type SpacePoint = [f64; 3];

/// The middle of a voxel.
pub fn middle(voxel: Voxel) -> SpacePoint {
    [voxel.x, voxel.y, voxel.z].map(|at| f64::from(at) + 0.5)
}

impl ReferenceVoxels {
    /// The distance from a point to the nearest solid voxel, 0 inside or on one; `None` if there
    /// is none.
    pub fn room_at(&self, at: SpacePoint) -> Option<f64> {
        self.room_along(at, at)
    }

    /// The least distance from any point of a segment to the nearest solid voxel, 0 if it touches
    /// one; `None` if there is none.
    pub fn room_along(&self, from: SpacePoint, to: SpacePoint) -> Option<f64> {
        self.solid_voxels()
            .map(|voxel| distance_to_cube(from, to, voxel))
            .min_by(f64::total_cmp)
    }

    /// True if an open ball of this radius can move along the segment and meets no solid voxel.
    pub fn ball_fits(&self, from: SpacePoint, to: SpacePoint, radius: f64) -> bool {
        self.room_along(from, to).is_none_or(|room| room >= radius)
    }
}

/// The least distance between the segment and the closed cube of `voxel`.
///
/// Along the segment each axis is before, beside or behind the cube; between the places where one
/// of them changes, the squared distance is one parabola, whose least value is looked up.
fn distance_to_cube(from: SpacePoint, to: SpacePoint, voxel: Voxel) -> f64 {
    let low = [voxel.x, voxel.y, voxel.z].map(f64::from);
    let along = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
    let mut changes = vec![0.0, 1.0];
    for axis in 0..3 {
        for face in [low[axis], low[axis] + 1.0] {
            let t = (face - from[axis]) / along[axis];
            if t > 0.0 && t < 1.0 {
                changes.push(t);
            }
        }
    }
    changes.sort_by(f64::total_cmp);
    let beside = |t: f64, axis: usize| {
        let at = from[axis] + along[axis] * t;
        (low[axis] - at).max(at - low[axis] - 1.0).max(0.0)
    };
    let square = |t: f64| (0..3).map(|axis| beside(t, axis) * beside(t, axis)).sum();
    let mut least: f64 = changes.iter().map(|t| square(*t)).fold(f64::MAX, f64::min);
    for pair in changes.windows(2) {
        // Where the sum of the squares' slopes is zero, over the axes that are not beside.
        let center = (pair[0] + pair[1]) / 2.0;
        let (mut slope, mut bend) = (0.0, 0.0);
        for axis in 0..3 {
            let at = from[axis] + along[axis] * center;
            let face = if at < low[axis] {
                low[axis]
            } else if at > low[axis] + 1.0 {
                low[axis] + 1.0
            } else {
                continue;
            };
            slope += (from[axis] - face) * along[axis];
            bend += along[axis] * along[axis];
        }
        if bend > 0.0 {
            least = least.min(square((-slope / bend).clamp(pair[0], pair[1])));
        }
    }
    least.sqrt()
}

#[cfg(test)]
mod tests;
