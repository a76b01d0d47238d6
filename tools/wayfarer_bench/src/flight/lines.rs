//! Legality of flights without the octree: one bit per voxel, every voxel that a segment touches is tested.

use std::collections::VecDeque;

use wayfarer_engine::base::{Fixed, Voxel, VoxelSet};

/// Space as a plain block of bits.
#[derive(Clone, Debug)]
pub struct Bits {
    size: [i64; 3],
    solid: Vec<u64>,
}

impl Bits {
    /// The block of a voxel set.
    pub fn of(set: &VoxelSet) -> Self {
        let mut bits = Self::empty(set.size());
        for at in set.solid() {
            let [x, y, z] = at.map(i64::from);
            bits.fill([x, y, z], true);
        }
        bits
    }

    /// A block in which everything is free.
    pub fn empty(size: [u32; 3]) -> Self {
        let n_voxels = size.iter().map(|side| u64::from(*side)).product::<u64>();
        let n_words = usize::try_from(n_voxels.div_ceil(64)).unwrap_or(0);
        Self {
            size: size.map(i64::from),
            solid: vec![0; n_words],
        }
    }

    /// Makes a voxel solid or free.
    pub fn fill(&mut self, at: [i64; 3], is_solid: bool) {
        if let Some((word, bit)) = self.index(at) {
            if is_solid {
                self.solid[word] |= 1 << bit;
            } else {
                self.solid[word] &= !(1 << bit);
            }
        }
    }

    fn index(&self, at: [i64; 3]) -> Option<(usize, u32)> {
        let inside = (0..3).all(|axis| at[axis] >= 0 && at[axis] < self.size[axis]);
        let number = at[0] + self.size[0] * (at[1] + self.size[1] * at[2]);
        let number = inside.then(|| usize::try_from(number).ok()).flatten()?;
        Some((number / 64, u32::try_from(number % 64).unwrap_or(0)))
    }

    /// True if a voxel lies inside and is not solid.
    pub fn is_free(&self, at: [i64; 3]) -> bool {
        self.index(at)
            .is_some_and(|(word, bit)| self.solid[word] >> bit & 1 == 0)
    }

    /// True if a voxel lies inside and is solid.
    pub fn is_solid(&self, at: [i64; 3]) -> bool {
        self.index(at)
            .is_some_and(|(word, bit)| self.solid[word] >> bit & 1 == 1)
    }

    /// The solid voxels as a set.
    pub fn to_set(&self) -> VoxelSet {
        let size = self.size.map(|side| u32::try_from(side).unwrap_or(0));
        let [width, height, depth] = size;
        let rows = (0..depth).flat_map(|z| (0..height).map(move |y| (y, z)));
        let all = rows.flat_map(|(y, z)| (0..width).map(move |x| [x, y, z]));
        let solid = all.filter(|at| self.is_solid(at.map(i64::from)));
        VoxelSet::new(size, solid.collect()).expect("all of them lie in the box")
    }

    /// True if all voxels are free that the straight line between the middles of two voxels
    /// touches, edges and corners included.
    pub fn is_line_free(&self, from: Voxel, to: Voxel) -> bool {
        is_line_free(from, to, |at| self.is_free(at))
    }

