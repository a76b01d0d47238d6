//! Reads maps and their problems from a folder, as the benchmarks hand them out.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use thiserror::Error;
use wayfarer::base::{Problem, Raster, VoxelSet};
use wayfarer::formats::{map3d, movingai_map, movingai_scen};

use crate::query::QuerySet;

/// Why problems could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The system would not read it.
    #[error("{}: {reason}", path.display())]
    Read {
        /// Which file or folder.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// It is not what it should be.
    #[error("{}: {reason}", path.display())]
    Content {
        /// Which file.
        path: PathBuf,
        /// Where and what, as the reader says it.
        reason: String,
    },
    /// There is nothing to measure on.
    #[error("{}: no .map file with a .scen file beside it", path.display())]
    Nothing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// There is no map.
    #[error("{}: no .map file", path.display())]
    NoMap {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// There is no map of voxels.
    #[error("{}: no .3dmap file", path.display())]
    NoSpace {
        /// Where it was looked for.
        path: PathBuf,
    },
}

/// A map's file and that of its problems.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MapFiles {
    /// The map.
    pub map: PathBuf,
    /// Its problems.
    pub scen: PathBuf,
}

impl MapFiles {
    /// The files of one map: `name.map` with `name.map.scen` or `name.scen` beside it.
    fn of(map: &Path) -> Option<Self> {
        let mut long = map.as_os_str().to_owned();
        long.push(".scen");
        let scen = [PathBuf::from(long), map.with_extension("scen")];
        Some(Self {
            map: map.to_owned(),
            scen: scen.into_iter().find(|path| path.is_file())?,
        })
    }

    /// The map's name, without folder and ending.
    pub fn name(&self) -> String {
        let stem = self.map.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    /// Reads both and chooses the questions: see [`QuerySet::new`].
    pub fn load(&self, sample: Option<usize>, n_others: usize) -> Result<QuerySet, LoadError> {
        let map = read_map(&self.map)?;
        let scenario = movingai_scen::read(&read(&self.scen)?)
            .map_err(|error| content(&self.scen, &error.to_string()))?;
        let problems: Vec<Problem> = scenario.problems().collect();
        Ok(QuerySet::new(
            &self.name(),
            map,
            &problems,
            sample,
            n_others,
        ))
    }
}

/// The maps with problems that `path` names: a folder, or one `.map` file; in the order of names.
pub fn find(path: &Path) -> Result<Vec<MapFiles>, LoadError> {
    let maps = files_ending(path, "map")?;
    let maps: Vec<MapFiles> = maps.iter().filter_map(|map| MapFiles::of(map)).collect();
    if maps.is_empty() {
        return Err(LoadError::Nothing {
            path: path.to_owned(),
        });
    }
    Ok(maps)
}

/// The maps that `path` names, with problems or without: a folder, or one `.map` file; in the
/// order of names.
pub fn find_maps(path: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let maps = files_ending(path, "map")?;
    if maps.is_empty() {
        return Err(LoadError::NoMap {
            path: path.to_owned(),
        });
    }
    Ok(maps)
}

/// Reads a map.
pub fn read_map(path: &Path) -> Result<Raster, LoadError> {
    movingai_map::read(&read(path)?).map_err(|error| content(path, &error.to_string()))
}

/// The maps of voxels that `path` names: a folder, or one `.3dmap` file; in the order of names.
pub fn find_spaces(path: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let maps = files_ending(path, "3dmap")?;
    if maps.is_empty() {
        return Err(LoadError::NoSpace {
            path: path.to_owned(),
        });
    }
    Ok(maps)
}

/// Reads a map of voxels.
pub fn read_space(path: &Path) -> Result<VoxelSet, LoadError> {
    map3d::read(&read(path)?).map_err(|error| content(path, &error.to_string()))
}

fn files_ending(path: &Path, end: &str) -> Result<Vec<PathBuf>, LoadError> {
    let unreadable = |error: std::io::Error| LoadError::Read {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    if !std::fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut maps = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        if file.extension().is_some_and(|ending| ending == end) {
            maps.push(file);
        }
    }
    maps.sort_unstable();
    Ok(maps)
}

/// Most bytes that are read of one file: 2^29. The largest map of the benchmarks has 4 million.
pub const MAX_BYTES: u64 = 1 << 29;

/// A file that a result of this process will go to.
struct Kept {
    /// As it was named.
    named: PathBuf,
    /// Which plain file that is, links followed, if there is one already.
    real: Option<PathBuf>,
}

/// All of them. Known to the whole process, because whoever reads does not know who will write.
static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

fn kept() -> MutexGuard<'static, Vec<Kept>> {
    // A list to which one only ever adds is whole, whatever befell another thread.
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps a file for a result: from now on [`bytes`] refuses to read it, by whatever name, so that
/// nobody writes over what was read. Pipes and devices can be both.
pub fn keep_for_result(path: &Path) {
    let real = std::fs::canonicalize(path).ok();
    let named = path.to_owned();
    let real = real.filter(|real| real.is_file());
    kept().push(Kept { named, real });
}

/// True if that name was given to [`keep_for_result`].
pub fn is_kept_for_result(path: &Path) -> bool {
    kept().iter().any(|kept| kept.named == path)
}

/// An error if a result will go to that file.
fn check_not_kept(path: &Path) -> std::io::Result<()> {
    let kept = kept();
    if kept.iter().all(|kept| kept.real.is_none()) {
        return Ok(());
    }
    let real = std::fs::canonicalize(path)?;
    match kept.iter().any(|kept| kept.real.as_ref() == Some(&real)) {
        false => Ok(()),
        true => Err(std::io::Error::new(
            std::io::ErrorKind::ResourceBusy,
            "a result would be written over it",
        )),
    }
}

/// The bytes of a file, at most [`MAX_BYTES`].
///
/// # Errors
/// What the system says; that there is more to read, be the file endless; or that it is to be
/// written over: see [`keep_for_result`].
pub fn bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    check_not_kept(path)?;
    let too_long = || {
        let why = format!("it has more than {MAX_BYTES} bytes, the most that are read");
        std::io::Error::new(std::io::ErrorKind::FileTooLarge, why)
    };
    let file = std::fs::File::open(path)?;
    let stated = file.metadata()?.len();
    if stated > MAX_BYTES {
        return Err(too_long());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(stated).unwrap_or(0));
    let n_bytes = file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if n_bytes as u64 > MAX_BYTES {
        return Err(too_long());
    }
    Ok(bytes)
}

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    bytes(path).map_err(|error| LoadError::Read {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}

/// What a reader says of a file.
pub(crate) fn content(path: &Path, reason: &str) -> LoadError {
    LoadError::Content {
        path: path.to_owned(),
        reason: reason.to_owned(),
    }
}
