//! `wayfarer bench terrain_costs`: how much of a map may be costly before searches slow down.

use std::path::PathBuf;

use clap::Args;
use wayfarer_bench::terrain_costs::{self, Arguments};

use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};

/// Lay boxes of costly ground over more and more of a map, and ask the same questions
///
/// Over costly ground searches go step by step. What `exact` finds must cost what `plain` finds, and
/// `default` must keep its bound. Exit code 1 if any answer is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench prices --maps data/dao/brc202d.map
  wayfarer bench prices --maps data/dao --sample 20 --json prices.json")]
pub(super) struct TerrainCosts {
    /// A folder of .map files with .scen files beside them, or one such .map file
    #[arg(long, value_name = "PATH")]
    maps: PathBuf,
    /// Problems of each map, evenly spread over its list
    #[arg(long, value_name = "N", default_value_t = 100)]
    sample: usize,
    /// How often each question is asked again; the best time counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..))]
    runs: u8,
    /// Where the boxes lie
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Leave the program on whatever core the system chooses
    #[arg(long)]
    no_pin: bool,
    #[command(flatten)]
    json: Json,
}

impl TerrainCosts {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write(self.json.file())?;
        let arguments = Arguments {
            maps: self.maps.clone(),
            sample: self.sample,
            runs: self.runs.into(),
            seed: self.seed,
            pin: !self.no_pin,
        };
        let report = terrain_costs::run(&arguments)?;
        let mut out = Output::default();
        out.line(terrain_costs::render(&report).trim_end());
        out.json_text(&self.json, report.to_json());
        out.finish()?;
        Ok(Verdict::negative_if(report.wrong > 0))
    }
}
