//! Runs one fixed operation on a generated world, so that its instructions can be counted.
//!
//! `cargo xtask counts` runs every operation under callgrind, which counts inside `measured` only:
//! generating the world, warming up and checking the result are excluded. Worlds come from seeds and
//! every operation runs a fixed number of rounds, so counts are reproducible. `operations --list`
//! names the operations, `operations NAME` runs one.
#![expect(clippy::print_stdout, reason = "a program names its operations")]

mod edits;
mod flights;
mod moving;
mod paths;
mod planar;
mod sight;
mod snapshots;
mod worlds;

use std::error::Error;

/// What went wrong, as a line for the reader.
type Fault = Box<dyn Error>;

/// An operation with its world, ready to run.
trait Operation {
    /// Runs it once and leaves the world as it was, so that every round does the same work.
    ///
    /// # Errors
    /// What was refused.
    fn round(&mut self) -> Result<(), Fault>;

    /// Compares what the last round found with what another method finds.
    ///
    /// # Errors
    /// Where they differ.
    fn check(&mut self) -> Result<(), Fault>;
}

/// An operation by name.
struct Entry {
    name: &'static str,
    what: &'static str,
    /// How many rounds are counted.
    n_rounds: u32,
    set_up: fn() -> Result<Box<dyn Operation>, Fault>,
}

/// Rounds that run before those that are counted: the first fills caches, the second shows that
/// they are full.
const N_WARM_UP: u32 = 2;

/// Every operation, in the order of the table.
const ENTRIES: &[&[Entry]] = &[
    paths::ENTRIES,
    edits::ENTRIES,
    flights::ENTRIES,
    planar::ENTRIES,
    moving::ENTRIES,
    sight::ENTRIES,
    snapshots::ENTRIES,
];

fn main() -> Result<(), Fault> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [list] if list == "--list" => {
            for entry in ENTRIES.iter().copied().flatten() {
                println!("{:<16} {}", entry.name, entry.what);
            }
            Ok(())
        }
        [name] => {
            let mut entries = ENTRIES.iter().copied().flatten();
            let entry = entries.find(|entry| entry.name == name);
            run(entry.ok_or_else(|| format!("no operation is called {name}; see --list"))?)
        }
        _ => Err("expected --list or the name of an operation".into()),
    }
}

fn run(entry: &Entry) -> Result<(), Fault> {
    let mut operation = (entry.set_up)()?;
    for _ in 0..N_WARM_UP {
        operation.round()?;
    }
    measured(&mut *operation, entry.n_rounds)?;
    operation.check()
}

/// The part that is counted: callgrind is given the name of this function.
#[inline(never)]
fn measured(operation: &mut dyn Operation, n_rounds: u32) -> Result<(), Fault> {
    for _ in 0..n_rounds {
        operation.round()?;
    }
    Ok(())
}

/// An error with this message unless `holds`.
fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), Fault> {
    match holds {
        true => Ok(()),
        false => Err(message().into()),
    }
}
