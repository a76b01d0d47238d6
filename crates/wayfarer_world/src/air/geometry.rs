//! Rasterizable shapes: boxes, balls and voxelized meshes.

use std::sync::Arc;

use wayfarer_base::{Digest, Fixed, Point3, Voxel};

use super::bits;
use crate::solid::Spans;

/// A solid shape with an id; where geometries overlap, each keeps the space solid.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Geometry {
    /// All voxels from `low` to `high`, both included.
    Box {
        /// The lowest voxel.
        low: Voxel,
        /// The highest voxel.
        high: Voxel,
    },
    /// All voxels whose interior overlaps a ball.
    Ball {
        /// The center, in 1/256 of a voxel.
        center: Point3,
        /// The radius, in 1/256 of a voxel.
        radius: Fixed,
    },
    /// The voxels of a mesh, translated by whole voxels.
    Mesh {
        /// The voxels as voxelized; shared, so that moving copies nothing.
        spans: Arc<Spans>,
        /// The translation.
        shift: Voxel,
    },
}

/// The relation of a cube to a shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    /// No voxel of the cube is solid.
    Outside,
    /// Every voxel is.
    Inside,
    /// Possibly some are.
    Partial,
}

/// World voxel coordinates, widened to avoid overflow.
pub(super) type Wide = [i64; 3];

impl Geometry {
    /// Its AABB, lowest and highest voxel, both included; `None` if it has no voxel.
    pub(super) fn bounds(&self) -> Option<(Wide, Wide)> {
        match self {
            Self::Box { low, high } => {
                let (low, high) = (wide(*low), wide(*high));
                (0..3)
                    .all(|axis| low[axis] <= high[axis])
                    .then_some((low, high))
            }
            Self::Ball { center, radius } => {
                let (center, radius) = (raw(*center), i64::from(radius.raw()));
                let low = center.map(|at| (at - radius) >> 8);
                let high = center.map(|at| (at + radius - 1) >> 8);
                (radius > 0).then_some((low, high))
            }
            Self::Mesh { spans, shift } => {
                let shift = wide(*shift);
                let moved = |at| -> Wide { add(wide(at), shift) };
                spans.bounds().map(|(low, high)| (moved(low), moved(high)))
            }
        }
    }

    /// Adds all fields to `digest`; of a mesh its columns and translation.
    pub(super) fn digest(&self, digest: &mut Digest) {
        match self {
            Self::Box { low, high } => {
                digest.number(0);
                digest_coords(digest, wide(*low).into_iter().chain(wide(*high)));
            }
            Self::Ball { center, radius } => {
                digest.number(1);
                digest_coords(digest, raw(*center));
                digest.signed(radius.raw().into());
            }
            Self::Mesh { spans, shift } => {
                digest.number(2);
                digest_coords(digest, wide(*shift));
                for run in spans.runs() {
                    digest_coords(digest, [run.x, run.y, run.low, run.high].map(i64::from));
                }
            }
        }
    }

    /// The relation of the cube of `side` voxels with low corner `low` to the shape.
    pub(super) fn relation(&self, low: Wide, side: i64) -> Relation {
        match self {
            Self::Box {
                low: from,
                high: to,
            } => {
                let (from, to) = (wide(*from), wide(*to));
                let last = side - 1;
                if (0..3).any(|axis| low[axis] > to[axis] || low[axis] + last < from[axis]) {
                    Relation::Outside
                } else if (0..3).all(|axis| from[axis] <= low[axis] && low[axis] + last <= to[axis])
                {
                    Relation::Inside
                } else {
                    Relation::Partial
                }
            }
            Self::Ball { center, radius } => {
                let (center, radius) = (raw(*center), i64::from(radius.raw()));
                let (mut nearest, mut farthest) = (0, 0);
                for axis in 0..3 {
                    let (from, to) = (low[axis], low[axis] + side - 1);
                    nearest += square_gap(center[axis], from, to, radius);
                    let ends = [from, to].map(|end| square_gap(center[axis], end, end, radius));
                    farthest += ends[0].max(ends[1]);
                }
                let radius_squared = square(radius);
                if nearest >= radius_squared {
                    Relation::Outside
                } else if farthest < radius_squared {
                    Relation::Inside
                } else {
                    Relation::Partial
                }
            }
            Self::Mesh { spans, shift } => spans_relation(spans, sub(low, wide(*shift)), side),
        }
    }

