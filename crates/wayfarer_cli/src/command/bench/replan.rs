//! `wayfarer bench replan`: a cell of a path goes, and the same question is asked again.

use std::path::PathBuf;

use clap::Args;
use wayfarer_bench::replan::{self, Arguments};

use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};
use crate::progress::Progress;

/// Take a cell out of the middle of a path, and measure the edit and the next question
///
/// What is remembered follows the edit, so the next question should take little longer than a
/// warm one. Cells whose going leaves no way are passed over. Every answer is compared with the
/// dense A*'s. Exit code 1 if any is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench cuts --maps data/dao/orz900d.map
  wayfarer bench cuts --maps data/dao --sample 20 --method default --json cuts.json")]
pub(super) struct Replan {
    /// A folder of .map files with .scen files beside them, or one such .map file
    #[arg(long, value_name = "PATH")]
    maps: PathBuf,
    /// What to measure, may be given several times
    #[arg(long, value_name = "NAME", default_values = ["exact", "default"])]
    method: Vec<String>,
    /// Problems of each map, evenly spread over its list
    #[arg(long, value_name = "N", default_value_t = 150)]
    sample: usize,
    /// How often each cell is taken away and put back; the best of each time counts
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..))]
    runs: u8,
    /// Leave the program on whatever core the system chooses
    #[arg(long)]
    no_pin: bool,
    #[command(flatten)]
    json: Json,
}

impl Replan {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write(self.json.file())?;
        let arguments = Arguments {
            methods: self.method.clone(),
            sample: self.sample,
            runs: self.runs.into(),
            pin: !self.no_pin,
            ..Arguments::new(self.maps.clone())
        };
        let mut progress: Option<Progress> = None;
        let report = replan::run(&arguments, |n_maps| match &progress {
            Some(shown) => shown.step(),
            None => progress = Some(Progress::new("maps", n_maps)),
        });
        drop(progress);
        let report = report?;
        let mut out = Output::default();
        out.line(replan::render(&report).trim_end());
        out.json_text(&self.json, report.to_json());
        out.finish()?;
        Ok(Verdict::negative_if(report.wrong > 0))
    }
}
