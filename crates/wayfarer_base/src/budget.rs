//! Search budgets and search statistics. Work is counted, never timed, so results are
//! reproducible.

/// Upper bounds on the work of one search or one advance of a session.
///
/// ```
/// use wayfarer_base::Budget;
/// let frame = Budget { expansions: 2_000, ..Budget::UNLIMITED };
/// assert!(frame.expansions < Budget::default().expansions);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Maximum number of node expansions. At least 1.
    pub expansions: u64,
    /// Maximum growth of scratch memory, in bytes.
    pub memory_bytes: u64,
}

impl Budget {
    /// No bounds.
    pub const UNLIMITED: Self = Self {
        expansions: u64::MAX,
        memory_bytes: u64::MAX,
    };

    /// A bound on expansions only.
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

/// The work done by a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchStats {
    /// Nodes expanded.
    pub expansions: u64,
    /// Pushes on the open list, duplicates included.
    pub pushes: u64,
}

impl std::ops::AddAssign for SearchStats {
    fn add_assign(&mut self, other: Self) {
        self.expansions += other.expansions;
        self.pushes += other.pushes;
    }
}