    /// Its voxels in the leaves of a block selected by the bits of `mask`; 0 for the others.
    pub(super) fn block(&self, low: Wide, mask: u8) -> [u64; 8] {
        if let Self::Ball { center, radius } = self {
            let radius = i64::from(radius.raw());
            if (1..MAX_SMALL_RADIUS).contains(&radius) {
                return small_ball_block(raw(*center), radius, low, mask);
            }
        }
        std::array::from_fn(|child| {
            let at: Wide =
                std::array::from_fn(|axis| low[axis] + i64::from(child >> axis & 1 == 1) * 4);
            match mask >> child & 1 {
                1 => self.leaf(at),
                _ => 0,
            }
        })
    }

    /// Its voxels in the leaf with low corner `low`.
    pub(super) fn leaf(&self, low: Wide) -> u64 {
        match self {
            Self::Box {
                low: from,
                high: to,
            } => {
                let (from, to) = (wide(*from), wide(*to));
                if (0..3).any(|axis| low[axis] > to[axis] || low[axis] + 3 < from[axis]) {
                    return 0;
                }
                let part = |at: i64| u32::try_from(at.clamp(0, 3)).expect("clamped");
                bits::cuboid(
                    std::array::from_fn(|axis| part(from[axis] - low[axis])),
                    std::array::from_fn(|axis| part(to[axis] - low[axis])),
                )
            }
            Self::Ball { center, radius } => ball_leaf(raw(*center), i64::from(radius.raw()), low),
            Self::Mesh { spans, shift } => spans_leaf(spans, sub(low, wide(*shift))),
        }
    }
}

/// The squared distance from `at`, in 1/256 of a voxel, to the voxels `from` to `to`; 0 within.
/// Clamped to the squared radius, so that three squares fit 64 bits.
fn square_gap(at: i64, from: i64, to: i64, radius: i64) -> u64 {
    square(
        (from * 256 - at)
            .max(at - (to + 1) * 256)
            .max(0)
            .min(radius),
    )
}

fn square(number: i64) -> u64 {
    number.unsigned_abs() * number.unsigned_abs()
}

/// The radius, in 1/256 of a voxel, below which its square fits 32 bits.
const MAX_SMALL_RADIUS: i64 = 1 << 15;

fn ball_leaf(center: Wide, radius: i64, low: Wide) -> u64 {
    let squares: [[u64; 4]; 3] = std::array::from_fn(|axis| {
        [0, 1, 2, 3].map(|step| {
            let at = low[axis] + step;
            square_gap(center[axis], at, at, radius)
        })
    });
    let radius_squared = square(radius);
    let ends = |pick: fn(u64, u64) -> u64| {
        squares
            .iter()
            .map(|row| row.iter().copied().reduce(pick).unwrap_or(0))
            .sum::<u64>()
    };
    if ends(u64::min) >= radius_squared {
        return 0;
    }
    if ends(u64::max) < radius_squared {
        return bits::ALL;
    }
    let mut voxels = 0;
    for (z, dz) in squares[2].iter().enumerate() {
        for (y, dy) in squares[1].iter().enumerate() {
            // What remains for the x axis; 0 if y and z alone exceed the radius.
            let remaining = radius_squared.saturating_sub(dy + dz);
            let [a, b, c, d] = squares[0].map(|dx| u64::from(dx < remaining));
            voxels |= (a | b << 1 | c << 2 | d << 3) << (4 * y + 16 * z);
        }
    }
    voxels
}

/// [`ball_leaf`] for the leaves of a block selected by `mask` and a radius below
/// [`MAX_SMALL_RADIUS`]: the hot path of moving geometries.
#[expect(
    clippy::cast_possible_truncation,
    reason = "between 0 and the radius, whose square fits"
)]
fn small_ball_block(center: Wide, radius: i64, low: Wide, mask: u8) -> [u64; 8] {
    let mut squares = [[0_i32; 8]; 3];
    for axis in 0..3 {
        // From the low face of the block to the center of the ball.
        let at = (center[axis] - low[axis] * 256).clamp(-radius, radius + 2_048);
        let (at, radius) = (at as i32, radius as i32);
        for (step, square) in (0..8).zip(&mut squares[axis]) {
            let gap = (step * 256 - at).max(at - step * 256 - 256);
            let gap = gap.max(0).min(radius);
            *square = gap * gap;
        }
    }
    let radius_squared = (radius * radius) as i32;
    let mut leaves = [0; 8];
    for (child, leaf) in leaves.iter_mut().enumerate() {
        if mask >> child & 1 == 0 {
            continue;
        }
        let row = |axis: usize| -> &[i32] { &squares[axis][(child >> axis & 1) * 4..][..4] };
        let (xs, ys, zs) = (row(0), row(1), row(2));
        let nearest = |row: &[i32]| row[0].min(row[1]).min(row[2].min(row[3]));
        // Subtracted in steps: the sum of three squares may overflow.
        if radius_squared - nearest(xs) - nearest(ys) <= nearest(zs) {
            continue;
        }
        let farthest = |row: &[i32]| row[0].max(row[3]);
        if radius_squared - farthest(xs) - farthest(ys) > farthest(zs) {
            *leaf = bits::ALL;
            continue;
        }
        let mut voxels = 0;
        for (z, dz) in zs.iter().enumerate() {
            for (y, dy) in ys.iter().enumerate() {
                // What remains for the x axis; not positive if y and z alone exceed the radius.
                let remaining = radius_squared - (dy + dz);
                let bits: [u32; 4] = std::array::from_fn(|x| u32::from(xs[x] < remaining) << x);
                voxels |= u64::from(bits[0] | bits[1] | bits[2] | bits[3]) << (4 * y + 16 * z);
            }
        }
        *leaf = voxels;
    }
    leaves
}

