//! Solves the problems of many maps on many threads; the result is the same on one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use wayfarer::base::{NoopObserver, Outcome, Problem, Raster};
use wayfarer::formats::movingai_scen;
use wayfarer::search::dense::{DensePath, DenseRequest, DenseSearcher, find_path};
use wayfarer::world::dense::DenseGround;

use super::pairs::Pair;
use super::{Fault, Method, Row, Tally};
use crate::clock;
use crate::failure::Failure;
use crate::jps::Plain;
use crate::judge;
use crate::load::{self, Loaded, Reading};
use crate::progress::Progress;

/// Most faults that are told of one map; all are counted.
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
    // The first fault in the order of the pairs, whichever thread met one first.
    rows.collect()
}

/// Large files first, so that no thread is left alone with one at the end.
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
    let began = clock::now();
    let (_, Loaded::Flat(map)) = load::world(&pair.map, &Reading::default())? else {
        let why = "problems of this kind belong to flat maps";
        return Err(Failure::of_file(&pair.map, why));
    };
    let scenario = movingai_scen::read(&load::bytes(&pair.scenario)?)
        .map_err(|error| Failure::of_file(&pair.scenario, error))?;
    let problems: Vec<Problem> = scenario.problems().collect();
    let ground = DenseGround::from_raster(map.clone())
        .map_err(|error| Failure::of_file(&pair.map, error))?;
    let mut plain = (method == Method::Plain).then(|| Plain::new(&ground));

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
        let outcome = match &mut plain {
            Some(plain) => plain.find(&request, &mut NoopObserver),
            None => find_path(&ground, searcher, &request),
        };
        let result = outcome
            .map_err(|request_error| request_error.to_string())
            .and_then(|outcome| judged(&map, problem, outcome, &mut row.expansions, searcher));
        match result {
            Ok(found) => {
                row.tally.matched += 1;
                row.tally.unreachable += u64::from(!found);
            }
            Err(why) => {
                row.tally.wrong += 1;
                if row.faults.len() < MAX_FAULTS {
                    row.faults.push(Fault {
                        problem: index,
                        from: [problem.start.x, problem.start.y],
                        to: [problem.goal.x, problem.goal.y],
                        why,
                    });
                }
            }
        }
    }
    row.seconds = began.elapsed().as_secs_f64();
    Ok(row)
}

/// The places of `sample` of `count` things, evenly spread; all of them if there are no more.
fn spread(count: usize, sample: Option<u64>) -> impl Iterator<Item = usize> {
    let wished = sample.and_then(|n| usize::try_from(n).ok());
    let taken = wished.map_or(count, |n| n.min(count));
    (0..taken).map(move |n| {
        let place = n as u128 * count as u128 / taken.max(1) as u128;
        usize::try_from(place).expect("below the count")
    })
}

/// True if a path was found and is right, false if there rightly is none; or what is wrong.
fn judged(
    map: &Raster,
    problem: &Problem,
    outcome: Outcome<DensePath>,
    expansions: &mut u64,
    searcher: &mut DenseSearcher,
) -> Result<bool, String> {
    let result = judge::judge(map, problem, &outcome);
    if let Outcome::Found(path) = outcome {
        *expansions += path.expansions;
        searcher.recycle(path);
    }
    result
}

#[cfg(test)]
mod tests;
