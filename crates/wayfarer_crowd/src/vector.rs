//! Vectors of the plane in `f64`, by `+ - * /` and `sqrt` only: equal bits on every platform.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A vector of the plane, in cells or cells per second.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Vec2 {
    /// East.
    pub x: f64,
    /// South.
    pub y: f64,
}

impl Vec2 {
    /// The null vector.
    pub const ZERO: Self = Self { x: 0.0, y: 0.0 };

    /// The vector (`x`, `y`).
    #[inline]
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The dot product.
    #[inline]
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// The determinant of the matrix with both as rows: positive if `other` is counterclockwise of
    /// `self` in a frame with y up.
    #[inline]
    pub fn det(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }

    /// The square of the length.
    #[inline]
    pub fn length_squared(self) -> f64 {
        self.dot(self)
    }

    /// The length.
    #[inline]
    pub fn length(self) -> f64 {
        self.length_squared().sqrt()
    }

    /// The vector at length 1; `None` if it has none.
    #[inline]
    pub fn normalized(self) -> Option<Self> {
        let length = self.length();
        (length > 0.0).then(|| self * (1.0 / length))
    }

    /// The vector, shortened to `limit` if it is longer.
    #[inline]
    #[must_use]
    pub fn clamped(self, limit: f64) -> Self {
        let squared = self.length_squared();
        if squared > limit * limit {
            self * (limit / squared.sqrt())
        } else {
            self
        }
    }

    /// The vector turned by a quarter to the right, with y down.
    #[inline]
    #[must_use]
    pub fn right(self) -> Self {
        Self::new(-self.y, self.x)
    }

    /// True if both coordinates are finite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

impl Add for Vec2 {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl AddAssign for Vec2 {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Vec2 {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Vec2 {
    type Output = Self;
    #[inline]
    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

impl Neg for Vec2 {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

/// The largest integer not above `at`, within the range of columns. By a cast: `f64::floor` is a call on
/// CPUs without an instruction for it.
#[expect(
    clippy::cast_possible_truncation,
    reason = "casts of floats saturate, and positions lie within the range of columns"
)]
#[inline]
pub(crate) fn floor(at: f64) -> i32 {
    let toward_zero = at as i32;
    toward_zero.saturating_sub(i32::from(f64::from(toward_zero) > at))
}
