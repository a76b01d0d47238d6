//! `bench terrain-costs`: paths over maps with cost multipliers of several kinds and shares.
//!
//! `optimal` runs cold, then with prepared tables, then after edits on its paths; A\* gives the
//! costs it must have. With the feature `baselines` other libraries run the same queries.

use std::path::PathBuf;

use serde::Serialize;
use wayfarer_engine::base::{Budget, Column, Rng};
use wayfarer_engine::search::ground::{GroundPath, GroundRequest, Method, PathSearcher};
use wayfarer_engine::world::ground::Ground;
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics::{mean, percentile};

use crate::engine::EngineError;
use crate::error::BenchError;
use crate::load;
use crate::query::{Case, QuerySet};
use crate::report::{Benchmark, CommandLine, Faults, Figures, Progress};
use crate::table::{fixed, table};

#[cfg(feature = "baselines")]
mod baselines;
mod kinds;

pub use kinds::Kind;
use kinds::WeightedMap;

/// Queries that are repeated after an edit on their path.
const MAX_EDITS: usize = 40;

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// A folder of `.map` files with `.scen` files beside them, or one such `.map` file.
    pub maps: PathBuf,
    /// How multipliers lie on the maps.
    pub kinds: Vec<Kind>,
    /// Shares of the open cells with a multiplier above 1, in percent.
    pub shares: Vec<usize>,
    /// Problems taken from each map, evenly spread over its list.
    pub sample: usize,
    /// Runs of each query after the first; the best time counts.
    pub runs: usize,
    /// Where the multipliers lie.
    pub seed: u64,
    /// Whether other libraries run, too; needs the feature `baselines`.
    pub with_baselines: bool,
}

/// Cost of a path relative to the optimal one.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct CostRatio {
    /// Mean.
    pub mean: f64,
    /// Maximum.
    pub max: f64,
}

/// What was measured of one engine; times in microseconds.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Measured {
    /// Mean over the queries, warm, best of all runs.
    pub mean_us: f64,
    /// 99th percentile of the same.
    pub p99_us: f64,
    /// The first query with nothing prepared.
    pub cold_first_us: f64,
    /// Costs relative to those of A\*.
    pub cost_ratio: CostRatio,
    /// Preparation by open cell.
    pub prepare_us_per_cell: f64,
    /// Memory after preparation by open cell; 0 if not known.
    pub bytes_per_cell: f64,
    /// How much longer a query takes just after an edit on its path; 0 if not measured.
    pub after_edit_us: f64,
}

/// One engine on one map with multipliers of one kind and share.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// The map's name.
    pub map: String,
    /// How multipliers lie.
    pub kind: &'static str,
    /// Open cells with a multiplier above 1, in percent.
    pub share: usize,
    /// `optimal`, `astar` or a library.
    pub engine: String,
    /// Its figures.
    #[serde(flatten)]
    pub measured: Measured,
}

/// Searches by kind and share of weighted ground.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct TerrainCostFigures {
    /// The means of `optimal` over all maps, if there is one kind and one share.
    #[serde(flatten)]
    pub optimal: Option<Measured>,
    /// Map by map, kind by kind, share by share.
    pub rows: Vec<Row>,
    /// Wrong results.
    #[serde(flatten)]
    pub faults: Faults,
}

impl Benchmark for Arguments {
    type Figures = TerrainCostFigures;

