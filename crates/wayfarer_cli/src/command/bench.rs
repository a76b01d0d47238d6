//! `wayfarer bench`: how fast and how right the engine is, beside its baselines.

mod abstraction;
mod air;
mod bodies;
mod dynamic;
mod flight;
mod ground;
mod planar;
mod reachability;
mod replan;
mod scale;
mod terrain_costs;
mod world;
mod worst_case;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use wayfarer_bench::measure::Plan;
use wayfarer_bench::paths::{self, Arguments, MapBegun};
use wayfarer_bench::{BenchError, plot, table};

use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};
use crate::progress::Progress;

/// Measure how fast and how right the engine is
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench paths --maps data/dao --sample 50
  wayfarer bench dynamic data/dao_arena2.scen
  wayfarer bench cuts --maps data/dao/orz900d.map
  wayfarer bench prices --maps data/dao/brc202d.map
  wayfarer bench abstraction --maps data/bg512
  wayfarer bench ground --maps data/dao
  wayfarer bench nasty
  wayfarer bench air --maps data/warframe
  wayfarer bench scale --kind city --size 2048
  wayfarer bench field --entities 5000 --radius 50
  wayfarer bench world --agents 10000
  cargo wayfarer-rivals bench paths --maps data/dao/brc202d.map --rivals --plot times.svg")]
pub(crate) struct Bench {
    #[command(subcommand)]
    what: What,
}

/// What can be measured.
#[derive(Subcommand)]
enum What {
    /// Paths over flat maps, every one checked cell by cell
    Paths(Paths),
    /// A map that changes between questions, as the grid competition's dynamic track has it
    Dynamic(dynamic::Dynamic),
    /// A cell goes from the middle of a path: the edit, and the next question
    Replan(replan::Replan),
    /// Costly ground over more and more of a map
    TerrainCosts(terrain_costs::TerrainCosts),
    /// Plans over regions: their bytes, the work to refine them, how long paths come out
    Abstraction(abstraction::Abstraction),
    /// The ground's memory, how fast it is built, asked and changed, over flat maps
    Ground(ground::Ground),
    /// Ways through a crowd in which everything moves every tick
    Planar(planar::Planar),
    /// Edits where they hurt most: mazes, spirals, a wall across an open field, doors
    WorstCase(worst_case::WorstCase),
    /// Who is near: moving, asking, sensors, sight
    Bodies(bodies::BodySet),
    /// How a million checks become a few dozen
    Battlefield(bodies::Battlefield),
    /// The air's memory, how fast it is built, asked and changed
    Air(air::Air),
    /// Goals that cannot be reached, the nearest cell instead, and subscribed paths that are cut
    Reachability(reachability::Reachability),
    /// Whole ticks of a city that changes, full of agents that walk and look
    World(world::World),
    /// A world of any size, made sector by sector
    Scale(scale::Scale),
}

impl Bench {
    pub(crate) fn run(&self) -> Result<Verdict, Failure> {
        match &self.what {
            What::Paths(paths) => paths.run(),
            What::Dynamic(dynamic) => dynamic.run(),
            What::Replan(cuts) => cuts.run(),
            What::TerrainCosts(multipliers) => multipliers.run(),
            What::Abstraction(abstraction) => abstraction.run(),
            What::Ground(ground) => ground.run(),
            What::Planar(obstacles) => obstacles.run(),
            What::WorstCase(worst_case) => worst_case.run(),
            What::Bodies(bodies) => bodies.run(),
            What::Battlefield(battlefield) => battlefield.run(),
            What::Air(air) => air.run(),
            What::Reachability(queries) => queries.run(),
            What::World(world) => world.run(),
            What::Scale(scale) => scale.run(),
        }
    }
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Self {
        match error {
            BenchError::Engine(_) => Self::OurFault(error.to_string()),
            _ => Self::BadInput(error.to_string()),
        }
    }
}

/// Shows the progress of a measurement, map by map.
fn map_progress(what: &'static str) -> impl FnMut(MapBegun) {
    let mut progress: Option<Progress> = None;
    move |begun| {
        let shown = progress.get_or_insert_with(|| Progress::new(what, begun.n_maps));
        if begun.place > 0 {
            shown.step();
        }
    }
}

/// Measure paths over flat maps, every one checked cell by cell
///
/// The engines take turns on one core; the mean is that of the best run, `max` the largest over
/// the problems of each problem's median. Exit code 1 if any answer is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench paths --maps data/dao --sample 50
  wayfarer bench paths --maps data/dao/brc202d.map --method dense --method dense-heap --json -
  cargo wayfarer-rivals bench paths --maps data/dao/brc202d.map --rivals --plot times.svg")]
struct Paths {
    /// A folder of .map files with .scen files beside them, or one such .map file
    #[arg(long, value_name = "PATH")]
    maps: PathBuf,
    /// What to measure; the totals are those of the first [methods: see below]
    #[arg(long, value_name = "NAME", default_value = "dense", help = methods())]
    method: Vec<String>,
    /// Take N problems of each map, evenly spread over its list
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// Measure the registry's path finders beside (needs `cargo wayfarer-baselines`)
    #[arg(long)]
    baselines: bool,
    /// Of those, only the one with this name; may be given several times
    #[arg(long, value_name = "NAME", requires = "baselines")]
    only_baseline: Vec<String>,
    /// Runs over all problems; the best counts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..))]
    runs: u8,
    /// Leave the program on whatever core the system chooses
    #[arg(long)]
    no_pin: bool,
    /// Add a table map by map
    #[arg(long)]
    by_map: bool,
    /// Plot time by length of path to FILE (.svg)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

fn methods() -> String {
    let methods = wayfarer_bench::engines::METHODS;
    let lines = methods.map(|(name, what)| format!("{name}: {what}"));
    format!(
        "What to measure, may be given several times; the totals are those of the first ({})",
        lines.join("; ")
    )
}

impl Paths {
    fn run(&self) -> Result<Verdict, Failure> {
        let files = self.plot.iter().map(PathBuf::as_path);
        output::can_write(files.chain(self.json.file()))?;
        if let Some(plot) = &self.plot {
            output::must_end_in(plot, "svg")?;
        }
        let arguments = Arguments {
            methods: self.method.clone(),
            sample: self.sample.and_then(|n| usize::try_from(n).ok()),
            baselines: self.baselines,
            only_baselines: self.only_baseline.clone(),
            pin: !self.no_pin,
            plan: Plan {
                runs: self.runs.into(),
                ..Plan::default()
            },
            ..Arguments::new(self.maps.clone(), "")
        };
        let report = paths::run(&arguments, map_progress("maps"));
        let report = report?;
        let mut out = Output::default();
        out.line(table::render(&report).trim_end());
        if self.by_map {
            out.line("");
            out.line(table::render_maps(&report).trim_end());
        }
        if let Some(path) = &self.plot {
            out.file(path, plot::time_by_length(&report).to_svg().into_bytes());
        }
        out.json_text(&self.json, report.to_json());
        out.finish()?;
        let is_wrong = report.engines.iter().any(|engine| engine.figures.wrong > 0);
        Ok(Verdict::negative_if(is_wrong))
    }
}
