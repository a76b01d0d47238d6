//! Ray casts and segment tests against inflated outlines; exact, no allocation.

#![expect(
    clippy::cast_possible_truncation,
    reason = "coordinates between two coordinates within the limits fit 32 bits; casts saturate"
)]

use wayfarer_base::{Fixed, Point2};

use super::ObstacleSet;
use super::grid::Level;
use super::inflated_outline::{DiscAgent, InflatedOutline, Segment};
use super::obstacle::{ObstacleBody, ObstacleId};

/// The obstacle that stops an agent on a segment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ObstacleHit {
    /// The obstacle.
    pub obstacle: ObstacleId,
    /// The free fraction of the segment, 0 to 1.
    pub fraction: f64,
}

impl ObstacleHit {
    /// The hit point on the segment, to the nearest 1/256 of a cell.
    pub fn at(&self, from: Point2, to: Point2) -> Point2 {
        let between = |from: Fixed, to: Fixed| {
            let (from, to) = (f64::from(from.raw()), f64::from(to.raw()));
            Fixed::from_raw((from + (to - from) * self.fraction).round() as i32)
        };
        Point2::new(between(from.x, to.x), between(from.y, to.y))
    }
}

/// The first hit so far, by fraction, then slot.
struct FirstHit {
    fraction: f64,
    slot: u32,
}

impl ObstacleSet {
    /// The first obstacle that stops `agent` on the segment from `from` to `to`; ties by lowest
    /// slot. A segment that starts inside an outline is stopped at fraction 0.
    ///
    /// Visits the grid cells along the segment. Ends are clamped to
    /// [`MAX_COORDINATE`](super::MAX_COORDINATE).
    pub fn cast_ray(&self, from: Point2, to: Point2, agent: DiscAgent) -> Option<ObstacleHit> {
        let segment = Segment::new(from, to);
        let mut first = FirstHit {
            fraction: f64::INFINITY,
            slot: u32::MAX,
        };
        let (margin, mask) = (agent.margin(), agent.blocked_by.bits());
        for level in &self.grid.levels {
            level.scan_segment(
                &self.bodies,
                &segment,
                margin,
                &mut |body, first: &mut FirstHit| {
                    if body.categories & mask == 0 {
                        return;
                    }
                    let outline = InflatedOutline::new(body, margin);
                    if segment.enters(&outline) {
                        let fraction = segment.entry(&outline);
                        if (fraction, body.slot) < (first.fraction, first.slot) {
                            *first = FirstHit {
                                fraction,
                                slot: body.slot,
                            };
                        }
                    }
                },
                &mut first,
            );
        }
        (first.slot != u32::MAX).then(|| ObstacleHit {
            obstacle: self.id_at(first.slot),
            fraction: first.fraction.min(1.0),
        })
    }

    /// True if no obstacle stops `agent` on the segment from `from` to `to`.
    pub fn is_segment_clear(&self, from: Point2, to: Point2, agent: DiscAgent) -> bool {
        let segment = Segment::new(from, to);
        let (margin, mask) = (agent.margin(), agent.blocked_by.bits());
        let mut first = FirstHit {
            fraction: f64::INFINITY,
            slot: u32::MAX,
        };
        for level in &self.grid.levels {
            level.scan_segment(
                &self.bodies,
                &segment,
                margin,
                &mut |body, first: &mut FirstHit| {
                    if body.categories & mask != 0
                        && segment.enters(&InflatedOutline::new(body, margin))
                    {
                        // Any hit decides: the scan can stop.
                        *first = FirstHit {
                            fraction: f64::NEG_INFINITY,
                            slot: body.slot,
                        };
                    }
                },
                &mut first,
            );
            if first.slot != u32::MAX {
                return false;
            }
        }
        true
    }
}

impl Level {
    /// Visits every body that may touch the segment inflated by `margin`, roughly in order; stops
    /// where no body can precede `first`.
    #[inline]
    fn scan_segment(
        &self,
        bodies: &[ObstacleBody],
        segment: &Segment,
        margin: i32,
        visit: &mut impl FnMut(&ObstacleBody, &mut FirstHit),
        first: &mut FirstHit,
    ) {
        if self.copies().is_some() {
            self.scan_segment_with::<true>(bodies, segment, margin, visit, first);
        } else {
            self.scan_segment_with::<false>(bodies, segment, margin, visit, first);
        }
    }

    #[inline]
    fn scan_segment_with<const COPIES: bool>(
        &self,
        bodies: &[ObstacleBody],
        segment: &Segment,
        margin: i32,
        visit: &mut impl FnMut(&ObstacleBody, &mut FirstHit),
        first: &mut FirstHit,
    ) {
        let (from, to) = (segment.from, segment.to);
        let spread = [0, 1].map(|axis| from[axis].abs_diff(to[axis]));
        // Step over columns or rows, whichever the segment crosses more of.
        let major = usize::from(spread[1] > spread[0]);
        let minor = 1 - major;
        let along = f64::from(to[major]) - f64::from(from[major]);
        let slope = if along == 0.0 {
            0.0
        } else {
            (f64::from(to[minor]) - f64::from(from[minor])) / along
        };
        let (near, far) = (from[major].min(to[major]), from[major].max(to[major]));
        let reach = [self.largest[major] + margin, self.largest[minor] + margin];
        let begin = self.index(major, near - reach[0]);
        let end = self.index(major, far + margin);
        let is_forward = to[major] >= from[major];
        let mut index = if is_forward { begin } else { end };
        loop {
            let [low, high] = self.span(major, index);
            // Bodies of this column or row touch the segment between these two.
            let (near_edge, far_edge) = ((low - margin).max(near), (high + reach[0]).min(far));
            if along != 0.0 && first.slot != u32::MAX {
                let entry = if is_forward { near_edge } else { far_edge };
                let fraction = (f64::from(entry) - f64::from(from[major])) / along;
                if fraction > first.fraction {
                    return;
                }
            }
            if near_edge <= far_edge {
                let minor_at = |at: i32| {
                    f64::from(from[minor]) + (f64::from(at) - f64::from(from[major])) * slope
                };
                let (a, b) = (minor_at(near_edge), minor_at(far_edge));
                let low = a.min(b) as i32 - 1 - reach[1];
                let high = a.max(b) as i32 + 1 + margin;
                let across = [self.index(minor, low), self.index(minor, high)];
                let (rows, columns) = if major == 1 {
                    ([index; 2], across)
                } else {
                    (across, [index; 2])
                };
                self.for_each_in::<COPIES>(bodies, rows, columns, |body| visit(body, first));
            }
            if index == if is_forward { end } else { begin } {
                return;
            }
            index += if is_forward { 1 } else { -1 };
        }
    }
}
