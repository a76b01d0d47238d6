//! Capsules: the area swept by a disc.

use super::{Convex, Disc, EMPTY, HalfPlane, Span, Vector, dot, intersect, isqrt};

/// All points within `radius` of a segment.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct Capsule {
    pub(in crate::bodies) from: Disc,
    pub(in crate::bodies) to: Disc,
    pub(in crate::bodies) along: Vector,
    /// The points beside the segment: across at most `radius`, along between its ends.
    strip: [HalfPlane; 4],
}

impl Capsule {
    pub(in crate::bodies) fn new(from: Vector, to: Vector, radius: i64) -> Self {
        let along = (to.0 - from.0, to.1 - from.1);
        let length = dot(along, along);
        // |cross| <= radius * length of the segment, rounded down: cross is an integer.
        let across = isqrt(i128::from(radius) * i128::from(radius) * i128::from(length));
        Self {
            from: Disc::new(from, radius),
            to: Disc::new(to, radius),
            along,
            strip: [
                HalfPlane {
                    x: -along.1,
                    y: along.0,
                    bound: across,
                },
                HalfPlane {
                    x: along.1,
                    y: -along.0,
                    bound: across,
                },
                HalfPlane {
                    x: along.0,
                    y: along.1,
                    bound: length,
                },
                HalfPlane {
                    x: -along.0,
                    y: -along.1,
                    bound: 0,
                },
            ],
        }
    }

    /// Its span in one row.
    fn chord_of(&self, y: i64) -> Span {
        if self.along == (0, 0) {
            return self.from.chord(y, y); // A segment of length 0 has no strip.
        }
        let local = y - self.from.y;
        let strip_span = self
            .strip
            .iter()
            .fold((EMPTY.1, EMPTY.0), |span, half_plane| {
                intersect(span, half_plane.span::<false>(local, local))
            });
        let spans = [
            self.from.chord(y, y),
            self.to.chord(y, y),
            (strip_span.0 + self.from.x, strip_span.1 + self.from.x),
        ];
        spans.into_iter().fold(EMPTY, |all, span| {
            if span.0 <= span.1 {
                (all.0.min(span.0), all.1.max(span.1))
            } else {
                all
            }
        })
    }
}

impl Convex for Capsule {
    fn rows(&self) -> Span {
        let (from, to) = (self.from.rows(), self.to.rows());
        (from.0.min(to.0), from.1.max(to.1))
    }

    fn contains(&self, x: i64, y: i64) -> bool {
        let (local_x, local_y) = (x - self.from.x, y - self.from.y);
        self.from.contains(x, y)
            || self.to.contains(x, y)
            || (self.along != (0, 0)
                && self
                    .strip
                    .iter()
                    .all(|half_plane| half_plane.contains(local_x, local_y)))
    }

    /// The part of the segment within the radius of the rows, inflated by the radius.
    fn band(&self, low: i64, high: i64) -> Span {
        let radius = self.from.radius;
        let low = (low - radius).max(self.from.y.min(self.to.y));
        let high = (high + radius).min(self.from.y.max(self.to.y));
        if low > high {
            return EMPTY;
        }
        let (west, east) = if self.along.1 == 0 {
            (self.from.x.min(self.to.x), self.from.x.max(self.to.x))
        } else {
            let at = |y: i64| {
                let rise = self.along.1;
                let over = self.along.0 * (y - self.from.y) * rise.signum();
                let down = over.div_euclid(rise.abs());
                (self.from.x + down, self.from.x + down + 1)
            };
            let (a, b) = (at(low), at(high));
            (a.0.min(b.0), a.1.max(b.1))
        };
        (west - radius, east + radius)
    }

    fn chord(&self, low: i64, high: i64) -> Span {
        intersect(self.chord_of(low), self.chord_of(high))
    }
}
