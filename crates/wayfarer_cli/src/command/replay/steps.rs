//! Replays an edit trace on the ground; a dense grid follows if the map is flat.

use std::collections::VecDeque;
use std::time::Duration;

use serde::Serialize;
use wayfarer_engine::World;
use wayfarer_engine::base::{
    Cell, Cost, EditTrace, Expected, GroundEdit, Outcome, PathStatus, Problem, TraceStep,
};
use wayfarer_engine::search::dense::{DenseRequest, DenseSearcher, find_path};
use wayfarer_engine::search::ground::{GroundPath, GroundRequest, Method, PathSearcher, status};
use wayfarer_engine::world::dense::DenseGround;
use wayfarer_engine::world::ground::GroundChanges;
use wayfarer_measure::check::rebuild;

use super::Report;
use crate::clock;

/// Most earlier paths whose status is checked after each batch.
const MAX_PATHS: usize = 32;

/// Figures of the ground.
#[derive(Serialize, Default)]
pub(super) struct GroundTrace {
    /// Splits and merges of components.
    pub(super) split: u64,
    pub(super) merged: u64,
    /// At the end.
    pub(super) regions: u64,
    pub(super) memory_bytes: u64,
    /// Time of a batch with its repair, in microseconds.
    pub(super) batch_median_us: f64,
    pub(super) batch_mean_us: f64,
    pub(super) batch_max_us: f64,
    /// Batches after which the ground was compared with a rebuilt one.
    pub(super) compared: u64,
}

/// What is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Checks {
    /// Results only.
    Results,
    /// After every batch also that the ground equals a rebuilt one, and that undoing the batch
    /// restores the ground before it.
    Everything,
}

/// Replays `trace` in `world`, of which `flat` is the dense grid if there is one; an error if an
/// edit does not apply.
pub(super) fn replay(
    world: World,
    flat: Option<DenseGround>,
    trace: &EditTrace,
    checks: Checks,
) -> Result<Report, String> {
    let mut replay = GroundReplay {
        world,
        flat,
        dense: DenseSearcher::default(),
        figures: GroundTrace::default(),
        report: Report::default(),
        searcher: PathSearcher::default(),
        paths: VecDeque::new(),
        times: Vec::new(),
    };
    for (number, step) in trace.steps.iter().enumerate() {
        match step {
            TraceStep::Batch(edits) => replay
                .batch(number, edits, checks)
                .map_err(|error| format!("step {number}: {error}"))?,
            TraceStep::Query(problem) => replay.query(number, problem),
        }
    }
    let GroundReplay {
        world,
        mut figures,
        mut report,
        mut times,
        ..
    } = replay;
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    figures.batch_median_us = median.as_secs_f64() * 1e6;
    figures.regions = world.ground().counts().1 as u64;
    figures.memory_bytes = world.ground().memory_report().total() as u64;
    figures.batch_max_us = report.batch_max_us;
    figures.batch_mean_us = super::mean_us(report.batch_time, report.batches);
    report.ground = figures;
    Ok(report)
}

struct GroundReplay {
    world: World,
    /// The same floors cell by cell, of a flat map.
    flat: Option<DenseGround>,
    dense: DenseSearcher,
    figures: GroundTrace,
    report: Report,
    searcher: PathSearcher,
    /// Earlier paths; their status is checked after each batch.
    paths: VecDeque<GroundPath>,
    /// Time of each batch.
    times: Vec<Duration>,
}

impl GroundReplay {
    fn batch(&mut self, number: usize, edits: &[GroundEdit], checks: Checks) -> Result<(), String> {
        let previous = (checks == Checks::Everything).then(|| self.world.ground().canonical());
        let world = &mut self.world;
        let (applied, time) = clock::timed(|| world.apply(edits));
        let changes = applied.map_err(|error| error.to_string())?;
        if self.flat.as_mut().is_some_and(|flat| !flat.apply(edits)) {
            return Err("an edit that the flat map cannot hold".to_owned());
        }
        let report = &mut self.report;
        report.batches += 1;
        report.edits += edits.len() as u64;
        let ground = changes.ground.as_ref();
        let n_changed = ground.map_or(0, |ground| ground.changes.differences.len());
        report.changed_cells += n_changed as u64;
        report.batch_time += time;
        self.times.push(time);
        report.batch_max_us = report.batch_max_us.max(time.as_secs_f64() * 1e6);
        self.figures.split += changes.split_pairs().len() as u64;
        self.figures.merged += changes.merged_pairs().len() as u64;
        if let Some(previous) = previous {
            self.figures.compared += 1;
            let ground = self.world.ground();
            if rebuild(ground)?.canonical() != ground.canonical() {
                report.fault(format!(
                    "step {number}: the ground differs from a rebuilt one"
                ));
            }
            let mut undone = ground.clone();
            let inverse = changes.ground.as_ref().map(GroundChanges::inverse);
            let undo = undone.apply(&inverse.unwrap_or_default());
            undo.map_err(|error| error.to_string())?;
            if undone.canonical() != previous {
                report.fault(format!(
                    "step {number}: undoing the batch does not restore the ground"
                ));
            }
        }
        self.check_statuses(number);
        Ok(())
    }

