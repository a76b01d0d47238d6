//! When a body on its way touches a footprint on its way: the first and the last moment.
//!
//! Both move in a straight line from the beginning of the tick, 0, to its end, 1. Whether they touch
//! at 0 and at 1 is decided in whole numbers, as is a pass by a circle, a ring or a polygon; moments
//! in between come from `+ - * /` and roots of 64-bit floating point, the same on every machine.

use wayfarer_base::{Point2, math};

use super::area::{is_ray, is_wide, vector};
use super::body::Extent;
use super::footprint::{Footprint, Vector, sub};
use super::overlap::touches;

mod polygon;
mod ring;

/// The first and the last moment of a touch, from 0 to 1.
pub(super) type Moments = Option<(f64, f64)>;

type Spot = (f64, f64);

/// A point that moves: where it begins and how far it goes, seen from the footprint.
#[derive(Clone, Copy)]
struct Mover {
    from: Spot,
    by: Spot,
}

/// A half plane: the first two numbers times x and y are at most the third.
type Half = (f64, f64, f64);

impl Mover {
    fn shifted(self, by: Spot) -> Self {
        Self {
            from: (self.from.0 + by.0, self.from.1 + by.1),
            by: self.by,
        }
    }

    /// While its line, which has no ends, is within `radius` of `center`.
    fn line_in_disc(self, center: Spot, radius: f64) -> Moments {
        let at = (self.from.0 - center.0, self.from.1 - center.1);
        let square = self.by.0 * self.by.0 + self.by.1 * self.by.1;
        // The distance of the line, and the moment it is nearest.
        let beside = at.0 * self.by.1 - at.1 * self.by.0;
        let rest = radius * radius - beside * beside / square;
        let nearest = -(at.0 * self.by.0 + at.1 * self.by.1) / square;
        let half = (rest / square).sqrt();
        (rest >= 0.0).then_some((nearest - half, nearest + half))
    }

    /// While it is within `radius` of `center`.
    fn in_disc(self, center: Spot, radius: f64) -> Moments {
        let at = (self.from.0 - center.0, self.from.1 - center.1);
        if self.by == (0.0, 0.0) {
            let here = at.0 * at.0 + at.1 * at.1;
            return (here <= radius * radius).then_some((0.0, 1.0));
        }
        let moments = clipped(self.line_in_disc(center, radius));
        match passes(at, self.by, radius) {
            None => moments,
            Some(false) => None,
            // What rounding has lost is a graze.
            Some(true) => moments.or_else(|| {
                let square = self.by.0 * self.by.0 + self.by.1 * self.by.1;
                let nearest = -(at.0 * self.by.0 + at.1 * self.by.1) / square;
                let nearest = nearest.clamp(0.0, 1.0);
                Some((nearest, nearest))
            }),
        }
    }

    /// While it is inside all halves.
    fn in_halves(self, halves: impl IntoIterator<Item = Half>) -> Moments {
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for (x, y, most) in halves {
            let over = x * self.from.0 + y * self.from.1 - most;
            let rate = x * self.by.0 + y * self.by.1;
            if rate > 0.0 {
                leave = leave.min(-over / rate);
            } else if rate < 0.0 {
                enter = enter.max(-over / rate);
            } else if over > 0.0 {
                return None;
            }
        }
        (enter <= leave).then_some((enter, leave))
    }

    /// While it is within `radius` of the segment.
    fn in_capsule(self, from: Spot, to: Spot, radius: f64) -> Moments {
        let along = (to.0 - from.0, to.1 - from.1);
        let length = math::length(along.0, along.1);
        let first = self.in_disc(from, radius);
        if length <= 0.0 {
            return first;
        }
        let ends = hull(first, self.in_disc(to, radius));
        let (x, y) = (along.0 / length, along.1 / length);
        let (ahead, beside) = (x * from.0 + y * from.1, x * from.1 - y * from.0);
        let beside = self.in_halves([
            (x, y, ahead + length),
            (-x, -y, -ahead),
            (-y, x, beside + radius),
            (y, -x, radius - beside),
        ]);
        hull(ends, beside)
    }