    fn command(&self) -> String {
        let kinds: Vec<&str> = self.kinds.iter().map(|kind| kind.name()).collect();
        CommandLine::new("terrain-costs")
            .option("maps", self.maps.display())
            .list("kind", &kinds)
            .list("share", &self.shares)
            .option("sample", self.sample)
            .option("runs", self.runs)
            .option("seed", self.seed)
            .flag("baselines", self.with_baselines)
            .finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<TerrainCostFigures, BenchError> {
        if self.with_baselines && !cfg!(feature = "baselines") {
            return Err(BenchError::NoBaselines);
        }
        let files = load::find(&self.maps)?;
        let mut figures = TerrainCostFigures::default();
        for file in &files {
            progress(&file.name(), files.len());
            let set = file.load(Some(self.sample), 0)?;
            for kind in &self.kinds {
                for share in &self.shares {
                    self.measure_map(&set, *kind, *share, &mut figures)?;
                }
            }
        }
        if self.kinds.len() == 1 && self.shares.len() == 1 {
            figures.optimal = Some(mean_of(&figures.rows));
        }
        Ok(figures)
    }
}

impl Arguments {
    fn measure_map(
        &self,
        set: &QuerySet,
        kind: Kind,
        share: usize,
        figures: &mut TerrainCostFigures,
    ) -> Result<(), BenchError> {
        let map = WeightedMap::new(set, kind, share, &mut Rng::for_stream(self.seed, 61));
        let ground = Ground::from_data(&map.world()).map_err(|error| EngineError::Map {
            engine: "the ground".to_owned(),
            reason: format!("{} on {}: {error}", kind.name(), set.name),
        })?;
        let mut add = |engine: &str, measured: Measured| {
            figures.rows.push(Row {
                map: set.name.clone(),
                kind: kind.name(),
                share,
                engine: engine.to_owned(),
                measured,
            });
        };
        let (reference, costs) = self.measure_astar(set, &ground);
        add("astar", reference);
        let measured = self.measure_optimal(set, &map, ground, &costs, &mut figures.faults)?;
        add("optimal", measured);
        #[cfg(feature = "baselines")]
        if self.with_baselines {
            for (name, baseline, prepare_us) in baselines::Baseline::all(&map, set) {
                let mut times = Times::new(set, &costs);
                for run in 0..=self.runs {
                    for (index, case) in set.cases.iter().enumerate() {
                        times.time(run, index, || {
                            let cells = baseline.find(case)?;
                            Some(baselines::path_cost(&map, case.start, &cells))
                        });
                    }
                }
                let mut measured = times.finish();
                measured.prepare_us_per_cell = prepare_us / set.open.n_open().max(1) as f64;
                add(&name, measured);
            }
        }
        Ok(())
    }

    /// Times A\*, and returns its costs.
    fn measure_astar(&self, set: &QuerySet, ground: &Ground) -> (Measured, Vec<Option<u64>>) {
        let mut searcher = PathSearcher::default();
        let unknown = vec![None; set.cases.len()];
        let mut times = Times::new(set, &unknown);
        let mut costs = unknown.clone();
        for run in 0..2 {
            for (index, case) in set.cases.iter().enumerate() {
                let request = request(case, Method::AStar);
                let cost = &mut costs[index];
                times.time(run, index, || {
                    *cost = cost_of(&mut searcher, ground, &request);
                    *cost
                });
            }
        }
        let mut measured = times.finish();
        measured.cost_ratio = CostRatio {
            mean: 1.0,
            max: 1.0,
        };
        (measured, costs)
    }

    fn measure_optimal(
        &self,
        set: &QuerySet,
        map: &WeightedMap,
        mut ground: Ground,
        costs: &[Option<u64>],
        faults: &mut Faults,
    ) -> Result<Measured, BenchError> {
        let timer = Timer::new();
        let mut times = Times::new(set, costs);
        let requests: Vec<GroundRequest> =
            (set.cases.iter().map(|case| request(case, Method::Optimal))).collect();
        let mut cold = PathSearcher::default();
        let first = requests.first();
        let first = first.map(|it| timer.time(|| cost_of(&mut cold, &ground, it)).1);
        let mut searcher = PathSearcher::default();
        let (_, prepare_ns) =
            timer.time(|| searcher.prepare_tables(&ground, None, Budget::UNLIMITED));
        let bytes = searcher.cache_bytes();
        for run in 0..=self.runs {
            for (index, request) in requests.iter().enumerate() {
                let cost = times.time(run, index, || cost_of(&mut searcher, &ground, request));
                if cost != costs[index] {
                    let case = &set.cases[index];
                    let (name, from, to) = (&set.name, case.start, case.goal);
                    let known = costs[index];
                    faults.push(format!("{name}, {from} to {to}: {cost:?}, A* {known:?}"));
                }
            }
        }
        let best = times.best.clone();
        let mut measured = times.finish();
        let n_open = set.open.n_open().max(1) as f64;
        measured.cold_first_us = first.unwrap_or(0.0) / 1e3;
        measured.prepare_us_per_cell = prepare_ns / 1e3 / n_open;
        measured.bytes_per_cell = bytes as f64 / n_open;
        let mut extra = Vec::new();
        for (request, best) in requests.iter().zip(best).take(MAX_EDITS) {
            let found = searcher
                .find(&ground, request)
                .ok()
                .and_then(|it| it.found());
            let Some(path) = found else { continue };
            let at = path.cells[path.cells.len() / 2].column();
            let before = map.at(at);
            for multiplier in [if before == 5 { 2 } else { 5 }, before] {
                let changes = ground.apply(&[map.edit(at, multiplier)]);
                let changes = changes.map_err(|error| EngineError::Map {
                    engine: "the ground".to_owned(),
                    reason: error.to_string(),
                })?;
                searcher.apply_changes(&ground, &changes);
                let (_, nanoseconds) = timer.time(|| cost_of(&mut searcher, &ground, request));
                extra.push(nanoseconds / 1e3 - best);
            }
        }
        measured.after_edit_us = mean(&extra).unwrap_or(0.0);
        Ok(measured)
    }
}

/// The best times of an engine's queries, and its costs.
struct Times<'a> {
    timer: Timer,
    best: Vec<f64>,
    reference: &'a [Option<u64>],
    ratios: Vec<f64>,
}

