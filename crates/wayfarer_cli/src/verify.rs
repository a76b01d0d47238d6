//! Verifies results on a flat map as it was read; shares no code with the searches.

use wayfarer_engine::base::{Cell, Column, Expected, Outcome, Problem, Raster};
use wayfarer_engine::search::dense::DensePath;
use wayfarer_measure::check::{Corners, PathFault, walk_cells};

/// Walks `path`; its length in cells.
///
/// # Errors
/// It does not lead from `start` to `goal`, leaves the walkable cells, or takes a step that is not
/// to a neighbor or cuts a corner.
pub(crate) fn walk(map: &Raster, start: Cell, goal: Cell, path: &[Cell]) -> Result<f64, String> {
    let is_open = |at: Column| map.is_walkable(at.x, at.y);
    match walk_cells(is_open, Corners::Kept, (start, goal), path) {
        Ok(walked) => Ok(walked.length),
        Err(PathFault::Closed { x, y }) => {
            Err(format!("the path stands on {x},{y}, which is blocked"))
        }
        Err(PathFault::Corner { x, y }) => Err(format!("the step after {x},{y} cuts a corner")),
        Err(PathFault::Gap { x, y }) => Err(format!("the step after {x},{y} is not to a neighbor")),
        Err(PathFault::Ends) => Err("the path does not lead from the start to the goal".to_owned()),
    }
}

/// Compares an outcome with what the problem expects; true if it is a path.
///
/// # Errors
/// What is wrong.
pub(crate) fn verify(
    map: &Raster,
    problem: &Problem,
    outcome: &Outcome<DensePath>,
) -> Result<bool, String> {
    let found = match outcome {
        Outcome::Found(path) => {
            let walked = walk(map, problem.start, problem.goal, &path.cells)?;
            let said = path.cost.to_cells();
            if (said - walked).abs() > 1e-5 * walked.max(1.0) {
                return Err(format!(
                    "the cost says {said:.5}, the path is {walked:.5} long"
                ));
            }
            Some(walked)
        }
        Outcome::Unreachable { .. } => None,
        Outcome::Partial { .. } | Outcome::OutOfBudget { .. } => {
            return Err("the search gave up".to_owned());
        }
    };
    if problem.expected.matches(found) {
        return Ok(found.is_some());
    }
    let found = found.map_or("no path".to_owned(), |found| format!("{found:.5}"));
    Err(match problem.expected {
        Expected::Length(length) => format!("found {found}, the file says {length}"),
        Expected::Unreachable => format!("found {found}, the file says there is no path"),
        Expected::Unknown => "an unknown expectation matches every result".to_owned(),
    })
}

#[cfg(test)]
mod tests;
