//! `bench world`: whole ticks of a city that changes, with a crowd that walks, senses and replans.

use std::collections::BTreeMap;

use serde::Serialize;
use wayfarer::make::MakeError;
use wayfarer_measure::clock::Timer;
use wayfarer_measure::machine::{self, Machine};
use wayfarer_measure::statistics::Spread;
use wayfarer_measure::table::Table;

use crate::calibration;
use crate::memory;
use crate::report::pretty_json;

pub mod streets;

use streets::{Part, Setting, Streets, Tally};

/// What to measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// City, crowd and changes.
    pub setting: Setting,
    /// How many ticks, a thirtieth of a second each.
    pub ticks: usize,
    /// Whether to keep the program on one core from here to its end.
    pub pin: bool,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            setting: Setting {
                size: 1_024,
                agents: 10_000,
                edits: 50,
                budget: 10_000,
                cells: 145_000,
                seed: 1,
            },
            ticks: 300,
            pin: true,
        }
    }
}

impl Arguments {
    /// The command that measures the same.
    pub fn command(&self) -> String {
        let Setting {
            size,
            agents,
            edits,
            budget,
            cells,
            seed,
        } = self.setting;
        let ticks = self.ticks;
        format!(
            "bench world --agents {agents} --edits {edits} --ticks {ticks} --size {size} \
             --budget {budget} --cells {cells} --seed {seed}"
        )
    }
}

/// What came of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WorldReport {
    /// The layout of this value.
    pub schema: &'static str,
    /// How to make it again.
    pub command: String,
    /// Where it was made.
    pub machine: Machine,
    /// Nanoseconds per expansion of the dense A* on a fixed made world.
    pub calibration: Option<f64>,
    /// Milliseconds of whole ticks.
    pub tick_ms: Spread,
    /// Milliseconds of the parts of a tick.
    pub parts: BTreeMap<&'static str, Spread>,
    /// Paths that a change broke and that were repaired.
    pub repaired_paths: u64,
    /// Paths found to a new goal.
    pub new_paths: u64,
    /// Agents whose goal was cut off, so that they took another.
    pub cut_off: u64,
    /// Ticks in which searches took more expansions than they may.
    pub budget_overruns: u64,
    /// Searches that were put off to the next tick for want of expansions.
    pub postponed: u64,
    /// Searches that exceeded a whole tick's expansions: the agent follows the best partial path.
    pub partial_paths: u64,
    /// The most expansions of a tick.
    pub most_expansions: u64,
    /// Cells of all paths that were given out, for each tick.
    pub cells_per_tick: u64,
    /// Longest wait for a path in ticks.
    pub longest_wait_ticks: u32,
    /// Agents inside walls, checked after every tick.
    pub inside_walls: u64,
    /// Sensor events.
    #[serde(rename = "sightings")]
    pub sensor_events: u64,
    /// Cells closed and opened.
    pub edits: u64,
    /// The digest of the world at the end: the same on every machine.
    pub state_hash: String,
}

impl WorldReport {
    /// The layout's name, with its version.
    pub const SCHEMA: &'static str = "wayfarer/bench-world/1";

    /// The report as JSON, readable, with a line end.
    pub fn to_json(&self) -> String {
        pretty_json(self)
    }

    /// True if an agent was inside a wall or a tick exceeded its budget.
    pub const fn is_wrong(&self) -> bool {
        self.inside_walls > 0 || self.budget_overruns > 0
    }
}

/// Plays, telling `progress` after every tick.
///
/// # Errors
/// A size that no city has.
pub fn run(arguments: &Arguments, mut progress: impl FnMut()) -> Result<WorldReport, MakeError> {
    let pinned = machine::pin_if(arguments.pin);
    let machine = Machine::here(&pinned, memory::is_counted());
    let calibration = calibration::ns_per_expansion().ok();
    let timer = Timer::new();
    let mut streets = Streets::new(arguments.setting)?;
    let mut ticks = Vec::with_capacity(arguments.ticks);
    let mut parts: [Vec<f64>; 4] = Default::default();
    for _ in 0..arguments.ticks.max(1) {
        let mut whole = 0.0;
        for (part, times) in Part::ALL.into_iter().zip(&mut parts) {
            let ((), ns) = timer.time(|| streets.play(part));
            times.push(ns / 1e6);
            whole += ns / 1e6;
        }
        ticks.push(whole);
        streets.check();
        progress();
    }
    let names = Part::ALL.map(Part::name);
    let spread = |numbers: &mut Vec<f64>| Spread::of(numbers).expect("at least one tick");
    let Tally {
        new_paths,
        repaired,
        cut_off,
        postponed,
        overruns,
        longest_wait,
        most_expansions,
        sensor_events: sightings,
        edits,
        inside_walls,
        partial,
        cells,
    } = streets.tally;
    Ok(WorldReport {
        schema: WorldReport::SCHEMA,
        command: arguments.command(),
        machine,
        calibration,
        tick_ms: spread(&mut ticks),
        parts: names
            .into_iter()
            .zip(parts.iter_mut().map(spread))
            .collect(),
        repaired_paths: repaired,
        new_paths,
        cut_off,
        budget_overruns: overruns,
        postponed,
        partial_paths: partial,
        most_expansions,
        cells_per_tick: cells / arguments.ticks.max(1) as u64,
        longest_wait_ticks: longest_wait,
        inside_walls,
        sensor_events: sightings,
        edits,
        state_hash: format!("{:016x}", streets.world().state_hash()),
    })
}

/// The report for people.
pub fn render(report: &WorldReport) -> String {
    let mut table = Table::new(["part", "mean ms", "p50 ms", "p99 ms", "max ms"]);
    let whole = [("tick", &report.tick_ms)].into_iter();
    let parts = Part::ALL
        .into_iter()
        .map(|part| (part.name(), &report.parts[part.name()]));
    for (name, times) in whole.chain(parts) {
        let number = |ms: f64| format!("{ms:.2}");
        table.row([
            name.to_owned(),
            number(times.mean),
            number(times.p50),
            number(times.p99),
            number(times.max),
        ]);
    }
    let WorldReport {
        repaired_paths,
        new_paths,
        cut_off,
        budget_overruns,
        postponed,
        partial_paths,
        most_expansions,
        cells_per_tick,
        longest_wait_ticks,
        inside_walls,
        sensor_events: sightings,
        edits,
        ..
    } = report;
    format!(
        "{}\n{edits} cells closed or opened; {repaired_paths} paths mended, {new_paths} found to \
         new goals, {cut_off} goals cut off; {cells_per_tick} cells of paths a tick; {sightings} \
         sightings\nat most {most_expansions} expansions in a tick, {postponed} searches put off, \
         {partial_paths} too long for a tick, longest wait {longest_wait_ticks} ticks, \
         {budget_overruns} budgets overrun, {inside_walls} agents inside walls\n",
        table.render()
    )
}

#[cfg(test)]
mod tests;
