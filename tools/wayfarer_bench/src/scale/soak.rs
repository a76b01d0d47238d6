//! `bench scale --soak`: alternating edits and queries; the cache must stay below its limit after each,
//! and results must stay right.

use std::fmt;

use serde::Serialize;
use wayfarer_engine::base::{Cell, Column, GroundEdit, Rng};
use wayfarer_engine::search::ground::jps_cached::CacheLimit;
use wayfarer_engine::search::ground::{GroundPath, GroundRequest, Method, PathSearcher};
use wayfarer_engine::world::ground::Ground;

use super::Kind;
use crate::error::BenchError;

/// Of so many queries two are compared with a searcher without a cache.
const COMPARED: u64 = 50;
/// Largest distance of most goals, in cells along x and y.
const NEAR: i32 = 96;
/// Most cells that are removed at a time.
const MAX_GONE: usize = 400;

/// What to soak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SoakArguments {
    /// The kind of world.
    pub kind: Kind,
    /// Its side in cells.
    pub size: u32,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Edits and queries together.
    pub n_steps: u64,
    /// The cache limit; the default without.
    pub cache_limit_bytes: Option<usize>,
}

/// Counts of a soak.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SoakReport {
    /// Batches of edits.
    pub edits: u64,
    /// Queries.
    pub queries: u64,
    /// Queries compared with a searcher without a cache.
    pub compared: u64,
    /// The cache limit in bytes.
    pub cache_limit_bytes: usize,
    /// Most bytes in the cache after any step.
    pub most_bytes: usize,
    /// Times the cache was emptied at its limit.
    pub n_emptied: u64,
    /// Steps after which the cache exceeded its limit, and wrong results.
    pub wrong: u64,
    /// The first of them.
    pub faults: Vec<String>,
}

impl fmt::Display for SoakReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} edits, {} queries, {} compared: at most {} of {} bytes in the cache, emptied {} times, \
             {} wrong",
            self.edits,
            self.queries,
            self.compared,
            self.most_bytes,
            self.cache_limit_bytes,
            self.n_emptied,
            self.wrong
        )?;
        self.faults
            .iter()
            .try_for_each(|fault| write!(f, "\nwrong: {fault}"))
    }
}

struct Soak {
    ground: Ground,
    searcher: PathSearcher,
    rng: Rng,
    last: i32,
    gone: Vec<Cell>,
    report: SoakReport,
}

/// Alternates edits and queries.
///
/// # Errors
/// Sizes that cannot be made. A wrong result is no error: it is counted.
pub fn soak(arguments: &SoakArguments) -> Result<SoakReport, BenchError> {
    let ground = arguments.kind.make(arguments.size, arguments.seed)?;
    let limit = arguments
        .cache_limit_bytes
        .map_or_else(CacheLimit::default, CacheLimit::Bytes);
    let mut soak = Soak {
        ground,
        searcher: PathSearcher::with_cache_limit(limit),
        rng: Rng::for_stream(arguments.seed, 42),
        last: arguments.size.cast_signed() - 1,
        gone: Vec::new(),
        report: SoakReport::default(),
    };
    let mut before = 0;
    for step in 0..arguments.n_steps {
        if step.is_multiple_of(2) {
            soak.query();
        } else {
            soak.edit()?;
        }
        let bytes = soak.searcher.cache_bytes();
        let report = &mut soak.report;
        report.cache_limit_bytes = soak.searcher.cache_limit_bytes();
        report.most_bytes = report.most_bytes.max(bytes);
        report.n_emptied += u64::from(bytes * 2 < before);
        before = bytes;
        if bytes > report.cache_limit_bytes {
            let limit = report.cache_limit_bytes;
            soak.fault(format!(
                "step {step}: {bytes} bytes in the cache, limit {limit}"
            ));
        }
    }
    Ok(soak.report)
}

impl Soak {
    /// Removes a cell, or puts one back.
    fn edit(&mut self) -> Result<(), BenchError> {
        let is_full = self.gone.len() >= MAX_GONE;
        let edit = if is_full || !self.gone.is_empty() && self.rng.chance(1, 2) {
            let index = self.rng.below(u32::try_from(self.gone.len()).unwrap_or(1));
            let cell = self.gone.swap_remove(index as usize);
            GroundEdit::PutCell {
                cell,
                terrain: wayfarer_engine::base::Terrain::GROUND,
            }
        } else {
            let cell = self.any_cell();
            self.gone.push(cell);
            GroundEdit::RemoveCell { cell }
        };
        let changes = self.ground.apply(&[edit])?;
        self.searcher.apply_changes(&self.ground, &changes);
        self.report.edits += 1;
        Ok(())
    }

    /// One query: most of them short, some `optimal`, some hierarchical.
    fn query(&mut self) {
        let number = self.report.queries;
        self.report.queries += 1;
        let from = self.any_cell();
        let is_far = number % 16 == 7;
        let to = if is_far {
            self.any_cell()
        } else {
            self.near(from)
        };
        let request = GroundRequest {
            method: if number.is_multiple_of(2) {
                Method::Optimal
            } else {
                Method::Bounded
            },
            ..GroundRequest::new(from, to)
        };
        let find = |searcher: &mut PathSearcher, ground: &Ground| {
            let outcome = if is_far {
                searcher.find_hierarchical(ground, from, to)
            } else {
                searcher.find(ground, &request)
            };
            outcome.ok().and_then(wayfarer_engine::base::Outcome::found)
        };
        let path = find(&mut self.searcher, &self.ground);
        if number % COMPARED < 2 {
            self.report.compared += 1;
            let fresh = find(&mut PathSearcher::default(), &self.ground);
            let reported = |path: &Option<GroundPath>| {
                path.as_ref().map(|path| (path.cells.clone(), path.cost))
            };
            if reported(&path) != reported(&fresh) {
                self.fault(format!("from {from} to {to}: another path without a cache"));
            }
            let exact = GroundRequest {
                method: Method::Jps,
                ..request.clone()
            };
            let best = PathSearcher::default().distance(&self.ground, &exact);
            let best = best.ok().flatten();
            let found = path.as_ref().map(|path| path.cost);
            let is_right = match (best, found) {
                (Some(best), Some(found)) => {
                    best <= found && (is_far || request.method != Method::Optimal || best == found)
                }
                (best, found) => best.is_none() && found.is_none(),
            };
            if !is_right {
                self.fault(format!("from {from} to {to}: {found:?}, cheapest {best:?}"));
            }
        }
        if let Some(path) = path {
            self.searcher.recycle(path);
        }
    }

    fn fault(&mut self, fault: String) {
        self.report.wrong += 1;
        if self.report.faults.len() < 10 {
            self.report.faults.push(fault);
        }
    }

    fn any_cell(&mut self) -> Cell {
        self.cell_in((0, self.last), (0, self.last))
    }

    fn near(&mut self, from: Cell) -> Cell {
        let around = |at: i32| ((at - NEAR).max(0), (at + NEAR).min(self.last));
        let (wide, high) = (around(from.x), around(from.y));
        self.cell_in(wide, high)
    }

    fn cell_in(&mut self, wide: (i32, i32), high: (i32, i32)) -> Cell {
        loop {
            let x = self.rng.between(wide.0, wide.1);
            let y = self.rng.between(high.0, high.1);
            if let Some(node) = self.ground.nearest_walkable(Column::new(x, y), 0, 16) {
                return self.ground.cell(node);
            }
        }
    }
}
