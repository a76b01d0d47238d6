//! Vectors of space in `f64`, by `+ - * /` and `sqrt` only: equal bits on every platform.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use wayfarer_base::{Fixed, Point3};

/// A vector of space, in voxels or voxels per second; z points up.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Vec3 {
    /// East.
    pub x: f64,
    /// South.
    pub y: f64,
    /// Up.
    pub z: f64,
}

impl Vec3 {
    /// The null vector.
    pub const ZERO: Self = Self::new(0.0, 0.0, 0.0);

    /// The vector (`x`, `y`, `z`).
    #[inline]
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }

    /// The dot product.
    #[inline]
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// The cross product.
    #[inline]
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
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

    /// True if all coordinates are finite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }

    /// The coordinates.
    pub const fn to_array(self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }

    /// The vector of three coordinates.
    pub const fn from_array([x, y, z]: [f64; 3]) -> Self {
        Self::new(x, y, z)
    }

    /// The nearest multiple of 1/256 of a voxel, as queries of the air count.
    #[must_use]
    pub(crate) fn rounded(self) -> Self {
        Self::from_array(self.to_array().map(|at| (at * 256.0).round() / 256.0))
    }

    /// The point of the air; exact for vectors that are rounded.
    pub(crate) fn to_point(self) -> Point3 {
        let [x, y, z] = self.to_array().map(fixed);
        Point3 { x, y, z }
    }
}

/// A length in 1/256 of a voxel.
#[expect(
    clippy::cast_possible_truncation,
    reason = "casts of floats saturate, and worlds are smaller"
)]
pub(crate) fn fixed(length: f64) -> Fixed {
    Fixed::from_raw((length * 256.0).round() as i32)
}

impl Add for Vec3 {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl AddAssign for Vec3 {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Vec3 {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl Mul<f64> for Vec3 {
    type Output = Self;
    #[inline]
    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

impl Neg for Vec3 {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}
