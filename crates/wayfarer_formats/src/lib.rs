//! Reads and writes map files: bytes in, plain values of `wayfarer_base` out, never a panic.
//!
//! Part of `wayfarer`; use `wayfarer`. Nothing here touches a file: whoever calls brings the
//! bytes. What is read is not trusted. A bad file is an error that names its line and column (or
//! its byte offset), and memory grows only with what was really read: text formats hold at most
//! ten times the bytes they were given, whatever numbers stand in their headers.

pub mod dynamic_scen;
pub mod edits_file;
pub mod file_format;
#[cfg(feature = "meshes")]
pub mod gltf;
mod grammar;
pub mod heightmap;
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
pub mod picture;
#[cfg(feature = "images")]
pub mod png_raster;
pub mod scen3d;
pub mod snapshot;
pub mod text;
pub mod world_file;

pub use file_format::FileFormat;
#[cfg(feature = "meshes")]
pub use gltf::GltfError;
#[cfg(feature = "images")]
pub use picture::PngError;
pub use text::TextError;
