//! A replica that follows the log, each record exactly once.

use wayfarer::{LoadError, Replica, Revision, SyncError, World};

use crate::record::{EditIds, Record, Snapshot};

/// What a record did to a follower.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Followed {
    /// It was applied. If it states a hash, [`Follower::is_hash`] is to be asked about it.
    Applied {
        /// The revision after it.
        revision: Revision,
        /// The hash that the world must have now.
        hash: Option<u64>,
    },
    /// It is older than the replica, and was ignored.
    Repeated,
    /// A writer took over.
    Claimed {
        /// Its name.
        writer: String,
    },
    /// Records are missing before it: fetch them.
    Gap {
        /// The revision of the replica.
        at: u64,
        /// The revision before the record.
        found: u64,
    },
    /// The replica is no copy of the writer's world: load a snapshot.
    Diverged {
        /// How that showed.
        reason: String,
    },
}

/// A replica and its place in the log.
#[derive(Clone, Debug)]
pub struct Follower {
    replica: Replica,
    ids: EditIds,
    sequence: u64,
}

impl Follower {
    /// Loads a snapshot.
    ///
    /// # Errors
    /// Its world is damaged.
    pub fn load(snapshot: &Snapshot) -> Result<Self, LoadError> {
        Ok(Self {
            replica: Replica::from(World::load(&snapshot.world)?),
            ids: snapshot.ids.clone(),
            sequence: snapshot.sequence,
        })
    }

    /// The world that queries read.
    pub fn world(&self) -> &World {
        &self.replica
    }

    /// The sequence number of the last record of the log that it has.
    pub const fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The ids of the last requests.
    pub const fn ids(&self) -> &EditIds {
        &self.ids
    }

    /// The snapshot of its state.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            sequence: self.sequence,
            ids: self.ids.clone(),
            world: self.replica.save(),
        }
    }

    /// Applies the record with a sequence number: the one that begins at the revision of the replica.
    pub fn apply(&mut self, sequence: u64, record: &Record) -> Followed {
        let (id, hash, changes) = match record {
            Record::Claim { writer } => {
                self.sequence = self.sequence.max(sequence);
                let writer = writer.clone();
                return Followed::Claimed { writer };
            }
            Record::Batch { id, hash, changes } => (id, hash, changes),
        };
        match self.replica.sync_saved(changes) {
            Ok(Some(changes)) => {
                let revision = changes.revision();
                self.sequence = self.sequence.max(sequence);
                if let Some(id) = id {
                    self.ids.add(id, revision.number);
                }
                let hash = *hash;
                Followed::Applied { revision, hash }
            }
            Ok(None) => self.repeated(sequence, record),
            Err(SyncError::Gap { found, expected }) if found.number > expected.number => {
                let (at, found) = (expected.number, found.number);
                Followed::Gap { at, found }
            }
            Err(error) => Followed::Diverged {
                reason: error.to_string(),
            },
        }
    }

    /// A record at the revision of the replica must be the one that led to it.
    fn repeated(&mut self, sequence: u64, record: &Record) -> Followed {
        let here = self.replica.revision();
        match record.revisions() {
            Some((_, after)) if after.number == here.number && after != here => {
                Followed::Diverged {
                    reason: format!("another batch led to {here}"),
                }
            }
            _ => {
                self.sequence = self.sequence.max(sequence);
                Followed::Repeated
            }
        }
    }

    /// True if the world has the hash that a record states. Takes the time of a save.
    pub fn is_hash(&self, hash: u64) -> bool {
        self.replica.hash() == hash
    }
}

#[cfg(test)]
mod tests;
