//! Report of the flight benchmark, and its table.

use std::fmt::Write as _;

use serde::Serialize;
use wayfarer_measure::machine::Machine;

use super::FlightFigures;
use super::mazes::MazeRow;
use super::rocks::AsteroidRow;

/// One preset on one map.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PresetRow {
    /// The map.
    pub map: String,
    /// The preset.
    pub preset: String,
    /// What came of it.
    #[serde(flatten)]
    pub figures: FlightFigures,
}

/// A whole measurement of flights.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FlightReport {
    /// The layout of this value.
    pub schema: &'static str,
    /// How to make it again.
    pub command: String,
    /// Where it was made.
    pub machine: Machine,
    /// Nanoseconds per expansion of the dense bucket A* on the fixed world, to compare machines.
    pub calibration: f64,
    /// The figures of the first preset.
    #[serde(flatten)]
    pub first: Option<FlightFigures>,
    /// Wrong answers of all rows.
    pub wrong_in_all: usize,
    /// Preset by preset.
    pub presets: Vec<PresetRow>,
    /// Walls with one hole each.
    pub mazes: Vec<MazeRow>,
    /// Moving asteroids.
    #[serde(rename = "field")]
    pub asteroids: Option<AsteroidRow>,
}

impl FlightReport {
    /// The report as JSON.
    pub fn to_json(&self) -> String {
        crate::report::pretty_json(self)
    }
}

/// The report as tables.
pub fn render(report: &FlightReport) -> String {
    let mut text = String::new();
    let mut line = |what: String| {
        text.push_str(what.trim_end());
        text.push('\n');
    };
    if !report.presets.is_empty() {
        line(format!(
            "{:10} {:10} {:>7} {:>5} {:>9} {:>9} {:>9} {:>9} {:>10} {:>7} {:>7} {:>7}",
            "map",
            "preset",
            "queries",
            "wrong",
            "p50 us",
            "p99 us",
            "max us",
            "mean us",
            "expanded",
            "length",
            "p99",
            "raw"
        ));
    }
    for PresetRow {
        map,
        preset,
        figures,
    } in &report.presets
    {
        let (length, p99) = figures
            .length_ratio
            .map_or((0.0, 0.0), |ratio| (ratio.mean, ratio.p99));
        let raw = figures.raw_length_ratio.map_or(0.0, |ratio| ratio.mean);
        line(format!(
            "{map:10} {preset:10} {:7} {:5} {:9.1} {:9.1} {:9.1} {:9.1} {:10.1} {length:7.3} {p99:7.3} {raw:7.3}",
            figures.queries,
            figures.wrong,
            figures.p50_us,
            figures.p99_us,
            figures.max_us,
            figures.mean_us,
            figures.expansions_mean,
        ));
    }
    for PresetRow {
        map,
        preset,
        figures,
    } in &report.presets
    {
        let names = ["voxels".to_owned(), "leaves".to_owned()].into_iter();
        let names = names.chain((1..).map(|layer| format!("{}", 4_u32 << layer)));
        let by_layer = figures
            .expansions_by_layer
            .iter()
            .zip(names)
            .filter(|(n, _)| **n > 0);
        let shares = by_layer.fold(String::new(), |mut text, (n, name)| {
            let each = *n as f64 / (figures.queries - figures.no_room).max(1) as f64;
            write!(text, "  {name} {each:.1}").expect("a text takes all");
            text
        });
        line(format!("expanded by side, {map} {preset}:{shares}"));
        line(format!(
            "checked, {map} {preset}: {} flights as given, {} legs as found; {} without room, {} cut off",
            figures.checked, figures.raw_legs, figures.no_room, figures.cut_off
        ));
        for fault in &figures.faults {
            line(format!("  wrong: {fault}"));
        }
    }
    for maze in &report.mazes {
        line(format!(
            "maze of {} walls: {:.1} ms, {} expanded; without regions {:.1} ms, {} expanded; length {:.3} of that, {} wrong",
            maze.walls,
            maze.ms,
            maze.expansions,
            maze.flat_ms,
            maze.flat_expansions,
            maze.length_ratio,
            maze.wrong
        ));
        line(format!(
            "  a ball of radius 2: {:.1} ms through wide holes, without regions {:.1} ms; {:.1} ms to be told there is no way, without regions {:.1} ms; the nearest place for a point {:.2} ms",
            maze.wide_ms,
            maze.wide_flat_ms,
            maze.too_wide_ms,
            maze.too_wide_flat_ms,
            maze.nearest_ms
        ));
    }
    if let Some(row) = &report.asteroids {
        let time = row
            .time_us
            .map_or((0.0, 0.0, 0.0), |time| (time.p50, time.p99, time.max));
        let tick = row.tick_ms.map_or(0.0, |tick| tick.mean);
        let ratio = row.straight_ratio.map_or(0.0, |ratio| ratio.mean);
        line(format!(
            "{} asteroids, {} moving: {} flights, p50 {:.1} us, p99 {:.1} us, max {:.1} us, {ratio:.3} of the straight line, {} wrong; a tick {tick:.1} ms",
            row.rocks, row.moving, row.queries, time.0, time.1, time.2, row.wrong
        ));
    }
    text
}
