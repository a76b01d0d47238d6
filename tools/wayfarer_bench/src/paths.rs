//! `bench paths`: speed and correctness of path searches, beside the baselines.

use std::path::PathBuf;

use wayfarer_measure::machine::{self, Machine};

use crate::engine::{Engine, EngineInfo};
use crate::error::BenchError;
use crate::load;
use crate::measure::{self, Measured, Plan};
use crate::memory;
use crate::report::{EngineReport, Report};
use crate::{calibration, engines};

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
    /// The registry's path finders beside; needs the feature `baselines`.
    pub baselines: bool,
    /// Of those, the ones with these names; all if empty.
    pub only_baselines: Vec<String>,
    /// Other problems of each map that engines are warmed up with.
    pub n_warm_up: usize,
    /// Whether to keep the program on one core from here to its end.
    pub pin: bool,
    /// How often to ask.
    pub plan: Plan,
}

impl Arguments {
    /// Problems that engines are warmed up with, unless said otherwise.
    pub const N_WARM_UP: usize = 32;

    /// One method over the maps at `maps`, judged as the project judges.
    pub fn new(maps: PathBuf, method: &str) -> Self {
        Self {
            maps,
            methods: vec![method.to_owned()],
            sample: None,
            baselines: false,
            only_baselines: Vec::new(),
            n_warm_up: Self::N_WARM_UP,
            pin: true,
            plan: Plan::default(),
        }
    }

    /// The command that measures the same.
    pub fn command(&self) -> String {
        let mut command = format!("bench paths --maps {}", self.maps.display());
        for method in &self.methods {
            command = command + " --method " + method;
        }
        if let Some(sample) = self.sample {
            command = command + " --sample " + &sample.to_string();
        }
        if self.baselines {
            command += " --baselines";
        }
        for name in &self.only_baselines {
            command = command + " --only-baseline " + name;
        }
        command
    }
}

/// How far a measurement has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapBegun {
    /// The map that comes next.
    pub map: String,
    /// Its place, from 0.
    pub place: usize,
    /// Maps in all.
    pub n_maps: usize,
}

/// Measures, telling `progress` as each map begins.
///
/// # Errors
/// Unknown methods, unreadable files, baselines that are not built in. A wrong answer is no error:
/// it is counted in the report.
pub fn run(
    arguments: &Arguments,
    mut progress: impl FnMut(MapBegun),
) -> Result<Report, BenchError> {
    let engines = chosen(arguments)?;
    let files = load::find(&arguments.maps)?;
    let pinned = machine::pin_if(arguments.pin);
    let machine = Machine::here(&pinned, memory::is_counted());
    let calibration = calibration::ns_per_expansion()?;
    let mut rows: Vec<Vec<(String, Measured)>> = vec![Vec::new(); engines.len()];
    let mut refused: Vec<Vec<String>> = vec![Vec::new(); engines.len()];
    for (place, map) in files.iter().enumerate() {
        progress(MapBegun {
            map: map.name(),
            place,
            n_maps: files.len(),
        });
        let mut set = map.load(arguments.sample, arguments.n_warm_up)?;
        // New for each map: what the last map held would be freed on this one's account.
        let mut fresh = chosen(arguments)?;
        let measured = measure::measure(&mut fresh, &mut set, &arguments.plan);
        for (number, measured) in measured.into_iter().enumerate() {
            match measured {
                Ok(measured) => rows[number].push((map.name(), measured)),
                Err(error) => refused[number].push(format!("{}: {error}", map.name())),
            }
        }
    }
    let abouts: Vec<EngineInfo> = engines.iter().map(|engine| engine.about()).collect();
    let reports = abouts.into_iter().zip(&rows).zip(refused);
    let reports = reports.map(|((about, rows), refused)| {
        let rows: Vec<(&str, &Measured)> = rows.iter().map(|(map, it)| (&**map, it)).collect();
        EngineReport {
            refused,
            ..EngineReport::new(about, &rows, machine.memory_counted)
        }
    });
    let reports = reports.collect();
    let report = Report::new(arguments.command(), machine, calibration, reports);
    report.ok_or_else(|| engines::no_method(""))
}

/// The engines asked for, in order.
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
        let is_wanted = |name: &String| only.is_empty() || only.contains(name);
        let wanted = baselines.into_iter().zip(&names);
        let wanted = wanted.filter(|(_, name)| is_wanted(name));
        engines.extend(wanted.map(|(baseline, _)| baseline));
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
