//! `demo`: two minutes in a castle whose doors open and close and whose walls fall, with everybody
//! on their way, and what each question took.

pub(crate) mod agents;
mod play;
pub(crate) mod site;

use std::collections::BTreeMap;

use serde::Serialize;
use wayfarer::EditError;
use wayfarer_measure::statistics::Spread;
use wayfarer_measure::table::Table;

pub(crate) use play::Castle;

/// What to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Arguments {
    /// Where all chance comes from.
    pub(crate) seed: u64,
    /// How many live there.
    pub(crate) agents: usize,
    /// How long, in thirtieths of a second.
    pub(crate) ticks: u32,
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
pub(crate) enum Query {
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
    pub(crate) const ALL: [Self; 9] = [
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
    pub(crate) const fn name(self) -> &'static str {
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
pub(crate) struct Tally {
    /// Doors that opened or closed.
    pub(crate) doors: u32,
    /// Walls that fell.
    pub(crate) fallen: u32,
    /// Walls that were put up again.
    pub(crate) rebuilt: u32,
    /// Times the bridge was raised or lowered.
    pub(crate) bridge: u32,
    /// Paths asked for.
    pub(crate) asked: u32,
    /// Paths found.
    pub(crate) found: u32,
    /// Paths that changes broke.
    pub(crate) broken: u32,
    /// Of these, those that were repaired; the others' goals were cut off.
    pub(crate) repaired: u32,
    /// Goals reached.
    pub(crate) arrived: u32,
    /// What sensors told.
    pub(crate) sensor_events: u32,
    /// Times that a thief was seen.
    pub(crate) thieves_seen: u32,
    /// Agents found where nobody can be, looked for after every tick.
    pub(crate) inside_walls: u32,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct CastleReport {
    /// How many live there.
    pub(crate) agents: usize,
    /// Thirtieths of a second that were played.
    pub(crate) ticks: u32,
    /// What happened.
    pub(crate) tally: Tally,
    /// How often each question was asked.
    pub(crate) counts: BTreeMap<&'static str, usize>,
    /// Microseconds of each question.
    pub(crate) times_us: BTreeMap<&'static str, Spread>,
    /// Milliseconds of whole ticks.
    pub(crate) tick_ms: Option<Spread>,
    /// The digest of the world and of where everybody is: the same on every machine.
    pub(crate) digest: String,
}

/// Plays, telling `progress` after every tick; what came of it, and the castle at the end.
///
/// # Errors
/// None for the castle as it is drawn.
pub(crate) fn run(
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
pub(crate) fn render(report: &CastleReport) -> String {
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
