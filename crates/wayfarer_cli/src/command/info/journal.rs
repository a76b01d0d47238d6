//! `wayfarer info` of a journal.

use std::path::Path;

use serde::Serialize;
use wayfarer_store::journal_info;

use crate::failure::Failure;
use crate::words;

#[derive(Serialize)]
pub(super) struct JournalFacts {
    file: String,
    format: &'static str,
    /// Commands since the journal began.
    commands: u64,
    snapshots: usize,
    snapshot_bytes: u64,
    segments: usize,
    segment_bytes: u64,
    /// The oldest command that a snapshot allows to rewind to.
    first_command: u64,
    /// The revision after the last command, unless a snapshot follows it.
    revision: Option<u64>,
    /// Bytes at the end that are no whole record: a write in progress, or a torn tail.
    torn_bytes: u64,
}

impl JournalFacts {
    pub(super) fn read(folder: &Path) -> Result<Self, Failure> {
        let info = journal_info(folder);
        let info = info.map_err(|error| Failure::BadInput(error.to_string()))?;
        let last = info.segments.last();
        let snapshots = info.snapshots.iter();
        Ok(Self {
            file: folder.display().to_string(),
            format: "journal",
            commands: last.map_or(0, |last| last.n_before + last.n_commands),
            snapshots: info.snapshots.len(),
            snapshot_bytes: snapshots.map(|snapshot| snapshot.bytes).sum(),
            segments: info.segments.len(),
            segment_bytes: info.segments.iter().map(|segment| segment.bytes).sum(),
            first_command: info.snapshots.first().map_or(0, |first| first.n_before),
            revision: last.and_then(|last| Some(last.revisions?.1.number)),
            torn_bytes: last.map_or(0, |last| last.torn_bytes),
        })
    }

    pub(super) fn rows(&self) -> Vec<(String, String)> {
        let row = |name: &str, value: String| (name.to_owned(), value);
        let files =
            |n_files: usize, bytes: u64| format!("{n_files}, {} bytes", words::count(bytes));
        let mut rows = vec![
            row("journal", self.file.clone()),
            row("commands", words::count(self.commands)),
            row("snapshots", files(self.snapshots, self.snapshot_bytes)),
            row("segments", files(self.segments, self.segment_bytes)),
            row("rewinds to command", words::count(self.first_command)),
        ];
        if let Some(revision) = self.revision {
            rows.push(row("revision", words::count(revision)));
        }
        if self.torn_bytes > 0 {
            let torn = format!("{} bytes", words::count(self.torn_bytes));
            rows.push(row("torn tail", torn));
        }
        rows
    }
}
