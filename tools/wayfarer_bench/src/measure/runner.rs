//! One engine on one map: times, results, allocations.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use wayfarer_engine::base::Column;
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics;

use super::{CaseFigures, Measured, Plan, Wrong};
use crate::check::{self, Fault};
use crate::engine::{Engine, EngineError, EngineInfo, EngineResult, PathBuffer};
use crate::memory::Allocated;
use crate::query::{Case, QuerySet};

/// One engine at work on one map.
pub(super) struct Runner<'a> {
    engine: &'a mut dyn Engine,
    about: EngineInfo,
    timer: Timer,
    path: PathBuffer,
    allocated: Allocated,
    /// Allocations and results in the timed runs but the first.
    allocations: u64,
    n_counted: u64,
    prepare_ms: f64,
    cold_us: Option<f64>,
    cache_bytes: Option<usize>,
    /// For each case its times in nanoseconds.
    times: Vec<Vec<f64>>,
    /// Sum of each run.
    run_sums: Vec<f64>,
    faults: Vec<Option<Fault>>,
    lengths: Vec<Option<f64>>,
    expansions: Vec<Option<u64>>,
    /// Proven lower bounds.
    at_least: Vec<Option<f64>>,
    cuts_corner: Vec<bool>,
}

impl<'a> Runner<'a> {
    pub(super) fn prepare(engine: &'a mut dyn Engine, set: &QuerySet) -> Result<Self, EngineError> {
        let mut allocated = Allocated::default();
        let timer = Timer::new();
        let (prepared, nanoseconds) = allocated.during(|| timer.time(|| engine.prepare(&set.map)));
        prepared?;
        let n_cases = set.cases.len();
        // Capacity for any path, so that its growth does not count for the engine.
        let room = set.open.n_open().min(1 << 22) + 2;
        Ok(Self {
            about: engine.about(),
            engine,
            timer,
            path: PathBuffer {
                cells: Vec::with_capacity(room),
                points: Vec::with_capacity(room),
            },
            allocated,
            allocations: 0,
            n_counted: 0,
            prepare_ms: nanoseconds / 1e6,
            cold_us: None,
            cache_bytes: None,
            times: vec![Vec::new(); n_cases],
            run_sums: Vec::new(),
            faults: vec![None; n_cases],
            lengths: vec![None; n_cases],
            expansions: vec![None; n_cases],
            at_least: vec![None; n_cases],
            cuts_corner: vec![false; n_cases],
        })
    }

    /// One query: the result and its time in nanoseconds, or `None` if the engine panicked.
    fn query(&mut self, ends: (Column, Column)) -> Option<(EngineResult, f64)> {
        self.path.clear();
        let (engine, path, timer) = (&mut *self.engine, &mut self.path, &self.timer);
        self.allocated.during(|| {
            let work = AssertUnwindSafe(|| timer.time(|| engine.result(ends.0, ends.1, path)));
            catch_unwind(work).ok()
        })
    }

    /// One query of a case; a panic is recorded.
    fn query_case(&mut self, set: &QuerySet, index: usize) -> Option<(EngineResult, f64)> {
        if self.faults[index] == Some(Fault::Panicked) {
            return None;
        }
        let case = &set.cases[index];
        let result = self.query((case.start, case.goal));
        if result.is_none() {
            self.faults[index] = Some(Fault::Panicked);
        }
        result
    }

    pub(super) fn check_all(&mut self, set: &QuerySet) {
        let mut cold = Vec::new();
        for index in 0..set.cases.len() {
            let has_cache = self.engine.clear_cache();
            let Some((result, nanoseconds)) = self.query_case(set, index) else {
                continue;
            };
            if has_cache {
                cold.push(nanoseconds);
            }
            self.judge(set, index, result);
        }
        self.cold_us = statistics::mean(&cold).map(|mean| mean / 1e3);
    }

    fn judge(&mut self, set: &QuerySet, index: usize, result: EngineResult) {
        let case = &set.cases[index];
        self.expansions[index] = result.expansions;
        self.at_least[index] = self.engine.cost_lower_bound().filter(|_| result.found);
        let checked = check::check(&set.open, &self.about, case, result, &self.path);
        let checked = checked.and_then(|walked| {
            check::check_proof(&self.about, case, self.at_least[index]).map(|()| walked)
        });
        match checked {
            Ok(walked) => {
                self.lengths[index] = walked.map(|walked| walked.length);
                self.cuts_corner[index] = walked.is_some_and(|walked| walked.corners_cut > 0);
            }
            Err(fault) => self.faults[index] = Some(fault),
        }
    }

