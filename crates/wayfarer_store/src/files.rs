//! Replaces a group of files: all of them, or none.
//!
//! Each file is written beside its target under a temporary name of its own, gets the target's
//! permissions and is synced. Once all are complete, each is renamed over its target and the
//! folders are synced; if a call fails, the targets replaced before it get their old contents back.
//! A symbolic link stays, and the file it leads to is replaced. What is no regular file, such as a
//! pipe, is written in place. Ownership and further names (hard links) of a target are not kept.
//!
//! A process that is killed leaves each file whole, old or new, and at most temporary files beside
//! it. Writers hold a shared lock on the folder while they have any, so a process with the exclusive
//! lock knows that those in it are orphans: every write begins with an attempt to remove them.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::disk::{Disk, DiskFile, Entry, SystemDisk, folder_of};
use crate::{StoreError, system_error};

/// Writes every file under its path, or none. Any number of threads and processes may write the
/// same files at once; the last to finish prevails.
///
/// # Errors
/// The first failure of the system, with the path; no temporary file remains then, and every
/// target is as before.
pub fn write_files<B: AsRef<[u8]>>(files: &[(PathBuf, B)]) -> Result<(), StoreError> {
    write_files_on(&SystemDisk, files)
}

pub(crate) fn write_files_on<D: Disk, B: AsRef<[u8]>>(
    disk: &D,
    files: &[(PathBuf, B)],
) -> Result<(), StoreError> {
    let mut batch = Batch {
        disk,
        files: Vec::new(),
        locks: BTreeMap::new(),
    };
    let done = batch
        .write_all(files)
        .and_then(|()| batch.rename_all())
        .and_then(|()| batch.sync_folders());
    match done {
        Ok(()) => batch.remove_backups(),
        Err(_) => batch.roll_back(),
    }
    done
}

/// Removes the temporary files in a folder that writes left behind when their process died, unless
/// another write is in progress there. Returns how many. [`write_files`] and [`save`](crate::save) begin with it;
/// where folders cannot be locked (outside Unix) it removes none.
///
/// # Errors
/// The folder cannot be read.
pub fn remove_orphans(folder: impl AsRef<Path>) -> Result<usize, StoreError> {
    let folder = folder.as_ref();
    let removed = remove_orphans_on(&SystemDisk, folder);
    removed.map_err(system_error(folder, "look for temporary files in it"))
}

pub(crate) fn remove_orphans_on<D: Disk>(disk: &D, folder: &Path) -> io::Result<usize> {
    let Some(_lock) = disk.lock_folder(folder, true) else {
        return Ok(0);
    };
    let names = disk.names(folder)?;
    let orphans = names.iter().filter(|name| is_temporary_name(name));
    Ok(orphans
        .filter(|name| disk.remove(&folder.join(name)).is_ok())
        .count())
}

struct Batch<'a, D: Disk> {
    disk: &'a D,
    files: Vec<Pending>,
    /// The folders of the files, with shared locks where the system has them.
    locks: BTreeMap<PathBuf, Option<D::File>>,
}

struct Pending {
    target: PathBuf,
    part: PathBuf,
    /// A second name of the target's old contents.
    backup: Option<PathBuf>,
}

impl<D: Disk> Batch<'_, D> {
    fn write_all<B: AsRef<[u8]>>(&mut self, files: &[(PathBuf, B)]) -> Result<(), StoreError> {
        for (target, bytes) in files {
            let written = self.write(target, bytes.as_ref());
            written.map_err(system_error(target, "write it"))?;
        }
        Ok(())
    }

    fn write(&mut self, target: &Path, bytes: &[u8]) -> io::Result<()> {
        let target = self.disk.resolve(target)?;
        let entry = self.disk.entry(&target);
        if entry == Entry::Special {
            return self.disk.open(&target)?.write_all(bytes);
        }
        self.lock_folder(&target)?;
        let disk = self.disk;
        let (part, mut file) = temporary(&target, "part", |part| disk.create_new(part))?;
        self.files.push(Pending {
            target: target.clone(),
            part: part.clone(),
            backup: None,
        });
        file.write_all(bytes)?;
        if entry != Entry::Nothing {
            disk.copy_mode(&target, &part)?;
        }
        file.sync()
    }

    /// Sweeps the folder of a target if no other write is in progress, and locks it against sweeps.
    fn lock_folder(&mut self, target: &Path) -> io::Result<()> {
        let folder = folder_of(target);
        if !self.locks.contains_key(&folder) {
            remove_orphans_on(self.disk, &folder)?;
            let lock = self.disk.lock_folder(&folder, false);
            self.locks.insert(folder, lock);
        }
        Ok(())
    }

    fn rename_all(&mut self) -> Result<(), StoreError> {
        for file in &mut self.files {
            let renamed = rename(self.disk, file);
            renamed.map_err(system_error(&file.target, "put the new file in its place"))?;
        }
        Ok(())
    }

    fn sync_folders(&self) -> Result<(), StoreError> {
        for folder in self.locks.keys() {
            let synced = self.disk.sync_folder(folder);
            synced.map_err(system_error(folder, "sync it to disk"))?;
        }
        Ok(())
    }

    /// Restores every target and removes every temporary file, as far as the system allows.
    fn roll_back(&mut self) {
        for file in self.files.drain(..) {
            // A rename that failed may have taken effect, as on network file systems.
            let is_renamed = self.disk.entry(&file.part) == Entry::Nothing;
            match &file.backup {
                Some(backup) => {
                    self.disk.rename(backup, &file.target).ok();
                    // Two names of one file: the rename had no effect.
                    self.disk.remove(backup).ok();
                }
                None if is_renamed => {
                    self.disk.remove(&file.target).ok();
                }
                None => {}
            }
            if !is_renamed {
                self.disk.remove(&file.part).ok();
            }
        }
    }

    fn remove_backups(&self) {
        for backup in self.files.iter().filter_map(|file| file.backup.as_ref()) {
            self.disk.remove(backup).ok();
        }
    }
}

fn rename<D: Disk>(disk: &D, file: &mut Pending) -> io::Result<()> {
    // A later call may fail.
    if disk.entry(&file.target) != Entry::Nothing {
        let (backup, ()) = temporary(&file.target, "backup", |backup| {
            disk.link(&file.target, backup)
        })?;
        file.backup = Some(backup);
    }
    disk.rename(&file.part, &file.target)
}

/// Makes a temporary file beside `target`.
fn temporary<F>(
    target: &Path,
    role: &str,
    make: impl Fn(&Path) -> io::Result<F>,
) -> io::Result<(PathBuf, F)> {
    loop {
        let path = temporary_name(target, role);
        match make(&path) {
            // Another machine or container has a process of the same id.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return Ok((path, made?)),
        }
    }
}

/// A hidden name in the target's folder, used once in this process.
fn temporary_name(target: &Path, role: &str) -> PathBuf {
    static N_NAMES: AtomicU64 = AtomicU64::new(0);
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let (process, number) = (std::process::id(), N_NAMES.fetch_add(1, Ordering::Relaxed));
    target.with_file_name(format!(".{name}.wayfarer-{process}-{number}.{role}"))
}

/// True for the names that [`temporary_name`] gives, in any process.
fn is_temporary_name(name: &str) -> bool {
    let stem = name
        .strip_suffix(".part")
        .or_else(|| name.strip_suffix(".backup"));
    let numbers = stem
        .filter(|stem| stem.starts_with('.'))
        .and_then(|stem| stem.rsplit_once(".wayfarer-"))
        .and_then(|(_, numbers)| numbers.split_once('-'));
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
}

#[cfg(test)]
mod tests;
