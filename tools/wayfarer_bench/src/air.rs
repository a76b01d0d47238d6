//! `bench air`: build time, query time, edit time and memory of the sparse voxel octree.
//!
//! Every map is compared with a dense oracle: flood fill for connectivity, voxel stepping for rays.
//! Every edited octree is compared with a rebuilt one. Mismatches are part of the report.

use std::path::{Path, PathBuf};

use thiserror::Error;
use wayfarer::world::air::AirError;
use wayfarer_measure::clock::Timer;
use wayfarer_measure::machine::{self, Machine};

use crate::calibration;
use crate::engine::EngineError;
use crate::load::{self, LoadError};
use crate::memory;
use crate::paths::MapBegun;

mod boards;
mod edits;
mod lookups;
mod one_map;
mod oracle;
mod report;
mod rocks;
mod table;

pub use boards::BoardRow;
pub use report::{AirReport, MapRow};
pub use rocks::{RockPlan, RockRow};
pub use table::render;

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// A folder of `.3dmap` files, or one such file.
    pub maps: Option<PathBuf>,
    /// Edits of 4 x 4 x 4 voxels on each map.
    pub n_edits: usize,
    /// A field of asteroids, some of them moving.
    pub rocks: Option<RockPlan>,
    /// Sides of the boards whose voxels are solid and free in turn, in voxels: the most regions
    /// that can be.
    pub boards: Vec<u32>,
    /// Threads that build; everything else is done by one.
    pub n_threads: usize,
    /// Whether to keep the program on one core from here to its end; not with several threads.
    pub pin: bool,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            maps: None,
            n_edits: 2_000,
            rocks: None,
            boards: Vec::new(),
            n_threads: 1,
            pin: true,
        }
    }
}

impl Arguments {
    /// The command that measures the same.
    pub fn command(&self) -> String {
        let mut command = "bench air".to_owned();
        if let Some(maps) = &self.maps {
            command += &format!(" --maps {} --edits {}", maps.display(), self.n_edits);
        }
        if let Some(rocks) = &self.rocks {
            command += &format!(
                " --asteroids {} --size {} --moving {} --ticks {}",
                rocks.n_rocks, rocks.side, rocks.n_moving, rocks.n_ticks
            );
        }
        if !self.boards.is_empty() {
            let sides: Vec<String> = self.boards.iter().map(u32::to_string).collect();
            command += &format!(" --boards {}", sides.join(","));
        }
        if self.n_threads > 1 {
            command += &format!(" --threads {}", self.n_threads);
        }
        command
    }
}

/// Why nothing was measured.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum AirBenchError {
    /// Nothing was asked for.
    #[error("nothing to measure: give maps, asteroids or boards")]
    Nothing,
    /// The maps could not be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A world cannot be built.
    #[error("{world}: {error}")]
    World {
        /// Which.
        world: String,
        /// Why.
        error: AirError,
    },
    /// Asteroids that cannot be.
    #[error("{n_moving} of {n_rocks} asteroids cannot move in a box of {side} voxels a side")]
    Rocks {
        /// Asteroids in all.
        n_rocks: u32,
        /// Those that move.
        n_moving: u32,
        /// Side of the box.
        side: u32,
    },
    /// The fixed world that calibrates was refused.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// What is needed to measure any world.
struct Tools {
    timer: Timer,
    n_threads: usize,
    /// Whether the program counts what it allocates.
    is_counted: bool,
}

/// Measures, telling `progress` as each world begins.
///
/// # Errors
/// Unreadable files and worlds that cannot be. A wrong answer is no error: it is counted in the
/// report.
pub fn run(
    arguments: &Arguments,
    mut progress: impl FnMut(MapBegun),
) -> Result<AirReport, AirBenchError> {
    let files = match &arguments.maps {
        Some(path) => load::find_spaces(path)?,
        None => Vec::new(),
    };
    let n_maps = files.len() + usize::from(arguments.rocks.is_some()) + arguments.boards.len();
    if n_maps == 0 {
        return Err(AirBenchError::Nothing);
    }
    let pinned = machine::pin_if(arguments.pin && arguments.n_threads < 2);
    let machine = Machine::here(&pinned, memory::is_counted());
    let calibration = calibration::ns_per_expansion()?;
    let tools = Tools {
        timer: Timer::new(),
        n_threads: arguments.n_threads,
        is_counted: memory::is_counted() && arguments.n_threads < 2,
    };
    let mut begin = |place: usize, map: String| {
        progress(MapBegun { map, place, n_maps });
    };
    let mut report = AirReport::new(arguments.command(), machine, calibration);
    for ((place, file), seed) in files.iter().enumerate().zip(0..) {
        let map = name(file);
        begin(place, map.clone());
        let voxels = load::read_space(file)?;
        let row = one_map::measure(&map, &voxels, (seed, arguments.n_edits), &tools);
        report.add_map(row.map_err(|error| AirBenchError::World { world: map, error })?);
    }
    if let Some(plan) = &arguments.rocks {
        begin(files.len(), "asteroids".to_owned());
        report.add_rocks(rocks::measure(plan, &tools)?);
    }
    for (place, &side) in arguments.boards.iter().enumerate() {
        let world = format!("board {side}");
        begin(n_maps - arguments.boards.len() + place, world.clone());
        let row = boards::measure(side, &tools);
        report.add_board(row.map_err(|error| AirBenchError::World { world, error })?);
    }
    report.finish();
    Ok(report)
}

fn name(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
