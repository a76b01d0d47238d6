//! Clearance of points and segments, by brute force over all solid voxels.
//!
//! Units are voxels: voxel (x, y, z) is the closed cube from (x, y, z) to (x + 1, y + 1, z + 1).
//! The boundary of the block does not count. Distances are accurate to about 1e-9 for coordinates
//! below a thousand.

use wayfarer_base::Voxel;

use super::ReferenceVoxels;

/// A point (x, y, z), in voxels.
pub type SpacePoint = [f64; 3];

/// The center of a voxel.
pub fn center(voxel: Voxel) -> SpacePoint {
    [voxel.x, voxel.y, voxel.z].map(|at| f64::from(at) + 0.5)
}

impl ReferenceVoxels {
    /// The distance from a point to the nearest solid voxel, 0 inside or on one; `None` without
    /// solid voxels.
    pub fn clearance_at(&self, at: SpacePoint) -> Option<f64> {
        self.clearance_along(at, at)
    }

    /// The distance from a segment to the nearest solid voxel, 0 if they touch; `None` without
    /// solid voxels.
    pub fn clearance_along(&self, from: SpacePoint, to: SpacePoint) -> Option<f64> {
        self.solid_voxels()
            .map(|voxel| distance_to_cube(from, to, voxel))
            .min_by(f64::total_cmp)
    }

    /// True if an open ball of this radius swept along the segment overlaps no solid voxel.
    pub fn is_sweep_clear(&self, from: SpacePoint, to: SpacePoint, radius: f64) -> bool {
        self.clearance_along(from, to)
            .is_none_or(|clearance| clearance >= radius)
    }
}

/// The distance between the segment and the closed cube of `voxel`.
///
/// The planes of the faces split the segment into intervals; on each, the squared distance is a
/// parabola, whose minimum is evaluated.
fn distance_to_cube(from: SpacePoint, to: SpacePoint, voxel: Voxel) -> f64 {
    let low = [voxel.x, voxel.y, voxel.z].map(f64::from);
    let along = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
    let mut breakpoints = vec![0.0, 1.0];
    for axis in 0..3 {
        for face in [low[axis], low[axis] + 1.0] {
            let t = (face - from[axis]) / along[axis];
            if t > 0.0 && t < 1.0 {
                breakpoints.push(t);
            }
        }
    }
    breakpoints.sort_by(f64::total_cmp);
    let axis_distance = |t: f64, axis: usize| {
        let at = from[axis] + along[axis] * t;
        (low[axis] - at).max(at - low[axis] - 1.0).max(0.0)
    };
    let squared = |t: f64| {
        (0..3)
            .map(|axis| axis_distance(t, axis) * axis_distance(t, axis))
            .sum()
    };
    let mut min: f64 = breakpoints
        .iter()
        .map(|t| squared(*t))
        .fold(f64::MAX, f64::min);
    for pair in breakpoints.windows(2) {
        // The root of the derivative, over the axes outside the slab of the cube.
        let center = (pair[0] + pair[1]) / 2.0;
        let (mut linear, mut quadratic) = (0.0, 0.0);
        for axis in 0..3 {
            let at = from[axis] + along[axis] * center;
            let face = if at < low[axis] {
                low[axis]
            } else if at > low[axis] + 1.0 {
                low[axis] + 1.0
            } else {
                continue;
            };
            linear += (from[axis] - face) * along[axis];
            quadratic += along[axis] * along[axis];
        }
        if quadratic > 0.0 {
            min = min.min(squared((-linear / quadratic).clamp(pair[0], pair[1])));
        }
    }
    min.sqrt()
}

#[cfg(test)]
mod tests;
