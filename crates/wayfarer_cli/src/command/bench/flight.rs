//! `wayfarer bench air` with problems: flights, their times and lengths.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use wayfarer_bench::flight::{self, FlightPlan, FlightTotals, Half, PresetRow, mazes, rocks};
use wayfarer_bench::report::{CommandLine, Progress};
use wayfarer_bench::{BenchError, Benchmark, Figures, load};
use wayfarer_engine::base::Fixed;
use wayfarer_engine::search::air::{FlightMethod, OctreeParams};
use wayfarer_measure::clock::Timer;

use super::air::Air;
use crate::area;
use crate::failure::{Failure, Verdict};
use crate::output::{self, Output};
use crate::preset::Preset;

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
    pub(super) fn run(&self, of: &Air) -> Result<Verdict, Failure> {
        if self.map.len() > 1 && self.scen.is_some() {
            return Err(Failure::BadInput("--scen is for one map".to_owned()));
        }
        let json = &of.common.json;
        output::can_write(json.file())?;
        let report = of.common.measure("worlds", self)?;
        let mut out = Output::default();
        let (mut text, mut wrong) = (report.to_json(), report.wrong());
        if let [map] = &self.map[..] {
            let built = of
                .common
                .measure("worlds", &of.arguments(Some(map.clone())))?;
            out.line(built.render());
            wrong += built.wrong();
            text = joined(&built.to_json(), &text)?;
        }
        out.line(report.render().trim_end());
        out.json_text(json, text);
        out.finish()?;
        Ok(Verdict::negative_if(wrong > 0))
    }

    fn one_map(&self, map: &Path, timer: &Timer) -> Result<Vec<PresetRow>, BenchError> {
        let beside = PathBuf::from(format!("{}.3dscen", map.display()));
        let voxels = load::read_space(map)?;
        let problems = load::read_space_problems(self.scen.as_ref().unwrap_or(&beside))?;
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
        let file = map.display().to_string();
        let row = |(preset, method)| {
            let plan = FlightPlan {
                half: self.half,
                method,
                sample: self.sample.map(|n| n as usize),
                runs: self.runs.into(),
                radius: self.radius.unwrap_or_default(),
            };
            let figures = flight::run(&file, &voxels, &problems, &plan, timer)?;
            let map = load::name(map);
            Ok(PresetRow {
                map,
                preset,
                figures,
            })
        };
        named.chain(weighted).map(row).collect()
    }
}

impl Benchmark for Flights {
    type Figures = FlightTotals;

    fn measure(&self, progress: Progress<'_>) -> Result<FlightTotals, BenchError> {
        let timer = Timer::new();
        let n_ticks = self.flight_ticks;
        let n_parts = self.map.len() + self.mazes.len() + usize::from(n_ticks.is_some());
        let mut totals = FlightTotals::default();
        for map in &self.map {
            progress("map", n_parts);
            totals.presets.extend(self.one_map(map, &timer)?);
        }
        for walls in &self.mazes {
            progress("maze", n_parts);
            totals.mazes.push(mazes::measure(256, *walls, &timer)?);
        }
        if let Some(n_ticks) = n_ticks {
            progress("asteroids", n_parts);
            let plan = rocks::AsteroidPlan {
                n_ticks,
                ..rocks::AsteroidPlan::default()
            };
            totals.asteroids = Some(rocks::measure(&plan, &timer)?);
        }
        totals.add_up();
        Ok(totals)
    }

    fn command(&self) -> String {
        let weight = |weight: &u32| f64::from(*weight) / f64::from(OctreeParams::ONE);
        let weights = self.heuristic_weight.iter().map(weight);
        let half = self.half.map(|half| match half {
            Half::Odd => "odd",
            Half::Even => "even",
        });
        CommandLine::new("air")
            .options("map", self.map.iter().map(|map| map.display()))
            .options("scen", self.scen.iter().map(|scen| scen.display()))
            .options("sample", self.sample)
            .options("half", half)
            .options("heuristic-weight", weights.map(|it| format!("{it:.3}")))
            .options("preset", self.preset.iter().map(|named| named.name))
            .options("radius", self.radius.map(Fixed::to_cells))
            .options("runs", (!self.map.is_empty()).then_some(self.runs))
            .list("mazes", &self.mazes)
            .options("flight-ticks", self.flight_ticks)
            .finish()
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
