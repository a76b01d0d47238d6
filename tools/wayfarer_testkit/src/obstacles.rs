//! Reference planar paths: sweep tests against obstacles, and shortest paths by the visibility
//! graph.
//!
//! Independent implementation of the inflated outlines: a box inflated by the agent's radius on
//! every side, or an octagon around an inflated disc, both by 1/256 of a cell more; the inside is
//! forbidden.

use wayfarer_base::{Aabb2, Point2};

/// An obstacle as a plain value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReferenceObstacle {
    /// A rectangle.
    Box(Aabb2),
    /// A disc: center and radius in 1/256 of a cell.
    Disc(Point2, i32),
}

type Vector = [i64; 2];

fn raw(at: Point2) -> Vector {
    [i64::from(at.x.raw()), i64::from(at.y.raw())]
}

fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1]]
}

fn cross(a: Vector, b: Vector) -> i128 {
    i128::from(a[0]) * i128::from(b[1]) - i128::from(a[1]) * i128::from(b[0])
}

#[expect(clippy::cast_precision_loss, reason = "a length, not a predicate")]
fn length(a: Vector, b: Vector) -> f64 {
    let [x, y] = minus(a, b);
    wayfarer_base::math::length(x as f64, y as f64)
}

impl ReferenceObstacle {
    /// True if an agent of this radius swept from `from` to `to` touches the obstacle itself: a
    /// square agent a box, a round one a disc. Contact counts.
    pub fn is_hit_by_sweep(&self, from: Point2, to: Point2, radius: i32) -> bool {
        let (from, to, radius) = (raw(from), raw(to), i64::from(radius));
        match self {
            Self::Box(area) => {
                let (low, high) = (raw(area.low), raw(area.high));
                let low = low.map(|at| at - radius);
                let high = high.map(|at| at + radius);
                // The interval of the segment within each slab, as fractions.
                let (mut enter, mut leave) = ((0_i128, 1_i128), (1_i128, 1_i128));
                for axis in 0..2 {
                    let along = i128::from(to[axis] - from[axis]);
                    let (near, far) = (
                        i128::from(low[axis] - from[axis]),
                        i128::from(high[axis] - from[axis]),
                    );
                    if along == 0 {
                        if near > 0 || far < 0 {
                            return false;
                        }
                        continue;
                    }
                    let (first, second) = if along > 0 {
                        (near, far)
                    } else {
                        (-far, -near)
                    };
                    let along = along.abs();
                    if first * enter.1 > enter.0 * along {
                        enter = (first, along);
                    }
                    if second * leave.1 < leave.0 * along {
                        leave = (second, along);
                    }
                }
                enter.0 * leave.1 <= leave.0 * enter.1
            }
            Self::Disc(center, size) => {
                let sum = i128::from(i64::from(*size) + radius);
                let (delta, at) = (minus(to, from), minus(raw(*center), from));
                let dot = |a: Vector, b: Vector| {
                    i128::from(a[0]) * i128::from(b[0]) + i128::from(a[1]) * i128::from(b[1])
                };
                let (projection, length_squared) = (dot(at, delta), dot(delta, delta));
                if projection <= 0 {
                    return dot(at, at) <= sum * sum;
                }
                if projection >= length_squared {
                    let from_end = minus(raw(*center), to);
                    return dot(from_end, from_end) <= sum * sum;
                }
                let area = cross(delta, at);
                area * area <= sum * sum * length_squared
            }
        }
    }

    /// The vertices of the inflated outline for an agent of this radius, clockwise.
    pub fn outline(&self, radius: i32) -> Vec<[i64; 2]> {
        let margin = i64::from(radius) + 1;
        match self {
            Self::Box(area) => {
                let ([left, top], [right, bottom]) = (raw(area.low), raw(area.high));
                let (left, top) = (left - margin, top - margin);
                let (right, bottom) = (right + margin, bottom + margin);
                vec![[left, top], [right, top], [right, bottom], [left, bottom]]
            }
            Self::Disc(center, size) => {
                let [x, y] = raw(*center);
                let inradius = i64::from(*size) + margin;
                // The least integer above √2 times the inradius.
                let diagonal = (2 * inradius * inradius).isqrt() + 1;
                let half_side = diagonal - inradius;
                let vertices = [
                    (-half_side, -inradius),
                    (half_side, -inradius),
                    (inradius, -half_side),
                    (inradius, half_side),
                    (half_side, inradius),
                    (-half_side, inradius),
                    (-inradius, half_side),
                    (-inradius, -half_side),
                ];
                vertices.map(|(dx, dy)| [x + dx, y + dy]).to_vec()
            }
        }
    }
}

