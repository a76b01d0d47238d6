//! `bench replan`: a cell in the middle of a path is removed, and the same query runs again.
//!
//! Measures the edit with cache invalidation, and the first query after it relative to a warm one. Every
//! result is compared with dense A*.

mod one_map;
mod report;

pub use report::{MapRow, ReplanFigures};

use std::path::PathBuf;

use crate::engines;
use crate::error::BenchError;
use crate::load;
use crate::report::{Benchmark, CommandLine, Progress};

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// A folder of `.map` files with `.scen` files beside them, or one such `.map` file.
    pub maps: PathBuf,
    /// The methods to measure, by name; see [`engines::METHODS`].
    pub methods: Vec<String>,
    /// Problems taken from each map, evenly spread over its list.
    pub sample: usize,
    /// How often each cell is removed and restored; the best of each time counts.
    pub runs: usize,
}

impl Benchmark for Arguments {
    type Figures = ReplanFigures;

    fn command(&self) -> String {
        CommandLine::new("replan")
            .option("maps", self.maps.display())
            .options("method", &self.methods)
            .option("sample", self.sample)
            .option("runs", self.runs)
            .finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<ReplanFigures, BenchError> {
        for name in &self.methods {
            engines::by_name(name)?;
        }
        let files = load::find(&self.maps)?;
        let mut rows = Vec::new();
        for file in &files {
            progress(&file.name(), files.len());
            let set = file.load(Some(self.sample), 0)?;
            for name in &self.methods {
                let mut engine = engines::by_name(name)?;
                rows.push(one_map::measure(&set, engine.as_mut(), self.runs)?);
            }
        }
        Ok(ReplanFigures::new(rows))
    }
}

#[cfg(test)]
mod tests;
