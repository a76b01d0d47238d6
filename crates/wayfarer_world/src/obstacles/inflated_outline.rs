//! Configuration-space outlines: an obstacle inflated by the agent's radius.
//!
//! A box grows by the radius on each side and stays a box; a disc becomes an enclosing octagon.
//! Both grow by 1/256 of a cell more: the blocked region is the open interior, so a path along the
//! outline stays clear of the obstacle, and walls that touch leave no crack. All tests are exact in
//! integers.

use wayfarer_base::{Fixed, Point2};

use super::obstacle::{MAX_COORDINATE, ObstacleBody, ObstacleCategories};

/// A disc-shaped agent and the categories that block it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DiscAgent {
    /// Its radius, clamped to 0 to 262,144 cells.
    pub radius: Fixed,
    /// The categories it cannot pass.
    pub blocked_by: ObstacleCategories,
}

impl DiscAgent {
    /// Maximum radius: 262,144 cells.
    pub const MAX_RADIUS: Fixed = Fixed::from_raw(1 << 26);

    /// A point blocked by all categories.
    pub const POINT: Self = Self {
        radius: Fixed::from_raw(0),
        blocked_by: ObstacleCategories::ALL,
    };

    /// By how much outlines are inflated.
    #[inline]
    pub(crate) const fn margin(self) -> i32 {
        let (radius, max_radius) = (self.radius.raw(), Self::MAX_RADIUS.raw());
        if radius < 0 {
            1
        } else if radius > max_radius {
            max_radius + 1
        } else {
            radius + 1
        }
    }
}

/// The outline of an obstacle for one agent: a box, or an octagon around a disc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InflatedOutline {
    low: [i32; 2],
    high: [i32; 2],
    /// How far the corners are cut, along either axis; 0 for a box.
    cut: i32,
}

impl InflatedOutline {
    #[inline]
    pub(crate) fn new(body: &ObstacleBody, margin: i32) -> Self {
        Self {
            low: [body.low[0] - margin, body.low[1] - margin],
            high: [body.high[0] + margin, body.high[1] + margin],
            cut: if body.is_disc {
                corner_cut(body.disc_radius() + margin)
            } else {
                0
            },
        }
    }

    /// Its AABB as an outline.
    pub(crate) const fn to_aabb(self) -> Self {
        Self { cut: 0, ..self }
    }

    /// The fraction of the segment, 0 to 1, at which it enters the interior; `None` if it does not.
    pub fn entry(&self, from: Point2, to: Point2) -> Option<f64> {
        let segment = Segment::new(from, to);
        segment
            .enters(self)
            .then(|| segment.entry(self).clamp(0.0, 1.0))
    }

    /// The number of corners: 4 or 8.
    #[inline]
    pub const fn n_corners(&self) -> u32 {
        if self.cut == 0 { 4 } else { 8 }
    }

    /// Corner `number`, clockwise (y down) from the north-west.
    #[inline]
    pub const fn corner(&self, number: u32) -> Point2 {
        let [x, y] = self.corner_raw(number);
        Point2::from_raw(x, y)
    }

    #[inline]
    const fn corner_raw(&self, number: u32) -> [i32; 2] {
        let ([left, top], [right, bottom], cut) = (self.low, self.high, self.cut);
        if cut == 0 {
            return match number & 3 {
                0 => [left, top],
                1 => [right, top],
                2 => [right, bottom],
                _ => [left, bottom],
            };
        }
        match number & 7 {
            0 => [left + cut, top],
            1 => [right - cut, top],
            2 => [right, top + cut],
            3 => [right, bottom - cut],
            4 => [right - cut, bottom],
            5 => [left + cut, bottom],
            6 => [left, bottom - cut],
            _ => [left, top + cut],
        }
    }

    /// The next corner clockwise.
    #[inline]
    pub const fn after(&self, number: u32) -> u32 {
        (number + 1) % self.n_corners()
    }

    /// The next corner counter-clockwise.
    #[inline]
    pub const fn before(&self, number: u32) -> u32 {
        (number + self.n_corners() - 1) % self.n_corners()
    }

    /// The north-west corner of its AABB.
    pub const fn low(&self) -> Point2 {
        Point2::from_raw(self.low[0], self.low[1])
    }

    /// The south-east corner of its AABB.
    pub const fn high(&self) -> Point2 {
        Point2::from_raw(self.high[0], self.high[1])
    }

    /// True if `at` lies in the open interior.
    #[inline]
    pub fn contains(&self, at: Point2) -> bool {
        let [x, y] = [at.x.raw(), at.y.raw()];
        let in_aabb = self.low[0] < x && x < self.high[0] && self.low[1] < y && y < self.high[1];
        in_aabb && (self.cut == 0 || self.within_cuts(x, y))
    }

    fn within_cuts(&self, x: i32, y: i32) -> bool {
        let (left, right) = (x - self.low[0], self.high[0] - x);
        let (above, below) = (y - self.low[1], self.high[1] - y);
        left.min(right) + above.min(below) > self.cut
    }

