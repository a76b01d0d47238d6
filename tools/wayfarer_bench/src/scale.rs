//! `bench scale`: worlds of any size, generated sector by sector: memory, time to the first segment of a
//! path across, time of the whole path, cost of an edit.

use wayfarer_engine::base::{Cell, Column, Rng};
use wayfarer_engine::search::ground::{GroundPath, GroundRequest, Method, PathSearcher};
use wayfarer_engine::world::ground::Ground;
use wayfarer_measure::check::{Corners, walk_cells};
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics::{self, Spread};

use crate::edit_times::{EditTimer, ReversibleEdit};
use crate::error::BenchError;
use crate::memory::{self, Allocated};
use crate::report::{Benchmark, CommandLine, Progress};

mod report;
mod soak;
mod worlds;

pub use report::ScaleFigures;
pub use soak::{SoakArguments, SoakReport, soak};
pub use worlds::Kind;

/// Runs of each path across; the median counts.
const REPEATS: usize = 9;
/// Repetitions of each edit; the median counts.
const EDIT_REPEATS: usize = 5;
/// Of so many queries one has a goal anywhere, the others within [`NEAR`].
const ONE_FAR: usize = 10;
/// Largest distance of most goals, in cells along x and y.
const NEAR: i32 = 256;
/// Longest side of a world in which far paths are compared with optimal ones.
const MAX_COMPARED: u32 = 2_048;
/// Paths that are compared.
const N_COMPARED: usize = 40;

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// The kind of world.
    pub kind: Kind,
    /// Its side in cells.
    pub size: u32,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Warm-up queries.
    pub n_queries: usize,
    /// Random cells removed and put back.
    pub n_edits: usize,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            kind: Kind::City,
            size: 512,
            seed: 1,
            n_queries: 1_000,
            n_edits: 1_000,
        }
    }
}

impl Benchmark for Arguments {
    type Figures = ScaleFigures;

    fn command(&self) -> String {
        CommandLine::new("scale")
            .option("kind", self.kind.name())
            .option("size", self.size)
            .option("seed", self.seed)
            .option("queries", self.n_queries)
            .option("edits", self.n_edits)
            .finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<ScaleFigures, BenchError> {
        progress(self.kind.name(), 1);
        let timer = Timer::new();
        let mut allocated = Allocated::default();
        let (ground, build_ns) =
            allocated.during(|| timer.time(|| self.kind.make(self.size, self.seed)));
        let mut run = Run {
            ground: ground?,
            searcher: PathSearcher::default(),
            size: self.size,
            rng: Rng::for_stream(self.seed, 41),
            timer,
            allocated,
            faults: Vec::new(),
        };
        let (ground_bytes, n_cells) = (run.ground.memory_report().total(), run.ground.counts().0);
        let corners = run.corners();
        run.warm_scratch();
        let cold = run.across(corners, true);
        let mut query_us = run.queries(self.n_queries);
        let memory_bytes = memory::is_counted().then_some(run.allocated.bytes);
        let cache_bytes = run.searcher.cache_bytes();
        let warm = run.across(corners, false);
        let mut ratios = run.compared();
        let (mut edits, mut follows) = run.edits(self.n_edits);
        Ok(ScaleFigures {
            kind: self.kind.name(),
            size: self.size,
            n_cells,
            build_ms: build_ns / 1e6,
            memory_bytes,
            ground_bytes,
            cache_bytes,
            first_step_us: warm.first_step_us,
            first_step_cold_us: cold.first_step_us,
            whole_path_ms: warm.whole_path_ms,
            whole_path_cold_ms: cold.whole_path_ms,
            whole_path_cells: warm.n_cells,
            whole_path_bound: warm.bound,
            length_ratio: Spread::of(&mut ratios),
            query_us: Spread::of(&mut query_us),
            edit1_us: statistics::mean(&edits),
            edit1_spread_us: Spread::of(&mut edits),
            sync_us: Spread::of(&mut follows),
            wrong: run.faults.len(),
            faults: run.faults,
        })
    }
}

/// A path from corner to corner.
struct Across {
    first_step_us: f64,
    whole_path_ms: f64,
    n_cells: usize,
    bound: Option<f64>,
}

struct Run {
    ground: Ground,
    searcher: PathSearcher,
    size: u32,
    rng: Rng,
    timer: Timer,
    allocated: Allocated,
    faults: Vec<String>,
}

impl Run {
    /// The cells nearest to the north-west and south-east corner.
    fn corners(&self) -> (Cell, Cell) {
        let last = self.size.cast_signed() - 1;
        let near = |column| {
            let node = self.ground.nearest_walkable(column, 0, 256);
            node.map_or(Cell::flat(0, 0), |node| self.ground.cell(node))
        };
        (near(Column::new(0, 0)), near(Column::new(last, last)))
    }

