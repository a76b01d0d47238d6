use std::collections::BTreeSet;

use wayfarer_base::Rng;

use super::*;

#[test]
fn entries_come_out_lowest_total_first_then_seen_last() {
    let mut rng = Rng::new(3);
    let (mut queue, mut expected) = (Queue::default(), BTreeSet::new());
    for number in 0..3_000 {
        let total = rng.below(50);
        if !queue.has_room() {
            let before = queue.heap_bytes() as u64;
            let growth = queue.growth();
            queue.grow();
            assert_eq!(queue.heap_bytes() as u64, before + growth);
        }
        queue.push(entry(total, number));
        expected.insert((total, std::cmp::Reverse(number)));
        while rng.chance(2, 5) {
            let next = expected
                .pop_first()
                .map(|(total, number)| (total, number.0));
            assert_eq!(queue.pop().map(parts), next);
        }
    }
    while let Some((total, number)) = expected.pop_first() {
        assert_eq!(queue.pop().map(parts), Some((total, number.0)));
    }
    assert_eq!(queue.pop(), None);
}
