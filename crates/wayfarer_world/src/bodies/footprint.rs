//! Query areas: circle, ring, capsule, wedge, oriented box, convex polygon.

use wayfarer_base::{Fixed, Point2};

use super::body::{self, ShapeError};

/// A direction: x east, y south; its length is irrelevant.
///
/// Quantized to 1/16,383 of its larger component.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Heading {
    pub(super) x: i32,
    pub(super) y: i32,
}

impl Heading {
    /// Due east.
    pub const EAST: Self = Self { x: 16_000, y: 0 };
    const MAX_COMPONENT: i32 = 16_383;

    /// The direction of the vector (`x`, `y`).
    ///
    /// # Errors
    /// [`ShapeError::NoDirection`] for (0, 0).
    pub fn new(x: i32, y: i32) -> Result<Self, ShapeError> {
        Self::from_vector((x.into(), y.into()))
    }

    fn from_vector((mut x, mut y): Vector) -> Result<Self, ShapeError> {
        let largest = x.abs().max(y.abs());
        if largest == 0 {
            return Err(ShapeError::NoDirection);
        }
        if largest > i64::from(Self::MAX_COMPONENT) {
            x = x * i64::from(Self::MAX_COMPONENT) / largest;
            y = y * i64::from(Self::MAX_COMPONENT) / largest;
        }
        let part = |at: i64| i32::try_from(at).expect("at most 16,383");
        Ok(Self {
            x: part(x),
            y: part(y),
        })
    }

    /// The direction from one point to another.
    ///
    /// # Errors
    /// [`ShapeError::NoDirection`] for equal points.
    pub fn between(from: Point2, to: Point2) -> Result<Self, ShapeError> {
        Self::from_vector(sub(to, from))
    }

    /// East and south components, each from -16,383 to 16,383.
    pub const fn components(self) -> (i32, i32) {
        (self.x, self.y)
    }

    /// The two directions at the angle with the given cosine, to the left and to the right.
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

/// Up to 16 vertices of a convex polygon, clockwise with y down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConvexPolygon {
    /// The vertices, padded with the origin.
    points: [Point2; 16],
    n_points: u8,
}

impl ConvexPolygon {
    /// A polygon from its vertices; straight angles and repeated vertices are allowed.
    ///
    /// # Errors
    /// Fewer than 3 or more than 16 vertices, a polygon that is not convex and clockwise or has no
    /// area, or one wider than 16,384 cells.
    pub fn new(corners: &[Point2]) -> Result<Self, ShapeError> {
        let (3..=16, Ok(n_points)) = (corners.len(), u8::try_from(corners.len())) else {
            return Err(ShapeError::Vertices {
                found: corners.len(),
            });
        };
        let mut points = [Point2::default(); 16];
        points[..corners.len()].copy_from_slice(corners);
        let polygon = Self { points, n_points };
        for &corner in corners {
            body::position(corner)?;
            let width = corner.x.raw().abs_diff(corners[0].x.raw());
            let height = corner.y.raw().abs_diff(corners[0].y.raw());
            let largest = i32::try_from(width.max(height)).unwrap_or(i32::MAX);
            body::size("polygon's width", Fixed::from_raw(largest))?;
        }
        let mut is_flat = true;
        for (corner, (a, b)) in polygon.edges().enumerate() {
            let is_right_of = |point: &Point2| cross(sub(b, a), sub(*point, a)) > 0;
            is_flat &= !polygon.points().iter().any(is_right_of);
            let is_left_of = |point: &Point2| cross(sub(b, a), sub(*point, a)) < 0;
            if polygon.points().iter().any(is_left_of) {
                return Err(ShapeError::NotConvex { corner });
            }
        }
        if is_flat {
            return Err(ShapeError::NotConvex { corner: 0 });
        }
        Ok(polygon)
    }

    /// The vertices, in order.
    pub fn points(&self) -> &[Point2] {
        &self.points[..usize::from(self.n_points)]
    }

