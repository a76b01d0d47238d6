//! Replaces a group of files: all of them, or none.
//!
//! Each file is written beside its target under a temporary name and synced to disk. Once all are
//! complete, each is renamed over its target; if a rename fails, the targets replaced before it get
//! their old contents back. What is no regular file, such as a pipe, is written in place.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::{StoreError, system_error};

/// Writes every file under its path, or none.
///
/// # Errors
/// The first failure of the system, with the path; no temporary file remains then, and every
/// target is as before.
pub fn write_files<B: AsRef<[u8]>>(files: &[(PathBuf, B)]) -> Result<(), StoreError> {
    let mut batch = Batch::default();
    let done = batch.write_all(files).and_then(|()| batch.rename_all());
    match done {
        Ok(()) => batch.remove_backups(),
        Err(_) => batch.roll_back(),
    }
    done
}

#[derive(Default)]
struct Batch {
    files: Vec<Pending>,
}

struct Pending {
    target: PathBuf,
    /// The temporary file; none if the target is written in place.
    part: Option<PathBuf>,
    /// A second name of the target's old contents.
    backup: Option<PathBuf>,
    is_renamed: bool,
}

impl Batch {
    fn write_all<B: AsRef<[u8]>>(&mut self, files: &[(PathBuf, B)]) -> Result<(), StoreError> {
        for (target, bytes) in files {
            let written = self.write(target, bytes.as_ref());
            written.map_err(system_error(target, "write it"))?;
        }
        Ok(())
    }

    fn write(&mut self, target: &Path, bytes: &[u8]) -> io::Result<()> {
        let is_special = fs::metadata(target).is_ok_and(|known| !known.is_file());
        let part = (!is_special).then(|| beside(target, "part"));
        self.files.push(Pending {
            target: target.to_owned(),
            part: part.clone(),
            backup: None,
            is_renamed: false,
        });
        match part {
            Some(part) => {
                let mut file = File::create(part)?;
                file.write_all(bytes)?;
                file.sync_all()
            }
            None => {
                let mut file = OpenOptions::new().write(true).open(target)?;
                file.write_all(bytes)
            }
        }
    }

    fn rename_all(&mut self) -> Result<(), StoreError> {
        for index in 0..self.files.len() {
            let renamed = self.rename(index);
            let target = &self.files[index].target;
            renamed.map_err(system_error(target, "put the new file in its place"))?;
        }
        Ok(())
    }

    fn rename(&mut self, index: usize) -> io::Result<()> {
        let is_last = index + 1 == self.files.len();
        let file = &mut self.files[index];
        let Some(part) = &file.part else {
            return Ok(());
        };
        // A later rename may fail; after the last there is none.
        if !is_last && file.target.is_file() {
            let backup = beside(&file.target, "backup");
            fs::hard_link(&file.target, &backup)
                .or_else(|_unsupported| fs::copy(&file.target, &backup).map(|_bytes| ()))?;
            file.backup = Some(backup);
        }
        fs::rename(part, &file.target)?;
        file.is_renamed = true;
        Ok(())
    }

    /// Restores every target and removes every temporary file, as far as the system allows.
    fn roll_back(&mut self) {
        for file in self.files.drain(..) {
            match (&file.backup, file.is_renamed) {
                (Some(backup), true) => fs::rename(backup, &file.target).ok(),
                (None, true) => fs::remove_file(&file.target).ok(),
                (backup, false) => backup
                    .iter()
                    .chain(&file.part)
                    .try_for_each(fs::remove_file)
                    .ok(),
            };
        }
    }

    fn remove_backups(&self) {
        for backup in self.files.iter().filter_map(|file| file.backup.as_ref()) {
            fs::remove_file(backup).ok();
        }
    }
}

/// A hidden name in the target's folder, unique to this process.
fn beside(target: &Path, role: &str) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!(".{name}.{}.{role}", std::process::id()))
}

#[cfg(test)]
mod tests;
