//! Diagnosis of an unreachable goal: frontier, cheapest blocked step, options to unblock.

use crate::{Cost, Location};

/// Why a search did not reach its goal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explanation {
    /// Reached locations next to blocked steps, nearest to the goal first.
    pub frontier: Vec<Location>,
    /// The blocked step with the lowest cost bound of a path through it.
    pub cheapest_blocked: Option<BlockedStep>,
    /// What to open for a path to exist, cheapest first.
    pub unblock_options: Vec<UnblockOption>,
}

/// A step that is not traversable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockedStep {
    /// Reached location.
    pub from: Location,
    /// Blocked location.
    pub to: Location,
    /// Lower bound of the cost of a path through the step if it were open.
    pub cost: Cost,
    /// What blocks the step.
    pub reason: &'static str,
}

/// An obstruction whose removal opens a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnblockOption {
    /// Its location.
    pub at: Location,
    /// Its kind: a door, a nav link, a wall.
    pub what: &'static str,
}
