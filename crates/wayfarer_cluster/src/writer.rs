//! The world that edits go to, and the records that they become.

use wayfarer::World;

use crate::follower::Follower;
use crate::protocol::{EditRequest, EditResult, ErrorKind, Failure, write, write_failure};
use crate::record::{EditIds, Record, Snapshot};

/// The writer's world: one batch ahead of the log while a proposal is in progress.
///
/// A proposal counts once the log has accepted its record. If the log refuses it, or does not say, the
/// world is ahead of the log for good: drop the writer and load it again.
#[derive(Clone, Debug)]
pub struct Writer {
    world: World,
    ids: EditIds,
    hash_every: u64,
}

/// A batch that was applied in memory and is to be appended to the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// The bytes of its record.
    pub record: Vec<u8>,
    /// The message id: equal for repeats of this proposal only.
    pub message_id: String,
    /// The response to send once the log has accepted the record.
    pub response: Vec<u8>,
    /// The revision that it leads to.
    pub revision: u64,
    id: Option<String>,
}

impl Writer {
    /// A writer at the state of a follower that has the whole log. Every `hash_every`-th batch, at least
    /// 1, carries the hash of the world.
    pub fn new(follower: &Follower, hash_every: u64) -> Self {
        Self {
            world: follower.world().clone(),
            ids: follower.ids().clone(),
            hash_every: hash_every.max(1),
        }
    }

    /// The world, with proposals in progress.
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// Applies a request for edits in memory.
    ///
    /// # Errors
    /// The response to send at once: the request is malformed, the world rejects it, or it is a
    /// repeat of one that was accepted.
    pub fn propose(&mut self, request: &[u8]) -> Result<Proposal, Vec<u8>> {
        let refuse = |failure| write_failure(Some(self.world.revision()), failure);
        let request = EditRequest::read(request).map_err(refuse)?;
        let known = request.id.as_deref().and_then(|id| self.ids.revision(id));
        if known.is_some() {
            let repeated = EditResult {
                repeated: true,
                ..EditResult::default()
            };
            return Err(write(Some(self.world.revision()), Ok(repeated)));
        }
        let before = self.world.revision();
        let result = match request.apply(&mut self.world) {
            Ok(result) => result,
            Err(failure) => return Err(write_failure(Some(self.world.revision()), failure)),
        };
        let revision = self.world.revision();
        let changes = self.world.last_changes();
        let Some(changes) = changes.filter(|changes| changes.before() == before) else {
            // A request that is no batch, such as moves of no body.
            return Err(write(Some(revision), Ok(result)));
        };
        let changes = changes.save();
        let is_checked = revision.number.is_multiple_of(self.hash_every);
        let record = Record::Batch {
            id: request.id.clone(),
            hash: is_checked.then(|| self.world.hash()),
            changes,
        };
        Ok(Proposal {
            record: record.to_bytes(),
            message_id: format!("{}-{:016x}", revision.number, revision.branch),
            response: write(Some(revision), Ok(result)),
            revision: revision.number,
            id: request.id,
        })
    }

    /// Takes note that the log has accepted a proposal.
    pub fn accept(&mut self, proposal: &Proposal) {
        if let Some(id) = &proposal.id {
            self.ids.add(id, proposal.revision);
        }
    }

    /// The snapshot of the world, whose last record has this sequence number.
    pub fn snapshot(&self, sequence: u64) -> Snapshot {
        Snapshot {
            sequence,
            ids: self.ids.clone(),
            world: self.world.save(),
        }
    }
}

/// The response of a process that takes no edits.
#[cfg(feature = "nats")]
pub(crate) fn no_writer(reason: &str) -> Vec<u8> {
    write_failure(None, Failure::new(ErrorKind::NotWriter, reason))
}

/// The response to an edit that the log did not confirm.
pub(crate) fn unavailable(reason: &str) -> Vec<u8> {
    write_failure(None, Failure::new(ErrorKind::Unavailable, reason))
}

#[cfg(test)]
mod tests;
