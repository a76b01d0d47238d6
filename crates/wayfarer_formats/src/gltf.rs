//! Meshes as glTF 2.0: `.glb` files, and `.gltf` files whose data are embedded as base64.
//!
//! Reads the triangles (lists, strips and fans) of the scene that is shown, or of the first, with
//! their nodes' placing; without scenes every node, without nodes every mesh. Y is up by the rules
//! of the format; see [`crate::mesh`] for how it is turned. Points, lines, materials, skins, morph
//! targets and animations are left out. Refused: data in other files, sparse and compressed
//! accessors, positions that are not 32-bit floats, extensions that are required and change shapes.
//!
//! Written by hand over JSON rather than with a crate, so that every offset, length and index is
//! checked against the data before it is used. Stated limits, checked before anything is made:
//! [`MAX_JSON_VALUES`], [`MAX_PRIMITIVES`], [`MAX_CORNERS`] and [`MAX_TRIANGLES`] (each copy of a
//! mesh counts).

mod base64;
mod document;
mod elements;
mod file;
mod scene;
mod write;

use wayfarer_base::TriangleSoup;

pub use write::{write_glb, write_gltf};

use crate::mesh::MeshOptions;

/// Most lists and objects in the JSON part: 2^20.
pub const MAX_JSON_VALUES: u64 = 1 << 20;
/// Most primitives of all copies of all meshes: 2^20.
pub const MAX_PRIMITIVES: u64 = 1 << 20;
/// Most corners of all copies of all meshes: 2^24.
pub const MAX_CORNERS: u64 = 1 << 24;
/// Most triangles of all copies of all meshes: 2^24.
pub const MAX_TRIANGLES: u64 = 1 << 24;

/// Why a glTF file was refused or could not be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GltfError {
    /// The frame of a `.glb` file is wrong.
    #[error("byte {offset}: expected {expected}, found {found}")]
    Frame {
        /// Where, from 0.
        offset: usize,
        /// What the format wants there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// The JSON part is wrong.
    #[error("line {line}, column {column} of the JSON that begins at byte {start}: {message}")]
    Json {
        /// Where the JSON part begins, from 0.
        start: usize,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// A stated limit is passed.
    #[error("{found} {what}, the limit is {limit}")]
    TooLarge {
        /// What was counted.
        what: &'static str,
        /// How many.
        found: u64,
        /// How many there may be.
        limit: u64,
    },
    /// Something names a thing that is not there.
    #[error("{by} names {what} {index}, there are {count}")]
    NoSuch {
        /// Who names it.
        by: &'static str,
        /// What is named.
        what: &'static str,
        /// Its number, from 0.
        index: u64,
        /// How many there are.
        count: u64,
    },
    /// Something reaches beyond what holds it.
    #[error("{what} {index} reaches to byte {end} of what holds it, which has {limit}")]
    OutOfBounds {
        /// What reaches too far.
        what: &'static str,
        /// Its number, from 0.
        index: u32,
        /// Where it ends.
        end: u64,
        /// Where it should end at the latest.
        limit: u64,
    },
    /// Something is not as the format or this reader wants it.
    #[error("{what} {index}: expected {expected}, found {found}")]
    Unfit {
        /// What is wrong.
        what: &'static str,
        /// Its number, from 0.
        index: u32,
        /// What is wanted.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// An extension is required that this reader does not know.
    #[error("the file requires the extension {name}, which is not read")]
    Extension {
        /// Its name.
        name: String,
    },
}

/// Reads a `.glb` or `.gltf` file, coordinates as they are.
///
/// # Errors
/// The first thing in the file that is wrong or passes a limit.
pub fn read(bytes: &[u8]) -> Result<TriangleSoup, GltfError> {
    read_with(bytes, &MeshOptions::default())
}

/// Reads a `.glb` or `.gltf` file, turned and scaled.
///
/// # Errors
/// As [`read`], and the corner that is not finite any more once placed and scaled.
pub fn read_with(bytes: &[u8], options: &MeshOptions) -> Result<TriangleSoup, GltfError> {
    let file = file::File::read(bytes)?;
    let copies = scene::copies(&file.document)?;
    elements::triangles(&file, &copies, options)
}

#[cfg(test)]
mod tests;
