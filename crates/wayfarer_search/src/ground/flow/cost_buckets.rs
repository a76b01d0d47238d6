//! Buckets of costs for Dijkstra's algorithm \[Dial1969\]: a ring of unordered lists.
//!
//! A bucket is narrower than the cost of a step, so that steps lead out of it and the order within
//! does not matter; cheaper nav links lead to entries of the same bucket, which is emptied before
//! the next. Costs beyond the ring wait in a heap. Amortized O(1); no allocation once warm.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Log2 of the costs in a bucket; a step costs at least 1463.
const SHIFT: u32 = 10;
const WORDS: usize = 16;
const RING: u32 = 64 * 16;
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Entry {
    cost: u32,
    slot: u32,
    next: u32,
}

/// A queue of slots by cost, lowest bucket first.
#[derive(Clone, Debug)]
pub(super) struct CostBuckets {
    /// The bucket being emptied; all before it are empty.
    open: u32,
    heads: Vec<u32>,
    filled: [u64; WORDS],
    entries: Vec<Entry>,
    free: u32,
    /// By cost, then by order of insertion.
    far: BinaryHeap<Reverse<(u32, u64, u32)>>,
    /// Entries that have waited in `far`.
    n_far: u64,
    len: usize,
    /// Scratch of [`CostBuckets::rewind`].
    moved: Vec<(u32, u32)>,
}

impl Default for CostBuckets {
    fn default() -> Self {
        Self {
            open: 0,
            heads: vec![NONE; RING as usize],
            filled: [0; WORDS],
            entries: Vec::new(),
            free: NONE,
            far: BinaryHeap::new(),
            n_far: 0,
            len: 0,
            moved: Vec::new(),
        }
    }
}

impl CostBuckets {
    /// Removes all entries; keeps memory.
    pub(super) fn clear(&mut self) {
        self.open = 0;
        self.heads.fill(NONE);
        self.filled = [0; WORDS];
        self.entries.clear();
        self.free = NONE;
        self.far.clear();
        (self.n_far, self.len) = (0, 0);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Opens the first bucket again, so that entries of any cost may be added.
    pub(super) fn rewind(&mut self) {
        if self.open == 0 {
            return;
        }
        let mut moved = std::mem::take(&mut self.moved);
        moved.extend(std::iter::from_fn(|| self.pop()));
        self.clear();
        // The last one added leaves first.
        while let Some((cost, slot)) = moved.pop() {
            self.push(cost, slot);
        }
        self.moved = moved;
    }

    /// The lowest cost of the bucket being emptied: lower costs are final.
    pub(super) fn open_cost(&self) -> u32 {
        self.open << SHIFT
    }

    /// Adds an entry that costs no less than the last one removed.
    #[inline]
    pub(super) fn push(&mut self, cost: u32, slot: u32) {
        let bucket = (cost >> SHIFT).max(self.open);
        self.len += 1;
        if bucket - self.open >= RING {
            self.far.push(Reverse((cost, self.n_far, slot)));
            self.n_far += 1;
            return;
        }
        let at = bucket % RING;
        self.filled[(at / 64) as usize] |= 1 << (at % 64);
        let head = &mut self.heads[at as usize];
        let entry = Entry {
            cost,
            slot,
            next: *head,
        };
        if self.free == NONE {
            *head = u32::try_from(self.entries.len()).expect("fewer entries than u32 values");
            self.entries.push(entry);
        } else {
            *head = self.free;
            let reused = &mut self.entries[self.free as usize];
            self.free = reused.next;
            *reused = entry;
        }
    }

    /// Removes an entry of the lowest bucket.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u32, u32)> {
        loop {
            let at = self.open % RING;
            let head = self.heads[at as usize];
            if head != NONE {
                let entry = self.entries[head as usize];
                self.heads[at as usize] = entry.next;
                self.entries[head as usize].next = self.free;
                self.free = head;
                self.len -= 1;
                return Some((entry.cost, entry.slot));
            }
            self.filled[(at / 64) as usize] &= !(1 << (at % 64));
            self.open_next()?;
        }
    }

    /// Opens the lowest bucket with entries.
    fn open_next(&mut self) -> Option<()> {
        let near = self.next_filled();
        let far = self.far.peek().map(|Reverse((cost, ..))| cost >> SHIFT);
        self.open = near.into_iter().chain(far).min()?;
        while let Some(Reverse((cost, _, slot))) = self.far.peek().copied()
            && (cost >> SHIFT) - self.open < RING
        {
            self.far.pop();
            self.len -= 1;
            self.push(cost, slot);
        }
        Some(())
    }

    /// The first bucket of the ring with entries, from the open one on.
    fn next_filled(&self) -> Option<u32> {
        let (word, bit) = ((self.open % RING / 64) as usize, self.open % 64);
        let ahead = self.filled[word] & (u64::MAX << bit);
        if ahead != 0 {
            return Some(self.open - bit + ahead.trailing_zeros());
        }
        let base = self.open - bit;
        (1..=WORDS).zip(1_u32..).find_map(|(by, n_words)| {
            let mut bits = self.filled[(word + by) % WORDS];
            if by == WORDS {
                bits &= !(u64::MAX << bit);
            }
            (bits != 0).then(|| base + 64 * n_words + bits.trailing_zeros())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfarer_base::Rng;

    #[test]
    fn entries_leave_by_rising_bucket_from_near_and_far() {
        let mut buckets = CostBuckets::default();
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            buckets.clear();
            let mut held: Vec<(u32, u32)> = Vec::new();
            let mut lowest = 0;
            for number in 0..3_000_u32 {
                if rng.chance(3, 5) {
                    let reach = if rng.chance(1, 9) { 9_000_000 } else { 60_000 };
                    let cost = lowest + rng.below(reach);
                    buckets.push(cost, number);
                    held.push((cost, number));
                } else if let Some((cost, number)) = buckets.pop() {
                    let least = held.iter().map(|(cost, _)| cost >> SHIFT).min().unwrap();
                    assert_eq!(cost >> SHIFT, least);
                    lowest = cost.max(lowest);
                    let at = held.iter().position(|entry| *entry == (cost, number));
                    held.swap_remove(at.unwrap());
                }
            }
            let mut rest: Vec<(u32, u32)> = std::iter::from_fn(|| buckets.pop()).collect();
            assert!(rest.is_sorted_by_key(|(cost, _)| cost >> SHIFT));
            rest.sort_unstable();
            held.sort_unstable();
            assert_eq!(rest, held);
        }
    }
}
