//! Arithmetic that gives the same bits on every machine.
//!
//! Only `+ - * /` and `sqrt` of `f64` are used, which IEEE 754 fixes to the last bit. There is no
//! trigonometry: directions are vectors.

/// The whole part of the square root.
///
/// ```
/// assert_eq!(wayfarer_base::math::isqrt(24), 4);
/// assert_eq!(wayfarer_base::math::isqrt(u64::MAX), u64::from(u32::MAX));
/// ```
#[inline]
pub const fn isqrt(square: u64) -> u64 {
    square.isqrt()
}

/// Length of the vector (`x`, `y`).
#[inline]
pub fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// Length of the vector (`x`, `y`, `z`).
#[inline]
pub fn length_3(x: f64, y: f64, z: f64) -> f64 {
    (x * x + y * y + z * z).sqrt()
}

/// Greatest common divisor; that of 0 and `a` is `a`.
pub const fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
