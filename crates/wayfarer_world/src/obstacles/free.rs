//! Projection of blocked points to the nearest free point.

#![expect(
    clippy::cast_possible_truncation,
    reason = "crossings between edges of the bounds fit 32 bits; casts saturate"
)]

use wayfarer_base::{Fixed, Point2};

use super::ObstacleSet;
use super::inflated_outline::{DiscAgent, InflatedOutline};
use super::obstacle::squared_distance;

/// Reusable buffers of [`ObstacleSet::nearest_free`].
#[derive(Clone, Debug, Default)]
pub struct FreeScratch {
    /// By western edge.
    outlines: Vec<InflatedOutline>,
}

/// Both ends of an edge.
type Edge = [[i32; 2]; 2];

/// The best point so far, and its squared distance.
struct Best {
    at: Option<[i32; 2]>,
    square: u64,
}

impl ObstacleSet {
    /// The free point nearest to `at`: exact among boxes, within 2/256 of a cell among discs. Ties:
    /// lowest (y, x). `None` if the whole world is blocked.
    ///
    /// The nearest point lies on an edge of an outline or of the bounds: the closest point of an
    /// edge, or an intersection of two. The search radius doubles until the result is proven; costs
    /// grow with the outlines within it and their overlaps.
    pub fn nearest_free(
        &self,
        at: Point2,
        agent: DiscAgent,
        scratch: &mut FreeScratch,
    ) -> Option<Point2> {
        let inside = [
            at.x.raw().clamp(self.low[0], self.high[0]),
            at.y.raw().clamp(self.low[1], self.high[1]),
        ];
        let clamped = Point2::from_raw(inside[0], inside[1]);
        if self.is_free(clamped, agent) {
            return Some(clamped);
        }
        let margin = agent.margin();
        let max_reach = (self.high[0] - self.low[0]).max(self.high[1] - self.low[1]);
        let mut reach = margin.max(256);
        loop {
            self.collect_outlines(inside, reach, agent, scratch);
            let best = self.best_among(inside, agent, scratch);
            let is_proven = best.square <= u64::from(reach.unsigned_abs()).pow(2);
            if is_proven || reach >= max_reach {
                let [x, y] = best.at?;
                return Some(Point2::from_raw(x, y));
            }
            reach = reach.saturating_mul(2).min(max_reach);
        }
    }

    /// Collects the outlines within `reach`, from west to east.
    fn collect_outlines(
        &self,
        at: [i32; 2],
        reach: i32,
        agent: DiscAgent,
        scratch: &mut FreeScratch,
    ) {
        let outlines = &mut scratch.outlines;
        outlines.clear();
        let margin = agent.margin() + reach;
        let (low, high) = (at.map(|at| at - margin), at.map(|at| at + margin));
        self.for_each_overlapping(low, high, agent.blocked_by.bits(), |body| {
            outlines.push(InflatedOutline::new(body, agent.margin()));
        });
        outlines.sort_unstable_by_key(InflatedOutline::low);
    }

    fn best_among(&self, at: [i32; 2], agent: DiscAgent, scratch: &FreeScratch) -> Best {
        let mut best = Best {
            at: None,
            square: u64::MAX,
        };
        let mut consider = |[x, y]: [f64; 2]| {
            // A point off the integer grid is rounded to all four neighbors.
            for x in [x.floor(), x.ceil()] {
                for y in [y.floor(), y.ceil()] {
                    let point = [x as i32, y as i32];
                    let square = squared_distance(at, point);
                    let is_first = best.at.is_none_or(|[x, y]| (point[1], point[0]) < (y, x));
                    if square < best.square || (square == best.square && is_first) {
                        let [x, y] = point.map(Fixed::from_raw);
                        if self.is_free(Point2::new(x, y), agent) {
                            best = Best {
                                at: Some(point),
                                square,
                            };
                        }
                    }
                }
            }
        };
        let bounds = self.edges();
        for (i, edge) in bounds.iter().enumerate() {
            consider(closest_point(at, edge));
            for other in &bounds[i + 1..] {
                intersection(edge, other)
                    .into_iter()
                    .for_each(&mut consider);
            }
        }
        let outlines = &scratch.outlines;
        for (i, outline) in outlines.iter().enumerate() {
            // Later outlines whose western edge is not beyond its eastern one.
            let after = outlines[i + 1..].iter();
            let overlapping = after
                .take_while(|other| other.low().x <= outline.high().x)
                .filter(|other| {
                    other.low().y <= outline.high().y && outline.low().y <= other.high().y
                });
            for edge in outline_edges(outline) {
                consider(closest_point(at, &edge));
                for other in &bounds {
                    intersection(&edge, other)
                        .into_iter()
                        .for_each(&mut consider);
                }
                for other in overlapping.clone().flat_map(outline_edges) {
                    intersection(&edge, &other)
                        .into_iter()
                        .for_each(&mut consider);
                }
            }
        }
        best
    }

    /// The edges of the bounds.
    const fn edges(&self) -> [Edge; 4] {
        let ([left, top], [right, bottom]) = (self.low, self.high);
        [
            [[left, top], [right, top]],
            [[right, top], [right, bottom]],
            [[right, bottom], [left, bottom]],
            [[left, bottom], [left, top]],
        ]
    }
}

/// The edges of an outline, clockwise.
fn outline_edges(outline: &InflatedOutline) -> impl Iterator<Item = Edge> {
    let raw = |point: Point2| [point.x.raw(), point.y.raw()];
    (0..outline.n_corners()).map(move |i| {
        let next = outline.after(i);
        [raw(outline.corner(i)), raw(outline.corner(next))]
    })
}

fn sub(a: [i32; 2], b: [i32; 2]) -> [f64; 2] {
    [
        f64::from(a[0]) - f64::from(b[0]),
        f64::from(a[1]) - f64::from(b[1]),
    ]
}

/// The point of an edge nearest to `at`.
fn closest_point(at: [i32; 2], [from, to]: &Edge) -> [f64; 2] {
    let (along, delta) = (sub(*to, *from), sub(at, *from));
    let square = along[0] * along[0] + along[1] * along[1];
    let fraction = (along[0] * delta[0] + along[1] * delta[1]) / square.max(1.0);
    let fraction = fraction.clamp(0.0, 1.0);
    [
        f64::from(from[0]) + along[0] * fraction,
        f64::from(from[1]) + along[1] * fraction,
    ]
}

/// The intersection of two edges, unless they are parallel.
fn intersection([a, b]: &Edge, [c, d]: &Edge) -> Option<[f64; 2]> {
    let (p, q, between) = (sub(*b, *a), sub(*d, *c), sub(*c, *a));
    let cross = |u: [f64; 2], v: [f64; 2]| u[0] * v[1] - u[1] * v[0];
    let determinant = cross(p, q);
    if determinant == 0.0 {
        return None;
    }
    let (s, t) = (
        cross(between, q) / determinant,
        cross(between, p) / determinant,
    );
    ((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t))
        .then(|| [f64::from(a[0]) + p[0] * s, f64::from(a[1]) + p[1] * s])
}
