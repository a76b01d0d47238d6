//! `wayfarer bench`: measures speed and correctness, beside baselines.

mod abstraction;
mod agents;
mod air;
mod dynamic;
mod flight;
mod flow;
mod journal;
mod planar;
mod replan;
mod scale;
mod sensors;
mod skirmish;
mod terrain_costs;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use wayfarer_bench::agents::Sort;
use wayfarer_bench::measure::Plan;
use wayfarer_bench::paths::Arguments;
use wayfarer_bench::{
    BenchError, Benchmark, Figures, Report, battlefield, bodies, crowd, ground, plot, reachability,
    streaming, world, worst_case,
};

use crate::aliases;
use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};
use crate::progress::Progress;

/// Measure speed, memory and correctness
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench paths --maps data/dao --sample 50
  wayfarer bench dynamic data/dao_arena2.scen
  wayfarer bench replan --maps data/dao/orz900d.map
  wayfarer bench terrain-costs --maps data/dao/brc202d.map
  wayfarer bench abstraction --maps data/bg512
  wayfarer bench ground --maps data/dao
  wayfarer bench worst-case
  wayfarer bench air --maps data/warframe
  wayfarer bench scale --kind city --size 2048
  wayfarer bench planar --obstacles 5000 --radius 50
  wayfarer bench sensors
  wayfarer bench flow
  wayfarer bench world --agents 10000
  wayfarer bench journal --folder journal.d
  wayfarer bench skirmish
  cargo wayfarer-baselines bench paths --maps data/dao/brc202d.map --baselines --plot times.svg")]
pub(crate) struct Bench {
    #[command(subcommand)]
    what: What,
}

/// A benchmark; if it has no help here, that stands with its options.
#[derive(Subcommand)]
enum What {
    Paths(Paths),
    Dynamic(dynamic::Dynamic),
    #[command(alias = "cuts")]
    Replan(replan::Replan),
    #[command(alias = "prices")]
    TerrainCosts(terrain_costs::TerrainCosts),
    Abstraction(abstraction::Abstraction),
    Agents(agents::Agents),
    /// Measure memory, build, queries and edits of the ground, over flat maps
    ///
    /// Memory is compared with the count of the allocator, and the edited ground with a rebuilt
    /// one. Exit code 1 if anything is wrong.
    #[command(after_help = "\
Examples:
  wayfarer bench ground --maps data/dao --json ground.json
  wayfarer bench ground --maps data/dao --sample 10 --profiles")]
    Ground(Plain<ground::Arguments>),
    #[command(alias = "field")]
    Planar(planar::Planar),
    /// Measure worst-case edits: mazes, spirals, a wall across open ground, doors
    ///
    /// Every world is compared with a rebuilt one at the end, every wall and door with the
    /// components it must split and merge. Exit code 1 if anything is wrong.
    #[command(
        alias = "nasty",
        after_help = "\
Examples:
  wayfarer bench worst-case --json worst-case.json
  wayfarer bench worst-case --walls 512,4096,16384"
    )]
    WorstCase(Plain<worst_case::Arguments>),
    /// Measure moves, range queries, sensors and line of sight
    ///
    /// Bodies move over a plain, and each queries its neighbors; sensors; lines and fields of view.
    /// Samples are compared with brute force. Exit code 1 if anything is wrong.
    #[command(
        alias = "objects",
        after_help = "\
Examples:
  wayfarer bench bodies --count 100000 --neighbors 20 --ticks 10 --json bodies.json
  wayfarer bench bodies --count 100000,1000000
  cargo wayfarer-baselines bench bodies --count 100000,1000000 --baselines"
    )]
    Bodies(Plain<bodies::Arguments>),
    /// Count the tests of 10, 100 and 1,000 bodies with wedge sensors on 10 x 10 km
    ///
    /// All against all, each pair once, with grid bins, without bins inside the footprint, with
    /// line of sight.
    #[command(after_help = "\
Examples:
  wayfarer bench battlefield --json -")]
    Battlefield(Plain<battlefield::Arguments>),
    Sensors(sensors::Sensors),
    Flow(flow::Flow),
    Air(air::Air),
    /// Measure unreachable goals, partial paths and invalidated subscriptions
    ///
    /// Every result is compared with a reference. Paths are subscribed on the map with most
    /// walkable cells. Exit code 1 if any result is wrong.
    #[command(
        alias = "questions",
        after_help = "\
Examples:
  wayfarer bench reachability --maps data/dao --json reachability.json
  wayfarer bench reachability --maps data/dao/orz900d.map --sample 500"
    )]
    Reachability(Plain<reachability::Arguments>),
    /// Measure whole ticks of a changing city full of agents
    ///
    /// Every agent follows a path and has a sensor; an invalidated path is repaired within the
    /// budget of a tick. Exit code 1 if an agent is inside a wall, or if the searches of a tick
    /// exceed the budget.
    #[command(after_help = "\
