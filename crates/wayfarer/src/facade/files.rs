//! Worlds out of files' bytes.

use thiserror::Error;
use wayfarer_formats::{
    FileFormat, GltfError, PngError, TextError, gltf, heightmap, movingai_map, obj, png_raster,
    world_file,
};
use wayfarer_world::ground::import::{
    self, HeightmapImportOptions, ImportError, ImportReport, Imported, MeshImportOptions,
};

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
    /// A text format is wrong.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A picture is wrong.
    #[error(transparent)]
    Png(#[from] PngError),
    /// A mesh is wrong.
    #[error(transparent)]
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
        let kind = FileFormat::of(name, bytes).ok_or(WorldFileError::Unknown)?;
        // Bits and kind of color at their places in the header of a PNG file.
        let deep_grey = bytes.get(24..26) == Some(&[16, 0]);
        let Imported { ground, report } = match kind {
            FileFormat::Map => import::from_raster(&movingai_map::read(bytes)?),
            FileFormat::World => import::from_plan(&world_file::read_plan(bytes)?)?,
            FileFormat::Png if deep_grey => {
                let rules = HeightmapImportOptions::default();
                import::from_heightmap(&heightmap::read_png(bytes)?, &rules)?
            }
            FileFormat::Png => import::from_raster(&png_raster::read(bytes)?),
            FileFormat::Obj => {
                import::from_mesh(&obj::read(bytes)?, &MeshImportOptions::default())?
            }
            FileFormat::Gltf => {
                import::from_mesh(&gltf::read(bytes)?, &MeshImportOptions::default())?
            }
            FileFormat::Saved => return Err(WorldFileError::Saved),
            _ => return Err(WorldFileError::NoGround { kind }),
        };
        Ok((Self::from_ground(ground), report))
    }
}
