//! Figures of the scale benchmark.

use serde::Serialize;
use wayfarer_measure::statistics::Spread;

use crate::report::Figures;
use crate::table::SpreadTable;

/// One world.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ScaleFigures {
    /// The kind of world.
    pub kind: &'static str,
    /// Its side in cells.
    pub size: u32,
    /// Walkable cells.
    pub n_cells: usize,
    /// Generating and building it, sector by sector, milliseconds.
    pub build_ms: f64,
    /// Bytes of ground and searcher after all queries, as the allocator counted them.
    pub memory_bytes: Option<i64>,
    /// Bytes of the ground by its own report.
    pub ground_bytes: usize,
    /// Bytes of the searcher's cache after all queries.
    pub cache_bytes: usize,
    /// From corner to corner: time to the first segment, warmed by other queries.
    pub first_step_us: f64,
    /// The same with an empty cache; median of nine.
    pub first_step_cold_us: f64,
    /// From corner to corner: the whole path, warmed by other queries and its first segment.
    pub whole_path_ms: f64,
    /// The same with an empty cache; median of nine.
    pub whole_path_cold_ms: f64,
    /// Cells of that path.
    pub whole_path_cells: usize,
    /// Its proven suboptimality bound.
    pub whole_path_bound: Option<f64>,
    /// Far paths over optimal ones, in worlds up to 2,048.
    pub length_ratio: Option<Spread>,
    /// Paths of up to 256 cells along x and y by `bounded`.
    pub query_us: Option<Spread>,
    /// Mean time of an edit of one cell, everything repaired.
    pub edit1_us: Option<f64>,
    /// Their distribution.
    pub edit1_spread_us: Option<Spread>,
    /// Cache invalidation after an edit.
    pub sync_us: Option<Spread>,
    /// Wrong results.
    pub wrong: usize,
    /// The wrong results.
    pub faults: Vec<String>,
}

impl Figures for ScaleFigures {
    const SCHEMA: &'static str = "wayfarer/bench-scale/2";

    fn wrong(&self) -> usize {
        self.wrong
    }

    fn summary(&self) -> String {
        let size = self.size;
        format!("{} of {size} x {size} cells", self.kind)
    }

    fn render(&self) -> String {
        let figures = [
            ("walkable cells", Some(self.n_cells as f64)),
            ("build ms", Some(self.build_ms)),
            (
                "memory after all queries, MB",
                self.memory_bytes.map(|it| it as f64 / 1e6),
            ),
            ("ground, MB", Some(self.ground_bytes as f64 / 1e6)),
            ("cache, MB", Some(self.cache_bytes as f64 / 1e6)),
            (
                "corner to corner, first segment us",
                Some(self.first_step_us),
            ),
            ("  with an empty cache", Some(self.first_step_cold_us)),
            ("corner to corner, whole path ms", Some(self.whole_path_ms)),
            ("  with an empty cache", Some(self.whole_path_cold_ms)),
            ("  its cells", Some(self.whole_path_cells as f64)),
        ];
        let mut table = SpreadTable::new("", []);
        for (name, figure) in figures {
            table.mean(name, figure, []);
        }
        for (name, spread) in [
            ("far paths over optimal ones", self.length_ratio),
            ("near paths us", self.query_us),
            ("edit of one cell us", self.edit1_spread_us),
            ("cache invalidation us", self.sync_us),
        ] {
            table.row(name, spread, []);
        }
        table.render()
    }

    fn faults(&self) -> Vec<String> {
        self.faults.clone()
    }
}
