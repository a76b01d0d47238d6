//! Paths on a flat grid.

use wayfarer_base::{Cell, Cost};

/// A path over a dense ground.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DensePath {
    /// Every cell from start to end, both included; each is one step from the one before.
    pub cells: Vec<Cell>,
    /// Its cost.
    pub cost: Cost,
    /// Cells expanded by the search.
    pub expansions: u64,
}