    fn warm_up(&mut self, set: &QuerySet) {
        for &ends in &set.others {
            // Neither timed nor checked: it is not one of the cases.
            let _result = self.query(ends);
        }
    }

    pub(super) fn begin_run(&mut self, set: &QuerySet) {
        self.note_cache();
        let has_cache = self.engine.clear_cache();
        if has_cache || self.run_sums.is_empty() {
            self.warm_up(set);
        }
        self.run_sums.push(0.0);
    }

    pub(super) fn take_turn(&mut self, set: &QuerySet, cases: Range<usize>, run: usize) {
        for index in cases {
            let allocations = self.allocated.allocations;
            let Some((result, nanoseconds)) = self.query_case(set, index) else {
                continue;
            };
            self.times[index].push(nanoseconds);
            self.run_sums[run] += nanoseconds;
            if run == 0 {
                self.judge(set, index, result);
            } else {
                self.n_counted += 1;
                self.allocations += self.allocated.allocations - allocations;
            }
        }
    }

    /// Records the size of the cache before it is emptied.
    fn note_cache(&mut self) {
        self.cache_bytes = self.cache_bytes.max(self.engine.cache_bytes());
    }

    pub(super) fn repeat_slowest(&mut self, set: &QuerySet, plan: &Plan) {
        self.note_cache();
        let mut slowest: Vec<(f64, usize)> = self
            .times
            .iter_mut()
            .enumerate()
            .filter_map(|(index, times)| Some((statistics::median(times)?, index)))
            .collect();
        slowest.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        slowest.truncate(plan.n_slowest);
        for _ in plan.runs..plan.repeats {
            for &(_, index) in &slowest {
                if self.engine.clear_cache() {
                    self.warm_up(set);
                }
                if let Some((_, nanoseconds)) = self.query_case(set, index) {
                    self.times[index].push(nanoseconds);
                }
            }
        }
    }

    pub(super) fn finish(mut self, set: &QuerySet) -> Measured {
        let n_cases_run = self.times.iter().filter(|times| !times.is_empty()).count();
        let mut cases = Vec::with_capacity(n_cases_run);
        let mut wrong = Vec::new();
        for (index, case) in set.cases.iter().enumerate() {
            if let Some(fault) = self.faults[index].take() {
                wrong.push(Wrong {
                    start: case.start,
                    goal: case.goal,
                    fault,
                });
                self.lengths[index] = None;
            }
            if let Some(median) = statistics::median(&mut self.times[index]) {
                let best = case.best.filter(|&best| best > 0.0);
                cases.push(CaseFigures {
                    time_us: median / 1e3,
                    best: case.best,
                    ratio: self.lengths[index]
                        .zip(best)
                        .map(|(length, best)| length / best),
                    expansions: self.expansions[index],
                    proven_bound: self.lengths[index]
                        .zip(self.at_least[index].filter(|&least| least > 0.0))
                        .map(|(length, least)| length / least),
                });
            }
        }
        let is_longer = |(case, length): (&Case, &Option<f64>)| {
            let limit = case.best(self.about.rule).map(|best| best * 1.0001 + 1e-3);
            length
                .zip(limit)
                .is_some_and(|(length, limit)| length > limit)
        };
        let pairs = set.cases.iter().zip(&self.lengths);
        let n_longer = pairs.filter(|&pair| is_longer(pair)).count();
        let mean = |sum: f64| sum / 1e3 / n_cases_run.max(1) as f64;
        Measured {
            n_longer,
            about: self.about,
            prepare_ms: self.prepare_ms,
            memory_bytes: self.allocated.bytes,
            peak_bytes: self.allocated.peak_bytes,
            allocations: self.allocations,
            n_counted: self.n_counted,
            run_means_us: self.run_sums.into_iter().map(mean).collect(),
            cold_mean_us: self.cold_us,
            cache_bytes: self.cache_bytes,
            cases,
            wrong,
            n_corner_cutters: self.cuts_corner.iter().filter(|&&cuts| cuts).count(),
        }
    }
}
