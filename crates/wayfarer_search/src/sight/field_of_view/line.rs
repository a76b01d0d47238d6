//! One row of a field of view as bits: opaque and visible squares.

use super::MAX_SIGHT_RADIUS;

/// Words of a row at the largest radius.
pub(super) const N_WORDS: usize = (2 * MAX_SIGHT_RADIUS as usize + 1).div_ceil(64);

/// A row of the grid relative to the eye: bit 0 lies `radius` columns before the eye's column.
pub(super) struct Line {
    radius: i32,
    /// Opaque squares; valid only as far as read.
    pub(super) opaque: [u64; N_WORDS],
}

/// The words that hold the bits from `low` to `high`.
#[inline]
pub(super) fn words_of(low: i32, high: i32) -> std::ops::RangeInclusive<usize> {
    word_of(low)..=word_of(high)
}

#[inline]
fn word_of(bit: i32) -> usize {
    bit.cast_unsigned() as usize / 64
}

/// Mask of the bits from `bit` on within its word.
#[inline]
fn mask_from(bit: i32) -> u64 {
    u64::MAX << (bit & 63)
}

impl Line {
    pub(super) fn new(radius: i32) -> Self {
        Self {
            radius,
            opaque: [u64::MAX; N_WORDS],
        }
    }

    /// Reads a row of `width` bits around column `center`, `ahead` bits to both sides.
    #[inline]
    pub(super) fn read(&mut self, row: &[u64], center: usize, width: usize, ahead: i32) {
        let number = |at: usize| i64::try_from(at).unwrap_or(i64::MAX);
        let west = number(center) - i64::from(self.radius);
        for index in words_of(self.radius - ahead, self.radius + ahead) {
            let begin = west + 64 * number(index);
            let (word, shift) = (begin.div_euclid(64), begin.rem_euclid(64));
            let low = opaque_word(row, word, width) >> shift;
            // Two shifts, since a shift by 64 overflows.
            let high = opaque_word(row, word + 1, width) << 1 << (63 - shift);
            self.opaque[index] = low | high;
        }
    }

    /// Sets the bits of squares `first` to `last`.
    #[inline]
    pub(super) fn mark(&self, marks: &mut [u64; N_WORDS], first: i32, last: i32) {
        if first > last {
            return;
        }
        let (low, high) = (first + self.radius, last + self.radius);
        let (from, to) = (word_of(low), word_of(high));
        let until = u64::MAX >> (63 - (high & 63));
        if from == to {
            marks[from] |= mask_from(low) & until;
            return;
        }
        marks[from] |= mask_from(low);
        marks[from + 1..to].fill(u64::MAX);
        marks[to] |= until;
    }

    /// Clears the bit of a square.
    pub(super) fn unmark(&self, marks: &mut [u64; N_WORDS], over: i32) {
        let bit = over + self.radius;
        marks[word_of(bit)] &= !(1 << (bit & 63));
    }

    /// The first opaque square from `from` to `to`.
    #[inline]
    pub(super) fn next_opaque(&self, from: i32, to: i32) -> Option<i32> {
        self.next(from, to, 0)
    }

    /// The last square of the opaque run that starts at `from`, at most `to`.
    #[inline]
    pub(super) fn last_opaque(&self, from: i32, to: i32) -> i32 {
        match self.next(from, to, u64::MAX) {
            Some(clear) => clear - 1,
            None => to,
        }
    }

    /// The first square from `from` to `to` whose bit, inverted by `invert`, is set.
    #[inline]
    fn next(&self, from: i32, to: i32, invert: u64) -> Option<i32> {
        if from > to {
            return None;
        }
        let (low, high) = (from + self.radius, to + self.radius);
        let mut index = word_of(low);
        let mut bits = (self.opaque[index] ^ invert) & mask_from(low);
        while bits == 0 {
            if index == word_of(high) {
                return None;
            }
            index += 1;
            bits = self.opaque[index] ^ invert;
        }
        let word = i32::try_from(index).unwrap_or(i32::MAX);
        let found = 64 * word + bits.trailing_zeros().cast_signed() - self.radius;
        (found <= to).then_some(found)
    }
}

/// A word of a row of `width` bits; bits out of bounds are opaque.
#[inline]
fn opaque_word(row: &[u64], word: i64, width: usize) -> u64 {
    let Some((index, &bits)) = usize::try_from(word)
        .ok()
        .and_then(|index| Some((index, row.get(index)?)))
    else {
        return u64::MAX;
    };
    match width - (64 * index).min(width) {
        n_left @ 0..64 => bits | u64::MAX << n_left,
        _ => bits,
    }
}

/// Transposes a block of 64 x 64 bits.
pub(super) fn transpose(block: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = u64::MAX >> 32;
    while width != 0 {
        let mut row = 0;
        while row < 64 {
            let swap = ((block[row] >> width) ^ block[row + width]) & mask;
            block[row] ^= swap << width;
            block[row + width] ^= swap;
            row = (row + width + 1) & !width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests;
