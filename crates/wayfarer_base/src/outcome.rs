//! Results of path requests, and the errors of invalid requests.

use thiserror::Error;

use crate::{Location, SearchStats};

/// The result of a valid path request; `P` is the path type of the domain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome<P> {
    /// A path to the goal.
    Found(P),
    /// A path that ends short of the goal; only if the request allows partial paths.
    Partial {
        /// The path to the reachable location nearest to the goal.
        best: P,
        /// Why the path does not reach the goal.
        reason: PartialReason,
    },
    /// The budget was exhausted before the search finished.
    OutOfBudget {
        /// The path to the best node so far.
        best: P,
        /// The work done.
        stats: SearchStats,
    },
    /// No path exists in this revision of the world.
    Unreachable {
        /// How it was established.
        proof: UnreachableProof,
        /// The path to the nearest reachable location, if requested and found.
        nearest: Option<P>,
    },
}

impl<P> Outcome<P> {
    /// The outcome of a search that met the limit of costs: [`UnreachableProof::CostLimit`].
    pub const BEYOND_COST_LIMIT: Self = Self::Unreachable {
        proof: UnreachableProof::CostLimit,
        nearest: None,
    };

    /// The path to the goal, if found.
    pub fn found(self) -> Option<P> {
        match self {
            Self::Found(path) => Some(path),
            _ => None,
        }
    }

    /// The best traversable path: complete, partial or best so far; `None` if unreachable without a
    /// nearest one.
    pub fn best(self) -> Option<P> {
        match self {
            Self::Found(path)
            | Self::Partial { best: path, .. }
            | Self::OutOfBudget { best: path, .. } => Some(path),
            Self::Unreachable { nearest, .. } => nearest,
        }
    }

    /// The same outcome with every path mapped by `change`.
    pub fn map<Q>(self, mut change: impl FnMut(P) -> Q) -> Outcome<Q> {
        match self {
            Self::Found(path) => Outcome::Found(change(path)),
            Self::Partial { best, reason: why } => Outcome::Partial {
                best: change(best),
                reason: why,
            },
            Self::OutOfBudget { best, stats } => Outcome::OutOfBudget {
                best: change(best),
                stats,
            },
            Self::Unreachable { proof, nearest } => Outcome::Unreachable {
                proof,
                nearest: nearest.map(change),
            },
        }
    }
}

/// Why a path ends short of its goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartialReason {
    /// The goal is blocked.
    GoalBlocked,
    /// The goal lies in another connected component.
    GoalUnreachable,
}

/// The proof that no path exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnreachableProof {
    /// Start and goal lie in different connected components; no search was needed.
    DifferentComponents,
    /// The search expanded everything reachable.
    SearchExhausted,
    /// Every path that remains costs [`Cost::MAX`](crate::Cost::MAX) or more, 2.9 million cells at
    /// multiplier 1. Whether one exists is not decided; a goal nearer by can be asked for.
    CostLimit,
}

/// An invalid request: location or parameter, and what was expected. No search was run.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The start is blocked: no agent of the profile fits there.
    #[error("the start, {at}, is blocked: {reason}")]
    StartBlocked {
        /// The requested start.
        at: Location,
        /// What blocks it.
        reason: &'static str,
    },
    /// The goal is blocked, and the request does not allow a partial path.
    #[error("the goal, {at}, is blocked: {reason}")]
    GoalBlocked {
        /// The requested goal.
        at: Location,
        /// What blocks it.
        reason: &'static str,
    },
    /// A parameter is out of range.
    #[error("{what} is {found}, expected {expected}")]
    OutOfRange {
        /// The parameter.
        what: &'static str,
        /// Its value.
        found: i64,
        /// The valid range.
        expected: &'static str,
    },
    /// The profile of the request is not registered with the world.
    #[error("the profile of the request is not registered, expected one that is")]
    UnknownProfile,
    /// The requested method does not support this request.
    #[error("method `{method}` does not support this request: {reason}")]
    UnsupportedMethod {
        /// The requested method.
        method: &'static str,
        /// The missing precondition.
        reason: &'static str,
    },
}
