//! A journal: a world whose every change is on disk before it counts.
//!
//! A folder holds snapshots and segments. A segment begins at a snapshot and holds the commands
//! after it, each with the revision it led to, the hash of the record before it and its own. A
//! command is applied in memory, appended and synced, and then accepted; several may share a sync
//! ([`JournalOptions::sync_every`]). Every so many commands a new snapshot starts a new segment, and
//! old ones are dropped.
//!
//! After a kill or a power cut, [`Journal::open`] loads the newest snapshot, applies the commands
//! after it and cuts what is not whole: exactly the accepted commands, and at most some that were
//! being accepted, byte for byte. The files are described in `docs/design/journal.md`.

mod folder;
mod reader;
mod segment;
mod writer;

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;
use wayfarer_engine::base::Revision;
use wayfarer_engine::{Command, CommandError, CommandResult, Edit, World, WorldChanges};

use crate::StoreError;
use crate::disk::SystemDisk;
pub use folder::{JournalInfo, SegmentInfo, SnapshotInfo};
pub use reader::{JournalReader, journal_info};
use writer::Writer;

/// How a journal is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JournalOptions {
    /// Commands that share one sync, at least 1. Above 1 a command is accepted only when its group is
    /// full or [`Journal::commit`] returns.
    pub sync_every: u32,
    /// Commands from one snapshot to the next, at least 1.
    pub snapshot_every: u64,
    /// Older snapshots kept, with the segments after them, to rewind to.
    pub keep_snapshots: u32,
}

impl Default for JournalOptions {
    fn default() -> Self {
        Self {
            sync_every: 1,
            snapshot_every: 1024,
            keep_snapshots: 1,
        }
    }
}

/// What [`Journal::open`] found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recovery {
    /// Commands before the snapshot that was loaded.
    pub n_before: u64,
    /// Commands applied after it.
    pub n_replayed: u64,
    /// Bytes at the end of the last segment that were no whole record, and are gone.
    pub n_cut_bytes: u64,
    /// Newer snapshots that could not be read, with the reason; their segments were.
    pub unread_snapshots: Vec<(PathBuf, String)>,
}

impl std::fmt::Display for Recovery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (before, replayed) = (self.n_before, self.n_replayed);
        write!(f, "snapshot after {before} commands, {replayed} replayed")?;
        if self.n_cut_bytes > 0 {
            write!(f, ", a torn tail of {} bytes cut", self.n_cut_bytes)?;
        }
        for (path, reason) in &self.unread_snapshots {
            write!(f, ", {} unreadable: {reason}", path.display())?;
        }
        Ok(())
    }
}

/// A failed operation on a journal.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// A file could not be written or read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The world refused the command; nothing was recorded.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The folder holds no journal.
    #[error("{}: no journal, expected a folder with snapshots", path.display())]
    Missing {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds a journal already.
    #[error("{}: there is a journal already, expected an empty folder", path.display())]
    Exists {
        /// The folder.
        path: PathBuf,
    },
    /// Another process or journal writes to it.
    #[error("{}: another journal writes to it", path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// A file is damaged, so that accepted commands are lost.
    #[error("{}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// An earlier write failed: the world in memory is ahead of the disk.
    #[error("an earlier write failed, expected the journal to be opened again")]
    Broken,
    /// The command is too large for a record.
    #[error("a command of {found} bytes, expected at most 1 GiB")]
    TooLarge {
        /// Its size in bytes.
        found: usize,
    },
    /// The journal does not reach to the revision, or no longer back to it.
    #[error("revision {wanted}, expected {first} to {last}")]
    NoSuchRevision {
        /// The revision asked for.
        wanted: u64,
        /// The first revision of the journal.
        first: u64,
        /// The last one.
        last: u64,
    },
    /// The writer dropped segments that this reader had not read.
    #[error("the segments after command {n_read} are gone, expected a new reader")]
    Lagged {
        /// Commands that it had read.
        n_read: u64,
    },
}

