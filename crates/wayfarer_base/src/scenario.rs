//! Benchmark problems and edit traces with their expected results.

use crate::{Cell, GroundEdit};

/// One path query with its expected result.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// Start cell.
    pub start: Cell,
    /// Goal cell.
    pub goal: Cell,
    /// Expected result.
    pub expected: Expected,
}

/// The expected result of a path query.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Expected {
    /// The optimal length, in cells at multiplier 1.
    Length(f64),
    /// No path exists.
    Unreachable,
    /// Not stated.
    Unknown,
}

impl Expected {
    /// Allowed deviation from a stated length, in cells: the rounding of the benchmarks.
    ///
    /// ```
    /// use wayfarer_base::scenario::Expected;
    /// assert_eq!(Expected::tolerance(10.0), 0.01);
    /// assert_eq!(Expected::tolerance(10_000.0), 0.1);
    /// ```
    pub fn tolerance(length: f64) -> f64 {
        (1e-5 * length).max(0.01)
    }

    /// True if the length found, in cells (`None`: no path), is within [`Expected::tolerance`] of the
    /// expected one, or nothing is expected.
    pub fn matches(self, found: Option<f64>) -> bool {
        match (self, found) {
            (Self::Length(length), Some(found)) => {
                (length - found).abs() <= Self::tolerance(length)
            }
            (Self::Unreachable, None) | (Self::Unknown, _) => true,
            _ => false,
        }
    }
}

/// A sequence of edit batches with path queries in between.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EditTrace {
    /// The steps in order.
    pub steps: Vec<TraceStep>,
}

/// One step of an edit trace.
#[derive(Clone, PartialEq, Debug)]
pub enum TraceStep {
    /// Edits to apply atomically.
    Batch(Vec<GroundEdit>),
    /// A query against the state at this step.
    Query(Problem),
}
