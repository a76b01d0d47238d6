//! Why there was no way: what the search met, and what would open one.

use crate::{Cost, Location};

/// An explanation of a search that did not reach its goal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explanation {
    /// Places reached from which nothing further could be reached, nearest to the goal first.
    pub frontier: Vec<Location>,
    /// The blocked step that would have been cheapest to take.
    pub cheapest_blocked: Option<BlockedStep>,
    /// What could be opened to let the agent through, cheapest first.
    pub unblock_options: Vec<UnblockOption>,
}

/// A step that could not be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockedStep {
    /// Where one stood.
    pub from: Location,
    /// Where one could not go.
    pub to: Location,
    /// Least cost of a whole way if it were open.
    pub cost: Cost,
    /// What stands in the way.
    pub reason: &'static str,
}

/// Something that would open a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnblockOption {
    /// Where it is.
    pub at: Location,
    /// What it is: a door, a nav link, a wall.
    pub what: &'static str,
}