Examples:
  wayfarer bench world --agents 10000 --edits 50 --ticks 300 --json world.json
  wayfarer bench world --agents 500 --size 256 --ticks 100")]
    World(Plain<world::Arguments>),
    Scale(scale::Scale),
    Journal(journal::Journal),
    /// Measure a crowd that follows paths and avoids each other
    ///
    /// Agents walk their paths in a scenario until all have arrived; overlaps and walls are checked
    /// independently. Exit code 1 if a disc is inside a wall or two overlap by more than 5 % of a radius.
    #[command(after_help = "\
Examples:
  wayfarer bench crowd --scenario gate --agents 500 --json gate.json
  wayfarer bench crowd --scenario city --agents 10000 --ticks 300
  cargo wayfarer-baselines bench crowd --scenario circle --agents 500 --baselines")]
    Crowd(Plain<crowd::Arguments>),
    Skirmish(skirmish::Skirmish),
    /// Measure a world larger than memory: a traveler crosses a city tile by tile
    ///
    /// Tiles are drawn from the seed or loaded from a temporary folder under a memory limit, edits go to tiles
    /// that are not loaded. Exit code 1 if a leg is wrong or the memory exceeds the limit.
    #[command(after_help = "\
Examples:
  wayfarer bench streaming --json streaming.json
  wayfarer bench streaming --size 4096 --limit 8")]
    Streaming(Plain<streaming::Arguments>),
    /// Measure path queries through NATS beside the library alone, and simulate more workers
    ///
    /// A server of NATS, a writer and workers run on loopback; every response is compared with that of the
    /// library. `cargo xtask test --only cluster` installs the server. Exit code 1 if any response is wrong.
    #[cfg(feature = "nats")]
    #[command(after_help = "\
Examples:
  cargo wayfarer-cluster bench cluster --map data/dao/brc202d.map
  cargo wayfarer-cluster bench cluster --map data/dao/brc202d.map --workers 1 --in-flight 16,64 --batch 1")]
    Cluster(Plain<wayfarer_bench::cluster::Arguments>),
}

impl Bench {
    pub(crate) fn run(&self) -> Result<Verdict, Failure> {
        match &self.what {
            What::Paths(paths) => paths.run(),
            What::Dynamic(dynamic) => dynamic.run(),
            What::Replan(replan) => replan.run(),
            What::TerrainCosts(costs) => costs.run(),
            What::Abstraction(abstraction) => abstraction.run(),
            What::Agents(agents) => agents.run(),
            What::Ground(ground) => ground.run(),
            What::Planar(planar) => planar.run(),
            What::WorstCase(worst_case) => worst_case.run(),
            What::Bodies(bodies) => bodies.run(),
            What::Battlefield(battlefield) => battlefield.run(),
            What::Sensors(sensors) => sensors.run(),
            What::Flow(flow) => flow.run(),
            What::Air(air) => air.run(),
            What::Reachability(reachability) => reachability.run(),
            What::World(world) => world.run(),
            What::Scale(scale) => scale.run(),
            What::Journal(journal) => journal.run(),
            What::Crowd(crowd) => crowd.run(),
            What::Skirmish(skirmish) => skirmish.run(),
            What::Streaming(streaming) => streaming.run(),
            #[cfg(feature = "nats")]
            What::Cluster(cluster) => cluster.run(),
        }
    }
}

/// A benchmark whose options are its arguments.
#[derive(Args)]
struct Plain<A: Args> {
    #[command(flatten)]
    arguments: A,
    #[command(flatten)]
    common: Common,
}

