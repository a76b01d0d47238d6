//! The simulation of `demo`: agents on foot, in the air and both, guards with sensors, and a castle
//! whose doors open and close and whose walls fall. Deterministic; only the times differ.

pub(crate) mod agents;
mod play;
pub(crate) mod site;
mod stone;

use std::collections::BTreeMap;
use std::error::Error;

use serde::Serialize;
use wayfarer_measure::statistics::Spread;
use wayfarer_measure::table::Table;

pub(crate) use play::Castle;

/// What to simulate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Arguments {
    /// Seed of the random numbers.
    pub(crate) seed: u64,
    /// Number of agents.
    pub(crate) agents: usize,
    /// Ticks of 1/30 s.
    pub(crate) ticks: u32,
}

impl Default for Arguments {
    /// Two minutes of 200 agents.
    fn default() -> Self {
        Self {
            seed: 7,
            agents: 200,
            ticks: 3_600,
        }
    }
}

/// A timed operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Query {
    /// Find a path on the ground.
    Ground,
    /// Find a path through the air.
    Flight,
    /// Find a path on the ground and through the air.
    Multimodal,
    /// Find a path on the ground with an exposure cost.
    Exposure,
    /// Check the status of a path.
    Status,
    /// Repair a path.
    Repair,
    /// Place or remove the solid of a door.
    Doors,
    /// Apply other edits: walls, the bridge.
    Edits,
    /// Check and search the paths of all agents.
    Planner,
    /// Move all walkers.
    Crowd,
    /// Move the bodies of all flyers.
    Moves,
    /// Update all sensors.
    Sensors,
}

impl Query {
    /// All, in the order of the table.
    pub(crate) const ALL: [Self; 12] = [
        Self::Ground,
        Self::Flight,
        Self::Multimodal,
        Self::Exposure,
        Self::Status,
        Self::Repair,
        Self::Doors,
        Self::Edits,
        Self::Planner,
        Self::Crowd,
        Self::Moves,
        Self::Sensors,
    ];

    /// True for a part of the tick; the others are plain calls, timed beside it.
    pub(crate) fn is_part(self) -> bool {
        self >= Self::Doors
    }

    /// Its name in the table and in the JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ground => "ground path",
            Self::Flight => "flight",
            Self::Multimodal => "multimodal path",
            Self::Exposure => "path with exposure cost",
            Self::Status => "path status",
            Self::Repair => "path repair",
            Self::Doors => "door",
            Self::Edits => "edits",
            Self::Planner => "planner update",
            Self::Crowd => "crowd tick",
            Self::Moves => "body moves",
            Self::Sensors => "sensor update",
        }
    }
}

/// Counts of events: the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Tally {
    /// Doors that opened or closed.
    pub(crate) doors: u32,
    /// Walls that fell.
    pub(crate) fallen: u32,
    /// Walls that were rebuilt.
    pub(crate) rebuilt: u32,
    /// Times the bridge was raised or lowered.
    pub(crate) bridge: u32,
    /// Queries for a path.
    pub(crate) queries: u32,
    /// Paths found.
    pub(crate) found: u32,
    /// Paths that edits invalidated.
    pub(crate) broken: u32,
    /// Of these, repaired paths; the goals of the others became unreachable.
    pub(crate) repaired: u32,
    /// Goals reached.
    pub(crate) arrived: u32,
    /// Sensor events.
    pub(crate) sensor_events: u32,
    /// Events of a thief entering a sensor.
    pub(crate) thieves_seen: u32,
    /// Agents inside geometry, checked after every tick: 0.
    pub(crate) inside_walls: u32,
}

/// The result of a simulation.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct CastleReport {
    /// Number of agents.
    pub(crate) agents: usize,
    /// Ticks simulated.
    pub(crate) ticks: u32,
    /// Counts of events.
    pub(crate) tally: Tally,
    /// Runs of each operation.
    pub(crate) counts: BTreeMap<&'static str, usize>,
    /// Microseconds of each operation.
    pub(crate) times_us: BTreeMap<&'static str, Spread>,
    /// Milliseconds of whole ticks.
    pub(crate) tick_ms: Option<Spread>,
    /// Digest of the world and of all positions: the same on every machine.
    pub(crate) digest: String,
}

/// Simulates, calling `progress` after every tick; the report, and the castle at the end.
///
/// # Errors
/// None for this castle.
pub(crate) fn run(
    arguments: &Arguments,
    mut progress: impl FnMut(),
) -> Result<(CastleReport, Castle), Box<dyn Error>> {
    let mut castle = Castle::new(arguments.seed, arguments.agents)?;
    for _ in 0..arguments.ticks {
        castle.tick()?;
        progress();
    }
    Ok((castle.report(), castle))
}

/// The report as text.
pub(crate) fn render(report: &CastleReport) -> String {
    let mut table = Table::new(["operation", "runs", "median us", "p99 us", "max us"]);
    let number = |us: f64| format!("{us:.1}");
    for query in Query::ALL {
        let name = query.name();
        if let Some(times) = report.times_us.get(name) {
            table.row([
                name.to_owned(),
                report.counts[name].to_string(),
                number(times.p50),
                number(times.p99),
                number(times.max),
            ]);
        }
    }
    if let Some(times) = &report.tick_ms {
        table.row([
            "whole tick".to_owned(),
            report.ticks.to_string(),
            number(times.p50 * 1e3),
            number(times.p99 * 1e3),
            number(times.max * 1e3),
        ]);
    }
    let Tally {
        doors,
        fallen,
        rebuilt,
        bridge,
        queries,
        found,
        broken,
        repaired,
        arrived,
        sensor_events,
        thieves_seen,
        inside_walls,
    } = report.tally;
    format!(
        "{}\n{doors} doors opened or closed, {fallen} walls fell, {rebuilt} were rebuilt, the bridge \
         moved {bridge} times\n{queries} path queries, {found} found, {arrived} goals reached; \
         {broken} paths invalidated, {repaired} repaired\n{sensor_events} sensor events, \
         {thieves_seen} thieves detected; {inside_walls} agents inside walls\n\
         deterministic digest: {}\n",
        table.render(),
        report.digest
    )
}

#[cfg(test)]
mod tests;
