//! Import of flat maps, world data, heightmaps and meshes.
//!
//! Every import returns the ground and an [`ImportReport`]: the number of floors, and what was
//! skipped, with reason, count and the first few cells.

use std::fmt;

use thiserror::Error;
use wayfarer_base::{Cell, Raster, Terrain, WorldData};

use super::apply::{MAX_COORDINATE, MAX_HEIGHT};
use super::{BuildError, Ground};
use crate::solid::VoxelizeError;

mod heights;
mod mesh;

pub use heights::{HeightmapImportOptions, from_heightmap};
pub use mesh::{MeshImportOptions, MeshInterior, from_mesh};

/// A ground and the report of its import.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The ground.
    pub ground: Ground,
    /// What became floors and what was skipped.
    pub report: ImportReport,
}

/// The reason for skipping a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// Trees of a flat map, which have no floor.
    Trees,
    /// The sample has no height.
    NoData,
    /// The surface is steeper than allowed, or faces down.
    TooSteep,
    /// Less headroom than the profile's height.
    NoHeadroom,
    /// The column has the maximum number of floors; the highest are skipped.
    TooManyFloors,
    /// The cell lies outside the world.
    OutOfWorld,
    /// A later entry has the same cell; the last one counts.
    Repeated,
    /// Solid voxels, which belong to the air.
    Solid,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Trees => "trees",
            Self::NoData => "no data",
            Self::TooSteep => "too steep",
            Self::NoHeadroom => "no headroom",
            Self::TooManyFloors => "too many floors in a column",
            Self::OutOfWorld => "outside the world",
            Self::Repeated => "repeated later",
            Self::Solid => "solid voxels, which belong to the air",
        })
    }
}

/// The cells skipped for one reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dropped {
    /// The reason.
    pub reason: Reason,
    /// The number of cells.
    pub count: u64,
    /// The first cells, at most [`ImportReport::MAX_LISTED`], in source order.
    pub first: Vec<Cell>,
}

/// Result counts of an import.
///
/// ```
/// use wayfarer_base::{Cell, Raster};
/// use wayfarer_world::ground::import::{self, Reason};
///
/// let map = Raster::from_bytes(4, 1, vec![0, 3, 255, 2]).unwrap(); // ground, trees, -, water
/// let imported = import::from_raster(&map);
/// assert_eq!(imported.report.n_floors, 2);
/// assert_eq!(imported.report.count(Reason::Trees), 1);
/// assert_eq!(imported.report.dropped[0].first, [Cell::flat(1, 0)]);
/// assert_eq!(imported.report.to_string(), "2 floors; left out: 1 trees, first (1, 0, 0)");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ImportReport {
    /// Floors in the ground.
    pub n_floors: u64,
    /// Skipped cells, sorted by reason.
    pub dropped: Vec<Dropped>,
    /// Pairs of neighboring floors without a step in either direction.
    pub n_cliffs: u64,
    /// Meshes: edges with an odd number of triangles. If there are any, the interior is undefined;
    /// see [`MeshInterior`].
    pub n_boundary_edges: u64,
}

impl ImportReport {
    /// Cells listed per reason, at most.
    pub const MAX_LISTED: usize = 8;

    /// The number of cells skipped for a reason.
    pub fn count(&self, reason: Reason) -> u64 {
        let found = self.dropped.iter().find(|dropped| dropped.reason == reason);
        found.map_or(0, |dropped| dropped.count)
    }

    fn drop(&mut self, reason: Reason, cell: Cell) {
        let found = self.dropped.binary_search_by_key(&reason, |d| d.reason);
        let at = found.unwrap_or_else(|at| {
            let fresh = Dropped {
                reason,
                count: 0,
                first: Vec::new(),
            };
            self.dropped.insert(at, fresh);
            at
        });
        let dropped = &mut self.dropped[at];
        dropped.count += 1;
        if dropped.first.len() < Self::MAX_LISTED {
            dropped.first.push(cell);
        }
    }
}

