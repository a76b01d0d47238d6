//! Assertions on allocations.

use super::*;

#[global_allocator]
static ALLOCATOR: wayfarer_counting::CountingAllocator = wayfarer_counting::CountingAllocator;

#[test]
fn work_on_the_stack_allocates_nothing() {
    let sum = assert_none("adding", || (0..1000_u64).map(black_box).sum::<u64>());
    assert_eq!(sum, 499_500);
}

#[test]
fn deallocation_is_not_counted() {
    let held = vec![0_u8; 100];
    assert_none("freeing", || drop(held));
}

#[test]
#[should_panic(expected = "growing: 1 allocations of 64 bytes")]
fn a_single_allocation_is_detected() {
    assert_none("growing", || black_box(Vec::<u8>::with_capacity(64)));
}

#[test]
fn allocations_are_counted() {
    let (_, n_allocations, n_bytes) = count(|| black_box((Box::new(1_u64), Box::new(2_u64))));
    assert_eq!((n_allocations, n_bytes), (2, 16));
}
