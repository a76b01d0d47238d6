//! `wayfarer bench dynamic`: a map that changes between queries.

use std::path::PathBuf;

use clap::Args;
use wayfarer_bench::dynamic::Arguments;

use super::Common;
use crate::failure::{Failure, Verdict};

/// Measure a map that changes between queries: the dynamic track of the grid competition
///
/// The time of a change counts for the query after it. Every path is checked cell by cell, and A*
/// over the dense grid runs through the same changes. Exit code 1 if any result is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench dynamic dao_arena2.scen --json arena2.json
  wayfarer bench dynamic dao_arena2.scen --method grid-astar-heap --runs 3

The .patch file that the .scen names must lie beside it.")]
pub(super) struct Dynamic {
    /// A dynamic .scen file (version 2)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Search method, may be repeated; the totals are those of the first
    #[arg(long, value_name = "NAME", default_value = "bounded", value_parser = super::method)]
    method: Vec<String>,
    /// Runs through the whole file; the best one counts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..))]
    runs: u8,
    #[command(flatten)]
    common: Common,
}

impl Dynamic {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        let arguments = Arguments {
            scen: self.file.clone(),
            methods: self.method.clone(),
            runs: self.runs.into(),
        };
        self.common.run("runs", &arguments)
    }
}