/// A column coordinate; `None` beyond the range of a voxel, where no span lies.
fn narrow(at: i64) -> Option<i32> {
    i32::try_from(at).ok()
}

fn spans_relation(spans: &Spans, low: Wide, side: i64) -> Relation {
    let Some((from, to)) = spans.bounds() else {
        return Relation::Outside;
    };
    // Only the overlap of the cube and the mesh's AABB matters.
    let (from, to) = (wide(from), wide(to));
    let first: Wide = std::array::from_fn(|axis| low[axis].max(from[axis]));
    let last: Wide = std::array::from_fn(|axis| (low[axis] + side - 1).min(to[axis]));
    if (0..3).any(|axis| first[axis] > last[axis]) {
        return Relation::Outside;
    }
    let mut has_free = (0..3).any(|axis| last[axis] - first[axis] < side - 1);
    let mut has_solid = false;
    for y in first[1]..=last[1] {
        let row = narrow(y).map_or(&[][..], |y| spans.row(y));
        let start = row.partition_point(|span| i64::from(span.x) < first[0]);
        let mut next = first[0];
        let mut spans = row[start..].iter().peekable();
        while let Some(x) = spans.peek().map(|span| i64::from(span.x)) {
            if x > last[0] {
                break;
            }
            has_free |= x > next; // Columns without a span in between.
            next = x + 1;
            let mut covered = 0;
            while let Some(span) = spans.next_if(|span| i64::from(span.x) == x) {
                let (bottom, top) = (i64::from(span.low), i64::from(span.high));
                covered += (top.min(last[2]) - bottom.max(first[2]) + 1).max(0);
            }
            has_solid |= covered > 0;
            has_free |= covered < side;
            if has_solid && has_free {
                return Relation::Partial;
            }
        }
        has_free |= next <= last[0];
        if has_solid && has_free {
            return Relation::Partial;
        }
    }
    if has_solid {
        Relation::Inside
    } else {
        Relation::Outside
    }
}

fn spans_leaf(spans: &Spans, low: Wide) -> u64 {
    let mut voxels = 0;
    for dy in 0..4_u32 {
        let row = narrow(low[1] + i64::from(dy)).map_or(&[][..], |y| spans.row(y));
        let from = row.partition_point(|span| i64::from(span.x) < low[0]);
        for span in &row[from..] {
            let dx = i64::from(span.x) - low[0];
            if dx > 3 {
                break;
            }
            let (bottom, top) = (i64::from(span.low) - low[2], i64::from(span.high) - low[2]);
            if bottom <= 3 && top >= 0 {
                let part = |at: i64| u32::try_from(at.clamp(0, 3)).expect("clamped");
                voxels |= bits::cuboid([part(dx), dy, part(bottom)], [part(dx), dy, part(top)]);
            }
        }
    }
    voxels
}

/// Adds coordinates to `digest`.
pub(super) fn digest_coords(digest: &mut Digest, numbers: impl IntoIterator<Item = i64>) {
    numbers.into_iter().for_each(|at| digest.signed(at));
}

pub(super) fn wide(at: Voxel) -> Wide {
    [at.x, at.y, at.z].map(i64::from)
}

pub(super) fn raw(at: Point3) -> Wide {
    [at.x, at.y, at.z].map(|at| i64::from(at.raw()))
}

fn add(a: Wide, b: Wide) -> Wide {
    std::array::from_fn(|axis| a[axis] + b[axis])
}

fn sub(a: Wide, b: Wide) -> Wide {
    std::array::from_fn(|axis| a[axis] - b[axis])
}
