//! Hash table from 64-bit keys to 32-bit values with exactly known heap size.
//!
//! Open addressing, linear probing, backward-shift deletion (no tombstones), load factor at most
//! 3/4. Lookup only: iteration would depend on history.

/// Keys to values. The key `u64::MAX` is reserved.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// Key-value pairs; an unused slot has the key [`UNUSED`]. The length is 0 or a power of two.
    slots: Vec<(u64, u32)>,
    len: usize,
}

const UNUSED: u64 = u64::MAX;

impl Table {
    fn home(&self, key: u64) -> usize {
        let mixed = (key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 32) as usize & (self.slots.len() - 1)
    }

    /// The slot of `key`, or the unused slot where it belongs.
    fn seek(&self, key: u64) -> usize {
        let mut slot = self.home(key);
        while self.slots[slot].0 != key && self.slots[slot].0 != UNUSED {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    pub(super) fn get(&self, key: u64) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let (found, value) = self.slots[self.seek(key)];
        (found == key).then_some(value)
    }

    /// Inserts or replaces the value of `key`.
    pub(super) fn put(&mut self, key: u64, value: u32) {
        if (self.len + 1) * 4 > self.slots.len() * 3 {
            let size = (self.slots.len() * 2).max(4);
            let old = std::mem::replace(&mut self.slots, vec![(UNUSED, 0); size]);
            for (key, value) in old.into_iter().filter(|(key, _)| *key != UNUSED) {
                let slot = self.seek(key);
                self.slots[slot] = (key, value);
            }
        }
        let slot = self.seek(key);
        self.len += usize::from(self.slots[slot].0 == UNUSED);
        self.slots[slot] = (key, value);
    }

    pub(super) fn remove(&mut self, key: u64) {
        if self.get(key).is_none() {
            return;
        }
        let mask = self.slots.len() - 1;
        let mut hole = self.seek(key);
        self.len -= 1;
        let mut next = (hole + 1) & mask;
        while self.slots[next].0 != UNUSED {
            let home = self.home(self.slots[next].0);
            // The entry may move into the hole unless that puts it before its home slot.
            if (next.wrapping_sub(home) & mask) >= (next.wrapping_sub(hole) & mask) {
                self.slots[hole] = self.slots[next];
                hole = next;
            }
            next = (next + 1) & mask;
        }
        self.slots[hole] = (UNUSED, 0);
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<(u64, u32)>()
    }
}

#[cfg(test)]
mod tests;
