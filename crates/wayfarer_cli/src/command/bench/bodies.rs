//! `wayfarer bench bodies` and `wayfarer bench battlefield`: who is near, who sees whom.

use clap::Args;
use wayfarer_bench::battlefield;
use wayfarer_bench::bodies::{self, Arguments};

use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};
use crate::progress::Progress;

/// Measure how fast objects are moved, asked about and seen
///
/// Objects stroll over a plain and each asks who is in range; sensors; lines and fields of view.
/// Samples are compared with a look at everybody. Exit code 1 if anything is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench objects --count 100000 --neighbours 20 --ticks 10 --json objects.json
  wayfarer bench objects --count 100000,1000000
  cargo wayfarer-rivals bench objects --count 100000,1000000 --rivals")]
pub(super) struct BodySet {
    /// How many objects, one run for each
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = Arguments::default().counts)]
    count: Vec<usize>,
    /// How many others are in range of each, on average
    #[arg(long, value_name = "N", default_value_t = Arguments::default().neighbors, value_parser = clap::value_parser!(u32).range(1..10_000))]
    neighbors: u32,
    /// Ticks of each run; the best counts
    #[arg(long, value_name = "T", default_value_t = Arguments::default().ticks, value_parser = clap::value_parser!(u32).range(1..))]
    ticks: u32,
    /// Measure the registry's spatial trees beside (needs `cargo wayfarer-baselines`)
    #[arg(long)]
    baselines: bool,
    /// Leave the program on whatever core the system chooses
    #[arg(long)]
    no_pin: bool,
    #[command(flatten)]
    json: Json,
}

/// Most objects that are strewn.
const MAX: usize = 4_000_000;

impl BodySet {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write(self.json.file())?;
        if let Some(count) = self.count.iter().find(|count| !(1..=MAX).contains(*count)) {
            let message = format!("--count {count}, expected 1 to {MAX}");
            return Err(Failure::BadInput(message));
        }
        let arguments = Arguments {
            counts: self.count.clone(),
            neighbors: self.neighbors,
            ticks: self.ticks,
            baselines: self.baselines,
            pin: !self.no_pin,
        };
        let mut progress: Option<Progress> = None;
        let report = bodies::run(&arguments, |n_parts| match &progress {
            Some(shown) => shown.step(),
            None => progress = Some(Progress::new("parts", n_parts)),
        })
        .map_err(|error| Failure::BadInput(error.to_string()))?;
        drop(progress);
        let mut out = Output::default();
        out.line(bodies::render(&report).trim_end());
        out.json_text(&self.json, report.to_json());
        out.finish()?;
        Ok(result(report.wrong_in_all))
    }
}

/// Count the checks of 10, 100 and 1,000 objects with wedges on a field of 10 x 10 km
///
/// Everyone against everyone, each pair once, with squares, without those inside, with sight.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench battlefield --json -")]
pub(super) struct Battlefield {
    #[command(flatten)]
    json: Json,
}

impl Battlefield {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write(self.json.file())?;
        let report = battlefield::run();
        let mut out = Output::default();
        out.line(battlefield::render(&report).trim_end());
        out.json_text(&self.json, report.to_json());
        out.finish()?;
        Ok(result(report.wrong))
    }
}

fn result(wrong: usize) -> Verdict {
    Verdict::negative_if(wrong > 0)
}
