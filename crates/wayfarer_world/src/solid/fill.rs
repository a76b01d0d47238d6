//! Interior of a mesh by ray casting along columns (relative: \[Schwarz2010\]), and boundary edges.
//!
//! A vertical ray through the center of each column enters the mesh where a triangle faces down and
//! leaves where one faces up; voxel centers with a nonzero winding number are inside. Columns whose
//! windings do not cancel fall back to the parity of crossings; with odd parity they keep their
//! surface only. So a hole affects the columns it lies in and no others.

use wayfarer_base::Voxel;

use super::spans::Run;
use super::{Vertex, VoxelGrid, VoxelizeError, check_span_limit, voxel_of};

/// An edge with an odd number of triangles: the mesh is open there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BoundaryEdge {
    /// One end of the edge, in world units.
    pub from: [f64; 3],
    /// The other end, in world units.
    pub to: [f64; 3],
    /// The voxel of its midpoint.
    pub voxel: Voxel,
}

/// The boundary of a mesh; vertices with equal positions (to 1/256 voxel) are one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BoundaryEdges {
    /// The number of boundary edges.
    pub n_edges: usize,
    /// The first of them by position, at most [`BoundaryEdges::MAX_LISTED`].
    pub first: Vec<BoundaryEdge>,
}

impl BoundaryEdges {
    /// Edges listed, at most.
    pub const MAX_LISTED: usize = 16;

    /// True if the mesh is closed.
    pub const fn is_empty(&self) -> bool {
        self.n_edges == 0
    }
}

/// A crossing of a triangle and the vertical ray of a column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Crossing {
    y: i64,
    x: i64,
    /// The first voxel whose center lies above the crossing.
    above: i64,
    /// 1 on entering the mesh, -1 on leaving it.
    winding: i64,
}

/// Adds the runs of voxels whose centers lie inside the mesh.
pub(super) fn inside(
    triangles: impl Iterator<Item = [Vertex; 3]>,
    grid: &VoxelGrid,
    limit: usize,
    out: &mut Vec<Run>,
) -> Result<(), VoxelizeError> {
    let mut crossings = Vec::new();
    for vertices in triangles {
        cross(vertices, grid, limit, &mut crossings)?;
    }
    crossings.sort_unstable();
    let (lowest, highest) = (grid.low_bound()[2], grid.high_bound()[2]);
    for column in crossings.chunk_by(|a, b| (a.y, a.x) == (b.y, b.x)) {
        let balance: i64 = column.iter().map(|crossing| crossing.winding).sum();
        let is_balanced = balance == 0;
        if !is_balanced && column.len() % 2 == 1 {
            continue;
        }
        let mut depth = 0_i64;
        for pair in column.windows(2) {
            depth = if is_balanced {
                depth + pair[0].winding
            } else {
                1 - depth
            };
            let from = pair[0].above.max(lowest);
            let to = (pair[1].above - 1).min(highest);
            if depth != 0 && from <= to {
                out.push(Run::new(pair[0].x, pair[0].y, from, to));
            }
        }
        check_span_limit(out, limit)?;
    }
    Ok(())
}

/// Columns that a triangle covers at least; 0 if part of it lies outside the bounds.
pub(super) fn min_columns(vertices: [Vertex; 3], grid: &VoxelGrid) -> u64 {
    let (low, high) = (grid.low_bound(), grid.high_bound());
    let is_inside = |vertex: &Vertex| {
        (0..3).all(|axis| low[axis] << 8 <= vertex[axis] && vertex[axis] <= (high[axis] + 1) << 8)
    };
    let [a, b, c] = &vertices;
    if !vertices.iter().all(is_inside) {
        return 0;
    }
    signed_area(a, b, c)
        .unsigned_abs()
        .try_into()
        .unwrap_or(u64::MAX)
        >> 17
}

