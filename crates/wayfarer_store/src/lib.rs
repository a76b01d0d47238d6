//! Worlds on disk: a file holds the whole world as it was when saved, or the one saved before.
//!
//! A world is written beside its place under another name, brought to the disk, and then put in
//! its place in one step: whoever loses power in the middle still has the file from before.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use thiserror::Error;
use wayfarer::world::baked::BakedAbstraction;
use wayfarer::{LoadError, World};

/// How the names of saved worlds end.
pub const EXTENSION: &str = "wayfarer";
/// The largest file that is read, in bytes: 2 GiB.
pub const MAX_FILE_BYTES: u64 = 1 << 31;

/// Why a world was not saved or loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The system would not do it.
    #[error("{}: cannot {what}: {error}", path.display())]
    System {
        /// Which file.
        path: PathBuf,
        /// What was tried.
        what: &'static str,
        /// What the system says.
        error: io::Error,
    },
    /// The file is larger than any world that is read.
    #[error("{}: {found} bytes, expected at most {MAX_FILE_BYTES}", path.display())]
    TooLarge {
        /// Which file.
        path: PathBuf,
        /// How many bytes it has.
        found: u64,
    },
    /// The file is damaged or holds something else.
    #[error("{}: {error}", path.display())]
    Load {
        /// Which file.
        path: PathBuf,
        /// What is wrong and where.
        error: LoadError,
    },
}

/// Saves a world under a name; what was there before stays until the new file is complete.
///
/// ```
/// use wayfarer::World;
/// use wayfarer::base::Raster;
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
/// What the system would not do; nothing is left behind then.
pub fn save(world: &World, path: impl AsRef<Path>) -> Result<(), StoreError> {
    write(path.as_ref(), &world.save())
}

/// Saves a world together with a baked map of its ground.
///
/// # Errors
/// As [`save`].
pub fn save_baked(
    world: &World,
    baked: &BakedAbstraction,
    path: impl AsRef<Path>,
) -> Result<(), StoreError> {
    write(path.as_ref(), &world.save_baked(baked))
}

/// Loads a world.
///
/// # Errors
/// What the system would not do, or what is wrong with the file and where.
pub fn load(path: impl AsRef<Path>) -> Result<World, StoreError> {
    Ok(load_baked(path)?.0)
}

/// Loads a world, and the baked map of its ground if one was saved with it.
///
/// # Errors
/// As [`load`].
pub fn load_baked(path: impl AsRef<Path>) -> Result<(World, Option<BakedAbstraction>), StoreError> {
    let path = path.as_ref();
    let found = fs::metadata(path).map_err(refused(path, "read it"))?.len();
    if found > MAX_FILE_BYTES {
        let path = path.to_owned();
        return Err(StoreError::TooLarge { path, found });
    }
    let bytes = fs::read(path).map_err(refused(path, "read it"))?;
    World::load_baked(&bytes).map_err(|error| StoreError::Load {
        path: path.to_owned(),
        error,
    })
}

fn refused(path: &Path, what: &'static str) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |error| StoreError::System { path, what, error }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let beside = path.with_file_name(name);
    let written = write_new(&beside, bytes).map_err(refused(path, "write it"));
    let placed = written.and_then(|()| {
        let placed = fs::rename(&beside, path);
        placed.map_err(refused(path, "put the new file in its place"))
    });
    if placed.is_err() {
        // The error that matters is the one above.
        fs::remove_file(&beside).ok();
    }
    placed
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests;
