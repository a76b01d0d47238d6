//! Who is in a box, in a disc, at a point, or nearest to one.

#![expect(
    clippy::cast_possible_truncation,
    reason = "distances below 2^30 after a comparison; float to integer casts saturate"
)]

use wayfarer_base::{Aabb2, Fixed, Point2};

use super::ObstacleSet;
use super::inflated_outline::{DiscAgent, InflatedOutline};
use super::obstacle::{MAX_COORDINATE, ObstacleBody, ObstacleCategories, ObstacleId};

impl ObstacleSet {
    /// An obstacle whose outline holds `at`, edges left out, so that `agent` cannot be there; the
    /// one at the lowest place. `None` if `agent` can be there, or the bounds keep it out.
    pub fn blocking_obstacle(&self, at: Point2, agent: DiscAgent) -> Option<ObstacleId> {
        let margin = agent.margin();
        let [x, y] = within(at);
        let mut lowest = u32::MAX;
        for level in &self.grid.levels {
            let low = [x - margin - level.largest[0], y - margin - level.largest[1]];
            level.each_within(&self.bodies, low, [x + margin, y + margin], |body| {
                if body.types & agent.blocked_by.bits() != 0
                    && body.slot < lowest
                    && InflatedOutline::of(body, margin).contains(at)
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

    /// Calls `visit` with every body of `types` whose box may touch the box from `low` to `high`.
    #[inline]
    pub(crate) fn each_near(
        &self,
        low: [i32; 2],
        high: [i32; 2],
        types: u64,
        mut visit: impl FnMut(&ObstacleBody),
    ) {
        for level in &self.grid.levels {
            let from = [
                low[0].saturating_sub(level.largest[0]),
                low[1].saturating_sub(level.largest[1]),
            ];
            level.each_within(&self.bodies, from, high, |body| {
                let touches = (body.types & types != 0)
                    & (body.low[0] <= high[0])
                    & (low[0] <= body.high[0])
                    & (body.low[1] <= high[1])
                    & (low[1] <= body.high[1]);
                if touches {
                    visit(body);
                }
            });
        }
    }

    /// Puts into `found` who of `types` shares more than an edge with `area`, in the order of
    /// their places. Allocates only if `found` must grow.
    pub fn in_box(&self, area: Aabb2, types: ObstacleCategories, found: &mut Vec<ObstacleId>) {
        found.clear();
        let asked = ObstacleBody {
            low: within(area.low),
            high: within(area.high),
            ..ObstacleBody::NOTHING
        };
        if asked.low[0] >= asked.high[0] || asked.low[1] >= asked.high[1] {
            return;
        }
        self.each_near(asked.low, asked.high, types.bits(), |body| {
            if body.overlaps(&asked) {
                found.push(self.id_at(body.slot));
            }
        });
        found.sort_unstable();
    }

    /// Puts into `found` who of `types` comes nearer to `center` than `radius`, in the order of
    /// their places. Allocates only if `found` must grow.
    pub fn in_disc(
        &self,
        center: Point2,
        radius: Fixed,
        types: ObstacleCategories,
        found: &mut Vec<ObstacleId>,
    ) {
        found.clear();
        let (at, radius) = ([center.x.raw(), center.y.raw()], radius.raw());
        if radius <= 0 {
            return;
        }
        let (low, high) = around(at, radius);
        let radius = i128::from(radius);
        self.each_near(low, high, types.bits(), |body| {
            let gap = distance_from(body, at);
            if gap.is_below(radius) {
                found.push(self.id_at(body.slot));
            }
        });
        found.sort_unstable();
    }

    /// The nearest obstacle of `types` to `at` and how far it is, rounded down to 1/256 of a cell;
    /// 0 inside. Of several at that distance the one at the lowest place. Looks no farther than
    /// `reach`.
    pub fn nearest(
        &self,
        at: Point2,
        types: ObstacleCategories,
        reach: Fixed,
    ) -> Option<(ObstacleId, Fixed)> {
        let at = [at.x.raw(), at.y.raw()];
        let mut side = 1 << 12;
        loop {
            let side_now = side.min(reach.raw().max(0));
            let mut best = (side_now.saturating_add(1), u32::MAX);
            let (low, high) = around(at, side_now);
            self.each_near(low, high, types.bits(), |body| {
                best = best.min((distance_from(body, at).rounded(), body.slot));
            });
            if best.1 != u32::MAX && best.0 <= side_now {
                return Some((self.id_at(best.1), Fixed::from_raw(best.0)));
            }
            if side_now == reach.raw().max(0) {
                return None;
            }
            side = side.saturating_mul(4);
        }
    }
}

/// Beyond this nothing lies.
const EDGE: i32 = MAX_COORDINATE.raw();

fn within(at: Point2) -> [i32; 2] {
    [at.x.raw().clamp(-EDGE, EDGE), at.y.raw().clamp(-EDGE, EDGE)]
}

/// The corners of the box around a disc.
fn around(at: [i32; 2], radius: i32) -> ([i32; 2], [i32; 2]) {
    (
        at.map(|at| at.saturating_sub(radius).clamp(-EDGE, EDGE)),
        at.map(|at| at.saturating_add(radius).clamp(-EDGE, EDGE)),
    )
}

/// How far a body is: the root of a square, less the radius of a disc.
struct Distance {
    square: u64,
    less: i64,
}

impl Distance {
    fn is_below(&self, radius: i128) -> bool {
        let reach = radius + i128::from(self.less);
        i128::from(self.square) < reach * reach
    }

    /// Rounded down, at least 0.
    fn rounded(&self) -> i32 {
        let root = wayfarer_base::math::isqrt(self.square).cast_signed();
        let gap = (root - self.less).max(0);
        // A root that is no whole number lies above; less a whole number it still does.
        gap.min(i64::from(i32::MAX)) as i32
    }
}

fn distance_from(body: &ObstacleBody, at: [i32; 2]) -> Distance {
    if body.is_disc {
        Distance {
            square: super::obstacle::square_between(body.center(), at),
            less: i64::from(body.disc_radius()),
        }
    } else {
        Distance {
            square: body.square_of_distance(at),
            less: 0,
        }
    }
}
