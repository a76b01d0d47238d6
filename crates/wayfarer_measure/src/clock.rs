//! The one place that looks at the clock.
//!
//! A time is that of the engine alone: what the system gave to other programs in between is taken
//! off, where the system tells (Linux does). Caches that others have used up in the meantime stay
//! used up, so a busy machine is still a slower one.

use std::fs::File;
use std::time::Instant;

use serde::Serialize;

/// A stopwatch; resolution is that of the system's monotonic clock, some tens of nanoseconds.
#[derive(Clone, Copy, Debug)]
struct Stopwatch {
    begun: Instant,
}

impl Stopwatch {
    #[inline]
    fn start() -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "measuring is what this crate is for; it never runs on wasm32"
        )]
        let begun = Instant::now();
        Self { begun }
    }

    #[inline]
    fn nanoseconds(self) -> f64 {
        // Exact up to 2^53 ns, which is 104 days.
        self.begun.elapsed().as_nanos() as f64
    }
}

/// Whether times are free of what other programs took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Waiting {
    /// Time spent waiting for a core is taken off.
    TakenOff,
    /// The system does not tell; times hold it.
    Included,
}

/// Times pieces of work on the thread that made it.
#[derive(Debug)]
pub struct Timer {
    /// Where the system tells how long this thread has waited for a core.
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

    /// Whether its times are free of what other programs took.
    pub const fn waiting(&self) -> Waiting {
        match self.waits {
            Some(_) => Waiting::TakenOff,
            None => Waiting::Included,
        }
    }

    /// Does `work`; its result and its time in nanoseconds.
    #[inline]
    pub fn time<T>(&self, work: impl FnOnce() -> T) -> (T, f64) {
        let (result, nanoseconds, _) = self.time_disturbed(work);
        (result, nanoseconds)
    }

    /// Does `work` that other threads do, too; its result and the time until all of it is done, in
    /// nanoseconds. Nothing is taken off: who waits for threads does not wait for a core.
    pub fn time_of_all<T>(&self, work: impl FnOnce() -> T) -> (T, f64) {
        let watch = Stopwatch::start();
        let result = work();
        (result, watch.nanoseconds())
    }

    /// Does `work`; its result, its time in nanoseconds, and true if the system is known to have
    /// run another program in between or just before or after: a time of a few microseconds is
    /// worth nothing then, whatever is taken off.
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

    /// Nanoseconds this thread has waited for a core since it began.
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

/// What work took, given that the watch ran for so long, asking the system for so long around it, and
/// that this thread waited for a core meanwhile; all in nanoseconds. Others like to come in when the
/// system is asked: as much as may have been waited around the work is not taken off, lest the best
/// of many times be one that was never taken.
fn own_time(subscribed: f64, around: f64, waited: f64) -> f64 {
    let waited_within = (waited - around).max(0.0);
    (subscribed - waited_within).max(subscribed.min(1.0))
}

/// The second of the numbers in a line.
fn second_number(line: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(line).ok()?;
    text.split_ascii_whitespace().nth(1)?.parse().ok()
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

#[cfg(test)]
mod tests;
