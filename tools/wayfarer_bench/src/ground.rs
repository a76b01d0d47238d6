//! `bench ground`: memory, build time, successor queries and edits of the ground.

use std::path::{Path, PathBuf};

use wayfarer_measure::clock::Timer;
use wayfarer_measure::machine::{self, Machine};

use crate::calibration;
use crate::edit_times::EditTimer;
use crate::error::BenchError;
use crate::load;
use crate::memory;
use crate::paths::MapBegun;

mod one_map;
mod profiles;
mod report;
mod strips;
mod table;

pub use one_map::N_EDITS;
pub use profiles::{ProfileRow, ProfileTotals};
pub use report::{GroundReport, MapRow, Strip};
pub use strips::LENGTH;
pub use table::render;

use one_map::{Cold, Tools};

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// A folder of `.map` files, or one such file.
    pub maps: PathBuf,
    /// Maps taken, evenly spread over the list; `None` for all.
    pub sample: Option<usize>,
    /// Whether to keep the program on one core from here to its end.
    pub pin: bool,
    /// Bytes walked through before every cold edit; more than the caches hold.
    pub cold_bytes: usize,
    /// Whether to measure the views of other agents, too.
    pub profiles: bool,
}

impl Arguments {
    /// All maps at `maps`, judged as the project judges.
    pub fn new(maps: PathBuf) -> Self {
        Self {
            maps,
            sample: None,
            pin: true,
            cold_bytes: Cold::BYTES,
            profiles: false,
        }
    }

    /// The command that measures the same.
    pub fn command(&self) -> String {
        let mut command = format!("bench ground --maps {}", self.maps.display());
        if let Some(sample) = self.sample {
            command = command + " --sample " + &sample.to_string();
        }
        if self.profiles {
            command += " --profiles";
        }
        command
    }
}

/// Measures, telling `progress` as each map begins.
///
/// # Errors
/// Unreadable files. A wrong answer is no error: it is counted in the report.
pub fn run(
    arguments: &Arguments,
    mut progress: impl FnMut(MapBegun),
) -> Result<GroundReport, BenchError> {
    let files = evenly(load::find_maps(&arguments.maps)?, arguments.sample);
    let pinned = machine::pin_if(arguments.pin);
    let machine = Machine::here(&pinned, memory::is_counted());
    let calibration = calibration::ns_per_expansion()?;
    let tools = Tools {
        edits: EditTimer::default(),
        timer: Timer::new(),
        cold: Cold::new(arguments.cold_bytes),
        is_counted: memory::is_counted(),
    };
    let mut rows = Vec::new();
    for ((place, file), seed) in files.iter().enumerate().zip(0..) {
        let map = name(file);
        progress(MapBegun {
            map: map.clone(),
            place,
            n_maps: files.len(),
        });
        let raster = load::read_map(file)?;
        let mut row = one_map::measure(&map, &raster, seed, &tools);
        if arguments.profiles {
            let (profiles, faults) = profiles::measure(&raster, seed, &tools);
            row.profiles = profiles;
            row.faults.extend(faults);
        }
        rows.push(row);
    }
    Ok(GroundReport::new(
        arguments.command(),
        machine,
        calibration,
        rows,
    ))
}

/// At most `sample` of the files, evenly spread.
fn evenly(files: Vec<PathBuf>, sample: Option<usize>) -> Vec<PathBuf> {
    let n_files = files.len();
    let Some(sample) = sample.filter(|&sample| sample < n_files) else {
        return files;
    };
    let places: Vec<usize> = (0..sample).map(|place| place * n_files / sample).collect();
    places.into_iter().map(|at| files[at].clone()).collect()
}

fn name(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
