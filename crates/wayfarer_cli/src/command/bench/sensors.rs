//! `wayfarer bench sensors`: sensors with line of sight in moving crowds.

use clap::Args;
use wayfarer_bench::sensors::Arguments;

use super::Common;
use crate::failure::{Failure, Verdict};

/// Update sensors with line of sight in moving crowds, with edits between
///
/// Cones of 60 degrees on every agent, past walls and past each other. Members are compared with
/// brute force. Exit code 1 if any differs.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench sensors
  wayfarer bench sensors --ticks 600 --json sensors.json")]
pub(super) struct Sensors {
    /// Ticks of each crowd
    #[arg(long, value_name = "N", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    ticks: u32,
    /// Seed of walls, agents and edits
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    common: Common,
}

impl Sensors {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        let arguments = Arguments {
            ticks: self.ticks,
            seed: self.seed,
        };
        self.common.run("crowds", &arguments)
    }
}
