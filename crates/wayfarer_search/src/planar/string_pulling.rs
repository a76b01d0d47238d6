//! String pulling with exact rays.
//!
//! First drops every turn with a free shortcut. Then tightens each turn: the string slips to the
//! inside of the turn and comes to rest on the convex chain of outline corners within the triangle
//! of the turn and its two neighbors, which replaces the turn. Repeats until no turn moves, at most
//! 8 times per point. A turn whose chain needs more than 16 corners stays. No allocation apart
//! from growth of the path.

use wayfarer_base::Point2;
use wayfarer_world::obstacles::{DiscAgent, InflatedOutline, ObstacleSet};

use super::orientation;

/// Turns checked per point of a path, at most.
const MAX_CHECKS: usize = 8;
/// Most corners that replace one turn.
const MAX_CHAIN: usize = 16;

/// Drops every turn whose neighbors are connected by a clear segment.
pub(super) fn shortcut(points: &mut Vec<Point2>, is_clear: impl Fn(Point2, Point2) -> bool) {
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

/// String-pulls a path of free legs; never lengthens it.
pub(super) fn pull(obstacles: &ObstacleSet, agent: DiscAgent, points: &mut Vec<Point2>) {
    shortcut(points, |from, to| {
        obstacles.is_segment_clear(from, to, agent)
    });
    let mut checks_left = MAX_CHECKS * points.len();
    let mut index = 1;
    while index + 1 < points.len() && checks_left > 0 {
        checks_left -= 1;
        let turn = Turn::new(points[index - 1], points[index], points[index + 1]);
        match turn.tighten(obstacles, agent) {
            None => index += 1,
            Some(turn) => {
                points.splice(
                    index..=index,
                    turn.corners[..turn.n_corners].iter().copied(),
                );
                index = (index - 1).max(1);
            }
        }
    }
}

/// One turn of the path while it is tightened.
struct Turn {
    before: Point2,
    at: Point2,
    after: Point2,
    /// Convex chain of corners from `before` to `after`.
    corners: [Point2; MAX_CHAIN],
    n_corners: usize,
}

impl Turn {
    fn new(before: Point2, at: Point2, after: Point2) -> Self {
        Self {
            before,
            at,
            after,
            corners: [before; MAX_CHAIN],
            n_corners: 0,
        }
    }

    /// The tightened turn; none if it does not move.
    fn tighten(mut self, obstacles: &ObstacleSet, agent: DiscAgent) -> Option<Self> {
        loop {
            let Some(slot) = self.first_hit(obstacles, agent) else {
                let is_same = self.n_corners == 1 && self.corners[0] == self.at;
                return (!is_same).then_some(self);
            };
            let outline = obstacles.outline_at(slot, agent);
            if !self.wrap_around(&outline) {
                return None;
            }
        }
    }

    /// The slot of an obstacle that blocks the chain.
    fn first_hit(&self, obstacles: &ObstacleSet, agent: DiscAgent) -> Option<u32> {
        let mut from = self.before;
        let corners = self.corners[..self.n_corners].iter();
        for &to in corners.chain([&self.after]) {
            // The two original legs are free.
            let is_original =
                (from == self.before && to == self.at) || (from == self.at && to == self.after);
            if !is_original && let Some(hit) = obstacles.cast_ray(from, to, agent) {
                return Some(hit.obstacle.index());
            }
            from = to;
        }
        None
    }

    /// Adds the corners of an outline within the triangle to the chain; false if the chain does
    /// not change or is full.
    fn wrap_around(&mut self, outline: &InflatedOutline) -> bool {
        let side = orientation(self.before, self.at, self.after).signum();
        let mut is_changed = false;
        for number in 0..outline.n_corners() {
            let corner = outline.corner(number);
            let is_within = orientation(self.before, self.at, corner).signum() * side >= 0
                && orientation(self.at, self.after, corner).signum() * side >= 0
                && orientation(self.after, self.before, corner).signum() * side > 0;
            if is_within {
                match self.add(corner, side) {
                    Some(is_new) => is_changed |= is_new,
                    None => return false,
                }
            }
        }
        is_changed
    }

    /// Inserts a corner beyond the chain and removes those that are no longer convex. True if the
    /// corner lies beyond; none if the chain is full.
    fn add(&mut self, corner: Point2, side: i64) -> Option<bool> {
        // By angle around `before`, from the original turn's side.
        let mut index = 0;
        while index < self.n_corners {
            let other = self.corners[index];
            let angle = orientation(self.before, other, corner).signum() * side;
            let comes_first = angle == 0 && is_nearer(self.before, corner, other);
            if angle < 0 || comes_first {
                break;
            }
            index += 1;
        }
        let point = |index: usize| {
            if index == 0 {
                self.before
            } else if index > self.n_corners {
                self.after
            } else {
                self.corners[index - 1]
            }
        };
        // Kept, counting `before` and `after`: 0..=first and last.. of the chain.
        let (mut first, mut last) = (index, index + 1);
        if orientation(point(first), corner, point(last)).signum() * side <= 0 {
            return Some(false);
        }
        while first > 0 && orientation(point(first - 1), point(first), corner).signum() * side <= 0
        {
            first -= 1;
        }
        while last <= self.n_corners
            && orientation(corner, point(last), point(last + 1)).signum() * side <= 0
        {
            last += 1;
        }
        let n_corners = first + 1 + (self.n_corners + 1 - last);
        if n_corners > MAX_CHAIN {
            return None;
        }
        self.corners
            .copy_within(last - 1..self.n_corners, first + 1);
        self.corners[first] = corner;
        self.n_corners = n_corners;
        Some(true)
    }
}

/// True if `a` is nearer to `from` than `b` is; all three on one line.
fn is_nearer(from: Point2, a: Point2, b: Point2) -> bool {
    let distance = |to: Point2| {
        (i64::from(to.x.raw()) - i64::from(from.x.raw())).abs()
            + (i64::from(to.y.raw()) - i64::from(from.y.raw())).abs()
    };
    distance(a) < distance(b)
}

#[cfg(test)]
mod tests;
