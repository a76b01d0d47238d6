//! Cosines without libm: equal to the bit on every platform.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// The cosine of an angle from 0 to pi, within 1e-15. Reduced to at most pi / 4, where the Taylor
/// polynomials of degree 16 and 17 are exact to the last bits.
pub(crate) fn cosine(angle: f64) -> f64 {
    if angle > FRAC_PI_2 {
        -cosine(PI - angle)
    } else if angle > FRAC_PI_4 {
        sine_polynomial(FRAC_PI_2 - angle)
    } else {
        cosine_polynomial(angle)
    }
}

/// 1 - x^2 / 2! + x^4 / 4! - ... + x^16 / 16!
fn cosine_polynomial(x: f64) -> f64 {
    alternating(x * x, &[2.0, 12.0, 30.0, 56.0, 90.0, 132.0, 182.0, 240.0])
}

/// x - x^3 / 3! + x^5 / 5! - ... + x^17 / 17!
fn sine_polynomial(x: f64) -> f64 {
    x * alternating(x * x, &[6.0, 20.0, 42.0, 72.0, 110.0, 156.0, 210.0, 272.0])
}

/// 1 - s / d0 (1 - s / d1 (1 - ...)).
fn alternating(square: f64, divisors: &[f64]) -> f64 {
    let inner_first = divisors.iter().rev();
    inner_first.fold(1.0, |inner, divisor| 1.0 - square / divisor * inner)
}

#[cfg(test)]
mod tests {
    use super::{FRAC_PI_2, PI, cosine};

    #[test]
    fn cosines_of_known_angles() {
        let root_2 = 0.5_f64.sqrt();
        let root_3 = 0.75_f64.sqrt();
        let golden = (1.0 + 5.0_f64.sqrt()) / 4.0;
        for (angle, expected) in [
            (0.0, 1.0),
            (PI / 6.0, root_3),
            (PI / 5.0, golden),
            (PI / 4.0, root_2),
            (PI / 3.0, 0.5),
            (FRAC_PI_2, 0.0),
            (2.0 * PI / 3.0, -0.5),
            (3.0 * PI / 4.0, -root_2),
            (5.0 * PI / 6.0, -root_3),
            (PI, -1.0),
        ] {
            let found = cosine(angle);
            assert!((found - expected).abs() < 1e-15, "{angle}: {found}");
        }
    }

    #[test]
    fn cosines_fall_and_double() {
        let mut before = 1.0;
        for number in 1..=1_000 {
            let angle = f64::from(number) * PI / 1_000.0;
            let found = cosine(angle);
            assert!(found < before, "{angle}");
            before = found;
            let half = cosine(angle / 2.0);
            assert!((2.0 * half * half - 1.0 - found).abs() < 1e-15, "{angle}");
        }
    }
}
