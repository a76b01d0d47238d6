//! Refined paths as values.

use wayfarer_base::{Cell, Cost, Revision};

/// Expansions of a refinement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RefinementStats {
    /// Regions expanded for the abstract path.
    pub regions: u64,
    /// Cells expanded for all segments.
    pub cells: u64,
    /// Most cells expanded for one segment.
    pub max_segment: u64,
}

impl RefinementStats {
    /// Regions and cells expanded.
    pub fn expansions(self) -> u64 {
        self.regions + self.cells
    }
}

/// A path, as far as it is refined.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RefinedPath {
    /// Every cell from the start on, each one step or nav link from the previous one.
    pub cells: Vec<Cell>,
    /// Its cost.
    pub cost: Cost,
    /// The centers of the regions of the abstract path, start and goal included; empty without
    /// one.
    pub abstract_path: Vec<Cell>,
    /// The index in `cells` at which each segment ends.
    pub segments: Vec<usize>,
    /// The revision of the ground it was found at.
    pub revision: Revision,
    /// Expansions so far.
    pub stats: RefinementStats,
}
