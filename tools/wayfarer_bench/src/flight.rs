//! `bench air` with problems: time, length and legality of flights.
//!
//! Every flight is checked against the map's list of solid voxels by routines that share no code with the
//! octree: the result and the unsmoothed path, voxel by voxel, and for an agent with a radius by a swept
//! ball. Unreachable verdicts are checked too. Lengths are relative to the 26-connected optimum.

use serde::Serialize;
use wayfarer_engine::base::{Fixed, Outcome, RequestError, Voxel, VoxelSet};
use wayfarer_engine::formats::scen3d::{Scenario3d, ScenarioLine3d};
use wayfarer_engine::search::air::{FlightMethod, FlightPath, FlightRequest, FlightSearcher};
use wayfarer_engine::world::air::{Air, AirBuilder};
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics::{Spread, median};

pub mod lines;
pub mod mazes;
mod report;
pub mod rocks;

pub use report::{FlightTotals, PresetRow};

use crate::error::BenchError;
use crate::query::spread;
use lines::Bits;

/// How problems are solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlightPlan {
    /// How to search.
    pub method: FlightMethod,
    /// Take so many problems, evenly spread over the list; all of them if `None`.
    pub sample: Option<usize>,
    /// Of these only every second: from the first on, or from the second on.
    pub half: Option<Half>,
    /// Runs over all problems; a problem's time is the median of its runs.
    pub runs: usize,
    /// The agent's radius in voxels.
    pub radius: Fixed,
}

/// Every second problem: one half to weigh settings on, the other to report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    /// The first, third, fifth and so on.
    Odd,
    /// The second, fourth, sixth and so on.
    Even,
}

/// The problems of one map.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FlightFigures {
    /// Queries.
    pub queries: usize,
    /// Wrong results: none found, through solid voxels, or not from start to goal;
    /// with the exact method also of another length than the file says. For an agent with a
    /// body also flights that clip something, and ends or paths wrongly reported as too narrow.
    pub wrong: usize,
    /// Queries whose start or goal has no room for the agent; times and expansions are of the others.
    pub no_room: usize,
    /// Queries whose goal is unreachable for an agent of this radius.
    pub cut_off: usize,
    /// Flights of which every leg was checked, after and before string pulling.
    pub checked: usize,
    /// Legs of those paths before string pulling.
    pub raw_legs: usize,
    /// Median over the problems of their median times, microseconds.
    pub p50_us: f64,
    /// 99th percentile of the same.
    pub p99_us: f64,
    /// The largest.
    pub max_us: f64,
    /// The mean of the best run.
    pub mean_us: f64,
    /// Nodes expanded per query.
    pub expansions_mean: f64,
    /// The most nodes expanded for one.
    pub expansions_max: u64,
    /// Expansions by layer, all queries together: single voxels, leaves, cubes of 8, 16, ...
    pub expansions_by_layer: Vec<u64>,
    /// Length as given over the optimum in 26 directions.
    pub length_ratio: Option<Spread>,
    /// Length before string pulling over the optimum.
    pub raw_length_ratio: Option<Spread>,
    /// The first wrong results.
    pub faults: Vec<String>,
}

/// Flies the problems of a map.
///
/// # Errors
/// A map that cannot be air, or a list without problems. A wrong result is no error: it is counted.
pub fn run(
    name: &str,
    map: &VoxelSet,
    scenario: &Scenario3d,
    plan: &FlightPlan,
    timer: &Timer,
) -> Result<FlightFigures, BenchError> {
    let air = AirBuilder::from_set(map).and_then(|builder| builder.build());
    let air = air.map_err(BenchError::world(name))?;
    let bits = Bits::of(map);
    let lines = &scenario.lines;
    let sample = spread(lines.len(), plan.sample.unwrap_or(lines.len()));
    let mut problems: Vec<ScenarioLine3d> = sample.into_iter().map(|i| lines[i]).collect();
    if let Some(half) = plan.half {
        let skipped = usize::from(half == Half::Even);
        problems = problems.into_iter().skip(skipped).step_by(2).collect();
    }
    if problems.is_empty() {
        return Err(BenchError::world(name)("the scenario has no problem"));
    }
    Ok(measure(&air, &bits, &problems, plan, timer))
}

fn measure(
    air: &Air,
    bits: &Bits,
    problems: &[ScenarioLine3d],
    plan: &FlightPlan,
    timer: &Timer,
) -> FlightFigures {
    let mut searcher = FlightSearcher::default();
    let mut checked = Checked::default();
    for problem in problems {
        let result = searcher.find(air, &request(problem, plan));
        checked.raw.clear();
        checked.raw.extend(searcher.raw_waypoints(air));
        let n_layers = searcher.expansions_by_layer();
        checked.by_layer.resize(n_layers.len(), 0);
        if searcher.stats().expansions > 0 {
            for (sum, n) in checked.by_layer.iter_mut().zip(n_layers) {
                *sum += u64::from(n);
            }
        }
        checked.take(bits, problem, plan, result);
    }
    let mut times: Vec<Vec<f64>> = vec![Vec::with_capacity(plan.runs); problems.len()];
    let mut best = f64::MAX;
    for _ in 0..plan.runs.max(1) {
        let (mut sum, mut n_results) = (0.0, 0_usize);
        for (problem, times) in problems.iter().zip(&mut times) {
            let request = request(problem, plan);
            let (result, nanoseconds) = timer.time(|| searcher.find(air, &request));
            // A rejected request is no search and would lower the mean.
            if result.is_ok() {
                sum += nanoseconds;
                n_results += 1;
                times.push(nanoseconds / 1_000.0);
            }
            if let Ok(Outcome::Found(path)) = result {
                searcher.recycle(path);
            }
        }
        best = best.min(sum / n_results.max(1) as f64 / 1_000.0);
    }
    let mut medians: Vec<f64> = times.iter_mut().filter_map(|times| median(times)).collect();
    let spread = Spread::of(&mut medians);
    let at = |pick: fn(&Spread) -> f64| spread.as_ref().map_or(0.0, pick);
    FlightFigures {
        queries: problems.len(),
        wrong: checked.wrong,
        no_room: checked.no_room,
        cut_off: checked.cut_off,
        checked: checked.n_flights,
        raw_legs: checked.n_raw_legs,
        p50_us: at(|spread| spread.p50),
        p99_us: at(|spread| spread.p99),
        max_us: at(|spread| spread.max),
        mean_us: best,
        expansions_mean: checked.expansions as f64
            / (problems.len() - checked.no_room).max(1) as f64,
        expansions_max: checked.expansions_max,
        expansions_by_layer: checked.by_layer,
        length_ratio: Spread::of(&mut checked.ratios),
        raw_length_ratio: Spread::of(&mut checked.raw_ratios),
        faults: checked.faults,
    }
}

