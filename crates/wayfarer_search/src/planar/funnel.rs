//! The funnel algorithm \[Lee1984\]: shortest path through a sequence of portals.
//!
//! Exact orientation tests. Restarts at each new apex, as Detour's string pulling does: linear in
//! practice, quadratic in the number of portals at worst. Allocates only for the path.

use wayfarer_base::{Aabb2, Fixed, Point2};

use super::orientation;

/// A segment that the path crosses, its ends named as seen from the previous portal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FunnelPortal {
    left: Point2,
    right: Point2,
}

impl FunnelPortal {
    /// A degenerate portal: the path passes this point.
    pub(super) const fn point(at: Point2) -> Self {
        Self {
            left: at,
            right: at,
        }
    }

    /// The portals between two adjacent boxes, edge to edge or corner to corner, apart or
    /// touching: the exit of the first and the entry of the second, seen from the first.
    pub(super) fn between(from: Aabb2, to: Aabb2) -> [Self; 2] {
        // Along an axis: the shared interval, or the end of each that faces the other.
        let axis = |from: [Fixed; 2], to: [Fixed; 2]| {
            let (low, high) = (from[0].max(to[0]), from[1].min(to[1]));
            if low <= high {
                [[low, high], [low, high]]
            } else if from[1] < to[0] {
                [[from[1]; 2], [to[0]; 2]]
            } else {
                [[from[0]; 2], [to[1]; 2]]
            }
        };
        let x = axis([from.low.x, from.high.x], [to.low.x, to.high.x]);
        let y = axis([from.low.y, from.high.y], [to.low.y, to.high.y]);
        // Facing east, north is left.
        let is_eastward_or_north = if x[0][0] == x[0][1] {
            from.low.x < to.low.x
        } else {
            from.low.y > to.low.y
        };
        [0, 1].map(|portal: usize| {
            let low = Point2::new(x[portal][0], y[portal][0]);
            let high = Point2::new(x[portal][1], y[portal][1]);
            let (left, right) = if is_eastward_or_north {
                (low, high)
            } else {
                (high, low)
            };
            Self { left, right }
        })
    }

    /// The portal itself; if `eye` lies on its line, the point of it nearest to `eye`.
    fn seen_from(self, eye: Point2) -> Self {
        if orientation(eye, self.left, self.right) != 0 {
            return self;
        }
        let away = |at: Point2| {
            [
                i64::from(at.x.raw()) - i64::from(eye.x.raw()),
                i64::from(at.y.raw()) - i64::from(eye.y.raw()),
            ]
        };
        let (left, right) = (away(self.left), away(self.right));
        let length = |delta: [i64; 2]| delta[0].abs() + delta[1].abs();
        Self::point(if left[0] * right[0] + left[1] * right[1] <= 0 {
            eye
        } else if length(left) <= length(right) {
            self.left
        } else {
            self.right
        })
    }
}

/// Writes the shortest path from `start` to `end` through all `portals` to `points`.
///
/// The funnel spans from the apex to the ends of the latest portals. Each portal narrows it; where
/// one side would cross the other, the end of the other becomes a turn and the new apex.
pub(super) fn pull(start: Point2, end: Point2, portals: &[FunnelPortal], points: &mut Vec<Point2>) {
    points.clear();
    points.push(start);
    let portal_at = |number: usize| {
        portals
            .get(number)
            .copied()
            .unwrap_or(FunnelPortal::point(end))
    };
    let mut apex = start;
    let (mut left, mut right) = (start, start);
    let (mut left_at, mut right_at) = (0, 0);
    let mut number = 0;
    while number <= portals.len() {
        let portal = portal_at(number).seen_from(apex);
        if orientation(apex, right, portal.right) <= 0 {
            if apex == right || orientation(apex, left, portal.right) > 0 {
                (right, right_at) = (portal.right, number);
            } else {
                (apex, number) = (left, left_at + 1);
                push_distinct(points, apex);
                (left, right, left_at, right_at) = (apex, apex, number - 1, number - 1);
                continue;
            }
        }
        if orientation(apex, left, portal.left) >= 0 {
            if apex == left || orientation(apex, right, portal.left) < 0 {
                (left, left_at) = (portal.left, number);
            } else {
                (apex, number) = (right, right_at + 1);
                push_distinct(points, apex);
                (left, right, left_at, right_at) = (apex, apex, number - 1, number - 1);
                continue;
            }
        }
        number += 1;
    }
    push_distinct(points, end);
}

fn push_distinct(points: &mut Vec<Point2>, at: Point2) {
    if points.last() != Some(&at) {
        points.push(at);
    }
}

#[cfg(test)]
mod tests;
