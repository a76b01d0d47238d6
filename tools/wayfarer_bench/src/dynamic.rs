//! `bench dynamic`: a map that changes between queries, as in the dynamic track of the Grid-Based Path
//! Planning Competition.
//!
//! Consecutive patches are one change. The time of a change is added to the query after it, so eager and
//! lazy engines compare fairly.

mod replay;
mod report;
mod table;

pub use report::{DynamicFigures, DynamicReport};
pub use table::render;

use std::path::{Path, PathBuf};

use wayfarer::base::{EditTrace, Raster};
use wayfarer::formats::{dynamic_scen, patch};
use wayfarer_measure::clock::Timer;
use wayfarer_measure::machine::{self, Machine};

use crate::engine::Engine;
use crate::error::BenchError;
use crate::load::{self, LoadError};
use crate::memory;
use crate::{calibration, engines};
use replay::{Replay, Times};

/// What every other method is compared with.
const YARDSTICK: &str = "grid-astar";

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// A `.scen` file of version 2; the `.patch` file that it names lies beside it.
    pub scen: PathBuf,
    /// The methods to measure, by name; the totals are those of the first. The dense A* with
    /// buckets comes last if it is not among them. See [`engines::METHODS`].
    pub methods: Vec<String>,
    /// Runs over the whole file; the best counts.
    pub runs: usize,
    /// Whether to keep the program on one core from here to its end.
    pub pin: bool,
}

impl Arguments {
    /// Method `plain` over one file, judged as the project judges.
    pub fn new(scen: PathBuf) -> Self {
        Self {
            scen,
            methods: vec!["jps".to_owned()],
            runs: 5,
            pin: true,
        }
    }

    /// The command that measures the same.
    pub fn command(&self) -> String {
        let mut command = format!("bench dynamic {}", self.scen.display());
        for method in &self.methods {
            command = command + " --method " + method;
        }
        command + " --runs " + &self.runs.to_string()
    }

    fn engines(&self) -> Result<Vec<Box<dyn Engine>>, BenchError> {
        let yardstick = (!self.methods.iter().any(|name| name == YARDSTICK)).then_some(YARDSTICK);
        let names = self.methods.iter().map(String::as_str).chain(yardstick);
        names.map(engines::by_name).collect()
    }
}

/// Measures, telling `progress` before each run and how many there are in all.
///
/// Every engine lives through the file once with every path checked cell by cell, then as often as
/// asked for with its times taken, the engines in turn; every run begins with a map newly prepared.
///
/// # Errors
/// Unreadable files and unknown methods. A wrong answer is no error: it is counted in the report.
pub fn run(
    arguments: &Arguments,
    mut progress: impl FnMut(usize),
) -> Result<DynamicReport, BenchError> {
    let mut engines = arguments.engines()?;
    let (map, trace) = read(&arguments.scen)?;
    let pinned = machine::pin_if(arguments.pin);
    let machine = Machine::here(&pinned, memory::is_counted());
    let calibration = calibration::ns_per_expansion()?;
    let timer = Timer::new();
    let replay = Replay {
        map: &map,
        trace: &trace,
        timer: &timer,
    };
    let runs = arguments.runs.max(1);
    let n_parts = engines.len() * (runs + 1);
    let mut faults = vec![Vec::new(); engines.len()];
    for (engine, faults) in engines.iter_mut().zip(&mut faults) {
        progress(n_parts);
        replay.run(engine.as_mut(), Some(faults))?;
    }
    let mut times: Vec<Vec<Times>> = vec![Vec::new(); engines.len()];
    for _ in 0..runs {
        for (engine, times) in engines.iter_mut().zip(&mut times) {
            progress(n_parts);
            times.push(replay.run(engine.as_mut(), None)?);
        }
    }
    let figures = engines.iter().zip(times).zip(faults);
    let figures = figures.map(|((engine, times), faults)| {
        DynamicFigures::new(engine.about().name, &trace, &times, faults)
    });
    Ok(DynamicReport::new(
        arguments.command(),
        machine,
        calibration,
        figures.collect(),
    ))
}

/// The map at the start and what happens to it.
fn read(scen: &Path) -> Result<(Raster, EditTrace), LoadError> {
    let scenario = dynamic_scen::read(&load::read(scen)?)
        .map_err(|error| load::content(scen, &error.to_string()))?;
    let name = Path::new(&scenario.patch_file)
        .file_name()
        .unwrap_or_default();
    let beside = scen.with_file_name(name);
    let patches = patch::read(&load::read(&beside)?)
        .map_err(|error| load::content(&beside, &error.to_string()))?;
    dynamic_scen::join(&scenario, &patches).map_err(|error| load::content(scen, &error.to_string()))
}

#[cfg(test)]
mod tests;
