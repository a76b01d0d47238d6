//! Allocator for short lists of 16-bit numbers in power-of-two size classes with free lists.

/// Lists of 16-bit numbers. A list is identified by the offset of its chunk, in units of the
/// smallest chunk.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    words: Vec<u16>,
    /// The first free chunk per size class; `END` if none.
    free_lists: [u32; N_SIZES],
}

const END: u32 = u32::MAX;
const N_SIZES: usize = 24;
/// Log2 of the smallest chunk.
const MIN_SIZE: u32 = 2;

impl Default for Pool {
    fn default() -> Self {
        Self {
            words: Vec::new(),
            free_lists: [END; N_SIZES],
        }
    }
}

impl Pool {
    /// Stores a list and returns its slot; `None` if it is too long or the pool is full.
    pub(super) fn add(&mut self, list: impl Iterator<Item = u16>, len: usize) -> Option<u32> {
        // The first word stores the size class.
        let power = (len + 1).next_power_of_two().trailing_zeros().max(MIN_SIZE);
        let size = 1_usize << power;
        let head = self.free_lists.get_mut(power as usize)?;
        let slot = if *head == END {
            let slot = u32::try_from(self.words.len() >> MIN_SIZE).ok()?;
            if slot >= 1 << 31 {
                return None;
            }
            let end = self.words.len() + size;
            if end > self.words.capacity() {
                self.words.reserve_exact(size + self.words.len() / 8);
            }
            self.words.resize(end, 0);
            slot
        } else {
            let slot = *head;
            let at = (slot as usize) << MIN_SIZE;
            *head = u32::from(self.words[at]) | u32::from(self.words[at + 1]) << 16;
            slot
        };
        let at = (slot as usize) << MIN_SIZE;
        self.words[at] = u16::try_from(power).ok()?;
        for (word, value) in self.words[at + 1..at + size].iter_mut().zip(list) {
            *word = value;
        }
        Some(slot)
    }

    #[expect(clippy::cast_possible_truncation, reason = "two halves of a slot")]
    pub(super) fn remove(&mut self, slot: u32) {
        let at = (slot as usize) << MIN_SIZE;
        let power = usize::from(self.words[at]);
        let next = self.free_lists[power];
        self.words[at] = next as u16;
        self.words[at + 1] = (next >> 16) as u16;
        self.free_lists[power] = slot;
    }

    /// The list in a slot, followed by unused words of its chunk.
    #[inline]
    pub(super) fn list(&self, slot: u32) -> &[u16] {
        let at = (slot as usize) << MIN_SIZE;
        &self.words[at + 1..at + (1 << self.words[at])]
    }

    #[cfg(test)]
    pub(super) fn words(&self) -> &[u16] {
        &self.words
    }

    pub(super) fn shrink(&mut self) {
        self.words.shrink_to_fit();
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u16>()
    }
}
