//! `wayfarer bench bodies` and `wayfarer bench battlefield`: range queries, sensors, sight.

use clap::Args;
use wayfarer_bench::battlefield;
use wayfarer_bench::bodies::Arguments;

use super::Common;
use crate::failure::{Failure, Verdict};

/// Measure moves, range queries, sensors and line of sight
///
/// Bodies move over a plain, and each queries its neighbors; sensors; lines and fields of view.
/// Samples are compared with brute force. Exit code 1 if anything is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench bodies --count 100000 --neighbors 20 --ticks 10 --json bodies.json
  wayfarer bench bodies --count 100000,1000000
  cargo wayfarer-baselines bench bodies --count 100000,1000000 --baselines")]
pub(super) struct Bodies {
    /// Numbers of bodies, one run each
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = Arguments::default().counts)]
    count: Vec<usize>,
    /// Bodies in range of each, on average
    #[arg(long, alias = "neighbours", value_name = "N", default_value_t = Arguments::default().neighbors, value_parser = clap::value_parser!(u32).range(1..10_000))]
    neighbors: u32,
    /// Ticks of each run; the best one counts
    #[arg(long, value_name = "T", default_value_t = Arguments::default().ticks, value_parser = clap::value_parser!(u32).range(1..))]
    ticks: u32,
    /// Measure the registry's spatial trees, too (needs `cargo wayfarer-baselines`)
    #[arg(long, alias = "rivals")]
    baselines: bool,
    #[command(flatten)]
    common: Common,
}

/// Most bodies of a run.
const MAX_BODIES: usize = 4_000_000;

impl Bodies {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        let mut counts = self.count.iter();
        if let Some(count) = counts.find(|count| !(1..=MAX_BODIES).contains(*count)) {
            let message = format!("--count {count}, expected 1 to {MAX_BODIES}");
            return Err(Failure::BadInput(message));
        }
        let arguments = Arguments {
            counts: self.count.clone(),
            neighbors: self.neighbors,
            ticks: self.ticks,
            baselines: self.baselines,
        };
        self.common.run("parts", &arguments)
    }
}

/// Count the tests of 10, 100 and 1,000 bodies with wedge sensors on 10 x 10 km
///
/// All against all, each pair once, with grid bins, without bins inside the footprint, with line of
/// sight.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench battlefield --json -")]
pub(super) struct Battlefield {
    #[command(flatten)]
    common: Common,
}

impl Battlefield {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        self.common.run("battles", &battlefield::Arguments)
    }
}
