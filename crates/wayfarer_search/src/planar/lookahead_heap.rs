//! An open list that keeps the best of what came last at hand.
//!
//! Going straight on, what was put in last is often what is taken out next: it never goes through
//! the heap then. The order in which entries come out is that of the heap alone.

use crate::kernel::{Entry, OpenList, QuaternaryHeap};

/// A heap with one entry held in front of it.
#[derive(Clone, Debug, Default)]
pub(super) struct LookaheadHeap {
    held: Option<Entry>,
    heap: QuaternaryHeap,
}

impl LookaheadHeap {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.held = None;
        self.heap.clear(0, u32::MAX);
    }

    #[inline]
    pub(super) fn push(&mut self, entry: Entry) {
        match &mut self.held {
            None => self.held = Some(entry),
            Some(held) if entry < *held => {
                let larger = std::mem::replace(held, entry);
                self.heap.push(larger);
            }
            Some(_) => self.heap.push(entry),
        }
    }

    /// Takes the smallest out.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Entry> {
        match (self.held, self.heap.peek()) {
            (Some(held), Some(top)) if *top < held => self.heap.pop(),
            (Some(_), _) => self.held.take(),
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
    fn entries_come_out_as_from_the_heap_alone() {
        let mut rng = Rng::new(5);
        let (mut held, mut heap) = (LookaheadHeap::default(), QuaternaryHeap::default());
        for _ in 0..5_000 {
            if rng.chance(3, 5) {
                let cost = rng.below(40);
                let total = Cost::from_units(cost + rng.below(9)).units();
                let entry = Entry::new(total, cost, rng.below(1_000));
                held.push(entry);
                heap.push(entry);
            } else {
                assert_eq!(held.pop(), heap.pop());
            }
        }
        while let Some(entry) = heap.pop() {
            assert_eq!(held.pop(), Some(entry));
        }
        assert_eq!(held.pop(), None);
    }
}