impl fmt::Display for ImportReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} floors", self.n_floors)?;
        for (index, dropped) in self.dropped.iter().enumerate() {
            let before = if index == 0 { "; left out:" } else { "," };
            write!(f, "{before} {} {}", dropped.count, dropped.reason)?;
            if let Some(first) = dropped.first.first() {
                write!(f, ", first {first}")?;
            }
        }
        for (count, what) in [
            (self.n_cliffs, "cliffs between neighbors"),
            (self.n_boundary_edges, "open edges"),
        ] {
            if count > 0 {
                write!(f, "; {count} {what}")?;
            }
        }
        Ok(())
    }
}

/// A failed import.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The ground could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The mesh could not be voxelized.
    #[error(transparent)]
    Solid(#[from] VoxelizeError),
    /// An invalid option.
    #[error("{what} is {found}, expected {expected}")]
    InvalidOption {
        /// The option.
        what: &'static str,
        /// Its value.
        found: f64,
        /// The allowed range.
        expected: &'static str,
    },
}

/// Imports a flat map with [`Ground::from_raster`].
pub fn from_raster(raster: &Raster) -> Imported {
    let mut report = ImportReport::default();
    for at in raster.rect().columns() {
        match raster.get(at.x, at.y) {
            Some(Terrain::TREES) => report.drop(Reason::Trees, at.at(0)),
            Some(_) => report.n_floors += 1,
            None => {}
        }
    }
    Imported {
        ground: Ground::from_raster(raster),
        report,
    }
}

/// Imports world data with [`Ground::from_data`]. Trees become floors that the default profile may
/// not walk on.
///
/// # Errors
/// A profile or an item outside the limits.
///
/// ```
/// use wayfarer_base::{Cell, Terrain, Voxel, WorldData};
/// use wayfarer_world::ground::import::{self, Reason};
///
/// let mut data = WorldData::default();
/// data.cells.push((Cell::flat(0, 0), Terrain::GROUND));
/// data.cells.push((Cell::flat(0, 0), Terrain::SWAMP));
/// data.voxels.push(Voxel::new(5, 5, 5));
/// let imported = import::from_data(&data)?;
/// assert_eq!(imported.ground.terrain(Cell::flat(0, 0)), Some(Terrain::SWAMP));
/// assert_eq!(imported.report.n_floors, 1);
/// assert_eq!(imported.report.count(Reason::Repeated), 1);
/// assert_eq!(imported.report.count(Reason::Solid), 1);
/// # Ok::<(), import::ImportError>(())
/// ```
pub fn from_data(data: &WorldData) -> Result<Imported, ImportError> {
    let mut report = ImportReport::default();
    let mut last: Vec<(Cell, usize)> = data.cells.iter().map(|floor| floor.0).zip(0..).collect();
    last.sort_unstable();
    let mut again: Vec<usize> = last
        .windows(2)
        .filter(|pair| pair[0].0 == pair[1].0)
        .map(|pair| pair[0].1)
        .collect();
    again.sort_unstable();
    report.n_floors = (data.cells.len() - again.len()) as u64;
    for index in again {
        report.drop(Reason::Repeated, data.cells[index].0);
    }
    let corners = data.boxes.iter().map(|(low, _)| low).chain(&data.voxels);
    for corner in corners {
        report.drop(Reason::Solid, Cell::new(corner.x, corner.y, corner.z));
    }
    let ground = Ground::from_data(data)?;
    Ok(Imported { ground, report })
}

/// True if the cell lies within the world's limits.
fn is_in_world(cell: Cell) -> bool {
    let inside = |at: i32, limit: i32| (-limit..=limit).contains(&at);
    inside(cell.x, MAX_COORDINATE) && inside(cell.y, MAX_COORDINATE) && inside(cell.z, MAX_HEIGHT)
}

/// An error unless the option is finite and above 0.
fn check_size(what: &'static str, found: f64) -> Result<(), ImportError> {
    if found.is_finite() && found > 0.0 {
        return Ok(());
    }
    Err(ImportError::InvalidOption {
        what,
        found,
        expected: "more than 0",
    })
}

#[cfg(test)]
mod tests;
