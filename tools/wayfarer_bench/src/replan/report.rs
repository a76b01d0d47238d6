//! Figures of the replan benchmark.

use serde::{Serialize, Serializer};
use wayfarer_measure::statistics::mean;

use crate::report::{Faults, Figures};
use crate::table::table;

/// One method on one map; times in microseconds, serialized as their mean.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
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
    /// Each first query after a cell was removed.
    #[serde(serialize_with = "as_mean")]
    pub next_us: Vec<f64>,
    /// Each second one, the same.
    #[serde(serialize_with = "as_mean")]
    pub warm_us: Vec<f64>,
    /// Wrong results.
    #[serde(flatten)]
    pub faults: Faults,
}

fn as_mean<S: Serializer>(times: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    mean(times).serialize(serializer)
}

impl MapRow {
    pub(super) fn new(map: &str, method: &str) -> Self {
        Self {
            map: map.to_owned(),
            method: method.to_owned(),
            ..Self::default()
        }
    }

    fn add(&mut self, other: &Self) {
        self.n_disconnected += other.n_disconnected;
        self.cut_us.extend(&other.cut_us);
        self.heal_us.extend(&other.heal_us);
        self.next_us.extend(&other.next_us);
        self.warm_us.extend(&other.warm_us);
        self.faults.wrong += other.faults.wrong;
    }

    /// Time of the first query after a removal over that of the second, all removals together;
    /// `None` without a removal.
    pub fn next_to_warm(&self) -> Option<f64> {
        Some(mean(&self.next_us)? / mean(&self.warm_us)?)
    }
}

/// Removals and the queries after them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReplanFigures {
    /// Removals in all.
    pub n_cuts: usize,
    /// Method by method, all maps together.
    pub totals: Vec<MapRow>,
    /// Wrong results in all.
    pub wrong: usize,
    /// Map by map, method by method.
    pub maps: Vec<MapRow>,
}

impl ReplanFigures {
    pub(super) fn new(maps: Vec<MapRow>) -> Self {
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
            totals,
            n_cuts: maps.iter().map(|row| row.cut_us.len()).sum(),
            wrong: maps.iter().map(|row| row.faults.wrong).sum(),
            maps,
        }
    }
}

impl Figures for ReplanFigures {
    const SCHEMA: &'static str = "wayfarer/bench-replan/2";

    fn wrong(&self) -> usize {
        self.wrong
    }

    fn render(&self) -> String {
        table!(row in self.maps.iter().chain(&self.totals);
            "map" => row.map.as_str(),
            "method" => row.method.as_str(),
            "cuts" => row.cut_us.len(),
            "cut us" => mean(&row.cut_us),
            "heal us" => mean(&row.heal_us),
            "next us" => mean(&row.next_us),
            "warm us" => mean(&row.warm_us),
            "next / warm" => row.next_to_warm(),
        )
    }

    fn faults(&self) -> Vec<String> {
        let of_row = |row: &MapRow| row.faults.of(&format!("{}, {}", row.map, row.method));
        self.maps.iter().flat_map(of_row).collect()
    }
}
