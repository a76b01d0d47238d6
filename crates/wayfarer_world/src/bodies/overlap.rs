//! Whether a body and a footprint touch, exactly: no rounding, edges belong to both.

use wayfarer_base::Point2;

use super::area::{Area as _, Ready, is_ray, is_wide, vector, with_area};
use super::body::{self, Extent};
use super::footprint::{Footprint, Vector, cross, dot, sub};

impl Footprint {
    /// True if `point` belongs to the footprint; false if either lies beyond the limits.
    pub fn contains(&self, point: Point2) -> bool {
        self.is_near(point) && holds(self, point)
    }

    /// True if the outline around `point` shares a point with the footprint; false if one of them
    /// lies beyond the limits.
    pub fn overlaps(&self, point: Point2, outline: super::BodyShape) -> bool {
        self.is_near(point) && Extent::of(outline).is_ok_and(|extent| touches(self, point, extent))
    }

    /// Whether the squares of distances between the two have room.
    fn is_near(&self, point: Point2) -> bool {
        body::position(point).is_ok() && self.check().is_ok()
    }
}

fn holds(footprint: &Footprint, point: Point2) -> bool {
    let (x, y) = sub(point, Point2::default());
    with_area!(Ready::new(footprint), area => area.contains(x, y))
}

pub(super) fn touches(footprint: &Footprint, at: Point2, extent: Extent) -> bool {
    if extent.is_point() {
        holds(footprint, at)
    } else if extent.half_y < 0 {
        touches_disc(footprint, at, extent.half_x.into())
    } else {
        touches_box(footprint, at, extent.half_x.into(), extent.half_y.into())
    }
}

fn square(value: i64) -> i128 {
    i128::from(value) * i128::from(value)
}

fn within(at: Vector, reach: i64) -> bool {
    // The corner of a box may lie so far away that the square of its distance has no room.
    at.0.abs() <= reach && at.1.abs() <= reach && dot(at, at) <= reach * reach
}

fn near_segment(at: Vector, along: Vector, reach: i64) -> bool {
    let (ahead, length) = (dot(at, along), dot(along, along));
    if ahead <= 0 {
        within(at, reach)
    } else if ahead >= length {
        within((at.0 - along.0, at.1 - along.1), reach)
    } else {
        square(cross(along, at)) <= square(reach) * i128::from(length)
    }
}

/// True if the point lies between the directions, or at the tip.
pub(super) fn in_cone(at: Vector, left: Vector, right: Vector) -> bool {
    let (from_left, to_right) = (cross(left, at), cross(at, right));
    if at == (0, 0) {
        true
    } else if is_wide(left, right) {
        from_left >= 0 || to_right >= 0
    } else {
        from_left >= 0 && to_right >= 0 && (!is_ray(left, right) || dot(at, left) > 0)
    }
}

fn touches_disc(footprint: &Footprint, at: Point2, body: i64) -> bool {
    match *footprint {
        Footprint::Circle {
            center: centre,
            radius,
        } => within(sub(at, centre), body + i64::from(radius.raw())),
        Footprint::Ring {
            center: centre,
            inner,
            outer,
        } => {
            let at = sub(at, centre);
            let hole = i64::from(inner.raw()) - body;
            within(at, body + i64::from(outer.raw())) && (hole <= 0 || dot(at, at) >= hole * hole)
        }
        Footprint::Capsule { from, to, radius } => {
            near_segment(sub(at, from), sub(to, from), body + i64::from(radius.raw()))
        }
        Footprint::Wedge {
            tip,
            radius,
            left,
            right,
        } => {
            let (at, radius) = (sub(at, tip), i64::from(radius.raw()));
            let (left, right) = (vector(left), vector(right));
            if in_cone(at, left, right) {
                return within(at, body + radius);
            }
            within(at, body + radius)
                && (near_ray(at, left, radius, body) || near_ray(at, right, radius, body))
        }
        Footprint::Turned {
            center: centre,
            heading,
            half_along,
            half_across,
        } => near_turned(
            sub(at, centre),
            vector(heading),
            (half_along.raw().into(), half_across.raw().into()),
            body,
        ),
        Footprint::Polygon(corners) => {
            holds(footprint, at)
                || corners
                    .edges()
                    .any(|(a, b)| near_segment(sub(at, a), sub(b, a), body))
        }
    }
}

