//! Exact voxelization of one triangle: separating axis test \[`AkenineMoller2001`\] in integers.
//!
//! A triangle and an open box are disjoint if one of 13 axes separates them: the box's three
//! normals, the triangle's normal, and nine cross products of edges. The voxels of a column that a
//! triangle overlaps are contiguous, so their ends are bounded from the triangle's projections and
//! plane, then moved inwards until the exact test succeeds.

use super::spans::Run;
use super::{Vertex, VoxelGrid, VoxelizeError, check_span_limit};

/// Coordinate units per voxel.
const ONE: i64 = 256;

/// A triangle and its normal.
struct Triangle {
    vertices: [Vertex; 3],
    /// `(b - a) x (c - a)`; zero for a degenerate triangle.
    normal: [i128; 3],
}

/// Adds the runs of voxels, column by column, that a triangle overlaps inside the grid's bounds.
pub(super) fn runs(
    vertices: [Vertex; 3],
    grid: &VoxelGrid,
    limit: usize,
    out: &mut Vec<Run>,
) -> Result<(), VoxelizeError> {
    let Some(triangle) = Triangle::new(vertices) else {
        return Ok(());
    };
    let (low, high) = (grid.low_bound(), grid.high_bound());
    let (lowest, highest) = triangle.aabb();
    let clip = |axis: usize, (from, to): (i64, i64)| (from.max(low[axis]), to.min(high[axis]));
    let whole: [(i64, i64); 3] =
        std::array::from_fn(|axis| clip(axis, voxels_between(lowest[axis], highest[axis])));
    if whole.iter().any(|(from, to)| from > to) {
        return Ok(());
    }
    for y in whole[1].0..=whole[1].1 {
        let Some(xs) = triangle.slab_range(1, y, 0) else {
            continue;
        };
        let xs = intersect(xs, whole[0]);
        let Some(zs) = triangle.slab_range(1, y, 2) else {
            continue;
        };
        let zs = intersect(zs, whole[2]);
        for x in xs.0..=xs.1 {
            let Some(also) = triangle.slab_range(0, x, 2) else {
                continue;
            };
            let (mut from, mut to) = intersect(intersect(zs, also), triangle.plane_range(x, y));
            while from <= to && !triangle.overlaps([x, y, from]) {
                from += 1;
            }
            while from <= to && !triangle.overlaps([x, y, to]) {
                to -= 1;
            }
            if from <= to {
                out.push(Run::new(x, y, from, to));
            }
        }
        check_span_limit(out, limit)?;
    }
    Ok(())
}

impl Triangle {
    /// The triangle, moved back by half a voxel if it lies between two layers of voxels; `None` if
    /// it is degenerate and lies there.
    fn new(mut vertices: [Vertex; 3]) -> Option<Self> {
        let normal = normal(&vertices);
        for axis in 0..3 {
            let at = vertices[0][axis];
            if at % ONE == 0 && vertices.iter().all(|vertex| vertex[axis] == at) {
                let back = -i64::try_from(normal[axis].signum()).expect("a sign");
                if back == 0 {
                    return None;
                }
                for vertex in &mut vertices {
                    vertex[axis] += back * ONE / 2;
                }
            }
        }
        Some(Self { vertices, normal })
    }

    fn aabb(&self) -> (Vertex, Vertex) {
        let [a, b, c] = &self.vertices;
        (
            std::array::from_fn(|axis| a[axis].min(b[axis]).min(c[axis])),
            std::array::from_fn(|axis| a[axis].max(b[axis]).max(c[axis])),
        )
    }

    /// A range of voxels along axis `along` that contains all overlapped ones in slab `at` of axis
    /// `across`; at most one too many at each end.
    fn slab_range(&self, across: usize, at: i64, along: usize) -> Option<(i64, i64)> {
        let (from, to) = (at * ONE, (at + 1) * ONE);
        let mut range: Option<(i64, i64)> = None;
        let mut include = |low: i64, high: i64| {
            range = Some(range.map_or((low, high), |(a, b)| (a.min(low), b.max(high))));
        };
        for index in 0..3 {
            let (mut a, mut b) = (&self.vertices[index], &self.vertices[(index + 1) % 3]);
            if a[across] > b[across] {
                (a, b) = (b, a);
            }
            if b[across] < from || a[across] > to {
                continue;
            }
            for cut in [a[across].max(from), b[across].min(to)] {
                let length = b[across] - a[across];
                if length == 0 {
                    include(a[along].min(b[along]), a[along].max(b[along]));
                } else {
                    let rise = (b[along] - a[along]) * (cut - a[across]);
                    let low = a[along] + rise.div_euclid(length);
                    include(low, low + i64::from(rise.rem_euclid(length) != 0));
                }
            }
        }
        range.map(|(low, high)| voxels_between(low, high))
    }

