//! What a straight line runs into: exact, in whole numbers, large free cubes crossed in one step.
//!
//! A line that goes through an edge or corner of voxels touches all voxels that meet there, as the
//! benchmarks' rule has it: the whole box between the voxel before and the voxel after must be
//! free. A point on the face between two voxels belongs to the one with larger numbers.

use wayfarer_base::{Point3, Voxel};

use super::tree::{At, Cursor, Found};
use super::{Air, AirError, bits};

/// Where a line or a moving ball first meets something solid.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RayHit {
    /// The solid voxel.
    pub voxel: Voxel,
    /// How much of the way was made, from 0 to 1.
    pub distance: f64,
}

/// A line from voxel to voxel.
struct Walk {
    /// The start, in 1/256 of a voxel from the low corner.
    from: [i64; 3],
    /// Length along each axis, without sign.
    length: [i64; 3],
    /// True where the line goes towards larger numbers.
    up: [bool; 3],
    /// The voxel it has come to.
    at: [i64; 3],
    /// The last voxel.
    end: [i64; 3],
    /// When it came to `at`: parts of the length along an axis, and that length.
    time: (i64, i64),
}

impl Air {
    /// The first solid voxel on the line between two points inside the bounds, if any.
    ///
    /// # Errors
    /// If a point lies outside the bounds.
    pub fn cast_ray(&self, from: Point3, to: Point3) -> Result<Option<RayHit>, AirError> {
        for point in [from, to] {
            self.checked(voxel_of(point))?;
        }
        Ok(self.walk(self.parts(from), self.parts(to)))
    }

    /// True if the line between the middles of two voxels meets nothing solid; false if one of
    /// them lies outside the bounds.
    pub fn has_line_of_sight(&self, from: Voxel, to: Voxel) -> bool {
        let (Some(from), Some(to)) = (self.to_local(from), self.to_local(to)) else {
            return false;
        };
        let center = |at: At| at.map(|at| i64::from(at) * 256 + 128);
        self.walk(center(from), center(to)).is_none()
    }

    fn walk(&self, from: [i64; 3], to: [i64; 3]) -> Option<RayHit> {
        let mut walk = Walk {
            from,
            length: std::array::from_fn(|axis| (to[axis] - from[axis]).abs()),
            up: std::array::from_fn(|axis| to[axis] > from[axis]),
            at: from.map(|at| at >> 8),
            end: to.map(|at| at >> 8),
            time: (0, 1),
        };
        // The leaf last looked at: its place and solid voxels.
        let mut leaf = ([-1; 3], 0_u64);
        let mut cursor = Cursor::new(&self.tree);
        loop {
            let place = walk.at.map(|at| at >> 2);
            let mut side = 1;
            if place != leaf.0 {
                match cursor.find(local(walk.at)) {
                    Found::Cube { solid: true, .. } => return Some(self.hit(&walk, walk.at)),
                    Found::Cube { layer, .. } => side = 4_i64 << layer,
                    Found::Leaf { voxels, .. } => leaf = (place, voxels),
                }
            }
            if side == 1 {
                if leaf.1 >> bits::index(local(walk.at)) & 1 == 1 {
                    return Some(self.hit(&walk, walk.at));
                }
                if leaf.1 == 0 {
                    side = 4;
                }
            }
            let low = walk.at.map(|at| at & !(side - 1));
            let (before, across) = walk.leave(low, side)?;
            if across.count_ones() > 1 {
                // Through an edge or corner: all voxels that meet there.
                for some in (1..across).filter(|some| some & !across == 0) {
                    let beside = walk.stepped(before, some);
                    if self.solid_at(local(beside)) {
                        return Some(self.hit(&walk, beside));
                    }
                }
            }
            walk.at = walk.stepped(before, across);
        }
    }

    fn hit(&self, walk: &Walk, at: [i64; 3]) -> RayHit {
        #[expect(clippy::cast_precision_loss, reason = "both have fewer than 32 bits")]
        let distance = walk.time.0 as f64 / walk.time.1 as f64;
        RayHit {
            voxel: self.to_world(local(at)),
            distance,
        }
    }
}

impl Walk {
    /// Goes on to where the line leaves a free cube: the last voxel inside and the axes, a bit
    /// each, along which it leaves at that moment. `None` if it ends inside.
    #[inline]
    fn leave(&mut self, low: [i64; 3], side: i64) -> Option<([i64; 3], u32)> {
        let mut first: Option<(i64, i64)> = None;
        let mut leaves = [None; 3];
        for axis in 0..3 {
            // Parts of the way along the axis until the cube's face, if it is crossed.
            let face = if self.up[axis] {
                let high = low[axis] + side;
                (self.end[axis] >= high).then(|| high * 256 - self.from[axis])
            } else {
                (self.end[axis] < low[axis]).then(|| self.from[axis] - low[axis] * 256)
            };
            leaves[axis] = face;
            if let Some(direction) = face {
                let sooner =
                    |(other, length): (i64, i64)| direction * length < other * self.length[axis];
                if first.is_none_or(sooner) {
                    first = Some((direction, self.length[axis]));
                }
            }
        }
        let time = first?;
        self.time = time;
        let mut before = self.at;
        let mut across = 0;
        for axis in 0..3 {
            if leaves[axis]
                .is_some_and(|direction| direction * time.1 == time.0 * self.length[axis])
            {
                before[axis] = if self.up[axis] {
                    low[axis] + side - 1
                } else {
                    low[axis]
                };
                across |= 1 << axis;
                continue;
            }
            if side == 1 || self.length[axis] == 0 {
                continue;
            }
            // How far along this axis at that moment, rounded up, and whether exactly so far.
            let direction = self.length[axis] * time.0;
            let exact = direction % time.1 == 0;
            let direction = direction / time.1 + i64::from(!exact);
            let edge = if self.up[axis] {
                self.from[axis] + direction
            } else {
                self.from[axis] - direction
            };
            before[axis] = if self.up[axis] {
                (edge - 1).max(self.from[axis]) >> 8
            } else {
                edge >> 8
            };
            // It may pass from voxel to voxel at the very same moment.
            let passes = if self.up[axis] {
                before[axis] < self.end[axis]
            } else {
                before[axis] > self.end[axis]
            };
            let on_face = exact && edge & 255 == 0 && !(self.up[axis] && direction == 0);
            if on_face && passes {
                across |= 1 << axis;
            }
        }
        Some((before, across))
    }

    /// The voxel one step on along some axes.
    fn stepped(&self, mut at: [i64; 3], axes: u32) -> [i64; 3] {
        for (axis, at) in at.iter_mut().enumerate() {
            if axes >> axis & 1 == 1 {
                *at += if self.up[axis] { 1 } else { -1 };
            }
        }
        at
    }
}

/// A place that is known to lie inside the bounds.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "walks stay between two points inside the bounds"
)]
fn local(at: [i64; 3]) -> At {
    at.map(|at| at as u32)
}

pub(super) fn voxel_of(point: Point3) -> Voxel {
    Voxel::new(point.x.cell(), point.y.cell(), point.z.cell())
}
