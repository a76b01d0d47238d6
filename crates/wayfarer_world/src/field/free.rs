//! Where an agent can be near a place where it cannot.

#![expect(
    clippy::cast_possible_truncation,
    reason = "crossings between edges of the field fit 32 bits; casts saturate"
)]

use wayfarer_base::{Fixed, Point2};

use super::Field;
use super::entity::square_between;
use super::outline::{FieldAgent, Outline};

/// Memory for finding free points, reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct FreeScratch {
    outlines: Vec<Outline>,
    edges: Vec<[[i32; 2]; 2]>,
}

/// The best point so far, and the square of its distance.
struct Best {
    at: Option<[i32; 2]>,
    square: i64,
}

impl Field {
    /// The free point nearest to `at`: exact among boxes, to within two units of 1/256 of a cell
    /// among discs. Of several the first by (y, x). `None` if there is none in the whole field.
    ///
    /// The nearest point lies on an edge of an outline or of the field: at its foot, its end or
    /// where it crosses another. Takes time in the square of the number of outlines around.
    pub fn nearest_free(
        &self,
        at: Point2,
        agent: FieldAgent,
        scratch: &mut FreeScratch,
    ) -> Option<Point2> {
        let inside = [
            at.x.raw().clamp(self.low[0], self.high[0]),
            at.y.raw().clamp(self.low[1], self.high[1]),
        ];
        let asked = Point2::new(Fixed::from_raw(inside[0]), Fixed::from_raw(inside[1]));
        if self.is_free(asked, agent) {
            return Some(asked);
        }
        let margin = agent.margin();
        let widest = (self.high[0] - self.low[0]).max(self.high[1] - self.low[1]);
        let mut reach = margin.max(256);
        loop {
            self.collect(inside, reach, agent, scratch);
            let best = self.best_among(inside, agent, scratch);
            let is_sure = best.square <= i64::from(reach) * i64::from(reach);
            if is_sure || reach >= widest {
                let [x, y] = best.at?;
                return Some(Point2::new(Fixed::from_raw(x), Fixed::from_raw(y)));
            }
            reach = reach.saturating_mul(2).min(widest);
        }
    }

    /// Lists the edges of outlines within `reach`, and those of the field.
    fn collect(&self, at: [i32; 2], reach: i32, agent: FieldAgent, scratch: &mut FreeScratch) {
        let FreeScratch { outlines, edges } = scratch;
        outlines.clear();
        edges.clear();
        let margin = agent.margin() + reach;
        let (low, high) = (at.map(|at| at - margin), at.map(|at| at + margin));
        self.each_near(low, high, agent.blocked_by.bits(), |body| {
            outlines.push(Outline::of(body, agent.margin()));
        });
        let raw = |point: Point2| [point.x.raw(), point.y.raw()];
        for outline in outlines.iter() {
            for number in 0..outline.n_corners() {
                let next = outline.after(number);
                edges.push([raw(outline.corner(number)), raw(outline.corner(next))]);
            }
        }
        let ([left, top], [right, bottom]) = (self.low, self.high);
        edges.push([[left, top], [right, top]]);
        edges.push([[right, top], [right, bottom]]);
        edges.push([[right, bottom], [left, bottom]]);
        edges.push([[left, bottom], [left, top]]);
    }

    fn best_among(&self, at: [i32; 2], agent: FieldAgent, scratch: &FreeScratch) -> Best {
        let mut best = Best {
            at: None,
            square: i64::MAX,
        };
        let mut offer = |x: f64, y: f64| {
            // What does not lie on whole numbers is tried on all four around it.
            for x in [x.floor(), x.ceil()] {
                for y in [y.floor(), y.ceil()] {
                    let point = [x as i32, y as i32];
                    let square = square_between(at, point);
                    let earlier = best.at.is_none_or(|[x, y]| (point[1], point[0]) < (y, x));
                    if square < best.square || (square == best.square && earlier) {
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
        let edges = &scratch.edges;
        for (number, edge) in edges.iter().enumerate() {
            let [x, y] = foot(at, edge);
            offer(x, y);
            for other in &edges[number + 1..] {
                if let Some([x, y]) = crossing(edge, other) {
                    offer(x, y);
                }
            }
        }
        best
    }
}

fn minus(a: [i32; 2], b: [i32; 2]) -> [f64; 2] {
    [
        f64::from(a[0]) - f64::from(b[0]),
        f64::from(a[1]) - f64::from(b[1]),
    ]
}

/// The point of an edge nearest to `at`.
fn foot(at: [i32; 2], [from, to]: &[[i32; 2]; 2]) -> [f64; 2] {
    let (along, way) = (minus(*to, *from), minus(at, *from));
    let square = along[0] * along[0] + along[1] * along[1];
    let share = (along[0] * way[0] + along[1] * way[1]) / square.max(1.0);
    let share = share.clamp(0.0, 1.0);
    [
        f64::from(from[0]) + along[0] * share,
        f64::from(from[1]) + along[1] * share,
    ]
}

/// Where two edges cross, if they do and are not parallel.
fn crossing([a, b]: &[[i32; 2]; 2], [c, d]: &[[i32; 2]; 2]) -> Option<[f64; 2]> {
    let (p, q, between) = (minus(*b, *a), minus(*d, *c), minus(*c, *a));
    let cross = |u: [f64; 2], v: [f64; 2]| u[0] * v[1] - u[1] * v[0];
    let turn = cross(p, q);
    if turn == 0.0 {
        return None;
    }
    let (s, t) = (cross(between, q) / turn, cross(between, p) / turn);
    ((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t))
        .then(|| [f64::from(a[0]) + p[0] * s, f64::from(a[1]) + p[1] * s])
}