/// Adds the crossings of one triangle. A center exactly under an edge belongs to one of the two
/// triangles that share it, by the direction of the edge.
fn cross(
    vertices: [Vertex; 3],
    grid: &VoxelGrid,
    limit: usize,
    out: &mut Vec<Crossing>,
) -> Result<(), VoxelizeError> {
    let [a, mut b, mut c] = vertices;
    let area = signed_area(&a, &b, &c);
    if area == 0 {
        return Ok(());
    }
    if area < 0 {
        (b, c) = (c, b);
    }
    let (low, high) = (grid.low_bound(), grid.high_bound());
    let range = |axis: usize| {
        let ends = [a[axis], b[axis], c[axis]];
        let (least, most) = (
            ends.into_iter().min().expect("three ends"),
            ends.into_iter().max().expect("three ends"),
        );
        ((least - 128) >> 8).max(low[axis])..=((most - 128) >> 8).min(high[axis])
    };
    for y in range(1) {
        let row = y * 256 + 128;
        // The centers of a row under a triangle are contiguous.
        let (from, to) = row_ends(&[a, b, c], row);
        let xs = (from >> 8).max(low[0])..=(to >> 8).min(high[0]);
        for x in xs {
            let center = [x * 256 + 128, row, 0];
            let sides = [(&a, &b), (&b, &c), (&c, &a)];
            if sides.iter().all(|(p, q)| left_of(p, q, &center)) {
                out.push(Crossing {
                    y,
                    x,
                    above: first_above(&[a, b, c], &center),
                    winding: if area < 0 { 1 } else { -1 },
                });
            }
        }
        check_span_limit(out, limit)?;
    }
    Ok(())
}

/// The range of x where a triangle covers the line y = `row`, rounded outwards.
fn row_ends(vertices: &[Vertex; 3], row: i64) -> (i64, i64) {
    let mut ends = (i64::MAX, i64::MIN);
    for index in 0..3 {
        let (p, q) = (&vertices[index], &vertices[(index + 1) % 3]);
        if (p[1] <= row) == (q[1] <= row) && p[1] != row && q[1] != row {
            continue;
        }
        let (low, high) = if p[1] == q[1] {
            (p[0].min(q[0]), p[0].max(q[0]))
        } else {
            let x = p[0] + ((q[0] - p[0]) * (row - p[1])).div_euclid(q[1] - p[1]);
            (x - 1, x + 1)
        };
        ends = (ends.0.min(low), ends.1.max(high));
    }
    ends
}

/// Twice the signed area of a triangle seen from above.
fn signed_area(a: &Vertex, b: &Vertex, c: &Vertex) -> i128 {
    let delta = |to: &Vertex, axis: usize| i128::from(to[axis] - a[axis]);
    delta(b, 0) * delta(c, 1) - delta(b, 1) * delta(c, 0)
}

/// True if `at` lies left of the edge from `p` to `q`, or on the edge if the edge includes its
/// points; of an edge and its reverse exactly one does.
fn left_of(p: &Vertex, q: &Vertex, at: &Vertex) -> bool {
    match signed_area(p, q, at) {
        1.. => true,
        0 => q[1] > p[1] || (q[1] == p[1] && q[0] < p[0]),
        _ => false,
    }
}

/// The first voxel whose center lies above the plane of a triangle at `at`. The vertices run
/// counter-clockwise seen from above.
fn first_above([a, b, c]: &[Vertex; 3], at: &Vertex) -> i64 {
    let wide = |to: &Vertex, from: &Vertex, axis: usize| i128::from(to[axis] - from[axis]);
    let (u, v) = (|axis| wide(b, a, axis), |axis| wide(c, a, axis));
    let (nx, ny, nz) = (
        u(1) * v(2) - u(2) * v(1),
        u(2) * v(0) - u(0) * v(2),
        u(0) * v(1) - u(1) * v(0),
    );
    // Height times nz, minus half a voxel; nz is positive.
    let height = (i128::from(a[2]) - 128) * nz - nx * wide(at, a, 0) - ny * wide(at, a, 1);
    let voxel = height.div_euclid(nz * 256) + 1;
    i64::try_from(voxel).expect("a crossing lies between the triangle's vertices")
}

/// The edges with an odd number of triangles.
pub(super) fn boundary_edges(
    triangles: impl Iterator<Item = [Vertex; 3]>,
    grid: &VoxelGrid,
) -> BoundaryEdges {
    let mut edges: Vec<(Vertex, Vertex)> = Vec::new();
    for vertices in triangles {
        for index in 0..3 {
            let (p, q) = (vertices[index], vertices[(index + 1) % 3]);
            if p != q {
                edges.push((p.min(q), p.max(q)));
            }
        }
    }
    edges.sort_unstable();
    let mut boundary_edges = BoundaryEdges::default();
    for same in edges.chunk_by(|a, b| a == b).filter(|s| s.len() % 2 == 1) {
        let (from, to) = same[0];
        boundary_edges.n_edges += 1;
        if boundary_edges.first.len() < BoundaryEdges::MAX_LISTED {
            let center = std::array::from_fn(|axis| (from[axis] + to[axis]) >> 1);
            boundary_edges.first.push(BoundaryEdge {
                from: grid.to_world(from),
                to: grid.to_world(to),
                voxel: voxel_of(center),
            });
        }
    }
    boundary_edges
}
