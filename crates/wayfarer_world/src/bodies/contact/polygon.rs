//! Exact contact times of a moving point or box with a convex polygon; grazing a vertex is a
//! contact.

use super::super::body::Extent;
use super::super::footprint::{ConvexPolygon, Vector, dot, sub};
use super::ContactInterval;

/// A time as a fraction; the denominator is positive.
#[derive(Clone, Copy)]
struct Fraction(i64, i64);

impl Fraction {
    fn is_after(self, other: Self) -> bool {
        i128::from(self.0) * i128::from(other.1) > i128::from(other.0) * i128::from(self.1)
    }

    #[expect(clippy::cast_precision_loss, reason = "rounded at the very end")]
    fn rounded(self) -> f64 {
        (self.0 as f64 / self.1 as f64).clamp(0.0, 1.0)
    }
}

/// The interval inside all half-planes clipped so far.
struct ClipInterval {
    enter: Fraction,
    leave: Fraction,
}

impl ClipInterval {
    /// Clips by a half-plane, given the signed distance outside at the start and its change over
    /// the tick. False if nothing remains.
    fn clip(&mut self, excess: i64, rate: i64) -> bool {
        let crossing = Fraction(-excess * rate.signum(), rate.abs());
        if rate == 0 {
            return excess <= 0;
        }
        if rate > 0 {
            if self.leave.is_after(crossing) {
                self.leave = crossing;
            }
        } else if crossing.is_after(self.enter) {
            self.enter = crossing;
        }
        true
    }
}

/// The contact interval of a point or box whose center moves from `from` to `to`, relative to the
/// first vertex: while the center is in the Minkowski sum of polygon and box.
pub(super) fn contact_interval(
    corners: &ConvexPolygon,
    from: Vector,
    to: Vector,
    extent: Extent,
) -> ContactInterval {
    let delta = (to.0 - from.0, to.1 - from.1);
    let half = (i64::from(extent.half_x), i64::from(extent.half_y));
    let origin = corners.points()[0];
    let mut interval = ClipInterval {
        enter: Fraction(0, 1),
        leave: Fraction(1, 1),
    };
    let (mut low, mut high) = ((0, 0), (0, 0));
    for (a, b) in corners.edges() {
        let (a, b) = (sub(a, origin), sub(b, origin));
        low = (a.0.min(low.0), a.1.min(low.1));
        high = (a.0.max(high.0), a.1.max(high.1));
        // Edges have 24 bits and motions 34, so all products fit 64 bits.
        let normal = (b.1 - a.1, a.0 - b.0);
        let support = normal.0.abs() * half.0 + normal.1.abs() * half.1;
        let excess = dot(normal, (from.0 - a.0, from.1 - a.1)) - support;
        if !interval.clip(excess, dot(normal, delta)) {
            return None;
        }
    }
    // The box's own sides clip the Minkowski sum between two slanted edges.
    let sides = [
        (from.0 - high.0 - half.0, delta.0),
        (low.0 - half.0 - from.0, -delta.0),
        (from.1 - high.1 - half.1, delta.1),
        (low.1 - half.1 - from.1, -delta.1),
    ];
    if !extent.is_point()
        && !sides
            .iter()
            .all(|&(excess, rate)| interval.clip(excess, rate))
    {
        return None;
    }
    let is_in = !interval.enter.is_after(interval.leave);
    is_in.then(|| (interval.enter.rounded(), interval.leave.rounded()))
}
