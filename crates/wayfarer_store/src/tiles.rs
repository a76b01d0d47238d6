//! [`TileDirectory`]: the tiles of a streamed world as files.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use wayfarer::streaming::{StoreFault, TileStore};

use crate::files::write_files;
use crate::{MAX_FILE_BYTES, StoreError, system_error};

/// A directory of files, one for each name, each replaced as a whole or not at all. Files of one column of
/// tiles share a folder, so that folders stay small.
///
/// ```
/// use wayfarer::streaming::TileStore;
/// use wayfarer_store::TileDirectory;
///
/// let folder = std::env::temp_dir().join(format!("tiles-{}", std::process::id()));
/// let mut store = TileDirectory::new(&folder)?;
/// store.save("tile_3_4_1", b"a tile")?;
/// assert_eq!(store.load("tile_3_4_1")?.as_deref(), Some(b"a tile".as_slice()));
/// assert_eq!(store.load("tile_3_4_2")?, None);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TileDirectory {
    folder: PathBuf,
}

impl TileDirectory {
    /// The store in a folder, which is made if it does not exist.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn new(folder: impl AsRef<Path>) -> Result<Self, StoreError> {
        let folder = folder.as_ref().to_owned();
        fs::create_dir_all(&folder).map_err(system_error(&folder, "make the folder"))?;
        Ok(Self { folder })
    }

    /// The file of a name: `tile_3_4_1` is in the folder `tile_3`.
    fn path(&self, name: &str) -> Result<PathBuf, StoreFault> {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-".contains(c);
        if name.is_empty() || !name.chars().all(is_plain) {
            let reason = format!("`{name}` is no name of a tile");
            return Err(StoreFault { reason });
        }
        let mut parts = name.match_indices('_').map(|(at, _)| at);
        let column = parts.nth(1).map(|end| &name[..end]);
        let folder = column.map_or_else(|| self.folder.clone(), |part| self.folder.join(part));
        Ok(folder.join(name))
    }
}

fn fault(error: &StoreError) -> StoreFault {
    let reason = error.to_string();
    StoreFault { reason }
}

impl TileStore for TileDirectory {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, StoreFault> {
        let path = self.path(name)?;
        let found = match fs::metadata(&path) {
            Ok(found) => found.len(),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(fault(&system_error(&path, "read it")(error))),
        };
        if found > MAX_FILE_BYTES {
            return Err(fault(&StoreError::TooLarge { path, found }));
        }
        let bytes = fs::read(&path).map_err(system_error(&path, "read it"));
        bytes.map(Some).map_err(|error| fault(&error))
    }

    fn save(&mut self, name: &str, bytes: &[u8]) -> Result<(), StoreFault> {
        let path = self.path(name)?;
        if let Some(folder) = path.parent() {
            let made = fs::create_dir_all(folder).map_err(system_error(folder, "make the folder"));
            made.map_err(|error| fault(&error))?;
        }
        write_files(&[(path, bytes)]).map_err(|error| fault(&error))
    }

    fn remove(&mut self, name: &str) -> Result<(), StoreFault> {
        let path = self.path(name)?;
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(fault(&system_error(&path, "remove it")(error)))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
