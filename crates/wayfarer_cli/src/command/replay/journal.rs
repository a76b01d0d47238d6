//! `wayfarer replay` of a journal: its world after all commands, or at a revision.

use std::path::Path;

use serde::Serialize;
use wayfarer_engine::World;
use wayfarer_store::{JournalError, JournalReader};

use crate::failure::Failure;
use crate::words;

#[derive(Serialize)]
pub(super) struct JournalReport {
    file: String,
    /// Commands of the journal up to here.
    commands: u64,
    revision: u64,
    state_hash: String,
}

/// The world of a journal, after its last command or at a revision.
pub(super) fn replay(folder: &Path, to: Option<u64>) -> Result<(JournalReport, World), Failure> {
    let wrong = |error: JournalError| Failure::BadInput(error.to_string());
    let reader = match to {
        Some(revision) => JournalReader::at_revision(folder, revision).map_err(wrong)?,
        None => {
            let mut reader = JournalReader::open(folder).map_err(wrong)?;
            while reader.poll().map_err(wrong)?.is_some() {}
            reader
        }
    };
    let commands = reader.n_read();
    let world = reader.into_world();
    let report = JournalReport {
        file: folder.display().to_string(),
        commands,
        revision: world.revision().number,
        state_hash: format!("{:016x}", world.state_hash()),
    };
    Ok((report, world))
}

impl JournalReport {
    pub(super) fn facts(&self) -> Vec<(String, String)> {
        vec![
            ("journal".to_owned(), self.file.clone()),
            ("commands".to_owned(), words::count(self.commands)),
            ("revision".to_owned(), words::count(self.revision)),
            ("state hash".to_owned(), self.state_hash.clone()),
        ]
    }
}
