//! [`WorldChanges`]: what a batch of edits changed, and cursors over the log of them.

use std::sync::Arc;

use wayfarer_engine as engine;
use wayfarer_engine::base::{Cell, Revision};

use crate::edit::{AirLinkId, CostAreaId, Edit, EditKind, HandleChange, LinkId, SolidId};
use crate::path::PathSubscription;
use crate::units::{Frame, Position};

/// What one batch of edits changed. Cloning counts a reference.
#[derive(Clone, Debug)]
pub struct WorldChanges {
    pub(crate) engine: Arc<engine::WorldChanges>,
    pub(crate) frame: Frame,
    pub(crate) handles: Arc<[HandleChange]>,
    /// The batch as it was applied: replicas apply it too.
    pub(crate) edits: Arc<[engine::Edit]>,
    /// The subscribed paths that it invalidated.
    pub(crate) invalidated: Arc<[PathSubscription]>,
    /// The last handle given.
    pub(crate) last_handle: u64,
}

impl WorldChanges {
    /// The revision before the batch.
    pub fn before(&self) -> Revision {
        self.engine.before
    }

    /// The revision after the batch.
    pub fn revision(&self) -> Revision {
        self.engine.after
    }

    /// True if the batch changed nothing but the revision.
    pub fn is_empty(&self) -> bool {
        self.engine.is_empty()
    }

    /// The subscribed paths that the batch invalidated, by subscription.
    pub fn invalidated(&self) -> &[PathSubscription] {
        &self.invalidated
    }

    /// The solids that the batch placed, by id.
    pub fn new_solids(&self) -> impl Iterator<Item = SolidId> {
        self.engine.new_solids()
    }

    /// The links that the batch added, in its order.
    pub fn new_links(&self) -> impl Iterator<Item = LinkId> {
        self.handles.iter().filter_map(|change| match change {
            HandleChange::Link(id, _, true) => Some(*id),
            _ => None,
        })
    }

    /// The cost areas that the batch added, in its order.
    pub fn new_cost_areas(&self) -> impl Iterator<Item = CostAreaId> {
        self.handles.iter().filter_map(|change| match change {
            HandleChange::CostArea(id, true) => Some(*id),
            _ => None,
        })
    }

    /// The air links that the batch added, in its order.
    pub fn new_air_links(&self) -> impl Iterator<Item = AirLinkId> {
        self.handles.iter().filter_map(|change| match change {
            HandleChange::AirLink(id, _, true) => Some(*id),
            _ => None,
        })
    }

    /// The edits that restore the state before the batch. What it removed comes back under its id.
    pub fn inverse(&self) -> Vec<Edit> {
        let handles = self.handles.iter().rev().map(|change| change.inverse());
        vec![Edit(EditKind::Restore {
            edits: self.engine.inverse(),
            handles: handles.collect(),
        })]
    }

    /// Pairs of places of the default agent type that the batch cut off from each other, one pair
    /// per new area.
    pub fn split(&self) -> Vec<(Position, Position)> {
        self.pairs(self.engine.split_pairs())
    }

    /// Pairs of places of the default agent type that the batch joined, one pair per former area.
    pub fn merged(&self) -> Vec<(Position, Position)> {
        self.pairs(self.engine.merged_pairs())
    }

    fn pairs(&self, pairs: &[(Cell, Cell)]) -> Vec<(Position, Position)> {
        let at = |cell: Cell| self.frame.position_of(cell.into());
        pairs.iter().map(|(a, b)| (at(*a), at(*b))).collect()
    }
}

/// The change log no longer holds all changes since a cursor: read the whole state again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the change log no longer reaches back to the cursor")]
pub struct Lagged;

/// A listener's position in the change log; see
/// [`World::poll_changes`](crate::World::poll_changes).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ChangeCursor {
    pub(crate) revision: Revision,
}
