//! `bench abstraction`: the baked region graph and R\[n,t,c,s\] refinement beside \[Sturtevant2007\]:
//! bytes, expansions, path length.

use std::path::PathBuf;

use thiserror::Error;
use wayfarer::search::abstraction::{CenterPlacement, RefinementParams};
use wayfarer_measure::clock::Timer;
use wayfarer_measure::machine::{self, Machine};

use crate::calibration;
use crate::engine::EngineError;
use crate::load::{self, LoadError};
use crate::memory;
use crate::paths::MapBegun;
use crate::query::QuerySet;

mod one_map;
mod plots;
mod report;
mod table;

pub use plots::{FILES, figures};
pub use report::{AbstractionReport, Bucket, Bytes, Neighbors, Row, Summary};
pub use table::render;

/// What to measure.
#[derive(Clone, PartialEq, Debug)]
pub struct Arguments {
    /// A folder of `.map` files with `.scen` files beside them, or one such `.map` file.
    pub maps: PathBuf,
    /// Problems taken of each map, evenly spread over its list; `None` for all.
    pub sample: Option<usize>,
    /// How paths are refined; the totals are those of the first.
    pub refines: Vec<RefinementParams>,
    /// Sides of sectors, 4 to 16; the totals are those of the first.
    pub sides: Vec<u32>,
    /// Where centers lie; the totals are those of the first.
    pub centers: Vec<CenterPlacement>,
    /// Runs over all problems of a map; the best counts.
    pub runs: usize,
    /// Whether to keep the program on one core from here to its end.
    pub pin: bool,
}

impl Arguments {
    /// R[1,10%,-,-] over sectors of 16 with optimized centers, as in \[Sturtevant2007\].
    pub fn new(maps: PathBuf) -> Self {
        Self {
            maps,
            sample: None,
            refines: vec![RefinementParams::STURTEVANT_2007],
            sides: vec![16],
            centers: vec![CenterPlacement::LeastWork],
            runs: 5,
            pin: true,
        }
    }

    /// The command that measures the same.
    pub fn command(&self) -> String {
        let mut command = format!("bench abstraction --maps {}", self.maps.display());
        for refine in &self.refines {
            command = command + " --refine " + &refine.to_string();
        }
        for side in &self.sides {
            command = command + " --sector " + &side.to_string();
        }
        for centers in &self.centers {
            command = command + " --centers " + name(*centers);
        }
        if let Some(sample) = self.sample {
            command = command + " --sample " + &sample.to_string();
        }
        command + " --runs " + &self.runs.to_string()
    }
}

/// The name of a center placement.
pub const fn name(centers: CenterPlacement) -> &'static str {
    match centers {
        CenterPlacement::Center => "middle",
        CenterPlacement::LeastWork => "least-work",
        CenterPlacement::FarFromWalls => "far-from-walls",
    }
}

/// Why nothing was measured.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum AbstractionError {
    /// The maps could not be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The fixed world that calibrates was refused.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A map cannot be baked.
    #[error("{map}: {reason}")]
    Map {
        /// Which.
        map: String,
        /// Why.
        reason: String,
    },
}

/// Measures, calling `progress` as each map begins. Every path is checked cell by cell, and every
/// outcome against reachability.
///
/// # Errors
/// Unreadable files, sides that cannot be packed. A wrong answer is no error: it is counted.
pub fn run(
    arguments: &Arguments,
    mut progress: impl FnMut(MapBegun),
) -> Result<AbstractionReport, AbstractionError> {
    let files = load::find(&arguments.maps)?;
    let pinned = machine::pin_if(arguments.pin);
    let machine = Machine::here(&pinned, memory::is_counted());
    let calibration = calibration::ns_per_expansion()?;
    let timer = Timer::new();
    let mut sets: Vec<QuerySet> = Vec::new();
    for file in &files {
        sets.push(file.load(arguments.sample, 0)?);
    }
    let lengths = sets.iter().flat_map(|set| &set.cases);
    let longest = lengths.filter_map(|case| case.best).fold(0.0, f64::max);
    let longest = (longest / 4.0).floor() * 4.0;
    let mut rows = Vec::new();
    for (place, set) in sets.iter().enumerate() {
        progress(MapBegun {
            map: set.name.clone(),
            place,
            n_maps: sets.len(),
        });
        rows.extend(one_map::measure(set, arguments, longest, &timer)?);
    }
    let command = arguments.command();
    Ok(AbstractionReport::new(
        command,
        machine,
        calibration,
        longest,
        rows,
    ))
}

#[cfg(test)]
mod tests;