    /// Grows the scratch of the searcher to the size of the ground by a query that is not measured.
    fn warm_scratch(&mut self) {
        let from = self.random_cell();
        let request = GroundRequest::new(from, self.near(from));
        let (ground, searcher) = (&self.ground, &mut self.searcher);
        let _answer = self.allocated.during(|| searcher.find(ground, &request));
    }

    /// The path across, with an empty or a warm cache.
    fn across(&mut self, (from, to): (Cell, Cell), is_cold: bool) -> Across {
        let (mut firsts, mut wholes) = (Vec::new(), Vec::new());
        let mut path = None;
        let n_times = if is_cold { REPEATS } else { 1 };
        // Warmed by other queries: only the first time counts.
        for _ in 0..n_times {
            let (ground, searcher) = (&self.ground, &mut self.searcher);
            if is_cold {
                searcher.clear_cache();
            }
            let (piece, nanoseconds) = self.allocated.during(|| {
                self.timer.time(|| {
                    let mut found_path = searcher
                        .begin_hierarchical(ground, from, to)
                        .ok()?
                        .found()?;
                    searcher.next_segment(ground, &mut found_path).ok()?
                })
            });
            firsts.push(nanoseconds / 1e3);
            if let Some(piece) = piece {
                searcher.recycle(piece);
            }
            if is_cold {
                searcher.clear_cache();
            }
            let (found, nanoseconds) = self.allocated.during(|| {
                self.timer
                    .time(|| searcher.find_hierarchical(ground, from, to).ok()?.found())
            });
            wholes.push(nanoseconds / 1e6);
            if let Some(old) = std::mem::replace(&mut path, found) {
                self.searcher.recycle(old);
            }
        }
        self.judge((from, to), path.as_ref());
        let bound = path.as_ref().and_then(GroundPath::suboptimality_bound);
        Across {
            first_step_us: statistics::median(&mut firsts).unwrap_or(0.0),
            whole_path_ms: statistics::median(&mut wholes).unwrap_or(0.0),
            n_cells: path.map_or(0, |path| path.cells.len()),
            bound: bound.map(|millionths| millionths as f64 / 1e6),
        }
    }

    /// Finds near and far paths; the times of the near ones.
    fn queries(&mut self, n_queries: usize) -> Vec<f64> {
        let mut times = Vec::new();
        for index in 0..n_queries {
            let from = self.random_cell();
            let is_far = index % ONE_FAR == 0;
            let to = if is_far {
                self.random_cell()
            } else {
                self.near(from)
            };
            let (ground, searcher) = (&self.ground, &mut self.searcher);
            let (path, nanoseconds) = self.allocated.during(|| {
                self.timer.time(|| {
                    let outcome = if is_far {
                        searcher.find_hierarchical(ground, from, to)
                    } else {
                        searcher.find(ground, &GroundRequest::new(from, to))
                    };
                    outcome.ok()?.found()
                })
            });
            self.judge((from, to), path.as_ref());
            if !is_far {
                times.push(nanoseconds / 1e3);
            }
            if let Some(path) = path {
                self.allocated.during(|| self.searcher.recycle(path));
            }
        }
        times
    }

