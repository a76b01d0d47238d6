//! An open list for any costs: a heap in which every entry has up to four below it.

use super::open::{Entry, OpenList, doubling_growth, grow_doubling};

/// A heap with four children per entry: for costs that rise by any amount.
///
/// Push and pop take time in proportion to the logarithm of the length.
#[derive(Clone, Debug, Default)]
pub struct QuaternaryHeap {
    entries: Vec<Entry>,
}

const WIDTH: usize = 4;

impl QuaternaryHeap {
    /// The smallest, which comes out next.
    #[inline]
    pub fn peek(&self) -> Option<&Entry> {
        self.entries.first()
    }

    fn rise(&mut self, mut place: usize, entry: Entry) {
        while place > 0 {
            let above = (place - 1) / WIDTH;
            if self.entries[above] <= entry {
                break;
            }
            self.entries[place] = self.entries[above];
            place = above;
        }
        self.entries[place] = entry;
    }

    fn sink(&mut self, mut place: usize, entry: Entry) {
        let entries = &mut self.entries[..];
        loop {
            let first = place * WIDTH + 1;
            let Some(below) = entries.get(first..entries.len().min(first + WIDTH)) else {
                break;
            };
            let Some((offset, &smallest)) =
                below.iter().enumerate().min_by_key(|(_, entry)| **entry)
            else {
                break;
            };
            if entry <= smallest {
                break;
            }
            entries[place] = smallest;
            place = first + offset;
        }
        entries[place] = entry;
    }
}

impl OpenList for QuaternaryHeap {
    fn clear(&mut self, _lowest: u32, _rise: u32) {
        self.entries.clear();
    }

    fn push(&mut self, entry: Entry) {
        let place = self.entries.len();
        self.entries.push(entry);
        self.rise(place, entry);
    }

    fn pop(&mut self) -> Option<Entry> {
        let last = self.entries.pop()?;
        let Some(&first) = self.entries.first() else {
            return Some(last);
        };
        self.sink(0, last);
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
