//! Ways through a field, slowly: whether one touches anything, and how short one could be.
//!
//! The rules of the field written down a second time: a box that is wider by the agent's radius on
//! every side, or eight sides around a disc, both wider by 1/256 of a cell more; nobody may be
//! inside. Obstacles are plain values, so that nothing is shared with the engine.

use wayfarer_base::{Aabb2, Point2};

/// Something in the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReferenceObstacle {
    /// A rectangle.
    Box(Aabb2),
    /// A disc: its middle and its radius in 1/256 of a cell.
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

#[expect(clippy::cast_precision_loss, reason = "a measure, not a decision")]
fn length(a: Vector, b: Vector) -> f64 {
    let [x, y] = minus(a, b);
    wayfarer_base::math::length(x as f64, y as f64)
}

impl ReferenceObstacle {
    /// True if an agent of this radius that goes straight from `from` to `to` touches the thing
    /// itself: a square agent a box, a round one a disc. Touching counts.
    pub fn is_dirty(&self, from: Point2, to: Point2, radius: i32) -> bool {
        let (from, to, radius) = (raw(from), raw(to), i64::from(radius));
        match self {
            Self::Box(area) => {
                let (low, high) = (raw(area.low), raw(area.high));
                let low = low.map(|at| at - radius);
                let high = high.map(|at| at + radius);
                // The part of the way within each slab, as fractions with one denominator each.
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
                let reach = i128::from(i64::from(*size) + radius);
                let (delta, at) = (minus(to, from), minus(raw(*center), from));
                let dot = |a: Vector, b: Vector| {
                    i128::from(a[0]) * i128::from(b[0]) + i128::from(a[1]) * i128::from(b[1])
                };
                let (along, whole) = (dot(at, delta), dot(delta, delta));
                if along <= 0 {
                    return dot(at, at) <= reach * reach;
                }
                if along >= whole {
                    let rest = minus(raw(*center), to);
                    return dot(rest, rest) <= reach * reach;
                }
                let beside = cross(delta, at);
                beside * beside <= reach * reach * whole
            }
        }
    }

    /// The corners of what an agent of this radius may not enter, clockwise.
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
                let reach = i64::from(*size) + margin;
                // The least whole number above reach times the root of 2.
                let slant = (2 * reach * reach).isqrt() + 1;
                let short = slant - reach;
                let corners = [
                    (-short, -reach),
                    (short, -reach),
                    (reach, -short),
                    (reach, short),
                    (short, reach),
                    (-short, reach),
                    (-reach, short),
                    (-reach, -short),
                ];
                corners.map(|(dx, dy)| [x + dx, y + dy]).to_vec()
            }
        }
    }
}

/// A field for the oracle: outlines, bounds, and where to look for outlines.
#[derive(Clone, Debug)]
pub struct ReferenceOutlines {
    outlines: Vec<Vec<[i64; 2]>>,
    boxes: Vec<[i64; 4]>,
    low: [i64; 2],
    high: [i64; 2],
    /// Outlines by the square of a coarse board that their boxes touch.
    board: Vec<Vec<u32>>,
    side: i64,
    columns: i64,
    rows: i64,
}

impl ReferenceOutlines {
    /// What stops an agent of `radius` within `bounds`.
    pub fn new(obstacles: &[ReferenceObstacle], bounds: Aabb2, radius: i32) -> Self {
        let outlines: Vec<_> = obstacles
            .iter()
            .map(|thing| thing.outline(radius))
            .collect();
        let bounds_of = |outline: &Vec<[i64; 2]>| {
            let xs = outline.iter().map(|corner| corner[0]);
            let ys = outline.iter().map(|corner| corner[1]);
            [
                xs.clone().min().unwrap_or(0),
                ys.clone().min().unwrap_or(0),
                xs.max().unwrap_or(0),
                ys.max().unwrap_or(0),
            ]
        };
        let boxes: Vec<[i64; 4]> = outlines.iter().map(bounds_of).collect();
        let (low, high) = (raw(bounds.low), raw(bounds.high));
        let longest = (high[0] - low[0]).max(high[1] - low[1]);
        let per_side = i64::try_from(outlines.len())
            .unwrap_or(1)
            .isqrt()
            .clamp(1, 256);
        let side = longest / per_side + 1;
        let (columns, rows) = ((high[0] - low[0]) / side + 1, (high[1] - low[1]) / side + 1);
        let mut board = vec![Vec::new(); usize::try_from(columns * rows).unwrap_or(1)];
        for (number, area) in (0..).zip(&boxes) {
            let column = |x: i64| ((x - low[0]).div_euclid(side)).clamp(0, columns - 1);
            let row = |y: i64| ((y - low[1]).div_euclid(side)).clamp(0, rows - 1);
            for y in row(area[1])..=row(area[3]) {
                for x in column(area[0])..=column(area[2]) {
                    board[usize::try_from(y * columns + x).unwrap_or(0)].push(number);
                }
            }
        }
        Self {
            outlines,
            boxes,
            low,
            high,
            board,
            side,
            columns,
            rows,
        }
    }

