use super::*;
use crate::kernel::{BucketQueue, QuaternaryHeap};
use wayfarer_base::Rng;

/// Runs a search-like load over `open` and a sorted list, which must agree at every step.
#[track_caller]
fn check(open: &mut impl OpenList, seed: u64, lowest: u32, rise: u32) {
    let mut rng = Rng::new(seed);
    let mut list = Vec::<Entry>::new();
    open.clear(lowest, rise);
    let mut floor = lowest;
    for _ in 0..2_000 {
        if rng.chance(11, 20) {
            // Many ties on purpose.
            let total = floor + rng.below(8) * (rise / 8) + rng.below(2) * (rise % 8);
            let entry = Entry::new(total, rng.below(3), rng.below(5));
            open.push(entry);
            list.push(entry);
        } else {
            list.sort_unstable_by(|a, b| b.cmp(a));
            let expected = list.pop();
            assert_eq!(open.pop(), expected, "seed {seed}, rise {rise}");
            floor = expected.map_or(floor, Entry::f);
        }
    }
    list.sort_unstable_by(|a, b| b.cmp(a));
    while let Some(expected) = list.pop() {
        assert_eq!(open.pop(), Some(expected), "seed {seed}, rise {rise}");
    }
    assert_eq!(open.pop(), None);
}

#[test]
fn every_open_list_pops_in_the_one_written_order() {
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
fn the_lower_total_then_the_higher_cost_then_the_smaller_number_comes_first() {
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
fn an_entry_put_back_comes_out_next_again() {
    let mut open = BucketQueue::default();
    open.clear(0, 100);
    for total in [40, 40, 3, 90] {
        open.push(Entry::new(total, total / 2, total));
    }
    let first = open.pop().unwrap();
    open.push(first);
    assert_eq!(open.pop(), Some(first));
}

#[test]
fn a_total_below_the_last_one_taken_out_still_comes_first() {
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
#[should_panic(expected = "totals rise by no more than was said")]
fn a_total_beyond_the_ring_is_refused_not_misfiled() {
    let mut open = BucketQueue::default();
    open.clear(0, 100);
    open.push(Entry::new(1_000_000, 0, 0));
}

#[test]
fn a_list_with_room_reserved_grows_by_what_it_said() {
    fn check(open: &mut impl OpenList) {
        open.clear(0, 4_138);
        for step in 0..500 {
            let (said, before) = (open.growth_for(8), open.heap_bytes());
            open.reserve(8);
            assert_eq!(open.heap_bytes() as u64 - before as u64, said);
            let held = open.heap_bytes();
            for node in 0..8 {
                open.push(Entry::new(step * 7, 0, node));
            }
            if step % 3 == 0 {
                open.pop();
            }
            assert_eq!(
                open.heap_bytes(),
                held,
                "no growth beyond what was reserved"
            );
        }
    }
    check(&mut BucketQueue::default());
    check(&mut QuaternaryHeap::default());
}
