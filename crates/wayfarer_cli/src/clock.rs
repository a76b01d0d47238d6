//! Times that are only reported; no result depends on them.

use std::time::{Duration, Instant};

/// Runs `work`; its result and how long it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = now();
    let result = work();
    (result, started.elapsed())
}

/// The time of the system's monotonic clock.
#[expect(
    clippy::disallowed_methods,
    reason = "a program on a machine with a clock; only reported"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}
