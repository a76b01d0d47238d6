//! Report of the dynamic benchmark.

use serde::Serialize;
use wayfarer::base::{EditTrace, TraceStep};
use wayfarer_measure::machine::Machine;
use wayfarer_measure::statistics::{self, Spread};

use super::replay::Times;
use crate::report::pretty_json;

/// Faults that are listed one by one.
const MAX_REPORTED: usize = 20;

/// How one engine did. `mean`, `p50` and `p99` are those of its best run; `max` is the largest
/// over the changes (or questions) of each one's median over all runs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DynamicFigures {
    /// Its name.
    pub engine: String,
    /// Questions asked.
    pub queries: usize,
    /// Those answered wrongly.
    pub wrong: usize,
    /// Changes: patches with no question between them.
    pub batches: usize,
    /// Patches in all.
    pub patches: usize,
    /// What a change took, in microseconds.
    pub change_us: Option<Spread>,
    /// What a question took, the change before it added, in microseconds.
    pub query_us: Option<Spread>,
    /// What a question took by itself, in microseconds.
    pub search_us: Option<Spread>,
    /// Everything together in the best run, in milliseconds.
    pub total_ms: f64,
    /// The same of every run, in order.
    pub run_totals_ms: Vec<f64>,
    /// Taken off the open list, on average.
    pub expansions_mean: f64,
    /// What was wrong, the first twenty.
    pub faults: Vec<String>,
}

impl DynamicFigures {
    pub(super) fn new(
        engine: String,
        trace: &EditTrace,
        runs: &[Times],
        mut faults: Vec<String>,
    ) -> Self {
        let batches = trace.steps.iter().filter_map(|step| match step {
            TraceStep::Batch(edits) => Some(edits.len()),
            TraceStep::Query(_) => None,
        });
        // A change after the last question belongs to no question.
        let total = |run: &Times| (run.changes.iter().chain(&run.searches)).sum::<f64>();
        let run_totals_ms: Vec<f64> = runs.iter().map(|run| total(run) / 1e3).collect();
        let least = (0..runs.len()).min_by(|&a, &b| run_totals_ms[a].total_cmp(&run_totals_ms[b]));
        let spread = |times: fn(&Times) -> &Vec<f64>| {
            let mut best = times(&runs[least?]).clone();
            let mut spread = Spread::of(&mut best)?;
            let medians = (0..best.len()).filter_map(|place| {
                let mut each: Vec<f64> = runs.iter().map(|run| times(run)[place]).collect();
                statistics::median(&mut each)
            });
            spread.max = medians.fold(0.0, f64::max);
            Some(spread)
        };
        let wrong = faults.len();
        faults.truncate(MAX_REPORTED);
        let queries = trace.steps.len() - batches.clone().count();
        let expansions = least.map_or(0, |best| runs[best].expansions);
        Self {
            engine,
            queries,
            wrong,
            batches: batches.clone().count(),
            patches: batches.sum(),
            change_us: spread(|run| &run.changes),
            query_us: spread(|run| &run.queries),
            search_us: spread(|run| &run.searches),
            total_ms: least.map_or(0.0, |best| run_totals_ms[best]),
            run_totals_ms,
            expansions_mean: expansions as f64 / queries.max(1) as f64,
            faults,
        }
    }
}

/// A whole measurement on a map that changes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DynamicReport {
    /// The layout of this value.
    pub schema: &'static str,
    /// How to make it again.
    pub command: String,
    /// Where it was made.
    pub machine: Machine,
    /// Nanoseconds per expansion of the dense bucket A* on the fixed world, to compare machines.
    pub calibration: f64,
    /// The first engine's.
    #[serde(flatten)]
    pub figures: Option<DynamicFigures>,
    /// The dense bucket A*'s time for everything, in milliseconds, in the same run.
    pub dense_total_ms: f64,
    /// That over the first engine's.
    pub times_dense: f64,
    /// Every engine, in order.
    pub engines: Vec<DynamicFigures>,
}

impl DynamicReport {
    /// The layout's name, with its version.
    pub const SCHEMA: &'static str = "wayfarer/bench-dynamic/1";

    pub(super) fn new(
        command: String,
        machine: Machine,
        calibration: f64,
        engines: Vec<DynamicFigures>,
    ) -> Self {
        let figures = engines.first().cloned();
        let dense = engines.iter().find(|it| it.engine == super::YARDSTICK);
        let dense_total_ms = dense.map_or(0.0, |dense| dense.total_ms);
        let own = figures.as_ref().map_or(0.0, |it| it.total_ms);
        Self {
            schema: Self::SCHEMA,
            command,
            machine,
            calibration,
            figures,
            dense_total_ms,
            times_dense: if own > 0.0 { dense_total_ms / own } else { 0.0 },
            engines,
        }
    }

    /// Wrong answers of all engines together.
    pub fn wrong(&self) -> usize {
        self.engines.iter().map(|engine| engine.wrong).sum()
    }

    /// The report as JSON, readable, with a line end.
    pub fn to_json(&self) -> String {
        pretty_json(self)
    }
}
