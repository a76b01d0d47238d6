//! `bench skirmish`: a whole game over crate `wayfarer` alone, the one of its example `skirmish`.
//!
//! The game is saved in the middle; the loaded one must go on with the same digest at every tick. At
//! every tick each unit is checked against an independent disc test (`discs`). The files of the game
//! are links to those of the example, so that a package contains them.

mod discs;
mod game;
pub(crate) mod map;
mod orders;
mod save;
#[cfg(test)]
mod tests;
mod units;

use serde::Serialize;
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics::{mean, percentile};

use crate::error::BenchError;
use crate::report::{Benchmark, CommandLine, Faults, Figures, Progress};
use crate::table::table;
use game::{Game, planner_budget, tick_budget};
use save::SavedGame;

/// Ticks that no request may wait longer than.
const MAX_WAIT: u64 = 30;

/// What to measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// Units of all kinds together.
    pub n_agents: u32,
    /// Ticks, 30 of them a second.
    pub n_ticks: u32,
    /// The seed of map and game.
    pub seed: u32,
}

/// Milliseconds of a tick.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct TickTimes {
    /// The mean of all ticks.
    pub mean: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The longest, the first included.
    pub max: f64,
}

/// The parts of a tick.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Parts {
    /// Solids placed and destroyed, doors opened and closed.
    pub edits: TickTimes,
    /// Planner, flow fields, group orders.
    pub planner: TickTimes,
    /// Next points, headings, bodies moved.
    pub moves: TickTimes,
    /// Cones with line of sight.
    pub sensors: TickTimes,
}

/// Where the time of a tick went.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct TickRow {
    /// Its number, from 1.
    pub tick: usize,
    /// Milliseconds of edits, planner and flow fields, moves, sensors.
    pub ms: [f64; 4],
    /// Work of planner, flow fields and sensors, in expansions.
    pub work: [u64; 3],
    /// Paths found, repaired or failed.
    pub paths: u32,
}

/// A game measured.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SkirmishFigures {
    /// Whole ticks.
    pub tick_ms: TickTimes,
    /// Their parts.
    pub parts: Parts,
    /// The first tick and the longest ones, longest first.
    pub longest: Vec<TickRow>,
    /// Times that a unit was inside something at the end of a tick.
    pub inside: usize,
    /// The most ticks that a request waited for its answer.
    pub max_wait_ticks: u64,
    /// Ticks in which the planner, or all together, did more than their budget and a tenth.
    pub over_budget: usize,
    /// The most ticks that a sensor lagged behind.
    pub sensor_lag_ticks: usize,
    /// True if the game that was saved in the middle and loaded went on with equal digests.
    pub resumed_equal: bool,
    /// Solids placed and destroyed.
    pub solids: [u32; 2],
    /// Paths found, invalidated, repaired, failed.
    pub paths: [u32; 4],
    /// Goals reached.
    pub goals: u32,
    /// Enemies that came into sight.
    pub seen: u32,
    /// Group orders by flow field.
    pub group_orders: u32,
    /// Digest of the whole game, in hexadecimal.
    pub digest: String,
    /// What is not as promised.
    #[serde(flatten)]
    pub faults: Faults,
}

/// Times of ticks in milliseconds: edits, planner, moves, sensors.
#[derive(Default)]
struct Times([Vec<f64>; 4]);

impl Benchmark for Arguments {
    type Figures = SkirmishFigures;

