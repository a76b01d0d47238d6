//! The one place that looks at the clock.

use std::time::Instant;

/// A stopwatch; resolution is that of the system's monotonic clock, some tens of nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    begun: Instant,
}

impl Stopwatch {
    /// Begins to count.
    #[inline]
    #[must_use]
    pub fn start() -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "measuring is what this crate is for; it never runs on wasm32"
        )]
        let begun = Instant::now();
        Self { begun }
    }

    /// Nanoseconds since it began.
    #[inline]
    pub fn nanoseconds(self) -> f64 {
        // Exact up to 2^53 ns, which is 104 days.
        self.begun.elapsed().as_nanos() as f64
    }
}

/// What reading the clock twice costs, in nanoseconds: part of every time reported.
///
/// The median of 1,001 empty intervals.
pub fn overhead_ns() -> f64 {
    let mut empty: Vec<f64> = (0..1001)
        .map(|_| Stopwatch::start().nanoseconds())
        .collect();
    crate::statistics::median(&mut empty).unwrap_or(0.0)
}
