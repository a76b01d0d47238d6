//! A way that was planned in the large and refined piece by piece.

use wayfarer_base::{Cell, Cost, Revision};

/// How much was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RefinementStats {
    /// Regions expanded to find the way over regions.
    pub regions: u64,
    /// Cells expanded to refine it, in all.
    pub cells: u64,
    /// Cells expanded for the costliest piece.
    pub max_segment: u64,
}

impl RefinementStats {
    /// Everything expanded.
    pub fn expansions(self) -> u64 {
        self.regions + self.cells
    }
}

/// A way with its steps, as far as it is refined.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RefinedPath {
    /// Every cell from the start on, each one step or nav link from the one before.
    pub cells: Vec<Cell>,
    /// What it costs to walk.
    pub cost: Cost,
    /// The centers of the regions it was planned over, those of start and goal included; empty if
    /// start and goal lie so close that nothing was planned.
    pub abstract_path: Vec<Cell>,
    /// For each piece, the number of the cell in `cells` at which it ends.
    pub segments: Vec<usize>,
    /// The revision of the ground it was found at.
    pub revision: Revision,
    /// How much was looked at.
    pub work: RefinementStats,
}
