//! Fuzz targets: every reader, saved worlds, planners and journals with repaired digests, and
//! sequences of calls of the engine and of the facade against references.
//!
//! A target is a function of bytes that panics on a fault. `cargo test` runs each on a few thousand
//! seeded mutations of its seeds; `cargo xtask fuzz` runs them for as long as wanted, under cargo-fuzz
//! if it is installed (folder `fuzz`). A binary that installs the counting allocator also checks the
//! memory of each input.

#![expect(clippy::unwrap_used, reason = "a fault of the fuzz targets is a panic")]

pub mod calls;
pub mod facade;
pub mod facade_saved;
pub mod fixtures;
pub mod journal;
pub mod mutate;
pub mod saved;
mod targets;
pub mod tile_maps;

use wayfarer_counting::{allocation_stats, reset_peak};
use wayfarer_engine::World;
use wayfarer_engine::base::{Rng, SolidExtent};
use wayfarer_engine::world::ground::Ground;

pub use targets::TARGETS;

/// A function of bytes that must not panic, and where to begin.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name on the command line.
    pub name: &'static str,
    /// Inputs to mutate.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Makes checksums valid, so that mutations reach what they guard.
    pub repair: fn(&mut Vec<u8>),
    /// Runs one input.
    pub run: fn(&[u8]),
    /// Bytes of memory per byte of input, at most, besides [`BASE_BYTES`].
    pub bytes_per_byte: i64,
    /// The columns of solids in the worlds of an input, which a few bytes name:
    /// [`BYTES_PER_COLUMN`] for each, besides.
    pub solid_columns: fn(&[u8]) -> u64,
}

/// Memory that every input may use.
pub const BASE_BYTES: i64 = 32 << 20;

/// Memory for each column of a solid, in all worlds that a target makes of an input.
pub const BYTES_PER_COLUMN: i64 = 48;

/// The columns of all solids of a world, as limits count them.
pub(crate) fn solid_columns(world: &World) -> u64 {
    let solids = world.ground().solids();
    solids
        .map(|(_, solid)| match &solid.extent {
            SolidExtent::Box { rect, .. } => Ground::limited_columns(*rect),
            runs @ SolidExtent::Runs(_) => runs.n_columns(),
        })
        .sum()
}

impl Target {
    /// The target with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// Runs the mutation of this number.
    ///
    /// # Panics
    /// On a fault, with the input.
    pub fn run_mutation(&self, seeds: &[Vec<u8>], number: u64) {
        let mut rng = Rng::for_stream(number, 41);
        let (Some(file), Some(other)) = (rng.pick(seeds).cloned(), rng.pick(seeds).cloned()) else {
            return;
        };
        let mut bytes = mutate::mutate(&file, &other, &mut rng);
        if rng.chance(2, 3) {
            (self.repair)(&mut bytes);
        }
        self.check(&bytes);
    }

    /// Runs an input and checks its memory.
    ///
    /// # Panics
    /// On a fault, with the input.
    pub fn check(&self, bytes: &[u8]) {
        let before = allocation_stats().bytes_now;
        reset_peak();
        let work = std::panic::AssertUnwindSafe(|| (self.run)(bytes));
        let result = std::panic::catch_unwind(work);
        let input = bytes.escape_ascii();
        assert!(result.is_ok(), "{} panicked on b\"{input}\"", self.name);
        let peak = allocation_stats().bytes_peak - before;
        let n_bytes = i64::try_from(bytes.len()).unwrap();
        let mut limit = BASE_BYTES + self.bytes_per_byte * n_bytes;
        if peak > limit {
            let n_columns = i64::try_from((self.solid_columns)(bytes)).unwrap();
            limit += BYTES_PER_COLUMN * n_columns;
        }
        let name = self.name;
        assert!(peak <= limit, "{name}: {peak} bytes for b\"{input}\"");
    }
}
