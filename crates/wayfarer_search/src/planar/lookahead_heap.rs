//! A 4-ary heap with a one-entry look-ahead slot.
//!
//! The slot holds the lowest entry pushed since it was last emptied; an entry pushed and popped at
//! once never enters the heap. Entries pop in the order of the heap alone. Push and pop are
//! O(log n).

use crate::kernel::{Entry, QuaternaryHeap};

/// A heap with one entry in front of it.
#[derive(Clone, Debug, Default)]
pub(super) struct LookaheadHeap {
    slot: Option<Entry>,
    heap: QuaternaryHeap,
}

impl LookaheadHeap {
    /// Removes all entries.
    pub(super) fn clear(&mut self) {
        self.slot = None;
        self.heap.clear();
    }

    #[inline]
    pub(super) fn push(&mut self, entry: Entry) {
        match &mut self.slot {
            None => self.slot = Some(entry),
            Some(slot) if entry < *slot => {
                let larger = std::mem::replace(slot, entry);
                self.heap.push(larger);
            }
            Some(_) => self.heap.push(entry),
        }
    }

    /// Removes the smallest entry.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Entry> {
        match (self.slot, self.heap.peek()) {
            (Some(slot), Some(top)) if *top < slot => self.heap.pop(),
            (Some(_), _) => self.slot.take(),
            (None, _) => self.heap.pop(),
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.heap.heap_bytes()
    }
}

#[cfg(test)]
mod tests {
    use wayfarer_base::{Cost, Rng};

    use super::*;

    #[test]
    fn entries_pop_in_the_order_of_the_heap_alone() {
        let mut rng = Rng::new(5);
        let (mut lookahead, mut heap) = (LookaheadHeap::default(), QuaternaryHeap::default());
        for _ in 0..5_000 {
            if rng.chance(3, 5) {
                let g = rng.below(40);
                let f = Cost::from_units(g + rng.below(9)).units();
                let entry = Entry::new(f, g, rng.below(1_000));
                lookahead.push(entry);
                heap.push(entry);
            } else {
                assert_eq!(lookahead.pop(), heap.pop());
            }
        }
        while let Some(entry) = heap.pop() {
            assert_eq!(lookahead.pop(), Some(entry));
        }
        assert_eq!(lookahead.pop(), None);
    }
}
