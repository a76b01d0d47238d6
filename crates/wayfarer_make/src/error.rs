//! What can be wrong with a wish for a world or for its story.

use thiserror::Error;

use crate::{Generator, TraceKind};

/// Why a world was not made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MakeError {
    /// A side is too short for this kind of world.
    #[error("{kind}: size {width} x {height}, expected sides of at least {least}")]
    TooSmall {
        /// What was to be made.
        kind: Generator,
        /// The width asked for, in cells.
        width: u32,
        /// The height asked for, in cells.
        height: u32,
        /// The shortest side that is allowed, in cells.
        least: u32,
    },
    /// A side is too long for this kind of world.
    #[error("{kind}: size {width} x {height}, expected sides of at most {most}")]
    TooLong {
        /// What was to be made.
        kind: Generator,
        /// The width asked for, in cells.
        width: u32,
        /// The height asked for, in cells.
        height: u32,
        /// The longest side that is allowed, in cells.
        most: u32,
    },
    /// There would be too many cells or voxels.
    #[error("{kind}: {count} cells in all, expected at most {most}")]
    TooLarge {
        /// What was to be made.
        kind: Generator,
        /// Cells or voxels asked for.
        count: u64,
        /// The most that are allowed.
        most: u64,
    },
    /// An option has a value that makes no sense.
    #[error("{kind}: {option} is {found}, expected {least} to {most}")]
    BadOption {
        /// What was to be made.
        kind: Generator,
        /// The option's name in [`crate::Recipe`].
        option: &'static str,
        /// What was asked for.
        found: u32,
        /// The least value allowed.
        least: u32,
        /// The greatest value allowed.
        most: u32,
    },
    /// A story that cannot happen in this world.
    #[error("{kind}: needs {needed}")]
    NoTrace {
        /// The story.
        kind: TraceKind,
        /// What it needs.
        needed: &'static str,
    },
}
