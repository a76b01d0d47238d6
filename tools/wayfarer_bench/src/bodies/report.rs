//! Report of the bodies benchmark, and its table.

use serde::Serialize;
use wayfarer_measure::machine::Machine;
use wayfarer_measure::table::Table;

use crate::report::pretty_json;

/// A number of bodies, all moved, each with one range query.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CountRow {
    /// How many.
    pub count: usize,
    /// Nanoseconds to move one, all at once.
    pub update_ns: f64,
    /// Nanoseconds per range query.
    pub query_ns: f64,
    /// Nanoseconds per range query, all at once.
    pub each_ns: f64,
    /// Milliseconds to move and query all bodies, by the faster of both.
    pub tick_ms: f64,
    /// Mean number of hits, the querying body included.
    pub hits: f64,
    /// Tests of every one against every other.
    pub checks_brute: u64,
    /// Tests that were done in a tick.
    pub checks_done: u64,
    /// Squares looked at in a tick.
    pub squares: u64,
    /// Of those looked at, the part that lay in squares inside the circle and was not tested; none
    /// if the circle is too small to hold squares.
    pub inside_fraction: f64,
    /// The same for circles that reach eight times as far.
    pub wide_inside_fraction: f64,
    /// How many are in one of those, on average.
    pub wide_hits: f64,
    /// How many were tested for one of those, on average.
    pub wide_tests: f64,
    /// Nanoseconds for one of those.
    pub wide_ns: f64,
    /// Bytes for squares and objects.
    pub bytes: usize,
    /// Results that differ from brute force.
    pub wrong: usize,
    /// The baselines beside, if wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub baselines: Vec<BaselineRow>,
}

/// A baseline with the same objects and the same questions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BaselineRow {
    /// Its name and version.
    pub name: &'static str,
    /// Nanoseconds to tell it where one is, all at once.
    pub update_ns: f64,
    /// Nanoseconds per range query, in its preferred order.
    pub query_ns: f64,
    /// Milliseconds for all.
    pub tick_ms: f64,
    /// Its tick by ours.
    pub times_ours: f64,
    /// Results that differ from ours.
    pub different: usize,
}

/// Sensors over movers.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SensorRow {
    /// How many, half circles and half wedges of 60 degrees.
    pub sensors: usize,
    /// How many objects move.
    #[serde(rename = "movers")]
    pub moving: usize,
    /// Members of a sensor on average.
    pub hits: f64,
    /// Milliseconds to move all and to ask all sensors, on one core.
    pub tick_ms: f64,
    /// Of that, milliseconds to move all.
    pub move_ms: f64,
    /// Milliseconds to ask all sensors on two threads, what others took of them included.
    pub two_threads_ms: f64,
    /// Sensor events of the last tick.
    pub events: usize,
    /// Sensors that differ from brute force, and ticks that differ on two threads.
    pub wrong: usize,
}

/// Sight on a board of 512 x 512.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SightRow {
    /// Opaque columns of a hundred.
    pub opaque_percent: u32,
    /// Nanoseconds for a line of 50 cells.
    pub line_ns: f64,
    /// Of the lines, the part that was clear.
    pub clear_fraction: f64,
    /// Microseconds for a field of view of radius 50.
    #[serde(rename = "view_us")]
    pub field_of_view_us: f64,
    /// Columns seen in one, on average.
    pub seen: f64,
    /// Lines and views that the exact kernel did not confirm.
    pub wrong: usize,
}

/// Visibility indoors, with and without the room graph; 200 viewers.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct IndoorsRow {
    /// Which world, of 256 x 256.
    pub world: &'static str,
    /// Rectangles it was cut into.
    pub rooms: usize,
    /// Microseconds to cut it.
    pub build_us: f64,
    /// How many are within 50 cells of each eye.
    pub candidates: usize,
    /// Lines of sight without rooms.
    pub lines: usize,
    /// Lines of sight that rooms and openings leave.
    pub lines_with_rooms: usize,
    /// How many are seen.
    pub seen: usize,
    /// Microseconds per viewer, a line to every candidate.
    pub lines_us: f64,
    /// Microseconds for one eye, rooms first, lines for the rest.
    pub rooms_us: f64,
    /// Microseconds for one eye, by a field of view.
    #[serde(rename = "view_us")]
    pub field_of_view_us: f64,
    /// Microseconds for one eye, lines over the heights of the ground.
    pub over_ground_us: f64,
    /// Microseconds for one eye, rooms first, such lines for the rest.
    pub over_ground_with_rooms_us: f64,
    /// Methods that saw more or fewer.
    pub wrong: usize,
}

/// A whole measurement of objects.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BodiesReport {
    /// The layout of this value.
    pub schema: &'static str,
    /// How to make it again.
    pub command: String,
    /// Where it was made.
    pub machine: Machine,
    /// The last of the counts.
    #[serde(flatten)]
    pub last: CountRow,
    /// Count by count.
    pub counts: Vec<CountRow>,
    /// Sensors.
    pub sensors: SensorRow,
    /// Sight, by how much is opaque.
    pub sight: Vec<SightRow>,
    /// Sight indoors.
    pub indoors: Vec<IndoorsRow>,
    /// Answers that were wrong, in all.
    pub wrong_in_all: usize,
}

impl BodiesReport {
    /// The layout's name, with its version.
    pub const SCHEMA: &'static str = "wayfarer/bench-bodies/4";