impl<A: Args + Benchmark> Plain<A> {
    fn run(&self) -> Result<Verdict, Failure> {
        self.common.run(A::PARTS, &self.arguments)
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

/// The options of every benchmark.
#[derive(Args)]
struct Common {
    /// Do not pin the program to one core
    #[arg(long)]
    no_pin: bool,
    #[command(flatten)]
    json: Json,
}

impl Common {
    /// Measures, showing the progress in `parts`, and writes text and JSON.
    fn run(&self, parts: &'static str, arguments: &impl Benchmark) -> Result<Verdict, Failure> {
        self.run_with(parts, arguments, |_, _| {})
    }

    /// The same; `add` adds other outputs.
    fn run_with<B: Benchmark>(
        &self,
        parts: &'static str,
        arguments: &B,
        add: impl FnOnce(&Report<B::Figures>, &mut Output),
    ) -> Result<Verdict, Failure> {
        output::can_write(self.json.file())?;
        let report = self.measure(parts, arguments)?;
        let mut out = Output::default();
        out.line(report.render().trim_end());
        add(&report, &mut out);
        out.json_text(&self.json, report.to_json());
        out.finish()?;
        Ok(Verdict::negative_if(report.wrong() > 0))
    }

    /// Measures, showing the progress in `parts`.
    fn measure<B: Benchmark>(
        &self,
        parts: &'static str,
        arguments: &B,
    ) -> Result<Report<B::Figures>, Failure> {
        let mut progress: Option<Progress> = None;
        let report = arguments.run(!self.no_pin, |_, n_parts| match &progress {
            Some(shown) => shown.step(),
            None => progress = Some(Progress::new(parts, n_parts)),
        });
        drop(progress);
        Ok(report?)
    }
}

/// Measure paths over flat maps, each checked cell by cell
///
/// The engines take turns on one core; the mean is that of the best run, `max` the largest median
/// of a problem. Exit code 1 if any result is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench paths --maps data/dao --sample 50
  wayfarer bench paths --maps data/dao/brc202d.map --agent radius:1.5 --agent swimmer
  wayfarer bench paths --maps data/dao/brc202d.map --method grid-astar --method grid-astar-heap --json -
  cargo wayfarer-baselines bench paths --maps data/dao/brc202d.map --baselines --plot times.svg")]
struct Paths {
    /// A folder of .map files with .scen files beside them, or one such .map file
    #[arg(long, value_name = "PATH")]
    maps: PathBuf,
    /// Search methods; the totals are those of the first [methods: see below]
    #[arg(long, value_name = "NAME", default_value = "grid-astar", value_parser = method, help = methods())]
    method: Vec<String>,
    /// Take N problems of each map, evenly spread
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// Measure the registry's path finders, too (needs `cargo wayfarer-baselines`)
    #[arg(long, alias = "rivals")]
    baselines: bool,
    /// Of those, only the one with this name; may be repeated
    #[arg(
        long,
        alias = "only-rival",
        value_name = "NAME",
        requires = "baselines"
    )]
    only_baseline: Vec<String>,
    /// Runs over all problems; the best one counts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..))]
    runs: u8,
    /// Measure jps, optimal and bounded for an agent type beside the default profile: same, keys,
    /// swimmer or radius:R; may be repeated
    #[arg(long, value_name = "TYPE", conflicts_with_all = ["method", "baselines", "plot", "by_map"])]
    agent: Vec<Sort>,
    /// Add a table by map
    #[arg(long)]
    by_map: bool,
    /// Plot time by path length to FILE (.svg)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

/// Parses a search method; the benchmark rejects unknown ones.
#[expect(clippy::unnecessary_wraps, reason = "the signature of a value parser")]
fn method(name: &str) -> Result<String, String> {
    Ok(aliases::method(name))
}

fn methods() -> String {
    let methods = wayfarer_bench::engines::METHODS;
    let lines = methods.map(|(name, what)| format!("{name}: {what}"));
    format!(
        "Search method, may be repeated; the totals are those of the first ({})",
        lines.join("; ")
    )
}

/// The arguments for agent types: paths alone.
fn agents_of(paths: &Paths) -> wayfarer_bench::agents::Arguments {
    wayfarer_bench::agents::Arguments {
        maps: paths.maps.clone(),
        sample: paths.sample.map_or(usize::MAX, |n| n as usize),
        sorts: paths.agent.clone(),
        types: Vec::new(),
        runs: paths.runs.into(),
        seed: 1,
    }
}

impl Paths {
    fn run(&self) -> Result<Verdict, Failure> {
        if !self.agent.is_empty() {
            let arguments = agents_of(self);
            return self.common.run("maps", &arguments);
        }
        output::can_write(self.plot.as_deref())?;
        if let Some(plot) = &self.plot {
            output::must_end_in(plot, "svg")?;
        }
        let arguments = Arguments {
            methods: self.method.clone(),
            sample: self.sample.map(|n| n as usize),
            baselines: self.baselines,
            only_baselines: self.only_baseline.clone(),
            plan: Plan {
                runs: self.runs.into(),
                ..Plan::default()
            },
            ..Arguments::new(self.maps.clone(), "")
        };
        self.common.run_with("maps", &arguments, |report, out| {
            if self.by_map {
                out.line("");
                out.line(report.render_maps().trim_end());
            }
            if let Some(path) = &self.plot {
                out.file(path, plot::time_by_length(report).to_svg().into_bytes());
            }
        })
    }
}
