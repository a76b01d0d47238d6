//! Mean, median, percentiles and maximum.

use serde::Serialize;

/// The distribution of a set of numbers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Spread {
    /// Sum over count.
    pub mean: f64,
    /// The median.
    pub p50: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The maximum.
    pub max: f64,
}

impl Spread {
    /// The distribution of `numbers`, which are sorted; `None` if there are none.
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

/// The arithmetic mean; `None` for no numbers.
pub fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// A percentile by nearest rank, so always one of the numbers; `sorted` must be sorted. `None` for
/// no numbers.
pub fn percentile(sorted: &[f64], percent: usize) -> Option<f64> {
    let rank = (sorted.len() * percent.min(100)).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

/// The median, the lower one of an even count; sorts `numbers`. `None` for no numbers.
pub fn median(numbers: &mut [f64]) -> Option<f64> {
    numbers.sort_unstable_by(f64::total_cmp);
    percentile(numbers, 50)
}

#[cfg(test)]
mod tests;
