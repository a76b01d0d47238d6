//! `wayfarer bench reachability`: goals out of reach, and subscribed paths that are cut.

use std::path::PathBuf;

use clap::Args;
use wayfarer_bench::reachability::{self, Arguments};

use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};
use crate::progress::Progress;

/// Measure goals that cannot be reached, the nearest cell instead, and subscribed paths that are cut
///
/// Every answer is compared with a slow and obvious one. Paths are watched on the map with most
/// walkable cells. Exit code 1 if any answer is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench questions --maps data/dao --json questions.json
  wayfarer bench questions --maps data/dao/orz900d.map --sample 500")]
pub(super) struct Reachability {
    /// A folder of .map files, or one such file
    #[arg(long, value_name = "PATH")]
    maps: PathBuf,
    /// Questions of each kind on each map
    #[arg(long, value_name = "N", default_value_t = 50)]
    sample: usize,
    /// Paths that are watched
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    subscribed: usize,
    /// Edits that each cut one of them
    #[arg(long, value_name = "N", default_value_t = 200)]
    cuts: usize,
    /// Leave the program on whatever core the system chooses
    #[arg(long)]
    no_pin: bool,
    #[command(flatten)]
    json: Json,
}

impl Reachability {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write(self.json.file())?;
        let arguments = Arguments {
            n_queries: self.sample,
            n_subscribed: self.subscribed,
            n_cuts: self.cuts,
            pin: !self.no_pin,
            ..Arguments::new(self.maps.clone())
        };
        let mut progress: Option<Progress> = None;
        let report = reachability::run(&arguments, |n_parts| match &progress {
            Some(shown) => shown.step(),
            None => progress = Some(Progress::new("maps", n_parts)),
        });
        drop(progress);
        let report = report?;
        let mut out = Output::default();
        out.line(reachability::render(&report).trim_end());
        out.json_text(&self.json, report.to_json());
        out.finish()?;
        Ok(Verdict::negative_if(report.wrong > 0))
    }
}
