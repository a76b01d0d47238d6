//! `wayfarer bench agents`: registered agent types beside the default profile.

use std::path::PathBuf;

use clap::Args;
use wayfarer_bench::agents::{Arguments, Sort};

use super::Common;
use crate::failure::{Failure, Verdict};

/// Measure paths, edits and bytes of registered agent types beside the default profile
///
/// Every method must find what A* finds for each type. Exit code 1 if any result is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench agents --maps data/dao/brc202d.map
  wayfarer bench agents --maps data/dao/brc202d.map --types 43 --json agents.json")]
pub(super) struct Agents {
    /// A folder of .map files with .scen files beside them, or one such .map file
    #[arg(long, value_name = "PATH")]
    maps: PathBuf,
    /// Problems of each map, evenly spread
    #[arg(long, value_name = "N", default_value_t = 100)]
    sample: usize,
    /// Sorts of types whose paths are measured: same, keys, swimmer, radius:R
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_values_t = Sort::DEFAULTS
    )]
    agents: Vec<Sort>,
    /// Numbers of registered types for the edits
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "1,4,16,43,64"
    )]
    types: Vec<usize>,
    /// Runs of each query; the best time counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..))]
    runs: u8,
    /// Seed of ponds and edits
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    common: Common,
}

impl Agents {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        let arguments = Arguments {
            maps: self.maps.clone(),
            sample: self.sample,
            sorts: self.agents.clone(),
            types: self.types.clone(),
            runs: self.runs.into(),
            seed: self.seed,
        };
        self.common.run("maps", &arguments)
    }
}
