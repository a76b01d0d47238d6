//! `wayfarer bench skirmish`: a whole game, tick by tick.

use clap::Args;
use wayfarer_bench::skirmish::Arguments;

use super::Common;
use crate::failure::{Failure, Verdict};

/// Play a whole game: soldiers, tanks, boats and drones, solids, doors, sensors, groups
///
/// 256 x 256 tiles, 30 ticks a second. The game is saved in the middle and resumed, and every unit is
/// checked at every tick against an independent disc test. Exit code 1 if a unit is inside something,
/// a request waits more than 30 ticks, the planner exceeds its budget or the resumed game differs.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench skirmish
  wayfarer bench skirmish --agents 2000 --ticks 300 --json skirmish.json")]
pub(super) struct Skirmish {
    /// Units of all kinds together
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    agents: u32,
    /// Ticks, 30 of them a second
    #[arg(long, value_name = "N", default_value_t = 1_800, value_parser = clap::value_parser!(u32).range(2..))]
    ticks: u32,
    /// The seed of map and game
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u32,
    #[command(flatten)]
    common: Common,
}

impl Skirmish {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        let arguments = Arguments {
            n_agents: self.agents,
            n_ticks: self.ticks,
            seed: self.seed,
        };
        self.common.run("parts", &arguments)
    }
}