    /// True if the straight path enters no outline: against every side of every outline near it.
    fn is_free_segment(&self, from: [i64; 2], to: [i64; 2]) -> bool {
        let column = |x: i64| ((x - self.low[0]).div_euclid(self.side)).clamp(0, self.columns - 1);
        let row = |y: i64| ((y - self.low[1]).div_euclid(self.side)).clamp(0, self.rows - 1);
        let (first, last) = (column(from[0].min(to[0])), column(from[0].max(to[0])));
        for x in first..=last {
            // The rows that the way crosses within this column, one more on either side.
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
                let square = &self.board[usize::try_from(y * self.columns + x).unwrap_or(0)];
                if square
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
        let [left, top, right, bottom] = self.boxes[number];
        let apart = from[0].max(to[0]) <= left
            || from[0].min(to[0]) >= right
            || from[1].max(to[1]) <= top
            || from[1].min(to[1]) >= bottom;
        !apart && enters(&self.outlines[number], from, to)
    }

    /// The length of the shortest path, in 1/256 of a cell, along straight lines from corner to
    /// corner; `None` if there is none, or none of at most `most`. All corners that see each
    /// other are joined; nothing is left out but what cannot be on a way of that length.
    pub fn shortest(&self, from: Point2, to: Point2, most: f64) -> Option<f64> {
        let (from, to) = (raw(from), raw(to));
        let inside = |at: &[i64; 2]| {
            (0..2).all(|axis| (self.low[axis]..=self.high[axis]).contains(&at[axis]))
        };
        let most = most + 1.0;
        let mut nodes = vec![from, to];
        let corners = self.outlines.iter().flatten().filter(|at| inside(at));
        nodes.extend(corners.filter(|at| length(from, **at) + length(**at, to) <= most));
        nodes.retain(|at| self.is_free_segment(*at, *at));
        if nodes.len() < 2 || nodes[0] != from || nodes[1] != to {
            return None;
        }
        let mut costs = vec![f64::INFINITY; nodes.len()];
        let mut done = vec![false; nodes.len()];
        costs[0] = 0.0;
        loop {
            // The nearest by estimate; slow and obvious.
            let open = (0..nodes.len()).filter(|n| !done[*n] && costs[*n].is_finite());
            let total = |n: usize| costs[n] + length(nodes[n], to);
            let next = open.min_by(|a, b| total(*a).total_cmp(&total(*b)))?;
            if next == 1 {
                return Some(costs[1]);
            }
            done[next] = true;
            for other in 1..nodes.len() {
                let cost = costs[next] + length(nodes[next], nodes[other]);
                if !done[other]
                    && cost < costs[other]
                    && cost + length(nodes[other], to) <= most
                    && self.is_free_segment(nodes[next], nodes[other])
                {
                    costs[other] = cost;
                }
            }
        }
    }
}

/// True if the straight path enters the inside of a convex outline, given clockwise.
fn enters(outline: &[[i64; 2]], from: [i64; 2], to: [i64; 2]) -> bool {
    let (mut enter, mut leave) = ((0_i128, 1_i128), (1_i128, 1_i128));
    for (number, a) in outline.iter().enumerate() {
        let b = outline[(number + 1) % outline.len()];
        let side = |at: [i64; 2]| cross(minus(b, *a), minus(at, *a));
        let (start, end) = (side(from), side(to));
        if start <= 0 && end <= 0 {
            return false;
        }
        if start <= 0 && smaller(enter, (-start, end - start)) {
            enter = (-start, end - start);
        } else if end <= 0 && smaller((start, start - end), leave) {
            leave = (start, start - end);
        }
    }
    from == to || smaller(enter, leave)
}

/// True if the fraction `a` is smaller than `b`; denominators are positive. Products of fractions
/// of coordinates of the field fit 128 bits.
const fn smaller(a: (i128, i128), b: (i128, i128)) -> bool {
    a.0 * b.1 < b.0 * a.1
}

#[cfg(test)]
mod tests;
