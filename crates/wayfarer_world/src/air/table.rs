//! A table from 64-bit keys to 32-bit numbers whose bytes are known exactly.
//!
//! Open addressing with linear steps; a removed entry is closed up, so that the table of a set of
//! keys never fills with gravestones. Not to be walked through: only looked up.

/// Keys to numbers. The key `u64::MAX` is not allowed.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// Pairs; an unused place has the key [`UNUSED`]. The length is 0 or a power of two.
    places: Vec<(u64, u32)>,
    len: usize,
}

const UNUSED: u64 = u64::MAX;

impl Table {
    fn home(&self, key: u64) -> usize {
        let mixed = (key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 32) as usize & (self.places.len() - 1)
    }

    /// The place of `key`, or the unused place where it belongs.
    fn seek(&self, key: u64) -> usize {
        let mut place = self.home(key);
        while self.places[place].0 != key && self.places[place].0 != UNUSED {
            place = (place + 1) & (self.places.len() - 1);
        }
        place
    }

    pub(super) fn get(&self, key: u64) -> Option<u32> {
        if self.places.is_empty() {
            return None;
        }
        let (found, value) = self.places[self.seek(key)];
        (found == key).then_some(value)
    }

    /// Puts `value` under `key`, in place of what was there.
    pub(super) fn put(&mut self, key: u64, value: u32) {
        if (self.len + 1) * 4 > self.places.len() * 3 {
            let size = (self.places.len() * 2).max(4);
            let old = std::mem::replace(&mut self.places, vec![(UNUSED, 0); size]);
            for (key, value) in old.into_iter().filter(|(key, _)| *key != UNUSED) {
                let place = self.seek(key);
                self.places[place] = (key, value);
            }
        }
        let place = self.seek(key);
        self.len += usize::from(self.places[place].0 == UNUSED);
        self.places[place] = (key, value);
    }

    pub(super) fn remove(&mut self, key: u64) {
        if self.get(key).is_none() {
            return;
        }
        let mask = self.places.len() - 1;
        let mut hole = self.seek(key);
        self.len -= 1;
        let mut next = (hole + 1) & mask;
        while self.places[next].0 != UNUSED {
            let home = self.home(self.places[next].0);
            // The entry may move into the hole if that does not put it before its home.
            if (next.wrapping_sub(home) & mask) >= (next.wrapping_sub(hole) & mask) {
                self.places[hole] = self.places[next];
                hole = next;
            }
            next = (next + 1) & mask;
        }
        self.places[hole] = (UNUSED, 0);
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.places.capacity() * size_of::<(u64, u32)>()
    }
}

#[cfg(test)]
mod tests;
