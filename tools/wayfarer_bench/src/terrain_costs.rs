//! `bench terrain-costs`: paths over maps with a growing share of costly cells.
//!
//! The same queries run by every method. `optimal` must cost what `jps` costs, and `bounded` must keep its
//! bound.

use std::path::PathBuf;

use serde::Serialize;
use wayfarer::base::{
    Cell, Column, CostModifier, CostModifierId, CostMultiplier, GroundEdit, Rect, Rng, Shape,
};
use wayfarer::search::ground::jps_cached::HeuristicWeight;
use wayfarer::search::ground::{GroundPath, GroundRequest, Method, PathSearcher};
use wayfarer::world::ground::Ground;
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics::mean;

use crate::engine::EngineError;
use crate::error::BenchError;
use crate::load;
use crate::query::{Case, QuerySet};
use crate::report::{Benchmark, CommandLine, Faults, Figures, Progress};
use crate::table::{fixed, table};

/// Shares of the open cells that are costly, in percent.
pub const SHARES: [usize; 8] = [0, 1, 2, 5, 10, 20, 50, 100];

/// Side of a costly box in cells.
const BOX: i32 = 12;

/// What is measured.
const METHODS: [Method; 3] = [Method::Jps, Method::Optimal, Method::Bounded];

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// A folder of `.map` files with `.scen` files beside them, or one such `.map` file.
    pub maps: PathBuf,
    /// Problems taken from each map, evenly spread over its list.
    pub sample: usize,
    /// Runs of each query after the first; the best time counts.
    pub runs: usize,
    /// Where the boxes lie.
    pub seed: u64,
}

/// One map with a share of costly ground; times in microseconds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// The map's name.
    pub map: String,
    /// Open cells that are costly, in percent.
    pub costly_percent: f64,
    /// Boxes.
    pub n_boxes: usize,
    /// Mean without a cache.
    pub jps_us: f64,
    /// Mean, warm.
    pub optimal_us: f64,
    /// Mean, warm.
    pub bounded_us: f64,
    /// Mean expansions of `jps`, `optimal` and `bounded`.
    pub expansions: [f64; 3],
}

/// Searches by share of costly ground.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct TerrainCostFigures {
    /// Map by map, share by share.
    pub rows: Vec<Row>,
    /// Wrong results.
    #[serde(flatten)]
    pub faults: Faults,
}

impl Benchmark for Arguments {
    type Figures = TerrainCostFigures;

