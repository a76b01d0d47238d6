//! `bench paths`: speed and correctness of path searches, beside the baselines.

use std::path::PathBuf;

use crate::engine::Engine;
use crate::engines;
use crate::error::BenchError;
use crate::load;
use crate::measure::{self, Measured, Plan};
use crate::memory;
use crate::report::{Benchmark, CommandLine, Progress};

mod report;
mod table;

pub use report::{BaselineComparison, EngineFigures, EngineReport, FaultRow, MapRow, PathFigures};

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// A folder of `.map` files with `.scen` files beside them, or one such `.map` file.
    pub maps: PathBuf,
    /// The methods to measure, by name; the first is the one that the totals are of. See
    /// [`engines::METHODS`].
    pub methods: Vec<String>,
    /// Problems taken from each map, evenly spread over its list; `None` for all.
    pub sample: Option<usize>,
    /// Whether to measure the registry's path finders, too; needs the feature `baselines`.
    pub baselines: bool,
    /// Of those, the ones with these names; all if empty.
    pub only_baselines: Vec<String>,
    /// Other problems of each map that engines are warmed up with.
    pub n_warm_up: usize,
    /// Runs and repetitions.
    pub plan: Plan,
}

impl Arguments {
    /// Default of [`n_warm_up`](Self::n_warm_up).
    pub const N_WARM_UP: usize = 32;

    /// One method over the maps at `maps`, with the default plan.
    pub fn new(maps: PathBuf, method: &str) -> Self {
        Self {
            maps,
            methods: vec![method.to_owned()],
            sample: None,
            baselines: false,
            only_baselines: Vec::new(),
            n_warm_up: Self::N_WARM_UP,
            plan: Plan::default(),
        }
    }
}

impl Benchmark for Arguments {
    type Figures = PathFigures;

    fn command(&self) -> String {
        CommandLine::new("paths")
            .option("maps", self.maps.display())
            .options("method", &self.methods)
            .options("sample", self.sample)
            .flag("baselines", self.baselines)
            .options("only-baseline", &self.only_baselines)
            .finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<PathFigures, BenchError> {
        let engines = chosen(self)?;
        let files = load::find(&self.maps)?;
        let mut rows: Vec<Vec<(String, Measured)>> = vec![Vec::new(); engines.len()];
        let mut rejected: Vec<Vec<String>> = vec![Vec::new(); engines.len()];
        for map in &files {
            progress(&map.name(), files.len());
            let mut set = map.load(self.sample, self.n_warm_up)?;
            // New for each map: memory of the last one would be freed during this one.
            let mut fresh = chosen(self)?;
            let measured = measure::measure(&mut fresh, &mut set, &self.plan);
            for (number, measured) in measured.into_iter().enumerate() {
                match measured {
                    Ok(measured) => rows[number].push((map.name(), measured)),
                    Err(error) => rejected[number].push(format!("{}: {error}", map.name())),
                }
            }
        }
        let reports = engines.iter().zip(&rows).zip(rejected);
        let reports = reports.map(|((engine, rows), rejected)| {
            let rows: Vec<(&str, &Measured)> = rows.iter().map(|(map, it)| (&**map, it)).collect();
            EngineReport {
                rejected,
                ..EngineReport::new(engine.about(), &rows, memory::is_counted())
            }
        });
        PathFigures::new(reports.collect()).ok_or_else(|| engines::no_method(""))
    }
}

/// The requested engines, in order.
fn chosen(arguments: &Arguments) -> Result<Vec<Box<dyn Engine>>, BenchError> {
    if arguments.methods.is_empty() {
        return Err(engines::no_method(""));
    }
    let mut engines = Vec::new();
    for name in &arguments.methods {
        engines.push(engines::by_name(name)?);
    }
    if arguments.baselines {
        let baselines = baselines()?;
        let names: Vec<String> = baselines
            .iter()
            .map(|baseline| baseline.about().name)
            .collect();
        let only = &arguments.only_baselines;
        if let Some(unknown) = only.iter().find(|name| !names.contains(name)) {
            return Err(BenchError::Baseline {
                found: unknown.clone(),
                expected: names.join(", "),
            });
        }
        let is_requested = |name: &String| only.is_empty() || only.contains(name);
        let chosen = baselines.into_iter().zip(&names);
        let chosen = chosen.filter(|(_, name)| is_requested(name));
        engines.extend(chosen.map(|(baseline, _)| baseline));
    }
    Ok(engines)
}

#[cfg(feature = "baselines")]
#[expect(
    clippy::unnecessary_wraps,
    reason = "without the feature there are none"
)]
fn baselines() -> Result<Vec<Box<dyn Engine>>, BenchError> {
    Ok(crate::baselines::all())
}

#[cfg(not(feature = "baselines"))]
fn baselines() -> Result<Vec<Box<dyn Engine>>, BenchError> {
    Err(BenchError::NoBaselines)
}

#[cfg(test)]
mod tests;
