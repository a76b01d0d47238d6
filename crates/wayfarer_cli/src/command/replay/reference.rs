//! Replays an edit trace on the dense grid, and cell by cell on a reference map.

use std::collections::VecDeque;

use wayfarer_engine::base::{
    EditTrace, GroundEdit, Outcome, PathStatus, Problem, Raster, RequestError, Terrain, TraceStep,
    UnreachableProof,
};
use wayfarer_engine::search::dense::{DensePath, DenseRequest, DenseSearcher, find_path, status};
use wayfarer_engine::world::dense::DenseGround;

use super::Report;
use crate::{clock, verify};

/// Most earlier paths whose status is checked after each batch.
const MAX_PATHS: usize = 32;

/// Replays `trace` on `map`; an error if an edit does not apply.
pub(super) fn replay(map: Raster, trace: &EditTrace) -> Result<Report, String> {
    let mut replay = DenseReplay {
        ground: DenseGround::from_raster(map.clone()).map_err(|error| error.to_string())?,
        reference: map,
        searcher: DenseSearcher::default(),
        paths: VecDeque::new(),
        report: Report::default(),
    };
    for (number, step) in trace.steps.iter().enumerate() {
        match step {
            TraceStep::Batch(edits) => replay
                .batch(number, edits)
                .map_err(|error| format!("step {number}: {error}"))?,
            TraceStep::Query(problem) => replay
                .query(number, problem)
                .map_err(|request_error| format!("step {number}: {request_error}"))?,
        }
    }
    Ok(replay.report)
}

struct DenseReplay {
    ground: DenseGround,
    reference: Raster,
    searcher: DenseSearcher,
    paths: VecDeque<DensePath>,
    report: Report,
}

impl DenseReplay {
    fn batch(&mut self, number: usize, edits: &[GroundEdit]) -> Result<(), String> {
        let ground = &mut self.ground;
        let (applied, time) = clock::timed(|| {
            let changes = ground.apply(edits);
            changes.map(|changes| changes.differences.len())
        });
        let n_changed = applied.map_err(|error| error.to_string())?;
        let report = &mut self.report;
        report.batches += 1;
        report.edits += edits.len() as u64;
        report.changed_cells += n_changed as u64;
        report.batch_time += time;
        report.batch_max_us = report.batch_max_us.max(time.as_secs_f64() * 1e6);
        for edit in edits {
            apply(&mut self.reference, edit);
        }
        if *self.ground.raster() != self.reference {
            report.fault(format!(
                "step {number}: the ground differs from the reference map"
            ));
        }
        self.check_statuses(number);
        Ok(())
    }

    fn check_statuses(&mut self, number: usize) {
        for path in &self.paths {
            let (Some(&start), Some(&goal)) = (path.cells.first(), path.cells.last()) else {
                continue;
            };
            let walked = verify::walk(&self.reference, start, goal, &path.cells);
            let status = status(&self.ground, path);
            self.report.statuses.count(&status);
            if status != PathStatus::Unknown && status.is_walkable() != walked.is_ok() {
                self.report.fault(format!(
                    "step {number}: the path from {start} to {goal} is {status:?}, \
                     a walk along it gives {walked:?}"
                ));
            }
        }
    }

    fn query(&mut self, number: usize, problem: &Problem) -> Result<(), RequestError> {
        let request = DenseRequest::new(problem.start, problem.goal);
        let (ground, searcher) = (&self.ground, &mut self.searcher);
        let (found, time) = clock::timed(|| find_path(ground, searcher, &request));
        let outcome = match found {
            // In a trace a blocked endpoint counts as unreachable.
            Err(RequestError::StartBlocked { .. } | RequestError::GoalBlocked { .. }) => {
                Outcome::Unreachable {
                    proof: UnreachableProof::SearchExhausted,
                    nearest: None,
                }
            }
            found => found?,
        };
        self.report.query_time += time;
        let verified = verify::verify(&self.reference, problem, &outcome).map_err(|reason| {
            format!(
                "step {number}: from {} to {}: {reason}",
                problem.start, problem.goal
            )
        });
        self.report.result(problem, verified);
        if let Outcome::Found(path) = outcome {
            self.paths.push_back(path);
            if self.paths.len() > MAX_PATHS {
                self.paths.pop_front();
            }
        }
        Ok(())
    }
}

/// Applies one edit to the reference map, cell by cell. The dense grid has rejected what a flat
/// map cannot hold.
fn apply(map: &mut Raster, edit: &GroundEdit) {
    let mut put = |x: i32, y: i32, terrain: Option<Terrain>| {
        // Cells outside the map are ignored.
        map.set(x, y, terrain);
    };
    match edit {
        GroundEdit::PutCell { cell, terrain } => put(cell.x, cell.y, Some(*terrain)),
        GroundEdit::RemoveCell { cell } if cell.z == 0 => put(cell.x, cell.y, None),
        GroundEdit::Fill { shape, terrain, .. } => {
            for at in shape.columns() {
                put(at.x, at.y, Some(*terrain));
            }
        }
        GroundEdit::Clear { shape, heights } if (heights.0..=heights.1).contains(&0) => {
            for at in shape.columns() {
                put(at.x, at.y, None);
            }
        }
        GroundEdit::Patch { at, z: 0, raster } => {
            for column in raster.rect().columns() {
                let terrain = raster.get(column.x, column.y);
                put(
                    at.x.saturating_add(column.x),
                    at.y.saturating_add(column.y),
                    terrain,
                );
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests;