    /// A range of voxels of a column that contains all that the triangle's plane overlaps.
    fn plane_range(&self, x: i64, y: i64) -> (i64, i64) {
        let [nx, ny, nz] = self.normal;
        if nz == 0 {
            return (i64::MIN, i64::MAX);
        }
        let vertex = self.vertices[0].map(i128::from);
        // z = vertex_z - (nx dx + ny dy) / nz is extreme at the column's corners.
        let at = |x: i64, n: i128, vertex: i128| {
            let [low, high] = [0, 1].map(|end| n * (i128::from(x + end) * 256 - vertex));
            (low.min(high), low.max(high))
        };
        let (across, along) = (at(x, nx, vertex[0]), at(y, ny, vertex[1]));
        let ends = [across.0 + along.0, across.1 + along.1].map(|sum| {
            let down = sum.div_euclid(nz.abs()) * nz.signum();
            vertex[2] - down
        });
        // Rounding moved each end by less than one unit.
        let low = ends[0].min(ends[1]) - 1;
        let high = ends[0].max(ends[1]) + 1;
        let clamp = |z: i128| {
            let reach = i128::from(i64::from(VoxelGrid::MAX_COORDINATE) * 2 * ONE);
            i64::try_from(z.clamp(-reach, reach)).expect("clamped")
        };
        voxels_between(clamp(low), clamp(high))
    }

    /// True if the triangle overlaps the interior of a voxel.
    fn overlaps(&self, voxel: Vertex) -> bool {
        let low = voxel.map(|at| at * ONE);
        let high = voxel.map(|at| (at + 1) * ONE);
        let (lowest, highest) = self.aabb();
        if (0..3).any(|axis| highest[axis] <= low[axis] || lowest[axis] >= high[axis]) {
            return false;
        }
        if self.normal != [0; 3] && !self.plane_overlaps(low, high) {
            return false;
        }
        (0..3).all(|index| {
            let (a, b) = (&self.vertices[index], &self.vertices[(index + 1) % 3]);
            let other = &self.vertices[(index + 2) % 3];
            (0..3).all(|axis| edge_axis_overlaps((a, b, other), axis, (low, high)))
        })
    }

    fn plane_overlaps(&self, low: Vertex, high: Vertex) -> bool {
        let mut ends = (0_i128, 0_i128);
        let mut at = 0_i128;
        for axis in 0..3 {
            let n = self.normal[axis];
            let (a, b) = (n * i128::from(low[axis]), n * i128::from(high[axis]));
            ends.0 += a.min(b);
            ends.1 += a.max(b);
            at += n * i128::from(self.vertices[0][axis]);
        }
        ends.0 < at && at < ends.1
    }
}

/// True if the cross product of edge `a`-`b` and coordinate axis `axis` does not separate triangle
/// and box. Coordinates have 31 bits with sign, so products fit 63.
fn edge_axis_overlaps(
    (a, b, other): (&Vertex, &Vertex, &Vertex),
    axis: usize,
    (low, high): (Vertex, Vertex),
) -> bool {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let (du, dv) = (b[u] - a[u], b[v] - a[v]);
    if du == 0 && dv == 0 {
        return true;
    }
    let project = |vertex: &Vertex| du * vertex[v] - dv * vertex[u];
    let (first, second) = (project(a), project(other));
    let (along, across) = ((du * low[v], du * high[v]), (dv * low[u], dv * high[u]));
    let least = along.0.min(along.1) - across.0.max(across.1);
    let most = along.0.max(along.1) - across.0.min(across.1);
    first.max(second) > least && first.min(second) < most
}

/// `(b - a) x (c - a)`.
fn normal([a, b, c]: &[Vertex; 3]) -> [i128; 3] {
    let edge = |to: &Vertex| -> [i128; 3] { std::array::from_fn(|i| i128::from(to[i] - a[i])) };
    let (e, f) = (edge(b), edge(c));
    [
        e[1] * f[2] - e[2] * f[1],
        e[2] * f[0] - e[0] * f[2],
        e[0] * f[1] - e[1] * f[0],
    ]
}

/// The voxels whose interior the range from `low` to `high` overlaps; empty if the first is larger.
fn voxels_between(low: i64, high: i64) -> (i64, i64) {
    (low >> 8, (high - 1) >> 8)
}

fn intersect(a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    (a.0.max(b.0), a.1.min(b.1))
}

#[cfg(test)]
mod tests;
