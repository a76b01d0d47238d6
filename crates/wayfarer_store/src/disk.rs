//! The calls of the file system that the store makes, as a trait, so that tests can fail each of
//! them, tear writes and cut the power.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// A file system. A change is durable only after the file, or for names the folder, is synced.
pub(crate) trait Disk {
    type File: DiskFile + std::fmt::Debug;

    /// The path with symbolic links of its last component followed, whether or not they lead to a
    /// file.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;
    /// What stands at a path, links followed.
    fn entry(&self, path: &Path) -> Entry;
    /// The names in a folder, in no order.
    fn names(&self, folder: &Path) -> io::Result<Vec<String>>;
    /// The bytes of a file from an offset on.
    fn read_from(&self, path: &Path, offset: u64) -> io::Result<Vec<u8>>;
    fn create_folder(&self, path: &Path) -> io::Result<()>;
    /// Creates a file; an error if the name is taken.
    fn create_new(&self, path: &Path) -> io::Result<Self::File>;
    /// Opens an existing file; writes append.
    fn open(&self, path: &Path) -> io::Result<Self::File>;
    /// Gives `to` the permissions of `from`.
    fn copy_mode(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Gives the contents of `from` a second name, or copies them where the system cannot.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Renames atomically, replacing `to`.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Makes the names in a folder durable.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
    /// Locks a file, which is created if it does not exist, until the lock is dropped; `None` if
    /// another holds it.
    fn lock_file(&self, path: &Path) -> io::Result<Option<Self::File>>;
    /// Locks a folder until the lock is dropped: for all but this one, or shared, then after the
    /// exclusive lock of another is gone. `None` if another holds a lock, or where the system cannot
    /// lock folders.
    fn lock_folder(&self, folder: &Path, is_exclusive: bool) -> Option<Self::File>;
}

/// An open file.
pub(crate) trait DiskFile {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Makes the contents durable.
    fn sync(&self) -> io::Result<()>;
    fn truncate(&mut self, length: u64) -> io::Result<()>;
}

/// What stands at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Entry {
    Nothing,
    /// A regular file of so many bytes.
    File(u64),
    /// A folder, a pipe, a device.
    Special,
}

/// The file system of the operating system.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct SystemDisk;

impl Disk for SystemDisk {
    type File = File;

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        const MAX_LINKS: usize = 40;
        let mut at = path.to_owned();
        for _ in 0..MAX_LINKS {
            match fs::read_link(&at) {
                Ok(next) => at = folder_of(&at).join(next),
                // No link: a file, or nothing yet.
                Err(_) => return Ok(at),
            }
        }
        Err(io::Error::other("more than 40 symbolic links in a row"))
    }

    fn entry(&self, path: &Path) -> Entry {
        match fs::metadata(path) {
            Ok(known) if known.is_file() => Entry::File(known.len()),
            Ok(_) => Entry::Special,
            Err(_) => Entry::Nothing,
        }
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(folder)? {
            // Ours are UTF-8.
            names.extend(entry?.file_name().into_string());
        }
        Ok(names)
    }

    fn read_from(&self, path: &Path, offset: u64) -> io::Result<Vec<u8>> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(offset))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn create_new(&self, path: &Path) -> io::Result<File> {
        File::create_new(path)
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        OpenOptions::new().append(true).open(path)
    }

    fn copy_mode(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::set_permissions(to, fs::metadata(from)?.permissions())
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to).or_else(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Err(error),
            _ => fs::copy(from, to).map(|_bytes| ()),
        })
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        // Elsewhere a folder cannot be opened, and names are durable when the rename returns.
        if cfg!(unix) {
            File::open(folder)?.sync_all()?;
        }
        Ok(())
    }

    fn lock_file(&self, path: &Path) -> io::Result<Option<File>> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn lock_folder(&self, folder: &Path, is_exclusive: bool) -> Option<File> {
        let folder = File::open(folder).ok()?;
        let is_locked = if is_exclusive {
            folder.try_lock().is_ok()
        } else {
            folder.lock_shared().is_ok()
        };
        is_locked.then_some(folder)
    }
}

impl DiskFile for File {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        io::Write::write_all(self, bytes)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

/// The folder of a file, `.` for a bare name.
pub(crate) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

#[cfg(test)]
pub(crate) mod simulated;
