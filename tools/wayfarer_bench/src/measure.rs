//! Runs every engine on every query, in alternating order over several runs, and checks every result.

mod runner;

use wayfarer_engine::base::Column;

use self::runner::Runner;
use crate::check::Fault;
use crate::engine::{Engine, EngineError, EngineInfo, MovementRule};
use crate::query::QuerySet;

/// Runs and repetitions. The default is that of all published figures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Runs over all queries; the best run's mean counts. At least 1.
    pub runs: usize,
    /// Repetitions of a slow case in all; its median counts.
    pub repeats: usize,
    /// Slowest cases that are repeated; the largest of their medians is `max`.
    pub n_slowest: usize,
    /// Queries of an engine before the next engine takes its turn. At least 1.
    pub turn: usize,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            runs: 5,
            repeats: 21,
            n_slowest: 16,
            turn: 64,
        }
    }
}

/// The figures of one query.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CaseFigures {
    /// The median of its times in microseconds.
    pub time_us: f64,
    /// The least length under the benchmark's rule.
    pub best: Option<f64>,
    /// The path's length over `best`, where both are there and `best` is not 0.
    pub ratio: Option<f64>,
    /// Nodes expanded, if the engine reports it.
    pub expansions: Option<u64>,
    /// The path's length over the proven lower bound.
    pub proven_bound: Option<f64>,
}

/// A wrong result.
#[derive(Clone, PartialEq, Debug)]
pub struct Wrong {
    /// Start.
    pub start: Column,
    /// Goal.
    pub goal: Column,
    /// The fault.
    pub fault: Fault,
}

/// One engine on one map.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// The engine.
    pub about: EngineInfo,
    /// Preprocessing in milliseconds.
    pub prepare_ms: f64,
    /// Bytes it holds once prepared and warm, path buffer not counted.
    pub memory_bytes: i64,
    /// Most bytes it held at once.
    pub peak_bytes: i64,
    /// Allocations in all timed runs but the first.
    pub allocations: u64,
    /// Queries in those runs.
    pub n_counted: u64,
    /// Mean of each run in microseconds, in order.
    pub run_means_us: Vec<f64>,
    /// Mean with an empty cache, for engines with a cache.
    pub cold_mean_us: Option<f64>,
    /// Most bytes of the cache at the end of a run, for engines with one.
    pub cache_bytes: Option<usize>,
    /// Each query in order; those that made the engine panic are left out.
    pub cases: Vec<CaseFigures>,
    /// Wrong results, at most one for each query.
    pub wrong: Vec<Wrong>,
    /// Paths with a diagonal past a closed cell.
    pub n_corner_cutters: usize,
    /// Paths longer than the best under the engine's own rule by more than one part in 10,000.
    pub n_longer: usize,
}

impl Measured {
    /// The best run's mean in microseconds; 0 without a query.
    pub fn mean_us(&self) -> f64 {
        self.run_means_us
            .iter()
            .copied()
            .min_by(f64::total_cmp)
            .unwrap_or(0.0)
    }
}

/// Runs the queries of `set` on every engine.
///
/// Each engine prepares and runs all queries once with every result checked (with an empty cache, if
/// it has one), then all take turns in `plan.runs` timed runs, the first of which is checked too; at
/// last the slowest cases of each are repeated. Engines come without a map, or the memory they free
/// would be subtracted. The result of an engine that rejects the map is its error; a panic on a query
/// is a wrong result.
pub fn measure(
    engines: &mut [Box<dyn Engine>],
    set: &mut QuerySet,
    plan: &Plan,
) -> Vec<Result<Measured, EngineError>> {
    if engines
        .iter()
        .any(|engine| engine.about().rule == MovementRule::CutsCorners)
    {
        set.solve_cutting();
    }
    let set = &*set;
    let mut runners: Vec<Result<Runner<'_>, EngineError>> = engines
        .iter_mut()
        .map(|engine| Runner::prepare(engine.as_mut(), set))
        .collect();
    let mut ready: Vec<&mut Runner<'_>> = runners.iter_mut().flatten().collect();
    for runner in &mut ready {
        runner.check_all(set);
    }
    let n_cases = set.cases.len();
    for run in 0..plan.runs.max(1) {
        for runner in &mut ready {
            runner.begin_run(set);
        }
        for (turn, first) in (0..n_cases).step_by(plan.turn.max(1)).enumerate() {
            let cases = first..n_cases.min(first + plan.turn.max(1));
            // Another engine begins each turn.
            for place in 0..ready.len() {
                let n_ready = ready.len();
                ready[(place + turn + run) % n_ready].take_turn(set, cases.clone(), run);
            }
        }
    }
    for runner in &mut ready {
        runner.repeat_slowest(set, plan);
    }
    runners
        .into_iter()
        .map(|runner| runner.map(|runner| runner.finish(set)))
        .collect()
}

#[cfg(test)]
mod tests;
