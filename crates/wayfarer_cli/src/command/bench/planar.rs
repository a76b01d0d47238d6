//! `wayfarer bench planar`: paths between moving obstacles.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use wayfarer_bench::planar::Arguments;
use wayfarer_engine::base::Fixed;
use wayfarer_engine::search::planar::PlanarMethod;
use wayfarer_engine::world::obstacles::quadtree::SplitCriterion;

use super::Common;
use crate::failure::{Failure, Verdict};
use crate::size::{self, Size};

/// Measure paths between obstacles that all move every tick
///
/// One path per tick from corner to corner of the world, each checked against every obstacle, some
/// against the shortest path. Exit code 1 if anything is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench planar --json planar.json
  wayfarer bench planar --method quadtree --min 40 --ticks 50
  wayfarer bench planar --obstacles 500000 --world 400000 --ticks 5
  wayfarer bench planar --walls 1000 --wall 10000x10 --ticks 20
  cargo wayfarer-baselines bench planar --baselines --ticks 40 --oracle 20
  wayfarer bench planar --method quadtree --map data/bg512/AR0013SR.map --min 10 --max 20 --diagonal")]
pub(super) struct Planar {
    /// Search method
    #[arg(long, value_enum, default_value = "tangent")]
    method: Method,
    /// Number of obstacles
    #[arg(long, alias = "entities", value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    obstacles: u32,
    /// Side of the world, in cells
    #[arg(long, value_name = "CELLS", default_value_t = 40_000, value_parser = clap::value_parser!(i32).range(1..=1_000_000))]
    world: i32,
    /// Side of each obstacle, in cells
    #[arg(long, value_name = "CELLS", default_value_t = 300, value_parser = clap::value_parser!(i32).range(1..=1_000_000))]
    size: i32,
    /// Side of the smallest quad, in cells
    #[arg(long, value_name = "CELLS", default_value_t = 10, value_parser = clap::value_parser!(i32).range(1..=100_000))]
    min: i32,
    /// Side of the largest quad, in cells
    #[arg(long, value_name = "CELLS", default_value_t = 100, value_parser = clap::value_parser!(i32).range(1..=1_000_000))]
    max: i32,
    /// Let paths cross the corners of quads
    #[arg(long)]
    diagonal: bool,
    /// Radius of the agent, in cells
    #[arg(long, value_name = "CELLS", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..=100_000))]
    radius: i32,
    /// Largest move of an obstacle along each axis per tick, in cells
    #[arg(long, value_name = "CELLS", default_value_t = 2, value_parser = clap::value_parser!(i32).range(0..=10_000))]
    speed: i32,
    /// Number of walls among the obstacles, running east
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "map", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    walls: u32,
    /// Length and thickness of each wall, in cells
    #[arg(long, value_name = "LENGTHxTHICKNESS", default_value = "10000x10", value_parser = size::parse)]
    wall: Size,
    /// Ticks, or problems of the map
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..))]
    ticks: u32,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Ticks on which the path is compared with the shortest; seconds each
    #[arg(long, value_name = "N", default_value_t = 4)]
    oracle: u32,
    /// Take the walls of a .map file with a .scen beside it as static obstacles
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Measure the registry's trees, too, on those ticks (needs `cargo wayfarer-baselines`)
    #[arg(long, alias = "rivals", conflicts_with = "map")]
    baselines: bool,
    #[command(flatten)]
    common: Common,
}

/// A planar search method.
#[derive(Clone, Copy, ValueEnum)]
enum Method {
    /// Lazy tangent graph; no bound
    #[value(alias = "corners")]
    Tangent,
    /// A* over a quadtree built on demand; no bound
    #[value(alias = "tree")]
    Quadtree,
}

impl Planar {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        if self.size > self.world {
            return Err(Failure::BadInput(format!(
                "--size {} does not fit into --world {}",
                self.size, self.world
            )));
        }
        let wall = [self.wall.width, self.wall.height].map(i32::try_from);
        let [Ok(length), Ok(thickness)] = wall else {
            return Err(Failure::BadInput(
                "--wall is larger than any world".to_owned(),
            ));
        };
        if self.walls > 0 && (length.max(thickness) > self.world || length.min(thickness) < 1) {
            return Err(Failure::BadInput(format!(
                "--wall {length}x{thickness} does not fit into --world {}, or has no thickness",
                self.world
            )));
        }
        let cells = |n: i32| Fixed::from_raw(n * Fixed::UNITS_PER_CELL);
        let arguments = Arguments {
            method: match self.method {
                Method::Tangent => PlanarMethod::TangentGraph,
                Method::Quadtree => PlanarMethod::Quadtree,
            },
            n_obstacles: self.obstacles,
            world: self.world,
            size: self.size,
            criterion: SplitCriterion {
                min_side: cells(self.min),
                max_side: cells(self.max),
                occupancy: 0,
                diagonal: self.diagonal,
            },
            radius: self.radius,
            speed: self.speed,
            n_walls: self.walls,
            wall: [length, thickness],
            n_ticks: self.ticks,
            seed: self.seed,
            n_oracle: self.oracle,
            baselines: self.baselines,
            map: self.map.clone(),
        };
        self.common.run("ticks", &arguments)
    }
}
