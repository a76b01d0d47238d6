//! Shows that a piece of code asks for no memory, by counting.
//!
//! The counting allocator must be in place in the test's own program, once:
//! `#[global_allocator] static ALLOCATOR: wayfarer_testkit::Counting = wayfarer_testkit::Counting;`

use std::hint::black_box;

use wayfarer_counting::tally;

/// Runs `work` and gives back what it returns, having seen that it allocated nothing on this
/// thread; what it frees and what other threads do is not counted. Warm things up before.
///
/// ```
/// #[global_allocator]
/// static ALLOCATOR: wayfarer_testkit::Counting = wayfarer_testkit::Counting;
///
/// let mut numbers = vec![3, 1, 2];
/// wayfarer_testkit::allocations::assert_none("sorting in place", || numbers.sort_unstable());
/// assert_eq!(numbers, [1, 2, 3]);
/// ```
///
/// # Panics
/// If it allocated, or if the counting allocator is not in place and nothing could be seen.
#[track_caller]
pub fn assert_none<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (value, n_allocations, n_bytes) = count(work);
    assert!(
        n_allocations == 0,
        "{what}: {n_allocations} allocations of {n_bytes} bytes, expected none"
    );
    value
}

/// Runs `work` so many times and once more: what it needs it asks for before the last time.
///
/// # Panics
/// If it allocated nothing at all, or if it did the last time.
#[track_caller]
pub fn assert_none_after(n_before: usize, mut work: impl FnMut()) {
    let ((), n_cold, _) = count(|| (0..n_before).for_each(|_| work()));
    assert!(n_cold > 0, "the first time allocates");
    assert_none("the last time", work);
}

/// Runs `work` and gives back what it returns, how often it allocated on this thread and how many
/// bytes in all.
///
/// # Panics
/// If the counting allocator is not in place and nothing could be seen.
#[track_caller]
pub fn count<T>(work: impl FnOnce() -> T) -> (T, u64, u64) {
    let before = tally().allocations;
    drop(black_box(Box::new(0_u8)));
    assert!(
        tally().allocations > before,
        "the counting allocator is not in place: declare it as #[global_allocator]"
    );
    let before = tally();
    let value = work();
    let after = tally();
    let n_bytes = after.bytes_total - before.bytes_total;
    (value, after.allocations - before.allocations, n_bytes)
}

#[cfg(test)]
mod tests;
