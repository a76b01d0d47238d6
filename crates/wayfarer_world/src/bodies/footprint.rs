//! The part of the map that a sensor or a weapon covers: circle, ring, capsule, wedge, box, polygon.

use wayfarer_base::{Fixed, Point2};

use super::body::{self, ShapeError};

/// A direction on the map: x east, y south. Only where it points counts, not how far.
///
/// Kept in steps of 1/16,383 of its larger part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Heading {
    pub(super) x: i32,
    pub(super) y: i32,
}

impl Heading {
    /// Due east.
    pub const EAST: Self = Self { x: 16_000, y: 0 };
    const MAX_SIZE: i32 = 16_383;

    /// The direction of the vector (`x`, `y`).
    ///
    /// # Errors
    /// (0, 0) points nowhere.
    pub fn new(x: i32, y: i32) -> Result<Self, ShapeError> {
        Self::of((x.into(), y.into()))
    }

    fn of((mut x, mut y): Vector) -> Result<Self, ShapeError> {
        let largest = x.abs().max(y.abs());
        if largest == 0 {
            return Err(ShapeError::NoDirection);
        }
        if largest > i64::from(Self::MAX_SIZE) {
            x = x * i64::from(Self::MAX_SIZE) / largest;
            y = y * i64::from(Self::MAX_SIZE) / largest;
        }
        let part = |at: i64| i32::try_from(at).expect("at most 16,383");
        Ok(Self {
            x: part(x),
            y: part(y),
        })
    }

    /// From one point to another.
    ///
    /// # Errors
    /// Equal points give no direction.
    pub fn between(from: Point2, to: Point2) -> Result<Self, ShapeError> {
        Self::of(sub(to, from))
    }

    /// East and south parts, each from -16,383 to 16,383.
    pub const fn parts(self) -> (i32, i32) {
        (self.x, self.y)
    }

    /// Turned by the angle whose cosine is given, to the left and to the right.
    #[expect(clippy::cast_possible_truncation, reason = "of length 16,000")]
    fn spread(self, cosine: f64) -> (Self, Self) {
        let (x, y) = (f64::from(self.x), f64::from(self.y));
        let scale = 16_000.0 / (x * x + y * y).sqrt();
        let (x, y) = (x * scale, y * scale);
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        let whole = |x: f64, y: f64| Self {
            x: x.round() as i32,
            y: y.round() as i32,
        };
        let left = whole(x * cosine + y * sine, y * cosine - x * sine);
        let right = whole(x * cosine - y * sine, y * cosine + x * sine);
        (left, right)
    }
}

/// Up to 16 corners of a convex polygon, clockwise as seen on the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConvexPolygon {
    /// Those that there are, and behind them the origin.
    points: [Point2; 16],
    n_points: u8,
}

impl ConvexPolygon {
    /// The corners; straight angles and repeated corners are allowed.
    ///
    /// # Errors
    /// Fewer than 3 or more than 16, a turn to the wrong side, all in one line, or one that is
    /// larger than 16,384 cells.
    pub fn new(corners: &[Point2]) -> Result<Self, ShapeError> {
        let (3..=16, Ok(n_points)) = (corners.len(), u8::try_from(corners.len())) else {
            return Err(ShapeError::Corners {
                found: corners.len(),
            });
        };
        let mut points = [Point2::default(); 16];
        points[..corners.len()].copy_from_slice(corners);
        let made = Self { points, n_points };
        for &corner in corners {
            body::position(corner)?;
            let width = corner.x.raw().abs_diff(corners[0].x.raw());
            let height = corner.y.raw().abs_diff(corners[0].y.raw());
            let largest = i32::try_from(width.max(height)).unwrap_or(i32::MAX);
            body::size("polygon's width", Fixed::from_raw(largest))?;
        }
        let mut is_flat = true;
        for (corner, (a, b)) in made.edges().enumerate() {
            let turns = |point: &Point2| cross(sub(b, a), sub(*point, a)) > 0;
            is_flat &= !made.points().iter().any(turns);
            let turns_wrong = |point: &Point2| cross(sub(b, a), sub(*point, a)) < 0;
            if made.points().iter().any(turns_wrong) {
                return Err(ShapeError::NotConvex { corner });
            }
        }
        if is_flat {
            return Err(ShapeError::NotConvex { corner: 0 });
        }
        Ok(made)
    }

