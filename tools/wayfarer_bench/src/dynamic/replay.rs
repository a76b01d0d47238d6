//! Replays a dynamic scenario with one engine: changes and queries, timed or checked.

use wayfarer_engine::base::{Column, EditTrace, Expected, GroundEdit, Problem, Raster, TraceStep};
use wayfarer_measure::clock::Timer;

use crate::check;
use crate::engine::{Engine, EngineError, PathBuffer};
use crate::open_cells::OpenCells;
use crate::query::Case;

/// A trace and the timer.
pub(super) struct Replay<'r> {
    pub(super) map: &'r Raster,
    pub(super) trace: &'r EditTrace,
    pub(super) timer: &'r Timer,
}

/// Times of the changes and queries in microseconds, in order.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Times {
    pub(super) changes: Vec<f64>,
    /// With the change before it, if there was one.
    pub(super) queries: Vec<f64>,
    /// Without.
    pub(super) searches: Vec<f64>,
    /// Expansions of all queries together.
    pub(super) expansions: u64,
}

impl Replay<'_> {
    /// Replays the trace; with `faults` every result is checked and wrong ones are added there.
    pub(super) fn run(
        &self,
        engine: &mut dyn Engine,
        mut faults: Option<&mut Vec<String>>,
    ) -> Result<Times, EngineError> {
        let mut map = self.map.clone();
        engine.prepare(&map)?;
        let mut times = Times::default();
        let mut path = PathBuffer::default();
        let mut open = OpenCells::of(&map);
        // Time of the changes since the last query.
        let mut pending = 0.0;
        for (number, step) in self.trace.steps.iter().enumerate() {
            match step {
                TraceStep::Batch(edits) => {
                    lay(&mut map, edits);
                    let change = || engine.apply(edits) || engine.prepare(&map).is_ok();
                    let (done, nanoseconds) = self.timer.time(change);
                    if !done {
                        return Err(EngineError::Map {
                            engine: engine.about().name,
                            reason: format!("it rejects the change of step {number}"),
                        });
                    }
                    if faults.is_some() {
                        open = OpenCells::of(&map);
                    }
                    times.changes.push(nanoseconds / 1e3);
                    pending += nanoseconds / 1e3;
                }
                TraceStep::Query(problem) => {
                    let case = case_of(problem);
                    path.clear();
                    let query = || engine.result(case.start, case.goal, &mut path);
                    let (result, nanoseconds) = self.timer.time(query);
                    times.searches.push(nanoseconds / 1e3);
                    times.queries.push(nanoseconds / 1e3 + pending);
                    times.expansions += result.expansions.unwrap_or(0);
                    pending = 0.0;
                    if let Some(faults) = faults.as_deref_mut()
                        && let Err(fault) =
                            check::check(&open, &engine.about(), &case, result, &path)
                    {
                        let (from, to) = (problem.start, problem.goal);
                        faults.push(format!("step {number}: from {from} to {to}: {fault:?}"));
                    }
                }
            }
        }
        Ok(times)
    }
}

fn case_of(problem: &Problem) -> Case {
    Case {
        start: problem.start.column(),
        goal: problem.goal.column(),
        best: match problem.expected {
            Expected::Length(length) => Some(length),
            Expected::Unreachable | Expected::Unknown => None,
        },
        best_cutting: None,
    }
}

/// Lays patches over a plain map, cell by cell; the dynamic track has no other changes.
fn lay(map: &mut Raster, edits: &[GroundEdit]) {
    for edit in edits {
        let GroundEdit::Patch { at, raster, .. } = edit else {
            debug_assert!(false, "only patches change a dynamic scenario");
            continue;
        };
        for Column { x, y } in raster.rect().columns() {
            map.set(at.x + x, at.y + y, raster.get(x, y));
        }
    }
}
