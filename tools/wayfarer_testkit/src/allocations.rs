//! Assertions on heap allocations by means of the counting allocator.
//!
//! The test program must declare the allocator once:
//! `#[global_allocator] static ALLOCATOR: CountingAllocator = CountingAllocator;`

use std::hint::black_box;

use wayfarer_counting::allocation_stats;

/// Runs `work`, asserts that it allocates nothing on this thread, and returns its value.
/// Deallocations and other threads are not counted.
///
/// ```
/// #[global_allocator]
/// static ALLOCATOR: wayfarer_testkit::CountingAllocator = wayfarer_testkit::CountingAllocator;
///
/// let mut numbers = vec![3, 1, 2];
/// wayfarer_testkit::allocations::assert_none("sorting in place", || numbers.sort_unstable());
/// assert_eq!(numbers, [1, 2, 3]);
/// ```
///
/// # Panics
/// If it allocates, or if the counting allocator is not declared.
#[track_caller]
pub fn assert_none<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (value, n_allocations, n_bytes) = count(work);
    assert!(
        n_allocations == 0,
        "{what}: {n_allocations} allocations of {n_bytes} bytes, expected none"
    );
    value
}

/// Runs `work` `n_before` times to warm up, then asserts that one more run allocates nothing.
///
/// # Panics
/// If the warm-up does not allocate, or the last run does.
#[track_caller]
pub fn assert_none_after(n_before: usize, mut work: impl FnMut()) {
    let ((), n_cold, _) = count(|| (0..n_before).for_each(|_| work()));
    assert!(n_cold > 0, "the warm-up allocates");
    assert_none("the last run", work);
}

/// Runs `work`; returns its value, the number of allocations on this thread and their bytes.
///
/// # Panics
/// If the counting allocator is not declared.
#[track_caller]
pub fn count<T>(work: impl FnOnce() -> T) -> (T, u64, u64) {
    let before = allocation_stats().allocations;
    drop(black_box(Box::new(0_u8)));
    assert!(
        allocation_stats().allocations > before,
        "the counting allocator is not declared as #[global_allocator]"
    );
    let before = allocation_stats();
    let value = work();
    let after = allocation_stats();
    let n_bytes = after.bytes_total - before.bytes_total;
    (value, after.allocations - before.allocations, n_bytes)
}

#[cfg(test)]
mod tests;
