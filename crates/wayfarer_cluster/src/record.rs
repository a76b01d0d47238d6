//! The bytes of the log and of snapshots.
//!
//! A record is a batch of edits as the library saves it, with the client's id of the request and, every
//! so many batches, the hash of the world after it; or the claim of a writer that takes over. A snapshot
//! is a saved world with the place in the log after which it stands, and the ids of the last requests.

use std::collections::{BTreeMap, VecDeque};

use thiserror::Error;
use wayfarer::{Revision, World, WorldChanges};

const RECORD_MAGIC: &[u8; 8] = b"WFRECRD1";
const SNAPSHOT_MAGIC: &[u8; 8] = b"WFSNAPS1";

/// Most ids of requests that are kept, the newest.
const MAX_IDS: usize = 4_096;
/// Most bytes of a record: what a NATS server takes by default, less its headers.
const MAX_RECORD_BYTES: usize = 1000 * 1000;

/// Bytes that are no record or no snapshot.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// What is wrong with them.
    #[error("no {what}: {reason}")]
    Damaged {
        /// Record or snapshot.
        what: &'static str,
        /// The reason.
        reason: String,
    },
}

/// An entry of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Record {
    /// A batch of edits.
    Batch {
        /// The client's id of the request.
        id: Option<String>,
        /// The hash of the world after the batch, every so many batches.
        hash: Option<u64>,
        /// The batch, as [`WorldChanges::save`] gives it.
        changes: Vec<u8>,
    },
    /// A writer took over.
    Claim {
        /// Its name.
        writer: String,
    },
}

impl Record {
    /// The record as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = RECORD_MAGIC.to_vec();
        match self {
            Self::Batch { id, hash, changes } => {
                bytes.push(0);
                put_text(id.as_deref().unwrap_or_default(), &mut bytes);
                bytes.push(u8::from(hash.is_some()));
                bytes.extend(hash.unwrap_or(0).to_le_bytes());
                bytes.extend(changes);
            }
            Self::Claim { writer } => {
                bytes.push(1);
                put_text(writer, &mut bytes);
            }
        }
        bytes
    }

    /// The record of [`Record::to_bytes`]. The batch in it is checked by the replica that applies it.
    ///
    /// # Errors
    /// The bytes are no record, or too many.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RecordError> {
        let damaged = |reason: &str| RecordError::Damaged {
            what: "record",
            reason: reason.to_owned(),
        };
        if bytes.len() > MAX_RECORD_BYTES {
            return Err(damaged("too many bytes"));
        }
        let rest = bytes.strip_prefix(RECORD_MAGIC.as_slice());
        let mut rest = rest.ok_or_else(|| damaged("the first bytes are not `WFRECRD1`"))?;
        let record = match take_byte(&mut rest) {
            Some(0) => take_batch(&mut rest),
            Some(1) => take_text(&mut rest).map(|writer| Self::Claim { writer }),
            _ => None,
        };
        record.ok_or_else(|| damaged("cut off or out of range"))
    }

    /// The revisions before and after a batch.
    pub fn revisions(&self) -> Option<(Revision, Revision)> {
        match self {
            Self::Batch { changes, .. } => WorldChanges::saved_revisions(changes),
            Self::Claim { .. } => None,
        }
    }
}

fn take_batch(rest: &mut &[u8]) -> Option<Record> {
    let id = take_text(rest)?;
    let has_hash = match take_byte(rest)? {
        0 => false,
        1 => true,
        _ => return None,
    };
    let hash = take_number(rest)?;
    Some(Record::Batch {
        id: (!id.is_empty()).then_some(id),
        hash: has_hash.then_some(hash),
        changes: rest.to_vec(),
    })
}

fn put_text(text: &str, bytes: &mut Vec<u8>) {
    let length = u8::try_from(text.len()).unwrap_or(u8::MAX);
    bytes.push(length);
    bytes.extend(&text.as_bytes()[..usize::from(length)]);
}

fn take_byte(rest: &mut &[u8]) -> Option<u8> {
    let (first, others) = rest.split_first()?;
    *rest = others;
    Some(*first)
}

fn take_number(rest: &mut &[u8]) -> Option<u64> {
    let (number, others) = rest.split_first_chunk::<8>()?;
    *rest = others;
    Some(u64::from_le_bytes(*number))
}

