//! Time of contact between a moving body and a moving footprint (continuous collision detection).
//!
//! Both translate linearly from time 0 to time 1 of the tick. Overlap at 0 and 1 is decided in
//! integers, as is passing a circle, ring or polygon; times in between use `+ - * /` and square
//! roots of f64, identical on every platform.

use wayfarer_base::{Point2, math};

use super::area::{is_ray, is_wide, vector};
use super::body::Extent;
use super::footprint::{Footprint, Vector, sub};
use super::overlap::overlaps_extent;

mod polygon;
mod ring;

/// The times of first and last contact, 0 to 1; `None` without contact.
pub(super) type ContactInterval = Option<(f64, f64)>;

type Vec2 = (f64, f64);

/// A moving point relative to the footprint: start and displacement.
#[derive(Clone, Copy)]
struct MovingPoint {
    from: Vec2,
    delta: Vec2,
}

/// A half-plane (a, b, c): a x + b y <= c.
type HalfPlane = (f64, f64, f64);

impl MovingPoint {
    fn translated(self, delta: Vec2) -> Self {
        Self {
            from: (self.from.0 + delta.0, self.from.1 + delta.1),
            delta: self.delta,
        }
    }

    /// While its infinite line is within `radius` of `center`.
    fn line_in_disc(self, center: Vec2, radius: f64) -> ContactInterval {
        let at = (self.from.0 - center.0, self.from.1 - center.1);
        let square = self.delta.0 * self.delta.0 + self.delta.1 * self.delta.1;
        // The distance of the line, and the time of closest approach.
        let perpendicular = at.0 * self.delta.1 - at.1 * self.delta.0;
        let remaining = radius * radius - perpendicular * perpendicular / square;
        let nearest = -(at.0 * self.delta.0 + at.1 * self.delta.1) / square;
        let half = (remaining / square).sqrt();
        (remaining >= 0.0).then_some((nearest - half, nearest + half))
    }

    /// While it is within `radius` of `center`.
    fn in_disc(self, center: Vec2, radius: f64) -> ContactInterval {
        let at = (self.from.0 - center.0, self.from.1 - center.1);
        if self.delta == (0.0, 0.0) {
            let here = at.0 * at.0 + at.1 * at.1;
            return (here <= radius * radius).then_some((0.0, 1.0));
        }
        let interval = clipped(self.line_in_disc(center, radius));
        match is_within_radius(at, self.delta, radius) {
            None => interval,
            Some(false) => None,
            // An interval lost in rounding is a graze.
            Some(true) => interval.or_else(|| {
                let square = self.delta.0 * self.delta.0 + self.delta.1 * self.delta.1;
                let nearest = -(at.0 * self.delta.0 + at.1 * self.delta.1) / square;
                let nearest = nearest.clamp(0.0, 1.0);
                Some((nearest, nearest))
            }),
        }
    }

