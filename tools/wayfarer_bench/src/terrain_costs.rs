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
use wayfarer_measure::machine::{self, Machine};
use wayfarer_measure::statistics::mean;
use wayfarer_measure::table::{Table, short};

use crate::calibration;
use crate::engine::EngineError;
use crate::error::BenchError;
use crate::load;
use crate::memory;
use crate::query::{Case, QuerySet};
use crate::report::pretty_json;

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
    /// How often each question is asked after it was asked once; the best time counts.
    pub runs: usize,
    /// Where the boxes lie.
    pub seed: u64,
    /// Whether to keep the program on one core from here to its end.
    pub pin: bool,
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
    /// Mean with nothing remembered.
    pub jps_us: f64,
    /// Mean, warm.
    pub optimal_us: f64,
    /// Mean, warm.
    pub bounded_us: f64,
    /// Mean expansions of `plain`, `jps_cached` and `default`.
    pub expansions: [f64; 3],
}

/// A whole measurement.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TerrainCostsReport {
    /// The layout of this value.
    pub schema: &'static str,
    /// How to make it again.
    pub command: String,
    /// Where it was made.
    pub machine: Machine,
    /// Nanoseconds per expansion of the dense bucket A* on the fixed world, to compare machines.
    pub calibration: f64,
    /// Map by map, share by share.
    pub rows: Vec<Row>,
    /// Wrong answers.
    pub wrong: usize,
    /// The first of them.
    pub faults: Vec<String>,
}

impl TerrainCostsReport {
    /// The layout's name, with its version.
    pub const SCHEMA: &'static str = "wayfarer/bench-terrain-costs/2";

    /// The report as JSON, readable, with a line end.
    pub fn to_json(&self) -> String {
        pretty_json(self)
    }
}

/// Measures.
///
/// # Errors
/// Unreadable files. A wrong answer is no error: it is counted in the report.
pub fn run(arguments: &Arguments) -> Result<TerrainCostsReport, BenchError> {
    let files = load::find(&arguments.maps)?;
    let pinned = machine::pin_if(arguments.pin);
    let mut report = TerrainCostsReport {
        schema: TerrainCostsReport::SCHEMA,
        command: format!(
            "bench terrain-costs --maps {} --sample {} --runs {} --seed {}",
            arguments.maps.display(),
            arguments.sample,
            arguments.runs,
            arguments.seed
        ),
        machine: Machine::here(&pinned, memory::is_counted()),
        calibration: calibration::ns_per_expansion()?,
        rows: Vec::new(),
        wrong: 0,
        faults: Vec::new(),
    };
    for file in &files {
        let set = file.load(Some(arguments.sample), 0)?;
        for percent in SHARES {
            let row = measure(&set, percent, arguments, &mut report)?;
            report.rows.push(row);
        }
    }
    Ok(report)
}

fn measure(
    set: &QuerySet,
    percent: usize,
    arguments: &Arguments,
    report: &mut TerrainCostsReport,
) -> Result<Row, BenchError> {
    let mut ground = Ground::from_raster(&set.map);
    let (boxes, n_costly) = boxes(set, percent, &mut Rng::for_stream(arguments.seed, 61));
    ground.apply(&boxes).map_err(|error| EngineError::Map {
        engine: "the ground".to_owned(),
        reason: format!("dear boxes on {}: {error}", set.name),
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
                let ask = || searcher.find(&ground, &request).ok()?.found();
                let (path, nanoseconds): (Option<GroundPath>, f64) = timer.time(ask);
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
                report.wrong += 1;
                let (map, from, to) = (&set.name, case.start, case.goal);
                let fault = format!("{map}, {percent} % dear, {from} to {to}: {costs:?}");
                report.faults.push(fault);
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

/// True if `jps_cached` costs what `plain` does, and `default` no more than its weight allows.
fn is_right([plain, exact, default]: [Option<u64>; 3]) -> bool {
    let most = |cost: u64| cost * u64::from(HeuristicWeight::BOUNDED.to_1024ths()) / 1024;
    plain == exact
        && match (plain, default) {
            (Some(plain), Some(default)) => plain <= default && default <= most(plain),
            (plain, default) => plain == default,
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

/// The report as text: the machine, the figures, then what was wrong.
pub fn render(report: &TerrainCostsReport) -> String {
    let mut table = Table::new([
        "map",
        "dear %",
        "boxes",
        "plain us",
        "exact us",
        "default us",
        "exact / plain",
        "expansions of exact",
    ]);
    for row in &report.rows {
        table.row(vec![
            row.map.clone(),
            short(row.costly_percent),
            row.n_boxes.to_string(),
            short(row.jps_us),
            short(row.optimal_us),
            short(row.bounded_us),
            format!("{:.2}", row.optimal_us / row.jps_us),
            short(row.expansions[1]),
        ]);
    }
    let mut text = format!(
        "{}\ncalibration {:.1} ns per expansion\n\n{}",
        report.machine,
        report.calibration,
        table.render()
    );
    for fault in report.faults.iter().take(5) {
        text += &format!("wrong: {fault}\n");
    }
    text
}

#[cfg(test)]
mod tests;
