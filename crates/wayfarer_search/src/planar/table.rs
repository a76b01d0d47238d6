//! Open-addressing hash table with constant-time clear.

/// Linear-probing table from 64-bit keys to 32-bit values; an entry of an older generation counts
/// as empty. At most half full.
#[derive(Clone, Debug, Default)]
pub(super) struct StampedTable {
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
    pub(super) fn clear(&mut self) {
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

    /// The value of `key`, inserted as `value` if absent; true if inserted.
    #[inline]
    pub(super) fn entry(&mut self, key: u64, value: u32) -> (&mut u32, bool) {
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

    #[cold]
    fn grow(&mut self) {
        let larger = vec![Entry::default(); self.entries.len() * 2];
        let old = std::mem::replace(&mut self.entries, larger);
        let mask = self.entries.len() - 1;
        for entry in old
            .iter()
            .filter(|entry| entry.generation == self.generation)
        {
            let mut slot = Self::hash(entry.key) & mask;
            while self.entries[slot].generation == self.generation {
                slot = (slot + 1) & mask;
            }
            self.entries[slot] = *entry;
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }
}
