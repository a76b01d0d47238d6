//! The open list: which place to look at next.
//!
//! One word per entry, total high, number of the place inverted low: of equal totals the place
//! first seen last comes first. Places are numbered in the order they were first seen, so the
//! order is total and depends on the shape of the world alone.

/// A heap in which every entry has up to four below it.
///
/// The smallest entry put in since the last was taken out is kept beside the heap: more often
/// than not it is the next one to be taken, and else it takes the place of the one that is.
///
/// Which way an entry goes through the heap nobody can foresee, the processor neither. So entries
/// go all the way, from end to end, exchanged or not: the number of steps depends on nothing but
/// the number of entries.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    /// Entries with the same one above them are a group. Group 0 is empty for good; of group 1
    /// there is the last entry alone, which is above all others. Below entry `n`, counted through
    /// all groups, is group `n - 5`.
    groups: Vec<[u64; WIDTH]>,
    /// Entries on the heap.
    n_entries: usize,
    /// The entry kept beside, or `NO_ENTRY`.
    beside: u64,
}

/// Larger than any entry; where there is none.
const NO_ENTRY: u64 = u64::MAX;

const WIDTH: usize = 4;

/// The place of the first entry.
const FIRST: usize = 7;

const EMPTY: [u64; WIDTH] = [NO_ENTRY; WIDTH];

impl Default for Queue {
    fn default() -> Self {
        Self {
            groups: Vec::new(),
            n_entries: 0,
            beside: NO_ENTRY,
        }
    }
}

/// The entry of place `number`, from where the whole way is estimated at `total`.
#[inline]
pub(super) const fn entry(total: u32, number: u32) -> u64 {
    (total as u64) << 32 | !number as u64
}

/// Total and place of an entry.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the halves of a word")]
pub(super) const fn parts(entry: u64) -> (u32, u32) {
    ((entry >> 32) as u32, !(entry as u32))
}

impl Queue {
    pub(super) fn clear(&mut self) {
        self.groups.clear();
        self.n_entries = 0;
        self.beside = NO_ENTRY;
    }

    /// Puts an entry in.
    #[inline]
    pub(super) fn push(&mut self, entry: u64) {
        let larger = entry.max(self.beside);
        self.beside = entry.min(self.beside);
        if larger != NO_ENTRY {
            self.push_on_heap(larger);
        }
    }

    #[inline]
    fn push_on_heap(&mut self, mut entry: u64) {
        let mut place = FIRST + self.n_entries;
        while self.groups.len() <= place / WIDTH {
            self.groups.push(EMPTY);
        }
        self.n_entries += 1;
        while place > FIRST {
            let above = place / WIDTH + 5;
            let other = self.groups[above / WIDTH][above % WIDTH];
            self.groups[place / WIDTH][place % WIDTH] = entry.max(other);
            entry = entry.min(other);
            place = above;
        }
        self.groups[FIRST / WIDTH][FIRST % WIDTH] = entry;
    }

    /// Takes the smallest entry out.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<u64> {
        let beside = std::mem::replace(&mut self.beside, NO_ENTRY);
        let Some(&[.., first]) = self.groups.get(1) else {
            return (beside != NO_ENTRY).then_some(beside);
        };
        let next = beside.min(first);
        if beside != NO_ENTRY {
            // If it is the first on the heap that stays, it sinks to where it is.
            if self.n_entries > 0 {
                self.sink(beside.max(first));
            }
            return Some(next);
        }
        self.n_entries = self.n_entries.checked_sub(1)?;
        let place = FIRST + self.n_entries;
        let last = &mut self.groups[place / WIDTH][place % WIDTH];
        let last = std::mem::replace(last, NO_ENTRY);
        if self.n_entries > 0 {
            self.sink(last);
        }
        Some(next)
    }

    /// Puts an entry where the first was.
    #[inline]
    fn sink(&mut self, mut entry: u64) {
        let groups = &mut self.groups[..];
        let mut place = FIRST;
        for _ in 1..n_levels(self.n_entries) {
            let below = place.wrapping_sub(5);
            let group = if below < groups.len() { below } else { 0 };
            let four = groups[group];
            let low = usize::from(four[1] < four[0]);
            let high = 2 + usize::from(four[3] < four[2]);
            let (lower, higher) = (four[0].min(four[1]), four[2].min(four[3]));
            let smallest = lower.min(higher);
            groups[place / WIDTH][place % WIDTH] = entry.min(smallest);
            entry = entry.max(smallest);
            place = group * WIDTH + if higher < lower { high } else { low };
        }
        groups[place / WIDTH][place % WIDTH] = entry;
    }

    /// All entries, in no order.
    pub(super) fn entries(&self) -> impl Iterator<Item = u64> {
        let entries = self.groups.iter().flatten();
        let beside = std::iter::once(&self.beside);
        entries
            .chain(beside)
            .copied()
            .filter(|entry| *entry != NO_ENTRY)
    }

    /// True if one more entry fits.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        (FIRST + self.n_entries) / WIDTH < self.groups.capacity()
    }

    /// Bytes by which the next growth grows it.
    pub(super) fn growth(&self) -> u64 {
        (self.groups.capacity().max(8) * size_of::<[u64; WIDTH]>()) as u64
    }

    /// Makes room for twice as many entries.
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

/// Levels of a heap with so many entries.
#[inline]
const fn n_levels(n_entries: usize) -> u32 {
    (usize::BITS - (3 * n_entries).leading_zeros()).div_ceil(2)
}

#[cfg(test)]
mod tests;
