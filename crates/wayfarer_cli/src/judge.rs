//! Judges answers on a flat map as it was read; shares nothing with the searches.

use wayfarer::base::{Cell, Expected, Outcome, Problem, Raster};
use wayfarer::search::dense::DensePath;

/// The length of `path` in cells, or what is wrong with it.
///
/// It must begin at `start`, end at `goal`, stand on walkable cells only, step to neighbours
/// only, and take a diagonal only where both straight neighbours are walkable.
pub(crate) fn walk(map: &Raster, start: Cell, goal: Cell, path: &[Cell]) -> Result<f64, String> {
    if path.first() != Some(&start) || path.last() != Some(&goal) {
        return Err("the path does not lead from the start to the goal".to_owned());
    }
    let open = |x: i32, y: i32| map.is_walkable(x, y);
    if let Some(cell) = path
        .iter()
        .find(|cell| cell.z != 0 || !open(cell.x, cell.y))
    {
        return Err(format!("the path stands on {cell}, which is blocked"));
    }
    let (mut straight, mut diagonal) = (0_u32, 0_u32);
    for step in path.windows(2) {
        let (from, to) = (step[0], step[1]);
        match (from.x.abs_diff(to.x), from.y.abs_diff(to.y)) {
            (1, 0) | (0, 1) => straight += 1,
            (1, 1) if open(from.x, to.y) && open(to.x, from.y) => diagonal += 1,
            (1, 1) => return Err(format!("the step from {from} to {to} cuts a corner")),
            _ => {
                return Err(format!(
                    "the step from {from} to {to} is not to a neighbour"
                ));
            }
        }
    }
    Ok(f64::from(straight) + f64::from(diagonal) * std::f64::consts::SQRT_2)
}

/// True if a path was found and is right, false if there rightly is none; or what is wrong.
pub(crate) fn judge(
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
        Expected::Unknown => "an expectation that nobody has cannot fail".to_owned(),
    })
}

#[cfg(test)]
mod tests;