    /// The ranges of x + y and x - y of an octagon.
    const fn slants(&self) -> [[i32; 2]; 2] {
        let ([left, top], [right, bottom], cut) = (self.low, self.high, self.cut);
        [
            [left + top + cut, right + bottom - cut],
            [left - bottom + cut, right - top - cut],
        ]
    }

    /// True if the outline and the box from `low` to `high` share more than a border.
    #[inline]
    pub(crate) fn overlaps_box(&self, low: [i32; 2], high: [i32; 2]) -> bool {
        let overlaps = (self.low[0] < high[0])
            & (low[0] < self.high[0])
            & (self.low[1] < high[1])
            & (low[1] < self.high[1]);
        overlaps
            && (self.cut == 0 || {
                let [sum, difference] = self.slants();
                low[0] + low[1] < sum[1]
                    && sum[0] < high[0] + high[1]
                    && low[0] - high[1] < difference[1]
                    && difference[0] < high[0] - low[1]
            })
    }

    /// True if the outline covers the box from `low` to `high`.
    #[inline]
    pub(crate) fn covers(&self, low: [i32; 2], high: [i32; 2]) -> bool {
        let encloses = (self.low[0] <= low[0])
            & (high[0] <= self.high[0])
            & (self.low[1] <= low[1])
            & (high[1] <= self.high[1]);
        encloses
            && (self.cut == 0 || {
                let [sum, difference] = self.slants();
                sum[0] <= low[0] + low[1]
                    && high[0] + high[1] <= sum[1]
                    && difference[0] <= low[0] - high[1]
                    && high[0] - low[1] <= difference[1]
            })
    }

    /// True if the segment enters the interior.
    ///
    /// ```
    /// use wayfarer_base::{Fixed, Point2};
    /// use wayfarer_world::obstacles::{Obstacle, DiscAgent, ObstacleSet, ObstacleCategories};
    /// let point = |x, y| Point2::from_raw(x, y);
    /// let mut obstacles = ObstacleSet::square(100)?;
    /// let rock = obstacles.edit().insert(&Obstacle::cells(10, 10, 10, 10, ObstacleCategories::ALL)?)?;
    /// let outline = obstacles.outline(rock, DiscAgent::POINT).unwrap();
    /// assert!(outline.is_crossed(point(0, 0), point(25600, 25600)));
    /// // Along the outline's own edge, 1/256 of a cell beside the rock.
    /// assert!(!outline.is_crossed(outline.corner(0), outline.corner(1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn is_crossed(&self, from: Point2, to: Point2) -> bool {
        Segment::new(from, to).enters(self)
    }

    /// The tangent corners as seen from `eye`: the left one, then the right one. From inside, any
    /// two.
    #[inline]
    pub fn tangents(&self, eye: Point2) -> (u32, u32) {
        if self.cut == 0 {
            return self.box_tangents([eye.x.raw(), eye.y.raw()]);
        }
        let [x, y] = [i64::from(eye.x.raw()), i64::from(eye.y.raw())];
        let vector_to = |number: u32| {
            let [cx, cy] = self.corner_raw(number);
            [i64::from(cx) - x, i64::from(cy) - y]
        };
        let cross = |a: [i64; 2], b: [i64; 2]| a[0] * b[1] - a[1] * b[0];
        let dot = |a: [i64; 2], b: [i64; 2]| a[0] * b[0] + a[1] * b[1];
        // A tangent has both neighbors on one side; of two collinear corners the nearer, which the
        // other does not occlude.
        let mut touching = [(0, i64::MAX); 2];
        for number in 0..self.n_corners() {
            let delta = vector_to(number);
            let sides =
                [self.before(number), self.after(number)].map(|by| cross(delta, vector_to(by)));
            let distance_squared = dot(delta, delta);
            for (i, is_same_side) in [
                (0, sides[0] >= 0 && sides[1] >= 0),
                (1, sides[0] <= 0 && sides[1] <= 0),
            ] {
                if is_same_side && distance_squared > 0 && distance_squared < touching[i].1 {
                    touching[i] = (number, distance_squared);
                }
            }
        }
        (touching[0].0, touching[1].0)
    }

    /// Tangents of a box by the Voronoi-like region of the eye: a 3 x 3 partition of the plane.
    #[inline]
    fn box_tangents(&self, eye: [i32; 2]) -> (u32, u32) {
        let side = |axis: usize| {
            if eye[axis] <= self.low[axis] {
                0
            } else if eye[axis] < self.high[axis] {
                1
            } else {
                2
            }
        };
        // On the line of a side both its ends are collinear with the eye: the nearer counts.
        match (side(0), side(1)) {
            (0, 0) => (1, 3),
            (1, 0) => (1, 0),
            (2, 0) => (2, 0),
            (0, 1) => (0, 3),
            (2, 1) => (2, 1),
            (1, 2) => (3, 2),
            (2, 2) => (3, 1),
            // From the south-west, or from inside.
            _ => (0, 2),
        }
    }
}

