//! Whether a path found earlier still holds.

use crate::Location;

/// What the change sets since a path was found mean for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathStatus {
    /// It can still be walked at the same cost, and nothing opened that could shorten it.
    Valid,
    /// It can still be walked, but a shorter way may have opened.
    MaybeSuboptimal,
    /// It can no longer be walked, or not at its cost multiplier.
    Invalid {
        /// The first leg that broke, from 0.
        leg: usize,
        /// Where.
        at: Location,
    },
    /// The world no longer remembers what changed since; ask for a new path.
    Unknown,
}

impl PathStatus {
    /// True if the path can be walked as it is.
    pub const fn is_walkable(self) -> bool {
        matches!(self, Self::Valid | Self::MaybeSuboptimal)
    }
}
