//! Room for short lists of numbers that come and go, without asking the system for each.

/// Lists of 16-bit numbers in pieces of a power of two, each size with its own free pieces.
///
/// A list is known by the place of its first number, counted in pieces of four.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    words: Vec<u16>,
    /// The first free piece of each size, by the power of two; `END` if none.
    free: [u32; N_SIZES],
}

const END: u32 = u32::MAX;
const N_SIZES: usize = 24;
/// The smallest piece, as a power of two.
const MIN_SIZE: u32 = 2;

impl Default for Pool {
    fn default() -> Self {
        Self {
            words: Vec::new(),
            free: [END; N_SIZES],
        }
    }
}

impl Pool {
    /// Keeps a list and says where; `None` if it is too long or the pool is full.
    pub(super) fn add(&mut self, list: impl Iterator<Item = u16>, len: usize) -> Option<u32> {
        // The first word says which size the piece has.
        let power = (len + 1).next_power_of_two().trailing_zeros().max(MIN_SIZE);
        let size = 1_usize << power;
        let head = self.free.get_mut(power as usize)?;
        let place = if *head == END {
            let place = u32::try_from(self.words.len() >> MIN_SIZE).ok()?;
            if place >= 1 << 31 {
                return None;
            }
            let end = self.words.len() + size;
            if end > self.words.capacity() {
                self.words.reserve_exact(size + self.words.len() / 8);
            }
            self.words.resize(end, 0);
            place
        } else {
            let place = *head;
            let at = (place as usize) << MIN_SIZE;
            *head = u32::from(self.words[at]) | u32::from(self.words[at + 1]) << 16;
            place
        };
        let at = (place as usize) << MIN_SIZE;
        self.words[at] = u16::try_from(power).ok()?;
        for (word, value) in self.words[at + 1..at + size].iter_mut().zip(list) {
            *word = value;
        }
        Some(place)
    }

    #[expect(clippy::cast_possible_truncation, reason = "two halves of a place")]
    pub(super) fn remove(&mut self, place: u32) {
        let at = (place as usize) << MIN_SIZE;
        let power = usize::from(self.words[at]);
        let next = self.free[power];
        self.words[at] = next as u16;
        self.words[at + 1] = (next >> 16) as u16;
        self.free[power] = place;
    }

    /// The list at a place, with what was left over of its piece.
    #[inline]
    pub(super) fn list(&self, place: u32) -> &[u16] {
        let at = (place as usize) << MIN_SIZE;
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
