//! What changed, and when: every batch of edits gives a new revision and a change set.
//!
//! A change set lists the differences it made to the primary state, each with what was there
//! before, so that its inverse restores the world; and the sectors it touched, each with whether
//! moving there became easier or harder, so that a path can tell from the change sets since its
//! own revision whether it still holds.

use std::collections::VecDeque;
use std::fmt;

use crate::SectorId;

/// The state of a world after so many batches of edits; 0 is the world as it was made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Revision(pub u64);

impl Revision {
    /// The revision after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "revision {}", self.0)
    }
}

/// One thing that an edit made different: where, what was there, what is there now.
pub trait Difference: Clone {
    /// The difference that undoes this one.
    #[must_use]
    fn inverse(&self) -> Self;
}

/// Whether moving became easier (opened, cheaper), harder (closed, costlier), or either.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CostChange {
    /// Something opened or became cheaper; nothing closed.
    Decrease,
    /// Something closed or became costlier; nothing opened.
    Increase,
    /// Some of each.
    Mixed,
}

impl CostChange {
    /// What holds if both happen.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Decrease, Self::Decrease) => Self::Decrease,
            (Self::Increase, Self::Increase) => Self::Increase,
            _ => Self::Mixed,
        }
    }

    /// True if a way may have become shorter.
    pub const fn may_improve_paths(self) -> bool {
        !matches!(self, Self::Increase)
    }

    /// True if a way may have been cut or become costlier.
    pub const fn may_invalidate_paths(self) -> bool {
        !matches!(self, Self::Decrease)
    }
}

/// A sector that a change set touched; `P` is how the part of the world names its sectors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DirtySector<P = SectorId> {
    /// Which sector.
    pub sector: P,
    /// What became of moving there.
    pub cost_change: CostChange,
}

/// What one batch of edits changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangeSet<D, P = SectorId> {
    /// The revision the batch was applied to.
    pub before: Revision,
    /// The revision it made.
    pub after: Revision,
    /// What is different, in the order it was done; edits that changed nothing are left out.
    pub differences: Vec<D>,
    /// The sectors touched, in order, each once.
    pub dirty_sectors: Vec<DirtySector<P>>,
}

impl<D: Difference, P> ChangeSet<D, P> {
    /// The differences that restore the former state, in the order to apply them.
    pub fn inverse(&self) -> Vec<D> {
        self.differences.iter().rev().map(D::inverse).collect()
    }

    /// True if nothing is different.
    pub fn is_empty(&self) -> bool {
        self.differences.is_empty()
    }
}

/// The last change sets of a world, for whoever wants to know what happened since a revision.
///
/// Keeps a bounded number; who asks for longer ago is told that the answer is gone.
#[derive(Clone, Debug)]
pub struct ChangeLog<D, P = SectorId> {
    kept: VecDeque<ChangeSet<D, P>>,
    limit: usize,
    latest_revision: Revision,
}

impl<D, P> ChangeLog<D, P> {
    /// A log that keeps the last `limit` change sets, at least 1.
    pub fn new(limit: usize) -> Self {
        Self {
            kept: VecDeque::new(),
            limit: limit.max(1),
            latest_revision: Revision::default(),
        }
    }

    /// A log of a world that has a past of its own: it begins at `latest_revision`.
    pub fn starting_at(now: Revision, limit: usize) -> Self {
        Self {
            latest_revision: now,
            ..Self::new(limit)
        }
    }

    /// The newest revision.
    #[inline]
    pub fn latest_revision(&self) -> Revision {
        self.latest_revision
    }

    /// Adds the newest change set, which must follow the one before; gives it back to read.
    ///
    /// # Panics
    /// If `changes` does not begin where the log ends: a defect of the caller.
    pub fn push(&mut self, changes: ChangeSet<D, P>) -> &ChangeSet<D, P> {
        assert_eq!(
            changes.before, self.latest_revision,
            "change sets follow each other"
        );
        self.latest_revision = changes.after;
        if self.kept.len() == self.limit {
            self.kept.pop_front();
        }
        self.kept.push_back(changes);
        self.kept.back().expect("one was just added")
    }

    /// The change sets since `revision`, oldest first; `None` if they are no longer kept or if
    /// `revision` has not come yet.
    pub fn since(&self, revision: Revision) -> Option<impl Iterator<Item = &ChangeSet<D, P>>> {
        let behind = usize::try_from(self.latest_revision.0.checked_sub(revision.0)?).ok()?;
        let skipped = self.kept.len().checked_sub(behind)?;
        Some(self.kept.iter().skip(skipped))
    }
}

#[cfg(test)]
mod tests;