/// The inflated outlines of an obstacle set in a uniform grid.
#[derive(Clone, Debug)]
pub struct ReferenceOutlines {
    outlines: Vec<Vec<[i64; 2]>>,
    aabbs: Vec<[i64; 4]>,
    low: [i64; 2],
    high: [i64; 2],
    /// Indices of the outlines whose AABB overlaps each grid bin.
    bins: Vec<Vec<u32>>,
    side: i64,
    columns: i64,
    rows: i64,
}

impl ReferenceOutlines {
    /// The outlines for an agent of `radius` within `bounds`.
    pub fn new(obstacles: &[ReferenceObstacle], bounds: Aabb2, radius: i32) -> Self {
        let outlines: Vec<_> = obstacles
            .iter()
            .map(|obstacle| obstacle.outline(radius))
            .collect();
        let aabb = |outline: &Vec<[i64; 2]>| {
            let xs = outline.iter().map(|vertex| vertex[0]);
            let ys = outline.iter().map(|vertex| vertex[1]);
            [
                xs.clone().min().unwrap_or(0),
                ys.clone().min().unwrap_or(0),
                xs.max().unwrap_or(0),
                ys.max().unwrap_or(0),
            ]
        };
        let aabbs: Vec<[i64; 4]> = outlines.iter().map(aabb).collect();
        let (low, high) = (raw(bounds.low), raw(bounds.high));
        let longest = (high[0] - low[0]).max(high[1] - low[1]);
        let per_side = i64::try_from(outlines.len())
            .unwrap_or(1)
            .isqrt()
            .clamp(1, 256);
        let side = longest / per_side + 1;
        let (columns, rows) = ((high[0] - low[0]) / side + 1, (high[1] - low[1]) / side + 1);
        let mut bins = vec![Vec::new(); usize::try_from(columns * rows).unwrap_or(1)];
        for (number, area) in (0..).zip(&aabbs) {
            let column = |x: i64| ((x - low[0]).div_euclid(side)).clamp(0, columns - 1);
            let row = |y: i64| ((y - low[1]).div_euclid(side)).clamp(0, rows - 1);
            for y in row(area[1])..=row(area[3]) {
                for x in column(area[0])..=column(area[2]) {
                    bins[usize::try_from(y * columns + x).unwrap_or(0)].push(number);
                }
            }
        }
        Self {
            outlines,
            aabbs,
            low,
            high,
            bins,
            side,
            columns,
            rows,
        }
    }

    /// True if the segment enters no outline; tests the outlines of every bin it crosses.
    fn is_segment_clear(&self, from: [i64; 2], to: [i64; 2]) -> bool {
        let column = |x: i64| ((x - self.low[0]).div_euclid(self.side)).clamp(0, self.columns - 1);
        let row = |y: i64| ((y - self.low[1]).div_euclid(self.side)).clamp(0, self.rows - 1);
        let (first, last) = (column(from[0].min(to[0])), column(from[0].max(to[0])));
        for x in first..=last {
            // The rows that the segment crosses within this column, with a margin of 1 raw unit.
            let y_at = |x: i64| {
                if from[0] == to[0] {
                    return None;
                }
                let along = i128::from(x - from[0]) * i128::from(to[1] - from[1]);
                i64::try_from(along / i128::from(to[0] - from[0]))
                    .ok()
                    .map(|y| y + from[1])
            };
            let (left, right) = (
                self.low[0] + x * self.side,
                self.low[0] + (x + 1) * self.side,
            );
            let clamp = |y: i64| y.clamp(from[1].min(to[1]), from[1].max(to[1]));
            let ends = [y_at(left), y_at(right)];
            let (a, b) = match ends {
                [Some(a), Some(b)] => (clamp(a.min(b) - 1), clamp(a.max(b) + 1)),
                _ => (from[1].min(to[1]), from[1].max(to[1])),
            };
            for y in row(a)..=row(b) {
                let bin = &self.bins[usize::try_from(y * self.columns + x).unwrap_or(0)];
                if bin
                    .iter()
                    .any(|&number| self.is_entered(number as usize, from, to))
                {
                    return false;
                }
            }
        }
        true
    }

