//! The log of change sets, cursors over it, and replicas that follow it.
//!
//! Consecutive batches that only move bodies are one entry, which knows the bodies that moved and
//! where they were before: moves take no place from edits. Where they are now is read when the log is.

use std::collections::VecDeque;
use std::sync::Arc;

use wayfarer_engine as engine;
use wayfarer_engine::base::{Fixed, Point2, Revision};
use wayfarer_engine::{BodyDifference, BodyEdit};

use super::World;
use crate::body::BodyId;
use crate::changes::{ChangeCursor, Lagged, WorldChanges};
use crate::edit::HandleChange;
use crate::replica::Replica;

/// Most batches of moves in one entry.
const MAX_MERGED: usize = 4_096;

/// The last change sets of a world.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    entries: VecDeque<Entry>,
    capacity: usize,
}

#[derive(Clone, Debug)]
enum Entry {
    Edits(WorldChanges),
    Moves(Moves),
}

/// Consecutive batches that only moved bodies, more than one.
#[derive(Clone, Debug)]
struct Moves {
    /// The revisions before each batch.
    before: Vec<Revision>,
    after: Revision,
    /// The bodies that moved, by id, and where they were.
    moved: Vec<(BodyId, (Point2, Fixed))>,
    /// A change set of the batches, for what is the same in all.
    last: WorldChanges,
}

impl Default for Log {
    fn default() -> Self {
        Self {
            entries: VecDeque::new(),
            capacity: engine::World::CHANGE_LOG_CAPACITY,
        }
    }
}

impl Entry {
    fn after(&self) -> Revision {
        match self {
            Self::Edits(changes) => changes.revision(),
            Self::Moves(moves) => moves.after,
        }
    }

    fn is_before(&self, revision: Revision) -> bool {
        match self {
            Self::Edits(changes) => changes.before() == revision,
            Self::Moves(moves) => moves.before.contains(&revision),
        }
    }
}

/// True if a batch only moved bodies.
fn is_moves(changes: &WorldChanges) -> bool {
    let is_move = |edit: &engine::Edit| {
        use BodyEdit::{MoveAll, MoveTo, SetHeight, Teleport};
        let engine::Edit::Body(edit) = edit else {
            return false;
        };
        matches!(
            edit,
            MoveTo { .. } | Teleport { .. } | SetHeight { .. } | MoveAll(_)
        )
    };
    let has_ground = changes.engine.ground.is_some();
    !has_ground && !changes.edits.is_empty() && changes.edits.iter().all(is_move)
}

/// The bodies that a batch moved and where they were.
fn moves_of(changes: &WorldChanges) -> impl Iterator<Item = (BodyId, (Point2, Fixed))> + '_ {
    let bodies = changes.engine.bodies.iter();
    bodies.filter_map(|difference| match difference {
        BodyDifference::Moved { id, from, .. } => Some((*id, *from)),
        _ => None,
    })
}

/// Adds the bodies of the next batch; where one was is known from the first. Both are sorted by id if
/// the batch was, as those of a crowd are: then they are walked side by side.
fn add_moved(
    all: &mut Vec<(BodyId, (Point2, Fixed))>,
    next: impl Iterator<Item = (BodyId, (Point2, Fixed))>,
) {
    let id = |(id, _): &(BodyId, _)| *id;
    let mut at = 0;
    let mut is_known = |one: &(BodyId, _)| {
        let is_behind = |other: &(BodyId, _)| other.0 < one.0;
        if at > 0 && !is_behind(&all[at - 1]) {
            return all.binary_search_by_key(&one.0, id).is_ok();
        }
        while all.get(at).is_some_and(is_behind) {
            at += 1;
        }
        all.get(at).is_some_and(|other| other.0 == one.0)
    };
    let mut new = Vec::new();
    for one in next {
        if !is_known(&one) {
            new.push(one);
        }
    }
    if !new.is_empty() {
        all.extend(new);
        all.sort_unstable_by_key(id);
    }
}

impl Log {
    /// Forgets all change sets, after a change that is in none.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    fn push(&mut self, changes: &WorldChanges) {
        // A batch that was not logged leaves a gap that no cursor may cross.
        let newest = self.entries.back().map(Entry::after);
        if newest.is_some_and(|newest| newest != changes.before()) {
            self.entries.clear();
        }
        if is_moves(changes)
            && let Some(last) = self.entries.back_mut()
            && last.add_moves(changes)
        {
            return;
        }
        while self.entries.len() >= self.capacity {
            self.entries.pop_front();
        }
        self.entries.push_back(Entry::Edits(changes.clone()));
    }
}

impl Entry {
    /// Adds a batch of moves to an entry of moves; false if this is none, or is full.
    fn add_moves(&mut self, changes: &WorldChanges) -> bool {
        if let Self::Edits(first) = self {
            if !is_moves(first) {
                return false;
            }
            let moved = moves_of(first).collect();
            *self = Self::Moves(Moves {
                before: vec![first.before()],
                after: first.revision(),
                moved,
                last: first.clone(),
            });
        }
        let Self::Moves(moves) = self else {
            return false;
        };
        if moves.before.len() >= MAX_MERGED {
            return false;
        }
        add_moved(&mut moves.moved, moves_of(changes));
        moves.before.push(changes.before());
        moves.after = changes.revision();
        moves.last = changes.clone();
        true
    }

