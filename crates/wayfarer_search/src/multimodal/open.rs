//! The open list of a multimodal search.
//!
//! Where the cost limit bounds f, a bucket queue; otherwise a heap, and another one for the f that a weight
//! raises above the range of costs. The order is the same: lowest f, then highest g, then the lowest node.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::node::Node;
use crate::kernel::{BucketQueue, Entry, OpenList, QuaternaryHeap};

/// The largest range of f for a bucket queue: buckets are narrower than a step.
const MAX_RANGE: u64 = 1 << 22;

/// The nodes to expand.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenNodes {
    buckets: BucketQueue,
    heap: QuaternaryHeap,
    /// Entries with an f beyond `u32::MAX`.
    far: BinaryHeap<Reverse<(u64, Reverse<u32>, u32)>>,
    is_bucketed: bool,
}

impl OpenNodes {
    /// Removes all entries; every f will be at most `limit`. The first entry has the f `lowest`.
    pub(super) fn clear(&mut self, lowest: u64, limit: u64) {
        let range = limit.saturating_sub(lowest);
        self.is_bucketed = range <= MAX_RANGE && limit <= u64::from(u32::MAX);
        self.heap.clear();
        self.far.clear();
        let narrow = |f: u64| u32::try_from(f).unwrap_or(0);
        self.buckets.clear(narrow(lowest), narrow(range));
    }

    #[inline]
    pub(super) fn push(&mut self, f: u64, g: u32, node: Node) {
        let Ok(f) = u32::try_from(f) else {
            self.far.push(Reverse((f, Reverse(g), node.number())));
            return;
        };
        let entry = Entry::new(f, g, node.number());
        if self.is_bucketed {
            OpenList::push(&mut self.buckets, entry);
        } else {
            self.heap.push(entry);
        }
    }

    /// Removes the first entry: its f, g and node.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u64, u32, Node)> {
        let entry = if self.is_bucketed {
            OpenList::pop(&mut self.buckets)
        } else {
            self.heap.pop()
        };
        if let Some(entry) = entry {
            let node = Node::from_number(entry.node());
            return Some((u64::from(entry.f()), entry.g(), node));
        }
        let Reverse((f, Reverse(g), node)) = self.far.pop()?;
        Some((f, g, Node::from_number(node)))
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        let far = self.far.capacity() * size_of::<Reverse<(u64, Reverse<u32>, u32)>>();
        self.buckets.heap_bytes() + OpenList::heap_bytes(&self.heap) + far
    }

    /// Bytes by which `more` further entries may grow it.
    pub(super) fn growth_for(&self, more: usize) -> u64 {
        if self.is_bucketed {
            self.buckets.growth_for(more)
        } else {
            OpenList::growth_for(&self.heap, more)
        }
    }
}
