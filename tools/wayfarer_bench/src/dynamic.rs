//! `bench dynamic`: a map that changes between queries, as in the dynamic track of the Grid-Based Path
//! Planning Competition.
//!
//! Consecutive patches are one change. The time of a change is added to the query after it, so eager and
//! lazy engines compare fairly.

mod replay;
mod report;

pub use report::{DynamicFigures, EngineFigures};

use std::path::{Path, PathBuf};

use wayfarer_engine::base::{EditTrace, Raster};
use wayfarer_engine::formats::{dynamic_scen, patch};
use wayfarer_measure::clock::Timer;

use crate::engine::Engine;
use crate::engines;
use crate::error::BenchError;
use crate::load::{self, LoadError};
use crate::report::{Benchmark, CommandLine, Progress};
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
}

impl Arguments {
    fn engines(&self) -> Result<Vec<Box<dyn Engine>>, BenchError> {
        let yardstick = (!self.methods.iter().any(|name| name == YARDSTICK)).then_some(YARDSTICK);
        let names = self.methods.iter().map(String::as_str).chain(yardstick);
        names.map(engines::by_name).collect()
    }
}

impl Benchmark for Arguments {
    type Figures = DynamicFigures;

    fn command(&self) -> String {
        CommandLine::new(&format!("dynamic {}", self.scen.display()))
            .options("method", &self.methods)
            .option("runs", self.runs)
            .finish()
    }

    /// Every engine replays the file once with every path checked cell by cell, then `runs` times with
    /// its times taken, the engines alternating; every run begins with a map newly prepared.
    fn measure(&self, progress: Progress<'_>) -> Result<DynamicFigures, BenchError> {
        let mut engines = self.engines()?;
        let (map, trace) = read(&self.scen)?;
        let timer = Timer::new();
        let replay = Replay {
            map: &map,
            trace: &trace,
            timer: &timer,
        };
        let runs = self.runs.max(1);
        let n_parts = engines.len() * (runs + 1);
        let mut faults = vec![Vec::new(); engines.len()];
        for (engine, faults) in engines.iter_mut().zip(&mut faults) {
            progress("check", n_parts);
            replay.run(engine.as_mut(), Some(faults))?;
        }
        let mut times: Vec<Vec<Times>> = vec![Vec::new(); engines.len()];
        for _ in 0..runs {
            for (engine, times) in engines.iter_mut().zip(&mut times) {
                progress("run", n_parts);
                times.push(replay.run(engine.as_mut(), None)?);
            }
        }
        let figures = engines.iter().zip(times).zip(faults);
        let figures = figures.map(|((engine, times), faults)| {
            EngineFigures::new(engine.about().name, &trace, &times, faults)
        });
        Ok(DynamicFigures::new(figures.collect()))
    }
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
