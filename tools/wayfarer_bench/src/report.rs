//! The report of `bench paths`: what tables, JSON and plots are made of.

use serde::Serialize;
use wayfarer_measure::machine::Machine;
use wayfarer_measure::statistics::{self, Spread};

use crate::check::Fault;
use crate::engine::{EngineInfo, MovementRule};
use crate::measure::{CaseFigures, Measured};

/// Most wrong answers of an engine that a report shows one by one.
pub const MAX_FAULTS_SHOWN: usize = 10;

/// The figures of one engine, on one map or over all.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figures {
    /// Questions asked.
    pub queries: usize,
    /// Answers that were wrong.
    pub wrong: usize,
    /// Mean time of the best run, microseconds; over several maps, the best run of each.
    pub mean_us: f64,
    /// Median over the cases of their median times.
    pub p50_us: f64,
    /// 99th percentile of the same.
    pub p99_us: f64,
    /// The largest over the cases of each case's median of 21.
    pub max_us: f64,
    /// Mean with nothing remembered, for engines that remember.
    pub cold_mean_us: Option<f64>,
    /// Most bytes remembered, for engines that remember; over several maps, the mean.
    pub cache_bytes: Option<f64>,
    /// Nodes expanded per query, for engines that tell.
    pub expansions_mean: Option<f64>,
    /// Time over expansions.
    pub ns_per_expansion: Option<f64>,
    /// Length over the optimum of the benchmark's rule, over right answers.
    pub length_ratio: Option<Spread>,
    /// Length over what the engine proves that the best measures at least, for engines that do.
    pub proven_bound: Option<Spread>,
    /// Paths with a diagonal past a closed cell.
    pub cut_corners: usize,
    /// Right answers longer than the best under the engine's own rule.
    pub longer: usize,
    /// Preprocessing, milliseconds; over several maps, the mean.
    pub prepare_ms: f64,
    /// Bytes held once prepared and warm; over several maps, the mean. `None` if not counted.
    pub memory_bytes: Option<f64>,
    /// The largest over the maps.
    pub memory_bytes_max: Option<i64>,
    /// Most bytes held at once, preprocessing included; the largest over the maps.
    pub peak_bytes_max: Option<i64>,
    /// Allocations per query once warm.
    pub allocations_per_query: Option<f64>,
    /// Worst run's mean over best run's, the largest over the maps: how noisy the machine was.
    pub noise: f64,
}

impl Figures {
    /// The figures of one engine over the maps it was measured on.
    pub fn of(maps: &[&Measured], memory_counted: bool) -> Self {
        let n_asked: usize = maps.iter().map(|map| map.cases.len()).sum();
        let cases = || maps.iter().flat_map(|map| &map.cases);
        let mut times: Vec<f64> = cases().map(|case| case.time_us).collect();
        let mut ratios: Vec<f64> = cases().filter_map(|case| case.ratio).collect();
        let mut proven: Vec<f64> = cases().filter_map(|case| case.proven_bound).collect();
        let times = Spread::of(&mut times);
        let weighed = |figure: &dyn Fn(&Measured) -> Option<f64>| {
            let parts: Option<Vec<f64>> = maps
                .iter()
                .map(|map| Some(figure(map)? * map.cases.len() as f64))
                .collect();
            let sum: f64 = parts?.iter().sum();
            (n_asked > 0).then(|| sum / n_asked as f64)
        };
        let mean_us = weighed(&|map| Some(map.mean_us())).unwrap_or(0.0);
        let expansions: Option<Vec<f64>> = cases()
            .map(|case| case.expansions.map(|n| n as f64))
            .collect();
        let expansions_mean = expansions.and_then(|all| statistics::mean(&all));
        let prepare: Vec<f64> = maps.iter().map(|map| map.prepare_ms).collect();
        let bytes: Vec<f64> = maps.iter().map(|map| map.memory_bytes as f64).collect();
        let caches: Option<Vec<f64>> = maps
            .iter()
            .map(|map| map.cache_bytes.map(|bytes| bytes as f64))
            .collect();
        let counted = |figure: Option<i64>| figure.filter(|_| memory_counted);
        let n_counted: u64 = maps.iter().map(|map| map.n_counted).sum();
        let allocations: u64 = maps.iter().map(|map| map.allocations).sum();
        Self {
            queries: maps.iter().map(|map| n_queries(map)).sum(),
            wrong: maps.iter().map(|map| map.wrong.len()).sum(),
            mean_us,
            p50_us: times.map_or(0.0, |it| it.p50),
            p99_us: times.map_or(0.0, |it| it.p99),
            max_us: times.map_or(0.0, |it| it.max),
            cold_mean_us: weighed(&|map| map.cold_mean_us),
            cache_bytes: caches.and_then(|caches| statistics::mean(&caches)),
            expansions_mean,
            ns_per_expansion: expansions_mean
                .filter(|&mean| mean > 0.0)
                .map(|mean| mean_us * 1e3 / mean),
            length_ratio: Spread::of(&mut ratios),
            proven_bound: Spread::of(&mut proven),
            cut_corners: maps.iter().map(|map| map.n_corner_cutters).sum(),
            longer: maps.iter().map(|map| map.n_longer).sum(),
            prepare_ms: statistics::mean(&prepare).unwrap_or(0.0),
            memory_bytes: statistics::mean(&bytes).filter(|_| memory_counted),
            memory_bytes_max: counted(maps.iter().map(|map| map.memory_bytes).max()),
            peak_bytes_max: counted(maps.iter().map(|map| map.peak_bytes).max()),
            allocations_per_query: (memory_counted && n_counted > 0)
                .then(|| allocations as f64 / n_counted as f64),
            noise: maps.iter().map(|map| noise(map)).fold(1.0, f64::max),
        }
    }
}

