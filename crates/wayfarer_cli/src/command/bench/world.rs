//! `wayfarer bench world`: whole ticks of a changing city full of agents.

use clap::Args;
use wayfarer_bench::world::Arguments;
use wayfarer_bench::world::streets::Setting;

use super::Common;
use crate::failure::{Failure, Verdict};

/// Measure whole ticks of a changing city full of agents
///
/// Every agent follows a path and has a sensor; an invalidated path is repaired within the budget
/// of a tick. Exit code 1 if an agent is inside a wall, or if the searches of a tick exceed the
/// budget.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench world --agents 10000 --edits 50 --ticks 300 --json world.json
  wayfarer bench world --agents 500 --size 256 --ticks 100")]
pub(super) struct World {
    /// Agents, each with a path and a sensor of eight cells
    #[arg(long, value_name = "N", default_value_t = Arguments::default().setting.agents)]
    agents: usize,
    /// Cells closed or opened per tick
    #[arg(long, value_name = "N", default_value_t = Arguments::default().setting.edits)]
    edits: usize,
    /// Ticks of 1/30 s
    #[arg(long, value_name = "N", default_value_t = Arguments::default().ticks)]
    ticks: usize,
    /// Side of the city, in cells
    #[arg(long, value_name = "N", default_value_t = Arguments::default().setting.size, value_parser = clap::value_parser!(u32).range(32..=4_096))]
    size: u32,
    /// Budget of expansions of all searches of a tick
    #[arg(long, value_name = "N", default_value_t = Arguments::default().setting.budget, value_parser = clap::value_parser!(u64).range(1..))]
    budget: u64,
    /// Path cells per tick after which waiting agents are postponed; an expansion counts as ten
    #[arg(long, value_name = "N", default_value_t = Arguments::default().setting.cells)]
    cells: usize,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = Arguments::default().setting.seed)]
    seed: u64,
    #[command(flatten)]
    common: Common,
}

/// Most agents, edits and ticks.
const MAX_COUNT: usize = 100_000;

impl World {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        let numbers = [
            ("agents", self.agents),
            ("edits", self.edits),
            ("ticks", self.ticks),
        ];
        if let Some((name, found)) = numbers
            .iter()
            .find(|(_, number)| !(1..=MAX_COUNT).contains(number))
        {
            let message = format!("--{name} {found}, expected 1 to {MAX_COUNT}");
            return Err(Failure::BadInput(message));
        }
        let arguments = Arguments {
            setting: Setting {
                size: self.size,
                agents: self.agents,
                edits: self.edits,
                budget: self.budget,
                cells: self.cells,
                seed: self.seed,
            },
            ticks: self.ticks,
        };
        self.common.run("ticks", &arguments)
    }
}
