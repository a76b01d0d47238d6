//! Solves the problems of many maps in parallel; the result does not depend on the threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use wayfarer_engine::base::{NoopObserver, Outcome, Problem, Raster};
use wayfarer_engine::formats::movingai_scen;
use wayfarer_engine::search::dense::{DensePath, DenseRequest, DenseSearcher, find_path};
use wayfarer_engine::world::dense::DenseGround;

use super::pairs::Pair;
use super::{Fault, Method, Row, Tally};
use crate::clock;
use crate::failure::Failure;
use crate::jps::FlatJps;
use crate::load::{self, Loaded, Reading};
use crate::progress::Progress;
use crate::verify;

/// Most faults listed per map; all are counted.
const MAX_FAULTS: usize = 5;

/// Solves all problems of all pairs, or `sample` of each; rows in the order of the pairs.
pub(super) fn all(
    pairs: &[Pair],
    method: Method,
    sample: Option<u64>,
    threads: usize,
) -> Result<Vec<Row>, Failure> {
    let next = AtomicUsize::new(0);
    let rows: Vec<Mutex<Option<Result<Row, Failure>>>> =
        pairs.iter().map(|_| Mutex::new(None)).collect();
    let order = largest_first(pairs);
    let progress = Progress::new("maps", pairs.len());
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, pairs.len().max(1)) {
            scope.spawn(|| {
                let mut searcher = DenseSearcher::default();
                while let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let row = one(&pairs[index], method, sample, &mut searcher);
                    *rows[index].lock().expect("no thread panics with it") = Some(row);
                    progress.step();
                }
            });
        }
    });
    let rows = rows.into_iter().map(|row| {
        let row = row.into_inner().expect("no thread panicked with it");
        row.expect("every pair was taken by some thread")
    });
    // The first error in the order of the pairs, whichever thread found one first.
    rows.collect()
}

/// Large files first, so that the threads finish together.
fn largest_first(pairs: &[Pair]) -> Vec<usize> {
    let size = |pair: &Pair| {
        let bytes = |path| std::fs::metadata(path).map_or(0, |data| data.len());
        bytes(&pair.map).saturating_mul(bytes(&pair.scenario))
    };
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(size(&pairs[index])));
    order
}

fn one(
    pair: &Pair,
    method: Method,
    sample: Option<u64>,
    searcher: &mut DenseSearcher,
) -> Result<Row, Failure> {
    let started = clock::now();
    let (_, Loaded::Flat(map)) = load::world(&pair.map, &Reading::default())? else {
        let reason = "these problems are for flat maps";
        return Err(Failure::for_file(&pair.map, reason));
    };
    let scenario = movingai_scen::read(&load::bytes(&pair.scenario)?)
        .map_err(|error| Failure::for_file(&pair.scenario, error))?;
    let problems: Vec<Problem> = scenario.problems().collect();
    let ground = DenseGround::from_raster(map.clone())
        .map_err(|error| Failure::for_file(&pair.map, error))?;
    let mut jps = (method == Method::Jps).then(|| FlatJps::new(&ground));

    let mut row = Row {
        map: pair.name.clone(),
        tally: Tally::default(),
        expansions: 0,
        seconds: 0.0,
        faults: Vec::new(),
    };
    for index in spread(problems.len(), sample) {
        let problem = &problems[index];
        row.tally.problems += 1;
        let request = DenseRequest::new(problem.start, problem.goal);
        let outcome = match &mut jps {
            Some(jps) => jps.find(&request, &mut NoopObserver),
            None => find_path(&ground, searcher, &request),
        };
        let result = outcome
            .map_err(|request_error| request_error.to_string())
            .and_then(|outcome| verified(&map, problem, outcome, &mut row.expansions, searcher));
        match result {
            Ok(found) => {
                row.tally.matched += 1;
                row.tally.unreachable += u64::from(!found);
            }
            Err(reason) => {
                row.tally.wrong += 1;
                if row.faults.len() < MAX_FAULTS {
                    row.faults.push(Fault {
                        problem: index,
                        from: [problem.start.x, problem.start.y],
                        to: [problem.goal.x, problem.goal.y],
                        reason,
                    });
                }
            }
        }
    }
    row.seconds = started.elapsed().as_secs_f64();
    Ok(row)
}

/// `sample` of `count` indices, evenly spread; all if there are no more.
fn spread(count: usize, sample: Option<u64>) -> impl Iterator<Item = usize> {
    let sample = sample.and_then(|n| usize::try_from(n).ok());
    let taken = sample.map_or(count, |n| n.min(count));
    (0..taken).map(move |n| {
        let index = n as u128 * count as u128 / taken.max(1) as u128;
        usize::try_from(index).expect("below the count")
    })
}

/// Verifies an outcome, adds its expansions and recycles its path; true if there is one.
fn verified(
    map: &Raster,
    problem: &Problem,
    outcome: Outcome<DensePath>,
    expansions: &mut u64,
    searcher: &mut DenseSearcher,
) -> Result<bool, String> {
    let result = verify::verify(map, problem, &outcome);
    if let Outcome::Found(path) = outcome {
        *expansions += path.expansions;
        searcher.recycle(path);
    }
    result
}

#[cfg(test)]
mod tests;