    /// Far paths over optimal ones, in worlds small enough for both.
    fn compared(&mut self) -> Vec<f64> {
        let mut ratios = Vec::new();
        let n_compared = if self.size <= MAX_COMPARED {
            N_COMPARED
        } else {
            0
        };
        for _ in 0..n_compared {
            let request = GroundRequest {
                method: Method::Optimal,
                ..GroundRequest::new(self.random_cell(), self.random_cell())
            };
            let goal = request.to.representative_cell().unwrap_or(request.from);
            let best = self.searcher.find(&self.ground, &request);
            let far = self
                .searcher
                .find_hierarchical(&self.ground, request.from, goal);
            let found = |outcome: wayfarer_engine::base::Outcome<GroundPath>| outcome.found();
            let (best, far) = (best.ok().and_then(found), far.ok().and_then(found));
            if let (Some(best), Some(far)) = (best, far) {
                let (best, far) = (best.cost.to_cells(), far.cost.to_cells());
                if far < best - 1e-3 {
                    self.faults.push(format!(
                        "from {} to {goal}: shorter than the shortest",
                        request.from
                    ));
                }
                if best > 0.0 {
                    ratios.push(far / best);
                }
            }
        }
        ratios
    }

    /// Times of single edits, and of the cache invalidation after each.
    fn edits(&mut self, n_edits: usize) -> (Vec<f64>, Vec<f64>) {
        let edit_timer = EditTimer::default();
        let (mut edits, mut follows) = (Vec::new(), Vec::new());
        for _ in 0..n_edits {
            let cell = self.random_cell();
            let Some(terrain) = self.ground.terrain(cell) else {
                continue;
            };
            let pair = ReversibleEdit::cut(&[(cell, terrain)]);
            let mut times = edit_timer.there_and_back(&mut self.ground, &pair, EDIT_REPEATS);
            let (there, back) = times.medians();
            edits.extend([there, back]);
            // The cache is of an older revision now; one query brings it to this one.
            let request = GroundRequest::new(cell, self.near(cell));
            let _answer = self.searcher.find(&self.ground, &request);
            for edits in [&pair.there, &pair.back] {
                let Ok(changes) = self.ground.apply(edits) else {
                    continue;
                };
                let (ground, searcher) = (&self.ground, &mut self.searcher);
                let ((), nanoseconds) =
                    self.timer.time(|| searcher.apply_changes(ground, &changes));
                follows.push(nanoseconds / 1e3);
            }
        }
        (edits, follows)
    }

    fn judge(&mut self, (from, to): (Cell, Cell), path: Option<&GroundPath>) {
        let is_connected = |ground: &Ground| {
            let (from, to) = (ground.node(from)?, ground.node(to)?);
            Some(ground.component(from) == ground.component(to))
        };
        let Some(path) = path else {
            if is_connected(&self.ground) == Some(true) {
                self.faults
                    .push(format!("from {from} to {to}: no path found"));
            }
            return;
        };
        let is_open = |at: Column| self.ground.node(at.at(0)).is_some();
        match walk_cells(is_open, Corners::Kept, (from, to), &path.cells) {
            Ok(walked)
                if (walked.length - path.cost.to_cells()).abs() < 0.01 * walked.length.max(1.0) => {
            }
            Ok(walked) => {
                let stated = path.cost.to_cells();
                let found = walked.length;
                self.faults.push(format!(
                    "from {from} to {to}: {stated} long, walked {found}"
                ));
            }
            Err(fault) => self.faults.push(format!("from {from} to {to}: {fault:?}")),
        }
    }

    fn random_cell(&mut self) -> Cell {
        let last = self.size.cast_signed() - 1;
        loop {
            let column = Column::new(self.rng.between(0, last), self.rng.between(0, last));
            if let Some(node) = self.ground.nearest_walkable(column, 0, 16) {
                return self.ground.cell(node);
            }
        }
    }

    /// A cell not far from another.
    fn near(&mut self, from: Cell) -> Cell {
        let last = self.size.cast_signed() - 1;
        loop {
            let x = (from.x + self.rng.between(-NEAR, NEAR)).clamp(0, last);
            let y = (from.y + self.rng.between(-NEAR, NEAR)).clamp(0, last);
            if let Some(node) = self.ground.nearest_walkable(Column::new(x, y), 0, 16) {
                return self.ground.cell(node);
            }
        }
    }
}

#[cfg(test)]
mod tests;