/// True if `at` lies within `reach` of the segment from the origin in a direction, `length` long.
fn near_ray(at: Vector, direction: Vector, length: i64, reach: i64) -> bool {
    let (ahead, unit) = (dot(at, direction), i128::from(dot(direction, direction)));
    if ahead <= 0 {
        return within(at, reach);
    }
    if square(ahead) <= square(length) * unit {
        return square(cross(direction, at)) <= square(reach) * unit;
    }
    // To the far end: at^2 + length^2 - 2 length ahead / |direction| <= reach^2.
    let rest = i128::from(dot(at, at)) + square(length) - square(reach);
    let twice = 2 * i128::from(length) * i128::from(ahead);
    rest <= 0 || rest * rest * unit <= twice * twice
}

fn near_turned(at: Vector, d: Vector, half: (i64, i64), reach: i64) -> bool {
    let unit = i128::from(dot(d, d));
    let (along, across) = (dot(at, d).abs(), cross(d, at).abs());
    let fits = |value: i64, most: i64| square(value) <= square(most) * unit;
    if !fits(along, half.0 + reach) || !fits(across, half.1 + reach) {
        return false;
    }
    if fits(along, half.0) || fits(across, half.1) {
        return true;
    }
    // To the corner: the square of the distance, with the root on one side only.
    let rest = i128::from(dot(at, at)) + square(half.0) + square(half.1) - square(reach);
    let twice =
        2 * (i128::from(half.0) * i128::from(along) + i128::from(half.1) * i128::from(across));
    rest <= 0 || rest * rest * unit <= twice * twice
}

/// A box, seen from somewhere.
#[derive(Clone, Copy)]
struct Seen {
    low: Vector,
    high: Vector,
}

impl Seen {
    fn nearest(&self) -> Vector {
        (
            0.clamp(self.low.0, self.high.0),
            0.clamp(self.low.1, self.high.1),
        )
    }

    fn farthest(&self) -> Vector {
        (
            self.low.0.abs().max(self.high.0.abs()),
            self.low.1.abs().max(self.high.1.abs()),
        )
    }

    fn corners(&self) -> [Vector; 4] {
        [
            self.low,
            (self.high.0, self.low.1),
            self.high,
            (self.low.0, self.high.1),
        ]
    }

    /// Where the ray from the origin comes in and goes out, as fractions of the direction.
    fn crossed(&self, d: Vector) -> Option<((i128, i128), (i128, i128))> {
        let (mut enter, mut leave): ((i128, i128), (i128, i128)) = ((0, 1), (1, 0));
        for (low, high, d) in [
            (self.low.0, self.high.0, d.0),
            (self.low.1, self.high.1, d.1),
        ] {
            if d == 0 {
                if low > 0 || high < 0 {
                    return None;
                }
                continue;
            }
            let (near, far) = if d > 0 { (low, high) } else { (-high, -low) };
            let (near, far) = (i128::from(near), i128::from(far));
            let d = i128::from(d.abs());
            if near * enter.1 > enter.0 * d {
                enter = (near, d);
            }
            if leave.1 == 0 || far * leave.1 < leave.0 * d {
                leave = (far, d);
            }
        }
        (leave.1 == 0 || enter.0 * leave.1 <= leave.0 * enter.1).then_some((enter, leave))
    }
}