fn take_text(rest: &mut &[u8]) -> Option<String> {
    let length = usize::from(take_byte(rest)?);
    let (text, others) = rest.split_at_checked(length)?;
    *rest = others;
    String::from_utf8(text.to_vec()).ok()
}

/// The ids of the last accepted requests, with the revisions that they led to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EditIds {
    order: VecDeque<String>,
    revisions: BTreeMap<String, u64>,
}

impl EditIds {
    /// The revision that a request led to, if it was accepted lately.
    pub fn revision(&self, id: &str) -> Option<u64> {
        self.revisions.get(id).copied()
    }

    /// Adds an accepted request; drops the oldest beyond 4,096.
    pub fn add(&mut self, id: &str, revision: u64) {
        if self.revisions.insert(id.to_owned(), revision).is_some() {
            return;
        }
        self.order.push_back(id.to_owned());
        if self.order.len() > MAX_IDS
            && let Some(oldest) = self.order.pop_front()
        {
            self.revisions.remove(&oldest);
        }
    }
}

/// A saved world and where it stands in the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    /// The sequence number of the last record of the log that is in it.
    pub sequence: u64,
    /// The ids of the last requests.
    pub ids: EditIds,
    /// The world, as [`World::save`] gives it.
    pub world: Vec<u8>,
}

impl Snapshot {
    /// A snapshot of a world at the beginning of a log.
    pub fn new(world: &World) -> Self {
        Self {
            sequence: 0,
            ids: EditIds::default(),
            world: world.save(),
        }
    }

    /// The snapshot as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = SNAPSHOT_MAGIC.to_vec();
        bytes.extend(self.sequence.to_le_bytes());
        bytes.extend((self.ids.order.len() as u64).to_le_bytes());
        for id in &self.ids.order {
            put_text(id, &mut bytes);
            let revision = self.ids.revision(id).unwrap_or(0);
            bytes.extend(revision.to_le_bytes());
        }
        bytes.extend(&self.world);
        bytes
    }

    /// The snapshot of [`Snapshot::to_bytes`]. The world in it is checked when it is loaded.
    ///
    /// # Errors
    /// The bytes are no snapshot.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RecordError> {
        let damaged = |reason: &str| RecordError::Damaged {
            what: "snapshot",
            reason: reason.to_owned(),
        };
        let rest = bytes.strip_prefix(SNAPSHOT_MAGIC.as_slice());
        let mut rest = rest.ok_or_else(|| damaged("the first bytes are not `WFSNAPS1`"))?;
        let snapshot = Self::take(&mut rest);
        snapshot.ok_or_else(|| damaged("cut off or out of range"))
    }

    fn take(rest: &mut &[u8]) -> Option<Self> {
        let sequence = take_number(rest)?;
        let n_ids = usize::try_from(take_number(rest)?).ok()?;
        (n_ids <= MAX_IDS).then_some(())?;
        let mut ids = EditIds::default();
        for _ in 0..n_ids {
            let id = take_text(rest)?;
            ids.add(&id, take_number(rest)?);
        }
        Some(Self {
            sequence,
            ids,
            world: rest.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_and_snapshots_come_back_and_no_cut_of_their_head_is_read() {
        let batch = Record::Batch {
            id: Some("a-1".to_owned()),
            hash: Some(7),
            changes: vec![],
        };
        let claim = Record::Claim {
            writer: "host-1".to_owned(),
        };
        for record in [batch, claim] {
            let bytes = record.to_bytes();
            assert_eq!(Record::from_bytes(&bytes).unwrap(), record);
            for length in 0..bytes.len() {
                assert!(Record::from_bytes(&bytes[..length]).is_err(), "{length}");
            }
        }
        let mut ids = EditIds::default();
        ids.add("x", 3);
        let world = vec![];
        let sequence = 9;
        let snapshot = Snapshot {
            sequence,
            ids,
            world,
        };
        let bytes = snapshot.to_bytes();
        assert_eq!(Snapshot::from_bytes(&bytes).unwrap(), snapshot);
        for length in 0..bytes.len() {
            assert!(Snapshot::from_bytes(&bytes[..length]).is_err(), "{length}");
        }
    }

    #[test]
    fn the_oldest_of_too_many_ids_is_dropped() {
        let mut ids = EditIds::default();
        for number in 0..5_000_u64 {
            ids.add(&number.to_string(), number);
        }
        assert_eq!(ids.revision("903"), None);
        assert_eq!(ids.revision("904"), Some(904));
        assert_eq!(ids.revision("4999"), Some(4_999));
    }
}
