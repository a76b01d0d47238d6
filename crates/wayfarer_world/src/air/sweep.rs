//! Swept-ball queries: the first solid voxel that comes nearer to a moving ball than its radius.
//! Branch-and-bound descent, nearest child first; no allocation.

use wayfarer_base::{Fixed, Point3};

use super::ray::RayHit;
use super::tree::{Content, LocalVoxel, Slot};
use super::{Air, bits};

/// A moving ball, in 1/256 of a voxel from the low corner of the bounds.
struct Ball {
    from: [f64; 3],
    delta: [f64; 3],
    /// 1 / `delta`; unused along an axis with `delta` 0.
    inverse: [f64; 3],
    radius: f64,
}

impl Air {
    /// The first solid voxel that a ball hits on the segment between two points, if any. Touching
    /// is not hitting: a ball fits a tunnel as wide as itself. The bounds are not solid, so the
    /// points may lie anywhere. Radius 0 hits what the segment passes through.
    pub fn sweep(&self, from: Point3, to: Point3, radius: Fixed) -> Option<RayHit> {
        #[expect(clippy::cast_precision_loss, reason = "positions have 41 bits at most")]
        let float = |at: [i64; 3]| at.map(|at| at as f64);
        let (from, to) = (float(self.to_raw_local(from)), float(self.to_raw_local(to)));
        let delta: [f64; 3] = std::array::from_fn(|axis| to[axis] - from[axis]);
        let ball = Ball {
            from,
            delta,
            inverse: delta.map(|distance| 1.0 / distance),
            radius: f64::from(radius.raw().max(0)),
        };
        let mut best: Option<(f64, LocalVoxel)> = None;
        self.sweep_node(self.tree.top, self.tree.root, [0; 3], (&ball, &mut best));
        best.map(|(fraction, at)| RayHit {
            voxel: self.to_world(at),
            fraction,
        })
    }

    fn sweep_node(
        &self,
        layer: u8,
        slot: Slot,
        low: LocalVoxel,
        (ball, best): (&Ball, &mut Option<(f64, LocalVoxel)>),
    ) {
        let side = 4_u32 << layer;
        if slot == Slot::FREE || ball.aabb_overlap(low, side, earliest(best)).is_none() {
            return;
        }
        let Content::Block(block) = slot.content() else {
            if let Some(time) = ball.contact_time(low, side) {
                let at = ball.voxel_at(time, low, side);
                offer(best, time, at);
            }
            return;
        };
        let half = side / 2;
        // Children on the side that the ball comes from first.
        let nearest_child = (0..3).fold(0, |nearest_child, axis| {
            nearest_child | u32::from(ball.delta[axis] < 0.0) << axis
        });
        for order in 0..8 {
            let child = nearest_child ^ order;
            let at: LocalVoxel = std::array::from_fn(|axis| low[axis] + (child >> axis & 1) * half);
            if layer > 1 {
                let blocks = &self.tree.inner[usize::from(layer) - 2];
                let slot = blocks.items[block as usize][child as usize];
                self.sweep_node(layer - 1, slot, at, (ball, best));
                continue;
            }
            let solid = self.tree.leaves.items[block as usize][child as usize];
            if solid == 0 {
                continue;
            }
            let Some(times) = ball.aabb_overlap(at, 4, earliest(best)) else {
                continue;
            };
            let mut solid = solid & ball.voxels_near(at, times);
            while solid != 0 {
                let offset = bits::coords(solid.trailing_zeros());
                solid &= solid - 1;
                let voxel = std::array::from_fn(|axis| at[axis] + offset[axis]);
                if ball.aabb_overlap(voxel, 1, earliest(best)).is_none() {
                    continue;
                }
                if let Some(time) = ball.contact_time(voxel, 1) {
                    offer(best, time, voxel);
                }
            }
        }
    }
}

/// The time to beat.
fn earliest(best: &Option<(f64, LocalVoxel)>) -> f64 {
    best.map_or(1.0, |(time, _)| time)
}

/// Keeps the earliest hit. Ties: lowest z, then y, then x.
fn offer(best: &mut Option<(f64, LocalVoxel)>, time: f64, at: LocalVoxel) {
    let order = |[x, y, z]: LocalVoxel| (z, y, x);
    let better = best.is_none_or(|(earliest, other)| {
        time < earliest || (time <= earliest && order(at) < order(other))
    });
    if better {
        *best = Some((time, at));
    }
}

impl Ball {
    fn ends(low: LocalVoxel, side: u32, axis: usize) -> (f64, f64) {
        (
            f64::from(low[axis]) * 256.0,
            f64::from(low[axis] + side) * 256.0,
        )
    }

