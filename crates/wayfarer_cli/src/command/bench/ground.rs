//! `wayfarer bench ground`: memory, build, queries and edits of the ground.

use std::path::PathBuf;

use clap::Args;
use wayfarer_bench::ground::Arguments;

use super::Common;
use crate::failure::{Failure, Verdict};

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
    #[command(flatten)]
    common: Common,
}

impl Ground {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        let arguments = Arguments {
            sample: self.sample.map(|n| n as usize),
            profiles: self.profiles,
            ..Arguments::new(self.maps.clone())
        };
        self.common.run("maps", &arguments)
    }
}
