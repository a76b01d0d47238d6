//! Worlds on disk. A save is atomic: the file holds the new world or the one saved before.
//!
//! The bytes are written to a temporary file beside the target, synced, and renamed over it, and the
//! folder is synced, so a crash leaves one of the two complete. A [`TileDirectory`] keeps the tiles of a streamed
//! world so.

mod disk;
mod files;
mod journal;
mod tiles;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;
use wayfarer_engine::world::baked::BakedAbstraction;
use wayfarer_engine::{LoadError, World};

pub use files::{remove_orphans, write_files};
pub use journal::{
    Journal, JournalError, JournalInfo, JournalOptions, JournalReader, Recovery, SegmentInfo,
    SnapshotInfo, journal_info,
};
pub use tiles::TileDirectory;

/// Extension of saved worlds.
pub const EXTENSION: &str = "wayfarer";
/// Largest file that is read, in bytes: 2 GiB.
pub const MAX_FILE_BYTES: u64 = 1 << 31;

/// A failed save or load.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A system call failed.
    #[error("{}: cannot {what}: {error}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// The operation.
        what: &'static str,
        /// The error of the system.
        error: io::Error,
    },
    /// The file exceeds [`MAX_FILE_BYTES`].
    #[error("{}: {found} bytes, expected at most {MAX_FILE_BYTES}", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size in bytes.
        found: u64,
    },
    /// The file is damaged or not a saved world.
    #[error("{}: {error}", path.display())]
    Load {
        /// The file.
        path: PathBuf,
        /// The fault and its offset.
        error: LoadError,
    },
}

/// Saves a world; the previous file stays until the new one is complete. A symbolic link and the
/// permissions of the previous file are kept. Threads and processes may save to one path at once.
///
/// ```
/// use wayfarer_engine::World;
/// use wayfarer_engine::base::Raster;
///
/// let path = std::env::temp_dir().join(format!("meadow-{}.wayfarer", std::process::id()));
/// let world = World::from_raster(&Raster::from_bytes(3, 2, vec![0; 6]).unwrap());
/// wayfarer_store::save(&world, &path)?;
/// let again = wayfarer_store::load(&path)?;
/// assert_eq!(again.state_hash(), world.state_hash());
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), wayfarer_store::StoreError>(())
/// ```
///
/// # Errors
/// A system call failed; no temporary file remains then, and the previous file is in its place.
pub fn save(world: &World, path: impl AsRef<Path>) -> Result<(), StoreError> {
    write_files(&[(path.as_ref().to_owned(), world.save())])
}

/// Saves a world together with a baked abstraction of its ground.
///
/// # Errors
/// As [`save`].
pub fn save_baked(
    world: &World,
    baked: &BakedAbstraction,
    path: impl AsRef<Path>,
) -> Result<(), StoreError> {
    write_files(&[(path.as_ref().to_owned(), world.save_baked(baked))])
}

/// Loads a world.
///
/// # Errors
/// A system call failed, or the file is damaged, too large or of another format.
pub fn load(path: impl AsRef<Path>) -> Result<World, StoreError> {
    Ok(load_baked(path)?.0)
}

/// Loads a world, and the baked abstraction of its ground if it was saved with one.
///
/// # Errors
/// As [`load`].
pub fn load_baked(path: impl AsRef<Path>) -> Result<(World, Option<BakedAbstraction>), StoreError> {
    let path = path.as_ref();
    let found = fs::metadata(path)
        .map_err(system_error(path, "read it"))?
        .len();
    if found > MAX_FILE_BYTES {
        let path = path.to_owned();
        return Err(StoreError::TooLarge { path, found });
    }
    let bytes = fs::read(path).map_err(system_error(path, "read it"))?;
    World::load_baked(&bytes).map_err(|error| StoreError::Load {
        path: path.to_owned(),
        error,
    })
}

fn system_error(path: &Path, what: &'static str) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |error| StoreError::System { path, what, error }
}

#[cfg(test)]
mod tests;
