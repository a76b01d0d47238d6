//! Worlds out of files' bytes.

use thiserror::Error;
use wayfarer_formats::{FileFormat, TextError, movingai_map, world_file};
#[cfg(feature = "meshes")]
use wayfarer_formats::{GltfError, gltf, obj};
#[cfg(feature = "images")]
use wayfarer_formats::{PngError, heightmap, png_raster};
use wayfarer_world::ground::import::{self, ImportError, ImportReport, Imported};

use super::World;

/// Why a file did not become a world.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum WorldFileError {
    /// Neither its first bytes nor its name are known.
    #[error("neither its first bytes nor the name tell what this file is")]
    Unknown,
    /// It is a saved world, which is loaded, not made.
    #[error(
        "found a saved world, which `World::load` reads; expected a map, world, picture or mesh"
    )]
    Saved,
    /// It is something else.
    #[error("found {kind}, expected something with ground: a map, world, picture or mesh")]
    NoGround {
        /// What it is.
        kind: FileFormat,
    },
    /// The format needs a cargo feature that this build leaves out.
    #[error(
        "found {kind}, which this build cannot read: turn on the cargo feature `{feature}` of wayfarer"
    )]
    FeatureOff {
        /// The format of the file.
        kind: FileFormat,
        /// The feature of crate `wayfarer`.
        feature: &'static str,
    },
    /// A text format is wrong.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A picture is wrong.
    #[error(transparent)]
    #[cfg(feature = "images")]
    Png(#[from] PngError),
    /// A mesh is wrong.
    #[error(transparent)]
    #[cfg(feature = "meshes")]
    Gltf(#[from] GltfError),
    /// What the file says cannot be.
    #[error(transparent)]
    Import(#[from] ImportError),
}

impl World {
    /// The world of a file's bytes; `name` matters only where they do not tell what they are.
    ///
    /// Flat maps (`.map`, PNG), worlds (`.world`), heights (grey PNG of 16 bits, one step and one
    /// cell a unit) and meshes (OBJ, glTF; one unit a cell and a step). For other scales use
    /// [`wayfarer_world::ground::import`] and [`World::from_ground`]; saved worlds are read by
    /// [`World::load`].
    ///
    /// # Errors
    /// What is wrong with the file, or that it holds no ground.
    pub fn from_file(name: &str, bytes: &[u8]) -> Result<(Self, ImportReport), WorldFileError> {
        let kind = FileFormat::detect(name, bytes).ok_or(WorldFileError::Unknown)?;
        let Imported { ground, report } = match kind {
            FileFormat::Map => import::from_raster(&movingai_map::read(bytes)?),
            FileFormat::World => import::from_data(&world_file::read_data(bytes)?)?,
            FileFormat::Png => from_png(bytes)?,
            FileFormat::Obj | FileFormat::Gltf => from_mesh(kind, bytes)?,
            FileFormat::Saved => return Err(WorldFileError::Saved),
            _ => return Err(WorldFileError::NoGround { kind }),
        };
        Ok((Self::from_ground(ground), report))
    }
}

#[cfg(feature = "images")]
fn from_png(bytes: &[u8]) -> Result<Imported, WorldFileError> {
    // Bit depth and color type at their offsets in the header of a PNG file.
    let is_deep_gray = bytes.get(24..26) == Some(&[16, 0]);
    if is_deep_gray {
        let options = import::HeightmapImportOptions::default();
        return Ok(import::from_heightmap(
            &heightmap::read_png(bytes)?,
            &options,
        )?);
    }
    Ok(import::from_raster(&png_raster::read(bytes)?))
}

#[cfg(not(feature = "images"))]
fn from_png(_bytes: &[u8]) -> Result<Imported, WorldFileError> {
    Err(WorldFileError::FeatureOff {
        kind: FileFormat::Png,
        feature: "images",
    })
}

#[cfg(feature = "meshes")]
fn from_mesh(kind: FileFormat, bytes: &[u8]) -> Result<Imported, WorldFileError> {
    let triangles = match kind {
        FileFormat::Obj => obj::read(bytes)?,
        _ => gltf::read(bytes)?,
    };
    let options = import::MeshImportOptions::default();
    Ok(import::from_mesh(&triangles, &options)?)
}

#[cfg(not(feature = "meshes"))]
fn from_mesh(kind: FileFormat, _bytes: &[u8]) -> Result<Imported, WorldFileError> {
    Err(WorldFileError::FeatureOff {
        kind,
        feature: "meshes",
    })
}

#[cfg(test)]
mod tests;
