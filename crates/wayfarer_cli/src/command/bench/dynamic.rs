//! `wayfarer bench dynamic`: a map that changes between queries.

use std::path::PathBuf;

use clap::Args;
use wayfarer_bench::dynamic::{self, Arguments};

use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};
use crate::progress::Progress;

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
    /// Do not pin the program to one core
    #[arg(long)]
    no_pin: bool,
    #[command(flatten)]
    json: Json,
}

impl Dynamic {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write(self.json.file())?;
        let arguments = Arguments {
            methods: self.method.clone(),
            runs: self.runs.into(),
            pin: !self.no_pin,
            ..Arguments::new(self.file.clone())
        };
        let mut progress: Option<Progress> = None;
        let report = dynamic::run(&arguments, |n_parts| match &progress {
            Some(shown) => shown.step(),
            None => progress = Some(Progress::new("runs", n_parts)),
        });
        drop(progress);
        let report = report?;
        let mut out = Output::default();
        out.line(dynamic::render(&report).trim_end());
        out.json_text(&self.json, report.to_json());
        out.finish()?;
        Ok(Verdict::negative_if(report.wrong() > 0))
    }
}
