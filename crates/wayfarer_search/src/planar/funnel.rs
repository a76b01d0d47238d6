//! A string drawn through gates: the shortest path that passes all of them in order.

use wayfarer_base::{Aabb2, Fixed, Point2};

use super::turn;

/// A straight gap that a way passes, seen from where it comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FunnelPortal {
    left: Point2,
    right: Point2,
}

impl FunnelPortal {
    /// One that leaves no choice.
    pub(super) const fn point(at: Point2) -> Self {
        Self {
            left: at,
            right: at,
        }
    }

    /// The gates between two boxes that lie beside each other, edge to edge or corner to corner,
    /// apart or touching: where the first is left and where the second is entered, seen from the
    /// first.
    pub(super) fn between(from: Aabb2, to: Aabb2) -> [Self; 2] {
        // Along an axis: what both share, or the end of each that is nearer to the other.
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
        // Towards the east the north lies left.
        let is_eastward_or_north = if x[0][0] == x[0][1] {
            from.low.x < to.low.x
        } else {
            from.low.y > to.low.y
        };
        [0, 1].map(|place: usize| {
            let low = Point2::new(x[place][0], y[place][0]);
            let high = Point2::new(x[place][1], y[place][1]);
            let (left, right) = if is_eastward_or_north {
                (low, high)
            } else {
                (high, low)
            };
            Self { left, right }
        })
    }

    /// What is left of it for one who looks along it: the nearer post, or where one stands.
    fn seen_from(self, eye: Point2) -> Self {
        if turn(eye, self.left, self.right) != 0 {
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

/// Puts into `points` the shortest path from `start` to `end` through all `gates`.
///
/// Two strings from the last turn to the latest gate's posts close in on each other; where one
/// would cross the other the way turns at that one's post.
pub(super) fn pull(start: Point2, end: Point2, gates: &[FunnelPortal], points: &mut Vec<Point2>) {
    points.clear();
    points.push(start);
    let gate_at = |number: usize| {
        gates
            .get(number)
            .copied()
            .unwrap_or(FunnelPortal::point(end))
    };
    let mut apex = start;
    let (mut left, mut right) = (start, start);
    let (mut left_at, mut right_at) = (0, 0);
    let mut number = 0;
    while number <= gates.len() {
        let gate = gate_at(number).seen_from(apex);
        if turn(apex, right, gate.right) <= 0 {
            if apex == right || turn(apex, left, gate.right) > 0 {
                (right, right_at) = (gate.right, number);
            } else {
                (apex, number) = (left, left_at + 1);
                turn_at(points, apex);
                (left, right, left_at, right_at) = (apex, apex, number - 1, number - 1);
                continue;
            }
        }
        if turn(apex, left, gate.left) >= 0 {
            if apex == left || turn(apex, right, gate.left) < 0 {
                (left, left_at) = (gate.left, number);
            } else {
                (apex, number) = (right, right_at + 1);
                turn_at(points, apex);
                (left, right, left_at, right_at) = (apex, apex, number - 1, number - 1);
                continue;
            }
        }
        number += 1;
    }
    turn_at(points, end);
}

fn turn_at(points: &mut Vec<Point2>, at: Point2) {
    if points.last() != Some(&at) {
        points.push(at);
    }
}

#[cfg(test)]
mod tests;
