//! Readers and writers of map, mesh, image and world files: bytes to plain values of
//! `wayfarer_base` and back.
//!
//! Part of `wayfarer`; use `wayfarer`. No file I/O: the caller passes bytes. Input is untrusted: an
//! invalid file is an error with line and column (or byte offset), never a panic. Memory is bounded
//! by the input, not by the numbers in its header: text readers hold at most ten times the bytes
//! read, binary readers check sizes against the stated limits before they allocate.

#[cfg(any(feature = "meshes", feature = "tilemaps"))]
mod base64;
pub mod dynamic_scen;
pub mod edits_file;
pub mod file_format;
#[cfg(feature = "meshes")]
pub mod gltf;
mod grammar;
pub mod heightmap;
#[cfg(feature = "tilemaps")]
pub mod ldtk;
mod letters;
pub mod map3d;
#[cfg(feature = "meshes")]
pub mod mesh;
pub mod movingai_map;
pub mod movingai_scen;
#[cfg(feature = "meshes")]
pub mod obj;
pub mod obstacle_file;
pub mod patch;
#[cfg(feature = "images")]
pub mod png_image;
#[cfg(feature = "images")]
pub mod png_raster;
pub mod scen3d;
pub mod snapshot;
pub mod text;
pub mod tile_map;
pub mod tile_rules;
#[cfg(feature = "tilemaps")]
pub mod tiled;
pub mod world_file;
#[cfg(feature = "tilemaps")]
mod xml;

pub use file_format::FileFormat;
#[cfg(feature = "meshes")]
pub use gltf::GltfError;
#[cfg(feature = "images")]
pub use png_image::PngError;
pub use text::TextError;
pub use tile_map::TileMapError;
