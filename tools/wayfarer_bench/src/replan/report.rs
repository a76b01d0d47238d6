//! Report of the replan benchmark, and its table.

use serde::{Serialize, Serializer};
use wayfarer_measure::machine::Machine;
use wayfarer_measure::statistics::mean;
use wayfarer_measure::table::{Table, short};

use crate::report::pretty_json;

/// Faults listed per map.
const MAX_REPORTED: usize = 5;

/// One method on one map; times in microseconds, written as their mean.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MapRow {
    /// Its name.
    pub map: String,
    /// The method.
    pub method: String,
    /// Paths whose goal becomes unreachable: no query follows.
    pub n_disconnected: usize,
    /// Each cell removed, with cache invalidation.
    #[serde(serialize_with = "as_mean")]
    pub cut_us: Vec<f64>,
    /// Each cell restored, with cache invalidation.
    #[serde(serialize_with = "as_mean")]
    pub heal_us: Vec<f64>,
    /// Each first question after a cell was taken away.
    #[serde(serialize_with = "as_mean")]
    pub next_us: Vec<f64>,
    /// Each second one, the same.
    #[serde(serialize_with = "as_mean")]
    pub warm_us: Vec<f64>,
    /// Wrong answers.
    pub wrong: usize,
    /// The first of them.
    pub faults: Vec<String>,
}

fn as_mean<S: Serializer>(times: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    mean(times).serialize(serializer)
}

impl MapRow {
    pub(super) fn new(map: &str, method: &str) -> Self {
        Self {
            map: map.to_owned(),
            method: method.to_owned(),
            n_disconnected: 0,
            cut_us: Vec::new(),
            heal_us: Vec::new(),
            next_us: Vec::new(),
            warm_us: Vec::new(),
            wrong: 0,
            faults: Vec::new(),
        }
    }

    pub(super) fn fault(&mut self, what: &str) {
        self.wrong += 1;
        if self.faults.len() < MAX_REPORTED {
            let (map, method) = (&self.map, &self.method);
            self.faults.push(format!("{map}, {method}: {what}"));
        }
    }

    fn add(&mut self, other: &Self) {
        self.n_disconnected += other.n_disconnected;
        self.cut_us.extend(&other.cut_us);
        self.heal_us.extend(&other.heal_us);
        self.next_us.extend(&other.next_us);
        self.warm_us.extend(&other.warm_us);
        self.wrong += other.wrong;
    }

    /// How many times as long as the second question after a cut the first one takes, all cuts
    /// together; `None` without a cut.
    pub fn next_to_warm(&self) -> Option<f64> {
        Some(mean(&self.next_us)? / mean(&self.warm_us)?)
    }
}

/// A whole measurement of cuts.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReplanReport {
    /// The layout of this value.
    pub schema: &'static str,
    /// How to make it again.
    pub command: String,
    /// Where it was made.
    pub machine: Machine,
    /// Nanoseconds per expansion of the dense bucket A* on the fixed world, to compare machines.
    pub calibration: f64,
    /// Cuts in all.
    pub n_cuts: usize,
    /// Method by method, all maps together.
    pub totals: Vec<MapRow>,
    /// Wrong answers in all.
    pub wrong: usize,
    /// Map by map, method by method.
    pub maps: Vec<MapRow>,
}

impl ReplanReport {
    /// The layout's name, with its version.
    pub const SCHEMA: &'static str = "wayfarer/bench-replan/2";

    pub(super) fn new(
        command: String,
        machine: Machine,
        calibration: f64,
        maps: Vec<MapRow>,
    ) -> Self {
        let mut totals: Vec<MapRow> = Vec::new();
        for row in &maps {
            let known = totals.iter().position(|it| it.method == row.method);
            let index = known.unwrap_or_else(|| {
                totals.push(MapRow::new("all", &row.method));
                totals.len() - 1
            });
            totals[index].add(row);
        }
        Self {
            schema: Self::SCHEMA,
            command,
            machine,
            calibration,
            totals,
            n_cuts: maps.iter().map(|row| row.cut_us.len()).sum(),
            wrong: maps.iter().map(|row| row.wrong).sum(),
            maps,
        }
    }

    /// The report as JSON, readable, with a line end.
    pub fn to_json(&self) -> String {
        pretty_json(self)
    }
}

/// The report as text: the machine, the figures, then what was wrong.
pub fn render(report: &ReplanReport) -> String {
    let mut table = Table::new([
        "map",
        "method",
        "cuts",
        "cut us",
        "heal us",
        "next us",
        "warm us",
        "next / warm",
    ]);
    for row in report.maps.iter().chain(&report.totals) {
        let figure = |times: Option<f64>| times.map_or_else(|| "–".to_owned(), short);
        let times = [&row.cut_us, &row.heal_us, &row.next_us, &row.warm_us];
        let mut columns = vec![
            row.map.clone(),
            row.method.clone(),
            row.cut_us.len().to_string(),
        ];
        columns.extend(times.map(|times| figure(mean(times))));
        columns.push(figure(row.next_to_warm()));
        table.row(columns);
    }
    let mut text = format!(
        "{}\ncalibration {:.1} ns per expansion\n\n{}",
        report.machine,
        report.calibration,
        table.render()
    );
    for fault in report.maps.iter().flat_map(|row| &row.faults) {
        text += &format!("wrong: {fault}\n");
    }
    text
}
