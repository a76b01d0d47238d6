//! 4-ary heap: an open list for arbitrary costs. O(log n) push and pop; no allocation once warm.

use super::open::{Entry, OpenList, doubling_growth, grow_doubling};

/// A 4-ary min-heap, for costs that rise by any amount.
///
/// Push and pop take O(log n); memory is kept between searches.
#[derive(Clone, Debug)]
pub struct QuaternaryHeap<E = Entry> {
    /// The entries; the children of entry i are 4 i + 1 to 4 i + 4.
    pub(crate) entries: Vec<E>,
}

const ARITY: usize = 4;

impl<E> Default for QuaternaryHeap<E> {
    fn default() -> Self {
        let entries = Vec::new();
        Self { entries }
    }
}

impl<E: Copy + Ord> QuaternaryHeap<E> {
    /// The smallest entry, without removing it.
    #[inline]
    pub fn peek(&self) -> Option<&E> {
        self.entries.first()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Inserts an entry.
    #[inline]
    pub fn push(&mut self, entry: E) {
        let mut index = self.entries.len();
        self.entries.push(entry);
        let entries = &mut self.entries[..];
        while index > 0 {
            let parent = (index - 1) / ARITY;
            if entries[parent] <= entry {
                break;
            }
            entries[index] = entries[parent];
            index = parent;
        }
        entries[index] = entry;
    }

    /// Removes the smallest entry.
    #[inline]
    pub fn pop(&mut self) -> Option<E> {
        let last = self.entries.pop()?;
        let Some(&first) = self.entries.first() else {
            return Some(last);
        };
        self.sift_down(last);
        Some(first)
    }

    /// Puts an entry in the place of the smallest one.
    fn sift_down(&mut self, entry: E) {
        let entries = &mut self.entries[..];
        let mut index = 0;
        loop {
            let first = index * ARITY + 1;
            if first >= entries.len() {
                break;
            }
            let mut smallest = first;
            for child in first + 1..entries.len().min(first + ARITY) {
                if entries[child] < entries[smallest] {
                    smallest = child;
                }
            }
            if entry <= entries[smallest] {
                break;
            }
            entries[index] = entries[smallest];
            index = smallest;
        }
        entries[index] = entry;
    }

    /// Bytes the list must grow by before `more` further entries are certain to fit.
    pub fn growth_for(&self, more: usize) -> u64 {
        doubling_growth(&self.entries, more)
    }

    /// Makes room for `more` further entries.
    pub fn reserve(&mut self, more: usize) {
        grow_doubling(&mut self.entries, more);
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<E>()
    }
}

impl OpenList for QuaternaryHeap {
    fn clear(&mut self, _lowest: u32, _rise: u32) {
        self.clear();
    }

    fn push(&mut self, entry: Entry) {
        self.push(entry);
    }

    fn pop(&mut self) -> Option<Entry> {
        self.pop()
    }

    fn growth_for(&self, more: usize) -> u64 {
        self.growth_for(more)
    }

    fn reserve(&mut self, more: usize) {
        self.reserve(more);
    }

    fn heap_bytes(&self) -> usize {
        self.heap_bytes()
    }
}
