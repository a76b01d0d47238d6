//! Report of the reachability benchmark, and its table.

use serde::Serialize;
use wayfarer_measure::machine::Machine;
use wayfarer_measure::statistics::Spread;
use wayfarer_measure::table::{Table, short};

use crate::report::pretty_json;

/// Faults listed per map.
const MAX_REPORTED: usize = 5;

/// One map; times in microseconds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MapRow {
    /// Its name.
    pub map: String,
    /// Walkable cells.
    pub n_cells: usize,
    /// Each unreachable verdict.
    #[serde(skip)]
    pub unreachable_us: Vec<f64>,
    /// Expansions of all verdicts together: 0.
    pub unreachable_expansions: u64,
    /// Each nearest cell, found.
    #[serde(skip)]
    pub nearest_us: Vec<f64>,
    /// Each nearest reachable cell with its path.
    #[serde(skip)]
    pub partial_us: Vec<f64>,
    /// Wrong answers.
    pub wrong: usize,
    /// The first of them.
    pub faults: Vec<String>,
}

impl MapRow {
    pub(super) fn new(map: &str, n_cells: usize) -> Self {
        Self {
            map: map.to_owned(),
            n_cells,
            unreachable_us: Vec::new(),
            unreachable_expansions: 0,
            nearest_us: Vec::new(),
            partial_us: Vec::new(),
            wrong: 0,
            faults: Vec::new(),
        }
    }

    pub(super) fn fault(&mut self, what: &str) {
        self.wrong += 1;
        if self.faults.len() < MAX_REPORTED {
            self.faults.push(format!("{}: {what}", self.map));
        }
    }
}

/// Watched paths; times in microseconds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SubscriptionRow {
    /// The map they are on.
    pub map: String,
    /// Its walkable cells.
    pub n_cells: usize,
    /// Paths watched.
    pub n_subscriptions: usize,
    /// Each report of the one path that a cut broke.
    #[serde(skip)]
    pub invalidate_us: Vec<f64>,
    /// The same with the edit itself.
    #[serde(skip)]
    pub edit_us: Vec<f64>,
    /// Wrong reports.
    pub wrong: usize,
    /// The first of them.
    pub faults: Vec<String>,
}

impl SubscriptionRow {
    pub(super) fn new(map: &str) -> Self {
        Self {
            map: map.to_owned(),
            n_cells: 0,
            n_subscriptions: 0,
            invalidate_us: Vec::new(),
            edit_us: Vec::new(),
            wrong: 0,
            faults: Vec::new(),
        }
    }

    pub(super) fn fault(&mut self, what: &str) {
        self.wrong += 1;
        if self.faults.len() < MAX_REPORTED {
            self.faults.push(format!("watching {}: {what}", self.map));
        }
    }
}

/// A whole measurement of questions; times in microseconds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReachabilityReport {
    /// The layout of this value.
    pub schema: &'static str,
    /// How to make it again.
    pub command: String,
    /// Where it was made.
    pub machine: Machine,
    /// Nanoseconds per expansion of the dense bucket A* on the fixed world, to compare machines.
    pub calibration: f64,
    /// Maps asked on.
    pub n_maps: usize,
    /// Unreachable verdicts.
    pub n_unreachable: usize,
    /// What one takes.
    pub unreachable_us: Option<Spread>,
    /// Expansions of all of them together: 0.
    pub unreachable_expansions: u64,
    /// Nearest cells found.
    pub n_nearest: usize,
    /// What finding the cell takes.
    pub nearest_us: Option<Spread>,
    /// Time to find it with its path.
    pub partial_us: Option<Spread>,
    /// Cuts that each broke one path.
    pub n_cuts: usize,
    /// What it takes to tell which one.
    pub invalidate_us: Option<Spread>,
    /// The same with the edit itself.
    pub edit_us: Option<Spread>,
    /// Wrong answers in all.
    pub wrong: usize,
    /// Map by map.
    pub maps: Vec<MapRow>,
    /// Where paths were watched, if there was anything to walk on.
    pub subscriptions: Option<SubscriptionRow>,
}

impl ReachabilityReport {
    /// The layout's name, with its version.
    pub const SCHEMA: &'static str = "wayfarer/bench-reachability/2";

    pub(super) fn new(
        command: String,
        machine: Machine,
        calibration: f64,
        maps: Vec<MapRow>,
        subscriptions: Option<SubscriptionRow>,
    ) -> Self {
        let all = |times: fn(&MapRow) -> &Vec<f64>| {
            maps.iter().flat_map(times).copied().collect::<Vec<f64>>()
        };
        let mut verdicts = all(|map| &map.unreachable_us);
        let mut nearest = all(|map| &map.nearest_us);
        let mut paths = all(|map| &map.partial_us);
        let mut notices = subscriptions
            .as_ref()
            .map_or(Vec::new(), |it| it.invalidate_us.clone());
        let mut edits = subscriptions
            .as_ref()
            .map_or(Vec::new(), |it| it.edit_us.clone());
        let wrong: usize = maps.iter().map(|map| map.wrong).sum();
        Self {
            schema: Self::SCHEMA,
            command,
            machine,
            calibration,
            n_maps: maps.len(),
            n_unreachable: verdicts.len(),
            unreachable_us: Spread::of(&mut verdicts),
            unreachable_expansions: maps.iter().map(|map| map.unreachable_expansions).sum(),
            n_nearest: nearest.len(),
            nearest_us: Spread::of(&mut nearest),
            partial_us: Spread::of(&mut paths),
            n_cuts: notices.len(),
            invalidate_us: Spread::of(&mut notices),
            edit_us: Spread::of(&mut edits),
            wrong: wrong + subscriptions.as_ref().map_or(0, |it| it.wrong),
            maps,
            subscriptions,
        }
    }

    /// The report as JSON, readable, with a line end.
    pub fn to_json(&self) -> String {
        pretty_json(self)
    }
}

/// The report as text: the machine, the figures, then what was wrong.
pub fn render(report: &ReachabilityReport) -> String {
    let mut table = Table::new(["question", "asked", "mean us", "p50 us", "p99 us", "max us"]);
    let mut row = |name: &str, n_asked: usize, spread: Option<Spread>| {
        let figures = spread.map_or_else(
            || ["–"; 4].map(str::to_owned),
            |it| [it.mean, it.p50, it.p99, it.max].map(short),
        );
        let mut columns = vec![name.to_owned(), n_asked.to_string()];
        columns.extend(figures);
        table.row(columns);
    };
    row(
        "no way: verdict",
        report.n_unreachable,
        report.unreachable_us,
    );
    row("no way: nearest cell", report.n_nearest, report.nearest_us);
    row(
        "no way: and the way there",
        report.n_nearest,
        report.partial_us,
    );
    row(
        "one watched path cut: told",
        report.n_cuts,
        report.invalidate_us,
    );
    row("the same with the edit", report.n_cuts, report.edit_us);
    let mut text = format!(
        "{}\ncalibration {:.1} ns per expansion\n{} maps, {} expansions for all verdicts",
        report.machine, report.calibration, report.n_maps, report.unreachable_expansions,
    );
    if let Some(subscriptions) = &report.subscriptions {
        text += &format!(
            "; {} paths watched on {}",
            subscriptions.n_subscriptions, subscriptions.map
        );
    }
    text = text + "\n\n" + &table.render();
    let faults = report.maps.iter().flat_map(|map| &map.faults);
    for fault in faults.chain(report.subscriptions.iter().flat_map(|it| &it.faults)) {
        text += &format!("wrong: {fault}\n");
    }
    text
}
