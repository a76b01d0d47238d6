//! `bench ground`: memory, build time, successor queries and edits of the ground.

use std::path::PathBuf;

use clap::Args;
use wayfarer_measure::clock::Timer;

use crate::edit_times::EditTimer;
use crate::error::BenchError;
use crate::load;
use crate::memory;
use crate::query::spread;
use crate::report::{Benchmark, CommandLine, Progress, number};

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
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// A folder of .map files, or one such file
    #[arg(long, value_name = "PATH")]
    pub maps: PathBuf,
    /// Take N maps, evenly spread
    #[arg(long, value_name = "N", value_parser = number(1..))]
    pub sample: Option<usize>,
    /// Bytes read before every cold edit; more than the CPU caches hold
    #[arg(skip = Cold::BYTES)]
    pub cold_bytes: usize,
    /// Measure registered profiles, too: build, bytes, edits
    #[arg(long, alias = "views")]
    pub profiles: bool,
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
