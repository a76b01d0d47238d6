//! The open list: a 4-ary heap of packed entries.
//!
//! One word per entry, f in the high half, the inverted vertex id in the low one: lowest f first,
//! then the vertex generated last. The order is total and follows from the geometry of the world
//! alone.

/// A 4-ary heap with a buffer of one entry.
///
/// The buffer holds the smallest entry pushed since the last pop: mostly it is popped next, and
/// otherwise it replaces the popped entry without a push.
///
/// Sift loops run over all levels and swap by `min` and `max`: a branch that ends them early is
/// mispredicted half the time and costs more than it saves.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    /// Siblings form a group. Group 0 stays empty; group 1 holds the root alone, in its last slot.
    /// The children of slot `n`, counted through all groups, are group `n - 5`.
    groups: Vec<[u64; WIDTH]>,
    /// Entries on the heap.
    n_entries: usize,
    /// The buffered entry, or `NO_ENTRY`.
    buffered: u64,
}

/// Larger than any entry: an empty slot.
const NO_ENTRY: u64 = u64::MAX;

const WIDTH: usize = 4;

/// The slot of the root.
const FIRST: usize = 7;

const EMPTY: [u64; WIDTH] = [NO_ENTRY; WIDTH];

impl Default for Queue {
    fn default() -> Self {
        Self {
            groups: Vec::new(),
            n_entries: 0,
            buffered: NO_ENTRY,
        }
    }
}

/// The entry of vertex `id`.
#[inline]
pub(super) const fn pack(f: u32, id: u32) -> u64 {
    (f as u64) << 32 | !id as u64
}

/// f and vertex of an entry.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the halves of a word")]
pub(super) const fn unpack(entry: u64) -> (u32, u32) {
    ((entry >> 32) as u32, !(entry as u32))
}

impl Queue {
    pub(super) fn clear(&mut self) {
        self.groups.clear();
        self.n_entries = 0;
        self.buffered = NO_ENTRY;
    }

    /// Pushes an entry.
    #[inline]
    pub(super) fn push(&mut self, entry: u64) {
        let larger = entry.max(self.buffered);
        self.buffered = entry.min(self.buffered);
        if larger != NO_ENTRY {
            self.push_on_heap(larger);
        }
    }

    #[expect(
        clippy::inline_always,
        reason = "called for every jump point found: 3 % of a search by jump points uncached"
    )]
    #[inline(always)]
    fn push_on_heap(&mut self, mut entry: u64) {
        let mut slot = FIRST + self.n_entries;
        while self.groups.len() <= slot / WIDTH {
            self.groups.push(EMPTY);
        }
        self.n_entries += 1;
        while slot > FIRST {
            let parent = slot / WIDTH + 5;
            let other = self.groups[parent / WIDTH][parent % WIDTH];
            self.groups[slot / WIDTH][slot % WIDTH] = entry.max(other);
            entry = entry.min(other);
            slot = parent;
        }
        self.groups[FIRST / WIDTH][FIRST % WIDTH] = entry;
    }

    /// Pops the smallest entry.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<u64> {
        let buffered = std::mem::replace(&mut self.buffered, NO_ENTRY);
        let Some(&[.., first]) = self.groups.get(1) else {
            return (buffered != NO_ENTRY).then_some(buffered);
        };
        let next = buffered.min(first);
        if buffered != NO_ENTRY {
            // If the root itself remains, it sinks to where it is.
            if self.n_entries > 0 {
                self.sink(buffered.max(first));
            }
            return Some(next);
        }
        self.n_entries = self.n_entries.checked_sub(1)?;
        let slot = FIRST + self.n_entries;
        let last = &mut self.groups[slot / WIDTH][slot % WIDTH];
        let last = std::mem::replace(last, NO_ENTRY);
        if self.n_entries > 0 {
            self.sink(last);
        }
        Some(next)
    }

    /// Replaces the root.
    #[inline]
    fn sink(&mut self, mut entry: u64) {
        let groups = &mut self.groups[..];
        let mut slot = FIRST;
        for _ in 1..n_levels(self.n_entries) {
            let below = slot.wrapping_sub(5);
            let group = if below < groups.len() { below } else { 0 };
            let four = groups[group];
            let low = usize::from(four[1] < four[0]);
            let high = 2 + usize::from(four[3] < four[2]);
            let (lower, higher) = (four[0].min(four[1]), four[2].min(four[3]));
            let smallest = lower.min(higher);
            groups[slot / WIDTH][slot % WIDTH] = entry.min(smallest);
            entry = entry.max(smallest);
            slot = group * WIDTH + if higher < lower { high } else { low };
        }
        groups[slot / WIDTH][slot % WIDTH] = entry;
    }

    /// All entries, in no order.
    pub(super) fn entries(&self) -> impl Iterator<Item = u64> {
        let entries = self.groups.iter().flatten();
        let buffered = std::iter::once(&self.buffered);
        entries
            .chain(buffered)
            .copied()
            .filter(|entry| *entry != NO_ENTRY)
    }

    /// True if one more entry fits.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        (FIRST + self.n_entries) / WIDTH < self.groups.capacity()
    }

    /// Bytes that the next [`Queue::grow`] adds.
    pub(super) fn growth(&self) -> u64 {
        (self.groups.capacity().max(8) * size_of::<[u64; WIDTH]>()) as u64
    }

    /// Doubles the capacity.
    #[cold]
    pub(super) fn grow(&mut self) {
        let wanted = self.groups.capacity() + self.groups.capacity().max(8);
        self.groups.reserve_exact(wanted - self.groups.len());
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.groups.capacity() * size_of::<[u64; WIDTH]>()
    }
}

/// Levels of a heap of `n_entries`.
#[inline]
const fn n_levels(n_entries: usize) -> u32 {
    (usize::BITS - (3 * n_entries).leading_zeros()).div_ceil(2)
}

#[cfg(test)]
mod tests;