    /// While it is inside all half-planes.
    fn in_half_planes(self, half_planes: impl IntoIterator<Item = HalfPlane>) -> ContactInterval {
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for (x, y, bound) in half_planes {
            let over = x * self.from.0 + y * self.from.1 - bound;
            let rate = x * self.delta.0 + y * self.delta.1;
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
    fn in_capsule(self, from: Vec2, to: Vec2, radius: f64) -> ContactInterval {
        let along = (to.0 - from.0, to.1 - from.1);
        let length = math::length(along.0, along.1);
        let first = self.in_disc(from, radius);
        if length <= 0.0 {
            return first;
        }
        let ends = hull(first, self.in_disc(to, radius));
        let (x, y) = (along.0 / length, along.1 / length);
        let (ahead, across) = (x * from.0 + y * from.1, x * from.1 - y * from.0);
        let strip = self.in_half_planes([
            (x, y, ahead + length),
            (-x, -y, -ahead),
            (-y, x, across + radius),
            (y, -x, radius - across),
        ]);
        hull(ends, strip)
    }

    /// While it is in the box around `center`.
    fn in_box(self, center: Vec2, half: Vec2) -> ContactInterval {
        self.in_half_planes([
            (1.0, 0.0, center.0 + half.0),
            (-1.0, 0.0, half.0 - center.0),
            (0.0, 1.0, center.1 + half.1),
            (0.0, -1.0, half.1 - center.1),
        ])
    }
}

/// True if a point moving by `delta` from `at` comes within `radius` of the origin, in exact
/// integers; `None` if a value is not an integer.
#[expect(
    clippy::cast_possible_truncation,
    reason = "used only if the conversion is exact"
)]
fn is_within_radius(at: Vec2, delta: Vec2, radius: f64) -> Option<bool> {
    let to_integer = |value: f64| {
        let whole = value as i64;
        #[expect(clippy::cast_precision_loss, reason = "compared with the original")]
        let same = (whole as f64).to_bits() == (value + 0.0).to_bits();
        same.then_some(i128::from(whole))
    };
    let (x, y) = (to_integer(at.0)?, to_integer(at.1)?);
    let (dx, dy) = (to_integer(delta.0)?, to_integer(delta.1)?);
    let radius = to_integer(radius)?;
    let (ahead, length) = (-(x * dx + y * dy), dx * dx + dy * dy);
    Some(if ahead <= 0 {
        x * x + y * y <= radius * radius
    } else if ahead >= length {
        let (x, y) = (x + dx, y + dy);
        x * x + y * y <= radius * radius
    } else {
        let perpendicular = x * dy - y * dx;
        // Radii have 24 bits and motions 34: a square that overflows exceeds any limit.
        let square = perpendicular.checked_mul(perpendicular);
        square.is_some_and(|square| square <= length * radius * radius)
    })
}

fn clipped(interval: ContactInterval) -> ContactInterval {
    let (enter, leave) = interval?;
    let (enter, leave) = (enter.max(0.0), leave.min(1.0));
    (enter <= leave).then_some((enter, leave))
}

/// The union of both, with what lies between.
fn hull(a: ContactInterval, b: ContactInterval) -> ContactInterval {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (first_interval, other) => first_interval.or(other),
    }
}

fn intersect(a: ContactInterval, b: ContactInterval) -> ContactInterval {
    let (a, b) = (a?, b?);
    let both = (a.0.max(b.0), a.1.min(b.1));
    (both.0 <= both.1).then_some(both)
}

/// A linear motion within a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Motion {
    /// The start.
    pub from: Point2,
    /// The end.
    pub to: Point2,
}

impl Motion {
    /// No motion.
    pub const fn at(point: Point2) -> Self {
        Self {
            from: point,
            to: point,
        }
    }
}

/// The contact interval of a moving body and a footprint whose origin moves along
/// `footprint_motion`.
pub(super) fn contact_interval(
    footprint: &Footprint,
    footprint_motion: Motion,
    body_motion: Motion,
    extent: Extent,
) -> ContactInterval {
    let overlaps_at_start = overlaps_extent(
        &footprint.translated_to(footprint_motion.from),
        body_motion.from,
        extent,
    );
    let overlaps_at_end = overlaps_extent(
        &footprint.translated_to(footprint_motion.to),
        body_motion.to,
        extent,
    );
    if overlaps_at_start && overlaps_at_end {
        return Some((0.0, 1.0));
    }
    let (from, to) = (
        sub(body_motion.from, footprint_motion.from),
        sub(body_motion.to, footprint_motion.to),
    );
    if from == to {
        return overlaps_at_start.then_some((0.0, 1.0));
    }
    let point = MovingPoint {
        from: to_vec2(from),
        delta: to_vec2((to.0 - from.0, to.1 - from.1)),
    };
    let between = match *footprint {
        Footprint::Polygon(ref corners) if extent.half_y >= 0 => {
            polygon::contact_interval(corners, from, to, extent)
        }
        Footprint::Ring { inner, outer, .. } => {
            let is_in_disc =
                |center, at| overlaps_extent(&Footprint::circle(center, outer), at, extent);
            let in_hole = (
                !overlaps_at_start && is_in_disc(footprint_motion.from, body_motion.from),
                !overlaps_at_end && is_in_disc(footprint_motion.to, body_motion.to),
            );
            let radii = (f64::from(inner.raw()), f64::from(outer.raw()));
            ring::contact_interval(point, in_hole, radii, extent)
        }
        _ => footprint_moments(footprint, point, extent),
    };
    let (mut enter, mut leave) = match between {
        Some(between) => between,
        None if overlaps_at_start => (0.0, 0.0),
        None if overlaps_at_end => (1.0, 1.0),
        None => return None,
    };
    if overlaps_at_start {
        enter = 0.0;
    }
    if overlaps_at_end {
        leave = 1.0;
    }
    Some((enter, leave))
}