fn touches_box(footprint: &Footprint, at: Point2, half_x: i64, half_y: i64) -> bool {
    let seen = |from: Point2| {
        let (x, y) = sub(at, from);
        Seen {
            low: (x - half_x, y - half_y),
            high: (x + half_x, y + half_y),
        }
    };
    match *footprint {
        Footprint::Circle {
            center: centre,
            radius,
        } => within(seen(centre).nearest(), radius.raw().into()),
        Footprint::Ring {
            center: centre,
            inner,
            outer,
        } => {
            let (seen, inner) = (seen(centre), i64::from(inner.raw()));
            let far = seen.farthest();
            within(seen.nearest(), outer.raw().into()) && dot(far, far) >= inner * inner
        }
        Footprint::Capsule { from, to, radius } => {
            let radius = i64::from(radius.raw());
            let (near, along) = (seen(from), sub(to, from));
            let meets = near
                .crossed(along)
                .is_some_and(|(enter, _)| enter.0 <= enter.1);
            meets
                || within(near.nearest(), radius)
                || within(seen(to).nearest(), radius)
                || near
                    .corners()
                    .into_iter()
                    .any(|corner| near_segment(corner, along, radius))
        }
        Footprint::Wedge {
            tip,
            radius,
            left,
            right,
        } => {
            let (left, right) = (vector(left), vector(right));
            let (seen, radius) = (seen(tip), i64::from(radius.raw()));
            if is_wide(left, right) {
                let back = (-left.0, -left.1);
                sector_meets(&seen, left, back, radius) || sector_meets(&seen, back, right, radius)
            } else {
                sector_meets(&seen, left, right, radius)
            }
        }
        Footprint::Turned {
            center: centre,
            heading,
            half_along,
            half_across,
        } => {
            let d = vector(heading);
            let (x, y) = sub(at, centre);
            let half = (i64::from(half_along.raw()), i64::from(half_across.raw()));
            let unit = i128::from(dot(d, d));
            let (wide, high) = (d.0.abs(), d.1.abs());
            let along = dot((x, y), d).abs() - half_x * wide - half_y * high;
            let across = cross(d, (x, y)).abs() - half_x * high - half_y * wide;
            let east = x.abs() - half_x;
            let south = y.abs() - half_y;
            let spread_x = half.0 * wide + half.1 * high;
            let spread_y = half.0 * high + half.1 * wide;
            (along <= 0 || square(along) <= square(half.0) * unit)
                && (across <= 0 || square(across) <= square(half.1) * unit)
                && (east <= 0 || square(east) * unit <= square(spread_x))
                && (south <= 0 || square(south) * unit <= square(spread_y))
        }
        Footprint::Polygon(corners) => {
            let seen = seen(corners.points()[0]);
            let mut bounds = Seen {
                low: (0, 0),
                high: (0, 0),
            };
            for &point in corners.points() {
                let (x, y) = sub(point, corners.points()[0]);
                bounds.low = (bounds.low.0.min(x), bounds.low.1.min(y));
                bounds.high = (bounds.high.0.max(x), bounds.high.1.max(y));
            }
            bounds.low.0 <= seen.high.0
                && seen.low.0 <= bounds.high.0
                && bounds.low.1 <= seen.high.1
                && seen.low.1 <= bounds.high.1
                && corners.edges().all(|(a, b)| {
                    let (edge, from) = (sub(b, a), sub(a, corners.points()[0]));
                    let inside =
                        |corner: Vector| cross(edge, (corner.0 - from.0, corner.1 - from.1)) >= 0;
                    seen.corners().into_iter().any(inside)
                })
        }
    }
}

/// True if a box meets a wedge of up to a half turn with its tip at the origin.
fn sector_meets(seen: &Seen, left: Vector, right: Vector, radius: i64) -> bool {
    let nearest = seen.nearest();
    if in_cone(nearest, left, right) {
        return within(nearest, radius);
    }
    // What is nearest inside the cone then lies on one of its edges.
    [left, right].into_iter().any(|edge| {
        seen.crossed(edge).is_some_and(|((over, under), _)| {
            over * over * i128::from(dot(edge, edge)) <= square(radius) * under * under
        })
    })
}

#[cfg(test)]
pub(super) mod tests;
