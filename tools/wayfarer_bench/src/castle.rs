//! `demo`: two minutes in a castle whose doors open and close and whose walls fall, with everybody
//! on their way, and what each question took.

pub mod agents;
mod play;
pub mod site;

use std::collections::BTreeMap;

use serde::Serialize;
use wayfarer::EditError;

use crate::statistics::Spread;
use crate::table::Table;
pub use play::Castle;

/// What to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// Where all chance comes from.
    pub seed: u64,
    /// How many live there.
    pub agents: usize,
    /// How long, in thirtieths of a second.
    pub ticks: u32,
}

impl Default for Arguments {
    /// Two minutes of 200.
    fn default() -> Self {
        Self {
            seed: 7,
            agents: 200,
            ticks: 3_600,
        }
    }
}

/// What is asked of the world.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Query {
    /// A path on foot.
    Walk,
    /// A path through the air.
    Flight,
    /// A path walked and flown.
    Mixed,
    /// A path on foot past the guards.
    Unseen,
    /// Whether a path still holds.
    Status,
    /// A path repaired.
    Repair,
    /// All sensors, once.
    Sensors,
    /// Everybody moves.
    Moves,
    /// Doors, walls, the bridge.
    Edits,
}

impl Query {
    /// All, in the order of the table.
    pub const ALL: [Self; 9] = [
        Self::Walk,
        Self::Flight,
        Self::Mixed,
        Self::Unseen,
        Self::Status,
        Self::Repair,
        Self::Sensors,
        Self::Moves,
        Self::Edits,
    ];

    /// As the table calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Walk => "path on foot",
            Self::Flight => "path in the air",
            Self::Mixed => "path walked and flown",
            Self::Unseen => "path past the guards",
            Self::Status => "does a path hold",
            Self::Repair => "mend a path",
            Self::Sensors => "all sensors look",
            Self::Moves => "everybody moves",
            Self::Edits => "doors, walls, bridge",
        }
    }
}

/// What happened: the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// Doors that opened or closed.
    pub doors: u32,
    /// Walls that fell.
    pub fallen: u32,
    /// Walls that were put up again.
    pub rebuilt: u32,
    /// Times the bridge was raised or lowered.
    pub bridge: u32,
    /// Paths asked for.
    pub asked: u32,
    /// Paths found.
    pub found: u32,
    /// Paths that changes broke.
    pub broken: u32,
    /// Of these, those that were repaired; the others' goals were cut off.
    pub repaired: u32,
    /// Goals reached.
    pub arrived: u32,
    /// What sensors told.
    pub sensor_events: u32,
    /// Times that a thief was seen.
    pub thieves_seen: u32,
    /// Agents found where nobody can be, looked for after every tick.
    pub inside_walls: u32,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CastleReport {
    /// How many live there.
    pub agents: usize,
    /// Thirtieths of a second that were played.
    pub ticks: u32,
    /// What happened.
    pub tally: Tally,
    /// How often each question was asked.
    pub counts: BTreeMap<&'static str, usize>,
    /// Microseconds of each question.
    pub times_us: BTreeMap<&'static str, Spread>,
    /// Milliseconds of whole ticks.
    pub tick_ms: Option<Spread>,
    /// The digest of the world and of where everybody is: the same on every machine.
    pub digest: String,
}

/// Plays, telling `progress` after every tick; what came of it, and the castle at the end.
///
/// # Errors
/// None for the castle as it is drawn.
pub fn run(
    arguments: &Arguments,
    mut progress: impl FnMut(),
) -> Result<(CastleReport, Castle), EditError> {
    let mut castle = Castle::new(arguments.seed, arguments.agents)?;
    for _ in 0..arguments.ticks {
        castle.tick()?;
        progress();
    }
    Ok((castle.report(), castle))
}

/// The report for people.
pub fn render(report: &CastleReport) -> String {
    let mut table = Table::new(["asked", "times", "median us", "p99 us", "worst us"]);
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
            "a whole tick".to_owned(),
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
        asked,
        found,
        broken,
        repaired: mended,
        arrived,
        sensor_events: sightings,
        thieves_seen,
        inside_walls,
    } = report.tally;
    format!(
        "{}\n{doors} doors opened or closed, {fallen} walls fell, {rebuilt} were put up again, the \
         bridge moved {bridge} times\n{asked} paths asked for, {found} found, {arrived} goals \
         reached; {broken} broke on the way, {mended} were mended\n{sightings} sightings, \
         {thieves_seen} of thieves; {inside_walls} agents inside walls\nthe same everywhere: {}\n",
        table.render(),
        report.digest
    )
}

#[cfg(test)]
mod tests;
