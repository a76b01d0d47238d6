//! Runs the program and checks its output, its files and its exit codes.
#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod air;
mod aliases;
mod bad_input;
mod bake;
#[cfg(feature = "bench")]
mod bench;
mod check;
mod demo;
mod flight;
mod ground;
mod help;
mod journal;
mod make;
mod path;
mod render;
mod replay;
mod room;
