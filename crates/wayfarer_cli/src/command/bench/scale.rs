//! `wayfarer bench scale`: worlds of any size.

use clap::{Args, ValueEnum};
use wayfarer_bench::scale::{self, Arguments, ScaleError};

use crate::failure::{Answer, Failure};
use crate::output::{self, Json, Output};

/// Measure a world of any size, made sector by sector
///
/// Its memory after some questions, how soon one can set out from corner to corner, how long the
/// whole way takes to find, what an edit costs. Every way is walked cell by cell; exit code 1 if
/// any is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench scale --kind city --size 2048
  wayfarer bench scale --kind city --size 16384 --json scale.json")]
pub(super) struct Scale {
    /// What to make
    #[arg(long, value_enum, default_value_t = Kind::City)]
    kind: Kind,
    /// Its side in cells
    #[arg(long, value_name = "CELLS", default_value_t = Arguments::default().size)]
    size: u32,
    /// Where all chance comes from
    #[arg(long, default_value_t = Arguments::default().seed)]
    seed: u64,
    /// Ways asked for before the figures are taken
    #[arg(long, value_name = "N", default_value_t = Arguments::default().n_queries)]
    queries: usize,
    /// Random cells taken away and laid again
    #[arg(long, value_name = "N", default_value_t = Arguments::default().n_edits)]
    edits: usize,
    /// Leave the program on whatever core the system chooses
    #[arg(long)]
    no_pin: bool,
    #[command(flatten)]
    json: Json,
}

/// What can be made in any size.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Avenues, streets, houses, parks
    City,
}

impl Scale {
    pub(super) fn run(&self) -> Result<Answer, Failure> {
        output::can_write(self.json.file())?;
        let arguments = Arguments {
            size: self.size,
            seed: self.seed,
            n_queries: self.queries,
            n_edits: self.edits,
            pin: !self.no_pin,
        };
        let Kind::City = self.kind;
        let report = scale::run(&arguments).map_err(|error| match error {
            ScaleError::Engine(_) => Failure::OurFault(error.to_string()),
            _ => Failure::BadInput(error.to_string()),
        })?;
        let mut out = Output::default();
        out.line(scale::render(&report).trim_end());
        out.json_text(&self.json, report.to_json());
        out.finish()?;
        Ok(Answer::negative_if(report.wrong > 0))
    }
}
