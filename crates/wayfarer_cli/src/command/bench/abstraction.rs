//! `wayfarer bench abstraction`: region refinement over baked abstractions \[Sturtevant2007\].

use std::path::PathBuf;

use clap::Args;
use wayfarer_bench::abstraction::{self, Arguments};
use wayfarer_engine::search::abstraction::RefinementParams;

use super::Common;
use crate::centers::Centers;
use crate::failure::{Failure, Verdict};
use crate::output;

/// Measure region refinement: bytes, expansions and path lengths
///
/// Every path is walked cell by cell. `expansions_ratio_longest` is all expansions, the abstract
/// ones included, over those of A*, for the longest lengths (the highest bucket of four cells);
/// `length_ratio` is the length over the optimum. Exit code 1 if anything is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench abstraction --maps data/bg512 --refine 1,10%,-,- --sector 16 --json plans.json
  wayfarer bench abstraction --maps data/bg512 --sector 4 --sector 8 --sector 16 \\
      --centers least-work --centers center --refine 1,10%,-,- --refine 2,15%,-,- --plot figures")]
pub(super) struct Abstraction {
    /// A folder of .map files with .scen files beside them, or one such .map file
    #[arg(long, value_name = "PATH")]
    maps: PathBuf,
    /// Refinement: `n,t,c,s`, `smooth`, `hpa` or `pra`; may be repeated
    #[arg(long, value_name = "R", default_values_t = [RefinementParams::STURTEVANT_2007])]
    refine: Vec<RefinementParams>,
    /// Cells along a side of a sector, 4 to 16; may be repeated
    #[arg(long, value_name = "N", default_value = "16", value_parser = clap::value_parser!(u32).range(4..=16))]
    sector: Vec<u32>,
    /// Where the centers of regions lie; may be repeated
    #[arg(
        long,
        alias = "centres",
        value_name = "PLACEMENT",
        default_value = "least-work"
    )]
    centers: Vec<Centers>,
    /// Take N problems of each map, evenly spread
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// Runs over all problems; the best one counts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..))]
    runs: u8,
    /// Draw figures 7 to 11 of Sturtevant (2007) into a folder (.svg); all but 10 need several
    /// --sector
    #[arg(long, value_name = "DIR")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

impl Abstraction {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        if let Some(folder) = &self.plot {
            output::create_folder(folder)?;
            let files = abstraction::FILES.map(|name| folder.join(name));
            output::can_write(files.iter().map(PathBuf::as_path))?;
        }
        let centers = self.centers.iter().map(|centers| centers.placement());
        let arguments = Arguments {
            maps: self.maps.clone(),
            sample: self.sample.map(|n| n as usize),
            refines: self.refine.clone(),
            sides: self.sector.clone(),
            centers: centers.collect(),
            runs: self.runs.into(),
        };
        self.common.run_with("maps", &arguments, |report, out| {
            if let Some(folder) = &self.plot {
                for (name, plot) in abstraction::figures(report) {
                    out.file(&folder.join(name), plot.to_svg().into_bytes());
                }
            }
        })
    }
}
