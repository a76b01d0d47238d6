//! `wayfarer bench air` with problems: how fast flights are found, how long and how free they are.

use std::path::{Path, PathBuf};

use clap::Args;
use wayfarer::base::Fixed;
use wayfarer::formats::{map3d, scen3d};
use wayfarer::search::air::{FlightMethod, OctreeParams};
use wayfarer_bench::air;
use wayfarer_bench::clock::Timer;
use wayfarer_bench::flight::{self, FlightPlan, FlightReport, Half, PresetRow, mazes, rocks};
use wayfarer_bench::{calibration, load};
use wayfarer_measure::machine::{self, Machine};

use super::air::Air;
use crate::area;
use crate::failure::{Failure, Verdict};
use crate::output::{Json, Output};
use crate::progress::Progress;

/// What to measure of flights.
#[derive(Args)]
#[command(next_help_heading = "Flights")]
pub(super) struct Flights {
    /// The .3dmap file whose problems are asked; may be given several times
    #[arg(long, value_name = "FILE")]
    map: Vec<PathBuf>,
    /// The .3dscen file with the problems of the one map; beside the map if not given
    #[arg(long, value_name = "FILE", requires = "map")]
    scen: Option<PathBuf>,
    /// Take N problems, evenly spread over the list
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), requires = "map")]
    sample: Option<u32>,
    /// Of the problems only every second: odd to weigh settings on, even to report
    #[arg(long, value_name = "HALF", value_parser = half, requires = "map")]
    half: Option<Half>,
    /// Besides: balanced with another greed, as in 1.2; may be given several times
    #[arg(long, value_name = "GREED", value_parser = greed, requires = "map")]
    greed: Vec<u32>,
    /// How to search: short, balanced, fast, plain, exact, or all for the first four side by side;
    /// may be given several times
    #[arg(long, value_name = "NAME", value_parser = preset, requires = "map")]
    preset: Vec<Asked>,
    /// Half the width of whoever flies; lengths are still compared with those of the file
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

/// A name that was asked for, and the paths of searching it stands for.
#[derive(Clone)]
struct Asked {
    name: String,
    methods: Vec<(&'static str, FlightMethod)>,
}

/// Reads the name of a preset.
fn preset(name: &str) -> Result<Asked, String> {
    let octree = OctreeParams::PRESETS.map(|(name, params)| (name, FlightMethod::Octree(params)));
    let known = octree
        .into_iter()
        .chain([("exact", FlightMethod::VoxelAStar)]);
    let methods: Vec<_> = match name {
        "all" => octree.to_vec(),
        _ => known.filter(|(known, _)| *known == name).collect(),
    };
    if methods.is_empty() {
        return Err("expected short, balanced, fast, plain, exact or all".to_owned());
    }
    let name = name.to_owned();
    Ok(Asked { name, methods })
}

/// Reads which half of the problems to take.
fn half(name: &str) -> Result<Half, String> {
    match name {
        "odd" => Ok(Half::Odd),
        "even" => Ok(Half::Even),
        _ => Err("expected odd or even".to_owned()),
    }
}

/// Reads a greed: 1 is plain A*.
fn greed(text: &str) -> Result<u32, String> {
    let greed = text.parse::<f64>().ok();
    let greed = greed.filter(|greed| (1.0..=100.0).contains(greed));
    let greed = greed.ok_or_else(|| "expected a number from 1 to 100".to_owned())?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 256 to 25,600"
    )]
    let parts = (greed * f64::from(OctreeParams::ONE)).round() as u32;
    Ok(parts)
}

impl Flights {
    /// True if anything of flights is to be measured.
    pub(super) fn are_asked(&self) -> bool {
        !self.map.is_empty() || !self.mazes.is_empty() || self.flight_ticks.is_some()
    }

    /// Measures flights; with one map also how its air is built, asked and changed.
    pub(super) fn run(&self, of: &Air, json: &Json) -> Result<Verdict, Failure> {
        if self.map.len() > 1 && self.scen.is_some() {
            return Err(Failure::BadInput("--scen is for one map".to_owned()));
        }
        let pinned = machine::pin_if(of.pins());
        let timer = Timer::new();
        let fault = |error: &dyn std::fmt::Display| Failure::OurFault(error.to_string());
        let mut report = FlightReport {
            schema: "wayfarer/bench-air-flight/1",
            command: self.command(),
            machine: Machine::here(&pinned, wayfarer_bench::memory::is_counted()),
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
                .map_err(|error| Failure::of_file(path, format!("cannot read: {error}")))
        };
        let voxels = map3d::read(&read(map)?).map_err(|error| Failure::of_file(map, error))?;
        let problems = scen3d::read(&read(scen)?).map_err(|error| Failure::of_file(scen, error))?;
        let balanced = [("balanced", FlightMethod::Octree(OctreeParams::BALANCED))];
        let asked = self.preset.iter().flat_map(|asked| &asked.methods);
        let by_itself = self.preset.is_empty() && self.greed.is_empty();
        let by_itself = balanced.iter().filter(|_| by_itself);
        let named = asked.chain(by_itself);
        let named = named.map(|(name, method)| ((*name).to_owned(), *method));
        let greedy = self.greed.iter().map(|greed| {
            let params = OctreeParams {
                heuristic_weight: *greed,
                ..OctreeParams::BALANCED
            };
            let name = format!(
                "greed {:.2}",
                f64::from(*greed) / f64::from(OctreeParams::ONE)
            );
            (name, FlightMethod::Octree(params))
        });
        for (name, method) in named.chain(greedy) {
            let plan = FlightPlan {
                half: self.half,
                method,
                sample: self.sample.and_then(|n| usize::try_from(n).ok()),
                runs: self.runs.into(),
                radius: self.radius.unwrap_or_default(),
            };
            let figures = flight::run(&voxels, &problems, &plan, timer)
                .map_err(|error| Failure::of_file(map, error))?;
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

    /// The command that measures the same.
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
        words.extend(self.greed.iter().map(|greed| {
            let greed = f64::from(*greed) / f64::from(OctreeParams::ONE);
            format!("--greed {greed:.3}")
        }));
        words.extend(
            self.preset
                .iter()
                .map(|asked| format!("--preset {}", asked.name)),
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

/// One JSON value with the keys of two; `wrong` is added up, else the second counts.
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
