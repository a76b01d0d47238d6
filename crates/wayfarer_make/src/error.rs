//! Errors of generators.

use thiserror::Error;

use crate::{Generator, TraceKind};

/// An invalid recipe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MakeError {
    /// A side is too short for the generator.
    #[error("{generator}: size {width} x {height}, expected sides of at least {min}")]
    TooSmall {
        /// The generator.
        generator: Generator,
        /// The requested width, in cells.
        width: u32,
        /// The requested height, in cells.
        height: u32,
        /// The minimum side, in cells.
        min: u32,
    },
    /// A side is too long for the generator.
    #[error("{generator}: size {width} x {height}, expected sides of at most {max}")]
    TooLong {
        /// The generator.
        generator: Generator,
        /// The requested width, in cells.
        width: u32,
        /// The requested height, in cells.
        height: u32,
        /// The maximum side, in cells.
        max: u32,
    },
    /// Too many cells or voxels.
    #[error("{generator}: {count} cells in all, expected at most {max}")]
    TooLarge {
        /// The generator.
        generator: Generator,
        /// The requested number of cells or voxels.
        count: u64,
        /// The maximum number.
        max: u64,
    },
    /// An option is out of range.
    #[error("{generator}: {option} is {found}, expected {min} to {max}")]
    BadOption {
        /// The generator.
        generator: Generator,
        /// The option.
        option: &'static str,
        /// The requested value.
        found: u32,
        /// The minimum value.
        min: u32,
        /// The maximum value.
        max: u32,
    },
    /// An edit trace that the world does not support.
    #[error("{kind}: requires {required}")]
    NoTrace {
        /// The kind of trace.
        kind: TraceKind,
        /// What the trace requires.
        required: &'static str,
    },
}