/// A world on disk, to which every change is written before it counts.
///
/// Queries go to the world, to which it dereferences; changes go through the journal.
///
/// ```
/// use wayfarer_engine::World;
/// use wayfarer_engine::base::{Cell, GroundEdit, Profile, Terrain};
/// use wayfarer_store::{Journal, JournalOptions};
///
/// let folder = std::env::temp_dir().join(format!("journal-{}", std::process::id()));
/// let put = |x| [GroundEdit::PutCell { cell: Cell::flat(x, 0), terrain: Terrain::GROUND }];
/// let mut journal = Journal::create(&folder, World::new(Profile::DEFAULT)?, JournalOptions::default())?;
/// journal.apply(put(1))?; // on disk now
/// journal.apply(put(2))?;
/// let bytes = journal.save();
/// drop(journal); // or the power is cut
///
/// let (journal, recovery) = Journal::open(&folder, JournalOptions::default())?;
/// assert_eq!(recovery.to_string(), "snapshot after 0 commands, 2 replayed");
/// assert_eq!(journal.save(), bytes);
/// # drop(journal);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal(Writer<SystemDisk>);

impl Journal {
    /// Starts a journal of `world` in a folder, which is created if it does not exist.
    ///
    /// # Errors
    /// The folder holds a journal or is in use, or a system call failed.
    pub fn create(
        folder: impl AsRef<Path>,
        world: World,
        options: JournalOptions,
    ) -> Result<Self, JournalError> {
        Writer::create(SystemDisk, folder.as_ref(), world, options).map(Self)
    }

    /// Opens a journal: loads the newest snapshot, applies the commands after it and cuts a torn
    /// tail. Says what it found.
    ///
    /// # Errors
    /// There is no journal, it is in use, accepted commands are damaged, or a system call failed.
    pub fn open(
        folder: impl AsRef<Path>,
        options: JournalOptions,
    ) -> Result<(Self, Recovery), JournalError> {
        let (writer, recovery) = Writer::open(SystemDisk, folder.as_ref(), options)?;
        Ok((Self(writer), recovery))
    }

    /// Applies a batch of edits, all or none, as [`World::apply`]. When it returns, the batch is on
    /// disk, unless [`JournalOptions::sync_every`] is above 1.
    ///
    /// # Errors
    /// An edit is invalid: nothing changed. Or the system failed: if it did before the batch was
    /// applied, nothing changed; else the journal takes no more commands and must be opened again,
    /// and the batch is not part of it.
    pub fn apply<E: Into<Edit>>(
        &mut self,
        edits: impl IntoIterator<Item = E>,
    ) -> Result<Arc<WorldChanges>, JournalError> {
        let edits = edits.into_iter().map(Into::into).collect();
        match self.execute(Command::Apply(edits))? {
            CommandResult::Changes(changes) => Ok(changes),
            _ => Err(JournalError::Broken),
        }
    }

    /// Runs any command, as [`Journal::apply`] a batch.
    ///
    /// # Errors
    /// As [`Journal::apply`].
    pub fn execute(&mut self, command: Command) -> Result<CommandResult, JournalError> {
        self.0.execute(command)
    }

    /// Writes and syncs the commands that wait for their group.
    ///
    /// # Errors
    /// The system failed: none of them is accepted, and the journal must be opened again.
    pub fn commit(&mut self) -> Result<(), JournalError> {
        self.0.commit()
    }

    /// Writes a snapshot now and starts a new segment.
    ///
    /// # Errors
    /// The system failed; no command is lost, and the next one tries again first.
    pub fn snapshot(&mut self) -> Result<(), JournalError> {
        self.0.snapshot()
    }

    /// The commands accepted since the journal began, and the revision after them.
    pub fn accepted(&self) -> (u64, Revision) {
        self.0.accepted()
    }

    /// The world, without its journal. Commands that wait for their group are lost.
    pub fn into_world(self) -> World {
        self.0.into_world()
    }
}

impl Deref for Journal {
    type Target = World;

    fn deref(&self) -> &World {
        self.0.world()
    }
}

#[cfg(test)]
mod tests;
