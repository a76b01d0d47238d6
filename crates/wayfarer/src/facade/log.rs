//! The log of change sets, cursors over it, and replicas that follow it.

use wayfarer_engine as engine;
use wayfarer_engine::base::Revision;

use super::World;
use crate::changes::{ChangeCursor, Lagged, WorldChanges};
use crate::edit::HandleChange;
use crate::replica::Replica;

impl World {
    /// A cursor at the present revision, for [`World::poll_changes`].
    pub fn change_cursor(&self) -> ChangeCursor {
        ChangeCursor {
            revision: self.revision(),
        }
    }

    /// The change sets since the cursor was last polled, oldest first; advances the cursor.
    ///
    /// # Errors
    /// The log, which holds the last 64 batches, no longer reaches back to the cursor, or the cursor
    /// is of another world. The cursor is then at the present revision: read the whole state.
    pub fn poll_changes(&self, cursor: &mut ChangeCursor) -> Result<Vec<WorldChanges>, Lagged> {
        let since = std::mem::replace(&mut cursor.revision, self.revision());
        self.changes_since(since).ok_or(Lagged)
    }

    fn changes_since(&self, since: Revision) -> Option<Vec<WorldChanges>> {
        let newest = self.log.back().map(WorldChanges::revision);
        if since == self.revision() {
            return Some(Vec::new());
        }
        let first = self.log.iter().position(|set| set.before() == since)?;
        let is_complete = newest == Some(self.revision());
        is_complete.then(|| self.log.range(first..).cloned().collect())
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
        let changes = WorldChanges {
            edits: edits.as_slice().into(),
            engine: self.engine.apply(edits)?,
            frame: self.frame,
            handles: handles.into(),
            last_handle,
        };
        handles
            .iter()
            .for_each(|change| self.handles.change(*change));
        self.handles.next = last_handle;
        if self.log.len() == engine::World::CHANGE_LOG_CAPACITY {
            self.log.pop_front();
        }
        // A batch that was not logged leaves a gap that no cursor may cross.
        let newest = self.log.back().map(WorldChanges::revision);
        if newest.is_some_and(|newest| newest != changes.before()) {
            self.log.clear();
        }
        self.log.push_back(changes.clone());
        Ok(changes)
    }

    /// Applies edits in the engine's units.
    #[cfg(test)]
    pub(crate) fn apply_engine(&mut self, edits: Vec<engine::Edit>) -> WorldChanges {
        let applied = self.apply_logged(edits, &[], self.handles.next);
        applied.expect("the edits are valid")
    }
}
