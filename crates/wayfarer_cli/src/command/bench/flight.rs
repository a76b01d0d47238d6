//! `wayfarer bench air` with problems: flights, their times and lengths.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use wayfarer::base::Fixed;
use wayfarer::formats::{map3d, scen3d};
use wayfarer::search::air::{FlightMethod, OctreeParams};
use wayfarer_bench::air;
use wayfarer_bench::flight::{self, FlightPlan, FlightReport, Half, PresetRow, mazes, rocks};
use wayfarer_bench::{calibration, memory};
use wayfarer_measure::clock::Timer;
use wayfarer_measure::load;
use wayfarer_measure::machine::{self, Machine};

use super::air::Air;
use crate::area;
use crate::failure::{Failure, Verdict};
use crate::output::{Json, Output};
use crate::preset::Preset;
use crate::progress::Progress;

/// Which flights to measure.
#[derive(Args)]
#[command(next_help_heading = "Flights")]
pub(super) struct Flights {
    /// The .3dmap file whose problems are solved; may be repeated
    #[arg(long, value_name = "FILE")]
    map: Vec<PathBuf>,
    /// The .3dscen file of the one map; beside the map if not given
    #[arg(long, value_name = "FILE", requires = "map")]
    scen: Option<PathBuf>,
    /// Take N problems, evenly spread
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), requires = "map")]
    sample: Option<u32>,
    /// Every second problem only: odd to tune parameters on, even to report
    #[arg(long, value_name = "HALF", value_parser = half, requires = "map")]
    half: Option<Half>,
    /// Also balanced with another heuristic weight, as in 1.2; may be repeated
    #[arg(long, alias = "greed", value_name = "WEIGHT", value_parser = heuristic_weight, requires = "map")]
    heuristic_weight: Vec<u32>,
    /// Search method: short, balanced, fast, untuned, voxel-astar, or all for the first four; may be
    /// repeated
    #[arg(long, value_name = "NAME", value_parser = preset, requires = "map")]
    preset: Vec<Presets>,
    /// Radius of the agent; lengths are still compared with those of the file
    #[arg(long, value_name = "VOXELS", value_parser = area::parse_radius, requires = "map")]
    radius: Option<Fixed>,
    /// Runs over all problems; a problem's time is the median of its runs
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..))]
    runs: u8,
    /// Fly through mazes of N walls with one hole each, 256 voxels a side
    #[arg(long, value_name = "WALLS", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=127))]
    mazes: Vec<u32>,
    /// Fly among 5,000 asteroids of which 100 move in each of N ticks
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u32).range(1..))]
    flight_ticks: Option<u32>,
}

/// A name of the command line, and its presets.
#[derive(Clone)]
struct Presets {
    name: &'static str,
    presets: Vec<Preset>,
}

/// Parses the name of a preset, or `all`.
fn preset(name: &str) -> Result<Presets, String> {
    if name == "all" {
        let presets = vec![
            Preset::Short,
            Preset::Balanced,
            Preset::Fast,
            Preset::Untuned,
        ];
        let name = "all";
        return Ok(Presets { name, presets });
    }
    let preset = <Preset as ValueEnum>::from_str(name, false).map_err(|_unknown| {
        "expected short, balanced, fast, untuned, voxel-astar or all".to_owned()
    })?;
    Ok(Presets {
        name: preset.name(),
        presets: vec![preset],
    })
}

/// Parses a half of the problems.
fn half(name: &str) -> Result<Half, String> {
    match name {
        "odd" => Ok(Half::Odd),
        "even" => Ok(Half::Even),
        _ => Err("expected odd or even".to_owned()),
    }
}

/// Parses a heuristic weight: 1 is unweighted A*.
fn heuristic_weight(text: &str) -> Result<u32, String> {
    let weight = text.parse::<f64>().ok();
    let weight = weight.filter(|weight| (1.0..=100.0).contains(weight));
    let weight = weight.ok_or_else(|| "expected a number from 1 to 100".to_owned())?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 256 to 25,600"
    )]
    let parts = (weight * f64::from(OctreeParams::ONE)).round() as u32;
    Ok(parts)
}

impl Flights {
    /// True if flights are to be measured.
    pub(super) fn is_requested(&self) -> bool {
        !self.map.is_empty() || !self.mazes.is_empty() || self.flight_ticks.is_some()
    }

