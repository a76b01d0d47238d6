//! Edit trace files (`.edits`): batches of ground edits and path queries with expected results, as
//! plain text.
//!
//! The format is specified in `docs/design/edits-format.md`. Example:
//!
//! ```text
//! wayfarer edits 2
//! query 0 0 0 to 9 0 0 length 9
//! batch
//! put wall 4 0 0 east
//! put passage door 4 0 0 to 5 0 0 cost 1 closed
//! query 0 0 0 to 9 0 0 unreachable
//! end
//! ```

mod read;
mod shapes;
mod solids;
mod write;

pub use read::read;
pub use write::write;

#[cfg(test)]
mod tests;
