//! `wayfarer bench abstraction`: plans over regions, their bytes and the work to refine them.

use std::path::PathBuf;

use clap::Args;
use wayfarer::search::abstraction::RefinementParams;
use wayfarer_bench::abstraction::{self, AbstractionError, Arguments};

use super::map_progress;
use crate::centers::Centers;
use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};

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
      --centres least-work --centres middle --refine 1,10%,-,- --refine 2,15%,-,- --plot figures")]
pub(super) struct Abstraction {
    /// A folder of .map files with .scen files beside them, or one such .map file
    #[arg(long, value_name = "PATH")]
    maps: PathBuf,
    /// How to refine: `n,t,c,s`, `smooth`, `hpa` or `pra`; may be given several times
    #[arg(long, value_name = "R", default_values_t = [RefinementParams::STURTEVANT_2007])]
    refine: Vec<RefinementParams>,
    /// Cells along a side of a sector, 4 to 16; may be given several times
    #[arg(long, value_name = "N", default_value = "16", value_parser = clap::value_parser!(u32).range(4..=16))]
    sector: Vec<u32>,
    /// Where the centers of regions lie; may be given several times
    #[arg(long, value_name = "WHERE", default_value = "least-work")]
    centers: Vec<Centers>,
    /// Take N problems of each map, evenly spread over its list
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// Runs over all problems; the best counts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..))]
    runs: u8,
    /// Leave the program on whatever core the system chooses
    #[arg(long)]
    no_pin: bool,
    /// Draw the paper's figures 7 to 11 into a folder (.svg); all but 10 need several --sector
    #[arg(long, value_name = "DIR")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

impl Abstraction {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write(self.json.file())?;
        if let Some(folder) = &self.plot {
            output::can_fill(folder)?;
            let files = abstraction::FILES.map(|name| folder.join(name));
            output::can_write(files.iter().map(PathBuf::as_path))?;
        }
        let centers = self.centers.iter().map(|centers| centers.criterion());
        let arguments = Arguments {
            sample: self.sample.and_then(|n| usize::try_from(n).ok()),
            refines: self.refine.clone(),
            sides: self.sector.clone(),
            centers: centers.collect(),
            runs: self.runs.into(),
            pin: !self.no_pin,
            ..Arguments::new(self.maps.clone())
        };
        let report = abstraction::run(&arguments, map_progress("maps"));
        let report = report.map_err(|error| match error {
            AbstractionError::Engine(_) => Failure::OurFault(error.to_string()),
            _ => Failure::BadInput(error.to_string()),
        })?;
        let mut out = Output::default();
        out.line(abstraction::render(&report).trim_end());
        if let Some(folder) = &self.plot {
            for (name, plot) in abstraction::figures(&report) {
                out.file(&folder.join(name), plot.to_svg().into_bytes());
            }
        }
        out.json_text(&self.json, report.to_json());
        out.finish()?;
        let is_wrong = report.sectors.iter().any(|sector| sector.wrong > 0);
        Ok(Verdict::negative_if(is_wrong))
    }
}
