//! Timers; the only module that reads the clock.
//!
//! Times exclude the time in which the thread waited for a core, where the system reports it
//! (Linux does). Evicted CPU caches still count: a busy machine is slower.

use std::fs::File;
use std::time::Instant;

use serde::Serialize;

/// A stopwatch on the monotonic clock; resolution some tens of nanoseconds.
#[derive(Clone, Copy, Debug)]
struct Stopwatch {
    started: Instant,
}

impl Stopwatch {
    #[inline]
    fn start() -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "this crate measures; it never runs on wasm32"
        )]
        let started = Instant::now();
        Self { started }
    }

    #[inline]
    fn nanoseconds(self) -> f64 {
        // Exact up to 2^53 ns, which is 104 days.
        self.started.elapsed().as_nanos() as f64
    }
}

/// Whether times exclude waiting for a core.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Waiting {
    /// Waiting is subtracted.
    TakenOff,
    /// The system does not report it; times include it.
    Included,
}

/// Times work on the thread that created it.
#[derive(Debug)]
pub struct Timer {
    /// The system's count of how long this thread has waited for a core.
    waits: Option<File>,
}

impl Timer {
    /// A timer for this thread.
    pub fn new() -> Self {
        let waits = File::open("/proc/thread-self/schedstat").ok();
        let timer = Self { waits };
        match timer.waited() {
            Some(_) => timer,
            None => Self { waits: None },
        }
    }

    /// Whether its times exclude waiting for a core.
    pub const fn waiting(&self) -> Waiting {
        match self.waits {
            Some(_) => Waiting::TakenOff,
            None => Waiting::Included,
        }
    }

    /// Runs `work`; its result and its time in nanoseconds.
    #[inline]
    pub fn time<T>(&self, work: impl FnOnce() -> T) -> (T, f64) {
        let (result, nanoseconds, _) = self.time_disturbed(work);
        (result, nanoseconds)
    }

    /// Runs `work` `n_times` times; the least time in nanoseconds.
    pub fn best<T>(&self, n_times: usize, mut work: impl FnMut() -> T) -> f64 {
        let once = |_| {
            let (result, nanoseconds) = self.time(&mut work);
            std::hint::black_box(result);
            nanoseconds
        };
        (0..n_times).map(once).fold(f64::INFINITY, f64::min)
    }

    /// Runs `work` that uses other threads; its result and the elapsed time in nanoseconds, waiting
    /// included.
    pub fn time_of_all<T>(&self, work: impl FnOnce() -> T) -> (T, f64) {
        let watch = Stopwatch::start();
        let result = work();
        (result, watch.nanoseconds())
    }

    /// Runs `work`; its result, its time in nanoseconds, and true if this thread is known to have
    /// waited for a core meanwhile: a time of a few microseconds is unreliable then.
    #[inline]
    pub fn time_disturbed<T>(&self, work: impl FnOnce() -> T) -> (T, f64, bool) {
        let all = Stopwatch::start();
        let before = self.waited();
        let watch = Stopwatch::start();
        let result = work();
        let nanoseconds = watch.nanoseconds();
        let after = self.waited();
        let waited = match (before, after) {
            (Some(before), Some(after)) => after.saturating_sub(before) as f64,
            _ => 0.0,
        };
        let around = all.nanoseconds() - nanoseconds;
        (result, own_time(nanoseconds, around, waited), waited > 0.0)
    }

    /// Nanoseconds this thread has waited for a core since its start.
    #[cfg(unix)]
    fn waited(&self) -> Option<u64> {
        use std::os::unix::fs::FileExt;
        let mut text = [0; 96];
        let len = self.waits.as_ref()?.read_at(&mut text, 0).ok()?;
        second_number(&text[..len])
    }

    #[cfg(not(unix))]
    fn waited(&self) -> Option<u64> {
        None
    }
}

impl Default for Timer {
    fn default() -> Self {
        Self::new()
    }
}

/// The time of work from the elapsed time, the time of reading the counters around it, and the
/// waiting time over both; all in nanoseconds. Waiting that may have happened around the work is
/// not subtracted: the result is never too small.
fn own_time(elapsed: f64, around: f64, waited: f64) -> f64 {
    let waited_within = (waited - around).max(0.0);
    (elapsed - waited_within).max(elapsed.min(1.0))
}

/// The second number of a line.
fn second_number(line: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(line).ok()?;
    text.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// The cost of reading the clock twice, in nanoseconds, part of every time: the median of 1,001
/// empty intervals.
pub fn overhead_ns() -> f64 {
    let mut empty: Vec<f64> = (0..1001)
        .map(|_| Stopwatch::start().nanoseconds())
        .collect();
    crate::statistics::median(&mut empty).unwrap_or(0.0)
}

#[cfg(test)]
mod tests;
