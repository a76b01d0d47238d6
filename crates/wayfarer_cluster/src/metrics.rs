//! Counters of a process, as Prometheus text.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper bounds of the latency buckets, in microseconds.
const BUCKETS: [u64; 12] = [
    50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 100_000, 1_000_000, 10_000_000,
];

/// Counters of one process; they wrap never and reset with the process.
#[derive(Debug, Default)]
pub struct Metrics {
    pub(crate) queries: AtomicU64,
    pub(crate) busy: AtomicU64,
    pub(crate) not_ready: AtomicU64,
    pub(crate) behind: AtomicU64,
    pub(crate) expired: AtomicU64,
    pub(crate) edits: AtomicU64,
    pub(crate) edits_refused: AtomicU64,
    pub(crate) applied: AtomicU64,
    pub(crate) repeated: AtomicU64,
    pub(crate) gaps: AtomicU64,
    pub(crate) hash_checks: AtomicU64,
    pub(crate) quarantines: AtomicU64,
    pub(crate) reloads: AtomicU64,
    pub(crate) snapshots: AtomicU64,
    pub(crate) revision: AtomicU64,
    pub(crate) queued: AtomicU64,
    pub(crate) ready: AtomicU64,
    buckets: [AtomicU64; BUCKETS.len()],
    sum_us: AtomicU64,
}

/// Adds one to a counter.
pub(crate) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// A name, a description, and the value that has them.
type Row = (&'static str, &'static str, fn(&Metrics) -> &AtomicU64);

const COUNTERS: [Row; 14] = [
    ("queries_total", "requests answered", |m| &m.queries),
    ("busy_total", "requests refused: the queue was full", |m| {
        &m.busy
    }),
    ("not_ready_total", "requests refused: no world", |m| {
        &m.not_ready
    }),
    ("behind_total", "requests below their least revision", |m| {
        &m.behind
    }),
    (
        "deadline_exceeded_total",
        "requests whose deadline passed in the queue",
        |m| &m.expired,
    ),
    ("edits_total", "edit requests accepted by the log", |m| {
        &m.edits
    }),
    ("edits_refused_total", "edit requests not accepted", |m| {
        &m.edits_refused
    }),
    ("records_applied_total", "records of the log applied", |m| {
        &m.applied
    }),
    (
        "records_repeated_total",
        "records ignored as repeats",
        |m| &m.repeated,
    ),
    (
        "gaps_total",
        "gaps in the log that were fetched again",
        |m| &m.gaps,
    ),
    ("hash_checks_total", "hashes compared", |m| &m.hash_checks),
    (
        "quarantines_total",
        "times the world was found to differ",
        |m| &m.quarantines,
    ),
    ("reloads_total", "snapshots loaded", |m| &m.reloads),
    ("snapshots_total", "snapshots written", |m| &m.snapshots),
];

const GAUGES: [Row; 3] = [
    ("revision", "the revision of the world", |m| &m.revision),
    ("queue_length", "requests in the queue", |m| &m.queued),
    ("ready", "1 if queries are answered", |m| &m.ready),
];

impl Metrics {
    /// States whether the process answers queries.
    pub fn set_ready(&self, is_ready: bool) {
        self.ready.store(is_ready.into(), Ordering::Relaxed);
    }

    /// True if the process answers queries.
    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed) == 1
    }

    /// Counts a request that was answered, with its time from receipt to response.
    pub(crate) fn answered(&self, time: Duration) {
        count(&self.queries);
        let us = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.sum_us.fetch_add(us, Ordering::Relaxed);
        let bucket = BUCKETS.iter().position(|limit| us <= *limit);
        if let Some(bucket) = bucket {
            count(&self.buckets[bucket]);
        }
    }

    /// All counters in the text format of Prometheus.
    pub fn render(&self) -> String {
        let mut text = String::new();
        let value = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let mut row = |kind: &str, name: &str, help: &str, value: u64| {
            let written = writeln!(
                text,
                "# HELP wayfarer_{name} {help}\n# TYPE wayfarer_{name} {kind}\nwayfarer_{name} {value}"
            );
            written.expect("text grows without fault");
        };
        for (name, help, counter) in COUNTERS {
            row("counter", name, help, value(counter(self)));
        }
        for (name, help, gauge) in GAUGES {
            row("gauge", name, help, value(gauge(self)));
        }
        text + &self.histogram()
    }

    fn histogram(&self) -> String {
        let name = "wayfarer_query_seconds";
        let mut text =
            format!("# HELP {name} time from receipt to response\n# TYPE {name} histogram\n");
        let mut sum = 0;
        for (limit, bucket) in BUCKETS.iter().zip(&self.buckets) {
            sum += bucket.load(Ordering::Relaxed);
            text += &format!("{name}_bucket{{le=\"{}\"}} {sum}\n", seconds(*limit));
        }
        let n_queries = self.queries.load(Ordering::Relaxed);
        text += &format!("{name}_bucket{{le=\"+Inf\"}} {n_queries}\n");
        let total = self.sum_us.load(Ordering::Relaxed);
        text + &format!("{name}_sum {}\n{name}_count {n_queries}\n", seconds(total))
    }
}

fn seconds(us: u64) -> String {
    format!("{}.{:06}", us / 1_000_000, us % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_buckets_of_the_histogram_are_cumulative() {
        let metrics = Metrics::default();
        for us in [10, 60, 60, 20_000_000] {
            metrics.answered(Duration::from_micros(us));
        }
        metrics.set_ready(true);
        let text = metrics.render();
        for line in [
            "wayfarer_query_seconds_bucket{le=\"0.000050\"} 1",
            "wayfarer_query_seconds_bucket{le=\"0.000100\"} 3",
            "wayfarer_query_seconds_bucket{le=\"10.000000\"} 3",
            "wayfarer_query_seconds_bucket{le=\"+Inf\"} 4",
            "wayfarer_query_seconds_sum 20.000130",
            "wayfarer_queries_total 4",
            "wayfarer_ready 1",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