    /// Validates the positions.
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

/// A closed query area in the plane.
///
/// Positions are limited to [`MAX_COORDINATE`](super::MAX_COORDINATE), radii and half sizes to 0 to
/// 16,384 cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Footprint {
    /// All points within `radius` of `center`.
    Circle {
        /// The center.
        center: Point2,
        /// The radius.
        radius: Fixed,
    },
    /// All points from `inner` to `outer` away from `center`.
    Ring {
        /// The center.
        center: Point2,
        /// The inner radius.
        inner: Fixed,
        /// The outer radius.
        outer: Fixed,
    },
    /// All points within `radius` of a segment.
    Capsule {
        /// The start of the segment.
        from: Point2,
        /// The end of the segment, at most 16,384 cells away along x and y.
        to: Point2,
        /// The radius.
        radius: Fixed,
    },
    /// A circular sector clockwise (y down) from `left` to `right`; equal directions make a ray.
    Wedge {
        /// The tip.
        tip: Point2,
        /// The radius.
        radius: Fixed,
        /// The direction of the first edge.
        left: Heading,
        /// The direction of the last edge.
        right: Heading,
    },
    /// An oriented box.
    OrientedBox {
        /// The center.
        center: Point2,
        /// The direction of its length.
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
    /// A circle.
    pub const fn circle(center: Point2, radius: Fixed) -> Self {
        Self::Circle { center, radius }
    }

    /// The wedge that opens to both sides of `heading` by the angle with the given cosine: 1 is a
    /// ray, 0 a half circle, -1 the whole circle (returned as a circle). The cosine is clamped to
    /// this range; NaN counts as 1.
    ///
    /// ```
    /// use wayfarer_base::{Fixed, Point2};
    /// use wayfarer_world::bodies::{Footprint, Heading};
    /// let tip = Point2::default();
    /// // 60 degrees in all: the cosine of 30 degrees is half the root of 3.
    /// let half = 3.0_f64.sqrt() / 2.0;
    /// let wedge = Footprint::wedge(tip, Fixed::from_raw(2560), Heading::EAST, half);
    /// let at = |x, y| Point2::from_raw(x, y);
    /// assert!(wedge.contains(at(1000, 500)));
    /// assert!(!wedge.contains(at(1000, 600)));
    /// ```
    pub fn wedge(tip: Point2, radius: Fixed, heading: Heading, cosine: f64) -> Self {
        let cosine = if cosine.is_nan() { 1.0 } else { cosine };
        let (left, right) = heading.spread(cosine.clamp(-1.0, 1.0));
        if left == right && cosine < 0.0 {
            // Both edges point backwards: a wedge between them would be a ray.
            return Self::circle(tip, radius);
        }
        Self::Wedge {
            tip,
            radius,
            left,
            right,
        }
    }

    /// Validates all sizes and positions.
    ///
    /// # Errors
    /// The first value beyond its limits.
    pub fn check(&self) -> Result<(), ShapeError> {
        match *self {
            Self::Circle { center, radius } => {
                body::position(center)?;
                body::size("radius", radius)?;
            }
            Self::Ring {
                center,
                inner,
                outer,
            } => {
                body::position(center)?;
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
            Self::OrientedBox {
                center,
                half_along,
                half_across,
                ..
            } => {
                body::position(center)?;
                body::size("half length", half_along)?;
                body::size("half width", half_across)?;
            }
            // Its shape was validated by the constructor; its position may have changed.
            Self::Polygon(ref corners) => corners.check()?,
        }
        Ok(())
    }

    /// The reference point of translations: center, tip, first end or first vertex.
    pub fn origin(&self) -> Point2 {
        match self {
            Self::Circle { center, .. }
            | Self::Ring { center, .. }
            | Self::OrientedBox { center, .. } => *center,
            Self::Capsule { from, .. } => *from,
            Self::Wedge { tip, .. } => *tip,
            Self::Polygon(corners) => corners.points[0],
        }
    }

    /// The footprint translated so that its [origin](Self::origin) is at `to`. Coordinates
    /// saturate; [`check`](Self::check) then rejects them.
    #[must_use]
    #[inline]
    pub fn translated_to(&self, to: Point2) -> Self {
        match *self {
            // The common case, without a copy of the largest variant.
            Self::Circle { radius, .. } => Self::Circle { center: to, radius },
            _ => self.translate(to),
        }
    }

    fn translate(&self, to: Point2) -> Self {
        let (x, y) = sub(to, self.origin());
        let translate_point = |point: Point2| {
            let part = |at: Fixed, by: i64| {
                let sum = (i64::from(at.raw()) + by).clamp(i32::MIN.into(), i32::MAX.into());
                Fixed::from_raw(i32::try_from(sum).expect("clamped"))
            };
            Point2::new(part(point.x, x), part(point.y, y))
        };
        let mut translated = *self;
        match &mut translated {
            Self::Circle { center, .. }
            | Self::Ring { center, .. }
            | Self::OrientedBox { center, .. } => {
                *center = to;
            }
            Self::Capsule { from, to: end, .. } => {
                *from = to;
                *end = translate_point(*end);
            }
            Self::Wedge { tip, .. } => *tip = to,
            Self::Polygon(corners) => {
                let n_points = usize::from(corners.n_points);
                for point in &mut corners.points[..n_points] {
                    *point = translate_point(*point);
                }
            }
        }
        translated
    }

    /// The footprint inflated by `margin`: radii and half sizes grow, the hole of a ring shrinks;
    /// the tip and directions of a wedge and a polygon stay. Sizes saturate at their limits.
    #[must_use]
    pub fn inflated(&self, margin: Fixed) -> Self {
        let larger = |size: Fixed| {
            let sum = size.raw().saturating_add(margin.raw());
            Fixed::from_raw(sum.clamp(0, body::MAX_SIZE))
        };
        let mut inflated = *self;
        match &mut inflated {
            Self::Circle { radius, .. }
            | Self::Capsule { radius, .. }
            | Self::Wedge { radius, .. } => *radius = larger(*radius),
            Self::Ring { inner, outer, .. } => {
                *inner = Fixed::from_raw(inner.raw().saturating_sub(margin.raw()).max(0));
                *outer = larger(*outer);
            }
            Self::OrientedBox {
                half_along,
                half_across,
                ..
            } => {
                *half_along = larger(*half_along);
                *half_across = larger(*half_across);
            }
            Self::Polygon(_) => {}
        }
        inflated
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

/// Positive if `b` lies clockwise (y down) of `a`.
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