    /// True if a ball on its straight path between the middles of two voxels overlaps nothing solid
    /// by more than a ten-thousandth of a voxel.
    ///
    /// Slab by slab along the longest axis of the segment: in each all voxels near the part of the
    /// segment beside it.
    pub fn is_ball_free(&self, from: Voxel, to: Voxel, radius: Fixed) -> bool {
        let radius = radius.to_cells();
        #[expect(clippy::cast_possible_truncation, reason = "a few voxels")]
        let reach = radius.ceil() as i64 + 1;
        let a = [from.x, from.y, from.z].map(i64::from);
        let b = [to.x, to.y, to.z].map(i64::from);
        let sides: [i64; 3] = std::array::from_fn(|axis| b[axis] - a[axis]);
        let long = (0..3)
            .max_by_key(|axis| sides[*axis].abs())
            .unwrap_or_default();
        let [second, third] = [(long + 1) % 3, (long + 2) % 3];
        for slab in a[long].min(b[long]) - reach..=a[long].max(b[long]) + reach {
            // The part of the segment beside the slab, in voxels along its longest axis.
            let ends = [slab - reach, slab + reach].map(|at| (at - a[long]) * sides[long].signum());
            let ends = ends.map(|at| at.clamp(0, sides[long].abs()));
            let near = |axis: usize| {
                let at = |along: i64| a[axis] + sides[axis] * along / sides[long].abs().max(1);
                let [one, other] = ends.map(at);
                one.min(other) - reach - 1..=one.max(other) + reach + 1
            };
            for y in near(second) {
                for z in near(third) {
                    let mut at = [slab; 3];
                    (at[second], at[third]) = (y, z);
                    if self.is_solid(at) && distance(a, b, at) < radius - 1e-4 {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// True if a ball in the middle of a voxel inside overlaps nothing solid, exactly.
    pub fn has_room(&self, at: [i64; 3], radius: Fixed) -> bool {
        let raw = i64::from(radius.raw());
        let reach = raw / 256 + 1;
        let near = |axis: usize| at[axis] - reach..=at[axis] + reach;
        let is_hit = |voxel: [i64; 3]| {
            // In halves of a voxel.
            let square = (0..3).fold(0, |sum, axis| {
                let gap = (2 * (voxel[axis] - at[axis]).abs() - 1).max(0);
                sum + gap * gap
            });
            square * 128 * 128 < raw * raw && self.is_solid(voxel)
        };
        let mut hits =
            near(2).flat_map(|z| near(1).flat_map(move |y| near(0).map(move |x| [x, y, z])));
        self.is_free(at) && !hits.any(is_hit)
    }

    /// True if a ball gets from one voxel to another, from middle to middle through faces: two
    /// floods that end when one of them has seen all.
    pub fn joins(&self, from: Voxel, to: Voxel, radius: Fixed) -> bool {
        let [from, to] = [from, to].map(|at| [at.x, at.y, at.z].map(i64::from));
        let size = self.size.map(|side| u32::try_from(side).unwrap_or(0));
        let mut floods = [from, to].map(|at| {
            let mut seen = Self::empty(size);
            seen.fill(at, true);
            (seen, VecDeque::from([at]))
        });
        loop {
            for turn in 0..2 {
                let Some(at) = floods[turn].1.pop_front() else {
                    return false;
                };
                if floods[1 - turn].0.is_solid(at) {
                    return true;
                }
                for face in 0..6 {
                    let mut next = at;
                    next[face / 2] += if face % 2 == 0 { 1 } else { -1 };
                    let (seen, queue) = &mut floods[turn];
                    if !seen.is_solid(next) && self.has_room(next, radius) {
                        seen.fill(next, true);
                        queue.push_back(next);
                    }
                }
            }
        }
    }
}

/// True if `is_free` holds for all voxels that the straight line between the middles of two voxels
/// touches, edges and corners included.
///
/// Slab by slab: for each x the stretch of the line within it, for each y of that stretch the part
/// within that row, and all z of that part. Times are exact fractions. Along the line y and z go
/// monotonically, so each slab begins where the previous one began.
pub fn is_line_free(from: Voxel, to: Voxel, is_free: impl Fn([i64; 3]) -> bool) -> bool {
    let a = [from.x, from.y, from.z].map(i64::from);
    let b = [to.x, to.y, to.z].map(i64::from);
    let step: [i64; 3] = std::array::from_fn(|axis| if b[axis] < a[axis] { -1 } else { 1 });
    let whole = Stretch {
        from: Time::ZERO,
        to: Time::ONE,
    };
    let (mut first_y, mut first_z) = (a[1], a[2]);
    let mut x = a[0];
    loop {
        let Some(in_x) = whole.within(a[0], b[0], x) else {
            return false;
        };
        while in_x.within(a[1], b[1], first_y).is_none() {
            first_y += step[1];
        }
        let (mut y, mut begin_z, mut is_first) = (first_y, first_z, true);
        while let Some(in_y) = in_x.within(a[1], b[1], y) {
            while in_y.within(a[2], b[2], begin_z).is_none() {
                begin_z += step[2];
            }
            if std::mem::take(&mut is_first) {
                first_z = begin_z;
            }
            let mut z = begin_z;
            while in_y.within(a[2], b[2], z).is_some() {
                if !is_free([x, y, z]) {
                    return false;
                }
                if z == b[2] {
                    break;
                }
                z += step[2];
            }
            if y == b[1] {
                break;
            }
            y += step[1];
        }
        if x == b[0] {
            return true;
        }
        x += step[0];
    }
}

/// The least distance of a line between middles to a voxel: the distance is a convex function of
/// the time, so thirds that cannot hold the least are thrown away.
fn distance(a: [i64; 3], b: [i64; 3], voxel: [i64; 3]) -> f64 {
    let at = |time: f64| {
        let square = (0..3).fold(0.0, |sum, axis| {
            let (start, end) = (a[axis] as f64 + 0.5, b[axis] as f64 + 0.5);
            let place = start + (end - start) * time;
            let low = voxel[axis] as f64;
            let gap = (low - place).max(place - low - 1.0).max(0.0);
            sum + gap * gap
        });
        square.sqrt()
    };
    let (mut from, mut to) = (0.0, 1.0);
    for _ in 0..100 {
        let (first, second) = (from + (to - from) / 3.0, to - (to - from) / 3.0);
        if at(first) < at(second) {
            to = second;
        } else {
            from = first;
        }
    }
    at(f64::midpoint(from, to)).min(at(0.0)).min(at(1.0))
}

/// A moment as a fraction, from 0 to 1.
#[derive(Clone, Copy, Debug)]
struct Time {
    part: i128,
    whole: i128,
}

impl Time {
    const ZERO: Self = Self { part: 0, whole: 1 };
    const ONE: Self = Self { part: 1, whole: 1 };

    fn is_after(self, other: Self) -> bool {
        self.part * other.whole > other.part * self.whole
    }
}

/// What lies between two moments, both included.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    from: Time,
    to: Time,
}

impl Stretch {
    /// The part of it in which a line from the middle of voxel `a` to that of `b`, along one axis,
    /// lies within voxel `at`, its faces included.
    fn within(self, a: i64, b: i64, at: i64) -> Option<Self> {
        if a == b {
            return (a == at).then_some(self);
        }
        let whole = 2 * i128::from(b.abs_diff(a));
        // Twice the distance from the start to the near and the far face.
        let (near, far) = if b > a {
            (2 * (at - a) - 1, 2 * (at - a) + 1)
        } else {
            (2 * (a - at) - 1, 2 * (a - at) + 1)
        };
        let near = Time {
            part: near.into(),
            whole,
        };
        let far = Time {
            part: far.into(),
            whole,
        };
        let from = if near.is_after(self.from) {
            near
        } else {
            self.from
        };
        let to = if self.to.is_after(far) { far } else { self.to };
        (!from.is_after(to)).then_some(Self { from, to })
    }
}

#[cfg(test)]
mod tests;
