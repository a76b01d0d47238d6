//! The open list: which place to look at next.
//!
//! One word per entry, total high, number of the place inverted low: of equal totals the place
//! first seen last comes first. Places are numbered in the order they were first seen, so the
//! order is total and depends on the shape of the world alone.

/// A heap in which every entry has up to four below it.
///
/// The smallest entry put in since the last was taken out is kept beside the heap: more often
/// than not it is the next one to be taken, and else it takes the place of the one that is.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    entries: Vec<u64>,
    /// The entry kept beside, or `NO_ENTRY`.
    beside: u64,
}

/// Larger than any entry.
const NO_ENTRY: u64 = u64::MAX;

impl Default for Queue {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            beside: NO_ENTRY,
        }
    }
}

const WIDTH: usize = 4;

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
        self.entries.clear();
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
    fn push_on_heap(&mut self, entry: u64) {
        let mut place = self.entries.len();
        self.entries.push(entry);
        let entries = &mut self.entries[..];
        while place > 0 {
            let above = (place - 1) / WIDTH;
            if entries[above] <= entry {
                break;
            }
            entries[place] = entries[above];
            place = above;
        }
        entries[place] = entry;
    }

    /// Takes the smallest entry out.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<u64> {
        let beside = std::mem::replace(&mut self.beside, NO_ENTRY);
        let first = self.entries.first().copied().unwrap_or(NO_ENTRY);
        if beside < first {
            return Some(beside);
        }
        if beside != NO_ENTRY {
            self.sink(beside);
            return Some(first);
        }
        let last = self.entries.pop()?;
        if !self.entries.is_empty() {
            self.sink(last);
        }
        Some(first)
    }

    /// Puts an entry where the first was.
    #[inline]
    fn sink(&mut self, last: u64) {
        let entries = &mut self.entries[..];
        let mut place = 0;
        loop {
            let below = place * WIDTH + 1;
            let (smallest, value) = if let Some(four) = entries.get(below..below + WIDTH) {
                let low = usize::from(four[1] < four[0]);
                let high = 2 + usize::from(four[3] < four[2]);
                let offset = if four[high] < four[low] { high } else { low };
                (below + offset, four[offset])
            } else {
                let rest = entries.get(below..).unwrap_or(&[]);
                match (below..).zip(rest).min_by_key(|(_, entry)| **entry) {
                    Some((at, &value)) => (at, value),
                    None => break,
                }
            };
            if last <= value {
                break;
            }
            entries[place] = value;
            place = smallest;
        }
        entries[place] = last;
    }

    /// All entries, in no order.
    pub(super) fn entries(&self) -> impl Iterator<Item = u64> {
        let beside = std::iter::once(self.beside).filter(|entry| *entry != NO_ENTRY);
        self.entries.iter().copied().chain(beside)
    }

    /// True if one more entry fits.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.entries.len() < self.entries.capacity()
    }

    /// Bytes by which the next growth grows it.
    pub(super) fn growth(&self) -> u64 {
        (self.entries.capacity().max(32) * size_of::<u64>()) as u64
    }

    /// Makes room for twice as many entries.
    #[cold]
    pub(super) fn grow(&mut self) {
        let wanted = self.entries.capacity() + self.entries.capacity().max(32);
        self.entries.reserve_exact(wanted - self.entries.len());
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests;