    /// The change set as it is now, since a revision within it.
    fn changes(&self, world: &engine::World, since: Revision) -> WorldChanges {
        let moves = match self {
            Self::Edits(changes) => return changes.clone(),
            Self::Moves(moves) => moves,
        };
        let mut edits = Vec::with_capacity(2 * moves.moved.len());
        let mut bodies = Vec::with_capacity(moves.moved.len());
        for &(id, from) in &moves.moved {
            // A body that was removed since: a later change set says so.
            let Ok(body) = world.bodies().body(id) else {
                continue;
            };
            let (to, z) = (body.position, body.z);
            edits.push(engine::Edit::Body(BodyEdit::Teleport { id, to }));
            edits.push(engine::Edit::Body(BodyEdit::SetHeight { id, z }));
            let to = (to, z);
            bodies.push(BodyDifference::Moved { id, from, to });
        }
        let begin = moves.before.iter().position(|before| *before == since);
        WorldChanges {
            engine: Arc::new(engine::WorldChanges {
                before: moves.before[begin.unwrap_or(0)],
                after: moves.after,
                bodies,
                ..(*moves.last.engine).clone()
            }),
            edits: edits.into(),
            ..moves.last.clone()
        }
    }
}

impl World {
    /// A cursor at the present revision, for [`World::poll_changes`].
    pub fn change_cursor(&self) -> ChangeCursor {
        ChangeCursor {
            revision: self.revision(),
        }
    }

    /// Sets how many change sets the log holds, at least 1; 64 at first. What is older than the log
    /// is checked by itself, which takes longer: paths, planners, flow fields. Batches that only move
    /// bodies take no place.
    pub fn set_change_log_capacity(&mut self, capacity: usize) {
        let capacity = capacity.max(1);
        self.engine.set_change_log_capacity(capacity);
        self.log.capacity = capacity;
        while self.log.entries.len() > capacity {
            self.log.entries.pop_front();
        }
    }

    /// How many change sets the log holds.
    pub const fn change_log_capacity(&self) -> usize {
        self.log.capacity
    }

    /// The change sets since the cursor was last polled, oldest first; advances the cursor.
    /// Consecutive batches that only moved bodies are one set, with the last position of each.
    ///
    /// # Errors
    /// The log no longer reaches back to the cursor, or the cursor is of another world. The cursor is
    /// then at the present revision: read the whole state.
    pub fn poll_changes(&self, cursor: &mut ChangeCursor) -> Result<Vec<WorldChanges>, Lagged> {
        let since = std::mem::replace(&mut cursor.revision, self.revision());
        self.changes_since(since).ok_or(Lagged)
    }

    /// The change set of the last batch, exactly as it was applied: moves of bodies are not merged.
    /// `None` if the log was cleared since. [`WorldChanges::save`] makes it the record of a log that
    /// other processes follow.
    pub fn last_changes(&self) -> Option<&WorldChanges> {
        let last = match self.log.entries.back()? {
            Entry::Edits(changes) => changes,
            Entry::Moves(moves) => &moves.last,
        };
        (last.revision() == self.revision()).then_some(last)
    }

    pub(crate) fn changes_since(&self, since: Revision) -> Option<Vec<WorldChanges>> {
        if since == self.revision() {
            return Some(Vec::new());
        }
        let entries = &self.log.entries;
        let newest = entries.back().map(Entry::after);
        let first = entries.iter().rposition(|entry| entry.is_before(since))?;
        let changes = |entry: &Entry| entry.changes(&self.engine, since);
        let is_complete = newest == Some(self.revision());
        is_complete.then(|| entries.range(first..).map(changes).collect())
    }

    /// A copy of the world that follows its change sets, for queries on another thread. Takes time
    /// and memory in the size of the world.
    pub fn replica(&self) -> Replica {
        Replica::new(self.clone())
    }

    /// Applies a batch in the engine's units with its changes of handles, and logs it.
    pub(crate) fn apply_logged(
        &mut self,
        edits: Vec<engine::Edit>,
        handles: &[HandleChange],
        last_handle: u64,
    ) -> Result<WorldChanges, engine::EditError> {
        let logged = edits.as_slice().into();
        let engine = self.engine.apply(edits)?;
        let changes = WorldChanges {
            edits: logged,
            invalidated: self.report_invalidated(&engine).into(),
            engine,
            frame: self.frame,
            handles: handles.into(),
            last_handle,
        };
        handles
            .iter()
            .for_each(|change| self.handles.change(*change));
        self.handles.next = last_handle;
        self.log.push(&changes);
        Ok(changes)
    }

    /// Applies a change set of the world that this one is a copy of, and takes over its revision.
    pub(crate) fn follow(&mut self, set: &WorldChanges) -> Result<(), engine::EditError> {
        let edits = set.edits.to_vec();
        let followed = self.follow_batch(edits, &set.handles, set.last_handle, set.revision());
        followed.map(|_| ())
    }

    /// Applies a batch of the world that this one is a copy of, and takes over the revision after it.
    pub(crate) fn follow_batch(
        &mut self,
        edits: Vec<engine::Edit>,
        handles: &[HandleChange],
        last_handle: u64,
        after: Revision,
    ) -> Result<WorldChanges, engine::EditError> {
        let before = self.revision();
        let applied = self.apply_logged(edits, handles, last_handle)?;
        if applied.revision() == after {
            return Ok(applied);
        }
        self.engine.adopt_revision(after);
        self.log.entries.pop_back();
        let engine = engine::WorldChanges {
            before,
            after,
            ..(*applied.engine).clone()
        };
        let adopted = WorldChanges {
            engine: Arc::new(engine),
            ..applied
        };
        self.log.push(&adopted);
        Ok(adopted)
    }

    /// Applies edits in the engine's units.
    #[cfg(test)]
    pub(crate) fn apply_engine(&mut self, edits: Vec<engine::Edit>) -> WorldChanges {
        let applied = self.apply_logged(edits, &[], self.handles.next);
        applied.expect("the edits are valid")
    }
}
