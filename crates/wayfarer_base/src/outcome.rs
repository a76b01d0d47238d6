//! What came of a question: found, part of the way, no way, out of budget; or why it was refused.

use thiserror::Error;

use crate::{Location, SearchStats};

/// The answer to a path request; `P` is the path type of the part of the world that was asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome<P> {
    /// A whole path.
    Found(P),
    /// A path that ends short of the goal, and why; given only if the request allows it.
    Partial {
        /// The way to the place nearest to the goal.
        best: P,
        /// Why it does not reach the goal.
        reason: PartialReason,
    },
    /// The budget ran out first.
    OutOfBudget {
        /// The way to the place that looked best so far.
        best: P,
        /// What was used.
        stats: SearchStats,
    },
    /// No path exists in this revision of the world.
    Unreachable {
        /// How that is known.
        proof: UnreachableProof,
        /// The way to the nearest reachable place, if that was asked for and found.
        nearest: Option<P>,
    },
}

impl<P> Outcome<P> {
    /// The whole path, if there is one.
    pub fn found(self) -> Option<P> {
        match self {
            Self::Found(path) => Some(path),
            _ => None,
        }
    }

    /// The path one can set out on: whole, partial or best so far.
    pub fn best(self) -> Option<P> {
        match self {
            Self::Found(path)
            | Self::Partial { best: path, .. }
            | Self::OutOfBudget { best: path, .. } => Some(path),
            Self::Unreachable { nearest, .. } => nearest,
        }
    }

    /// The same outcome with every path changed by `change`.
    pub fn map<Q>(self, mut change: impl FnMut(P) -> Q) -> Outcome<Q> {
        match self {
            Self::Found(path) => Outcome::Found(change(path)),
            Self::Partial { best, reason: why } => Outcome::Partial {
                best: change(best),
                reason: why,
            },
            Self::OutOfBudget { best, stats: spent } => Outcome::OutOfBudget {
                best: change(best),
                stats: spent,
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
    /// One cannot stand on the goal.
    GoalBlocked,
    /// The goal lies in another component.
    GoalUnreachable,
}

/// How it is known that there is no path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnreachableProof {
    /// Start and goal lie in different components: known without a search.
    DifferentComponents,
    /// The search went through all that can be reached.
    SearchExhausted,
}

/// Why a request was not even tried: the caller's fault, with the place and what was expected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// One cannot stand at the start.
    #[error("the start, {at}, cannot be stood on: {reason}")]
    StartBlocked {
        /// The start as asked.
        at: Location,
        /// What is there instead.
        reason: &'static str,
    },
    /// One cannot stand at the goal, and the request does not allow a partial path.
    #[error("the goal, {at}, cannot be stood on: {reason}")]
    GoalBlocked {
        /// The goal as asked.
        at: Location,
        /// What is there instead.
        reason: &'static str,
    },
    /// A number in the request is outside its limits.
    #[error("{what} is {found}, expected {expected}")]
    OutOfRange {
        /// Which number.
        what: &'static str,
        /// What it was.
        found: i64,
        /// What it may be.
        expected: &'static str,
    },
    /// The request is for a profile that the world does not know.
    #[error("the profile of the request is not registered, expected one that is")]
    UnknownProfile,
    /// The method asked for does not work here.
    #[error("method `{method}` cannot answer this: {reason}")]
    UnsupportedMethod {
        /// The method asked for.
        method: &'static str,
        /// Why not.
        reason: &'static str,
    },
}
