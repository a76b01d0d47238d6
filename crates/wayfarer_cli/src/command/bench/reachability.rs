//! `wayfarer bench reachability`: unreachable goals, partial paths, invalidated subscriptions.

use std::path::PathBuf;

use clap::Args;
use wayfarer_bench::reachability::Arguments;

use super::Common;
use crate::failure::{Failure, Verdict};

/// Measure unreachable goals, partial paths and invalidated subscriptions
///
/// Every result is compared with a reference. Paths are subscribed on the map with most walkable
/// cells. Exit code 1 if any result is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench reachability --maps data/dao --json reachability.json
  wayfarer bench reachability --maps data/dao/orz900d.map --sample 500")]
pub(super) struct Reachability {
    /// A folder of .map files, or one such file
    #[arg(long, value_name = "PATH")]
    maps: PathBuf,
    /// Queries of each kind on each map
    #[arg(long, value_name = "N", default_value_t = 50)]
    sample: usize,
    /// Subscribed paths
    #[arg(long, alias = "watched", value_name = "N", default_value_t = 10_000)]
    subscriptions: usize,
    /// Edits that each invalidate one of them
    #[arg(long, value_name = "N", default_value_t = 200)]
    cuts: usize,
    #[command(flatten)]
    common: Common,
}

impl Reachability {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        let arguments = Arguments {
            maps: self.maps.clone(),
            n_queries: self.sample,
            n_subscriptions: self.subscriptions,
            n_cuts: self.cuts,
        };
        self.common.run("parts", &arguments)
    }
}
