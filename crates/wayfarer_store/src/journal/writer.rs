//! Writes a journal: commands, snapshots, and the end of old segments.

use std::path::{Path, PathBuf};

use wayfarer_engine::base::Revision;
use wayfarer_engine::{Command, CommandResult, World};

use super::folder::{self, segment_path, snapshot_path};
use super::reader::Reader;
use super::segment::{self, HEADER_BYTES, Header, MAX_COMMAND_BYTES};
use super::{JournalError, JournalOptions, Recovery};
use crate::disk::{Disk, DiskFile};
use crate::files::{remove_orphans_on, write_files_on};
use crate::system_error;

/// Name of the file that the writer locks.
const LOCK: &str = "lock";

#[derive(Debug)]
pub(super) struct Writer<D: Disk> {
    disk: D,
    folder: PathBuf,
    options: JournalOptions,
    world: World,
    n_records: u64,
    hash: u64,
    /// The number of the open segment.
    segment: u64,
    file: D::File,
    /// Bytes of the segment that are synced.
    length: u64,
    /// Records that wait for their group.
    pending: Vec<u8>,
    accepted: (u64, Revision),
    /// True from the start of a snapshot until its segment is open: no record may go to the old one.
    is_between_segments: bool,
    is_broken: bool,
    /// Held as long as the writer lives.
    _lock: D::File,
}

impl<D: Disk> Writer<D> {
    pub(super) fn create(
        disk: D,
        folder: &Path,
        world: World,
        options: JournalOptions,
    ) -> Result<Self, JournalError> {
        let created = disk.create_folder(folder);
        created.map_err(system_error(folder, "create it"))?;
        let lock = take_lock(&disk, folder)?;
        if !is_vacant(&disk, folder)? {
            let path = folder.to_owned();
            return Err(JournalError::Exists { path });
        }
        let file = start_segment(&disk, folder, &world, 0, 0)?;
        let accepted = (0, world.revision());
        Ok(Self {
            disk,
            folder: folder.to_owned(),
            options,
            world,
            n_records: 0,
            hash: 0,
            segment: 0,
            file,
            length: HEADER_BYTES as u64,
            pending: Vec::new(),
            accepted,
            is_between_segments: false,
            is_broken: false,
            _lock: lock,
        })
    }

    pub(super) fn open(
        disk: D,
        folder: &Path,
        options: JournalOptions,
    ) -> Result<(Self, Recovery), JournalError> {
        let (snapshots, _) = folder::list(&disk, folder)?;
        if snapshots.is_empty() {
            let path = folder.to_owned();
            return Err(JournalError::Missing { path });
        }
        let lock = take_lock(&disk, folder)?;
        let swept = remove_orphans_on(&disk, folder);
        swept.map_err(system_error(folder, "look for temporary files in it"))?;
        let (mut reader, mut recovery) = Reader::open(disk, folder)?;
        while poll(&mut reader, folder)?.is_some() {
            recovery.n_replayed += 1;
        }
        recovery.n_cut_bytes = reader.n_torn_bytes();
        let (segment, length, hash) = (reader.segment, reader.at, reader.hash);
        let n_records = reader.n_records;
        let (disk, world) = (reader.disk, reader.world);
        let path = segment_path(folder, segment);
        let file = if disk.entry(&path) == crate::disk::Entry::Nothing {
            // Killed after the snapshot, before its segment.
            start_segment(&disk, folder, &world, n_records, hash)?
        } else {
            let file = disk.open(&path);
            let mut file = file.map_err(system_error(&path, "open it"))?;
            if recovery.n_cut_bytes > 0 {
                let cut = file.truncate(length);
                cut.map_err(system_error(&path, "cut its torn tail"))?;
            }
            // What is whole may not have been synced.
            let synced = file.sync();
            synced.map_err(system_error(&path, "sync it to disk"))?;
            file
        };
        let writer = Self {
            accepted: (n_records, world.revision()),
            disk,
            folder: folder.to_owned(),
            options,
            world,
            n_records,
            hash,
            segment,
            file,
            length,
            pending: Vec::new(),
            // A snapshot that cannot be read is replaced before it can be taken for the newest state.
            is_between_segments: !recovery.unread_snapshots.is_empty(),
            is_broken: false,
            _lock: lock,
        };
        writer.drop_old();
        Ok((writer, recovery))
    }

    pub(super) fn world(&self) -> &World {
        &self.world
    }

    pub(super) fn into_world(self) -> World {
        self.world
    }

    pub(super) fn accepted(&self) -> (u64, Revision) {
        self.accepted
    }

