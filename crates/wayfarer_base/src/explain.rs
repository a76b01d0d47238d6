//! Why there was no way: what the search met, and what would open one.

use crate::{Cost, Place};

/// An explanation of a search that did not reach its goal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explain {
    /// Places reached from which nothing further could be reached, nearest to the goal first.
    pub frontier: Vec<Place>,
    /// The blocked step that would have been cheapest to take.
    pub cheapest_blocked: Option<BlockedStep>,
    /// What could be opened to let the agent through, cheapest first.
    pub openers: Vec<Opener>,
}

/// A step that could not be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockedStep {
    /// Where one stood.
    pub from: Place,
    /// Where one could not go.
    pub to: Place,
    /// Least cost of a whole way if it were open.
    pub cost: Cost,
    /// What stands in the way.
    pub because: &'static str,
}

/// Something that would open a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opener {
    /// Where it is.
    pub at: Place,
    /// What it is: a door, a passage, a wall.
    pub what: &'static str,
}
