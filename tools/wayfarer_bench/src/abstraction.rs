//! `bench abstraction`: the baked region graph and R\[n,t,c,s\] refinement beside \[Sturtevant2007\]:
//! bytes, expansions, path length.

use std::path::PathBuf;

use wayfarer_engine::search::abstraction::{CenterPlacement, RefinementParams};
use wayfarer_measure::clock::Timer;

use crate::error::BenchError;
use crate::load;
use crate::query::QuerySet;
use crate::report::{Benchmark, CommandLine, Progress};

mod one_map;
mod plots;
mod report;
mod totals;

pub use plots::{FILES, figures};
pub use report::{AbstractionFigures, Bucket, Bytes, Neighbors, Row, Summary};

/// What to measure.
#[derive(Clone, PartialEq, Debug)]
pub struct Arguments {
    /// A folder of `.map` files with `.scen` files beside them, or one such `.map` file.
    pub maps: PathBuf,
    /// Problems taken of each map, evenly spread over its list; `None` for all.
    pub sample: Option<usize>,
    /// How paths are refined; the totals are those of the first.
    pub refines: Vec<RefinementParams>,
    /// Sides of sectors, 4 to 16; the totals are those of the first.
    pub sides: Vec<u32>,
    /// Where centers lie; the totals are those of the first.
    pub centers: Vec<CenterPlacement>,
    /// Runs over all problems of a map; the best counts.
    pub runs: usize,
}

/// The name of a center placement.
pub const fn name(centers: CenterPlacement) -> &'static str {
    match centers {
        CenterPlacement::Center => "center",
        CenterPlacement::LeastWork => "least-work",
        CenterPlacement::FarFromWalls => "far-from-walls",
    }
}

impl Benchmark for Arguments {
    type Figures = AbstractionFigures;

    fn command(&self) -> String {
        CommandLine::new("abstraction")
            .option("maps", self.maps.display())
            .options("refine", &self.refines)
            .options("sector", &self.sides)
            .options("centers", self.centers.iter().map(|&it| name(it)))
            .options("sample", self.sample)
            .option("runs", self.runs)
            .finish()
    }

    /// Every path is checked cell by cell, and every outcome against reachability.
    fn measure(&self, progress: Progress<'_>) -> Result<AbstractionFigures, BenchError> {
        let files = load::find(&self.maps)?;
        let timer = Timer::new();
        let mut sets: Vec<QuerySet> = Vec::new();
        for file in &files {
            sets.push(file.load(self.sample, 0)?);
        }
        let lengths = sets.iter().flat_map(|set| &set.cases);
        let longest = lengths.filter_map(|case| case.best).fold(0.0, f64::max);
        let longest = (longest / 4.0).floor() * 4.0;
        let mut rows = Vec::new();
        for set in &sets {
            progress(&set.name, sets.len());
            rows.extend(one_map::measure(set, self, longest, &timer)?);
        }
        Ok(AbstractionFigures::new(longest, rows))
    }
}

#[cfg(test)]
mod tests;
