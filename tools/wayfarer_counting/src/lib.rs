//! Counts what the program allocates, so that tests can show that warm queries allocate nothing.
//!
//! The one engine-side crate with `unsafe`: a global allocator cannot be written without it. Every
//! call is handed on to the system's allocator unchanged.

#![expect(
    unsafe_code,
    reason = "the trait GlobalAlloc is unsafe; nothing else here is"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static TALLY: Cell<Tally> = const {
        Cell::new(Tally { allocations: 0, bytes_now: 0, bytes_peak: 0, bytes_total: 0 })
    };
}

/// What this thread has allocated since it began.
///
/// `bytes_now` may fall below zero on a thread that frees what another allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Allocations and growing reallocations.
    pub allocations: u64,
    /// Bytes held now.
    pub bytes_now: i64,
    /// Most bytes held at once since the last [`reset_peak`].
    pub bytes_peak: i64,
    /// Bytes ever asked for.
    pub bytes_total: u64,
}

/// An allocator that counts; a test or benchmark puts it in place:
///
/// ```
/// #[global_allocator]
/// static ALLOCATOR: wayfarer_counting::Counting = wayfarer_counting::Counting;
///
/// let before = wayfarer_counting::tally();
/// let held = vec![0_u8; 1000];
/// let after = wayfarer_counting::tally();
/// assert_eq!(after.bytes_now - before.bytes_now, 1000);
/// drop(held);
/// assert_eq!(wayfarer_counting::tally().bytes_now, before.bytes_now);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Counting;

/// What this thread has allocated so far; all zero if [`Counting`] is not in place.
pub fn tally() -> Tally {
    TALLY.try_with(Cell::get).unwrap_or_default()
}

/// Lets the peak begin anew from what is held now.
pub fn reset_peak() {
    // A thread that is ending has no tally left to reset.
    let _ended = TALLY.try_with(|tally| {
        let now = tally.get();
        tally.set(Tally {
            bytes_peak: now.bytes_now,
            ..now
        });
    });
}

fn count(grown: usize, freed: usize) {
    // A thread that is ending counts no more.
    let _ended = TALLY.try_with(|tally| {
        let mut now = tally.get();
        let signed = |bytes: usize| i64::try_from(bytes).unwrap_or(i64::MAX);
        if grown > 0 {
            now.allocations += 1;
            now.bytes_total += grown as u64;
        }
        now.bytes_now += signed(grown) - signed(freed);
        now.bytes_peak = now.bytes_peak.max(now.bytes_now);
        tally.set(now);
    });
}

// SAFETY: every method hands its arguments on to `System` unchanged and returns what it returns;
// counting touches only a thread-local cell without allocating.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller's promises are handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller's promises are handed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller's promises are handed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if new_size > layout.size() {
            count(new_size, layout.size());
        } else {
            count(0, layout.size() - new_size);
        }
        // SAFETY: the caller's promises are handed on.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}
