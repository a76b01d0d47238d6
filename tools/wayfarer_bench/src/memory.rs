//! Counts the bytes an engine holds and the allocations of a query.
//!
//! Counted per thread by `wayfarer_counting::CountingAllocator`, if the program installs it; the measuring code
//! allocates nothing while an engine runs.

use std::hint::black_box;

use wayfarer_counting::allocation_stats;

/// True if the program counts its allocations.
pub fn is_counted() -> bool {
    let before = allocation_stats().allocations;
    drop(black_box(Box::new(black_box(1_u8))));
    allocation_stats().allocations != before
}

/// Memory that several pieces of work have allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Allocated {
    /// Bytes held now.
    pub bytes: i64,
    /// Most bytes held at once.
    pub peak_bytes: i64,
    /// Allocations made.
    pub allocations: u64,
}

impl Allocated {
    /// Runs `work` and adds what it allocates.
    pub fn during<T>(&mut self, work: impl FnOnce() -> T) -> T {
        wayfarer_counting::reset_peak();
        let before = allocation_stats();
        let result = work();
        let after = allocation_stats();
        self.peak_bytes = self
            .peak_bytes
            .max(self.bytes + after.bytes_peak - before.bytes_now);
        self.bytes += after.bytes_now - before.bytes_now;
        self.allocations += after.allocations - before.allocations;
        result
    }
}
