//! Point, box, disc and nearest queries.

#![expect(
    clippy::cast_possible_truncation,
    reason = "distances below 2^30 after a comparison; float to integer casts saturate"
)]

use wayfarer_base::{Aabb2, Fixed, Point2};

use super::ObstacleSet;
use super::inflated_outline::{DiscAgent, InflatedOutline};
use super::obstacle::{MAX_COORDINATE, ObstacleBody, ObstacleCategories, ObstacleId};

impl ObstacleSet {
    /// An obstacle whose inflated outline contains `at` (open), so that `agent` cannot be there;
    /// the lowest slot. `None` if no obstacle blocks the point.
    pub fn blocking_obstacle(&self, at: Point2, agent: DiscAgent) -> Option<ObstacleId> {
        let margin = agent.margin();
        let [x, y] = clamp_point(at);
        let mut lowest = u32::MAX;
        for level in &self.grid.levels {
            let low = [x - margin - level.largest[0], y - margin - level.largest[1]];
            level.for_each_within(&self.bodies, low, [x + margin, y + margin], |body| {
                if body.categories & agent.blocked_by.bits() != 0
                    && body.slot < lowest
                    && InflatedOutline::new(body, margin).contains(at)
                {
                    lowest = body.slot;
                }
            });
        }
        (lowest != u32::MAX).then(|| self.id_at(lowest))
    }

    /// True if `agent` can be at `at`.
    pub fn is_free(&self, at: Point2, agent: DiscAgent) -> bool {
        self.is_inside(at) && self.blocking_obstacle(at, agent).is_none()
    }

    /// Visits every obstacle of `categories` whose closed AABB overlaps the box from `low` to
    /// `high`.
    #[inline]
    pub(crate) fn for_each_overlapping(
        &self,
        low: [i32; 2],
        high: [i32; 2],
        categories: u64,
        mut visit: impl FnMut(&ObstacleBody),
    ) {
        for level in &self.grid.levels {
            let from = [
                low[0].saturating_sub(level.largest[0]),
                low[1].saturating_sub(level.largest[1]),
            ];
            level.for_each_within(&self.bodies, from, high, |body| {
                let overlaps = (body.categories & categories != 0)
                    & (body.low[0] <= high[0])
                    & (low[0] <= body.high[0])
                    & (body.low[1] <= high[1])
                    & (low[1] <= body.high[1]);
                if overlaps {
                    visit(body);
                }
            });
        }
    }

    /// Writes the obstacles of `categories` that overlap `area` into `hits`, by slot. Allocates
    /// only to grow `hits`.
    pub fn in_box(&self, area: Aabb2, categories: ObstacleCategories, hits: &mut Vec<ObstacleId>) {
        hits.clear();
        let query = ObstacleBody {
            low: clamp_point(area.low),
            high: clamp_point(area.high),
            ..ObstacleBody::VACANT
        };
        if query.low[0] >= query.high[0] || query.low[1] >= query.high[1] {
            return;
        }
        self.for_each_overlapping(query.low, query.high, categories.bits(), |body| {
            if body.overlaps(&query) {
                hits.push(self.id_at(body.slot));
            }
        });
        hits.sort_unstable();
    }

    /// Writes the obstacles of `categories` nearer to `center` than `radius` into `hits`, by slot.
    /// Allocates only to grow `hits`.
    pub fn in_disc(
        &self,
        center: Point2,
        radius: Fixed,
        categories: ObstacleCategories,
        hits: &mut Vec<ObstacleId>,
    ) {
        hits.clear();
        let (at, radius) = ([center.x.raw(), center.y.raw()], radius.raw());
        if radius <= 0 {
            return;
        }
        let (low, high) = disc_aabb(at, radius);
        let radius = i128::from(radius);
        self.for_each_overlapping(low, high, categories.bits(), |body| {
            let distance = distance_from(body, at);
            if distance.is_below(radius) {
                hits.push(self.id_at(body.slot));
            }
        });
        hits.sort_unstable();
    }

    /// The obstacle of `categories` nearest to `at`, and its distance rounded down to 1/256 of a
    /// cell; 0 inside. Ties: lowest slot. `None` if none lies within `reach`.
    pub fn nearest(
        &self,
        at: Point2,
        categories: ObstacleCategories,
        reach: Fixed,
    ) -> Option<(ObstacleId, Fixed)> {
        let at = [at.x.raw(), at.y.raw()];
        let mut radius = 1 << 12;
        loop {
            let search_radius = radius.min(reach.raw().max(0));
            let mut best = (search_radius.saturating_add(1), u32::MAX);
            let (low, high) = disc_aabb(at, search_radius);
            self.for_each_overlapping(low, high, categories.bits(), |body| {
                best = best.min((distance_from(body, at).rounded(), body.slot));
            });
            if best.1 != u32::MAX && best.0 <= search_radius {
                return Some((self.id_at(best.1), Fixed::from_raw(best.0)));
            }
            if search_radius == reach.raw().max(0) {
                return None;
            }
            radius = radius.saturating_mul(4);
        }
    }
}

/// No obstacle lies beyond this.
const EDGE: i32 = MAX_COORDINATE.raw();

fn clamp_point(at: Point2) -> [i32; 2] {
    [at.x.raw().clamp(-EDGE, EDGE), at.y.raw().clamp(-EDGE, EDGE)]
}

/// The AABB of a disc.
fn disc_aabb(at: [i32; 2], radius: i32) -> ([i32; 2], [i32; 2]) {
    (
        at.map(|at| at.saturating_sub(radius).clamp(-EDGE, EDGE)),
        at.map(|at| at.saturating_add(radius).clamp(-EDGE, EDGE)),
    )
}

/// A distance: the root of `square`, minus the radius of a disc.
struct Distance {
    square: u64,
    radius: i64,
}

impl Distance {
    fn is_below(&self, radius: i128) -> bool {
        let reach = radius + i128::from(self.radius);
        i128::from(self.square) < reach * reach
    }

    /// Rounded down, at least 0.
    fn rounded(&self) -> i32 {
        let root = self.square.isqrt().cast_signed();
        let gap = (root - self.radius).max(0);
        // Subtracting an integer preserves rounding down.
        gap.min(i64::from(i32::MAX)) as i32
    }
}

fn distance_from(body: &ObstacleBody, at: [i32; 2]) -> Distance {
    if body.is_disc {
        Distance {
            square: super::obstacle::squared_distance(body.center(), at),
            radius: i64::from(body.disc_radius()),
        }
    } else {
        Distance {
            square: body.squared_distance_to(at),
            radius: 0,
        }
    }
}
