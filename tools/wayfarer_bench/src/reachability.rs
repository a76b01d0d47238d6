//! `bench reachability`: unreachable goals, the nearest reachable cell, and subscribed paths that an edit
//! invalidates.
//!
//! Every result is compared with a slow reference before its time counts.

mod report;
mod subscriptions;
mod unreachable;

pub use report::{MapRow, ReachabilityFigures, SubscriptionRow};

use std::path::PathBuf;

use clap::Args;
use wayfarer_measure::clock::Timer;

use crate::error::BenchError;
use crate::load;
use crate::report::{Benchmark, CommandLine, Progress};

/// What to measure.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// A folder of .map files, or one such file
    #[arg(long, value_name = "PATH")]
    pub maps: PathBuf,
    /// Queries of each kind on each map
    #[arg(long = "sample", value_name = "N", default_value_t = 50)]
    pub n_queries: usize,
    /// Subscribed paths
    #[arg(
        long = "subscriptions",
        alias = "watched",
        value_name = "N",
        default_value_t = 10_000
    )]
    pub n_subscriptions: usize,
    /// Edits that each invalidate one of them
    #[arg(long = "cuts", value_name = "N", default_value_t = 200)]
    pub n_cuts: usize,
}

impl Benchmark for Arguments {
    type Figures = ReachabilityFigures;
    const PARTS: &'static str = "parts";

    fn command(&self) -> String {
        CommandLine::new("reachability")
            .option("maps", self.maps.display())
            .option("sample", self.n_queries)
            .option("subscriptions", self.n_subscriptions)
            .option("cuts", self.n_cuts)
            .finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<ReachabilityFigures, BenchError> {
        let files = load::find_maps(&self.maps)?;
        let timer = Timer::new();
        let mut rows = Vec::new();
        let mut largest = (0, String::new(), None);
        for file in &files {
            let name = load::name(file);
            progress(&name, files.len() + 1);
            let map = load::read_map(file)?;
            let row = unreachable::measure(&name, &map, self.n_queries, &timer);
            if row.n_cells > largest.0 {
                largest = (row.n_cells, name, Some(map));
            }
            rows.push(row);
        }
        progress("subscriptions", files.len() + 1);
        let (_, name, map) = largest;
        let subscriptions = map.map(|map| subscriptions::measure(&name, &map, self, &timer));
        Ok(ReachabilityFigures::new(rows, subscriptions))
    }
}

#[cfg(test)]
mod tests;
