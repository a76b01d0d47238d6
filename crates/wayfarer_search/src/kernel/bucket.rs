//! Bucket queue for bounded increases of f \[Dial1969\]: a circular array of buckets.
//!
//! A bucket holds the entries of 2^shift consecutive values of f as an unordered list. The queue
//! sorts a bucket once, when it becomes the open one; later entries for it are inserted in order,
//! on a grid nearly always at the top. The order is therefore exact for every bucket width.
//! Amortized O(1) push and pop; no allocation once warm.
//!
//! Invariant: all entries lie less than one ring above the open bucket, so a ring slot stands for
//! one bucket only.

use super::open::{Entry, OpenList, doubling_growth, grow_doubling};

/// A circular bucket queue: push and pop take amortized constant time.
///
/// Takes 16 bytes per entry and 16 kB besides.
#[derive(Clone, Debug)]
pub struct BucketQueue {
    /// A bucket is f >> shift.
    shift: u32,
    /// The bucket being emptied: all before it are empty.
    open_bucket: u32,
    /// Entries of the open bucket in descending order.
    open: Vec<Entry>,
    /// Per ring slot the index of its first entry; meaningless if its bit in `filled` is clear.
    heads: Vec<u32>,
    /// A bit per ring slot that holds entries.
    filled: [u64; WORDS],
    /// A bit for each word of `filled` that is not zero.
    filled_words: u64,
    slots: Vec<Slot>,
    /// Head of the free list through `slots`.
    free: u32,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    key: u64,
    node: u32,
    next: u32,
}

impl Slot {
    #[inline]
    const fn entry(self) -> Entry {
        Entry {
            key: self.key,
            node: self.node,
        }
    }
}

const WORDS: usize = 64;
const RING: u32 = 64 * 64;
const NONE: u32 = u32::MAX;
/// Smallest shift, measured on game maps.
const MIN_SHIFT: u32 = 3;

impl Default for BucketQueue {
    fn default() -> Self {
        Self {
            shift: MIN_SHIFT,
            open_bucket: 0,
            open: Vec::new(),
            heads: vec![NONE; RING as usize],
            filled: [0; WORDS],
            filled_words: 0,
            slots: Vec::new(),
            free: NONE,
        }
    }
}

impl BucketQueue {
    /// Inserts `entry` into the open bucket in order.
    #[inline]
    fn insert_open(&mut self, entry: Entry) {
        match self.open.last() {
            Some(last) if *last < entry => {
                let index = self.open.partition_point(|other| *other > entry);
                self.open.insert(index, entry);
            }
            _ => self.open.push(entry),
        }
    }

    /// The ring slot of the first non-empty bucket from the open one on.
    #[inline]
    fn next_filled(&self) -> Option<u32> {
        if self.filled_words == 0 {
            return None;
        }
        let current = self.open_bucket % RING;
        let (word, bit) = ((current / 64) as usize, current % 64);
        let ahead = self.filled[word] & (u64::MAX << bit);
        if ahead != 0 {
            return Some(current - bit + ahead.trailing_zeros());
        }
        // Words after this one, then wrapped around from the start up to and including this one.
        let after = self.filled_words & (u64::MAX << 1 << word);
        let word = if after != 0 { after } else { self.filled_words }.trailing_zeros();
        Some(word * 64 + self.filled[word as usize].trailing_zeros())
    }

    /// Opens the first non-empty bucket and removes its smallest entry.
    fn open_next(&mut self) -> Option<Entry> {
        let ring_slot = self.next_filled()?;
        let (word, bit) = ((ring_slot / 64) as usize, ring_slot % 64);
        self.filled[word] &= !(1 << bit);
        if self.filled[word] == 0 {
            self.filled_words &= !(1 << word);
        }
        self.open_bucket += ring_slot.wrapping_sub(self.open_bucket) % RING;

        let head = self.heads[ring_slot as usize];
        let slot = self.slots[head as usize];
        if slot.next == NONE {
            self.slots[head as usize].next = self.free;
            self.free = head;
            return Some(slot.entry());
        }
        let mut last = head;
        loop {
            let slot = self.slots[last as usize];
            self.open.push(slot.entry());
            if slot.next == NONE {
                break;
            }
            last = slot.next;
        }
        self.slots[last as usize].next = self.free;
        self.free = head;
        if self.open.len() == 2 {
            if self.open[0] < self.open[1] {
                self.open.swap(0, 1);
            }
        } else {
            self.open.sort_unstable_by(|a, b| b.cmp(a));
        }
        self.open.pop()
    }
}

impl OpenList for BucketQueue {
    fn clear(&mut self, lowest: u32, rise: u32) {
        // Buckets as narrow as the ring allows, with one to spare on either side.
        let spread = (rise / (RING - 2)).checked_ilog2().map_or(0, |log| log + 1);
        self.shift = spread.max(MIN_SHIFT);
        self.open_bucket = lowest >> self.shift;
        self.open.clear();
        self.filled = [0; WORDS];
        self.filled_words = 0;
        self.slots.clear();
        self.free = NONE;
    }

    #[inline]
    fn push(&mut self, entry: Entry) {
        let bucket = entry.f() >> self.shift;
        if bucket <= self.open_bucket {
            self.insert_open(entry);
            return;
        }
        assert!(
            bucket - self.open_bucket < RING,
            "f rises by no more than announced"
        );
        let ring_slot = bucket % RING;
        let (word, bit) = ((ring_slot / 64) as usize, 1_u64 << (ring_slot % 64));
        let next = if self.filled[word] & bit == 0 {
            self.filled[word] |= bit;
            self.filled_words |= 1 << word;
            NONE
        } else {
            self.heads[ring_slot as usize]
        };
        let slot = Slot {
            key: entry.key,
            node: entry.node,
            next,
        };
        if self.free == NONE {
            self.heads[ring_slot as usize] =
                u32::try_from(self.slots.len()).expect("fewer than 2^32 entries");
            self.slots.push(slot);
        } else {
            let head = self.free;
            self.heads[ring_slot as usize] = head;
            let old = &mut self.slots[head as usize];
            self.free = old.next;
            *old = slot;
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<Entry> {
        match self.open.pop() {
            Some(entry) => Some(entry),
            None => self.open_next(),
        }
    }

    fn growth_for(&self, more: usize) -> u64 {
        // In the worst case all entries end up in one bucket.
        doubling_growth(&self.slots, more) + doubling_growth(&self.open, self.slots.len() + more)
    }

    fn reserve(&mut self, more: usize) {
        let all = self.slots.len() + more;
        grow_doubling(&mut self.open, all);
        grow_doubling(&mut self.slots, more);
    }

    fn heap_bytes(&self) -> usize {
        self.heads.capacity() * size_of::<u32>()
            + self.open.capacity() * size_of::<Entry>()
            + self.slots.capacity() * size_of::<Slot>()
    }
}
