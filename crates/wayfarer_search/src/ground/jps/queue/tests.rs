//! Order and growth of the open list.

use std::collections::BTreeSet;

use wayfarer_base::Rng;

use super::*;

#[test]
fn entries_pop_lowest_f_first_then_generated_last() {
    let mut rng = Rng::new(3);
    let (mut queue, mut expected) = (Queue::default(), BTreeSet::new());
    for id in 0..3_000 {
        let f = rng.below(50);
        if !queue.has_room() {
            let before = queue.heap_bytes() as u64;
            let growth = queue.growth();
            queue.grow();
            assert_eq!(queue.heap_bytes() as u64, before + growth);
        }
        queue.push(pack(f, id));
        expected.insert((f, std::cmp::Reverse(id)));
        while rng.chance(2, 5) {
            let next = expected.pop_first().map(|(f, id)| (f, id.0));
            assert_eq!(queue.pop().map(unpack), next);
        }
    }
    while let Some((f, id)) = expected.pop_first() {
        assert_eq!(queue.pop().map(unpack), Some((f, id.0)));
    }
    assert_eq!(queue.pop(), None);
}
