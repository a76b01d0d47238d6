//! Reads maps and their problems from a folder, as the benchmarks publish them.

use std::path::{Path, PathBuf};

use thiserror::Error;
use wayfarer_engine::base::{Problem, Raster, VoxelSet};
use wayfarer_engine::formats::scen3d::Scenario3d;
use wayfarer_engine::formats::{map3d, movingai_map, movingai_scen, scen3d};
use wayfarer_measure::load::bytes;

use crate::query::QuerySet;

/// Why problems could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The system cannot read it.
    #[error("{}: {reason}", path.display())]
    Read {
        /// Which file or folder.
        path: PathBuf,
        /// The system's error.
        reason: String,
    },
    /// It has another content.
    #[error("{}: {reason}", path.display())]
    Content {
        /// Which file.
        path: PathBuf,
        /// Where and what, as the reader reports it.
        reason: String,
    },
    /// There is nothing to measure on.
    #[error("{}: no .map file with a .scen file beside it", path.display())]
    Nothing {
        /// The folder.
        path: PathBuf,
    },
    /// There is no file with this ending.
    #[error("{}: no .{end} file", path.display())]
    NoFile {
        /// The folder.
        path: PathBuf,
        /// The ending.
        end: &'static str,
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
        name(&self.map)
    }

    /// Reads both and samples the queries: see [`QuerySet::new`].
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

/// The name of a map's file, without folder and ending.
pub fn name(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
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
    some_files(path, "map")
}

/// Reads a map.
pub fn read_map(path: &Path) -> Result<Raster, LoadError> {
    movingai_map::read(&read(path)?).map_err(|error| content(path, &error.to_string()))
}

/// The maps of voxels that `path` names: a folder, or one `.3dmap` file; in the order of names.
pub fn find_spaces(path: &Path) -> Result<Vec<PathBuf>, LoadError> {
    some_files(path, "3dmap")
}

/// Reads a map of voxels.
pub fn read_space(path: &Path) -> Result<VoxelSet, LoadError> {
    map3d::read(&read(path)?).map_err(|error| content(path, &error.to_string()))
}

/// Reads the problems of a map of voxels.
pub fn read_space_problems(path: &Path) -> Result<Scenario3d, LoadError> {
    scen3d::read(&read(path)?).map_err(|error| content(path, &error.to_string()))
}

fn some_files(path: &Path, end: &'static str) -> Result<Vec<PathBuf>, LoadError> {
    let path = path.to_owned();
    let files = files_ending(&path, end)?;
    match files.is_empty() {
        true => Err(LoadError::NoFile { path, end }),
        false => Ok(files),
    }
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

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    bytes(path).map_err(|error| LoadError::Read {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}

/// The error of a reader.
pub(crate) fn content(path: &Path, reason: &str) -> LoadError {
    LoadError::Content {
        path: path.to_owned(),
        reason: reason.to_owned(),
    }
}
