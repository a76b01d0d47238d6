//! Report of the air benchmark.

use serde::Serialize;
use wayfarer_measure::machine::Machine;
use wayfarer_measure::statistics::Spread;

use super::boards::BoardRow;
use super::rocks::RockRow;
use crate::report::pretty_json;

/// One map.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct MapRow {
    /// Its name.
    pub map: String,
    /// Voxels along each axis.
    pub size: [u32; 3],
    /// Solid voxels.
    pub solid_voxels: usize,
    /// Parts of the free space that do not reach each other.
    pub components: u64,
    /// From voxels in memory to ready, connectivity included; best of five.
    pub build_ms: f64,
    /// Bytes of the air with connectivity.
    pub memory_bytes: usize,
    /// The same after all edits, with the room that edits keep.
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
    /// Asking whether one free voxel reaches another.
    pub reach_ns: f64,
    /// What was wrong.
    pub faults: Vec<String>,
    /// Every edit's time, for totals.
    #[serde(skip)]
    pub edits: Vec<f64>,
}

/// A whole measurement of the air.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AirReport {
    /// The layout of this value.
    pub schema: &'static str,
    /// How to make it again.
    pub command: String,
    /// Where it was made.
    pub machine: Machine,
    /// Nanoseconds per expansion of the dense bucket A* on the fixed world, to compare machines.
    pub calibration: f64,
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
    /// Answers that were wrong.
    pub wrong: usize,
    /// Map by map.
    pub maps: Vec<MapRow>,
    /// The asteroids.
    pub asteroids: Option<RockRow>,
    /// Board by board.
    pub boards: Vec<BoardRow>,
}

impl AirReport {
    /// The layout's name, with its version.
    pub const SCHEMA: &'static str = "wayfarer/bench-air/2";

    /// Nothing measured yet.
    pub(super) const fn new(command: String, machine: Machine, calibration: f64) -> Self {
        Self {
            schema: Self::SCHEMA,
            command,
            machine,
            calibration,
            solid_voxels: 0,
            build_ms: 0.0,
            memory_bytes: 0,
            nodes: 0,
            edit_us: None,
            ray_ns: None,
            locate_ns: None,
            build_ns_per_voxel: None,
            bytes_per_voxel: None,
            wrong: 0,
            maps: Vec::new(),
            asteroids: None,
            boards: Vec::new(),
        }
    }

    pub(super) fn add_map(&mut self, row: MapRow) {
        self.maps.push(row);
    }

    pub(super) fn add_rocks(&mut self, row: RockRow) {
        self.asteroids = Some(row);
    }

    pub(super) fn add_board(&mut self, row: BoardRow) {
        self.boards.push(row);
    }

    /// Adds everything up.
    pub(super) fn finish(&mut self) {
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
        self.wrong = self.faults().count();
    }

    /// What was wrong, and where.
    pub fn faults(&self) -> impl Iterator<Item = String> {
        let on = |name: String, faults: &[String]| -> Vec<String> {
            let faults = faults.iter();
            faults.map(|fault| format!("{name}: {fault}")).collect()
        };
        let maps = self.maps.iter().map(|row| (row.map.clone(), &row.faults));
        let rocks = self.asteroids.iter();
        let rocks = rocks.map(|row| ("asteroids".to_owned(), &row.faults));
        let boards = self.boards.iter();
        let boards = boards.map(|row| (format!("board {}", row.side), &row.faults));
        maps.chain(rocks)
            .chain(boards)
            .flat_map(move |(name, faults)| on(name, faults))
    }

    /// The report as JSON, readable, with a line end.
    pub fn to_json(&self) -> String {
        pretty_json(self)
    }
}
