//! Totals of the flight benchmark.

use serde::Serialize;

use super::FlightFigures;
use super::mazes::MazeRow;
use super::rocks::AsteroidRow;
use crate::report::{Figures, in_part};
use crate::table::{fixed, table};

/// One preset on one map.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PresetRow {
    /// The map.
    pub map: String,
    /// The preset.
    pub preset: String,
    /// Its figures.
    #[serde(flatten)]
    pub figures: FlightFigures,
}

/// Flights over maps, through mazes and among asteroids.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct FlightTotals {
    /// The figures of the first preset.
    #[serde(flatten)]
    pub first: Option<FlightFigures>,
    /// Wrong results of all rows.
    pub wrong_in_all: usize,
    /// Preset by preset.
    pub presets: Vec<PresetRow>,
    /// Walls with one hole each.
    pub mazes: Vec<MazeRow>,
    /// Moving asteroids.
    #[serde(rename = "field")]
    pub asteroids: Option<AsteroidRow>,
}

impl Figures for FlightTotals {
    const SCHEMA: &'static str = "wayfarer/bench-air-flight/2";

    fn wrong(&self) -> usize {
        self.wrong_in_all
    }

    fn render(&self) -> String {
        let mut tables = Vec::new();
        if !self.presets.is_empty() {
            tables.push(self.render_presets());
            tables.push(self.render_checks());
        }
        if !self.mazes.is_empty() {
            tables.push(self.render_mazes());
        }
        tables.extend(self.asteroids.as_ref().map(render_asteroids));
        tables.join("\n")
    }

    fn faults(&self) -> Vec<String> {
        let of_row =
            |row: &PresetRow| in_part(&format!("{} {}", row.map, row.preset), &row.figures.faults);
        self.presets.iter().flat_map(of_row).collect()
    }
}

impl FlightTotals {
    /// Adds up wrong results, and takes the figures of the first preset.
    pub fn add_up(&mut self) {
        self.first = self.presets.first().map(|row| row.figures.clone());
        let presets = self.presets.iter().map(|row| row.figures.wrong);
        let mazes = self.mazes.iter().map(|row| row.wrong);
        let asteroids = self.asteroids.iter().map(|row| row.wrong);
        self.wrong_in_all = presets.chain(mazes).chain(asteroids).sum();
    }

    fn render_presets(&self) -> String {
        table!(PresetRow { map, preset, figures } in &self.presets;
            "map" => map.as_str(),
            "preset" => preset.as_str(),
            "queries" => figures.queries,
            "wrong" => figures.wrong,
            "p50 us" => figures.p50_us,
            "p99 us" => figures.p99_us,
            "max us" => figures.max_us,
            "mean us" => figures.mean_us,
            "expansions" => figures.expansions_mean,
            "length" => figures.length_ratio.map(|it| fixed(it.mean, 3)),
            "p99" => figures.length_ratio.map(|it| fixed(it.p99, 3)),
            "raw" => figures.raw_length_ratio.map(|it| fixed(it.mean, 3)),
        )
    }

    fn render_checks(&self) -> String {
        table!(PresetRow { map, preset, figures } in &self.presets;
            "map" => map.as_str(),
            "preset" => preset.as_str(),
            "flights checked" => figures.checked,
            "raw legs checked" => figures.raw_legs,
            "without room" => figures.no_room,
            "unreachable" => figures.cut_off,
            "expansions by side of the node" => by_side(figures),
        )
    }

    fn render_mazes(&self) -> String {
        table!(maze in &self.mazes;
            "walls" => maze.walls,
            "ms" => maze.ms,
            "expansions" => maze.expansions,
            "without regions ms" => maze.flat_ms,
            "expansions" => maze.flat_expansions,
            "length" => fixed(maze.length_ratio, 3),
            "radius 2 ms" => maze.wide_ms,
            "without regions ms" => maze.wide_flat_ms,
            "unreachable ms" => maze.too_wide_ms,
            "without regions ms" => maze.too_wide_flat_ms,
            "nearest ms" => maze.nearest_ms,
            "wrong" => maze.wrong,
        )
    }
}

/// Mean expansions of a query by the side of the node in voxels, as `1: 3.0, 4: 1.5`.
fn by_side(figures: &FlightFigures) -> String {
    let sides = [1, 4].into_iter().chain((1..).map(|layer| 4_u32 << layer));
    let expansions = figures.expansions_by_layer.iter().zip(sides);
    let n_searches = (figures.queries - figures.no_room).max(1) as f64;
    let texts = expansions
        .filter(|(n, _)| **n > 0)
        .map(|(n, side)| format!("{side}: {:.1}", *n as f64 / n_searches));
    texts.collect::<Vec<_>>().join(", ")
}

fn render_asteroids(asteroids: &AsteroidRow) -> String {
    table!(row in [asteroids];
        "asteroids" => row.rocks,
        "moving" => row.moving,
        "flights" => row.queries,
        "p50 us" => row.time_us.map(|it| it.p50),
        "p99 us" => row.time_us.map(|it| it.p99),
        "max us" => row.time_us.map(|it| it.max),
        "length x straight" => row.straight_ratio.map(|it| fixed(it.mean, 3)),
        "tick ms" => row.tick_ms.map(|it| it.mean),
        "wrong" => row.wrong,
    )
}
