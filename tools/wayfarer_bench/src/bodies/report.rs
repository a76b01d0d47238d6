//! Figures of the bodies benchmark.

use serde::Serialize;

use crate::report::Figures;
use crate::table::{fixed, table};

/// A number of bodies, all moved, each with one range query.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
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
    /// Bins visited in a tick.
    pub squares: u64,
    /// Share of the visited bodies in bins inside the circle, which are not tested; 0 if the circle
    /// is too small to contain bins.
    pub inside_fraction: f64,
    /// The same for circles that reach eight times as far.
    pub wide_inside_fraction: f64,
    /// Mean hits of those.
    pub wide_hits: f64,
    /// Mean tests of those.
    pub wide_tests: f64,
    /// Nanoseconds for one of those.
    pub wide_ns: f64,
    /// Bytes of bins and bodies.
    pub bytes: usize,
    /// Results that differ from brute force.
    pub wrong: usize,
    /// The baselines, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub baselines: Vec<BaselineRow>,
}

/// A baseline with the same bodies and queries.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BaselineRow {
    /// Its name and version.
    pub name: &'static str,
    /// Nanoseconds to move one, all at once.
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
    /// Moving bodies.
    #[serde(rename = "movers")]
    pub moving: usize,
    /// Members of a sensor on average.
    pub hits: f64,
    /// Milliseconds to move all and to update all sensors, on one core.
    pub tick_ms: f64,
    /// Of that, milliseconds to move all.
    pub move_ms: f64,
    /// Elapsed milliseconds to update all sensors on two threads.
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
    /// Lines and fields of view that differ from the exact kernel.
    pub wrong: usize,
}

/// Visibility indoors, with and without the room graph; 200 viewers.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct IndoorsRow {
    /// Which world, of 256 x 256.
    pub world: &'static str,
    /// Rooms of its room graph.
    pub rooms: usize,
    /// Microseconds to build the room graph.
    pub build_us: f64,
    /// Candidates within 50 cells of each viewer.
    pub candidates: usize,
    /// Lines of sight without rooms.
    pub lines: usize,
    /// Lines of sight that the room graph leaves.
    pub lines_with_rooms: usize,
    /// Visible candidates.
    pub seen: usize,
    /// Microseconds per viewer, a line to every candidate.
    pub lines_us: f64,
    /// Microseconds per viewer, rooms first, lines for the rest.
    pub rooms_us: f64,
    /// Microseconds per viewer, by a field of view.
    #[serde(rename = "view_us")]
    pub field_of_view_us: f64,
    /// Microseconds per viewer, lines over the heights of the ground.
    pub over_ground_us: f64,
    /// Microseconds per viewer, rooms first, such lines for the rest.
    pub over_ground_with_rooms_us: f64,
    /// Methods that saw more or fewer.
    pub wrong: usize,
}

/// Moves, range queries, sensors and sight.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BodyFigures {
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
    /// Wrong results in all.
    pub wrong_in_all: usize,
}

impl BodyFigures {
    pub(super) fn new(
        counts: Vec<CountRow>,
        sensors: SensorRow,
        sight: Vec<SightRow>,
        indoors: Vec<IndoorsRow>,
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
            last: counts.last().cloned().unwrap_or_default(),
            counts,
            sensors,
            sight,
            indoors,
            wrong_in_all,
        }
    }

    fn render_baselines(&self) -> String {
        let rows = self.counts.iter();
        let rows = rows.flat_map(|row| row.baselines.iter().map(|it| (row.count, it)));
        table!((count, row) in rows;
            "baseline" => row.name,
            "bodies" => count,
            "update ns" => fixed(row.update_ns, 1),
            "query ns" => fixed(row.query_ns, 0),
            "tick ms" => fixed(row.tick_ms, 2),
            "times ours" => fixed(row.times_ours, 1),
            "different" => row.different,
        )
    }
}

impl Figures for BodyFigures {
    const SCHEMA: &'static str = "wayfarer/bench-bodies/4";

    fn wrong(&self) -> usize {
        self.wrong_in_all
    }

    fn render(&self) -> String {
        let mut tables = vec![table!(row in &self.counts;
            "bodies" => row.count,
            "update ns" => fixed(row.update_ns, 1),
            "query ns" => fixed(row.query_ns, 0),
            "together ns" => fixed(row.each_ns, 0),
            "tick ms" => fixed(row.tick_ms, 2),
            "hits" => fixed(row.hits, 1),
            "tests" => row.checks_done,
            "of" => row.checks_brute,
            "inside" => fixed(row.inside_fraction, 2),
            "wrong" => row.wrong,
        )];
        if self.counts.iter().any(|row| !row.baselines.is_empty()) {
            tables.push(self.render_baselines());
        }
        tables.push(table!(row in &self.counts;
            "circles eight times as wide" => format!("{} bodies", row.count),
            "query ns" => fixed(row.wide_ns, 0),
            "hits" => fixed(row.wide_hits, 1),
            "tests" => fixed(row.wide_tests, 1),
            "inside" => fixed(row.wide_inside_fraction, 2),
        ));
        tables.push(table!(row in [&self.sensors];
            "sensors" => row.sensors,
            "moving bodies" => row.moving,
            "tick ms" => fixed(row.tick_ms, 2),
            "moves ms" => fixed(row.move_ms, 2),
            "two threads ms" => fixed(row.two_threads_ms, 2),
            "members" => fixed(row.hits, 1),
            "events" => row.events,
            "wrong" => row.wrong,
        ));
        tables.push(table!(row in &self.sight;
            "sight, 512 x 512" => format!("{} % opaque", row.opaque_percent),
            "line of 50 ns" => fixed(row.line_ns, 0),
            "clear" => fixed(row.clear_fraction, 2),
            "view of 50 us" => fixed(row.field_of_view_us, 1),
            "seen" => fixed(row.seen, 0),
            "wrong" => row.wrong,
        ));
        tables.push(table!(row in &self.indoors;
            "indoors" => row.world,
            "rooms" => row.rooms,
            "build us" => fixed(row.build_us, 0),
            "candidates" => row.candidates,
            "lines" => row.lines,
            "left by rooms" => row.lines_with_rooms,
            "seen" => row.seen,
            "lines us" => fixed(row.lines_us, 2),
            "rooms first us" => fixed(row.rooms_us, 2),
            "view us" => fixed(row.field_of_view_us, 2),
            "over ground us" => fixed(row.over_ground_us, 1),
            "rooms first us" => fixed(row.over_ground_with_rooms_us, 1),
            "wrong" => row.wrong,
        ));
        tables.join("\n")
    }

    fn faults(&self) -> Vec<String> {
        Vec::new()
    }
}