    /// The corners, in order.
    pub fn points(&self) -> &[Point2] {
        &self.points[..usize::from(self.n_points)]
    }

    /// Whether all lie within the limits.
    #[inline(never)]
    fn check(&self) -> Result<(), ShapeError> {
        self.points()
            .iter()
            .try_for_each(|corner| body::position(*corner))
    }

    pub(super) fn edges(&self) -> impl Iterator<Item = (Point2, Point2)> {
        let points = self.points();
        (0..points.len()).map(|at| (points[at], points[(at + 1) % points.len()]))
    }
}

/// The part of the map that is asked about; its edges belong to it.
///
/// Positions may lie as far from the origin as those of bodies; radii and half sizes reach from 0
/// to 16,384 cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Footprint {
    /// All within `radius` of `center`.
    Circle {
        /// The middle.
        center: Point2,
        /// How far it reaches.
        radius: Fixed,
    },
    /// All from `inner` to `outer` away from `center`.
    Ring {
        /// The middle.
        center: Point2,
        /// Where it begins.
        inner: Fixed,
        /// Where it ends.
        outer: Fixed,
    },
    /// All within `radius` of the segment between two points.
    Capsule {
        /// One end.
        from: Point2,
        /// The other end, at most 16,384 cells away along x and y.
        to: Point2,
        /// Half its width.
        radius: Fixed,
    },
    /// The part of a circle from the direction `left` clockwise, as seen on the map, to `right`;
    /// equal directions make a ray.
    Wedge {
        /// The tip.
        tip: Point2,
        /// How far it reaches.
        radius: Fixed,
        /// The first edge.
        left: Heading,
        /// The last edge.
        right: Heading,
    },
    /// A box that is turned.
    Turned {
        /// The middle.
        center: Point2,
        /// Where its length points.
        heading: Heading,
        /// Half its length.
        half_along: Fixed,
        /// Half its width.
        half_across: Fixed,
    },
    /// A convex polygon.
    Polygon(ConvexPolygon),
}

impl Footprint {
    /// The circle around `center`.
    pub const fn circle(center: Point2, radius: Fixed) -> Self {
        Self::Circle { center, radius }
    }

    /// The wedge around `heading` that opens to both sides by the angle whose cosine is given: 1
    /// is a ray, 0 a half circle, -1 the whole circle, which is what it then gives; beyond is taken
    /// as the nearest of them, and what is no number as 1.
    ///
    /// ```
    /// use wayfarer_base::{Fixed, Point2};
    /// use wayfarer_world::objects::{Footprint, Heading};
    /// let tip = Point2::default();
    /// // 60 degrees in all: the cosine of 30 degrees is half the root of 3.
    /// let half = 3.0_f64.sqrt() / 2.0;
    /// let wedge = Footprint::wedge(tip, Fixed::from_raw(2560), Heading::EAST, half);
    /// let at = |x, y| Point2::new(Fixed::from_raw(x), Fixed::from_raw(y));
    /// assert!(wedge.contains(at(1000, 500)));
    /// assert!(!wedge.contains(at(1000, 600)));
    /// ```
    pub fn wedge(tip: Point2, radius: Fixed, heading: Heading, cosine: f64) -> Self {
        let cosine = if cosine.is_nan() { 1.0 } else { cosine };
        let (left, right) = heading.spread(cosine.clamp(-1.0, 1.0));
        if left == right && cosine < 0.0 {
            // Both edges point back: a wedge between them would be a ray.
            return Self::circle(tip, radius);
        }
        Self::Wedge {
            tip,
            radius,
            left,
            right,
        }
    }

