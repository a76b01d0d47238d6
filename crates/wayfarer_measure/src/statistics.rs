//! Mean, median, percentiles and largest of a heap of numbers.

use serde::Serialize;

/// How a set of numbers is spread. Empty sets have none.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Spread {
    /// Sum over count.
    pub mean: f64,
    /// Half of the numbers are at most this.
    pub p50: f64,
    /// Ninety-nine in a hundred are at most this.
    pub p99: f64,
    /// The largest.
    pub max: f64,
}

impl Spread {
    /// The spread of `numbers`, which are put into order; `None` if there is none.
    ///
    /// ```
    /// let mut times = [3.0, 1.0, 2.0, 10.0];
    /// let spread = wayfarer_measure::statistics::Spread::of(&mut times).unwrap();
    /// assert_eq!((spread.mean, spread.p50, spread.max), (4.0, 2.0, 10.0));
    /// ```
    pub fn of(numbers: &mut [f64]) -> Option<Self> {
        let mean = mean(numbers)?;
        numbers.sort_unstable_by(f64::total_cmp);
        Some(Self {
            mean,
            p50: percentile(numbers, 50)?,
            p99: percentile(numbers, 99)?,
            max: *numbers.last()?,
        })
    }
}

/// Sum over count; `None` if there is nothing.
pub fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// The least of the numbers that at least `percent` in a hundred are not above (nearest rank, so
/// always one of the numbers); `sorted` must be in order. `None` if there is nothing.
pub fn percentile(sorted: &[f64], percent: usize) -> Option<f64> {
    let rank = (sorted.len() * percent.min(100)).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

/// The middle number, the lower of the two middle ones of an even count; puts `numbers` into
/// order. `None` if there is nothing.
pub fn median(numbers: &mut [f64]) -> Option<f64> {
    numbers.sort_unstable_by(f64::total_cmp);
    percentile(numbers, 50)
}

#[cfg(test)]
mod tests;
