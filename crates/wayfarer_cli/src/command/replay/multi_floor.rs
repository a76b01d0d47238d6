//! The story lived through by the ground with all its floors, walls and nav links.

use std::collections::VecDeque;
use std::time::Duration;

use serde::Serialize;
use wayfarer::World;
use wayfarer::base::{
    Cell, Cost, EditTrace, Expected, GroundEdit, Outcome, PathStatus, Problem, TraceStep,
};
use wayfarer::search::ground::{GroundPath, GroundRequest, Method, PathSearcher, status};
use wayfarer::world::ground::GroundChanges;
use wayfarer_measure::check::rebuild;

use super::Report;
use crate::clock;

/// Paths that are asked after each batch whether they still hold.
const PATHS_KEPT: usize = 32;

/// What the ground has to say about a story.
#[derive(Serialize, Default)]
pub(super) struct GroundTrace {
    /// Parts that broke off a component, and components that were joined.
    pub(super) split: u64,
    pub(super) joined: u64,
    /// At the end.
    pub(super) regions: u64,
    pub(super) memory_bytes: u64,
    /// Time of a batch, everything repaired, in microseconds: half of them took no longer than
    /// the median.
    pub(super) batch_median_us: f64,
    pub(super) batch_mean_us: f64,
    pub(super) batch_max_us: f64,
    /// Batches after which everything was compared with a fresh ground.
    pub(super) compared: u64,
}

/// How much is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effort {
    /// Answers only.
    Answers,
    /// After every batch also that the ground equals one built anew, and that undoing it restores
    /// the one before.
    Everything,
}

/// Lives through `trace` in `world`; an error if the story cannot happen there.
pub(super) fn live_through(
    world: World,
    trace: &EditTrace,
    effort: Effort,
) -> Result<Report, String> {
    let mut life = Life {
        world,
        trace: GroundTrace::default(),
        report: Report::default(),
        searcher: PathSearcher::default(),
        paths: VecDeque::new(),
        times: Vec::new(),
    };
    for (number, step) in trace.steps.iter().enumerate() {
        match step {
            TraceStep::Batch(edits) => life
                .batch(number, edits, effort)
                .map_err(|error| format!("step {number}: {error}"))?,
            TraceStep::Query(problem) => life.query(number, problem),
        }
    }
    let Life {
        world,
        trace: mut edit_trace,
        mut report,
        mut times,
        ..
    } = life;
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    edit_trace.batch_median_us = median.as_secs_f64() * 1e6;
    edit_trace.regions = world.ground().counts().1 as u64;
    edit_trace.memory_bytes = world.ground().memory_report().total() as u64;
    edit_trace.batch_max_us = report.batch_max_us;
    edit_trace.batch_mean_us = super::mean_us(report.batch_time, report.batches);
    report.ground = Some(edit_trace);
    Ok(report)
}

struct Life {
    world: World,
    trace: GroundTrace,
    report: Report,
    searcher: PathSearcher,
    /// Asked after each batch whether they still hold.
    paths: VecDeque<GroundPath>,
    /// How long each batch took.
    times: Vec<Duration>,
}

impl Life {
    fn batch(&mut self, number: usize, edits: &[GroundEdit], effort: Effort) -> Result<(), String> {
        let previous = (effort == Effort::Everything).then(|| self.world.ground().canonical());
        let world = &mut self.world;
        let (applied, time) = clock::timed(|| world.apply(edits));
        let changes = applied.map_err(|error| error.to_string())?;
        let report = &mut self.report;
        report.batches += 1;
        report.edits += edits.len() as u64;
        let ground = changes.ground.as_ref();
        let n_changed = ground.map_or(0, |ground| ground.changes.differences.len());
        report.changed_cells += n_changed as u64;
        report.batch_time += time;
        self.times.push(time);
        report.batch_max_us = report.batch_max_us.max(time.as_secs_f64() * 1e6);
        self.trace.split += changes.split_pairs().len() as u64;
        self.trace.joined += changes.merged_pairs().len() as u64;
        if let Some(previous) = previous {
            self.trace.compared += 1;
            let ground = self.world.ground();
            if rebuild(ground)?.canonical() != ground.canonical() {
                report.fault(format!(
                    "step {number}: the ground differs from one built anew"
                ));
            }
            let mut undone = ground.clone();
            let inverse = changes.ground.as_ref().map(GroundChanges::inverse);
            let undo = undone.apply(&inverse.unwrap_or_default());
            undo.map_err(|error| error.to_string())?;
            if undone.canonical() != previous {
                report.fault(format!(
                    "step {number}: undoing it does not restore the ground"
                ));
            }
        }
        self.ask_paths(number);
        Ok(())
    }

    /// What paths say of themselves must be what walking them says.
    fn ask_paths(&mut self, number: usize) {
        for path in &self.paths {
            let status = status(self.world.ground(), self.world.ground_log(), path);
            self.report.statuses.count(&status);
            if status != PathStatus::Unknown && status.is_walkable() != walks(&self.world, path) {
                let ends = (path.start(), path.end());
                self.report.fault(format!(
                    "step {number}: the path between {ends:?} says {status:?}, walking it does not"
                ));
            }
        }
    }

    fn query(&mut self, number: usize, problem: &Problem) {
        let (start, goal) = (problem.start, problem.goal);
        let (world, searcher) = (&self.world, &mut self.searcher);
        let joined = world.is_connected(start, goal) == Some(true);
        let request = GroundRequest {
            method: Method::Optimal,
            ..GroundRequest::new(start, goal)
        };
        // Who cannot stand there cannot go there: in a story that is an answer.
        let (found, time) = clock::timed(|| {
            searcher.sync(world.ground(), world.ground_log());
            let outcome = searcher.find(world.ground(), &request).ok();
            outcome.and_then(Outcome::found)
        });
        self.report.query_time += time;
        let judged = self
            .judge(problem, found.as_ref(), joined)
            .map_err(|why| format!("step {number}: from {start} to {goal}: {why}"));
        self.report.result(problem, judged);
        self.paths.extend(found);
        if self.paths.len() > PATHS_KEPT {
            self.paths.pop_front();
        }
    }

    /// True if a way was found and is right, false if there rightly is none; or what is wrong.
    fn judge(
        &self,
        problem: &Problem,
        found: Option<&GroundPath>,
        joined: bool,
    ) -> Result<bool, String> {
        if found.is_some_and(|path| !walks(&self.world, path)) {
            return Err("the way found cannot be walked".to_owned());
        }
        if found.is_some() && !joined {
            return Err("a way between two components".to_owned());
        }
        let length = found.map(|path| path.cost.to_cells());
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

/// True if every step of a path is there and none of its legs is costlier than it was.
fn walks(world: &World, path: &GroundPath) -> bool {
    let step = |pair: &[Cell]| {
        let steps = world.successors(pair[0]);
        let there = steps.iter().filter(|(to, _)| *to == pair[1]);
        there.map(|(_, cost)| *cost).min()
    };
    let stands = path.start().is_none_or(|start| world.is_walkable(start));
    stands
        && path.legs.iter().all(|leg| {
            let cells = &path.cells[leg.begin as usize..=leg.end as usize];
            let costs: Option<Vec<_>> = cells.windows(2).map(step).collect();
            costs.is_some_and(|costs| costs.into_iter().sum::<Cost>() <= leg.cost)
        })
}

#[cfg(test)]
mod tests;
