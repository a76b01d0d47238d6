//! Checks a path cell by cell, and an answer against the best there is.

use serde::Serialize;
use wayfarer::base::scenario::Expected;
use wayfarer::base::{Cell, Column, math};

use crate::any_angle;
use crate::engine::{EngineInfo, EngineResult, MovementRule, PathBuffer};
use crate::open_cells::OpenCells;
use crate::query::Case;

/// What is wrong with an answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fault {
    /// There is a path, the engine found none.
    Missing,
    /// There is no path, the engine gave one.
    Phantom,
    /// The path does not begin at the start or does not end at the goal.
    Ends,
    /// The path stands on a closed cell, or crosses one.
    Closed {
        /// Which.
        x: i32,
        /// Which.
        y: i32,
    },
    /// Two cells of the path do not touch.
    Gap {
        /// The cell before the gap.
        x: i32,
        /// The cell before the gap.
        y: i32,
    },
    /// A diagonal past a closed cell, or between two, though the engine's rule forbids it.
    Corner {
        /// The cell before the diagonal.
        x: i32,
        /// The cell before the diagonal.
        y: i32,
    },
    /// The path is longer than the engine promises.
    Long {
        /// Its length.
        found: f64,
        /// The optimum under the engine's rule.
        best: f64,
    },
    /// The path is shorter than any can be: the optimum or the rule is not what is believed.
    Short {
        /// Its length.
        found: f64,
        /// The optimum under the engine's rule.
        best: f64,
    },
    /// The engine states another length than its path has.
    Misstated {
        /// What it states.
        said: f64,
        /// What the path has.
        found: f64,
    },
    /// The engine claims to have proven more than is so.
    FalseProof {
        /// What the best measures at least, as it says.
        said: f64,
        /// The optimum under the engine's rule.
        best: f64,
    },
    /// The engine panicked.
    Panicked,
}

/// A path that holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Walked {
    /// Its length in cells.
    pub length: f64,
    /// Diagonals past a closed cell or between two.
    pub corners_cut: usize,
}

/// Walks `path` from `start` to `goal` under `rule`.
///
/// # Errors
/// The first fault met on the way.
pub fn walk(
    open: &OpenCells,
    rule: MovementRule,
    (start, goal): (Column, Column),
    path: &PathBuffer,
) -> Result<Walked, Fault> {
    if rule == MovementRule::AnyAngle {
        return any_angle::walk(open, (start, goal), &path.points);
    }
    let corners = match rule {
        MovementRule::Benchmark => Corners::Kept,
        _ => Corners::Cut,
    };
    let is_open = |at: Column| open.is_open(at);
    walk_cells(is_open, corners, (start.at(0), goal.at(0)), &path.cells)
}

/// What a diagonal may do at a closed cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Corners {
    /// It needs both straight neighbors open.
    Kept,
    /// It may pass one or slip between two; such steps are counted.
    Cut,
}

/// Walks `cells` over a flat map, from `start` to `goal`, both at height 0: every cell open, every
/// step to a neighbor.
///
/// # Errors
/// The first fault met on the way.
pub fn walk_cells(
    is_open: impl Fn(Column) -> bool,
    corners: Corners,
    (start, goal): (Cell, Cell),
    cells: &[Cell],
) -> Result<Walked, Fault> {
    if cells.first() != Some(&start) || cells.last() != Some(&goal) {
        return Err(Fault::Ends);
    }
    let is_closed = |cell: &&Cell| cell.z != 0 || !is_open(cell.column());
    if let Some(&Cell { x, y, .. }) = cells.iter().find(is_closed) {
        return Err(Fault::Closed { x, y });
    }
    let (mut n_straight, mut n_diagonal, mut corners_cut) = (0_u64, 0_u64, 0);
    for pair in cells.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        match (from.x.abs_diff(to.x), from.y.abs_diff(to.y)) {
            (1, 0) | (0, 1) => n_straight += 1,
            (1, 1) => {
                n_diagonal += 1;
                let around = [Column::new(to.x, from.y), Column::new(from.x, to.y)];
                if !around.iter().all(|&cell| is_open(cell)) {
                    if corners == Corners::Kept {
                        return Err(Fault::Corner {
                            x: from.x,
                            y: from.y,
                        });
                    }
                    corners_cut += 1;
                }
            }
            _ => {
                return Err(Fault::Gap {
                    x: from.x,
                    y: from.y,
                });
            }
        }
    }
    Ok(Walked {
        length: n_straight as f64 + n_diagonal as f64 * std::f64::consts::SQRT_2,
        corners_cut,
    })
}

/// Checks an answer to `case`: the path holds, it is there if and only if one exists, and its
/// length keeps what the engine promises. Gives the path walked, or `None` where there rightly is
/// none.
///
/// # Errors
/// The first fault found.
pub fn check(
    open: &OpenCells,
    about: &EngineInfo,
    case: &Case,
    result: EngineResult,
    path: &PathBuffer,
) -> Result<Option<Walked>, Fault> {
    let best = case.best(about.rule);
    if !result.found {
        return match best {
            None => Ok(None),
            Some(_) => Err(Fault::Missing),
        };
    }
    let walked = walk(open, about.rule, (case.start, case.goal), path)?;
    let Some(best) = best else {
        return Err(Fault::Phantom);
    };
    let found = walked.length;
    if let Some(said) = result.length
        && (said - found).abs() > Expected::tolerance(found)
    {
        return Err(Fault::Misstated { said, found });
    }
    let shortest = match about.rule {
        // No optimum at any angle is known; no way is shorter than the straight line.
        MovementRule::AnyAngle => math::length(
            f64::from(case.start.x) - f64::from(case.goal.x),
            f64::from(case.start.y) - f64::from(case.goal.y),
        ),
        MovementRule::Benchmark | MovementRule::CutsCorners => best,
    };
    if found < shortest - Expected::tolerance(shortest) {
        return Err(Fault::Short { found, best });
    }
    match about.bound {
        Some(bound) if found > best * bound + Expected::tolerance(best) => {
            Err(Fault::Long { found, best })
        }
        _ => Ok(Some(walked)),
    }
}

/// Checks what an engine says it has proven: that the best path of `case` measures at least
/// `at_least` cells.
///
/// # Errors
/// The best measures less.
pub fn check_proof(about: &EngineInfo, case: &Case, at_least: Option<f64>) -> Result<(), Fault> {
    match (at_least, case.best(about.rule)) {
        (Some(said), Some(best)) if said > best + Expected::tolerance(best) => {
            Err(Fault::FalseProof { said, best })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
