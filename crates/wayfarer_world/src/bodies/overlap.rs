//! Exact overlap tests between bodies and footprints, both closed, in integer arithmetic.

use wayfarer_base::Point2;

use super::area::{Area as _, PreparedArea, is_ray, is_wide, vector, with_area};
use super::body::{self, Extent};
use super::footprint::{Footprint, Vector, cross, dot, sub};

impl Footprint {
    /// True if `point` belongs to the footprint; false if either lies beyond the limits.
    pub fn contains(&self, point: Point2) -> bool {
        self.is_in_range(point) && contains_point(self, point)
    }

    /// True if the shape around `point` overlaps the footprint; false if either lies beyond the
    /// limits.
    pub fn overlaps(&self, point: Point2, outline: super::BodyShape) -> bool {
        self.is_in_range(point)
            && Extent::from_shape(outline).is_ok_and(|extent| overlaps_extent(self, point, extent))
    }

    /// True if squared distances cannot overflow.
    fn is_in_range(&self, point: Point2) -> bool {
        body::position(point).is_ok() && self.check().is_ok()
    }
}

fn contains_point(footprint: &Footprint, point: Point2) -> bool {
    let (x, y) = sub(point, Point2::default());
    with_area!(PreparedArea::new(footprint), area => area.contains(x, y))
}

pub(super) fn overlaps_extent(footprint: &Footprint, at: Point2, extent: Extent) -> bool {
    if extent.is_point() {
        contains_point(footprint, at)
    } else if extent.half_y < 0 {
        overlaps_disc(footprint, at, extent.half_x.into())
    } else {
        overlaps_box(footprint, at, extent.half_x.into(), extent.half_y.into())
    }
}

fn square(value: i64) -> i128 {
    i128::from(value) * i128::from(value)
}

fn is_within(at: Vector, reach: i64) -> bool {
    // The corner of a box may lie so far away that its squared distance overflows.
    at.0.abs() <= reach && at.1.abs() <= reach && dot(at, at) <= reach * reach
}

fn is_near_segment(at: Vector, along: Vector, reach: i64) -> bool {
    let (ahead, length) = (dot(at, along), dot(along, along));
    if ahead <= 0 {
        is_within(at, reach)
    } else if ahead >= length {
        is_within((at.0 - along.0, at.1 - along.1), reach)
    } else {
        square(cross(along, at)) <= square(reach) * i128::from(length)
    }
}

/// True if the point lies between the directions or at the tip.
pub(super) fn is_in_cone(at: Vector, left: Vector, right: Vector) -> bool {
    let (from_left, to_right) = (cross(left, at), cross(at, right));
    if at == (0, 0) {
        true
    } else if is_wide(left, right) {
        from_left >= 0 || to_right >= 0
    } else {
        from_left >= 0 && to_right >= 0 && (!is_ray(left, right) || dot(at, left) > 0)
    }
}

fn overlaps_disc(footprint: &Footprint, at: Point2, body: i64) -> bool {
    match *footprint {
        Footprint::Circle { center, radius } => {
            is_within(sub(at, center), body + i64::from(radius.raw()))
        }
        Footprint::Ring {
            center,
            inner,
            outer,
        } => {
            let at = sub(at, center);
            let hole = i64::from(inner.raw()) - body;
            is_within(at, body + i64::from(outer.raw()))
                && (hole <= 0 || dot(at, at) >= hole * hole)
        }
        Footprint::Capsule { from, to, radius } => {
            is_near_segment(sub(at, from), sub(to, from), body + i64::from(radius.raw()))
        }
        Footprint::Wedge {
            tip,
            radius,
            left,
            right,
        } => {
            let (at, radius) = (sub(at, tip), i64::from(radius.raw()));
            let (left, right) = (vector(left), vector(right));
            is_within(at, body + radius)
                && (is_in_cone(at, left, right)
                    || is_near_ray(at, left, radius, body)
                    || is_near_ray(at, right, radius, body))
        }
        Footprint::OrientedBox {
            center,
            heading,
            half_along,
            half_across,
        } => near_oriented_box(
            sub(at, center),
            vector(heading),
            (half_along.raw().into(), half_across.raw().into()),
            body,
        ),
        Footprint::Polygon(corners) => {
            contains_point(footprint, at)
                || corners
                    .edges()
                    .any(|(a, b)| is_near_segment(sub(at, a), sub(b, a), body))
        }
    }
}

/// True if `at` lies within `reach` of the segment from the origin of `length` along a direction.
fn is_near_ray(at: Vector, direction: Vector, length: i64, reach: i64) -> bool {
    let (ahead, unit) = (dot(at, direction), i128::from(dot(direction, direction)));
    if ahead <= 0 {
        return is_within(at, reach);
    }
    if square(ahead) <= square(length) * unit {
        return square(cross(direction, at)) <= square(reach) * unit;
    }
    // To the far end: at^2 + length^2 - 2 length ahead / |direction| <= reach^2.
    let remainder = i128::from(dot(at, at)) + square(length) - square(reach);
    let twice = 2 * i128::from(length) * i128::from(ahead);
    remainder <= 0 || remainder * remainder * unit <= twice * twice
}

