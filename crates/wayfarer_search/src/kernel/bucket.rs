//! An open list for costs that rise by little at a time: a ring of buckets, one for each total.
//!
//! Every bucket holds the entries of a few neighboring totals as a list without order. When the
//! search comes to a bucket, its entries are sorted once; entries that come into it later are put
//! in their place, which on a grid is nearly always the top. So the order is exact, whatever the
//! width of the buckets.
//!
//! Invariant: all entries lie less than a whole ring above the bucket that is open, so a place on
//! the ring stands for one bucket only.

use super::open::{Entry, OpenList, doubling_growth, grow_doubling};

/// A ring of buckets: push and pop take the same time however long the list is.
///
/// Takes 16 bytes per entry and 16 kB besides.
#[derive(Clone, Debug)]
pub struct BucketQueue {
    /// Totals are divided by 2^shift.
    shift: u32,
    /// The bucket that is open: all before it are empty.
    open_bucket: u32,
    /// What the open bucket holds, the smallest last.
    open: Vec<Entry>,
    /// For each place on the ring the slot of its first entry; nothing if its bit is not set.
    heads: Vec<u32>,
    /// A bit for each place on the ring that holds entries.
    filled: [u64; WORDS],
    /// A bit for each word of `filled` that is not zero.
    filled_words: u64,
    slots: Vec<Slot>,
    /// First of the slots that are free to be used again.
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
/// Narrowest buckets, as a shift: measured on game maps.
const NARROWEST: u32 = 3;

impl Default for BucketQueue {
    fn default() -> Self {
        Self {
            shift: NARROWEST,
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
    /// Puts `entry` in its place in the open bucket.
    #[inline]
    fn insert_open(&mut self, entry: Entry) {
        match self.open.last() {
            Some(last) if *last < entry => {
                let place = self.open.partition_point(|other| *other > entry);
                self.open.insert(place, entry);
            }
            _ => self.open.push(entry),
        }
    }

    /// The place on the ring of the next bucket that holds something, from the open one on.
    #[inline]
    fn next_place(&self) -> Option<u32> {
        if self.filled_words == 0 {
            return None;
        }
        let here = self.open_bucket % RING;
        let (word, bit) = ((here / 64) as usize, here % 64);
        let rest = self.filled[word] & (u64::MAX << bit);
        if rest != 0 {
            return Some(here - bit + rest.trailing_zeros());
        }
        // Words after this one, then from the start of the ring up to and with this one again.
        let after = self.filled_words & (u64::MAX << 1 << word);
        let word = if after != 0 { after } else { self.filled_words }.trailing_zeros();
        Some(word * 64 + self.filled[word as usize].trailing_zeros())
    }

    /// Opens the next bucket that holds something and takes its smallest entry.
    fn open_next(&mut self) -> Option<Entry> {
        let place = self.next_place()?;
        let (word, bit) = ((place / 64) as usize, place % 64);
        self.filled[word] &= !(1 << bit);
        if self.filled[word] == 0 {
            self.filled_words &= !(1 << word);
        }
        self.open_bucket += place.wrapping_sub(self.open_bucket) % RING;

        let head = self.heads[place as usize];
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
        // Buckets as narrow as fits the ring, with one to spare on either side.
        let spread = (rise / (RING - 2)).checked_ilog2().map_or(0, |log| log + 1);
        self.shift = spread.max(NARROWEST);
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
            "totals rise by no more than was said"
        );
        let place = bucket % RING;
        let (word, bit) = ((place / 64) as usize, 1_u64 << (place % 64));
        let next = if self.filled[word] & bit == 0 {
            self.filled[word] |= bit;
            self.filled_words |= 1 << word;
            NONE
        } else {
            self.heads[place as usize]
        };
        let slot = Slot {
            key: entry.key,
            node: entry.node,
            next,
        };
        if self.free == NONE {
            self.heads[place as usize] =
                u32::try_from(self.slots.len()).expect("fewer than 2^32 entries");
            self.slots.push(slot);
        } else {
            let head = self.free;
            self.heads[place as usize] = head;
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
        // In the worst case all entries come to lie in one bucket.
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
