//! Runs the program as a person would and looks at what it says, writes and answers.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod air;
mod bad_input;
#[cfg(feature = "bench")]
mod bench;
mod check;
mod demo;
mod edits;
mod flight;
mod frozen;
mod ground;
mod help;
mod make;
mod path;
mod render;
mod room;
