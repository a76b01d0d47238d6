//! `wayfarer bench worst-case`: edits of adversarial worlds.

use clap::Args;
use wayfarer_bench::worst_case::Arguments;

use super::Common;
use crate::failure::{Failure, Verdict};

/// Measure worst-case edits: mazes, spirals, a wall across open ground, doors
///
/// Every world is compared with a rebuilt one at the end, every wall and door with the components
/// it must split and merge. Exit code 1 if anything is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench worst-case --json worst-case.json
  wayfarer bench worst-case --walls 512,4096,16384")]
pub(super) struct WorstCase {
    /// Sides of the open worlds that a wall is built across; 16384 takes 1 GB
    #[arg(long, value_name = "SIDES", value_delimiter = ',', default_values_t = Arguments::default().walls)]
    walls: Vec<u32>,
    /// Side of the mazes, spirals and other generated worlds
    #[arg(long, value_name = "SIDE", default_value_t = Arguments::default().side)]
    side: u32,
    /// Random cells edited in each of them
    #[arg(long, value_name = "N", default_value_t = Arguments::default().n_edits)]
    edits: usize,
    /// Side of the building with the doors
    #[arg(long, alias = "keep", value_name = "SIDE", default_value_t = Arguments::default().building)]
    building: u32,
    #[command(flatten)]
    common: Common,
}

impl WorstCase {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        let arguments = Arguments {
            walls: self.walls.clone(),
            side: self.side,
            n_edits: self.edits,
            building: self.building,
            ..Arguments::default()
        };
        self.common.run("worlds", &arguments)
    }
}
