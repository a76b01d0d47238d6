//! Checks a path cell by cell, and a result against the optimum.

use serde::Serialize;
use wayfarer_engine::base::scenario::Expected;
use wayfarer_engine::base::{Column, math};
use wayfarer_measure::check::{Corners, PathFault, Walked, walk_cells};

use crate::any_angle;
use crate::engine::{EngineInfo, EngineResult, MovementRule, PathBuffer};
use crate::open_cells::OpenCells;
use crate::query::Case;

/// The fault of a result.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fault {
    /// There is a path, the engine found none.
    Missing,
    /// There is no path, the engine gave one.
    Phantom,
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
        #[serde(rename = "said")]
        stated: f64,
        /// What the path has.
        found: f64,
    },
    /// The engine claims to have proven more than is so.
    FalseProof {
        /// The stated lower bound.
        #[serde(rename = "said")]
        stated: f64,
        /// The optimum under the engine's rule.
        best: f64,
    },
    /// The engine panicked.
    Panicked,
    /// The path is invalid.
    #[serde(untagged)]
    Path(PathFault),
}

impl From<PathFault> for Fault {
    fn from(fault: PathFault) -> Self {
        Self::Path(fault)
    }
}

/// Walks `path` from `start` to `goal` under `rule`.
///
/// # Errors
/// The first fault along the path.
pub fn walk(
    open: &OpenCells,
    rule: MovementRule,
    (start, goal): (Column, Column),
    path: &PathBuffer,
) -> Result<Walked, PathFault> {
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

/// Checks a result of `case`: the path holds, it is there if and only if one exists, and its
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
    if let Some(stated) = result.length
        && (stated - found).abs() > Expected::tolerance(found)
    {
        return Err(Fault::Misstated { stated, found });
    }
    let shortest = match about.rule {
        // No optimum at any angle is known; no path is shorter than the straight line.
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

/// Checks the lower bound of an engine: that the optimal path of `case` measures at least
/// `at_least` cells.
///
/// # Errors
/// The best measures less.
pub fn check_proof(about: &EngineInfo, case: &Case, at_least: Option<f64>) -> Result<(), Fault> {
    match (at_least, case.best(about.rule)) {
        (Some(stated), Some(best)) if stated > best + Expected::tolerance(best) => {
            Err(Fault::FalseProof { stated, best })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
