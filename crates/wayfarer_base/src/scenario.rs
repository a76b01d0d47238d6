//! Problems to solve and traces of edits, with the answers that are expected.

use crate::{Cell, GroundEdit};

/// One path to find.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// Where to start.
    pub start: Cell,
    /// Where to go.
    pub goal: Cell,
    /// What is expected.
    pub expected: Expected,
}

/// What is expected of a path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Expected {
    /// The least length, in cells at cost multiplier 1.
    Length(f64),
    /// There is no path.
    Unreachable,
    /// Nobody has said.
    Unknown,
}

impl Expected {
    /// How far a length may be from the stated one: the benchmarks' own rounding.
    ///
    /// ```
    /// use wayfarer_base::scenario::Expected;
    /// assert_eq!(Expected::tolerance(10.0), 0.01);
    /// assert_eq!(Expected::tolerance(10_000.0), 0.1);
    /// ```
    pub fn tolerance(length: f64) -> f64 {
        (1e-5 * length).max(0.01)
    }

    /// True if the length found (`None`: no path) is the one expected.
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

/// A story of a world that changes: batches of edits and paths to find between them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EditTrace {
    /// In order.
    pub steps: Vec<TraceStep>,
}

/// One step of a trace.
#[derive(Clone, PartialEq, Debug)]
pub enum TraceStep {
    /// Edits to apply all at once.
    Batch(Vec<GroundEdit>),
    /// A path to find in the world as it is then.
    Query(Problem),
}
