//! Figures of the air benchmark.

use serde::Serialize;
use wayfarer_measure::statistics::Spread;

use super::boards::BoardRow;
use super::rocks::RockRow;
use crate::report::{Figures, in_part};
use crate::table::table;

/// One map.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct MapRow {
    /// Its name.
    pub map: String,
    /// Voxels along each axis.
    pub size: [u32; 3],
    /// Solid voxels.
    pub solid_voxels: usize,
    /// Connected components of the free space.
    pub components: u64,
    /// From voxels in memory to ready, connectivity included; best of five.
    pub build_ms: f64,
    /// Bytes of the air with connectivity.
    pub memory_bytes: usize,
    /// The same after all edits, spare capacity included.
    pub memory_after_edits_bytes: usize,
    /// Nodes of the octree.
    pub nodes: usize,
    /// Filling or clearing 4 x 4 x 4 voxels, everything repaired; each edit's median of 11.
    pub edit_us: Option<Spread>,
    /// A ray between two random free voxels.
    pub ray_ns: f64,
    /// Rays cast, and those that met something.
    pub n_rays: usize,
    /// Rays that met something.
    pub n_blocked_rays: usize,
    /// Finding a random voxel.
    pub locate_ns: f64,
    /// Testing whether one free voxel reaches another.
    pub reach_ns: f64,
    /// Wrong results.
    pub faults: Vec<String>,
    /// Every edit's time, for totals.
    #[serde(skip)]
    pub edits: Vec<f64>,
}

/// Build, memory, lookups and edits of the air.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct AirFigures {
    /// Solid voxels of all maps, or of the asteroids if there is no map; so are all figures below.
    pub solid_voxels: u64,
    /// Milliseconds to build all of them.
    pub build_ms: f64,
    /// Bytes of all of them.
    pub memory_bytes: usize,
    /// Nodes of all of them.
    pub nodes: usize,
    /// Edits of all maps; a tick of the asteroids is an edit if there is no map.
    pub edit_us: Option<Spread>,
    /// The mean over the maps.
    pub ray_ns: Option<f64>,
    /// The mean over the maps.
    pub locate_ns: Option<f64>,
    /// The costliest map's nanoseconds per solid voxel.
    pub build_ns_per_voxel: Option<f64>,
    /// The costliest map's bytes per solid voxel.
    pub bytes_per_voxel: Option<f64>,
    /// Wrong results.
    pub wrong: usize,
    /// Map by map.
    pub maps: Vec<MapRow>,
    /// The asteroids.
    pub asteroids: Option<RockRow>,
    /// Board by board.
    pub boards: Vec<BoardRow>,
}

impl AirFigures {
    /// Adds everything up.
    pub(super) fn add_up(&mut self) {
        let mean = |of: fn(&MapRow) -> f64| {
            let all: Vec<f64> = self.maps.iter().map(of).collect();
            wayfarer_measure::statistics::mean(&all)
        };
        (self.ray_ns, self.locate_ns) = (mean(|row| row.ray_ns), mean(|row| row.locate_ns));
        let most = |of: fn(&MapRow) -> f64| {
            let shares = self.maps.iter().filter(|row| row.solid_voxels > 0);
            shares
                .map(|row| of(row) / row.solid_voxels as f64)
                .reduce(f64::max)
        };
        self.build_ns_per_voxel = most(|row| row.build_ms * 1e6);
        self.bytes_per_voxel = most(|row| row.memory_bytes as f64);
        let mut edits: Vec<f64> = self
            .maps
            .iter()
            .flat_map(|row| &row.edits)
            .copied()
            .collect();
        self.edit_us = Spread::of(&mut edits);
        for row in &self.maps {
            self.solid_voxels += row.solid_voxels as u64;
            self.build_ms += row.build_ms;
            self.memory_bytes += row.memory_bytes;
            self.nodes += row.nodes;
        }
        if let (true, Some(rocks)) = (self.maps.is_empty(), &self.asteroids) {
            self.solid_voxels = rocks.solid_voxels;
            self.build_ms = rocks.build_ms;
            self.memory_bytes = rocks.memory_bytes;
            self.nodes = rocks.nodes;
            self.edit_us = rocks.tick_ms.map(|tick| Spread {
                mean: tick.mean * 1e3,
                p50: tick.p50 * 1e3,
                p99: tick.p99 * 1e3,
                max: tick.max * 1e3,
            });
        }
        self.wrong = self.faults().len();
    }
}

impl Figures for AirFigures {
    const SCHEMA: &'static str = "wayfarer/bench-air/2";

    fn wrong(&self) -> usize {
        self.wrong
    }

    fn render(&self) -> String {
        let tables = [
            (!self.maps.is_empty()).then(|| self.render_maps()),
            self.asteroids.as_ref().map(render_rocks),
            (!self.boards.is_empty()).then(|| self.render_boards()),
        ];
        let tables: Vec<String> = tables.into_iter().flatten().collect();
        tables.join("\n")
    }

    fn faults(&self) -> Vec<String> {
        let maps = self.maps.iter();
        let maps = maps.map(|row| in_part(&row.map, &row.faults));
        let rocks = self.asteroids.iter();
        let rocks = rocks.map(|row| in_part("asteroids", &row.faults));
        let boards = self.boards.iter();
        let boards = boards.map(|row| in_part(&format!("board {}", row.side), &row.faults));
        maps.chain(rocks).chain(boards).flatten().collect()
    }
}

impl AirFigures {
    fn render_maps(&self) -> String {
        let per_voxel = |row: &MapRow, of: f64| of / row.solid_voxels.max(1) as f64;
        table!(row in &self.maps;
            "map" => row.map.as_str(),
            "solid voxels" => row.solid_voxels as f64,
            "components" => row.components as f64,
            "build ms" => row.build_ms,
            "ns per voxel" => per_voxel(row, row.build_ms * 1e6),
            "bytes" => row.memory_bytes as f64,
            "per voxel" => per_voxel(row, row.memory_bytes as f64),
            "nodes" => row.nodes as f64,
            "edit us" => row.edit_us.map(|it| it.mean),
            "p99" => row.edit_us.map(|it| it.p99),
            "max" => row.edit_us.map(|it| it.max),
            "locate ns" => row.locate_ns,
            "ray ns" => row.ray_ns,
            "reach ns" => row.reach_ns,
        )
    }

    fn render_boards(&self) -> String {
        table!(row in &self.boards;
            "board" => format!("{} cubed", row.side),
            "components" => row.components as f64,
            "build ms" => row.build_ms,
            "MB" => row.memory_bytes as f64 / 1e6,
            "edit us" => row.edit_us.map(|it| it.mean),
            "p99" => row.edit_us.map(|it| it.p99),
            "max" => row.edit_us.map(|it| it.max),
        )
    }
}

fn render_rocks(rocks: &RockRow) -> String {
    table!(row in [rocks];
        "asteroids" => row.rocks,
        "side" => row.side,
        "solid voxels" => row.solid_voxels as f64,
        "build ms" => row.build_ms,
        "MB" => row.memory_bytes as f64 / 1e6,
        "MB after" => row.memory_after_ticks_bytes as f64 / 1e6,
        "moving" => row.moving,
        "tick ms: mean" => row.tick_ms.map(|it| it.mean),
        "p50" => row.tick_ms.map(|it| it.p50),
        "p99" => row.tick_ms.map(|it| it.p99),
        "max" => row.tick_ms.map(|it| it.max),
        "compared" => row.checks,
    )
}
