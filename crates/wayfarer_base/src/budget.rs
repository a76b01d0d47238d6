//! How much a question may cost, and how much it did cost.

/// The most that a search may do before it must answer.
///
/// ```
/// use wayfarer_base::Budget;
/// let frame = Budget { expansions: 2_000, ..Budget::UNLIMITED };
/// assert!(frame.expansions < Budget::default().expansions);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Nodes to expand. At least 1, or nothing can be answered.
    pub expansions: u64,
    /// Bytes that scratch may take beyond what it already has.
    pub memory_bytes: u64,
}

impl Budget {
    /// No limit.
    pub const UNLIMITED: Self = Self {
        expansions: u64::MAX,
        memory_bytes: u64::MAX,
    };

    /// A limit on expansions alone.
    pub const fn expansions(expansions: u64) -> Self {
        Self {
            expansions,
            ..Self::UNLIMITED
        }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::UNLIMITED
    }
}

/// What a search has used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchStats {
    /// Nodes expanded.
    pub expansions: u64,
    /// Nodes put on the open list, repeats included.
    pub pushes: u64,
}

impl std::ops::AddAssign for SearchStats {
    fn add_assign(&mut self, more: Self) {
        self.expansions += more.expansions;
        self.pushes += more.pushes;
    }
}