#[expect(clippy::cast_precision_loss, reason = "below 2^34")]
fn to_vec2(vector: Vector) -> Vec2 {
    (vector.0 as f64, vector.1 as f64)
}

/// The direction normalized to length 1.
fn unit((x, y): Vec2) -> Vec2 {
    let length = math::length(x, y);
    (x / length, y / length)
}

/// The point at `radius` along a direction.
fn far_end(direction: Vec2, radius: f64) -> Vec2 {
    let (x, y) = unit(direction);
    (x * radius, y * radius)
}

/// A footprint relative to its origin.
#[expect(
    clippy::large_enum_variant,
    reason = "lives on the stack of one query, which must not allocate"
)]
enum LocalShape {
    Capsule(Vec2, Vec2, f64),
    /// Directions are integers, so that side tests do not round.
    Sector {
        radius: f64,
        left: Vec2,
        right: Vec2,
        is_ray: bool,
    },
    Polygon(LocalPolygon),
}

/// A convex polygon, clockwise.
struct LocalPolygon {
    corners: [Vec2; 16],
    half_planes: [HalfPlane; 16],
    n_corners: usize,
}

impl LocalPolygon {
    fn corners(&self) -> &[Vec2] {
        &self.corners[..self.n_corners]
    }

    fn edges(&self) -> impl Iterator<Item = (Vec2, Vec2)> {
        let corners = self.corners();
        (0..corners.len()).map(|at| (corners[at], corners[(at + 1) % corners.len()]))
    }

    fn half_planes(&self) -> impl Iterator<Item = HalfPlane> {
        self.half_planes[..self.n_corners].iter().copied()
    }
}

fn footprint_moments(footprint: &Footprint, point: MovingPoint, extent: Extent) -> ContactInterval {
    match *footprint {
        // Of a ring, its outer disc.
        Footprint::Circle { radius, .. } | Footprint::Ring { outer: radius, .. } => {
            let radius = f64::from(radius.raw());
            LocalShape::Capsule((0.0, 0.0), (0.0, 0.0), radius).contact_interval(point, extent)
        }
        Footprint::Capsule { from, to, radius } => {
            let along = to_vec2(sub(to, from));
            LocalShape::Capsule((0.0, 0.0), along, f64::from(radius.raw()))
                .contact_interval(point, extent)
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
            let (left, right) = (to_vec2(left), to_vec2(right));
            let sector = |left, right, is_ray| LocalShape::Sector {
                radius,
                left,
                right,
                is_ray,
            };
            if wide {
                let back = (-left.0, -left.1);
                hull(
                    sector(left, back, false).contact_interval(point, extent),
                    sector(back, right, false).contact_interval(point, extent),
                )
            } else {
                sector(left, right, ray).contact_interval(point, extent)
            }
        }
        Footprint::OrientedBox {
            heading,
            half_along,
            half_across,
            ..
        } => {
            let (x, y) = unit(to_vec2(vector(heading)));
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
            let flat = LocalPolygon {
                corners,
                half_planes: halves,
                n_corners: 4,
            };
            LocalShape::Polygon(flat).contact_interval(point, extent)
        }
        Footprint::Polygon(polygon) => {
            let mut corners = [(0.0, 0.0); 16];
            for (corner, &point) in corners.iter_mut().zip(polygon.points()) {
                *corner = to_vec2(sub(point, polygon.points()[0]));
            }
            let mut flat = LocalPolygon {
                corners,
                half_planes: [(0.0, 0.0, 0.0); 16],
                n_corners: polygon.points().len(),
            };
            let mut halves = flat.half_planes;
            for (half, (a, b)) in halves.iter_mut().zip(flat.edges()) {
                let (x, y) = (b.1 - a.1, a.0 - b.0);
                *half = (x, y, x * a.0 + y * a.1);
            }
            flat.half_planes = halves;
            LocalShape::Polygon(flat).contact_interval(point, extent)
        }
    }
}

