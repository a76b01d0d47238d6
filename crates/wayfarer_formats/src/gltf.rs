//! glTF 2.0 meshes: `.glb` files, and `.gltf` files with embedded base64 buffers.
//!
//! Reads the triangles (lists, strips and fans) of the default or else the first scene with their
//! node transforms; all nodes if there are no scenes, all meshes if there are no nodes. Y is up by
//! the specification; [`crate::mesh`] converts the axes. Points, lines, materials, skins, morph
//! targets and animations are ignored. Errors: external buffers, sparse or compressed accessors,
//! positions other than 32-bit floats, required extensions that change geometry.
//!
//! No glTF crate: every offset, length and index is checked before use. Limits, checked before
//! allocation: [`MAX_JSON_VALUES`], [`MAX_PRIMITIVES`], [`MAX_VERTICES`] and [`MAX_TRIANGLES`];
//! each instance of a mesh counts.

mod document;
mod elements;
mod file;
mod scene;
mod write;

use wayfarer_base::TriangleSoup;

pub use write::{write_glb, write_gltf};

use crate::mesh::MeshOptions;

/// Maximum number of arrays and objects in the JSON: 2^20.
pub const MAX_JSON_VALUES: u64 = 1 << 20;
/// Maximum number of primitives of all mesh instances: 2^20.
pub const MAX_PRIMITIVES: u64 = 1 << 20;
/// Maximum number of vertices of all mesh instances: 2^24.
pub const MAX_VERTICES: u64 = 1 << 24;
/// Maximum number of triangles of all mesh instances: 2^24.
pub const MAX_TRIANGLES: u64 = 1 << 24;

/// A glTF file that cannot be read or written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GltfError {
    /// An invalid `.glb` container.
    #[error("byte {offset}: expected {expected}, found {found}")]
    Container {
        /// Byte offset.
        offset: usize,
        /// What the format requires.
        expected: &'static str,
        /// The value found.
        found: String,
    },
    /// Invalid JSON.
    #[error("line {line}, column {column} of the JSON that begins at byte {start}: {message}")]
    Json {
        /// Byte offset of the JSON.
        start: usize,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The error text of the parser.
        message: String,
    },
    /// A limit is exceeded.
    #[error("{found} {what}, the limit is {limit}")]
    TooLarge {
        /// What was counted.
        what: &'static str,
        /// Number found.
        found: u64,
        /// Maximum number.
        limit: u64,
    },
    /// An index is out of range.
    #[error("{by} refers to {what} {index}, there are {count}")]
    NoSuch {
        /// The referring element.
        by: &'static str,
        /// The kind of the target.
        what: &'static str,
        /// Index of the target.
        index: u64,
        /// Number of such elements.
        count: u64,
    },
    /// An element exceeds its container.
    #[error("{what} {index} ends at byte {end} of its container, which has {limit}")]
    OutOfBounds {
        /// Kind of the element.
        what: &'static str,
        /// Index of the element.
        index: u32,
        /// Its end in the container, in bytes.
        end: u64,
        /// Length of the container, in bytes.
        limit: u64,
    },
    /// An element is invalid or not supported.
    #[error("{what} {index}: expected {expected}, found {found}")]
    Unsupported {
        /// Kind of the element.
        what: &'static str,
        /// Index of the element.
        index: u32,
        /// What the reader supports.
        expected: &'static str,
        /// What the file has.
        found: String,
    },
    /// An unsupported extension is required.
    #[error("the file requires the extension {name}, which is not supported")]
    Extension {
        /// Its name.
        name: String,
    },
}

/// Reads a `.glb` or `.gltf` file, y up, scale 1.
///
/// # Errors
/// The first invalid or unsupported element, or exceeded limit.
pub fn read(bytes: &[u8]) -> Result<TriangleSoup, GltfError> {
    read_with(bytes, &MeshOptions::default())
}

/// Reads a `.glb` or `.gltf` file with up axis and scale.
///
/// # Errors
/// As [`read`]; also a vertex that is not finite after transform and scaling.
pub fn read_with(bytes: &[u8], options: &MeshOptions) -> Result<TriangleSoup, GltfError> {
    let file = file::File::read(bytes)?;
    let instances = scene::instances(&file.document)?;
    elements::triangles(&file, &instances, options)
}

#[cfg(test)]
mod tests;