    pub(super) fn new(
        command: String,
        machine: Machine,
        counts: Vec<CountRow>,
        sensors: SensorRow,
        (sight, indoors): (Vec<SightRow>, Vec<IndoorsRow>),
    ) -> Self {
        let wrong = counts.iter().map(|row| row.wrong);
        let baselines = counts.iter().flat_map(|row| &row.baselines);
        let wrong_in_all = wrong
            .chain(baselines.map(|baseline| baseline.different))
            .chain([sensors.wrong])
            .chain(sight.iter().map(|row| row.wrong))
            .chain(indoors.iter().map(|row| row.wrong))
            .sum();
        Self {
            schema: Self::SCHEMA,
            command,
            machine,
            last: counts.last().cloned().unwrap_or_else(CountRow::none),
            counts,
            sensors,
            sight,
            indoors,
            wrong_in_all,
        }
    }

    /// The report as JSON, readable, with a line end.
    pub fn to_json(&self) -> String {
        pretty_json(self)
    }
}

impl CountRow {
    fn none() -> Self {
        Self {
            count: 0,
            update_ns: 0.0,
            query_ns: 0.0,
            each_ns: 0.0,
            tick_ms: 0.0,
            hits: 0.0,
            checks_brute: 0,
            checks_done: 0,
            squares: 0,
            inside_fraction: 0.0,
            wide_inside_fraction: 0.0,
            wide_hits: 0.0,
            wide_tests: 0.0,
            wide_ns: 0.0,
            bytes: 0,
            wrong: 0,
            baselines: Vec::new(),
        }
    }
}

/// The report for people.
pub fn render(report: &BodiesReport) -> String {
    let mut table = Table::new([
        "objects",
        "update ns",
        "query ns",
        "together ns",
        "tick ms",
        "times ours",
        "hits",
        "tests",
        "of",
        "inside",
        "wrong",
    ]);
    for row in &report.counts {
        table.row([
            row.count.to_string(),
            format!("{:.1}", row.update_ns),
            format!("{:.0}", row.query_ns),
            format!("{:.0}", row.each_ns),
            format!("{:.2}", row.tick_ms),
            String::new(),
            format!("{:.1}", row.hits),
            row.checks_done.to_string(),
            row.checks_brute.to_string(),
            format!("{:.2}", row.inside_fraction),
            row.wrong.to_string(),
        ]);
        for baseline in &row.baselines {
            table.row([
                baseline.name.to_string(),
                format!("{:.1}", baseline.update_ns),
                format!("{:.0}", baseline.query_ns),
                String::new(),
                format!("{:.2}", baseline.tick_ms),
                format!("{:.1}", baseline.times_ours),
                String::new(),
                String::new(),
                String::new(),
                String::new(),
                baseline.different.to_string(),
            ]);
        }
    }
    let mut text = table.render();
    text += &render_wide(&report.counts);
    let sensors = &report.sensors;
    text += &format!(
        "\n{} sensors over {} movers: tick {:.2} ms (moving {:.2}; sensors on two threads {:.2}), \
         {:.1} members each, {} told, {} wrong\n\n",
        sensors.sensors,
        sensors.moving,
        sensors.tick_ms,
        sensors.move_ms,
        sensors.two_threads_ms,
        sensors.hits,
        sensors.events,
        sensors.wrong
    );
    let mut table = Table::new([
        "sight, 512 x 512",
        "line of 50 ns",
        "clear",
        "view of 50 us",
        "seen",
        "wrong",
    ]);
    for row in &report.sight {
        table.row([
            format!("{} % opaque", row.opaque_percent),
            format!("{:.0}", row.line_ns),
            format!("{:.2}", row.clear_fraction),
            format!("{:.1}", row.field_of_view_us),
            format!("{:.0}", row.seen),
            row.wrong.to_string(),
        ]);
    }
    text += &table.render();
    text += &render_indoors(&report.indoors);
    text
}

fn render_wide(counts: &[CountRow]) -> String {
    let mut table = Table::new([
        "circles eight times as wide",
        "query ns",
        "hits",
        "tests",
        "inside",
    ]);
    for row in counts {
        table.row([
            format!("{} objects", row.count),
            format!("{:.0}", row.wide_ns),
            format!("{:.1}", row.wide_hits),
            format!("{:.1}", row.wide_tests),
            format!("{:.2}", row.wide_inside_fraction),
        ]);
    }
    format!("\n{}", table.render())
}

fn render_indoors(rows: &[IndoorsRow]) -> String {
    let mut table = Table::new([
        "indoors",
        "rooms",
        "cut us",
        "around",
        "lines",
        "left by rooms",
        "seen",
        "lines us",
        "rooms first us",
        "view us",
        "over ground us",
        "rooms first us",
        "wrong",
    ]);
    for row in rows {
        table.row([
            row.world.to_string(),
            row.rooms.to_string(),
            format!("{:.0}", row.build_us),
            row.candidates.to_string(),
            row.lines.to_string(),
            row.lines_with_rooms.to_string(),
            row.seen.to_string(),
            format!("{:.2}", row.lines_us),
            format!("{:.2}", row.rooms_us),
            format!("{:.2}", row.field_of_view_us),
            format!("{:.1}", row.over_ground_us),
            format!("{:.1}", row.over_ground_with_rooms_us),
            row.wrong.to_string(),
        ]);
    }
    format!("\n{}", table.render())
}