/// Questions put to the engine: those it was timed on and those it panicked on.
fn n_queries(map: &Measured) -> usize {
    let is_panic = |fault: &Fault| *fault == Fault::Panicked;
    map.cases.len() + map.wrong.iter().filter(|it| is_panic(&it.fault)).count()
}

fn noise(map: &Measured) -> f64 {
    let best = map.mean_us();
    let worst = map.run_means_us.iter().copied().fold(best, f64::max);
    if best > 0.0 { worst / best } else { 1.0 }
}

/// One engine on one map.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MapRow {
    /// The map's name.
    pub map: String,
    /// What it came to.
    #[serde(flatten)]
    pub figures: Figures,
    /// Each run's mean, microseconds.
    pub run_means_us: Vec<f64>,
}

/// A wrong answer, so that it can be asked again.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FaultRow {
    /// On which map.
    pub map: String,
    /// From where, x and y.
    pub start: [i32; 2],
    /// To where, x and y.
    pub goal: [i32; 2],
    /// What was wrong.
    pub fault: Fault,
}

/// One engine over all maps.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EngineReport {
    /// Its name.
    pub name: String,
    /// How its paths run.
    pub rule: MovementRule,
    /// What it promises of their length.
    pub bound: Option<f64>,
    /// Totals over the maps it took.
    #[serde(flatten)]
    pub figures: Figures,
    /// Map by map.
    pub maps: Vec<MapRow>,
    /// The first wrong answers, at most [`MAX_FAULTS_SHOWN`].
    pub faults: Vec<FaultRow>,
    /// Maps it refused, and why.
    pub refused: Vec<String>,
    /// Every case, for plots.
    #[serde(skip)]
    pub cases: Vec<CaseFigures>,
}

impl EngineReport {
    /// The report of one engine from what was measured on each map, in order.
    pub fn new(about: EngineInfo, maps: &[(&str, &Measured)], memory_counted: bool) -> Self {
        let all: Vec<&Measured> = maps.iter().map(|(_, measured)| *measured).collect();
        let faults = maps.iter().flat_map(|(name, measured)| {
            measured.wrong.iter().map(|wrong| FaultRow {
                map: (*name).to_owned(),
                start: [wrong.start.x, wrong.start.y],
                goal: [wrong.goal.x, wrong.goal.y],
                fault: wrong.fault.clone(),
            })
        });
        Self {
            figures: Figures::of(&all, memory_counted),
            maps: maps
                .iter()
                .map(|(name, measured)| MapRow {
                    map: (*name).to_owned(),
                    figures: Figures::of(&[measured], memory_counted),
                    run_means_us: measured.run_means_us.clone(),
                })
                .collect(),
            faults: faults.take(MAX_FAULTS_SHOWN).collect(),
            refused: Vec::new(),
            cases: all.iter().flat_map(|map| map.cases.clone()).collect(),
            name: about.name,
            rule: about.rule,
            bound: about.bound,
        }
    }
}

/// How much faster the first engine is than another, on the maps both took.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BaselineComparison {
    /// The other engine.
    pub name: String,
    /// Its mean time over the first engine's, over those maps together.
    pub times_as_fast: f64,
    /// The least of that ratio over the maps.
    pub least: f64,
}

/// A whole measurement of paths. The totals on top are those of the first engine.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// The layout of this value.
    pub schema: &'static str,
    /// How to make it again.
    pub command: String,
    /// Where it was made.
    pub machine: Machine,
    /// Nanoseconds per expansion of the dense bucket A* on the fixed world, to compare machines.
    pub calibration: f64,
    /// The first engine's name.
    pub method: String,
    /// The first engine's totals.
    #[serde(flatten)]
    pub figures: Figures,
    /// The first engine map by map.
    pub maps: Vec<MapRow>,
    /// The first engine against each other one.
    pub against: Vec<BaselineComparison>,
    /// Every engine, the first too.
    pub engines: Vec<EngineReport>,
}

impl Report {
    /// The layout's name, with its version.
    pub const SCHEMA: &'static str = "wayfarer/bench-paths/1";

    /// A report from what each engine did, the one in question first; `None` if there is none.
    pub fn new(
        command: String,
        machine: Machine,
        calibration: f64,
        engines: Vec<EngineReport>,
    ) -> Option<Self> {
        let first = engines.first()?;
        let against = engines[1..].iter().map(|other| against(first, other));
        Some(Self {
            schema: Self::SCHEMA,
            command,
            machine,
            calibration,
            method: first.name.clone(),
            figures: first.figures.clone(),
            maps: first.maps.clone(),
            against: against.collect(),
            engines,
        })
    }

    /// The report as JSON, readable, with a line end.
    pub fn to_json(&self) -> String {
        pretty_json(self)
    }
}

/// Any report as JSON, readable, with a line end.
pub(crate) fn pretty_json(report: &impl Serialize) -> String {
    let mut text =
        serde_json::to_string_pretty(report).expect("plain values always have a JSON form");
    text.push('\n');
    text
}

fn against(first: &EngineReport, other: &EngineReport) -> BaselineComparison {
    let (mut ours, mut theirs, mut least) = (0.0, 0.0, f64::INFINITY);
    for mine in &first.maps {
        let Some(its) = other.maps.iter().find(|row| row.map == mine.map) else {
            continue;
        };
        let n = mine.figures.queries as f64;
        ours += mine.figures.mean_us * n;
        theirs += its.figures.mean_us * n;
        least = least.min(its.figures.mean_us / mine.figures.mean_us);
    }
    BaselineComparison {
        name: other.name.clone(),
        times_as_fast: theirs / ours,
        least,
    }
}

#[cfg(test)]
mod tests;