    /// While it is in the box around `center`.
    fn in_box(self, center: Spot, half: Spot) -> Moments {
        self.in_halves([
            (1.0, 0.0, center.0 + half.0),
            (-1.0, 0.0, half.0 - center.0),
            (0.0, 1.0, center.1 + half.1),
            (0.0, -1.0, half.1 - center.1),
        ])
    }
}

/// Whether somebody on the way `by` from `at` comes within `radius` of the origin, in whole
/// numbers; `None` if they are not all whole.
#[expect(
    clippy::cast_possible_truncation,
    reason = "only taken if it gives the same number back"
)]
fn passes(at: Spot, by: Spot, radius: f64) -> Option<bool> {
    let whole = |value: f64| {
        let whole = value as i64;
        #[expect(
            clippy::cast_precision_loss,
            reason = "compared with what it came from"
        )]
        let same = (whole as f64).to_bits() == (value + 0.0).to_bits();
        same.then_some(i128::from(whole))
    };
    let (x, y) = (whole(at.0)?, whole(at.1)?);
    let (dx, dy) = (whole(by.0)?, whole(by.1)?);
    let radius = whole(radius)?;
    let (ahead, length) = (-(x * dx + y * dy), dx * dx + dy * dy);
    Some(if ahead <= 0 {
        x * x + y * y <= radius * radius
    } else if ahead >= length {
        let (x, y) = (x + dx, y + dy);
        x * x + y * y <= radius * radius
    } else {
        let beside = x * dy - y * dx;
        // Radii have 24 bits and paths 34: a square without room is larger than any limit.
        let square = beside.checked_mul(beside);
        square.is_some_and(|square| square <= length * radius * radius)
    })
}

fn clipped(moments: Moments) -> Moments {
    let (enter, leave) = moments?;
    let (enter, leave) = (enter.max(0.0), leave.min(1.0));
    (enter <= leave).then_some((enter, leave))
}

/// From the first of both to the last of both.
fn hull(a: Moments, b: Moments) -> Moments {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (one, other) => one.or(other),
    }
}

fn meet(a: Moments, b: Moments) -> Moments {
    let (a, b) = (a?, b?);
    let both = (a.0.max(b.0), a.1.min(b.1));
    (both.0 <= both.1).then_some(both)
}

/// A way on the map within a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Motion {
    /// Where it begins.
    pub from: Point2,
    /// Where it ends.
    pub to: Point2,
}

impl Motion {
    /// Somebody who stays.
    pub const fn at(point: Point2) -> Self {
        Self {
            from: point,
            to: point,
        }
    }
}

/// When a body that goes its way touches the footprint, whose origin goes `carrier`'s way.
pub(super) fn moments(
    footprint: &Footprint,
    carrier: Motion,
    body: Motion,
    extent: Extent,
) -> Moments {
    let at_first = touches(&footprint.translated_to(carrier.from), body.from, extent);
    let at_last = touches(&footprint.translated_to(carrier.to), body.to, extent);
    if at_first && at_last {
        return Some((0.0, 1.0));
    }
    let (from, to) = (sub(body.from, carrier.from), sub(body.to, carrier.to));
    if from == to {
        return at_first.then_some((0.0, 1.0));
    }
    let mover = Mover {
        from: spot(from),
        by: spot((to.0 - from.0, to.1 - from.1)),
    };
    let between = match *footprint {
        Footprint::Polygon(ref corners) if extent.half_y >= 0 => {
            polygon::moments(corners, from, to, extent)
        }
        Footprint::Ring { inner, outer, .. } => {
            let is_near = |center, at| touches(&Footprint::circle(center, outer), at, extent);
            let in_hole = (
                !at_first && is_near(carrier.from, body.from),
                !at_last && is_near(carrier.to, body.to),
            );
            let radii = (f64::from(inner.raw()), f64::from(outer.raw()));
            ring::moments(mover, in_hole, radii, extent)
        }
        _ => footprint_moments(footprint, mover, extent),
    };
    let (mut enter, mut leave) = match between {
        Some(between) => between,
        None if at_first => (0.0, 0.0),
        None if at_last => (1.0, 1.0),
        None => return None,
    };
    if at_first {
        enter = 0.0;
    }
    if at_last {
        leave = 1.0;
    }
    Some((enter, leave))
}