impl<'a> Times<'a> {
    fn new(set: &QuerySet, reference: &'a [Option<u64>]) -> Self {
        Self {
            timer: Timer::new(),
            best: vec![f64::MAX; set.cases.len()],
            reference,
            ratios: Vec::new(),
        }
    }

    /// Times a query, which returns the cost of its path; the first run only warms up.
    fn time(
        &mut self,
        run: usize,
        index: usize,
        query: impl FnMut() -> Option<u64>,
    ) -> Option<u64> {
        let (cost, nanoseconds) = self.timer.time(query);
        if run > 0 {
            self.best[index] = self.best[index].min(nanoseconds / 1e3);
        } else if let (Some(cost), Some(least)) = (cost, self.reference[index])
            && least > 0
        {
            self.ratios.push(cost as f64 / least as f64);
        }
        cost
    }

    fn finish(mut self) -> Measured {
        let mean_us = mean(&self.best).unwrap_or(0.0);
        self.best.sort_unstable_by(f64::total_cmp);
        Measured {
            mean_us,
            p99_us: percentile(&self.best, 99).unwrap_or(0.0),
            cost_ratio: CostRatio {
                mean: mean(&self.ratios).unwrap_or(1.0),
                max: self.ratios.iter().copied().fold(1.0, f64::max),
            },
            ..Measured::default()
        }
    }
}

fn request(case: &Case, method: Method) -> GroundRequest {
    let cell = |column: Column| column.at(0);
    GroundRequest {
        method,
        ..GroundRequest::new(cell(case.start), cell(case.goal))
    }
}

/// The cost of a query's path in units.
fn cost_of(searcher: &mut PathSearcher, ground: &Ground, request: &GroundRequest) -> Option<u64> {
    let path: GroundPath = searcher.find(ground, request).ok()?.found()?;
    let cost = u64::from(path.cost.units());
    searcher.recycle(path);
    Some(cost)
}

/// The means of the rows of `optimal`; maxima of what is a maximum.
fn mean_of(rows: &[Row]) -> Measured {
    let rows: Vec<&Measured> = (rows.iter())
        .filter(|row| row.engine == "optimal")
        .map(|row| &row.measured)
        .collect();
    let mean_by = |figure: fn(&Measured) -> f64| {
        let figures: Vec<f64> = rows.iter().map(|row| figure(row)).collect();
        mean(&figures).unwrap_or(0.0)
    };
    Measured {
        mean_us: mean_by(|row| row.mean_us),
        p99_us: mean_by(|row| row.p99_us),
        cold_first_us: mean_by(|row| row.cold_first_us),
        cost_ratio: CostRatio {
            mean: mean_by(|row| row.cost_ratio.mean),
            max: rows
                .iter()
                .map(|row| row.cost_ratio.max)
                .fold(1.0, f64::max),
        },
        prepare_us_per_cell: mean_by(|row| row.prepare_us_per_cell),
        bytes_per_cell: mean_by(|row| row.bytes_per_cell),
        after_edit_us: mean_by(|row| row.after_edit_us),
    }
}

impl Figures for TerrainCostFigures {
    const SCHEMA: &'static str = "wayfarer/bench-terrain-costs/3";

    fn wrong(&self) -> usize {
        self.faults.wrong
    }

    fn render(&self) -> String {
        table!(row in &self.rows;
            "map" => row.map.as_str(),
            "kind" => row.kind,
            "share %" => row.share,
            "engine" => row.engine.as_str(),
            "mean us" => row.measured.mean_us,
            "p99 us" => row.measured.p99_us,
            "cold us" => row.measured.cold_first_us,
            "cost ratio" => fixed(row.measured.cost_ratio.mean, 4),
            "max" => fixed(row.measured.cost_ratio.max, 4),
            "prepare us/cell" => fixed(row.measured.prepare_us_per_cell, 2),
            "bytes/cell" => row.measured.bytes_per_cell,
            "after edit us" => row.measured.after_edit_us,
        )
    }

    fn faults(&self) -> Vec<String> {
        self.faults.faults.clone()
    }
}

#[cfg(test)]
mod tests;
