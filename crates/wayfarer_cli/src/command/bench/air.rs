//! `wayfarer bench air`: memory, build, lookups, edits and flights of the air.

use std::path::PathBuf;

use clap::Args;
use wayfarer_bench::air::{Arguments, RockPlan};

use super::Common;
use super::flight::Flights;
use crate::failure::{Failure, Verdict};

/// Measure memory, build, lookups and edits of the air, and flights
///
/// Every map is compared with a reference, rays step by step, components row by row, and every
/// edited world with a rebuilt one. With --map its problems are flown, too, and every flight is
/// checked voxel by voxel, before and after string pulling. Exit code 1 if anything is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench air --maps data/warframe --json air.json
  wayfarer bench air --asteroids 5000 --size 1000 --moving 100
  wayfarer bench air --boards 32,64,128
  wayfarer bench air --map data/warframe/A1.3dmap --sample 1000 --preset balanced --json a1.json
  wayfarer bench air --map data/warframe/A1.3dmap --preset short --preset fast --runs 3
  wayfarer bench air --map data/warframe/A1.3dmap --sample 20 --preset all --radius 1.5
  wayfarer bench air --mazes 8,16,31 --flight-ticks 50")]
pub(super) struct Air {
    /// A folder of .3dmap files, or one such file
    #[arg(long, value_name = "PATH", conflicts_with_all = ["map", "mazes", "flight_ticks"],
        required_unless_present_any = ["asteroids", "boards", "map", "mazes", "flight_ticks"])]
    maps: Option<PathBuf>,
    /// Edits of 4 x 4 x 4 voxels on each map
    #[arg(long, value_name = "N", default_value_t = Arguments::default().n_edits)]
    edits: usize,
    /// N asteroids of radius 3 to 20 voxels, some of them moving
    #[arg(long, value_name = "N")]
    asteroids: Option<u32>,
    /// Asteroids: voxels along each side of the box
    #[arg(long, value_name = "SIDE", default_value_t = RockPlan::default().side, requires = "asteroids")]
    size: u32,
    /// Asteroids: how many move, by up to 2 voxels along each axis in a tick
    #[arg(long, value_name = "N", default_value_t = RockPlan::default().n_moving, requires = "asteroids")]
    moving: u32,
    /// Asteroids: ticks; every 50th is compared with a rebuilt air
    #[arg(long, value_name = "N", default_value_t = RockPlan::default().n_ticks, requires = "asteroids")]
    ticks: u32,
    /// Sides of checkerboards of solid and free voxels: the most regions possible
    #[arg(long, value_name = "SIDES", value_delimiter = ',')]
    boards: Vec<u32>,
    /// Threads of the build; the result does not depend on them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    threads: u8,
    #[command(flatten)]
    flights: Flights,
    #[command(flatten)]
    pub(super) common: Common,
}

impl Air {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        if self.flights.is_requested() {
            return self.flights.run(self);
        }
        self.common
            .run("worlds", &self.arguments(self.maps.clone()))
    }

    /// The measurement of memory, build, lookups and edits.
    pub(super) fn arguments(&self, maps: Option<PathBuf>) -> Arguments {
        let rocks = self.asteroids.map(|n_rocks| RockPlan {
            n_rocks,
            side: self.size,
            n_moving: self.moving,
            n_ticks: self.ticks,
            ..RockPlan::default()
        });
        Arguments {
            maps,
            n_edits: self.edits,
            rocks,
            boards: self.boards.clone(),
            n_threads: self.threads.into(),
        }
    }
}
