//! Tests of the open lists against a sorted list.

use super::*;
use crate::kernel::{BucketQueue, QuaternaryHeap};
use wayfarer_base::Rng;

/// Runs a search-like load over `open` and a sorted list, which must agree at every pop.
#[track_caller]
fn check(open: &mut impl OpenList, seed: u64, lowest: u32, rise: u32) {
    let mut rng = Rng::new(seed);
    let mut list = Vec::<Entry>::new();
    open.clear(lowest, rise);
    let mut lowest_f = lowest;
    for _ in 0..2_000 {
        if rng.chance(11, 20) {
            // Many ties on purpose.
            let f = lowest_f + rng.below(8) * (rise / 8) + rng.below(2) * (rise % 8);
            let entry = Entry::new(f, rng.below(3), rng.below(5));
            open.push(entry);
            list.push(entry);
        } else {
            list.sort_unstable_by(|a, b| b.cmp(a));
            let expected = list.pop();
            assert_eq!(open.pop(), expected, "seed {seed}, rise {rise}");
            lowest_f = expected.map_or(lowest_f, Entry::f);
        }
    }
    list.sort_unstable_by(|a, b| b.cmp(a));
    while let Some(expected) = list.pop() {
        assert_eq!(open.pop(), Some(expected), "seed {seed}, rise {rise}");
    }
    assert_eq!(open.pop(), None);
}

#[test]
fn every_open_list_pops_in_the_order_of_the_tie_rule() {
    let (mut buckets, mut heap) = (BucketQueue::default(), QuaternaryHeap::default());
    for seed in 0..12 {
        for rise in [8, 100, 2_069, 4_138, 32_752, 32_760, 1_000_003] {
            for lowest in [0, 77_777, 3_000_000_000] {
                check(&mut buckets, seed, lowest, rise);
                check(&mut heap, seed, lowest, rise);
            }
        }
    }
}

#[test]
fn lower_f_then_higher_g_then_lower_node_id_comes_first() {
    let order = [
        Entry::new(5, 1, 9),
        Entry::new(6, 4, 2),
        Entry::new(6, 4, 3),
        Entry::new(6, 3, 1),
        Entry::new(7, 7, 0),
    ];
    assert!(order.is_sorted());
    for entry in order {
        assert_eq!(Entry::new(entry.f(), entry.g(), entry.node()), entry);
    }
}

#[test]
fn an_entry_pushed_back_is_popped_next() {
    let mut open = BucketQueue::default();
    open.clear(0, 100);
    for f in [40, 40, 3, 90] {
        open.push(Entry::new(f, f / 2, f));
    }
    let first = open.pop().unwrap();
    open.push(first);
    assert_eq!(open.pop(), Some(first));
}

#[test]
fn an_f_below_the_last_one_popped_still_comes_first() {
    let mut open = BucketQueue::default();
    open.clear(1_000, 100);
    open.push(Entry::new(1_100, 0, 0));
    open.push(Entry::new(1_050, 0, 1));
    assert_eq!(open.pop().map(Entry::f), Some(1_050));
    open.push(Entry::new(1_001, 0, 2));
    assert_eq!(open.pop().map(Entry::f), Some(1_001));
    assert_eq!(open.pop().map(Entry::f), Some(1_100));
}

#[test]
#[should_panic(expected = "f rises by no more than announced")]
fn an_f_beyond_the_ring_panics() {
    let mut open = BucketQueue::default();
    open.clear(0, 100);
    open.push(Entry::new(1_000_000, 0, 0));
}

#[test]
fn an_open_list_grows_by_the_announced_bytes() {
    fn check(open: &mut impl OpenList) {
        open.clear(0, 4_138);
        for step in 0..500 {
            let (announced, before) = (open.growth_for(8), open.heap_bytes());
            open.reserve(8);
            assert_eq!(open.heap_bytes() as u64 - before as u64, announced);
            let reserved = open.heap_bytes();
            for node in 0..8 {
                open.push(Entry::new(step * 7, 0, node));
            }
            if step % 3 == 0 {
                open.pop();
            }
            assert_eq!(open.heap_bytes(), reserved, "pushes fit the reserve");
        }
    }
    check(&mut BucketQueue::default());
    check(&mut QuaternaryHeap::default());
}