    /// The times between which the ball's AABB overlaps a cube, at most `limit`; `None` if it
    /// misses.
    #[inline]
    fn aabb_overlap(&self, low: LocalVoxel, side: u32, limit: f64) -> Option<(f64, f64)> {
        let (mut enter, mut leave) = (0.0_f64, limit);
        for axis in 0..3 {
            let (start, end) = Self::ends(low, side, axis);
            let (start, end) = (start - self.radius, end + self.radius);
            let from = self.from[axis];
            if self.delta[axis] == 0.0 {
                if from < start || from > end {
                    return None;
                }
                continue;
            }
            let inverse = self.inverse[axis];
            let (a, b) = ((start - from) * inverse, (end - from) * inverse);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        // Conservative: the exact test decides.
        (enter <= leave + 1e-9).then_some((enter, leave))
    }

    /// The voxels of a leaf that the ball's AABB overlaps between two times.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the leaf"
    )]
    fn voxels_near(&self, low: LocalVoxel, (enter, leave): (f64, f64)) -> u64 {
        let (mut first, mut last) = ([0; 3], [0; 3]);
        for axis in 0..3 {
            let [a, b] = [enter, leave].map(|time| self.from[axis] + self.delta[axis] * time);
            // 1/256 of a voxel of tolerance on each side.
            let reach = self.radius + 1.0;
            let start = f64::from(low[axis]);
            // Clamped first, so that the conversion rounds down.
            let offset = |at: f64| (at / 256.0 - start).clamp(0.0, 3.0) as u32;
            first[axis] = offset(a.min(b) - reach);
            last[axis] = offset(a.max(b) + reach);
        }
        bits::cuboid(first, last)
    }

    /// The distance to a slab along one axis at a time; 0 inside it.
    fn gap(&self, axis: usize, time: f64, (start, end): (f64, f64)) -> f64 {
        let at = self.from[axis] + self.delta[axis] * time;
        (start - at).max(at - end).max(0.0)
    }

    /// The time at which the ball hits a cube, 0 to 1.
    ///
    /// The squared distance is piecewise quadratic, with breaks where the center enters or leaves
    /// one of the cube's slabs.
    fn contact_time(&self, low: LocalVoxel, side: u32) -> Option<f64> {
        let slabs: [(f64, f64); 3] = std::array::from_fn(|axis| Self::ends(low, side, axis));
        let mut times = [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
        let mut count = 2;
        for (axis, slab) in slabs.iter().enumerate() {
            if self.delta[axis] != 0.0 {
                for edge in [slab.0, slab.1] {
                    let time = (edge - self.from[axis]) / self.delta[axis];
                    if time > 0.0 && time < 1.0 {
                        times[count] = time;
                        count += 1;
                    }
                }
            }
        }
        let times = &mut times[..count];
        times.sort_unstable_by(f64::total_cmp);
        let radius_squared = self.radius * self.radius;
        let square = |time: f64| {
            (0..3).fold(0.0, |sum, axis| {
                let gap = self.gap(axis, time, slabs[axis]);
                sum + gap * gap
            })
        };
        // With radius 0 the segment must pass through the interior.
        let inside = |time: f64| {
            if self.radius > 0.0 {
                return square(time) < radius_squared;
            }
            (0..3).all(|axis| {
                let at = self.from[axis] + self.delta[axis] * time;
                slabs[axis].0 < at && at < slabs[axis].1
            })
        };
        if inside(0.0) {
            return Some(0.0);
        }
        for pair in times.windows(2) {
            let (start, end) = (pair[0], pair[1]);
            if start >= end {
                continue;
            }
            let center = (start + end) / 2.0;
            if self.radius == 0.0 {
                if inside(center) {
                    return Some(start);
                }
                continue;
            }
            if let Some(time) = self.first_contact_in((start, end), &slabs, radius_squared) {
                return Some(time);
            }
        }
        None
    }

    /// The first time in a piece at which the squared distance falls below `radius_squared`.
    fn first_contact_in(
        &self,
        (start, end): (f64, f64),
        slabs: &[(f64, f64); 3],
        radius_squared: f64,
    ) -> Option<f64> {
        let center = (start + end) / 2.0;
        // a t^2 + 2 b t + c over the axes along which the center is outside the slab.
        let (mut a, mut b, mut c) = (0.0, 0.0, -radius_squared);
        for (axis, slab) in slabs.iter().enumerate() {
            let at = self.from[axis] + self.delta[axis] * center;
            let edge = if at < slab.0 {
                slab.0
            } else if at > slab.1 {
                slab.1
            } else {
                continue;
            };
            let (distance, offset) = (self.delta[axis], self.from[axis] - edge);
            a += distance * distance;
            b += distance * offset;
            c += offset * offset;
        }
        if a == 0.0 {
            return (c < 0.0).then_some(start);
        }
        let discriminant = b * b - a * c;
        if discriminant <= 0.0 {
            return None;
        }
        let sqrt = discriminant.sqrt();
        let (first, last) = ((-b - sqrt) / a, (-b + sqrt) / a);
        let time = first.max(start);
        (time < end.min(last)).then_some(time)
    }

    /// The voxel of a solid cube that the ball hits at a time: the nearest to its center.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the cube"
    )]
    fn voxel_at(&self, time: f64, low: LocalVoxel, side: u32) -> LocalVoxel {
        std::array::from_fn(|axis| {
            let at = (self.from[axis] + self.delta[axis] * time) / 256.0;
            let (first, last) = (f64::from(low[axis]), f64::from(low[axis] + side - 1));
            at.clamp(first, last) as u32
        })
    }
}
