//! Validity of a path after edits, derived from change sets without a search.

use crate::Location;

/// The validity of a path in the current revision of its world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathStatus {
    /// Traversable at its cost; no edit could have opened a cheaper path.
    Valid,
    /// Traversable at its cost; a cheaper path may exist.
    MaybeSuboptimal,
    /// No longer traversable at its cost.
    Invalid {
        /// Index of the first invalid leg.
        leg: usize,
        /// Location of the first invalid step.
        at: Location,
    },
    /// The change log no longer reaches back to the revision of the path, or the path is of another
    /// branch: a clone that diverged; search again.
    Unknown,
}

impl PathStatus {
    /// True if the path is traversable at its cost.
    pub const fn is_walkable(self) -> bool {
        matches!(self, Self::Valid | Self::MaybeSuboptimal)
    }
}