    fn command(&self) -> String {
        CommandLine::new("terrain-costs")
            .option("maps", self.maps.display())
            .option("sample", self.sample)
            .option("runs", self.runs)
            .option("seed", self.seed)
            .finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<TerrainCostFigures, BenchError> {
        let files = load::find(&self.maps)?;
        let mut figures = TerrainCostFigures::default();
        for file in &files {
            progress(&file.name(), files.len());
            let set = file.load(Some(self.sample), 0)?;
            for percent in SHARES {
                let row = measure(&set, percent, self, &mut figures.faults)?;
                figures.rows.push(row);
            }
        }
        Ok(figures)
    }
}

fn measure(
    set: &QuerySet,
    percent: usize,
    arguments: &Arguments,
    faults: &mut Faults,
) -> Result<Row, BenchError> {
    let mut ground = Ground::from_raster(&set.map);
    let (boxes, n_costly) = boxes(set, percent, &mut Rng::for_stream(arguments.seed, 61));
    ground.apply(&boxes).map_err(|error| EngineError::Map {
        engine: "the ground".to_owned(),
        reason: format!("costly boxes on {}: {error}", set.name),
    })?;
    let timer = Timer::new();
    let mut searchers = METHODS.map(|_| PathSearcher::default());
    let mut times = METHODS.map(|_| vec![f64::MAX; set.cases.len()]);
    let mut expansions = METHODS.map(|_| Vec::new());
    for run in 0..=arguments.runs {
        for (index, case) in set.cases.iter().enumerate() {
            let mut costs = [None; METHODS.len()];
            for (number, method) in METHODS.into_iter().enumerate() {
                let (searcher, request) = (&mut searchers[number], request(case, method));
                let query = || searcher.find(&ground, &request).ok()?.found();
                let (path, nanoseconds): (Option<GroundPath>, f64) = timer.time(query);
                if run > 0 {
                    let best = &mut times[number][index];
                    *best = best.min(nanoseconds / 1e3);
                }
                if let Some(path) = path {
                    costs[number] = Some(u64::from(path.cost.units()));
                    expansions[number].push(path.expansions as f64);
                    searcher.recycle(path);
                }
            }
            if !is_right(costs) {
                let (map, from, to) = (&set.name, case.start, case.goal);
                faults.push(format!(
                    "{map}, {percent} % costly, {from} to {to}: {costs:?}"
                ));
            }
        }
    }
    let [jps_us, optimal_us, bounded_us] = times.map(|times| mean(&times).unwrap_or(0.0));
    Ok(Row {
        map: set.name.clone(),
        costly_percent: 100.0 * n_costly as f64 / set.open.n_open().max(1) as f64,
        n_boxes: boxes.len(),
        jps_us,
        optimal_us,
        bounded_us,
        expansions: expansions.map(|counts| mean(&counts).unwrap_or(0.0)),
    })
}

fn request(case: &Case, method: Method) -> GroundRequest {
    let cell = |column: Column| -> Cell { column.at(0) };
    GroundRequest {
        method,
        ..GroundRequest::new(cell(case.start), cell(case.goal))
    }
}

/// True if `optimal` costs what `jps` does, and `bounded` no more than its weight allows.
fn is_right([jps, optimal, bounded]: [Option<u64>; 3]) -> bool {
    let most = |cost: u64| cost * u64::from(HeuristicWeight::BOUNDED.to_1024ths()) / 1024;
    jps == optimal
        && match (jps, bounded) {
            (Some(jps), Some(bounded)) => jps <= bounded && bounded <= most(jps),
            (jps, bounded) => jps == bounded,
        }
}

/// Boxes over so many percent of the open cells, or a few more; and how many lie in them.
fn boxes(set: &QuerySet, percent: usize, rng: &mut Rng) -> (Vec<GroundEdit>, usize) {
    let (mut open, mut edits) = (set.open.clone(), Vec::new());
    let n_open = open.n_open();
    let mut n_costly = 0;
    let all = set.map.rect();
    let put = |edits: &mut Vec<GroundEdit>, rect: Rect| {
        edits.push(GroundEdit::PutCostModifier {
            id: CostModifierId(edits.len() as u64),
            modifier: CostModifier {
                shape: Shape::Box(rect),
                heights: (0, 0),
                multiplier: CostMultiplier::from_sixteenths(32).unwrap_or(CostMultiplier::MAX),
            },
        });
    };
    if percent == 100 {
        put(&mut edits, all);
        return (edits, n_open);
    }
    while n_costly * 100 < percent * n_open {
        let low = Column::new(
            rng.between(all.low.x, all.high.x),
            rng.between(all.low.y, all.high.y),
        );
        let rect = Rect::around(low, Column::new(low.x + BOX - 1, low.y + BOX - 1));
        // Each cell is counted once, wherever boxes overlap.
        let n_new = rect
            .columns()
            .filter(|at| open.is_open(*at) && open.set(*at, false))
            .count();
        if n_new > 0 {
            n_costly += n_new;
            put(&mut edits, rect);
        }
    }
    (edits, n_costly)
}

impl Figures for TerrainCostFigures {
    const SCHEMA: &'static str = "wayfarer/bench-terrain-costs/2";

    fn wrong(&self) -> usize {
        self.faults.wrong
    }

    fn render(&self) -> String {
        table!(row in &self.rows;
            "map" => row.map.as_str(),
            "costly %" => row.costly_percent,
            "boxes" => row.n_boxes,
            "jps us" => row.jps_us,
            "optimal us" => row.optimal_us,
            "bounded us" => row.bounded_us,
            "optimal / jps" => fixed(row.optimal_us / row.jps_us, 2),
            "expansions of optimal" => row.expansions[1],
        )
    }

    fn faults(&self) -> Vec<String> {
        self.faults.faults.clone()
    }
}

#[cfg(test)]
mod tests;
