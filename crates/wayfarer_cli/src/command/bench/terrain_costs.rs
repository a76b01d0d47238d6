//! `wayfarer bench terrain-costs`: search times by the share of costly ground.

use std::path::PathBuf;

use clap::Args;
use wayfarer_bench::terrain_costs::Arguments;

use super::Common;
use crate::failure::{Failure, Verdict};

/// Measure searches while boxes of costly ground cover a growing share of a map
///
/// Jump point search expands costly ground cell by cell. `optimal` and `jps` must find equal costs,
/// and `bounded` must keep its bound. Exit code 1 if any result is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench terrain-costs --maps data/dao/brc202d.map
  wayfarer bench terrain-costs --maps data/dao --sample 20 --json terrain-costs.json")]
pub(super) struct TerrainCosts {
    /// A folder of .map files with .scen files beside them, or one such .map file
    #[arg(long, value_name = "PATH")]
    maps: PathBuf,
    /// Problems of each map, evenly spread
    #[arg(long, value_name = "N", default_value_t = 100)]
    sample: usize,
    /// Runs of each query; the best time counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..))]
    runs: u8,
    /// Seed of the boxes
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    common: Common,
}

impl TerrainCosts {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        let arguments = Arguments {
            maps: self.maps.clone(),
            sample: self.sample,
            runs: self.runs.into(),
            seed: self.seed,
        };
        self.common.run("maps", &arguments)
    }
}
