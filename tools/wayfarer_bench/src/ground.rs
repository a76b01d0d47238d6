//! `bench ground`: memory, build time, successor queries and edits of the ground.

use std::path::PathBuf;

use wayfarer_measure::clock::Timer;

use crate::edit_times::EditTimer;
use crate::error::BenchError;
use crate::load;
use crate::memory;
use crate::query::spread;
use crate::report::{Benchmark, CommandLine, Progress};

mod one_map;
mod profiles;
mod report;
mod strips;

pub use one_map::N_EDITS;
pub use profiles::{ProfileRow, ProfileTotals};
pub use report::{GroundFigures, MapRow, Strip};
pub use strips::LENGTH;

use one_map::{Cold, Tools};

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// A folder of `.map` files, or one such file.
    pub maps: PathBuf,
    /// Maps taken, evenly spread over the list; `None` for all.
    pub sample: Option<usize>,
    /// Bytes read before every cold edit; more than the CPU caches hold.
    pub cold_bytes: usize,
    /// Whether to measure registered profiles, too.
    pub profiles: bool,
}

impl Arguments {
    /// All maps at `maps`, without profiles.
    pub fn new(maps: PathBuf) -> Self {
        Self {
            maps,
            sample: None,
            cold_bytes: Cold::BYTES,
            profiles: false,
        }
    }
}

impl Benchmark for Arguments {
    type Figures = GroundFigures;

    fn command(&self) -> String {
        CommandLine::new("ground")
            .option("maps", self.maps.display())
            .options("sample", self.sample)
            .flag("profiles", self.profiles)
            .finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<GroundFigures, BenchError> {
        let files = load::find_maps(&self.maps)?;
        let sample = spread(files.len(), self.sample.unwrap_or(files.len()));
        let tools = Tools {
            edits: EditTimer::default(),
            timer: Timer::new(),
            cold: Cold::new(self.cold_bytes),
            is_counted: memory::is_counted(),
        };
        let mut rows = Vec::new();
        for (&index, seed) in sample.iter().zip(0..) {
            let map = load::name(&files[index]);
            progress(&map, sample.len());
            let raster = load::read_map(&files[index])?;
            let mut row = one_map::measure(&map, &raster, seed, &tools);
            if self.profiles {
                let (profiles, faults) = profiles::measure(&raster, seed, &tools);
                row.profiles = profiles;
                row.faults.extend(faults);
            }
            rows.push(row);
        }
        Ok(GroundFigures::new(rows))
    }
}

#[cfg(test)]
mod tests;
