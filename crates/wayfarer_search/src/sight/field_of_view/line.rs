//! One row of what is looked at, as bits: which squares are dark, and which are seen.

use super::MAX_SIGHT_RADIUS;

/// Words of a row of the largest view.
pub(super) const N_WORDS: usize = (2 * MAX_SIGHT_RADIUS as usize + 1).div_ceil(64);

/// A row of the board as far as a view reaches, counted from the eye's column: its bit 0 lies
/// `radius` columns before that.
pub(super) struct Line {
    radius: i32,
    /// Which squares are opaque; true only as far as it was read.
    pub(super) dark: [u64; N_WORDS],
}

/// The words that hold the bits from `low` to `high`.
#[inline]
pub(super) fn words_of(low: i32, high: i32) -> std::ops::RangeInclusive<usize> {
    word_of(low)..=word_of(high)
}

#[inline]
fn word_of(place: i32) -> usize {
    place.cast_unsigned() as usize / 64
}

/// The bits of the word of `place` from `place` on.
#[inline]
fn from_on(place: i32) -> u64 {
    u64::MAX << (place & 63)
}

impl Line {
    pub(super) fn new(radius: i32) -> Self {
        Self {
            radius,
            dark: [u64::MAX; N_WORDS],
        }
    }

    /// Reads a row of `width` bits around the column `center`, `ahead` to both sides.
    #[inline]
    pub(super) fn read(&mut self, row: &[u64], center: usize, width: usize, ahead: i32) {
        let number = |at: usize| i64::try_from(at).unwrap_or(i64::MAX);
        let west = number(center) - i64::from(self.radius);
        for place in words_of(self.radius - ahead, self.radius + ahead) {
            let begin = west + 64 * number(place);
            let (word, shift) = (begin.div_euclid(64), begin.rem_euclid(64));
            let low = opaque_word(row, word, width) >> shift;
            // Twice, because a shift by 64 has no meaning.
            let high = opaque_word(row, word + 1, width) << 1 << (63 - shift);
            self.dark[place] = low | high;
        }
    }

    /// Sets the bits of squares `first` to `last`, if there are any.
    #[inline]
    pub(super) fn mark(&self, marks: &mut [u64; N_WORDS], first: i32, last: i32) {
        if first > last {
            return;
        }
        let (low, high) = (first + self.radius, last + self.radius);
        let (from, to) = (word_of(low), word_of(high));
        let until = u64::MAX >> (63 - (high & 63));
        if from == to {
            marks[from] |= from_on(low) & until;
            return;
        }
        marks[from] |= from_on(low);
        marks[from + 1..to].fill(u64::MAX);
        marks[to] |= until;
    }

    /// Clears the bit of a square.
    pub(super) fn unmark(&self, marks: &mut [u64; N_WORDS], over: i32) {
        let place = over + self.radius;
        marks[word_of(place)] &= !(1 << (place & 63));
    }

    /// The first opaque square from `from` on, no farther than `to`.
    #[inline]
    pub(super) fn next_opaque(&self, from: i32, to: i32) -> Option<i32> {
        self.next(from, to, 0)
    }

    /// The last of the opaque squares that follow each other from `from` on, no farther than `to`.
    #[inline]
    pub(super) fn last_opaque(&self, from: i32, to: i32) -> i32 {
        match self.next(from, to, u64::MAX) {
            Some(clear) => clear - 1,
            None => to,
        }
    }

    /// The first square from `from` to `to` whose bit is set, all of them turned round by `turn`.
    #[inline]
    fn next(&self, from: i32, to: i32, turn: u64) -> Option<i32> {
        if from > to {
            return None;
        }
        let (low, high) = (from + self.radius, to + self.radius);
        let mut place = word_of(low);
        let mut rest = (self.dark[place] ^ turn) & from_on(low);
        while rest == 0 {
            if place == word_of(high) {
                return None;
            }
            place += 1;
            rest = self.dark[place] ^ turn;
        }
        let word = i32::try_from(place).unwrap_or(i32::MAX);
        let found = 64 * word + rest.trailing_zeros().cast_signed() - self.radius;
        (found <= to).then_some(found)
    }
}

/// A word of a row of `width` bits; what lies outside is opaque.
#[inline]
fn opaque_word(row: &[u64], word: i64, width: usize) -> u64 {
    let Some((place, &bits)) = usize::try_from(word)
        .ok()
        .and_then(|place| Some((place, row.get(place)?)))
    else {
        return u64::MAX;
    };
    match width - (64 * place).min(width) {
        rest @ 0..64 => bits | u64::MAX << rest,
        _ => bits,
    }
}

/// Makes rows columns and columns rows.
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