    pub(super) fn execute(&mut self, command: Command) -> Result<CommandResult, JournalError> {
        let is_due = self.n_records - self.segment >= self.options.snapshot_every.max(1);
        if self.is_broken {
            return Err(JournalError::Broken);
        }
        // Before the command: if the snapshot fails, nothing has changed.
        if is_due || self.is_between_segments {
            self.snapshot()?;
        }
        let bytes = command.to_bytes();
        if bytes.len() > MAX_COMMAND_BYTES {
            let found = bytes.len();
            return Err(JournalError::TooLarge { found });
        }
        let result = self.world.execute(command)?;
        let revision = self.world.revision();
        self.hash = segment::put_record(&mut self.pending, revision, self.hash, &bytes);
        self.n_records += 1;
        let n_waiting = self.n_records - self.accepted.0;
        if n_waiting >= self.options.sync_every.max(1).into() {
            self.commit()?;
        }
        Ok(result)
    }

    pub(super) fn commit(&mut self) -> Result<(), JournalError> {
        if self.is_broken {
            return Err(JournalError::Broken);
        }
        if self.pending.is_empty() {
            return Ok(());
        }
        let written = self.file.write_all(&self.pending);
        let synced = written.and_then(|()| self.file.sync());
        if let Err(error) = synced {
            // The records may be whole on disk, but were not accepted.
            self.is_broken = true;
            let undone = self.file.truncate(self.length);
            undone.and_then(|()| self.file.sync()).ok();
            let path = segment_path(&self.folder, self.segment);
            return Err(system_error(&path, "write to it")(error).into());
        }
        self.length += self.pending.len() as u64;
        self.accepted = (self.n_records, self.world.revision());
        self.pending.clear();
        Ok(())
    }

    pub(super) fn snapshot(&mut self) -> Result<(), JournalError> {
        self.commit()?;
        if self.n_records == self.segment && !self.is_between_segments {
            return Ok(());
        }
        self.is_between_segments = true;
        let (disk, folder) = (&self.disk, &self.folder);
        self.file = start_segment(disk, folder, &self.world, self.n_records, self.hash)?;
        self.segment = self.n_records;
        self.length = HEADER_BYTES as u64;
        self.is_between_segments = false;
        self.drop_old();
        Ok(())
    }

    /// Removes snapshots and segments that are no longer kept, as far as the system allows; the
    /// next call goes on.
    fn drop_old(&self) {
        let Ok((snapshots, segments)) = folder::list(&self.disk, &self.folder) else {
            return;
        };
        let n_kept = self.options.keep_snapshots as usize + 1;
        let n_old = snapshots.len().saturating_sub(n_kept);
        // A segment without its snapshot is of no use; a snapshot without its segment would end early.
        for n_before in &snapshots[..n_old] {
            self.disk
                .remove(&snapshot_path(&self.folder, *n_before))
                .ok();
        }
        let Some(oldest) = snapshots.get(n_old) else {
            return;
        };
        for n_before in segments.iter().filter(|start| *start < oldest) {
            self.disk
                .remove(&segment_path(&self.folder, *n_before))
                .ok();
        }
    }
}

/// True if a folder holds no journal: nothing, or the empty first segment whose snapshot a power cut
/// kept from the disk.
fn is_vacant<D: Disk>(disk: &D, folder: &Path) -> Result<bool, JournalError> {
    let (snapshots, segments) = folder::list(disk, folder)?;
    let is_empty = |n_before: u64| {
        let path = segment_path(folder, n_before);
        let bytes = folder::read(disk, &path, 0)?;
        Ok::<bool, JournalError>(bytes.len() <= HEADER_BYTES)
    };
    Ok(snapshots.is_empty()
        && match segments[..] {
            [] => true,
            [0] => is_empty(0)?,
            _ => false,
        })
}

/// The next command; no other writer can have dropped what it needs.
fn poll<D: Disk>(
    reader: &mut Reader<D>,
    folder: &Path,
) -> Result<Option<CommandResult>, JournalError> {
    reader.poll().map_err(|error| match error {
        JournalError::Lagged { n_read } => JournalError::Damaged {
            path: segment_path(folder, reader.segment),
            reason: format!("it ends after command {n_read}, but a later file goes on"),
        },
        other => other,
    })
}

/// Writes a snapshot and an empty segment after it, both or none, and opens the segment.
fn start_segment<D: Disk>(
    disk: &D,
    folder: &Path,
    world: &World,
    n_before: u64,
    hash_before: u64,
) -> Result<D::File, JournalError> {
    let snapshot = world.save();
    let header = Header {
        n_before,
        hash_before,
        snapshot_digest: segment::digest(&snapshot),
    };
    let path = segment_path(folder, n_before);
    write_files_on(
        disk,
        &[
            (snapshot_path(folder, n_before), snapshot),
            (path.clone(), header.to_bytes().to_vec()),
        ],
    )?;
    let file = disk.open(&path);
    Ok(file.map_err(system_error(&path, "open it"))?)
}

fn take_lock<D: Disk>(disk: &D, folder: &Path) -> Result<D::File, JournalError> {
    let path = folder.join(LOCK);
    let lock = disk.lock_file(&path);
    let lock = lock.map_err(system_error(&path, "lock it"))?;
    let path = folder.to_owned();
    lock.ok_or(JournalError::InUse { path })
}