    /// Whether all sizes and positions are within their limits.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), ShapeError> {
        match *self {
            Self::Circle {
                center: centre,
                radius,
            } => {
                body::position(centre)?;
                body::size("radius", radius)?;
            }
            Self::Ring {
                center: centre,
                inner,
                outer,
            } => {
                body::position(centre)?;
                body::size("inner radius", inner)?;
                body::size("outer radius", outer)?;
                if inner > outer {
                    return Err(ShapeError::InsideOut { inner, outer });
                }
            }
            Self::Capsule { from, to, radius } => {
                body::position(from)?;
                body::position(to)?;
                body::size("radius", radius)?;
                let (x, y) = sub(to, from);
                let length = i32::try_from(x.abs().max(y.abs())).unwrap_or(i32::MAX);
                body::size("length", Fixed::from_raw(length))?;
            }
            Self::Wedge { tip, radius, .. } => {
                body::position(tip)?;
                body::size("radius", radius)?;
            }
            Self::Turned {
                center: centre,
                half_along,
                half_across,
                ..
            } => {
                body::position(centre)?;
                body::size("half length", half_along)?;
                body::size("half width", half_across)?;
            }
            // Its form was checked when it was made; where it is may have changed.
            Self::Polygon(ref corners) => corners.check()?,
        }
        Ok(())
    }

    /// The point it is moved by: middle, tip, first end or first corner.
    pub fn origin(&self) -> Point2 {
        match self {
            Self::Circle { center: centre, .. }
            | Self::Ring { center: centre, .. }
            | Self::Turned { center: centre, .. } => *centre,
            Self::Capsule { from, .. } => *from,
            Self::Wedge { tip, .. } => *tip,
            Self::Polygon(corners) => corners.points[0],
        }
    }

    /// The same with its [origin](Self::origin) at `to`; what would leave the range of numbers
    /// stays at its edge, where [`check`](Self::check) finds it.
    #[must_use]
    #[inline]
    pub fn translated_to(&self, to: Point2) -> Self {
        match *self {
            // Most of them: not worth a copy of the largest footprint there is.
            Self::Circle { radius, .. } => Self::Circle { center: to, radius },
            _ => self.shifted_to(to),
        }
    }

    fn shifted_to(&self, to: Point2) -> Self {
        let (x, y) = sub(to, self.origin());
        let shifted = |point: Point2| {
            let part = |at: Fixed, by: i64| {
                let sum = (i64::from(at.raw()) + by).clamp(i32::MIN.into(), i32::MAX.into());
                Fixed::from_raw(i32::try_from(sum).expect("clamped"))
            };
            Point2::new(part(point.x, x), part(point.y, y))
        };
        let mut moved = *self;
        match &mut moved {
            Self::Circle { center: centre, .. }
            | Self::Ring { center: centre, .. }
            | Self::Turned { center: centre, .. } => {
                *centre = to;
            }
            Self::Capsule { from, to: end, .. } => {
                *from = to;
                *end = shifted(*end);
            }
            Self::Wedge { tip, .. } => *tip = to,
            Self::Polygon(corners) => {
                let n_points = usize::from(corners.n_points);
                for point in &mut corners.points[..n_points] {
                    *point = shifted(*point);
                }
            }
        }
        moved
    }

    /// The same with its edge moved outwards by `margin`: radii and half sizes grow, the hole of
    /// a ring shrinks, a wedge's tip and directions stay, a polygon stays as it is. Sizes stop at
    /// their limits.
    #[must_use]
    pub fn inflated(&self, margin: Fixed) -> Self {
        let larger = |size: Fixed| {
            let sum = size.raw().saturating_add(margin.raw());
            Fixed::from_raw(sum.clamp(0, body::MAX_SIZE))
        };
        let mut grown = *self;
        match &mut grown {
            Self::Circle { radius, .. }
            | Self::Capsule { radius, .. }
            | Self::Wedge { radius, .. } => *radius = larger(*radius),
            Self::Ring { inner, outer, .. } => {
                *inner = Fixed::from_raw(inner.raw().saturating_sub(margin.raw()).max(0));
                *outer = larger(*outer);
            }
            Self::Turned {
                half_along,
                half_across,
                ..
            } => {
                *half_along = larger(*half_along);
                *half_across = larger(*half_across);
            }
            Self::Polygon(_) => {}
        }
        grown
    }
}

pub(super) type Vector = (i64, i64);

#[inline]
pub(super) fn sub(to: Point2, from: Point2) -> Vector {
    (
        i64::from(to.x.raw()) - i64::from(from.x.raw()),
        i64::from(to.y.raw()) - i64::from(from.y.raw()),
    )
}

/// Positive if `b` lies clockwise from `a`, as seen on the map.
#[inline]
pub(super) fn cross(a: Vector, b: Vector) -> i64 {
    a.0 * b.1 - a.1 * b.0
}

#[inline]
pub(super) fn dot(a: Vector, b: Vector) -> i64 {
    a.0 * b.0 + a.1 * b.1
}

#[cfg(test)]
mod tests;
