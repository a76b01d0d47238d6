//! `bench reachability`: unreachable goals, the nearest reachable cell, and subscribed paths that an edit
//! invalidates.
//!
//! Every result is compared with a slow reference before its time counts.

mod report;
mod subscriptions;
mod unreachable;

pub use report::{MapRow, ReachabilityReport, SubscriptionRow, render};

use std::path::PathBuf;

use wayfarer_measure::clock::Timer;
use wayfarer_measure::machine::{self, Machine};

use crate::calibration;
use crate::error::BenchError;
use crate::load;
use crate::memory;

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// A folder of `.map` files, or one such file.
    pub maps: PathBuf,
    /// Questions of each kind on each map.
    pub n_queries: usize,
    /// Paths watched, on the map with most walkable cells.
    pub n_subscriptions: usize,
    /// Edits that each cut one of them.
    pub n_cuts: usize,
    /// Whether to keep the program on one core from here to its end.
    pub pin: bool,
}

impl Arguments {
    /// The maps at `maps`, as the project judges.
    pub fn new(maps: PathBuf) -> Self {
        Self {
            maps,
            n_queries: 50,
            n_subscriptions: 10_000,
            n_cuts: 200,
            pin: true,
        }
    }

    /// The command that measures the same.
    pub fn command(&self) -> String {
        format!(
            "bench reachability --maps {} --sample {} --subscriptions {} --cuts {}",
            self.maps.display(),
            self.n_queries,
            self.n_subscriptions,
            self.n_cuts
        )
    }
}

/// Measures, telling `progress` before each part and how many there are in all.
///
/// # Errors
/// Unreadable files. A wrong answer is no error: it is counted in the report.
pub fn run(
    arguments: &Arguments,
    mut progress: impl FnMut(usize),
) -> Result<ReachabilityReport, BenchError> {
    let files = load::find_maps(&arguments.maps)?;
    let pinned = machine::pin_if(arguments.pin);
    let machine = Machine::here(&pinned, memory::is_counted());
    let calibration = calibration::ns_per_expansion()?;
    let timer = Timer::new();
    let mut rows = Vec::new();
    let mut largest = (0, String::new(), None);
    for file in &files {
        progress(files.len() + 1);
        let map = load::read_map(file)?;
        let stem = file.file_stem().unwrap_or_default();
        let name = stem.to_string_lossy().into_owned();
        let row = unreachable::measure(&name, &map, arguments.n_queries, &timer);
        if row.n_cells > largest.0 {
            largest = (row.n_cells, name, Some(map));
        }
        rows.push(row);
    }
    progress(files.len() + 1);
    let (_, name, map) = largest;
    let subscriptions = map.map(|map| subscriptions::measure(&name, &map, arguments, &timer));
    Ok(ReachabilityReport::new(
        arguments.command(),
        machine,
        calibration,
        rows,
        subscriptions,
    ))
}

#[cfg(test)]
mod tests;