    /// The status of each earlier path must match a walk along it.
    fn check_statuses(&mut self, number: usize) {
        for path in &self.paths {
            let status = status(self.world.ground(), self.world.ground_log(), path);
            self.report.statuses.count(&status);
            if status != PathStatus::Unknown && status.is_walkable() != is_valid(&self.world, path)
            {
                let ends = (path.start(), path.end());
                self.report.fault(format!(
                    "step {number}: the path between {ends:?} is {status:?}, a walk along it disagrees"
                ));
            }
        }
    }

    fn query(&mut self, number: usize, problem: &Problem) {
        let (start, goal) = (problem.start, problem.goal);
        let (world, searcher) = (&self.world, &mut self.searcher);
        let is_connected = world.is_connected(start, goal) == Some(true);
        let request = GroundRequest {
            method: Method::Optimal,
            ..GroundRequest::new(start, goal)
        };
        // In a trace a blocked endpoint counts as unreachable.
        let (found, time) = clock::timed(|| {
            searcher.sync(world.ground(), world.ground_log());
            let outcome = searcher.find(world.ground(), &request).ok();
            outcome.and_then(Outcome::found)
        });
        self.report.query_time += time;
        let verified = self
            .verify(problem, found.as_ref(), is_connected)
            .map_err(|reason| format!("step {number}: from {start} to {goal}: {reason}"));
        self.report.result(problem, verified);
        self.paths.extend(found);
        if self.paths.len() > MAX_PATHS {
            self.paths.pop_front();
        }
    }

    /// Compares a path with what the problem expects; true if there is one.
    fn verify(
        &mut self,
        problem: &Problem,
        found: Option<&GroundPath>,
        is_connected: bool,
    ) -> Result<bool, String> {
        if found.is_some_and(|path| !is_valid(&self.world, path)) {
            return Err("the path found is not walkable".to_owned());
        }
        if found.is_some() && !is_connected {
            return Err("a path between two components".to_owned());
        }
        let cost = found.map(|path| path.cost);
        if let Some(flat) = &self.flat {
            let request = DenseRequest::new(problem.start, problem.goal);
            // In a trace a blocked endpoint counts as unreachable.
            let outcome = find_path(flat, &mut self.dense, &request).ok();
            let reference = outcome.and_then(Outcome::found).map(|path| path.cost);
            if reference != cost {
                return Err(format!(
                    "found {cost:?}, A* over the dense grid {reference:?}"
                ));
            }
        }
        let length = cost.map(Cost::to_cells);
        if problem.expected.matches(length) {
            return Ok(length.is_some());
        }
        let found = length.map_or("no path".to_owned(), |length| format!("{length:.5}"));
        let said = match problem.expected {
            Expected::Length(length) => length.to_string(),
            _ => "there is no path".to_owned(),
        };
        Err(format!("found {found}, the file says {said}"))
    }
}

/// True if every step of a path exists and no leg is costlier than stated.
fn is_valid(world: &World, path: &GroundPath) -> bool {
    let step = |pair: &[Cell]| {
        let steps = world.successors(pair[0]);
        let there = steps.iter().filter(|(to, _)| *to == pair[1]);
        there.map(|(_, cost)| *cost).min()
    };
    let is_start_walkable = path.start().is_none_or(|start| world.is_walkable(start));
    is_start_walkable
        && path.legs.iter().all(|leg| {
            let cells = &path.cells[leg.begin as usize..=leg.end as usize];
            let costs: Option<Vec<_>> = cells.windows(2).map(step).collect();
            costs.is_some_and(|costs| costs.into_iter().sum::<Cost>() <= leg.cost)
        })
}

#[cfg(test)]
mod tests;
