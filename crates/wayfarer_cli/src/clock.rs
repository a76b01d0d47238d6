//! How long something took, to tell the reader; no answer depends on it.

use std::time::{Duration, Instant};

/// Does `work` and says how long it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let began = now();
    let done = work();
    (done, began.elapsed())
}

/// The clock of the machine.
#[expect(
    clippy::disallowed_methods,
    reason = "a program on a machine with a clock; only reported"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}
