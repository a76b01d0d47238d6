//! When a point on its way is in a polygon, exactly: a graze of a corner is a touch.

use super::super::footprint::{Corners, Vector, dot, sub};
use super::Moments;

/// A moment as a fraction; the second number is positive.
#[derive(Clone, Copy)]
struct Moment(i64, i64);

impl Moment {
    fn is_after(self, other: Self) -> bool {
        i128::from(self.0) * i128::from(other.1) > i128::from(other.0) * i128::from(self.1)
    }

    #[expect(clippy::cast_precision_loss, reason = "rounded at the very end")]
    fn rounded(self) -> f64 {
        (self.0 as f64 / self.1 as f64).clamp(0.0, 1.0)
    }
}

/// While a point that goes from `from` to `to`, both seen from the first corner, is in the polygon.
pub(super) fn point_moments(corners: &Corners, from: Vector, to: Vector) -> Moments {
    let by = (to.0 - from.0, to.1 - from.1);
    let origin = corners.points()[0];
    let (mut enter, mut leave) = (Moment(0, 1), Moment(1, 1));
    for (a, b) in corners.edges() {
        let (a, b) = (sub(a, origin), sub(b, origin));
        // Edges have 24 bits and ways 34, so that all products have 64.
        let outwards = (b.1 - a.1, a.0 - b.0);
        let over = dot(outwards, (from.0 - a.0, from.1 - a.1));
        let rate = dot(outwards, by);
        if rate == 0 {
            if over > 0 {
                return None;
            }
            continue;
        }
        let crossing = Moment(-over * rate.signum(), rate.abs());
        if rate > 0 {
            if leave.is_after(crossing) {
                leave = crossing;
            }
        } else if crossing.is_after(enter) {
            enter = crossing;
        }
    }
    let is_in = !enter.is_after(leave);
    is_in.then(|| (enter.rounded(), leave.rounded()))
}
