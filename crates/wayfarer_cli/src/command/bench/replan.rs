//! `wayfarer bench replan`: replanning after a cell of the path is removed.

use std::path::PathBuf;

use clap::Args;
use wayfarer_bench::replan::Arguments;

use super::Common;
use crate::failure::{Failure, Verdict};

/// Remove a cell from the middle of a path; measure the edit and the next query
///
/// The cache follows the edit, so the next query should take little longer than a warm one. Cells
/// whose removal disconnects the goal are skipped. Every result is compared with A* over the dense
/// grid. Exit code 1 if any is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench replan --maps data/dao/orz900d.map
  wayfarer bench replan --maps data/dao --sample 20 --method bounded --json replan.json")]
pub(super) struct Replan {
    /// A folder of .map files with .scen files beside them, or one such .map file
    #[arg(long, value_name = "PATH")]
    maps: PathBuf,
    /// Search method, may be repeated
    #[arg(long, value_name = "NAME", default_values = ["optimal", "bounded"], value_parser = super::method)]
    method: Vec<String>,
    /// Problems of each map, evenly spread
    #[arg(long, value_name = "N", default_value_t = 150)]
    sample: usize,
    /// Runs of each removal; the best times count
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..))]
    runs: u8,
    #[command(flatten)]
    common: Common,
}

impl Replan {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        let arguments = Arguments {
            maps: self.maps.clone(),
            methods: self.method.clone(),
            sample: self.sample,
            runs: self.runs.into(),
        };
        self.common.run("maps", &arguments)
    }
}