fn near_oriented_box(at: Vector, d: Vector, half: (i64, i64), reach: i64) -> bool {
    let unit = i128::from(dot(d, d));
    let (along, across) = (dot(at, d).abs(), cross(d, at).abs());
    let fits = |value: i64, bound: i64| square(value) <= square(bound) * unit;
    if !fits(along, half.0 + reach) || !fits(across, half.1 + reach) {
        return false;
    }
    if fits(along, half.0) || fits(across, half.1) {
        return true;
    }
    // To the corner: the squared distance, with the root on one side only.
    let remainder = i128::from(dot(at, at)) + square(half.0) + square(half.1) - square(reach);
    let twice =
        2 * (i128::from(half.0) * i128::from(along) + i128::from(half.1) * i128::from(across));
    remainder <= 0 || remainder * remainder * unit <= twice * twice
}

/// An axis-aligned box relative to a point.
#[derive(Clone, Copy)]
struct LocalBox {
    low: Vector,
    high: Vector,
}

impl LocalBox {
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

    /// Where the ray from the origin enters and leaves, as fractions of the direction.
    fn ray_intersection(&self, d: Vector) -> Option<((i128, i128), (i128, i128))> {
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

fn overlaps_box(footprint: &Footprint, at: Point2, half_x: i64, half_y: i64) -> bool {
    let local = |from: Point2| {
        let (x, y) = sub(at, from);
        LocalBox {
            low: (x - half_x, y - half_y),
            high: (x + half_x, y + half_y),
        }
    };
    match *footprint {
        Footprint::Circle { center, radius } => {
            is_within(local(center).nearest(), radius.raw().into())
        }
        Footprint::Ring {
            center,
            inner,
            outer,
        } => {
            let (local, inner) = (local(center), i64::from(inner.raw()));
            let far = local.farthest();
            is_within(local.nearest(), outer.raw().into()) && dot(far, far) >= inner * inner
        }
        Footprint::Capsule { from, to, radius } => {
            let radius = i64::from(radius.raw());
            let (near, along) = (local(from), sub(to, from));
            let intersects = near
                .ray_intersection(along)
                .is_some_and(|(enter, _)| enter.0 <= enter.1);
            intersects
                || is_within(near.nearest(), radius)
                || is_within(local(to).nearest(), radius)
                || near
                    .corners()
                    .into_iter()
                    .any(|corner| is_near_segment(corner, along, radius))
        }
        Footprint::Wedge {
            tip,
            radius,
            left,
            right,
        } => {
            let (left, right) = (vector(left), vector(right));
            let (local, radius) = (local(tip), i64::from(radius.raw()));
            if is_wide(left, right) {
                let back = (-left.0, -left.1);
                sector_overlaps(&local, left, back, radius)
                    || sector_overlaps(&local, back, right, radius)
            } else {
                sector_overlaps(&local, left, right, radius)
            }
        }
        Footprint::OrientedBox {
            center,
            heading,
            half_along,
            half_across,
        } => {
            let d = vector(heading);
            let (x, y) = sub(at, center);
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
            let local = local(corners.points()[0]);
            let mut bounds = LocalBox {
                low: (0, 0),
                high: (0, 0),
            };
            for &point in corners.points() {
                let (x, y) = sub(point, corners.points()[0]);
                bounds.low = (bounds.low.0.min(x), bounds.low.1.min(y));
                bounds.high = (bounds.high.0.max(x), bounds.high.1.max(y));
            }
            bounds.low.0 <= local.high.0
                && local.low.0 <= bounds.high.0
                && bounds.low.1 <= local.high.1
                && local.low.1 <= bounds.high.1
                && corners.edges().all(|(a, b)| {
                    let (edge, from) = (sub(b, a), sub(a, corners.points()[0]));
                    let inside =
                        |corner: Vector| cross(edge, (corner.0 - from.0, corner.1 - from.1)) >= 0;
                    local.corners().into_iter().any(inside)
                })
        }
    }
}

/// True if a box overlaps a sector of up to a half turn with its tip at the origin.
fn sector_overlaps(local: &LocalBox, left: Vector, right: Vector, radius: i64) -> bool {
    let nearest = local.nearest();
    if is_in_cone(nearest, left, right) {
        return is_within(nearest, radius);
    }
    // Otherwise the nearest point of the cone lies on one of its edges.
    [left, right].into_iter().any(|edge| {
        local
            .ray_intersection(edge)
            .is_some_and(|((over, under), _)| {
                over * over * i128::from(dot(edge, edge)) <= square(radius) * under * under
            })
    })
}

#[cfg(test)]
pub(super) mod tests;
