//! What stops an agent on a straight path, and where.

#![expect(
    clippy::cast_possible_truncation,
    reason = "coordinates between two coordinates of the field fit 32 bits; casts saturate"
)]

use wayfarer_base::{Fixed, Point2};

use super::ObstacleSet;
use super::grid::Level;
use super::inflated_outline::{DiscAgent, InflatedOutline, Segment};
use super::obstacle::{ObstacleBody, ObstacleId};

/// What stops an agent on a straight path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ObstacleHit {
    /// What it is.
    pub obstacle: ObstacleId,
    /// The share of the way that is free, 0 to 1.
    pub fraction: f64,
}

impl ObstacleHit {
    /// Where on the way from `from` to `to` that is, to the nearest 1/256 of a cell.
    pub fn at(&self, from: Point2, to: Point2) -> Point2 {
        let between = |from: Fixed, to: Fixed| {
            let (from, to) = (f64::from(from.raw()), f64::from(to.raw()));
            Fixed::from_raw((from + (to - from) * self.fraction).round() as i32)
        };
        Point2::new(between(from.x, to.x), between(from.y, to.y))
    }
}

/// The first body met so far: the share of the way before it, then the lowest place.
struct First {
    share: f64,
    slot: u32,
}

impl ObstacleSet {
    /// The first obstacle that stops `agent` on the straight path from `from` to `to`; of several at
    /// once the one whose place is lowest. A way that begins inside an outline is stopped there.
    ///
    /// Looks at the grid's cells along the way; allocates nothing. Ends beyond
    /// [`MAX_COORDINATE`](super::FARTHEST) are taken to lie there.
    pub fn cast_ray(&self, from: Point2, to: Point2, agent: DiscAgent) -> Option<ObstacleHit> {
        let segment = Segment::new(from, to);
        let mut first = First {
            share: f64::INFINITY,
            slot: u32::MAX,
        };
        let (margin, mask) = (agent.margin(), agent.blocked_by.bits());
        for level in &self.grid.levels {
            level.walk(
                &self.bodies,
                &segment,
                margin,
                &mut |body, first: &mut First| {
                    if body.types & mask == 0 {
                        return;
                    }
                    let outline = InflatedOutline::of(body, margin);
                    if segment.enters(&outline) {
                        let share = segment.entry(&outline);
                        if (share, body.slot) < (first.share, first.slot) {
                            *first = First {
                                share,
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
            fraction: first.share.min(1.0),
        })
    }

    /// True if nothing stops `agent` on the straight path from `from` to `to`.
    pub fn is_segment_clear(&self, from: Point2, to: Point2, agent: DiscAgent) -> bool {
        let segment = Segment::new(from, to);
        let (margin, mask) = (agent.margin(), agent.blocked_by.bits());
        let mut first = First {
            share: f64::INFINITY,
            slot: u32::MAX,
        };
        for level in &self.grid.levels {
            level.walk(
                &self.bodies,
                &segment,
                margin,
                &mut |body, first: &mut First| {
                    if body.types & mask != 0 && segment.enters(&InflatedOutline::of(body, margin))
                    {
                        // Whatever it is, nothing farther on need be looked at.
                        *first = First {
                            share: f64::NEG_INFINITY,
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
    /// Calls `visit` with every body that may touch the way, widened by `margin`, roughly in
    /// order; stops where nothing can be met before `first`.
    #[inline]
    fn walk(
        &self,
        bodies: &[ObstacleBody],
        segment: &Segment,
        margin: i32,
        visit: &mut impl FnMut(&ObstacleBody, &mut First),
        first: &mut First,
    ) {
        if self.copies().is_some() {
            self.walk_with::<true>(bodies, segment, margin, visit, first);
        } else {
            self.walk_with::<false>(bodies, segment, margin, visit, first);
        }
    }

    #[inline]
    fn walk_with<const COPIES: bool>(
        &self,
        bodies: &[ObstacleBody],
        segment: &Segment,
        margin: i32,
        visit: &mut impl FnMut(&ObstacleBody, &mut First),
        first: &mut First,
    ) {
        let (from, to) = (segment.from, segment.to);
        let spread = [0, 1].map(|axis| from[axis].abs_diff(to[axis]));
        // Step over columns or rows, whichever the way crosses more of.
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
        let forward = to[major] >= from[major];
        let mut index = if forward { begin } else { end };
        loop {
            let [low, high] = self.span(major, index);
            // What lies in this column or row touches the way between these two.
            let (least, most) = ((low - margin).max(near), (high + reach[0]).min(far));
            if along != 0.0 && first.slot != u32::MAX {
                let entered = if forward { least } else { most };
                let share = (f64::from(entered) - f64::from(from[major])) / along;
                if share > first.share {
                    return;
                }
            }
            if least <= most {
                let minor_at = |at: i32| {
                    f64::from(from[minor]) + (f64::from(at) - f64::from(from[major])) * slope
                };
                let (a, b) = (minor_at(least), minor_at(most));
                let low = a.min(b) as i32 - 1 - reach[1];
                let high = a.max(b) as i32 + 1 + margin;
                let across = [self.index(minor, low), self.index(minor, high)];
                let (rows, columns) = if major == 1 {
                    ([index; 2], across)
                } else {
                    (across, [index; 2])
                };
                self.each_in::<COPIES>(bodies, rows, columns, |body| visit(body, first));
            }
            if index == if forward { end } else { begin } {
                return;
            }
            index += if forward { 1 } else { -1 };
        }
    }
}