    fn command(&self) -> String {
        CommandLine::new("skirmish")
            .option("agents", self.n_agents)
            .option("ticks", self.n_ticks)
            .option("seed", self.seed)
            .finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<SkirmishFigures, BenchError> {
        let failed = BenchError::world("skirmish");
        progress("game", 3);
        let mut game = Game::new(self.seed.into(), self.n_agents as usize).map_err(failed)?;
        let mut run = Run::default();
        let half = self.n_ticks / 2;
        run.play(&mut game, half)?;
        progress("second half", 3);
        let saved = game.save();
        run.play(&mut game, self.n_ticks - half)?;
        progress("resumed", 3);
        let digests = &run.digests[half as usize..];
        let resumed_equal = resume(saved, digests).map_err(failed)?;
        Ok(run.figures(&game, resumed_equal))
    }
}

/// True if a saved game has these digests, tick by tick.
fn resume(saved: SavedGame, digests: &[u64]) -> Result<bool, Box<dyn std::error::Error>> {
    let mut game = Game::load(saved)?;
    for digest in digests {
        game.step()?;
        if game.digest != *digest {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A game under measurement.
#[derive(Default)]
struct Run {
    times: Times,
    digests: Vec<u64>,
    inside: usize,
    over_budget: usize,
    max_lag: usize,
    /// Work and paths of each tick.
    rows: Vec<([u64; 3], u32)>,
    faults: Faults,
}

impl Run {
    fn play(&mut self, game: &mut Game, n_ticks: u32) -> Result<(), BenchError> {
        let failed = BenchError::world("skirmish");
        let timer = Timer::new();
        for _ in 0..n_ticks {
            let mut add =
                |part: usize, nanoseconds: f64| self.times.0[part].push(nanoseconds / 1e6);
            let n_before = game.counts.n_answers();
            let (edited, time) = timer.time(|| game.edit());
            add(0, time);
            edited.map_err(failed)?;
            let (planned, time) = timer.time(|| game.plan());
            add(1, time);
            planned.map_err(failed)?;
            let (moved, time) = timer.time(|| game.make_moves());
            add(2, time);
            moved.map_err(failed)?;
            let ((), time) = timer.time(|| game.sense());
            add(3, time);
            self.digests.push(game.digest);
            let report = game.budget.report();
            let work = [report.planner, report.flow_fields, report.sensors];
            self.rows.push((work, game.counts.n_answers() - n_before));
            self.check(game);
        }
        Ok(())
    }

    fn check(&mut self, game: &Game) {
        for (number, unit) in game.units.iter().enumerate() {
            if let Some(what) = discs::inside(game, unit) {
                self.inside += 1;
                let (tick, kind, at) = (game.tick, unit.kind, unit.at);
                let fault = format!("tick {tick}: {kind:?} {number} at {at} is inside {what}");
                self.faults.push(fault);
            }
        }
        let report = game.budget.report();
        self.max_lag = self.max_lag.max(report.sensor_lag);
        for (work, budget) in [
            (report.planner, planner_budget(game.units.len())),
            (report.total(), tick_budget(game.units.len())),
        ] {
            if work > budget + budget / 10 {
                self.over_budget += 1;
                let tick = game.tick;
                let fault = format!("tick {tick}: {work} of {budget} expansions");
                self.faults.push(fault);
            }
        }
    }

    /// The first tick and the longest nine, longest first.
    fn longest(&self) -> Vec<TickRow> {
        let rows = self.rows.iter().enumerate();
        let row = |(tick, &(work, paths)): (usize, &([u64; 3], u32))| TickRow {
            tick: tick + 1,
            ms: std::array::from_fn(|part| self.times.0[part][tick]),
            work,
            paths,
        };
        let mut rows: Vec<TickRow> = rows.map(row).collect();
        let total = |row: &TickRow| row.ms.iter().sum::<f64>();
        rows.sort_by(|a, b| total(b).total_cmp(&total(a)));
        let first = rows.iter().position(|row| row.tick == 1);
        let first = first.filter(|at| *at > 9).map(|at| rows[at]);
        rows.truncate(9);
        rows.extend(first);
        rows
    }

    fn figures(mut self, game: &Game, resumed_equal: bool) -> SkirmishFigures {
        let max_wait_ticks = game.planner.stats().max_wait;
        if max_wait_ticks > MAX_WAIT {
            let fault = format!("a request waited {max_wait_ticks} ticks, at most {MAX_WAIT}");
            self.faults.push(fault);
        }
        if !resumed_equal {
            self.faults.push("the resumed game differs");
        }
        let counts = game.counts;
        let longest = self.longest();
        let [edits, planner, moves, sensors] = &self.times.0;
        let whole = (0..edits.len()).map(|tick| self.times.0.iter().map(|part| part[tick]).sum());
        SkirmishFigures {
            tick_ms: TickTimes::of(whole.collect()),
            parts: Parts {
                edits: TickTimes::of(edits.clone()),
                planner: TickTimes::of(planner.clone()),
                moves: TickTimes::of(moves.clone()),
                sensors: TickTimes::of(sensors.clone()),
            },
            longest,
            inside: self.inside,
            max_wait_ticks,
            over_budget: self.over_budget,
            sensor_lag_ticks: self.max_lag,
            resumed_equal,
            solids: [counts.n_placed, counts.n_destroyed],
            paths: [
                counts.n_found,
                counts.n_invalidated,
                counts.n_repaired,
                counts.n_failed,
            ],
            goals: counts.n_goals,
            seen: counts.n_seen,
            group_orders: counts.n_group_orders,
            digest: format!("{:016x}", game.digest),
            faults: self.faults,
        }
    }
}

impl TickTimes {
    fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        Self {
            mean: mean(&times).unwrap_or_default(),
            p99: percentile(&times, 99).unwrap_or_default(),
            max: times.last().copied().unwrap_or_default(),
        }
    }
}

impl Figures for SkirmishFigures {
    const SCHEMA: &'static str = "wayfarer/bench-skirmish/1";

    fn wrong(&self) -> usize {
        self.faults.wrong
    }

    fn summary(&self) -> String {
        let Self {
            inside,
            max_wait_ticks,
            resumed_equal,
            digest,
            ..
        } = self;
        format!(
            "inside {inside}, longest wait {max_wait_ticks} ticks, resumed equal {resumed_equal}, \
             digest {digest}"
        )
    }

    fn render(&self) -> String {
        let rows = [
            ("tick", self.tick_ms),
            ("edits", self.parts.edits),
            ("planner", self.parts.planner),
            ("moves", self.parts.moves),
            ("sensors", self.parts.sensors),
        ];
        let parts = table!((name, times) in &rows;
            "part" => *name,
            "mean ms" => times.mean,
            "p99 ms" => times.p99,
            "max ms" => times.max,
        );
        let longest = table!(row in &self.longest;
            "tick" => row.tick,
            "edits ms" => row.ms[0],
            "planner" => row.ms[1],
            "moves" => row.ms[2],
            "sensors" => row.ms[3],
            "expansions" => row.work[0],
            "flow cells" => row.work[1],
            "sensor work" => row.work[2],
            "paths" => row.paths,
        );
        format!("{parts}\n{longest}")
    }

    fn faults(&self) -> Vec<String> {
        self.faults.of("skirmish")
    }
}
