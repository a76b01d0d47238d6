//! Open-addressing hash table with constant-time clear.

/// Linear-probing table from 64-bit keys to 32-bit values; an entry of an older generation counts
/// as empty. At most half full. [`StampedTable::clear`] comes before the first use.
#[derive(Clone, Debug, Default)]
pub(crate) struct StampedTable {
    entries: Vec<Entry>,
    generation: u32,
    n_entries: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    value: u32,
    generation: u32,
}

impl StampedTable {
    /// Removes all entries in O(1): starts a new generation.
    pub(crate) fn clear(&mut self) {
        if self.entries.is_empty() {
            self.entries.resize(1024, Entry::default());
        }
        if self.generation == u32::MAX {
            self.entries.fill(Entry::default());
            self.generation = 0;
        }
        self.generation += 1;
        self.n_entries = 0;
    }

    /// The value of `key`.
    #[inline]
    pub(crate) fn find(&self, key: u64) -> Option<u32> {
        let entry = &self.entries[self.slot(key)];
        (entry.generation == self.generation).then_some(entry.value)
    }

    /// The value of `key`, inserted as `value` if absent; true if inserted.
    #[inline]
    pub(crate) fn entry(&mut self, key: u64, value: u32) -> (&mut u32, bool) {
        if self.n_entries * 2 >= self.entries.len() {
            self.grow();
        }
        let mask = self.entries.len() - 1;
        let mut slot = Self::hash(key) & mask;
        loop {
            let entry = &self.entries[slot];
            if entry.generation != self.generation {
                self.n_entries += 1;
                self.entries[slot] = Entry {
                    key,
                    value,
                    generation: self.generation,
                };
                return (&mut self.entries[slot].value, true);
            }
            if entry.key == key {
                return (&mut self.entries[slot].value, false);
            }
            slot = (slot + 1) & mask;
        }
    }

    #[inline]
    fn hash(key: u64) -> usize {
        // The high bits of the product depend on all bits of the key.
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize
    }

    /// The slot of `key`, or the empty one where it belongs.
    #[inline]
    fn slot(&self, key: u64) -> usize {
        let mask = self.entries.len() - 1;
        let mut slot = Self::hash(key) & mask;
        loop {
            let entry = &self.entries[slot];
            if entry.generation != self.generation || entry.key == key {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![Entry::default(); self.entries.len() * 2];
        let old = std::mem::replace(&mut self.entries, larger);
        let current = self.generation;
        for entry in old.iter().filter(|entry| entry.generation == current) {
            let slot = self.slot(entry.key);
            self.entries[slot] = *entry;
        }
    }

    /// Bytes that `more` further entries allocate.
    #[inline]
    pub(crate) fn growth_for(&self, more: usize) -> usize {
        let is_full = (self.n_entries + more) * 2 > self.entries.len();
        usize::from(is_full) * 2 * self.heap_bytes()
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }
}
