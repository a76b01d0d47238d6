//! [`World::from_file`]: detects the format of a map, world, image or mesh and imports its ground.

use thiserror::Error;
use wayfarer_formats::tile_rules::TileRules;
use wayfarer_formats::{FileFormat, TextError, TileMapError, movingai_map, world_file};
#[cfg(feature = "meshes")]
use wayfarer_formats::{GltfError, gltf, obj};
#[cfg(feature = "images")]
use wayfarer_formats::{PngError, heightmap, png_raster};
#[cfg(feature = "tilemaps")]
use wayfarer_formats::{ldtk, tiled};
use wayfarer_world::ground::import::{self, ImportError, ImportReport, Imported};

use super::World;

/// Why a file was not imported.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum WorldFileError {
    /// Neither content nor name identify the format.
    #[error("unknown file format: neither the first bytes nor the name identify it")]
    Unknown,
    /// The file is a saved world; use [`World::load`].
    #[error("found a saved world, which `World::load` reads; expected a map, world, image or mesh")]
    Saved,
    /// The format holds no ground.
    #[error("found {kind}, expected a file with ground: a map, world, image or mesh")]
    NoGround {
        /// The format of the file.
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
    /// A text file is invalid.
    #[error(transparent)]
    Text(#[from] TextError),
    /// An image is invalid.
    #[error(transparent)]
    #[cfg(feature = "images")]
    Png(#[from] PngError),
    /// A glTF mesh is invalid.
    #[error(transparent)]
    #[cfg(feature = "meshes")]
    Gltf(#[from] GltfError),
    /// A tile map is invalid, or its rules make no ground of it.
    #[error(transparent)]
    Tiles(#[from] TileMapError),
    /// The file is no tile map.
    #[error("found {kind}, expected a tile map of Tiled or LDtk")]
    NoTiles {
        /// The format of the file.
        kind: FileFormat,
    },
    /// The content is out of range of a ground.
    #[error(transparent)]
    Import(#[from] ImportError),
}

impl World {
    /// Imports a file. Its content identifies the format; `name` decides only if that is ambiguous.
    ///
    /// Reads flat maps (`.map`, PNG), worlds (`.world`), height maps (16-bit gray PNG, one cell per
    /// pixel and one step per unit), meshes (OBJ, glTF; one cell and one step per unit) and tile maps
    /// (Tiled, LDtk; by the conventions of [`TileRules`]). PNG needs the cargo feature `images`,
    /// meshes need `meshes`, tile maps `tilemaps`. For other scales use
    /// [`wayfarer_world::ground::import`] with [`World::from_ground`].
    ///
    /// # Errors
    /// The file is invalid, holds no ground, or needs a cargo feature that is off.
    pub fn from_file(name: &str, bytes: &[u8]) -> Result<(Self, ImportReport), WorldFileError> {
        let kind = FileFormat::detect(name, bytes).ok_or(WorldFileError::Unknown)?;
        let Imported { ground, report } = match kind {
            FileFormat::Map => import::from_raster(&movingai_map::read(bytes)?),
            FileFormat::World => import::from_data(&world_file::read_data(bytes)?)?,
            FileFormat::Png => from_png(bytes)?,
            FileFormat::Obj | FileFormat::Gltf => from_mesh(kind, bytes)?,
            FileFormat::Tiled | FileFormat::Ldtk => from_tiles(kind, bytes, &TileRules::default())?,
            FileFormat::Saved => return Err(WorldFileError::Saved),
            _ => return Err(WorldFileError::NoGround { kind }),
        };
        Ok((Self::from_ground(ground), report))
    }

    /// Imports a tile map of Tiled or LDtk, one cell per tile, by a table from tiles to terrain.
    ///
    /// # Errors
    /// The file is no tile map or invalid, the rules make no ground of it, or the cargo feature
    /// `tilemaps` is off.
    pub fn from_tiles(
        name: &str,
        bytes: &[u8],
        rules: &TileRules,
    ) -> Result<(Self, ImportReport), WorldFileError> {
        let kind = FileFormat::detect(name, bytes).ok_or(WorldFileError::Unknown)?;
        if !matches!(kind, FileFormat::Tiled | FileFormat::Ldtk) {
            return Err(WorldFileError::NoTiles { kind });
        }
        let Imported { ground, report } = from_tiles(kind, bytes, rules)?;
        Ok((Self::from_ground(ground), report))
    }
}

#[cfg(feature = "tilemaps")]
fn from_tiles(
    kind: FileFormat,
    bytes: &[u8],
    rules: &TileRules,
) -> Result<Imported, WorldFileError> {
    let map = match kind {
        FileFormat::Tiled => tiled::read(bytes, rules.tilesets())?,
        _ => ldtk::read(bytes, rules.level())?,
    };
    Ok(import::from_raster(&rules.raster(&map)?))
}

#[cfg(not(feature = "tilemaps"))]
fn from_tiles(
    kind: FileFormat,
    _bytes: &[u8],
    _rules: &TileRules,
) -> Result<Imported, WorldFileError> {
    Err(WorldFileError::FeatureOff {
        kind,
        feature: "tilemaps",
    })
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