    /// Measures flights; with one map also memory, build, lookups and edits of its air.
    pub(super) fn run(&self, of: &Air, json: &Json) -> Result<Verdict, Failure> {
        if self.map.len() > 1 && self.scen.is_some() {
            return Err(Failure::BadInput("--scen is for one map".to_owned()));
        }
        let pinned = machine::pin_if(of.is_pinned());
        let timer = Timer::new();
        let fault = |error: &dyn std::fmt::Display| Failure::OurFault(error.to_string());
        let mut report = FlightReport {
            schema: "wayfarer/bench-air-flight/2",
            command: self.command(),
            machine: Machine::here(&pinned, memory::is_counted()),
            calibration: calibration::ns_per_expansion().map_err(|error| fault(&error))?,
            first: None,
            wrong_in_all: 0,
            presets: Vec::new(),
            mazes: Vec::new(),
            asteroids: None,
        };
        let n_steps = self.map.len() + self.mazes.len() + usize::from(self.flight_ticks.is_some());
        let progress = Progress::new("worlds", n_steps);
        for map in &self.map {
            self.one_map(map, &timer, &mut report)?;
            progress.step();
        }
        for walls in &self.mazes {
            let row = mazes::measure(256, *walls, &timer).map_err(|error| fault(&error))?;
            report.wrong_in_all += row.wrong;
            report.mazes.push(row);
            progress.step();
        }
        if let Some(n_ticks) = self.flight_ticks {
            let plan = rocks::AsteroidPlan {
                n_ticks,
                ..rocks::AsteroidPlan::default()
            };
            let row = rocks::measure(&plan, &timer).map_err(|error| fault(&error))?;
            report.wrong_in_all += row.wrong;
            report.asteroids = Some(row);
        }
        drop(progress);
        report.first = report.presets.first().map(|row| row.figures.clone());
        let mut out = Output::default();
        let mut text = report.to_json();
        if let [map] = &self.map[..] {
            let built = of.measure(Some(map.clone()))?;
            out.line(air::render(&built).trim_end());
            out.line("");
            report.wrong_in_all += built.wrong;
            text = joined(&built.to_json(), &text)?;
        }
        out.line(flight::render(&report).trim_end());
        out.json_text(json, text);
        out.finish()?;
        Ok(Verdict::negative_if(report.wrong_in_all > 0))
    }

    fn one_map(&self, map: &Path, timer: &Timer, report: &mut FlightReport) -> Result<(), Failure> {
        let beside = PathBuf::from(format!("{}.3dscen", map.display()));
        let scen = self.scen.as_ref().unwrap_or(&beside);
        let read = |path: &Path| {
            load::bytes(path)
                .map_err(|error| Failure::for_file(path, format!("cannot read: {error}")))
        };
        let voxels = map3d::read(&read(map)?).map_err(|error| Failure::for_file(map, error))?;
        let problems =
            scen3d::read(&read(scen)?).map_err(|error| Failure::for_file(scen, error))?;
        let named = self.preset.iter().flat_map(|named| named.presets.clone());
        let is_default = self.preset.is_empty() && self.heuristic_weight.is_empty();
        let named = named.chain(is_default.then_some(Preset::Balanced));
        let named = named.map(|preset| (preset.name().to_owned(), preset.method()));
        let weighted = self.heuristic_weight.iter().map(|weight| {
            let params = OctreeParams {
                heuristic_weight: *weight,
                ..OctreeParams::BALANCED
            };
            let weight = f64::from(*weight) / f64::from(OctreeParams::ONE);
            let name = format!("heuristic weight {weight:.2}");
            (name, FlightMethod::Octree(params))
        });
        for (name, method) in named.chain(weighted) {
            let plan = FlightPlan {
                half: self.half,
                method,
                sample: self.sample.and_then(|n| usize::try_from(n).ok()),
                runs: self.runs.into(),
                radius: self.radius.unwrap_or_default(),
            };
            let figures = flight::run(&voxels, &problems, &plan, timer)
                .map_err(|error| Failure::for_file(map, error))?;
            report.wrong_in_all += figures.wrong;
            let map = map
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            report.presets.push(PresetRow {
                map,
                preset: name,
                figures,
            });
        }
        Ok(())
    }

    /// The command that reproduces the measurement.
    fn command(&self) -> String {
        let mut words = vec!["bench air".to_owned()];
        words.extend(
            self.map
                .iter()
                .map(|map| format!("--map {}", map.display())),
        );
        words.extend(
            self.scen
                .iter()
                .map(|scen| format!("--scen {}", scen.display())),
        );
        words.extend(self.sample.iter().map(|n| format!("--sample {n}")));
        words.extend(self.half.iter().map(|half| match half {
            Half::Odd => "--half odd".to_owned(),
            Half::Even => "--half even".to_owned(),
        }));
        words.extend(self.heuristic_weight.iter().map(|weight| {
            let weight = f64::from(*weight) / f64::from(OctreeParams::ONE);
            format!("--heuristic-weight {weight:.3}")
        }));
        words.extend(
            self.preset
                .iter()
                .map(|named| format!("--preset {}", named.name)),
        );
        words.extend(
            self.radius
                .iter()
                .map(|radius| format!("--radius {}", radius.to_cells())),
        );
        if !self.map.is_empty() {
            words.push(format!("--runs {}", self.runs));
        }
        if !self.mazes.is_empty() {
            let walls: Vec<String> = self.mazes.iter().map(u32::to_string).collect();
            words.push(format!("--mazes {}", walls.join(",")));
        }
        words.extend(
            self.flight_ticks
                .iter()
                .map(|n| format!("--flight-ticks {n}")),
        );
        words.join(" ")
    }
}

/// One JSON object with the keys of two; `wrong` is added up, else the second counts.
fn joined(first: &str, second: &str) -> Result<String, Failure> {
    let body = |text: &str| {
        serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text)
            .map_err(|error| Failure::OurFault(error.to_string()))
    };
    let (mut all, more) = (body(first)?, body(second)?);
    let wrong = |of: &serde_json::Map<String, serde_json::Value>| {
        of.get("wrong")
            .and_then(serde_json::Value::as_u64)
            .unwrap_or(0)
    };
    let sum = wrong(&all) + wrong(&more);
    all.extend(more);
    all.insert("wrong".to_owned(), sum.into());
    let mut text =
        serde_json::to_string_pretty(&all).map_err(|error| Failure::OurFault(error.to_string()))?;
    text.push('\n');
    Ok(text)
}