    fn is_entered(&self, number: usize, from: [i64; 2], to: [i64; 2]) -> bool {
        let [left, top, right, bottom] = self.aabbs[number];
        let is_separate = from[0].max(to[0]) <= left
            || from[0].min(to[0]) >= right
            || from[1].max(to[1]) <= top
            || from[1].min(to[1]) >= bottom;
        !is_separate && enters(&self.outlines[number], from, to)
    }

    /// The length of the shortest path, in 1/256 of a cell, by A* over the full visibility graph;
    /// `None` if none is at most `max_length`. Vertices that cannot be on such a path are pruned.
    pub fn shortest(&self, from: Point2, to: Point2, max_length: f64) -> Option<f64> {
        let (from, to) = (raw(from), raw(to));
        let is_inside = |at: &[i64; 2]| {
            (0..2).all(|axis| (self.low[axis]..=self.high[axis]).contains(&at[axis]))
        };
        let max_length = max_length + 1.0;
        let mut nodes = vec![from, to];
        let vertices = self.outlines.iter().flatten().filter(|at| is_inside(at));
        nodes.extend(vertices.filter(|at| length(from, **at) + length(**at, to) <= max_length));
        nodes.retain(|at| self.is_segment_clear(*at, *at));
        if nodes.len() < 2 || nodes[0] != from || nodes[1] != to {
            return None;
        }
        let mut costs = vec![f64::INFINITY; nodes.len()];
        let mut is_closed = vec![false; nodes.len()];
        costs[0] = 0.0;
        loop {
            // The open node with the lowest f, by linear scan.
            let open = (0..nodes.len()).filter(|n| !is_closed[*n] && costs[*n].is_finite());
            let f = |n: usize| costs[n] + length(nodes[n], to);
            let next = open.min_by(|a, b| f(*a).total_cmp(&f(*b)))?;
            if next == 1 {
                return Some(costs[1]);
            }
            is_closed[next] = true;
            for other in 1..nodes.len() {
                let cost = costs[next] + length(nodes[next], nodes[other]);
                if !is_closed[other]
                    && cost < costs[other]
                    && cost + length(nodes[other], to) <= max_length
                    && self.is_segment_clear(nodes[next], nodes[other])
                {
                    costs[other] = cost;
                }
            }
        }
    }
}

/// True if the segment enters the inside of a convex outline, given clockwise.
fn enters(outline: &[[i64; 2]], from: [i64; 2], to: [i64; 2]) -> bool {
    let (mut enter, mut leave) = ((0_i128, 1_i128), (1_i128, 1_i128));
    for (number, a) in outline.iter().enumerate() {
        let b = outline[(number + 1) % outline.len()];
        let side = |at: [i64; 2]| cross(minus(b, *a), minus(at, *a));
        let (start, end) = (side(from), side(to));
        if start <= 0 && end <= 0 {
            return false;
        }
        if start <= 0 && is_less(enter, (-start, end - start)) {
            enter = (-start, end - start);
        } else if end <= 0 && is_less((start, start - end), leave) {
            leave = (start, start - end);
        }
    }
    from == to || is_less(enter, leave)
}

/// True if fraction `a` is less than `b`; denominators are positive. Products of cross products of
/// coordinates fit `i128`.
const fn is_less(a: (i128, i128), b: (i128, i128)) -> bool {
    a.0 * b.1 < b.0 * a.1
}

#[cfg(test)]
mod tests;
