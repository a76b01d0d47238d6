//! `wayfarer bench ground`: memory, build, queries and edits of the ground.

use std::path::PathBuf;

use clap::Args;
use wayfarer_bench::ground::{self, Arguments};

use super::map_progress;
use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};

/// Measure memory, build, queries and edits of the ground, over flat maps
///
/// Memory is compared with the count of the allocator, and the edited ground with a rebuilt one. Exit code 1 if anything is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench ground --maps data/dao --json ground.json
  wayfarer bench ground --maps data/dao --sample 10 --profiles")]
pub(super) struct Ground {
    /// A folder of .map files, or one such file
    #[arg(long, value_name = "PATH")]
    maps: PathBuf,
    /// Take N maps, evenly spread
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// Measure registered profiles, too: build, bytes, edits
    #[arg(long, alias = "views")]
    profiles: bool,
    /// Do not pin the program to one core
    #[arg(long)]
    no_pin: bool,
    #[command(flatten)]
    json: Json,
}

impl Ground {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write(self.json.file())?;
        let arguments = Arguments {
            sample: self.sample.and_then(|n| usize::try_from(n).ok()),
            pin: !self.no_pin,
            profiles: self.profiles,
            ..Arguments::new(self.maps.clone())
        };
        let report = ground::run(&arguments, map_progress("maps"))?;
        let mut out = Output::default();
        out.line(ground::render(&report).trim_end());
        out.json_text(&self.json, report.to_json());
        out.finish()?;
        Ok(Verdict::negative_if(report.wrong > 0))
    }
}
