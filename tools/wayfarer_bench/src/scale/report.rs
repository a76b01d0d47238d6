//! Report of the scale benchmark, and its table.

use serde::Serialize;
use wayfarer_measure::machine::Machine;
use wayfarer_measure::statistics::Spread;
use wayfarer_measure::table::{Table, grouped, short};

use crate::report::pretty_json;

/// A measurement of one city.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ScaleReport {
    /// The layout of this value.
    pub schema: &'static str,
    /// How to make it again.
    pub command: String,
    /// Where it was made.
    pub machine: Machine,
    /// Nanoseconds per expansion of the dense bucket A* on the fixed world, to compare machines.
    pub calibration: f64,
    /// What was made.
    pub kind: &'static str,
    /// Its side in cells.
    pub size: u32,
    /// Walkable cells.
    pub n_cells: usize,
    /// Making it and all that is derived from it, sector by sector, milliseconds.
    pub build_ms: f64,
    /// Bytes of ground and searcher after all questions, as the allocator counted them.
    pub memory_bytes: Option<i64>,
    /// Bytes of the ground by its own report.
    pub ground_bytes: usize,
    /// Bytes of what the searcher remembers after all questions.
    pub cache_bytes: usize,
    /// From corner to corner: until the first piece can be walked, warmed by other questions.
    pub first_step_us: f64,
    /// The same with nothing remembered; median of nine.
    pub first_step_cold_us: f64,
    /// From corner to corner: the whole path, warmed by other questions and its first piece.
    pub whole_path_ms: f64,
    /// The same with nothing remembered; median of nine.
    pub whole_path_cold_ms: f64,
    /// Cells of that path.
    pub whole_path_cells: usize,
    /// How many times the cheapest it may cost at most, as far as is proven.
    pub whole_path_bound: Option<f64>,
    /// Far paths over the cheapest, in cities up to 2,048.
    pub length_ratio: Option<Spread>,
    /// Paths of up to 256 cells along x and y by `bounded`.
    pub query_us: Option<Spread>,
    /// Mean time of an edit of one cell, everything repaired.
    pub edit1_us: Option<f64>,
    /// How these times are spread.
    pub edit1_spread_us: Option<Spread>,
    /// Taking an edit over into what is remembered.
    pub sync_us: Option<Spread>,
    /// Answers that were wrong.
    pub wrong: usize,
    /// What was wrong.
    pub faults: Vec<String>,
}

impl ScaleReport {
    /// The layout's name, with its version.
    pub const SCHEMA: &'static str = "wayfarer/bench-scale/2";

    /// The report as JSON, readable, with a line end.
    pub fn to_json(&self) -> String {
        pretty_json(self)
    }
}

/// The report as text.
pub fn render(report: &ScaleReport) -> String {
    let mut table = Table::new(["what", "figure"]);
    let mut row = |what: &str, figure: String| table.row(vec![what.to_owned(), figure]);
    let megabytes = |bytes: f64| format!("{} MB", short(bytes / 1e6));
    row("walkable cells", grouped(&report.n_cells.to_string()));
    row("made in", format!("{} ms", short(report.build_ms)));
    if let Some(bytes) = report.memory_bytes {
        row("memory after all questions", megabytes(bytes as f64));
    }
    row("ground", megabytes(report.ground_bytes as f64));
    row("remembered", megabytes(report.cache_bytes as f64));
    let beside = |warm: f64, cold: f64, unit: &str| {
        format!("{} {unit}, cold {} {unit}", short(warm), short(cold))
    };
    row(
        "corner to corner, first piece",
        beside(report.first_step_us, report.first_step_cold_us, "us"),
    );
    row(
        "corner to corner, whole",
        beside(report.whole_path_ms, report.whole_path_cold_ms, "ms"),
    );
    row("its cells", grouped(&report.whole_path_cells.to_string()));
    if let Some(ratio) = report.length_ratio {
        row(
            "far ways over the cheapest",
            format!(
                "{:.4}, p99 {:.4}, max {:.4}",
                ratio.mean, ratio.p99, ratio.max
            ),
        );
    }
    if let Some(times) = report.query_us {
        row(
            "near ways",
            format!("{} us, p99 {} us", short(times.mean), short(times.p99)),
        );
    }
    if let Some(times) = report.edit1_spread_us {
        row(
            "edit of one cell",
            format!("{} us, p99 {} us", short(times.mean), short(times.p99)),
        );
    }
    if let Some(times) = report.sync_us {
        row(
            "taking it over",
            format!("{} us, p99 {} us", short(times.mean), short(times.p99)),
        );
    }
    let mut text = format!(
        "{}\ncalibration {:.1} ns per expansion\n{} of {} x {} cells\n\n{}",
        report.machine,
        report.calibration,
        report.kind,
        report.size,
        report.size,
        table.render(),
    );
    for fault in report.faults.iter().take(10) {
        text += &format!("wrong: {fault}\n");
    }
    text
}
