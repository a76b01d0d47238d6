//! When a point or a box on its way touches a polygon, exactly: a graze of a corner is a touch.

use super::super::body::Extent;
use super::super::footprint::{ConvexPolygon, Vector, dot, sub};
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

/// The moments at which something is inside all halves that it was asked about.
struct Inside {
    enter: Moment,
    leave: Moment,
}

impl Inside {
    /// Asks about one more half: how far outside the way begins, and by how much more it ends
    /// there. False if it never is inside.
    fn cut(&mut self, over: i64, rate: i64) -> bool {
        let crossing = Moment(-over * rate.signum(), rate.abs());
        if rate == 0 {
            return over <= 0;
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

/// While a point or a box whose middle goes from `from` to `to`, both seen from the first corner,
/// touches the polygon: while its middle is in the polygon made wider by the box on all sides.
pub(super) fn moments(
    corners: &ConvexPolygon,
    from: Vector,
    to: Vector,
    extent: Extent,
) -> Moments {
    let by = (to.0 - from.0, to.1 - from.1);
    let half = (i64::from(extent.half_x), i64::from(extent.half_y));
    let origin = corners.points()[0];
    let mut inside = Inside {
        enter: Moment(0, 1),
        leave: Moment(1, 1),
    };
    let (mut low, mut high) = ((0, 0), (0, 0));
    for (a, b) in corners.edges() {
        let (a, b) = (sub(a, origin), sub(b, origin));
        low = (a.0.min(low.0), a.1.min(low.1));
        high = (a.0.max(high.0), a.1.max(high.1));
        // Edges have 24 bits and paths 34, so that all products have 64.
        let outwards = (b.1 - a.1, a.0 - b.0);
        let wider = outwards.0.abs() * half.0 + outwards.1.abs() * half.1;
        let over = dot(outwards, (from.0 - a.0, from.1 - a.1)) - wider;
        if !inside.cut(over, dot(outwards, by)) {
            return None;
        }
    }
    // The sides of a box cut off what juts out between two slanted edges.
    let sides = [
        (from.0 - high.0 - half.0, by.0),
        (low.0 - half.0 - from.0, -by.0),
        (from.1 - high.1 - half.1, by.1),
        (low.1 - half.1 - from.1, -by.1),
    ];
    if !extent.is_point() && !sides.iter().all(|&(over, rate)| inside.cut(over, rate)) {
        return None;
    }
    let is_in = !inside.enter.is_after(inside.leave);
    is_in.then(|| (inside.enter.rounded(), inside.leave.rounded()))
}
