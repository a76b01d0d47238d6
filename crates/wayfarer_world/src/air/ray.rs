//! Exact ray casting: integer voxel traversal in which a free cube of any size is one step.
//!
//! A ray through an edge or corner touches all voxels that meet there: the box between the voxel
//! before and the voxel after must be free. A point on the face between two voxels belongs to the
//! one with larger coordinates.

use wayfarer_base::{Point3, Voxel};

use super::tree::{Cursor, LocalVoxel, Lookup};
use super::{Air, AirError, bits};

/// The first contact of a ray or a swept ball with a solid voxel.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RayHit {
    /// The solid voxel.
    pub voxel: Voxel,
    /// The fraction of the segment traveled before the contact, 0 to 1.
    pub fraction: f64,
}

/// The state of a voxel traversal.
struct Traversal {
    /// The start, in 1/256 of a voxel from the low corner of the bounds.
    from: [i64; 3],
    /// Absolute length along each axis.
    length: [i64; 3],
    /// True where the ray goes towards larger coordinates.
    is_positive: [bool; 3],
    /// The current voxel.
    at: [i64; 3],
    /// The last voxel.
    end: [i64; 3],
    /// When the ray entered `at`, as a fraction: distance along an axis over the length along it.
    time: (i64, i64),
}

impl Air {
    /// The first solid voxel on the segment between two points inside the bounds, if any.
    ///
    /// # Errors
    /// [`AirError::OutOfBounds`] if a point lies outside the bounds.
    pub fn cast_ray(&self, from: Point3, to: Point3) -> Result<Option<RayHit>, AirError> {
        for point in [from, to] {
            self.checked(voxel_at(point))?;
        }
        Ok(self.traverse(self.to_raw_local(from), self.to_raw_local(to)))
    }

    /// True if the segment between the centers of two voxels hits no solid voxel; false if one of
    /// them lies outside the bounds.
    pub fn has_line_of_sight(&self, from: Voxel, to: Voxel) -> bool {
        let (Some(from), Some(to)) = (self.to_local(from), self.to_local(to)) else {
            return false;
        };
        let center = |at: LocalVoxel| at.map(|at| i64::from(at) * 256 + 128);
        self.traverse(center(from), center(to)).is_none()
    }

    fn traverse(&self, from: [i64; 3], to: [i64; 3]) -> Option<RayHit> {
        let mut ray = Traversal {
            from,
            length: std::array::from_fn(|axis| (to[axis] - from[axis]).abs()),
            is_positive: std::array::from_fn(|axis| to[axis] > from[axis]),
            at: from.map(|at| at >> 8),
            end: to.map(|at| at >> 8),
            time: (0, 1),
        };
        // The current leaf: its coordinates and solid voxels.
        let mut leaf = ([-1; 3], 0_u64);
        let mut cursor = Cursor::new(&self.tree);
        loop {
            let leaf_coords = ray.at.map(|at| at >> 2);
            let mut side = 1;
            if leaf_coords != leaf.0 {
                match cursor.find(local(ray.at)) {
                    Lookup::Cube { solid: true, .. } => return Some(self.hit(&ray, ray.at)),
                    Lookup::Cube { layer, .. } => side = 4_i64 << layer,
                    Lookup::Leaf { voxels, .. } => leaf = (leaf_coords, voxels),
                }
            }
            if side == 1 {
                if leaf.1 >> bits::index(local(ray.at)) & 1 == 1 {
                    return Some(self.hit(&ray, ray.at));
                }
                if leaf.1 == 0 {
                    side = 4;
                }
            }
            let low = ray.at.map(|at| at & !(side - 1));
            let (before, axes) = ray.exit_cube(low, side)?;
            if axes.count_ones() > 1 {
                // Through an edge or corner: all voxels that meet there.
                for subset in (1..axes).filter(|subset| subset & !axes == 0) {
                    let adjacent = ray.step_along(before, subset);
                    if self.is_solid_local(local(adjacent)) {
                        return Some(self.hit(&ray, adjacent));
                    }
                }
            }
            ray.at = ray.step_along(before, axes);
        }
    }

    fn hit(&self, ray: &Traversal, at: [i64; 3]) -> RayHit {
        #[expect(clippy::cast_precision_loss, reason = "both have fewer than 32 bits")]
        let distance = ray.time.0 as f64 / ray.time.1 as f64;
        RayHit {
            voxel: self.to_world(local(at)),
            fraction: distance,
        }
    }
}

impl Traversal {
    /// Advances to where the ray leaves a free cube: the last voxel inside, and the axes (one bit
    /// each) along which it leaves at that time. `None` if the ray ends inside.
    #[inline]
    fn exit_cube(&mut self, low: [i64; 3], side: i64) -> Option<([i64; 3], u32)> {
        let mut first: Option<(i64, i64)> = None;
        let mut exits = [None; 3];
        for axis in 0..3 {
            // Distance along the axis to the cube's face, if the ray crosses it.
            let face = if self.is_positive[axis] {
                let high = low[axis] + side;
                (self.end[axis] >= high).then(|| high * 256 - self.from[axis])
            } else {
                (self.end[axis] < low[axis]).then(|| self.from[axis] - low[axis] * 256)
            };
            exits[axis] = face;
            if let Some(distance) = face {
                let sooner =
                    |(other, length): (i64, i64)| distance * length < other * self.length[axis];
                if first.is_none_or(sooner) {
                    first = Some((distance, self.length[axis]));
                }
            }
        }
        let time = first?;
        self.time = time;
        let mut before = self.at;
        let mut axes = 0;
        for axis in 0..3 {
            if exits[axis].is_some_and(|distance| distance * time.1 == time.0 * self.length[axis]) {
                before[axis] = if self.is_positive[axis] {
                    low[axis] + side - 1
                } else {
                    low[axis]
                };
                axes |= 1 << axis;
                continue;
            }
            if side == 1 || self.length[axis] == 0 {
                continue;
            }
            // Distance along this axis at that time, rounded up, and whether it is exact.
            let distance = self.length[axis] * time.0;
            let exact = distance % time.1 == 0;
            let distance = distance / time.1 + i64::from(!exact);
            let edge = if self.is_positive[axis] {
                self.from[axis] + distance
            } else {
                self.from[axis] - distance
            };
            before[axis] = if self.is_positive[axis] {
                (edge - 1).max(self.from[axis]) >> 8
            } else {
                edge >> 8
            };
            // The ray may cross a voxel face of this axis at the same time.
            let passes = if self.is_positive[axis] {
                before[axis] < self.end[axis]
            } else {
                before[axis] > self.end[axis]
            };
            let on_face = exact && edge & 255 == 0 && !(self.is_positive[axis] && distance == 0);
            if on_face && passes {
                axes |= 1 << axis;
            }
        }
        Some((before, axes))
    }

    /// The voxel one step further along some axes.
    fn step_along(&self, mut at: [i64; 3], axes: u32) -> [i64; 3] {
        for (axis, at) in at.iter_mut().enumerate() {
            if axes >> axis & 1 == 1 {
                *at += if self.is_positive[axis] { 1 } else { -1 };
            }
        }
        at
    }
}

/// Local coordinates known to lie inside the bounds.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a traversal stays between two points inside the bounds"
)]
fn local(at: [i64; 3]) -> LocalVoxel {
    at.map(|at| at as u32)
}

pub(super) fn voxel_at(point: Point3) -> Voxel {
    Voxel::new(point.x.cell(), point.y.cell(), point.z.cell())
}
