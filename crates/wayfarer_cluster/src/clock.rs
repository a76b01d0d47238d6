//! The clock of deadlines and metrics; no result depends on it, only whether there is one in time.

use std::time::Instant;

#[expect(
    clippy::disallowed_methods,
    reason = "deadlines and metrics are in time; results are counted in expansions"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}
