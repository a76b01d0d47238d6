//! The walls of a map as obstacles: runs of blocked cells, one cell high.

use std::path::Path;

use wayfarer_engine::base::Point2;
use wayfarer_engine::search::planar::PlanarSearcher;
use wayfarer_engine::world::obstacles::{ObstacleCategories, ObstaclePairScratch, ObstacleSet};
use wayfarer_measure::clock::Timer;

use super::{Arguments, Seen};
use crate::error::BenchError;
use crate::load;
use crate::report::Progress;

pub(super) fn measure(
    arguments: &Arguments,
    map: &Path,
    progress: Progress<'_>,
) -> Result<Seen, BenchError> {
    let mut sets = load::find(map)?;
    sets.truncate(1);
    let mut seen = Seen::default();
    let timer = Timer::new();
    let mut searcher = PlanarSearcher::default();
    for set in &sets {
        let set = set.load(None, 0)?;
        let obstacles = ObstacleSet::from_map(&set.map)?;
        seen.n_obstacles = obstacles.len();
        let mut pairs = ObstaclePairScratch::default();
        // The longest problems come last.
        let wanted = usize::try_from(arguments.n_ticks).unwrap_or(usize::MAX);
        let first = set.cases.len().saturating_sub(wanted);
        let n_cases = u32::try_from(set.cases.len() - first).unwrap_or(u32::MAX);
        let every = (n_cases / arguments.n_oracle.max(1)).max(1);
        for (number, case) in (0..).zip(&set.cases[first..]) {
            progress("problem", n_cases as usize);
            let Some(ends) = Point2::center_of(case.start).zip(Point2::center_of(case.goal)) else {
                continue;
            };
            let request = arguments.request(ends.0, ends.1);
            let (outcome, path_ns) = timer.time(|| searcher.find(&obstacles, &request));
            let (n_pairs, pairs_ns) = timer.time(|| {
                obstacles
                    .pairs(ObstacleCategories::ALL, ObstacleCategories::ALL, &mut pairs)
                    .len()
            });
            seen.path_ns.push(path_ns);
            seen.pairs_ns.push(pairs_ns);
            seen.n_pairs.push(n_pairs as f64);
            let is_compared = number % every == 0 && number / every < arguments.n_oracle;
            seen.result(
                &obstacles,
                &mut searcher,
                outcome?,
                ends,
                (true, is_compared),
            );
        }
    }
    Ok(seen)
}
