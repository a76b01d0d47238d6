//! `bench replan`: a cell in the middle of a path is removed, and the same query runs again.
//!
//! Measures the edit with cache invalidation, and the first query after it relative to a warm one. Every
//! result is compared with dense A*.

mod one_map;
mod report;

pub use report::{MapRow, ReplanReport, render};

use std::path::PathBuf;

use wayfarer_measure::machine::{self, Machine};

use crate::error::BenchError;
use crate::load;
use crate::memory;
use crate::{calibration, engines};

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// A folder of `.map` files with `.scen` files beside them, or one such `.map` file.
    pub maps: PathBuf,
    /// The methods to measure, by name; see [`engines::METHODS`].
    pub methods: Vec<String>,
    /// Problems taken from each map, evenly spread over its list.
    pub sample: usize,
    /// How often each cell is taken away and put back; the best of each time counts.
    pub runs: usize,
    /// Whether to keep the program on one core from here to its end.
    pub pin: bool,
}

impl Arguments {
    /// The maps at `maps`, as the project judges.
    pub fn new(maps: PathBuf) -> Self {
        Self {
            maps,
            methods: vec!["optimal".to_owned(), "bounded".to_owned()],
            sample: 150,
            runs: 4,
            pin: true,
        }
    }

    /// The command that measures the same.
    pub fn command(&self) -> String {
        let methods: String = (self.methods.iter())
            .map(|method| format!(" --method {method}"))
            .collect();
        format!(
            "bench replan --maps {}{methods} --sample {} --runs {}",
            self.maps.display(),
            self.sample,
            self.runs
        )
    }
}

/// Measures, telling `progress` before each map how many there are in all.
///
/// # Errors
/// Unknown methods, unreadable files. A wrong answer is no error: it is counted in the report.
pub fn run(
    arguments: &Arguments,
    mut progress: impl FnMut(usize),
) -> Result<ReplanReport, BenchError> {
    for name in &arguments.methods {
        engines::by_name(name)?;
    }
    let files = load::find(&arguments.maps)?;
    let pinned = machine::pin_if(arguments.pin);
    let machine = Machine::here(&pinned, memory::is_counted());
    let calibration = calibration::ns_per_expansion()?;
    let mut rows = Vec::new();
    for file in &files {
        progress(files.len());
        let set = file.load(Some(arguments.sample), 0)?;
        for name in &arguments.methods {
            let mut engine = engines::by_name(name)?;
            rows.push(one_map::measure(&set, engine.as_mut(), arguments.runs)?);
        }
    }
    Ok(ReplanReport::new(
        arguments.command(),
        machine,
        calibration,
        rows,
    ))
}

#[cfg(test)]
mod tests;