#[expect(clippy::cast_precision_loss, reason = "below 2^34")]
fn spot(vector: Vector) -> Spot {
    (vector.0 as f64, vector.1 as f64)
}

/// The same direction, 1 long.
fn unit((x, y): Spot) -> Spot {
    let length = math::length(x, y);
    (x / length, y / length)
}

/// How far a direction gets.
fn far_end(direction: Spot, radius: f64) -> Spot {
    let (x, y) = unit(direction);
    (x * radius, y * radius)
}

/// What the footprint is, seen from its origin.
#[expect(
    clippy::large_enum_variant,
    reason = "lives on the stack of one question, which must not ask for memory"
)]
enum Seen {
    Round(Spot, Spot, f64),
    /// Directions are whole numbers, so that no side of them is lost in rounding.
    Sector {
        radius: f64,
        left: Spot,
        right: Spot,
        is_ray: bool,
    },
    Flat(Flat),
}

/// A convex polygon, clockwise.
struct Flat {
    corners: [Spot; 16],
    halves: [Half; 16],
    n_corners: usize,
}

impl Flat {
    fn corners(&self) -> &[Spot] {
        &self.corners[..self.n_corners]
    }

    fn edges(&self) -> impl Iterator<Item = (Spot, Spot)> {
        let corners = self.corners();
        (0..corners.len()).map(|at| (corners[at], corners[(at + 1) % corners.len()]))
    }

    fn halves(&self) -> impl Iterator<Item = Half> {
        self.halves[..self.n_corners].iter().copied()
    }
}

fn footprint_moments(footprint: &Footprint, mover: Mover, extent: Extent) -> Moments {
    match *footprint {
        // Of a ring, what lies within its edge.
        Footprint::Circle { radius, .. } | Footprint::Ring { outer: radius, .. } => {
            let radius = f64::from(radius.raw());
            Seen::Round((0.0, 0.0), (0.0, 0.0), radius).moments(mover, extent)
        }
        Footprint::Capsule { from, to, radius } => {
            let along = spot(sub(to, from));
            Seen::Round((0.0, 0.0), along, f64::from(radius.raw())).moments(mover, extent)
        }
        Footprint::Wedge {
            radius,
            left,
            right,
            ..
        } => {
            let radius = f64::from(radius.raw());
            let (left, right) = (vector(left), vector(right));
            let (wide, ray) = (is_wide(left, right), is_ray(left, right));
            let (left, right) = (spot(left), spot(right));
            let sector = |left, right, is_ray| Seen::Sector {
                radius,
                left,
                right,
                is_ray,
            };
            if wide {
                let back = (-left.0, -left.1);
                hull(
                    sector(left, back, false).moments(mover, extent),
                    sector(back, right, false).moments(mover, extent),
                )
            } else {
                sector(left, right, ray).moments(mover, extent)
            }
        }
        Footprint::Turned {
            heading,
            half_along,
            half_across,
            ..
        } => {
            let (x, y) = unit(spot(vector(heading)));
            let (along, across) = (f64::from(half_along.raw()), f64::from(half_across.raw()));
            let corner = |a: f64, b: f64| (x * a - y * b, y * a + x * b);
            let mut corners = [(0.0, 0.0); 16];
            corners[0] = corner(-along, -across);
            corners[1] = corner(along, -across);
            corners[2] = corner(along, across);
            corners[3] = corner(-along, across);
            let mut halves = [(0.0, 0.0, 0.0); 16];
            halves[0] = (x, y, along);
            halves[1] = (-x, -y, along);
            halves[2] = (-y, x, across);
            halves[3] = (y, -x, across);
            let flat = Flat {
                corners,
                halves,
                n_corners: 4,
            };
            Seen::Flat(flat).moments(mover, extent)
        }
        Footprint::Polygon(given) => {
            let mut corners = [(0.0, 0.0); 16];
            for (corner, &point) in corners.iter_mut().zip(given.points()) {
                *corner = spot(sub(point, given.points()[0]));
            }
            let mut flat = Flat {
                corners,
                halves: [(0.0, 0.0, 0.0); 16],
                n_corners: given.points().len(),
            };
            let mut halves = flat.halves;
            for (half, (a, b)) in halves.iter_mut().zip(flat.edges()) {
                let (x, y) = (b.1 - a.1, a.0 - b.0);
                *half = (x, y, x * a.0 + y * a.1);
            }
            flat.halves = halves;
            Seen::Flat(flat).moments(mover, extent)
        }
    }
}

