//! Counting global allocator with per-thread statistics, for tests of allocation-free queries and
//! for memory measurements.
//!
//! The only crate with `unsafe`, which `GlobalAlloc` requires. Every call is forwarded unchanged to
//! the system allocator.

#![expect(unsafe_code, reason = "the trait GlobalAlloc is unsafe")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static STATS: Cell<AllocationStats> = const {
        Cell::new(AllocationStats { allocations: 0, bytes_now: 0, bytes_peak: 0, bytes_total: 0 })
    };
}

/// Allocation statistics of a thread since its start.
///
/// `bytes_now` is negative on a thread that frees more than it allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AllocationStats {
    /// Allocations and growing reallocations.
    pub allocations: u64,
    /// Bytes currently allocated.
    pub bytes_now: i64,
    /// Peak of `bytes_now` since the last [`reset_peak`].
    pub bytes_peak: i64,
    /// Bytes of all allocations.
    pub bytes_total: u64,
}

/// The counting allocator; a test or benchmark declares it:
///
/// ```
/// #[global_allocator]
/// static ALLOCATOR: wayfarer_counting::CountingAllocator = wayfarer_counting::CountingAllocator;
///
/// let before = wayfarer_counting::allocation_stats();
/// let held = vec![0_u8; 1000];
/// let after = wayfarer_counting::allocation_stats();
/// assert_eq!(after.bytes_now - before.bytes_now, 1000);
/// drop(held);
/// assert_eq!(wayfarer_counting::allocation_stats().bytes_now, before.bytes_now);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAllocator;

/// The statistics of this thread; all zero if [`CountingAllocator`] is not declared.
pub fn allocation_stats() -> AllocationStats {
    STATS.try_with(Cell::get).unwrap_or_default()
}

/// Resets the peak to the bytes currently allocated.
pub fn reset_peak() {
    // The statistics of a terminating thread is gone.
    let _ended = STATS.try_with(|stats| {
        let now = stats.get();
        stats.set(AllocationStats {
            bytes_peak: now.bytes_now,
            ..now
        });
    });
}

fn count(allocated: usize, freed: usize) {
    // The statistics of a terminating thread is gone.
    let _ended = STATS.try_with(|stats| {
        let mut now = stats.get();
        let signed = |bytes: usize| i64::try_from(bytes).unwrap_or(i64::MAX);
        if allocated > 0 {
            now.allocations += 1;
            now.bytes_total += allocated as u64;
        }
        now.bytes_now += signed(allocated) - signed(freed);
        now.bytes_peak = now.bytes_peak.max(now.bytes_now);
        stats.set(now);
    });
}

// SAFETY: every method forwards its arguments unchanged to `System` and returns its result;
// counting accesses only a thread-local cell and does not allocate.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller upholds the contract of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller upholds the contract of `System`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller upholds the contract of `System`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if new_size > layout.size() {
            count(new_size, layout.size());
        } else {
            count(0, layout.size() - new_size);
        }
        // SAFETY: the caller upholds the contract of `System`.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}
