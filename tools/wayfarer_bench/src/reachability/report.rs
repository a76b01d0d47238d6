//! Figures of the reachability benchmark.

use serde::Serialize;
use wayfarer_measure::statistics::Spread;

use crate::report::{Faults, Figures};
use crate::table::SpreadTable;

/// One map; times in microseconds.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
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
    /// Each nearest reachable cell.
    #[serde(skip)]
    pub nearest_us: Vec<f64>,
    /// Each nearest reachable cell with its path.
    #[serde(skip)]
    pub partial_us: Vec<f64>,
    /// Wrong results.
    #[serde(flatten)]
    pub faults: Faults,
}

/// Subscribed paths; times in microseconds.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct SubscriptionRow {
    /// The map they are on.
    pub map: String,
    /// Its walkable cells.
    pub n_cells: usize,
    /// Subscribed paths.
    pub n_subscriptions: usize,
    /// Each report of the one path that an edit invalidates.
    #[serde(skip)]
    pub invalidate_us: Vec<f64>,
    /// The same with the edit itself.
    #[serde(skip)]
    pub edit_us: Vec<f64>,
    /// Wrong reports.
    #[serde(flatten)]
    pub faults: Faults,
}

/// Verdicts, nearest cells and invalidated subscriptions; times in microseconds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReachabilityFigures {
    /// Maps measured.
    pub n_maps: usize,
    /// Unreachable verdicts.
    pub n_unreachable: usize,
    /// Time of one.
    pub unreachable_us: Option<Spread>,
    /// Expansions of all of them together: 0.
    pub unreachable_expansions: u64,
    /// Nearest reachable cells.
    pub n_nearest: usize,
    /// Time to find the cell.
    pub nearest_us: Option<Spread>,
    /// Time to find it with its path.
    pub partial_us: Option<Spread>,
    /// Edits that each invalidate one path.
    pub n_cuts: usize,
    /// Time to report which one.
    pub invalidate_us: Option<Spread>,
    /// The same with the edit itself.
    pub edit_us: Option<Spread>,
    /// Wrong results in all.
    pub wrong: usize,
    /// Map by map.
    pub maps: Vec<MapRow>,
    /// The subscriptions, if any map has a walkable cell.
    pub subscriptions: Option<SubscriptionRow>,
}

impl ReachabilityFigures {
    pub(super) fn new(maps: Vec<MapRow>, subscriptions: Option<SubscriptionRow>) -> Self {
        let all = |times: fn(&MapRow) -> &Vec<f64>| {
            let mut all: Vec<f64> = maps.iter().flat_map(times).copied().collect();
            (all.len(), Spread::of(&mut all))
        };
        let (n_unreachable, unreachable_us) = all(|map| &map.unreachable_us);
        let (n_nearest, nearest_us) = all(|map| &map.nearest_us);
        let (_, partial_us) = all(|map| &map.partial_us);
        let wrong: usize = maps.iter().map(|map| map.faults.wrong).sum();
        let mut row = subscriptions.clone().unwrap_or_default();
        Self {
            n_maps: maps.len(),
            n_unreachable,
            unreachable_us,
            unreachable_expansions: maps.iter().map(|map| map.unreachable_expansions).sum(),
            n_nearest,
            nearest_us,
            partial_us,
            n_cuts: row.invalidate_us.len(),
            invalidate_us: Spread::of(&mut row.invalidate_us),
            edit_us: Spread::of(&mut row.edit_us),
            wrong: wrong + row.faults.wrong,
            maps,
            subscriptions,
        }
    }
}

impl Figures for ReachabilityFigures {
    const SCHEMA: &'static str = "wayfarer/bench-reachability/2";

    fn wrong(&self) -> usize {
        self.wrong
    }

    fn summary(&self) -> String {
        let subscribed = self.subscriptions.as_ref().map_or_else(String::new, |row| {
            format!("; {} paths subscribed on {}", row.n_subscriptions, row.map)
        });
        let (n_maps, expansions) = (self.n_maps, self.unreachable_expansions);
        format!("{n_maps} maps, {expansions} expansions for all verdicts{subscribed}")
    }

    fn render(&self) -> String {
        let mut table = SpreadTable::new("microseconds", ["count"]);
        for (name, spread, count) in [
            (
                "unreachable verdict",
                self.unreachable_us,
                self.n_unreachable,
            ),
            ("nearest reachable cell", self.nearest_us, self.n_nearest),
            ("the same with its path", self.partial_us, self.n_nearest),
            (
                "report of the invalidated path",
                self.invalidate_us,
                self.n_cuts,
            ),
            ("the same with the edit", self.edit_us, self.n_cuts),
        ] {
            table.row(name, spread, [count.to_string()]);
        }
        table.render()
    }

    fn faults(&self) -> Vec<String> {
        let maps = self.maps.iter().map(|row| row.faults.of(&row.map));
        let subscriptions = self.subscriptions.iter();
        let part = |map: &str| format!("subscriptions on {map}");
        let subscriptions = subscriptions.map(|row| row.faults.of(&part(&row.map)));
        maps.chain(subscriptions).flatten().collect()
    }
}