fn corners_of(extent: Extent) -> [Spot; 4] {
    let (x, y) = (f64::from(extent.half_x), f64::from(extent.half_y));
    [(-x, -y), (x, -y), (x, y), (-x, y)]
}

impl Seen {
    fn moments(&self, mover: Mover, extent: Extent) -> Moments {
        if extent.is_point() {
            self.of_point(mover)
        } else if extent.half_y < 0 {
            self.of_disc(mover, f64::from(extent.half_x))
        } else {
            self.of_box(mover, extent)
        }
    }

    fn of_point(&self, mover: Mover) -> Moments {
        match self {
            Self::Round(from, to, radius) => mover.in_capsule(*from, *to, *radius),
            Self::Sector {
                radius,
                left,
                right,
                is_ray,
            } => meet(
                mover.in_disc((0.0, 0.0), *radius),
                in_cone(mover, *left, *right, *is_ray),
            ),
            Self::Flat(flat) => mover.in_halves(flat.halves()),
        }
    }

    /// A disc touches whatever its middle is within its radius of.
    fn of_disc(&self, mover: Mover, body: f64) -> Moments {
        match self {
            Self::Round(from, to, radius) => mover.in_capsule(*from, *to, radius + body),
            Self::Sector {
                radius,
                left,
                right,
                is_ray,
            } => {
                let edges = hull(
                    mover.in_capsule((0.0, 0.0), far_end(*left, *radius), body),
                    mover.in_capsule((0.0, 0.0), far_end(*right, *radius), body),
                );
                let fan = meet(
                    mover.in_disc((0.0, 0.0), radius + body),
                    in_cone(mover, *left, *right, *is_ray),
                );
                hull(edges, fan)
            }
            Self::Flat(flat) => flat.edges().fold(self.of_point(mover), |all, (a, b)| {
                hull(all, mover.in_capsule(a, b, body))
            }),
        }
    }

    /// Two convex things first and last touch in a corner of one of them, or where a round edge
    /// faces along an axis.
    fn of_box(&self, mover: Mover, extent: Extent) -> Moments {
        let mut all = None;
        for corner in corners_of(extent) {
            all = hull(all, self.of_point(mover.shifted(corner)));
        }
        let half = (f64::from(extent.half_x), f64::from(extent.half_y));
        self.for_corners(|corner| all = hull(all, mover.in_box(corner, half)));
        all
    }

    fn for_corners(&self, mut visit: impl FnMut(Spot)) {
        const AXES: [Spot; 4] = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
        match self {
            Self::Round(from, to, radius) => {
                for end in [from, to] {
                    for axis in AXES {
                        visit((end.0 + axis.0 * radius, end.1 + axis.1 * radius));
                    }
                }
            }
            Self::Sector {
                radius,
                left,
                right,
                is_ray,
            } => {
                visit((0.0, 0.0));
                visit(far_end(*left, *radius));
                visit(far_end(*right, *radius));
                let lies_between = |axis: &Spot| {
                    !is_ray
                        && left.0 * axis.1 - left.1 * axis.0 >= 0.0
                        && axis.0 * right.1 - axis.1 * right.0 >= 0.0
                };
                for axis in AXES.iter().filter(|axis| lies_between(axis)) {
                    visit((axis.0 * radius, axis.1 * radius));
                }
            }
            Self::Flat(flat) => flat.corners().iter().copied().for_each(visit),
        }
    }
}

/// While it lies between two directions, at most a half turn apart.
fn in_cone(mover: Mover, left: Spot, right: Spot, is_ray: bool) -> Moments {
    let ahead = if is_ray {
        (-left.0, -left.1, 0.0)
    } else {
        (0.0, 0.0, 0.0)
    };
    mover.in_halves([(left.1, -left.0, 0.0), (-right.1, right.0, 0.0), ahead])
}

#[cfg(test)]
mod tests;
