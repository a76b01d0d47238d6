//! `bench air`: build time, query time, edit time and memory of the sparse voxel octree.
//!
//! Every map is compared with a dense oracle: flood fill for connectivity, voxel stepping for rays.
//! Every edited octree is compared with a rebuilt one. Mismatches are part of the report.

use std::path::PathBuf;

use wayfarer_measure::clock::Timer;

use crate::error::BenchError;
use crate::load;
use crate::memory;
use crate::report::{Benchmark, CommandLine, Progress};

mod boards;
mod edits;
mod lookups;
mod one_map;
mod oracle;
mod report;
mod rocks;

pub use boards::BoardRow;
pub use report::{AirFigures, MapRow};
pub use rocks::{RockPlan, RockRow};

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// A folder of `.3dmap` files, or one such file.
    pub maps: Option<PathBuf>,
    /// Edits of 4 x 4 x 4 voxels on each map.
    pub n_edits: usize,
    /// A field of asteroids, some of them moving.
    pub rocks: Option<RockPlan>,
    /// Sides of checkerboards of solid and free voxels: the most regions possible.
    pub boards: Vec<u32>,
    /// Threads of the build; everything else runs on one.
    pub n_threads: usize,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            maps: None,
            n_edits: 2_000,
            rocks: None,
            boards: Vec::new(),
            n_threads: 1,
        }
    }
}

/// Timer and settings of all worlds.
struct Tools {
    timer: Timer,
    n_threads: usize,
    /// Whether allocations are counted.
    is_counted: bool,
}

impl Benchmark for Arguments {
    type Figures = AirFigures;

    fn command(&self) -> String {
        let mut line = CommandLine::new("air");
        if let Some(maps) = &self.maps {
            line = line.option("maps", maps.display());
            line = line.option("edits", self.n_edits);
        }
        if let Some(rocks) = &self.rocks {
            line = line.option("asteroids", rocks.n_rocks);
            line = line.option("size", rocks.side);
            line = line.option("moving", rocks.n_moving);
            line = line.option("ticks", rocks.n_ticks);
        }
        let n_threads = (self.n_threads > 1).then_some(self.n_threads);
        line.list("boards", &self.boards)
            .options("threads", n_threads)
            .finish()
    }

    fn can_pin(&self) -> bool {
        self.n_threads < 2
    }

    fn measure(&self, progress: Progress<'_>) -> Result<AirFigures, BenchError> {
        let files = match &self.maps {
            Some(path) => load::find_spaces(path)?,
            None => Vec::new(),
        };
        let n_parts = files.len() + usize::from(self.rocks.is_some()) + self.boards.len();
        if n_parts == 0 {
            let reason = "nothing to measure: give maps, asteroids or boards";
            return Err(BenchError::Arguments(reason.to_owned()));
        }
        let tools = Tools {
            timer: Timer::new(),
            n_threads: self.n_threads,
            is_counted: memory::is_counted() && self.n_threads < 2,
        };
        let mut figures = AirFigures::default();
        for (file, seed) in files.iter().zip(0..) {
            let map = load::name(file);
            progress(&map, n_parts);
            let voxels = load::read_space(file)?;
            let row = one_map::measure(&map, &voxels, (seed, self.n_edits), &tools);
            figures.maps.push(row.map_err(BenchError::world(&map))?);
        }
        if let Some(plan) = &self.rocks {
            progress("asteroids", n_parts);
            figures.asteroids = Some(rocks::measure(plan, &tools)?);
        }
        for &side in &self.boards {
            let world = format!("board {side}");
            progress(&world, n_parts);
            let row = boards::measure(side, &tools);
            figures.boards.push(row.map_err(BenchError::world(&world))?);
        }
        figures.add_up();
        Ok(figures)
    }
}

#[cfg(test)]
mod tests;
