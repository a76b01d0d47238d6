//! Reads a journal, live or at rest: from a snapshot on, command by command.

use std::path::{Path, PathBuf};

use wayfarer_engine::base::Revision;
use wayfarer_engine::{Command, CommandResult, World};

use super::folder::{self, JournalInfo, SnapshotInfo, segment_path, snapshot_path};
use super::segment::{self, Found, HEADER_BYTES};
use super::{JournalError, Recovery};
use crate::disk::{Disk, Entry, SystemDisk};

/// A reader that follows a journal while another process or thread writes it, or replays one at
/// rest. It takes no lock and changes no file.
///
/// It sees commands when they are written, a moment before they are synced: after a power cut it may
/// have seen some that are gone.
#[derive(Debug)]
pub struct JournalReader(Reader<SystemDisk>);

impl JournalReader {
    /// A reader at the newest snapshot; [`JournalReader::poll`] gives the commands after it.
    ///
    /// # Errors
    /// There is no journal, its snapshots are damaged, or a system call failed.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, JournalError> {
        Ok(Self(Reader::open(SystemDisk, folder.as_ref())?.0))
    }

    /// A reader at the last command of the revision of this [number](Revision::number), to rewind;
    /// [`JournalReader::poll`] goes on from there.
    ///
    /// # Errors
    /// As [`JournalReader::open`]; also if the journal does not reach to this revision or no longer
    /// back to it.
    pub fn at_revision(folder: impl AsRef<Path>, revision: u64) -> Result<Self, JournalError> {
        Reader::at_revision(SystemDisk, folder.as_ref(), revision).map(Self)
    }

    /// Applies the next command and returns what it did; `None` if none is written yet.
    ///
    /// # Errors
    /// The writer dropped what was not read, a file is damaged, or a system call failed.
    pub fn poll(&mut self) -> Result<Option<CommandResult>, JournalError> {
        self.0.poll()
    }

    /// The world after the commands read so far.
    pub fn world(&self) -> &World {
        &self.0.world
    }

    /// The world, to go on without the journal.
    pub fn into_world(self) -> World {
        self.0.world
    }

    /// Commands read so far, counted from the beginning of the journal.
    pub fn n_read(&self) -> u64 {
        self.0.n_records
    }
}

/// The snapshots and segments of a journal, without loading worlds.
///
/// # Errors
/// There is no journal, a header is damaged, or a system call failed.
pub fn journal_info(folder: impl AsRef<Path>) -> Result<JournalInfo, JournalError> {
    let (disk, folder) = (SystemDisk, folder.as_ref());
    let (snapshots, segments) = folder::list(&disk, folder)?;
    if snapshots.is_empty() {
        let path = folder.to_owned();
        return Err(JournalError::Missing { path });
    }
    let mut info = JournalInfo::default();
    for n_before in snapshots {
        let bytes = match disk.entry(&snapshot_path(folder, n_before)) {
            Entry::File(bytes) => bytes,
            Entry::Nothing | Entry::Special => 0,
        };
        info.snapshots.push(SnapshotInfo { n_before, bytes });
    }
    for n_before in segments {
        let path = segment_path(folder, n_before);
        let bytes = folder::read(&disk, &path, 0)?;
        info.segments
            .push(folder::describe(&path, &bytes, n_before)?.0);
    }
    Ok(info)
}

/// A position in a journal.
#[derive(Debug)]
pub(super) struct Reader<D: Disk> {
    pub(super) disk: D,
    folder: PathBuf,
    pub(super) world: World,
    pub(super) n_records: u64,
    pub(super) hash: u64,
    /// The number of the segment that is read.
    pub(super) segment: u64,
    /// Its bytes from `at` on, as far as they were read.
    buffer: Vec<u8>,
    /// Offset of the next record in the segment.
    pub(super) at: u64,
    /// The same in the buffer.
    cursor: usize,
}

impl<D: Disk> Reader<D> {
    /// At the newest snapshot that can be read.
    pub(super) fn open(disk: D, folder: &Path) -> Result<(Self, Recovery), JournalError> {
        let (snapshots, _) = folder::list(&disk, folder)?;
        let mut recovery = Recovery {
            n_before: 0,
            n_replayed: 0,
            n_cut_bytes: 0,
            unread_snapshots: Vec::new(),
        };
        let mut first_error = None;
        for &n_before in snapshots.iter().rev() {
            match Self::at_snapshot(&disk, folder, n_before) {
                Ok((world, hash)) => {
                    recovery.n_before = n_before;
                    return Ok((Self::new(disk, folder, world, n_before, hash), recovery));
                }
                Err(error) => {
                    let path = snapshot_path(folder, n_before);
                    recovery.unread_snapshots.push((path, error.to_string()));
                    first_error.get_or_insert(error);
                }
            }
        }
        let path = folder.to_owned();
        Err(first_error.unwrap_or(JournalError::Missing { path }))
    }

