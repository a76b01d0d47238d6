//! Where an agent can be near a place where it cannot.

#![expect(
    clippy::cast_possible_truncation,
    reason = "crossings between edges of the field fit 32 bits; casts saturate"
)]

use wayfarer_base::{Fixed, Point2};

use super::ObstacleSet;
use super::inflated_outline::{DiscAgent, InflatedOutline};
use super::obstacle::square_between;

/// Memory for finding free points, reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct FreeScratch {
    /// By their western edge.
    outlines: Vec<InflatedOutline>,
}

/// Both ends of an edge.
type Edge = [[i32; 2]; 2];

/// The best point so far, and the square of its distance.
struct Best {
    at: Option<[i32; 2]>,
    square: u64,
}

impl ObstacleSet {
    /// The free point nearest to `at`: exact among boxes, to within two units of 1/256 of a cell
    /// among discs. Of several the first by (y, x). `None` if there is none in the whole field.
    ///
    /// The nearest point lies on an edge of an outline or of the field: at its foot, its end or
    /// where it crosses another. Takes time in the number of outlines around and of those that
    /// overlap.
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
            let is_sure = best.square <= u64::from(reach.unsigned_abs()).pow(2);
            if is_sure || reach >= widest {
                let [x, y] = best.at?;
                return Some(Point2::new(Fixed::from_raw(x), Fixed::from_raw(y)));
            }
            reach = reach.saturating_mul(2).min(widest);
        }
    }

    /// Lists the outlines within `reach`.
    fn collect(&self, at: [i32; 2], reach: i32, agent: DiscAgent, scratch: &mut FreeScratch) {
        let outlines = &mut scratch.outlines;
        outlines.clear();
        let margin = agent.margin() + reach;
        let (low, high) = (at.map(|at| at - margin), at.map(|at| at + margin));
        self.each_near(low, high, agent.blocked_by.bits(), |body| {
            outlines.push(InflatedOutline::of(body, agent.margin()));
        });
        outlines.sort_unstable_by_key(InflatedOutline::low);
    }

    fn best_among(&self, at: [i32; 2], agent: DiscAgent, scratch: &FreeScratch) -> Best {
        let mut best = Best {
            at: None,
            square: u64::MAX,
        };
        let mut offer = |[x, y]: [f64; 2]| {
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
        let bounds = self.edges();
        for (number, edge) in bounds.iter().enumerate() {
            offer(foot(at, edge));
            for other in &bounds[number + 1..] {
                crossing(edge, other).into_iter().for_each(&mut offer);
            }
        }
        let outlines = &scratch.outlines;
        for (number, outline) in outlines.iter().enumerate() {
            // From west to east: those after it whose western edge is not beyond its eastern one.
            let after = outlines[number + 1..].iter();
            let beside = after
                .take_while(|other| other.low().x <= outline.high().x)
                .filter(|other| {
                    other.low().y <= outline.high().y && outline.low().y <= other.high().y
                });
            for edge in edges_of(outline) {
                offer(foot(at, &edge));
                for other in &bounds {
                    crossing(&edge, other).into_iter().for_each(&mut offer);
                }
                for other in beside.clone().flat_map(edges_of) {
                    crossing(&edge, &other).into_iter().for_each(&mut offer);
                }
            }
        }
        best
    }

    /// The field's own edges.
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
fn edges_of(outline: &InflatedOutline) -> impl Iterator<Item = Edge> {
    let raw = |point: Point2| [point.x.raw(), point.y.raw()];
    (0..outline.n_corners()).map(move |number| {
        let next = outline.after(number);
        [raw(outline.corner(number)), raw(outline.corner(next))]
    })
}

fn minus(a: [i32; 2], b: [i32; 2]) -> [f64; 2] {
    [
        f64::from(a[0]) - f64::from(b[0]),
        f64::from(a[1]) - f64::from(b[1]),
    ]
}

/// The point of an edge nearest to `at`.
fn foot(at: [i32; 2], [from, to]: &Edge) -> [f64; 2] {
    let (along, delta) = (minus(*to, *from), minus(at, *from));
    let square = along[0] * along[0] + along[1] * along[1];
    let share = (along[0] * delta[0] + along[1] * delta[1]) / square.max(1.0);
    let share = share.clamp(0.0, 1.0);
    [
        f64::from(from[0]) + along[0] * share,
        f64::from(from[1]) + along[1] * share,
    ]
}

/// Where two edges cross, if they do and are not parallel.
fn crossing([a, b]: &Edge, [c, d]: &Edge) -> Option<[f64; 2]> {
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
