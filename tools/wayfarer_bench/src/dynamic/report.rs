//! Figures of the dynamic benchmark.

use serde::Serialize;
use wayfarer_engine::base::{EditTrace, TraceStep};
use wayfarer_measure::statistics::{self, Spread};

use super::replay::Times;
use crate::report::{Figures, in_part};
use crate::table::table;

/// Faults that are listed one by one.
const MAX_REPORTED: usize = 20;

/// How one engine did. `mean`, `p50` and `p99` are those of its best run; `max` is the largest
/// over the changes (or queries) of each one's median over all runs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EngineFigures {
    /// Its name.
    pub engine: String,
    /// Queries.
    pub queries: usize,
    /// Wrong results.
    pub wrong: usize,
    /// Changes: patches without a query between them.
    pub batches: usize,
    /// Patches in all.
    pub patches: usize,
    /// Time of a change, in microseconds.
    pub change_us: Option<Spread>,
    /// Time of a query and the change before it, in microseconds.
    pub query_us: Option<Spread>,
    /// Time of a query alone, in microseconds.
    pub search_us: Option<Spread>,
    /// Everything together in the best run, in milliseconds.
    pub total_ms: f64,
    /// The same of every run, in order.
    pub run_totals_ms: Vec<f64>,
    /// Mean expansions of a query.
    pub expansions_mean: f64,
    /// The first twenty wrong results.
    pub faults: Vec<String>,
}

impl EngineFigures {
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
        // A change after the last query belongs to no query.
        let total = |run: &Times| (run.changes.iter().chain(&run.searches)).sum::<f64>();
        let run_totals_ms: Vec<f64> = runs.iter().map(|run| total(run) / 1e3).collect();
        let least = (0..runs.len()).min_by(|&a, &b| run_totals_ms[a].total_cmp(&run_totals_ms[b]));
        let spread = |times: fn(&Times) -> &Vec<f64>| {
            let mut best = times(&runs[least?]).clone();
            let mut spread = Spread::of(&mut best)?;
            let medians = (0..best.len()).filter_map(|index| {
                let mut each: Vec<f64> = runs.iter().map(|run| times(run)[index]).collect();
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

/// Engines on a map that changes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DynamicFigures {
    /// The first engine's.
    #[serde(flatten)]
    pub figures: Option<EngineFigures>,
    /// The dense bucket A*'s time for everything, in milliseconds, in the same run.
    pub dense_total_ms: f64,
    /// That over the first engine's.
    pub times_dense: f64,
    /// Every engine, in order.
    pub engines: Vec<EngineFigures>,
}

impl DynamicFigures {
    pub(super) fn new(engines: Vec<EngineFigures>) -> Self {
        let figures = engines.first().cloned();
        let dense = engines.iter().find(|it| it.engine == super::YARDSTICK);
        let dense_total_ms = dense.map_or(0.0, |dense| dense.total_ms);
        let own = figures.as_ref().map_or(0.0, |it| it.total_ms);
        Self {
            figures,
            dense_total_ms,
            times_dense: if own > 0.0 { dense_total_ms / own } else { 0.0 },
            engines,
        }
    }
}

impl Figures for DynamicFigures {
    const SCHEMA: &'static str = "wayfarer/bench-dynamic/1";

    fn wrong(&self) -> usize {
        self.engines.iter().map(|engine| engine.wrong).sum()
    }

    fn summary(&self) -> String {
        let times = self.times_dense;
        format!("dense A* takes {times:.1} times as long")
    }

    fn render(&self) -> String {
        table!(row in &self.engines;
            "engine" => row.engine.as_str(),
            "queries" => row.queries,
            "wrong" => row.wrong,
            "batches" => row.batches,
            "change us" => row.change_us.map(|it| it.mean),
            "change max" => row.change_us.map(|it| it.max),
            "query us" => row.query_us.map(|it| it.mean),
            "query max" => row.query_us.map(|it| it.max),
            "search us" => row.search_us.map(|it| it.mean),
            "expansions" => row.expansions_mean,
            "total ms" => row.total_ms,
        )
    }

    fn faults(&self) -> Vec<String> {
        let engines = self.engines.iter();
        engines
            .flat_map(|row| in_part(&row.engine, &row.faults))
            .collect()
    }
}
