//! The digest by which revisions tell batches of edits apart: a folded multiplication per word.

use std::hash::{Hash, Hasher};

/// A [`Hasher`] with equal results on every platform, for values that derive [`Hash`].
///
/// Numbers count by value and `usize` as 64 bits. Not cryptographic, and not for stored content:
/// see [`Digest`](crate::Digest) for that.
///
/// ```
/// use wayfarer_base::{BatchDigest, Cell, GroundEdit};
/// let remove = |x| GroundEdit::RemoveCell { cell: Cell::flat(x, 0) };
/// assert_eq!(BatchDigest::of(&[remove(1)]), BatchDigest::of(&[remove(1)]));
/// assert_ne!(BatchDigest::of(&[remove(1)]), BatchDigest::of(&[remove(2)]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BatchDigest {
    state: u64,
}

impl Default for BatchDigest {
    fn default() -> Self {
        Self {
            state: 0x9E37_79B9_7F4A_7C15,
        }
    }
}

impl BatchDigest {
    /// The digest of a value.
    pub fn of<T: Hash + ?Sized>(value: &T) -> u64 {
        let mut digest = Self::default();
        value.hash(&mut digest);
        digest.finish()
    }
}

impl Hasher for BatchDigest {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
        for byte in rest {
            self.write_u64(u64::from(*byte));
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.state ^ word) * 0xD6E8_FEB8_6659_FD93;
        #[expect(clippy::cast_possible_truncation, reason = "the halves of the product")]
        let (low, high) = (product as u64, (product >> 64) as u64);
        self.state = (low ^ high).wrapping_add(0x9E37_79B9_7F4A_7C15);
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    #[inline]
    fn write_i8(&mut self, number: i8) {
        self.write_i64(number.into());
    }

    #[inline]
    fn write_i16(&mut self, number: i16) {
        self.write_i64(number.into());
    }

    #[inline]
    fn write_i32(&mut self, number: i32) {
        self.write_i64(number.into());
    }

    #[inline]
    fn write_i64(&mut self, number: i64) {
        self.write_u64(number.cast_unsigned());
    }

    #[inline]
    fn write_isize(&mut self, number: isize) {
        self.write_i64(number as i64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, GroundEdit, Rng, Terrain};

    #[test]
    fn single_edits_of_a_small_world_have_different_digests() {
        let mut all = Vec::new();
        for x in -40..40 {
            for y in -40..40 {
                for z in -2..2 {
                    let cell = Cell::new(x, y, z);
                    let terrain = Terrain::GROUND;
                    all.push(BatchDigest::of(&GroundEdit::RemoveCell { cell }));
                    all.push(BatchDigest::of(&GroundEdit::PutCell { cell, terrain }));
                }
            }
        }
        let n = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), n);
    }

    #[test]
    fn a_flipped_bit_anywhere_flips_about_half_of_the_digest() {
        let mut rng = Rng::new(5);
        for _ in 0..200 {
            let mut words: Vec<u64> = (0..8).map(|_| rng.next_u64()).collect();
            let before = BatchDigest::of(&words);
            words[rng.below(8) as usize] ^= 1 << rng.below(64);
            let n_flipped = (before ^ BatchDigest::of(&words)).count_ones();
            assert!((8..=56).contains(&n_flipped), "{n_flipped} bits");
        }
    }

    #[test]
    fn the_digest_is_the_same_on_every_platform() {
        let value = (7_usize, -1_i32, [1_u8, 2, 3], Some(true));
        assert_eq!(BatchDigest::of(&value), 3_728_601_342_962_847_435);
    }
}
