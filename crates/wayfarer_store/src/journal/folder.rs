//! The files of a journal: their names, and what is in them.

use std::path::{Path, PathBuf};

use wayfarer_engine::World;
use wayfarer_engine::base::Revision;

use super::JournalError;
use super::segment::{self, Found, HEADER_BYTES, Header};
use crate::disk::Disk;
use crate::{EXTENSION, MAX_FILE_BYTES, StoreError, system_error};

/// Extension of segments.
const SEGMENT_EXTENSION: &str = "journal";

/// What a journal holds; see [`journal_info`](super::journal_info).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JournalInfo {
    /// The snapshots, oldest first.
    pub snapshots: Vec<SnapshotInfo>,
    /// The segments, oldest first.
    pub segments: Vec<SegmentInfo>,
}

/// A snapshot of a journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SnapshotInfo {
    /// Commands of the journal before it.
    pub n_before: u64,
    /// Its size in bytes.
    pub bytes: u64,
}

/// A segment of a journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SegmentInfo {
    /// Commands of the journal before it.
    pub n_before: u64,
    /// Commands in it.
    pub n_commands: u64,
    /// The revisions after its first and its last command.
    pub revisions: Option<(Revision, Revision)>,
    /// Its size in bytes.
    pub bytes: u64,
    /// Bytes at its end that are no whole record: a write in progress, or a torn tail.
    pub torn_bytes: u64,
}

pub(super) fn snapshot_path(folder: &Path, n_before: u64) -> PathBuf {
    folder.join(format!("{n_before:020}.{EXTENSION}"))
}

pub(super) fn segment_path(folder: &Path, n_before: u64) -> PathBuf {
    folder.join(format!("{n_before:020}.{SEGMENT_EXTENSION}"))
}

/// The numbers of the snapshots and of the segments, ascending.
pub(super) fn list<D: Disk>(disk: &D, folder: &Path) -> Result<(Vec<u64>, Vec<u64>), JournalError> {
    let names = disk
        .names(folder)
        .map_err(system_error(folder, "list it"))?;
    let numbers = |extension: &str| {
        let number = |name: &String| {
            let (number, found) = name.split_once('.')?;
            let is_ours = number.len() == 20 && found == extension;
            let number = is_ours.then(|| number.parse().ok())?;
            // More commands are never written, and counting on must not overflow.
            number.filter(|number: &u64| *number < 1 << 63)
        };
        let mut numbers: Vec<u64> = names.iter().filter_map(number).collect();
        numbers.sort_unstable();
        numbers
    };
    Ok((numbers(EXTENSION), numbers(SEGMENT_EXTENSION)))
}

/// Loads the snapshot after `n_before` commands; returns the digest of its file as well.
pub(super) fn load_snapshot<D: Disk>(
    disk: &D,
    folder: &Path,
    n_before: u64,
) -> Result<(World, u64), JournalError> {
    let path = snapshot_path(folder, n_before);
    let bytes = read(disk, &path, 0)?;
    let world = World::load(&bytes).map_err(|error| StoreError::Load { path, error })?;
    Ok((world, segment::digest(&bytes)))
}

/// The bytes of a file from an offset on.
pub(super) fn read<D: Disk>(disk: &D, path: &Path, from: u64) -> Result<Vec<u8>, JournalError> {
    if let crate::disk::Entry::File(found) = disk.entry(path)
        && found > MAX_FILE_BYTES
    {
        let path = path.to_owned();
        return Err(StoreError::TooLarge { path, found }.into());
    }
    let bytes = disk.read_from(path, from);
    Ok(bytes.map_err(system_error(path, "read it"))?)
}

/// The header of a segment, checked against its name.
pub(super) fn header(path: &Path, bytes: &[u8], n_before: u64) -> Result<Header, JournalError> {
    let damaged = |reason| JournalError::Damaged {
        path: path.to_owned(),
        reason,
    };
    let header = Header::read(bytes).map_err(damaged)?;
    if header.n_before != n_before {
        let found = header.n_before;
        return Err(damaged(format!(
            "byte 16: a segment after {found} commands, expected {n_before}"
        )));
    }
    Ok(header)
}

/// The hash of the last record before `n_before`: it stands in the segment that begins there, or is
/// found at the end of the one before.
pub(super) fn hash_at<D: Disk>(
    disk: &D,
    folder: &Path,
    segments: &[u64],
    n_before: u64,
) -> Result<u64, JournalError> {
    if segments.contains(&n_before) {
        let path = segment_path(folder, n_before);
        return Ok(header(&path, &read(disk, &path, 0)?, n_before)?.hash_before);
    }
    let Some(&previous) = segments.iter().rev().find(|start| **start < n_before) else {
        return Ok(0);
    };
    let path = segment_path(folder, previous);
    let bytes = read(disk, &path, 0)?;
    let info = describe(&path, &bytes, previous)?;
    if previous + info.0.n_commands != n_before {
        let reason = format!(
            "it ends after {} commands, expected {n_before}",
            previous + info.0.n_commands
        );
        return Err(JournalError::Damaged { path, reason });
    }
    Ok(info.1)
}

/// What a segment holds, and the hash of its last record.
pub(super) fn describe(
    path: &Path,
    bytes: &[u8],
    n_before: u64,
) -> Result<(SegmentInfo, u64), JournalError> {
    let mut hash = header(path, bytes, n_before)?.hash_before;
    let mut info = SegmentInfo {
        n_before,
        n_commands: 0,
        revisions: None,
        bytes: bytes.len() as u64,
        torn_bytes: 0,
    };
    let mut at = HEADER_BYTES;
    while let Found::Record(record) = segment::read_record(&bytes[at..], hash) {
        let first = info.revisions.map_or(record.revision, |(first, _)| first);
        info.revisions = Some((first, record.revision));
        info.n_commands += 1;
        hash = record.hash;
        at += record.length;
    }
    info.torn_bytes = (bytes.len() - at) as u64;
    Ok((info, hash))
}
