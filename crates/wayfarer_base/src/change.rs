//! Revisions, change sets and the bounded change log (ADR 5).
//!
//! A batch of edits yields one change set and the next revision. The change set lists the
//! differences of the primary state with the previous values, so its inverse undoes the batch, and
//! the dirty sectors with the direction of the cost change. From the change sets since its own
//! revision a path derives its status without a search.

use std::collections::VecDeque;
use std::fmt;
use std::hash::Hasher;

use crate::{BatchDigest, SectorId};

/// A state of a world: the number of batches applied, and which batches they were.
///
/// Clones that apply the same batches have equal revisions on every platform; clones that diverge
/// differ in `branch` from then on, except with a probability of 2^-64. Ordered by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Revision {
    /// Batches applied; 0 is the initial state.
    pub number: u64,
    /// A digest of the initial state and of all batches.
    pub branch: u64,
}

impl Revision {
    /// Revision 0 of a world whose content has this digest.
    #[must_use]
    pub const fn initial(content: u64) -> Self {
        Self {
            number: 0,
            branch: content,
        }
    }

    /// The revision after a batch with this digest.
    #[must_use]
    pub fn next(self, batch: u64) -> Self {
        let mut digest = BatchDigest::default();
        digest.write_u64(self.branch);
        digest.write_u64(batch);
        Self {
            number: self.number + 1,
            branch: digest.finish(),
        }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "revision {}", self.number)
    }
}

/// One difference of the primary state: location, previous value, new value.
pub trait Difference: Clone {
    /// The difference that undoes this one.
    #[must_use]
    fn inverse(&self) -> Self;
}

/// The direction in which edge costs changed; a removed edge counts as infinitely costly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CostChange {
    /// Edges were added or became cheaper; none the reverse.
    Decrease,
    /// Edges were removed or became costlier; none the reverse.
    Increase,
    /// Both, or unknown.
    Mixed,
}

impl CostChange {
    /// The change that covers both.
    #[must_use]
    pub const fn combined_with(self, other: Self) -> Self {
        match (self, other) {
            (Self::Decrease, Self::Decrease) => Self::Decrease,
            (Self::Increase, Self::Increase) => Self::Increase,
            _ => Self::Mixed,
        }
    }

    /// True if a cheaper path may exist now.
    pub const fn may_improve_paths(self) -> bool {
        !matches!(self, Self::Increase)
    }

    /// True if an existing path may be blocked or costlier now.
    pub const fn may_invalidate_paths(self) -> bool {
        !matches!(self, Self::Decrease)
    }
}

/// A sector changed by a batch; `P` is the sector key of the domain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DirtySector<P = SectorId> {
    /// Key of the sector.
    pub sector: P,
    /// Direction of the cost change in it.
    pub cost_change: CostChange,
}

/// The effect of one batch of edits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangeSet<D, P = SectorId> {
    /// The revision the batch was applied to.
    pub before: Revision,
    /// The resulting revision.
    pub after: Revision,
    /// The differences in order of application; edits without effect contribute none.
    pub differences: Vec<D>,
    /// The dirty sectors, sorted, without duplicates.
    pub dirty_sectors: Vec<DirtySector<P>>,
}

impl<D: Difference, P> ChangeSet<D, P> {
    /// The differences that restore the previous state, in order of application.
    pub fn inverse(&self) -> Vec<D> {
        self.differences.iter().rev().map(D::inverse).collect()
    }

    /// True if the batch had no effect.
    pub fn is_empty(&self) -> bool {
        self.differences.is_empty()
    }
}

/// Ring buffer of the most recent change sets of a world.
#[derive(Clone, Debug)]
pub struct ChangeLog<D, P = SectorId> {
    entries: VecDeque<ChangeSet<D, P>>,
    capacity: usize,
    latest_revision: Revision,
    /// False until the branch is known: before the first change set.
    has_branch: bool,
}

impl<D, P> ChangeLog<D, P> {
    /// A log of the last `capacity` change sets, at least 1, starting at revision 0 of any branch.
    pub fn new(capacity: usize) -> Self {
        Self {
            entries: VecDeque::new(),
            capacity: capacity.max(1),
            latest_revision: Revision::default(),
            has_branch: false,
        }
    }

    /// An empty log of a world that is already at `revision`.
    pub fn starting_at(revision: Revision, capacity: usize) -> Self {
        Self {
            latest_revision: revision,
            has_branch: true,
            ..Self::new(capacity)
        }
    }

    /// Sets how many change sets are kept, at least 1; evicts the oldest beyond.
    pub fn set_capacity(&mut self, capacity: usize) {
        self.capacity = capacity.max(1);
        while self.entries.len() > self.capacity {
            self.entries.pop_front();
        }
    }

    /// The newest revision.
    #[inline]
    pub fn latest_revision(&self) -> Revision {
        self.latest_revision
    }

    /// Appends the newest change set and returns a reference to it; evicts the oldest when full.
    ///
    /// # Panics
    /// If `changes.before` is not the latest revision: a defect of the caller.
    pub fn push(&mut self, changes: ChangeSet<D, P>) -> &ChangeSet<D, P> {
        assert!(
            self.is_latest(changes.before),
            "change sets are consecutive: {:?} after {:?}",
            changes.before,
            self.latest_revision
        );
        self.latest_revision = changes.after;
        self.has_branch = true;
        if self.entries.len() >= self.capacity {
            self.entries.pop_front();
        }
        self.entries.push_back(changes);
        self.entries.back().expect("just pushed")
    }

    /// The change sets since `revision`, oldest first; `None` if some are evicted, or if `revision`
    /// is in the future or of another branch.
    pub fn since(&self, revision: Revision) -> Option<impl Iterator<Item = &ChangeSet<D, P>>> {
        let behind = self.latest_revision.number.checked_sub(revision.number)?;
        let n_skipped = self.entries.len().checked_sub(behind.try_into().ok()?)?;
        let is_known = match self.entries.get(n_skipped) {
            Some(next) => next.before == revision,
            None => self.is_latest(revision),
        };
        is_known.then(|| self.entries.iter().skip(n_skipped))
    }

    fn is_latest(&self, revision: Revision) -> bool {
        let latest = self.latest_revision;
        latest == revision || !self.has_branch && latest.number == revision.number
    }
}

#[cfg(test)]
mod tests;
