//! `wayfarer bench terrain-costs`: search times by the share of costly ground.

use std::path::PathBuf;

use clap::Args;
use wayfarer_bench::terrain_costs::{Arguments, Kind};

use super::Common;
use crate::failure::{Failure, Verdict};

/// Measure optimal paths over maps with cost multipliers of several kinds and shares
///
/// Times cold, prepared and after edits, memory and preparation. Every cost must be that of A*. Exit
/// code 1 if any result is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench terrain-costs --maps data/dao/brc202d.map
  wayfarer bench terrain-costs --maps data/dao --kind noise --share 30 --json terrain-costs.json")]
pub(super) struct TerrainCosts {
    /// A folder of .map files with .scen files beside them, or one such .map file
    #[arg(long, value_name = "PATH")]
    maps: PathBuf,
    /// How multipliers lie, separated by commas
    #[arg(long, value_name = "KIND", value_delimiter = ',', default_value = "patches",
        value_parser = ["patches", "noise", "roads", "random", "one"])]
    kind: Vec<String>,
    /// Shares of the open cells with a multiplier above 1, in percent, separated by commas
    #[arg(long, value_name = "PERCENT", value_delimiter = ',', default_value = "2,5,30,100",
        value_parser = clap::value_parser!(u8).range(0..=100))]
    share: Vec<u8>,
    /// Measure other libraries, too (needs `cargo wayfarer-baselines`)
    #[arg(long)]
    baselines: bool,
    /// Problems of each map, evenly spread
    #[arg(long, value_name = "N", default_value_t = 100)]
    sample: usize,
    /// Runs of each query; the best time counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..))]
    runs: u8,
    /// Seed of the multipliers
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
            kinds: Kind::ALL
                .into_iter()
                .filter(|kind| self.kind.iter().any(|name| name == kind.name()))
                .collect(),
            shares: self.share.iter().copied().map(usize::from).collect(),
            with_baselines: self.baselines,
        };
        self.common.run("maps", &arguments)
    }
}