/// How far the corners of a disc's AABB can be cut so that the rest still contains the disc.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "below twice the radius, which is below 2^29"
)]
fn corner_cut(radius: i32) -> i32 {
    // The slanted sides lie at radius * sqrt(2) from the center along x + y, rounded up.
    let square = 2 * i64::from(radius) * i64::from(radius);
    let slant = square.cast_unsigned().isqrt().cast_signed() + 1;
    (2 * i64::from(radius) - slant).max(0) as i32
}

/// A segment prepared for tests against many outlines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub(crate) from: [i32; 2],
    pub(crate) to: [i32; 2],
    low: [i32; 2],
    high: [i32; 2],
    along: [i64; 2],
}

impl Segment {
    #[inline]
    pub(crate) fn new(from: Point2, to: Point2) -> Self {
        let clamp = |at: Fixed| at.raw().clamp(-MAX_COORDINATE.raw(), MAX_COORDINATE.raw());
        let from = [clamp(from.x), clamp(from.y)];
        let to = [clamp(to.x), clamp(to.y)];
        Self {
            from,
            to,
            low: [from[0].min(to[0]), from[1].min(to[1])],
            high: [from[0].max(to[0]), from[1].max(to[1])],
            along: [
                i64::from(to[0]) - i64::from(from[0]),
                i64::from(to[1]) - i64::from(from[1]),
            ],
        }
    }

    /// True if the AABBs of segment and outline share more than a border.
    #[inline]
    pub(crate) const fn is_near(&self, outline: &InflatedOutline) -> bool {
        (self.low[0] < outline.high[0])
            & (outline.low[0] < self.high[0])
            & (self.low[1] < outline.high[1])
            & (outline.low[1] < self.high[1])
    }

    /// True if the segment enters the interior of the outline.
    ///
    /// Separating axis test: two convex sets are disjoint if and only if a side's normal separates
    /// them.
    #[inline]
    pub(crate) fn enters(&self, outline: &InflatedOutline) -> bool {
        if !self.is_near(outline) {
            return false;
        }
        let [dx, dy] = self.along;
        if outline.cut != 0 {
            return self.enters_cut(outline);
        }
        if dx == 0 || dy == 0 {
            // Axis-aligned or a point: the AABBs decide.
            return true;
        }
        let (width, height) = (
            i64::from(outline.high[0]) - i64::from(outline.low[0]),
            i64::from(outline.high[1]) - i64::from(outline.low[1]),
        );
        let twice = |axis: usize| {
            i64::from(outline.low[axis]) + i64::from(outline.high[axis])
                - 2 * i64::from(self.from[axis])
        };
        let side_of = dy * twice(0) - dx * twice(1);
        side_of.abs() < dy.abs() * width + dx.abs() * height
    }

    #[cold]
    fn enters_cut(&self, outline: &InflatedOutline) -> bool {
        let corners = (0..8).map(|number| outline.corner_raw(number));
        let wide = |at: i32| i64::from(at);
        // The two diagonal axes.
        for sign in [1, -1] {
            let slant = |[x, y]: [i32; 2]| wide(x) + sign * wide(y);
            let (a, b) = (slant(self.from), slant(self.to));
            let low = corners.clone().map(slant).min().unwrap_or(0);
            let high = corners.clone().map(slant).max().unwrap_or(0);
            if a.max(b) <= low || a.min(b) >= high {
                return false;
            }
        }
        let [dx, dy] = self.along;
        if dx == 0 && dy == 0 {
            return true;
        }
        let side_of = |[x, y]: [i32; 2]| {
            dy * (wide(x) - wide(self.from[0])) - dx * (wide(y) - wide(self.from[1]))
        };
        corners.clone().any(|corner| side_of(corner) > 0)
            && corners.clone().any(|corner| side_of(corner) < 0)
    }

    /// The fraction of the segment, 0 to 1, at which it enters an outline that it does enter.
    #[inline]
    pub(crate) fn entry(&self, outline: &InflatedOutline) -> f64 {
        let mut entry = 0.0_f64;
        for axis in 0..2 {
            let along = self.along[axis] as f64;
            if self.along[axis] > 0 {
                let gap = f64::from(outline.low[axis]) - f64::from(self.from[axis]);
                entry = entry.max(gap / along);
            } else if self.along[axis] < 0 {
                let gap = f64::from(outline.high[axis]) - f64::from(self.from[axis]);
                entry = entry.max(gap / along);
            }
        }
        if outline.cut == 0 {
            return entry;
        }
        for sign in [1.0, -1.0] {
            let slant = |[x, y]: [i32; 2]| f64::from(x) + sign * f64::from(y);
            let (from, along) = (slant(self.from), slant(self.to) - slant(self.from));
            let sides = (0..8).map(|number| slant(outline.corner_raw(number)));
            if along > 0.0 {
                entry = entry.max((sides.fold(f64::INFINITY, f64::min) - from) / along);
            } else if along < 0.0 {
                entry = entry.max((sides.fold(f64::NEG_INFINITY, f64::max) - from) / along);
            }
        }
        entry
    }
}

#[cfg(test)]
mod tests;
