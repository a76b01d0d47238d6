//! 4-ary heap: an open list for arbitrary costs. O(log n) push and pop; no allocation once warm.

use super::open::{Entry, OpenList, doubling_growth, grow_doubling};

/// A 4-ary min-heap in the order of [`Entry`], for costs that rise by any amount.
///
/// Push and pop take O(log n); memory is kept between searches.
#[derive(Clone, Debug, Default)]
pub struct QuaternaryHeap {
    entries: Vec<Entry>,
}

const ARITY: usize = 4;

impl QuaternaryHeap {
    /// The smallest entry, without removing it.
    #[inline]
    pub fn peek(&self) -> Option<&Entry> {
        self.entries.first()
    }

    fn sift_up(&mut self, mut index: usize, entry: Entry) {
        while index > 0 {
            let parent = (index - 1) / ARITY;
            if self.entries[parent] <= entry {
                break;
            }
            self.entries[index] = self.entries[parent];
            index = parent;
        }
        self.entries[index] = entry;
    }

    fn sift_down(&mut self, mut index: usize, entry: Entry) {
        let entries = &mut self.entries[..];
        loop {
            let first = index * ARITY + 1;
            let Some(children) = entries.get(first..entries.len().min(first + ARITY)) else {
                break;
            };
            let Some((offset, &smallest)) =
                children.iter().enumerate().min_by_key(|(_, entry)| **entry)
            else {
                break;
            };
            if entry <= smallest {
                break;
            }
            entries[index] = smallest;
            index = first + offset;
        }
        entries[index] = entry;
    }
}

impl OpenList for QuaternaryHeap {
    fn clear(&mut self, _lowest: u32, _rise: u32) {
        self.entries.clear();
    }

    fn push(&mut self, entry: Entry) {
        let index = self.entries.len();
        self.entries.push(entry);
        self.sift_up(index, entry);
    }

    fn pop(&mut self) -> Option<Entry> {
        let last = self.entries.pop()?;
        let Some(&first) = self.entries.first() else {
            return Some(last);
        };
        self.sift_down(0, last);
        Some(first)
    }

    fn growth_for(&self, more: usize) -> u64 {
        doubling_growth(&self.entries, more)
    }

    fn reserve(&mut self, more: usize) {
        grow_doubling(&mut self.entries, more);
    }

    fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }
}