fn request(problem: &ScenarioLine3d, plan: &FlightPlan) -> FlightRequest {
    FlightRequest {
        method: plan.method,
        radius: plan.radius,
        ..FlightRequest::new(problem.start, problem.goal)
    }
}

/// Checked results.
#[derive(Default)]
struct Checked {
    wrong: usize,
    no_room: usize,
    cut_off: usize,
    n_flights: usize,
    n_raw_legs: usize,
    /// The current path before string pulling.
    raw: Vec<Voxel>,
    expansions: u64,
    expansions_max: u64,
    by_layer: Vec<u64>,
    ratios: Vec<f64>,
    raw_ratios: Vec<f64>,
    faults: Vec<String>,
}

impl Checked {
    fn take(
        &mut self,
        bits: &Bits,
        problem: &ScenarioLine3d,
        plan: &FlightPlan,
        result: Result<Outcome<FlightPath>, RequestError>,
    ) {
        let fault = match result {
            Ok(Outcome::Found(path)) => {
                self.expansions += path.expansions;
                self.expansions_max = self.expansions_max.max(path.expansions);
                if problem.length > 0.0 {
                    self.ratios.push(path.length() / problem.length);
                    self.raw_ratios
                        .push(path.raw_cost.to_cells() / problem.length);
                }
                self.n_flights += 1;
                self.n_raw_legs += self.raw.len().saturating_sub(1);
                fault_of(bits, problem, plan, &path).or_else(|| {
                    let fault = path_fault(bits, problem, plan, &self.raw);
                    fault.map(|fault| format!("before string pulling {fault}"))
                })
            }
            Ok(Outcome::Unreachable { .. }) if has_body(plan) => {
                self.cut_off += 1;
                let is_joined = bits.joins(problem.start, problem.goal, plan.radius);
                is_joined.then(|| "reported unreachable, but it is reachable".to_owned())
            }
            Ok(other) => Some(format!("no path: {other:?}")),
            Err(RequestError::StartBlocked { .. } | RequestError::GoalBlocked { .. })
                if has_body(plan) =>
            {
                self.no_room += 1;
                let mut ends = [problem.start, problem.goal].into_iter();
                let has_room =
                    |at: Voxel| bits.has_room([at.x, at.y, at.z].map(i64::from), plan.radius);
                let is_fine = ends.all(has_room);
                is_fine.then(|| "reported without room at an end, but it has room".to_owned())
            }
            Err(error) => Some(error.to_string()),
        };
        if let Some(fault) = fault {
            self.wrong += 1;
            if self.faults.len() < crate::report::MAX_FAULTS_SHOWN {
                self.faults
                    .push(format!("{} to {}: {fault}", problem.start, problem.goal));
            }
        }
    }
}

/// What is wrong with a flight, if anything.
fn fault_of(
    bits: &Bits,
    problem: &ScenarioLine3d,
    plan: &FlightPlan,
    path: &FlightPath,
) -> Option<String> {
    if let Some(fault) = path_fault(bits, problem, plan, &path.waypoints) {
        return Some(fault);
    }
    let length = path.cost.to_cells();
    let is_exact = plan.method == FlightMethod::VoxelAStar && !has_body(plan);
    if is_exact && (length - problem.length).abs() > 1e-5 * problem.length + 1e-3 {
        return Some(format!(
            "its length is {length}, expected {}",
            problem.length
        ));
    }
    None
}

/// The fault of a path, if any.
fn path_fault(
    bits: &Bits,
    problem: &ScenarioLine3d,
    plan: &FlightPlan,
    path: &[Voxel],
) -> Option<String> {
    if path.first() != Some(&problem.start) || path.last() != Some(&problem.goal) {
        return Some("it does not lead from start to goal".to_owned());
    }
    let (start, end) = (problem.start, problem.goal);
    if start != end && path.len() < 2 {
        return Some(format!("it has no leg from {start} to {end}"));
    }
    let mut legs = path.windows(2);
    let is_blocked = |leg: &&[Voxel]| {
        let is_clipped = plan.radius.raw() > 0 && !bits.is_ball_free(leg[0], leg[1], plan.radius);
        is_clipped || !bits.is_line_free(leg[0], leg[1])
    };
    let leg = legs.find(is_blocked)?;
    Some(format!("the leg from {} to {} is blocked", leg[0], leg[1]))
}

/// True if some free voxel is too narrow for the agent.
const fn has_body(plan: &FlightPlan) -> bool {
    plan.radius.raw() > 128
}

#[cfg(test)]
mod tests;
