//! `wayfarer bench worst-case`: edits of adversarial worlds.

use clap::Args;
use wayfarer_bench::worst_case::{self, Arguments, WorstCaseError};

use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};
use crate::progress::Progress;

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
    #[arg(long, value_name = "SIDE", default_value_t = Arguments::default().keep)]
    keep: u32,
    /// Do not pin the program to one core
    #[arg(long)]
    no_pin: bool,
    #[command(flatten)]
    json: Json,
}

impl WorstCase {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write(self.json.file())?;
        let arguments = Arguments {
            walls: self.walls.clone(),
            side: self.side,
            n_edits: self.edits,
            keep: self.keep,
            pin: !self.no_pin,
            ..Arguments::default()
        };
        let mut progress: Option<Progress> = None;
        let report = worst_case::run(&arguments, |_, n_parts| match &progress {
            Some(shown) => shown.step(),
            None => progress = Some(Progress::new("worlds", n_parts)),
        });
        drop(progress);
        let report = report.map_err(|error| match error {
            WorstCaseError::Engine(_) => Failure::OurFault(error.to_string()),
            _ => Failure::BadInput(error.to_string()),
        })?;
        let mut out = Output::default();
        out.line(worst_case::render(&report).trim_end());
        out.json_text(&self.json, report.to_json());
        out.finish()?;
        Ok(Verdict::negative_if(report.wrong > 0))
    }
}
