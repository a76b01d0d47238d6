//! `wayfarer bench flow`: flow fields built, sliced and repaired.

use clap::Args;
use wayfarer_bench::flow::Arguments;

use super::Common;
use crate::failure::{Failure, Verdict};

/// Build flow fields whole and in slices, and repair them after edits
///
/// A generated map with walls, several agents, uniform and weighted ground. Fields are compared with a
/// fresh Dijkstra search. Exit code 1 if any differs.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench flow
  wayfarer bench flow --side 512 --edits 500 --json flow.json")]
pub(super) struct Flow {
    /// Columns along a side of the map
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(32..=4096))]
    side: u32,
    /// Edits for each agent
    #[arg(long, value_name = "N", default_value_t = 400)]
    edits: usize,
    /// Builds of each field; the best time counts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..))]
    runs: u8,
    /// Seed of map, goals and edits
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    common: Common,
}

impl Flow {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        let arguments = Arguments {
            side: self.side,
            n_edits: self.edits,
            runs: self.runs.into(),
            seed: self.seed,
        };
        self.common.run("agents", &arguments)
    }
}
