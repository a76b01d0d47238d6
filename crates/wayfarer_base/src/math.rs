//! Arithmetic with bit-identical results on every target.
//!
//! Uses `+ - * /` and `sqrt` of `f64` only, which IEEE 754 rounds correctly. No trigonometry:
//! directions are vectors.

/// Euclidean length of (`x`, `y`).
#[inline]
pub fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// Euclidean length of (`x`, `y`, `z`).
#[inline]
pub fn length_3(x: f64, y: f64, z: f64) -> f64 {
    (x * x + y * y + z * z).sqrt()
}

/// Greatest common divisor by Euclid's algorithm; gcd(a, 0) = a.
pub const fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
