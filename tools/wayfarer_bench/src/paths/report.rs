//! Figures of the path benchmark: the source of tables, JSON and plots.

use serde::Serialize;
use wayfarer_measure::statistics::{self, Spread};

use crate::check::Fault;
use crate::engine::{EngineInfo, MovementRule};
use crate::measure::{CaseFigures, Measured};
use crate::report::MAX_FAULTS_SHOWN;

/// The figures of one engine, on one map or over all.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EngineFigures {
    /// Queries.
    pub queries: usize,
    /// Wrong results.
    pub wrong: usize,
    /// Mean time of the best run, microseconds; over several maps, the best run of each.
    pub mean_us: f64,
    /// Median over the cases of their median times.
    pub p50_us: f64,
    /// 99th percentile of the same.
    pub p99_us: f64,
    /// The largest over the cases of each case's median of 21.
    pub max_us: f64,
    /// Mean with an empty cache, for engines with a cache.
    pub cold_mean_us: Option<f64>,
    /// Most bytes of the cache, for engines with one; over several maps, the mean.
    pub cache_bytes: Option<f64>,
    /// Nodes expanded per query, for engines that report it.
    pub expansions_mean: Option<f64>,
    /// Time over expansions.
    pub ns_per_expansion: Option<f64>,
    /// Length over the optimum of the benchmark's rule, over right results.
    pub length_ratio: Option<Spread>,
    /// Length over the proven lower bound, for engines that prove one.
    pub proven_bound: Option<Spread>,
    /// Paths with a diagonal past a closed cell.
    pub cut_corners: usize,
    /// Right results longer than the optimum under the engine's own rule.
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
    /// Worst run's mean over best run's, the largest over the maps: the noise of the machine.
    pub noise: f64,
}

impl EngineFigures {
    /// The figures of one engine over the maps it was measured on.
    pub fn of(maps: &[&Measured], memory_counted: bool) -> Self {
        let n_cases: usize = maps.iter().map(|map| map.cases.len()).sum();
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
            (n_cases > 0).then(|| sum / n_cases as f64)
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

/// Queries of the engine: those it was timed on and those it panicked on.
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
    /// Its figures.
    #[serde(flatten)]
    pub figures: EngineFigures,
    /// Each run's mean, microseconds.
    pub run_means_us: Vec<f64>,
}

/// A wrong result.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FaultRow {
    /// The map.
    pub map: String,
    /// Start, x and y.
    pub start: [i32; 2],
    /// Goal, x and y.
    pub goal: [i32; 2],
    /// The fault.
    pub fault: Fault,
}

/// One engine over all maps.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EngineReport {
    /// Its name.
    pub name: String,
    /// Its movement rule.
    pub rule: MovementRule,
    /// Its suboptimality bound.
    pub bound: Option<f64>,
    /// Totals over the maps it accepted.
    #[serde(flatten)]
    pub figures: EngineFigures,
    /// Map by map.
    pub maps: Vec<MapRow>,
    /// The first wrong results, at most [`MAX_FAULTS_SHOWN`].
    pub faults: Vec<FaultRow>,
    /// Maps it rejected, and why.
    #[serde(rename = "refused")]
    pub rejected: Vec<String>,
    /// Every case, for plots.
    #[serde(skip)]
    pub cases: Vec<CaseFigures>,
}

impl EngineReport {
    /// The report of one engine from the measurements on each map, in order.
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
            figures: EngineFigures::of(&all, memory_counted),
            maps: maps
                .iter()
                .map(|(name, measured)| MapRow {
                    map: (*name).to_owned(),
                    figures: EngineFigures::of(&[measured], memory_counted),
                    run_means_us: measured.run_means_us.clone(),
                })
                .collect(),
            faults: faults.take(MAX_FAULTS_SHOWN).collect(),
            rejected: Vec::new(),
            cases: all.iter().flat_map(|map| map.cases.clone()).collect(),
            name: about.name,
            rule: about.rule,
            bound: about.bound,
        }
    }
}

/// How much faster the first engine is than another, on the maps both accepted.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BaselineComparison {
    /// The other engine.
    pub name: String,
    /// Its mean time over the first engine's, over those maps together.
    pub times_as_fast: f64,
    /// The least of that ratio over the maps.
    pub least: f64,
}

/// Engines on paths; the totals are those of the first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PathFigures {
    /// The first engine's name.
    pub method: String,
    /// The first engine's totals.
    #[serde(flatten)]
    pub first: EngineFigures,
    /// The first engine map by map.
    pub maps: Vec<MapRow>,
    /// The first engine against each other one.
    pub against: Vec<BaselineComparison>,
    /// Every engine, the first too.
    pub engines: Vec<EngineReport>,
}

impl PathFigures {
    /// The figures of all engines, the measured one first; `None` without an engine.
    pub fn new(engines: Vec<EngineReport>) -> Option<Self> {
        let first = engines.first()?;
        let against = engines[1..].iter().map(|other| against(first, other));
        Some(Self {
            method: first.name.clone(),
            first: first.figures.clone(),
            maps: first.maps.clone(),
            against: against.collect(),
            engines,
        })
    }
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