    /// At the last record of a revision.
    fn at_revision(disk: D, folder: &Path, wanted: u64) -> Result<Self, JournalError>
    where
        D: Clone,
    {
        let (snapshots, _) = folder::list(&disk, folder)?;
        let mut first = None;
        let mut newest = None;
        for &n_before in snapshots.iter().rev() {
            let (world, hash) = Self::at_snapshot(&disk, folder, n_before)?;
            first = Some(world.revision().number);
            if world.revision().number > wanted {
                newest.get_or_insert((world, n_before, hash));
                continue;
            }
            let mut reader = Self::new(disk.clone(), folder, world, n_before, hash);
            while reader
                .next_revision()?
                .is_some_and(|next| next.number <= wanted)
            {
                reader.poll()?;
            }
            if reader.world.revision().number == wanted {
                return Ok(reader);
            }
            // Beyond the end: this is the newest snapshot.
            newest = Some((reader.world, reader.n_records, reader.hash));
        }
        let (Some(first), Some((world, n_before, hash))) = (first, newest) else {
            let path = folder.to_owned();
            return Err(JournalError::Missing { path });
        };
        let mut reader = Self::new(disk, folder, world, n_before, hash);
        while reader.poll()?.is_some() {}
        Err(JournalError::NoSuchRevision {
            wanted,
            first,
            last: reader.world.revision().number,
        })
    }

    /// The world of a snapshot and the hash before it; checks that its segment belongs to it.
    fn at_snapshot(disk: &D, folder: &Path, n_before: u64) -> Result<(World, u64), JournalError> {
        let (world, digest) = folder::load_snapshot(disk, folder, n_before)?;
        let (_, segments) = folder::list(disk, folder)?;
        let hash = folder::hash_at(disk, folder, &segments, n_before)?;
        if segments.contains(&n_before) {
            let path = segment_path(folder, n_before);
            let header = folder::header(&path, &folder::read(disk, &path, 0)?, n_before)?;
            if header.snapshot_digest != digest {
                let reason = "byte 32: it belongs to another snapshot".to_owned();
                return Err(JournalError::Damaged { path, reason });
            }
        }
        Ok((world, hash))
    }

    fn new(disk: D, folder: &Path, world: World, n_before: u64, hash: u64) -> Self {
        Self {
            disk,
            folder: folder.to_owned(),
            world,
            n_records: n_before,
            hash,
            segment: n_before,
            buffer: Vec::new(),
            at: HEADER_BYTES as u64,
            cursor: 0,
        }
    }

    /// The revision after the next record, if one is written.
    fn next_revision(&mut self) -> Result<Option<Revision>, JournalError> {
        loop {
            let rest = &self.buffer[self.cursor..];
            if let Found::Record(record) = segment::read_record(rest, self.hash) {
                return Ok(Some(record.revision));
            }
            if !self.read_on()? {
                return Ok(None);
            }
        }
    }

    /// Applies the next record.
    pub(super) fn poll(&mut self) -> Result<Option<CommandResult>, JournalError> {
        if self.next_revision()?.is_none() {
            return Ok(None);
        }
        let rest = &self.buffer[self.cursor..];
        let Found::Record(record) = segment::read_record(rest, self.hash) else {
            return Ok(None);
        };
        let (path, at) = (segment_path(&self.folder, self.segment), self.at);
        let damaged = |reason: String| JournalError::Damaged {
            path: path.clone(),
            reason: format!("the record at byte {at}: {reason}"),
        };
        let command = Command::from_bytes(record.command);
        let command = command.map_err(|error| damaged(error.to_string()))?;
        let result = self.world.execute(command);
        let result = result.map_err(|error| damaged(error.to_string()))?;
        let (found, expected) = (self.world.revision(), record.revision);
        if found != expected {
            return Err(damaged(format!(
                "it leads to {found:?}, expected {expected:?}"
            )));
        }
        self.n_records += 1;
        self.hash = record.hash;
        self.at += record.length as u64;
        self.cursor += record.length;
        Ok(Some(result))
    }

    /// Reads more of the segment, or goes on to the next; false if there is no more.
    fn read_on(&mut self) -> Result<bool, JournalError> {
        let path = segment_path(&self.folder, self.segment);
        // From the record on: a torn one may have been cut and written anew.
        let known = self.buffer.len() - self.cursor;
        let entry = self.disk.entry(&path);
        if matches!(entry, Entry::File(length) if length > self.at) {
            let fresh = folder::read(&self.disk, &path, self.at)?;
            if fresh.len() != known || fresh != self.buffer[self.cursor..] {
                (self.buffer, self.cursor) = (fresh, 0);
                return Ok(true);
            }
        }
        let (snapshots, segments) = folder::list(&self.disk, &self.folder)?;
        if self.n_records > self.segment && segments.contains(&self.n_records) {
            return self.begin_segment().map(|()| true);
        }
        let newest = snapshots.last().max(segments.last()).copied();
        if newest > Some(self.n_records) {
            let n_read = self.n_records;
            return Err(JournalError::Lagged { n_read });
        }
        Ok(false)
    }

    fn begin_segment(&mut self) -> Result<(), JournalError> {
        let path = segment_path(&self.folder, self.n_records);
        let bytes = folder::read(&self.disk, &path, 0)?;
        let header = folder::header(&path, &bytes, self.n_records)?;
        if header.hash_before != self.hash {
            let reason = "byte 24: it continues another segment".to_owned();
            return Err(JournalError::Damaged { path, reason });
        }
        self.segment = self.n_records;
        self.at = HEADER_BYTES as u64;
        (self.buffer, self.cursor) = (bytes, HEADER_BYTES);
        Ok(())
    }

    /// Bytes of the segment after the last whole record.
    pub(super) fn n_torn_bytes(&self) -> u64 {
        (self.buffer.len() - self.cursor) as u64
    }
}
