//! `wayfarer bench reachability`: unreachable goals, partial paths, invalidated subscriptions.

use std::path::PathBuf;

use clap::Args;
use wayfarer_bench::reachability::{self, Arguments};

use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};
use crate::progress::Progress;

/// Measure unreachable goals, partial paths and invalidated subscriptions
///
/// Every result is compared with a reference. Paths are subscribed on the map with most walkable
/// cells. Exit code 1 if any result is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench reachability --maps data/dao --json reachability.json
  wayfarer bench reachability --maps data/dao/orz900d.map --sample 500")]
pub(super) struct Reachability {
    /// A folder of .map files, or one such file
    #[arg(long, value_name = "PATH")]
    maps: PathBuf,
    /// Queries of each kind on each map
    #[arg(long, value_name = "N", default_value_t = 50)]
    sample: usize,
    /// Subscribed paths
    #[arg(long, alias = "watched", value_name = "N", default_value_t = 10_000)]
    subscriptions: usize,
    /// Edits that each invalidate one of them
    #[arg(long, value_name = "N", default_value_t = 200)]
    cuts: usize,
    /// Do not pin the program to one core
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
            n_subscriptions: self.subscriptions,
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
