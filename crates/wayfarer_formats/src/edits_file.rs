//! Our own plain-text stories of change (`.edits`): what is dug, built and opened, and which paths
//! are asked for in between, with the answers that are expected.
//!
//! `docs/design/edits-format.md` describes it in full. A small one:
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
mod write;

pub use read::read;
pub use write::write;

#[cfg(test)]
mod tests;
