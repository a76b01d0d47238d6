//! A way pulled string-pulled, by exact rays.
//!
//! Where a way turns at a point, a string would slip towards the inside of the turn until it
//! touches something: it would then bend round the corners that lie within the triangle of the
//! turn and its two neighbors. Each turn is replaced by those corners until none moves any more.

use wayfarer_base::Point2;
use wayfarer_world::obstacles::{DiscAgent, InflatedOutline, ObstacleSet};

use super::turn;

/// Turns looked at for each point of a way, at most.
const PATIENCE: usize = 8;
/// Most corners that one turn is replaced by.
const MAX_BENDS: usize = 16;

/// Leaves out every turn that a clear way from the turn before to the turn after makes needless.
pub(super) fn drop_turns(points: &mut Vec<Point2>, is_clear: impl Fn(Point2, Point2) -> bool) {
    let mut kept = 1;
    for next in 1..points.len() {
        let point = points[next];
        while kept >= 2 && is_clear(points[kept - 2], point) {
            kept -= 1;
        }
        points[kept] = point;
        kept += 1;
    }
    points.truncate(kept);
}

/// Pulls a way string-pulled; it passes everything on the same side as before, or cuts across.
pub(super) fn pull(obstacles: &ObstacleSet, agent: DiscAgent, points: &mut Vec<Point2>) {
    drop_turns(points, |from, to| {
        obstacles.is_segment_clear(from, to, agent)
    });
    let mut patience = PATIENCE * points.len();
    let mut place = 1;
    while place + 1 < points.len() && patience > 0 {
        patience -= 1;
        let bend = Bend::new(points[place - 1], points[place], points[place + 1]);
        match bend.settle(obstacles, agent) {
            None => place += 1,
            Some(bend) => {
                points.splice(
                    place..=place,
                    bend.corners[..bend.n_corners].iter().copied(),
                );
                place = (place - 1).max(1);
            }
        }
    }
}

/// A turn on its way inwards.
struct Bend {
    before: Point2,
    at: Point2,
    after: Point2,
    /// What the string touches between `before` and `after`, in order.
    corners: [Point2; MAX_BENDS],
    n_corners: usize,
}

impl Bend {
    fn new(before: Point2, at: Point2, after: Point2) -> Self {
        Self {
            before,
            at,
            after,
            corners: [before; MAX_BENDS],
            n_corners: 0,
        }
    }

    /// Lets the string slip; none if it stays where it is.
    fn settle(mut self, obstacles: &ObstacleSet, agent: DiscAgent) -> Option<Self> {
        loop {
            let Some(slot) = self.first_hit(obstacles, agent) else {
                let is_same = self.n_corners == 1 && self.corners[0] == self.at;
                return (!is_same).then_some(self);
            };
            let outline = obstacles.outline_at(slot, agent);
            if !self.add_all(&outline) {
                return None;
            }
        }
    }

    /// The place of what stands in the way of the string as it lies.
    fn first_hit(&self, obstacles: &ObstacleSet, agent: DiscAgent) -> Option<u32> {
        let mut from = self.before;
        let corners = self.corners[..self.n_corners].iter();
        for &to in corners.chain([&self.after]) {
            // The two legs that are there already are free.
            let is_old =
                (from == self.before && to == self.at) || (from == self.at && to == self.after);
            if !is_old && let Some(hit) = obstacles.cast_ray(from, to, agent) {
                return Some(hit.obstacle.index());
            }
            from = to;
        }
        None
    }

    /// Takes in the corners of an outline that lie within the triangle; false if that changes
    /// nothing, or there is no room.
    fn add_all(&mut self, outline: &InflatedOutline) -> bool {
        let side = turn(self.before, self.at, self.after).signum();
        let mut is_changed = false;
        for number in 0..outline.n_corners() {
            let corner = outline.corner(number);
            let is_within = turn(self.before, self.at, corner).signum() * side >= 0
                && turn(self.at, self.after, corner).signum() * side >= 0
                && turn(self.after, self.before, corner).signum() * side > 0;
            if is_within {
                match self.add(corner, side) {
                    Some(is_new) => is_changed |= is_new,
                    None => return false,
                }
            }
        }
        is_changed
    }

    /// Takes in a corner if it lies beyond the string, and lets go of those that it lifts the
    /// string off. True if it lies beyond; none if there is no room.
    fn add(&mut self, corner: Point2, side: i64) -> Option<bool> {
        // By angle around the beginning, from the old turn's side.
        let mut place = 0;
        while place < self.n_corners {
            let other = self.corners[place];
            let angle = turn(self.before, other, corner).signum() * side;
            let is_nearer = angle == 0 && is_between(self.before, corner, other);
            if angle < 0 || is_nearer {
                break;
            }
            place += 1;
        }
        let point = |place: usize| {
            if place == 0 {
                self.before
            } else if place > self.n_corners {
                self.after
            } else {
                self.corners[place - 1]
            }
        };
        // Those kept, `before` and `after` counted in, are 0..=first and last...
        let (mut first, mut last) = (place, place + 1);
        if turn(point(first), corner, point(last)).signum() * side <= 0 {
            return Some(false);
        }
        while first > 0 && turn(point(first - 1), point(first), corner).signum() * side <= 0 {
            first -= 1;
        }
        while last <= self.n_corners
            && turn(corner, point(last), point(last + 1)).signum() * side <= 0
        {
            last += 1;
        }
        let n_corners = first + 1 + (self.n_corners + 1 - last);
        if n_corners > MAX_BENDS {
            return None;
        }
        self.corners
            .copy_within(last - 1..self.n_corners, first + 1);
        self.corners[first] = corner;
        self.n_corners = n_corners;
        Some(true)
    }
}

/// True if `at`, on the line through both, is nearer to `from` than `to` is.
fn is_between(from: Point2, at: Point2, to: Point2) -> bool {
    let reach = |to: Point2| {
        (i64::from(to.x.raw()) - i64::from(from.x.raw())).abs()
            + (i64::from(to.y.raw()) - i64::from(from.y.raw())).abs()
    };
    reach(at) < reach(to)
}

#[cfg(test)]
mod tests;