fn corners_of(extent: Extent) -> [Vec2; 4] {
    let (x, y) = (f64::from(extent.half_x), f64::from(extent.half_y));
    [(-x, -y), (x, -y), (x, y), (-x, y)]
}

impl LocalShape {
    fn contact_interval(&self, point: MovingPoint, extent: Extent) -> ContactInterval {
        if extent.is_point() {
            self.point_interval(point)
        } else if extent.half_y < 0 {
            self.disc_interval(point, f64::from(extent.half_x))
        } else {
            self.box_interval(point, extent)
        }
    }

    fn point_interval(&self, point: MovingPoint) -> ContactInterval {
        match self {
            Self::Capsule(from, to, radius) => point.in_capsule(*from, *to, *radius),
            Self::Sector {
                radius,
                left,
                right,
                is_ray,
            } => intersect(
                point.in_disc((0.0, 0.0), *radius),
                in_cone(point, *left, *right, *is_ray),
            ),
            Self::Polygon(flat) => point.in_half_planes(flat.half_planes()),
        }
    }

    /// A disc touches everything within its radius of its center.
    fn disc_interval(&self, point: MovingPoint, body: f64) -> ContactInterval {
        match self {
            Self::Capsule(from, to, radius) => point.in_capsule(*from, *to, radius + body),
            Self::Sector {
                radius,
                left,
                right,
                is_ray,
            } => {
                let edges = hull(
                    point.in_capsule((0.0, 0.0), far_end(*left, *radius), body),
                    point.in_capsule((0.0, 0.0), far_end(*right, *radius), body),
                );
                let sector = intersect(
                    point.in_disc((0.0, 0.0), radius + body),
                    in_cone(point, *left, *right, *is_ray),
                );
                hull(edges, sector)
            }
            Self::Polygon(flat) => flat
                .edges()
                .fold(self.point_interval(point), |interval, (a, b)| {
                    hull(interval, point.in_capsule(a, b, body))
                }),
        }
    }

    /// Two convex shapes first and last touch at a vertex of one of them, or where a round edge
    /// faces along an axis.
    fn box_interval(&self, point: MovingPoint, extent: Extent) -> ContactInterval {
        let mut interval = None;
        for corner in corners_of(extent) {
            interval = hull(interval, self.point_interval(point.translated(corner)));
        }
        let half = (f64::from(extent.half_x), f64::from(extent.half_y));
        self.for_each_corner(|corner| interval = hull(interval, point.in_box(corner, half)));
        interval
    }

    fn for_each_corner(&self, mut visit: impl FnMut(Vec2)) {
        const AXES: [Vec2; 4] = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
        match self {
            Self::Capsule(from, to, radius) => {
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
                let lies_between = |axis: &Vec2| {
                    !is_ray
                        && left.0 * axis.1 - left.1 * axis.0 >= 0.0
                        && axis.0 * right.1 - axis.1 * right.0 >= 0.0
                };
                for axis in AXES.iter().filter(|axis| lies_between(axis)) {
                    visit((axis.0 * radius, axis.1 * radius));
                }
            }
            Self::Polygon(flat) => flat.corners().iter().copied().for_each(visit),
        }
    }
}

/// While it lies between two directions, at most a half turn apart.
fn in_cone(point: MovingPoint, left: Vec2, right: Vec2, is_ray: bool) -> ContactInterval {
    let ahead = if is_ray {
        (-left.0, -left.1, 0.0)
    } else {
        (0.0, 0.0, 0.0)
    };
    point.in_half_planes([(left.1, -left.0, 0.0), (-right.1, right.0, 0.0), ahead])
}

#[cfg(test)]
mod tests;
