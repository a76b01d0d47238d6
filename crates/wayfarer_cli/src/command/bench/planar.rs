//! `wayfarer bench field`: paths through a crowd that moves.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use wayfarer::base::Fixed;
use wayfarer::search::planar::PlanarMethod;
use wayfarer::world::obstacles::quadtree::SplitCriterion;
use wayfarer_bench::planar::{self, Arguments, PlanarBenchError};

use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};
use crate::progress::Progress;
use crate::size::{self, Size};

/// Measure paths through a crowd in which everything moves every tick
///
/// One way each tick from corner to corner of the world, every way checked against every obstacle,
/// some against the shortest there is. Exit code 1 if anything is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench field --json field.json
  wayfarer bench field --method tree --min 40 --ticks 50
  wayfarer bench field --entities 500000 --world 400000 --ticks 5
  wayfarer bench field --walls 1000 --wall 10000x10 --ticks 20
  cargo wayfarer-rivals bench field --rivals --ticks 40 --oracle 20
  wayfarer bench field --method tree --map data/bg512/AR0013SR.map --min 10 --max 20 --diagonal")]
pub(super) struct Planar {
    /// How to search
    #[arg(long, value_enum, default_value = "corners")]
    method: Method,
    /// Obstacles
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    obstacles: u32,
    /// Side of the world, in cells
    #[arg(long, value_name = "CELLS", default_value_t = 40_000, value_parser = clap::value_parser!(i32).range(1..=1_000_000))]
    world: i32,
    /// Side of each obstacle, in cells
    #[arg(long, value_name = "CELLS", default_value_t = 300, value_parser = clap::value_parser!(i32).range(1..=1_000_000))]
    size: i32,
    /// Side of the tree's smallest space, in cells
    #[arg(long, value_name = "CELLS", default_value_t = 10, value_parser = clap::value_parser!(i32).range(1..=100_000))]
    min: i32,
    /// Side of the tree's largest space, in cells
    #[arg(long, value_name = "CELLS", default_value_t = 100, value_parser = clap::value_parser!(i32).range(1..=1_000_000))]
    max: i32,
    /// Let the tree's paths step over corners
    #[arg(long)]
    diagonal: bool,
    /// Radius of the agent, in cells
    #[arg(long, value_name = "CELLS", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..=100_000))]
    radius: i32,
    /// Most that an obstacle moves along each axis in a tick, in cells
    #[arg(long, value_name = "CELLS", default_value_t = 2, value_parser = clap::value_parser!(i32).range(0..=10_000))]
    speed: i32,
    /// Walls that stand among the obstacles and run east
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "map", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    walls: u32,
    /// How long and how thick each wall is, in cells
    #[arg(long, value_name = "LENGTHxTHICKNESS", default_value = "10000x10", value_parser = size::parse)]
    wall: Size,
    /// Ticks, or problems of the map
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..))]
    ticks: u32,
    /// Where all chance comes from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Ticks on which the way is compared with the shortest; seconds each
    #[arg(long, value_name = "N", default_value_t = 4)]
    oracle: u32,
    /// Take the walls of a .map file with a .scen beside it as obstacles, which stand still
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Ask the registry's trees the same on the oracle's ticks (needs `cargo wayfarer-baselines`)
    #[arg(long, conflicts_with = "map")]
    baselines: bool,
    /// Leave the program on whatever core the system chooses
    #[arg(long)]
    no_pin: bool,
    #[command(flatten)]
    json: Json,
}

/// How to search.
#[derive(Clone, Copy, ValueEnum)]
enum Method {
    /// From corner to corner of what stands in the way
    Corners,
    /// From space to space of a tree that grows with the search
    Tree,
}

impl Planar {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write(self.json.file())?;
        if self.size > self.world {
            return Err(Failure::BadInput(format!(
                "--size {} does not fit into --world {}",
                self.size, self.world
            )));
        }
        let wall = [self.wall.width, self.wall.height].map(i32::try_from);
        let [Ok(long), Ok(thick)] = wall else {
            return Err(Failure::BadInput(
                "--wall is larger than any world".to_owned(),
            ));
        };
        if self.walls > 0 && (long.max(thick) > self.world || long.min(thick) < 1) {
            return Err(Failure::BadInput(format!(
                "--wall {long}x{thick} does not fit into --world {}, or has no thickness",
                self.world
            )));
        }
        let cells = |n: i32| Fixed::from_raw(n * Fixed::PARTS);
        let arguments = Arguments {
            method: match self.method {
                Method::Corners => PlanarMethod::TangentGraph,
                Method::Tree => PlanarMethod::Quadtree,
            },
            n_obstacles: self.obstacles,
            world: self.world,
            size: self.size,
            criterion: SplitCriterion {
                smallest: cells(self.min),
                largest: cells(self.max),
                occupancy: 0,
                diagonal: self.diagonal,
            },
            radius: self.radius,
            speed: self.speed,
            n_walls: self.walls,
            wall: [long, thick],
            n_ticks: self.ticks,
            seed: self.seed,
            n_oracle: self.oracle,
            baselines: self.baselines,
            map: self.map.clone(),
            pin: !self.no_pin,
        };
        let mut progress: Option<Progress> = None;
        let report = planar::run(&arguments, |n_ticks| match &progress {
            Some(shown) => shown.step(),
            None => progress = Some(Progress::new("ticks", n_ticks as usize)),
        });
        drop(progress);
        let report = report.map_err(|error| match error {
            PlanarBenchError::Engine(_) => Failure::OurFault(error.to_string()),
            _ => Failure::BadInput(error.to_string()),
        })?;
        let mut out = Output::default();
        out.line(planar::render(&report).trim_end());
        out.json_text(&self.json, report.to_json());
        out.finish()?;
        Ok(Verdict::negative_if(report.wrong > 0))
    }
}
