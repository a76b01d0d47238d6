//! `wayfarer bench abstraction`: plans over regions, their bytes and the work to refine them.

use std::path::PathBuf;

use clap::Args;
use wayfarer::search::abstraction::Refine;
use wayfarer_bench::abstraction::{self, AbstractionError, Arguments};

use crate::centres::Centres;
use crate::failure::{Answer, Failure};
use crate::output::{self, Json, Output};
use crate::progress::Progress;

/// Measure plans over regions: their bytes, the work to refine them, how long paths come out
///
/// Every path is walked cell by cell. `expansions_ratio_longest` is all that was expanded, planning
/// included, over what A* expands, for the longest lengths (the highest bucket of four cells);
/// `length_ratio` is length over the optimum. Exit code 1 if anything is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench abstraction --maps data/bg512 --refine 1,10%,-,- --sector 16 --json plans.json
  wayfarer bench abstraction --maps data/bg512 --sector 4 --sector 8 --sector 16 \\
      --centres middle --centres least-work --plot work.svg")]
pub(super) struct Abstraction {
    /// A folder of .map files with .scen files beside them, or one such .map file
    #[arg(long, value_name = "PATH")]
    maps: PathBuf,
    /// How to refine: `n,t,c,s`, or `hpa`, or `pra`
    #[arg(long, value_name = "R", default_value_t = Refine::PAPER)]
    refine: Refine,
    /// Cells along a side of a sector, 4 to 16; may be given several times
    #[arg(long, value_name = "N", default_value = "16", value_parser = clap::value_parser!(u32).range(4..=16))]
    sector: Vec<u32>,
    /// Where the centres of regions lie; may be given several times
    #[arg(long, value_name = "WHERE", default_value = "least-work")]
    centres: Vec<Centres>,
    /// Take N problems of each map, evenly spread over its list
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// Runs over all problems; the best counts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..))]
    runs: u8,
    /// Leave the program on whatever core the system chooses
    #[arg(long)]
    no_pin: bool,
    /// Plot expansions by length of path to FILE (.svg)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

impl Abstraction {
    pub(super) fn run(&self) -> Result<Answer, Failure> {
        let files = self.plot.iter().map(PathBuf::as_path);
        output::can_write(files.chain(self.json.file()))?;
        if let Some(plot) = &self.plot {
            output::must_end_in(plot, "svg")?;
        }
        let centres = self.centres.iter().map(|centres| centres.criterion());
        let arguments = Arguments {
            sample: self.sample.and_then(|n| usize::try_from(n).ok()),
            refine: self.refine,
            sides: self.sector.clone(),
            centres: centres.collect(),
            runs: self.runs.into(),
            pin: !self.no_pin,
            ..Arguments::new(self.maps.clone())
        };
        let mut progress: Option<Progress> = None;
        let report = abstraction::run(&arguments, |begun| {
            let shown = progress.get_or_insert_with(|| Progress::new("maps", begun.n_maps));
            if begun.place > 0 {
                shown.step();
            }
        });
        drop(progress);
        let report = report.map_err(|error| match error {
            AbstractionError::Engine(_) => Failure::OurFault(error.to_string()),
            _ => Failure::BadInput(error.to_string()),
        })?;
        let mut out = Output::default();
        out.line(abstraction::render(&report).trim_end());
        if let Some(path) = &self.plot {
            let plot = abstraction::work_by_length(&report);
            out.file(path, plot.to_svg().into_bytes());
        }
        out.json_text(&self.json, report.to_json());
        out.finish()?;
        let is_wrong = report.sectors.iter().any(|sector| sector.wrong > 0);
        Ok(Answer::negative_if(is_wrong))
    }
}
