//! Ground from whatever describes it: flat maps, plans, heights, meshes; and what was left out.
//!
//! Every import gives the ground and an [`ImportReport`]: how table floors were made, what was
//! dropped, why, and where the first few of each lie.

use std::fmt;

use thiserror::Error;
use wayfarer_base::{Cell, Raster, Terrain, WorldData};

use super::apply::{MAX_COORDINATE, MAX_HEIGHT};
use super::{BuildError, Ground};
use crate::solid::SolidError;

mod heights;
mod mesh;

pub use heights::{HeightmapImportOptions, from_heightmap};
pub use mesh::{MeshImportOptions, MeshInterior, from_mesh};

/// A ground and what did not become part of it.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The ground.
    pub ground: Ground,
    /// What was made and what was left out.
    pub report: ImportReport,
}

/// Why something did not become a floor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// Trees of a flat map: nobody walks there.
    Trees,
    /// The file has no height there.
    NoData,
    /// The surface is steeper than allowed, or faces down.
    TooSteep,
    /// The ceiling is lower than the walker.
    NoHeadroom,
    /// The column has as table floors as it can have; the highest are left out.
    TooManyFloors,
    /// The place lies beyond the end of the world.
    OutOfWorld,
    /// The same cell is named again later; the last one counts.
    Repeated,
    /// Solid blocks belong to the air.
    Solid,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Trees => "trees",
            Self::NoData => "no data",
            Self::TooSteep => "too steep",
            Self::NoHeadroom => "no headroom",
            Self::TooManyFloors => "too table floors in a column",
            Self::OutOfWorld => "outside the world",
            Self::Repeated => "named again later",
            Self::Solid => "solid blocks, which belong to the air",
        })
    }
}

/// What was left out for one reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dropped {
    /// Why.
    pub reason: Reason,
    /// How table cells.
    pub count: u64,
    /// The first of them, at most [`ImportReport::MAX_LISTED`], in the order of the source.
    pub first: Vec<Cell>,
}

/// What an import made and what it left out.
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
    /// Floors that were made.
    pub n_floors: u64,
    /// What was left out, in the order of reasons.
    pub dropped: Vec<Dropped>,
    /// Pairs of neighboring floors between which the walker can step neither way.
    pub n_cliffs: u64,
    /// Meshes: edges that no second triangle closes. If there are any, nobody can tell what is
    /// inside; see [`MeshInterior`].
    pub n_boundary_edges: u64,
}

impl ImportReport {
    /// Places kept for each reason.
    pub const MAX_LISTED: usize = 8;

    /// How table cells were left out for this reason.
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
            (self.n_cliffs, "cliffs between neighbours"),
            (self.n_boundary_edges, "open edges"),
        ] {
            if count > 0 {
                write!(f, "; {count} {what}")?;
            }
        }
        Ok(())
    }
}

/// Why nothing could be imported.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The ground could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The mesh could not be made solid.
    #[error(transparent)]
    Solid(#[from] SolidError),
    /// A rule of the import cannot be.
    #[error("{what} is {found}, expected {expected}")]
    InvalidOption {
        /// Which.
        what: &'static str,
        /// What it was.
        found: f64,
        /// What it may be.
        expected: &'static str,
    },
}

/// The ground of a flat map, as [`Ground::from_raster`] makes it.
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

/// The ground of a data, as [`Ground::from_data`] makes it. Trees of a data are floors that the
/// walker does not walk on.
///
/// # Errors
/// What the profile or one of the data's parts does beyond the limits.
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

/// True if a floor can lie there.
fn is_in_world(cell: Cell) -> bool {
    let inside = |at: i32, limit: i32| (-limit..=limit).contains(&at);
    inside(cell.x, MAX_COORDINATE) && inside(cell.y, MAX_COORDINATE) && inside(cell.z, MAX_HEIGHT)
}

/// An error unless the number is finite and above 0.
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
