//! Rows or columns of a board, sixty-four cells to a word, with where looks along them end.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "a board has far fewer cells than 2^31, and looks stay on it"
)]

/// Rows (or columns) of cells, from end to end. The first words of all lanes come first, then the
/// second ones: looks from one cell after the other of a diagonal begin in neighboring lanes at
/// nearly the same place, so what they need lies together.
#[derive(Clone, Debug, Default)]
pub(super) struct Lanes {
    n_lanes: usize,
    /// Words in a lane.
    n_words: usize,
    /// From one word of a lane to its next one: a little more than there are lanes, lest all words
    /// of a lane compete for the same lines of the processor's cache.
    stride: usize,
    open: Vec<u64>,
    /// Where a look towards higher numbers ends, and one towards lower numbers.
    up: Vec<u64>,
    down: Vec<u64>,
    /// From where such looks end at a place, and not at a closed cell.
    up_sees: Vec<u64>,
    down_sees: Vec<u64>,
}

impl Lanes {
    /// Words between the last lane's and the first lane's next one.
    pub(super) const SPARE: usize = 8;

    pub(super) fn clear(&mut self, n_lanes: usize, n_words: usize) {
        (self.n_lanes, self.n_words) = (n_lanes, n_words);
        self.stride = n_lanes + Self::SPARE;
        for words in [
            &mut self.open,
            &mut self.up,
            &mut self.down,
            &mut self.up_sees,
            &mut self.down_sees,
        ] {
            words.clear();
            words.resize(self.stride * n_words, 0);
        }
    }

    /// Sixteen cells of a lane, the first at a multiple of sixteen.
    pub(super) fn put(&mut self, lane: usize, first: usize, cells: u64) {
        let shift = first % 64;
        let word = &mut self.open[lane + first / 64 * self.stride];
        *word = *word & !(0xFFFF << shift) | cells << shift;
    }

    #[inline(always)]
    pub(super) fn is_open(&self, lane: i32, at: i32) -> bool {
        self.open[lane as usize + at as usize / 64 * self.stride] >> (at % 64) & 1 == 1
    }

    fn word(&self, lane: usize, word: usize) -> u64 {
        if lane < self.n_lanes && word < self.n_words {
            self.open[lane + word * self.stride]
        } else {
            0
        }
    }

    /// Finds anew where looks end, from cell `first` to `last` of the lanes `low` to `high`.
    pub(super) fn refresh(&mut self, (low, high): (usize, usize), (first, last): (usize, usize)) {
        for lane in low..=high.min(self.n_lanes - 1) {
            for word in first / 64..=(last / 64).min(self.n_words - 1) {
                let (mut up, mut down) = (!self.word(lane, word), !self.word(lane, word));
                for side in [lane.wrapping_sub(1), lane + 1] {
                    let open = self.word(side, word);
                    up |= open & !(open << 1 | self.word(side, word.wrapping_sub(1)) >> 63);
                    down |= open & !(open >> 1 | self.word(side, word + 1) << 63);
                }
                self.up[lane + word * self.stride] = up;
                self.down[lane + word * self.stride] = down;
            }
            self.refresh_sights(lane, first / 64, (last / 64).min(self.n_words - 1));
        }
    }

    /// Finds anew from where looks end at a place, given that their ends changed in the words
    /// `first` to `last` of a lane.
    pub(super) fn refresh_sights(&mut self, lane: usize, first: usize, last: usize) {
        // What holds beyond a word, of its outermost cell: that is the next end, or sees one.
        let mut beyond = false;
        if last + 1 < self.n_words {
            let next = lane + (last + 1) * self.stride;
            let sees = if self.up[next] & 1 == 1 {
                &self.open
            } else {
                &self.up_sees
            };
            beyond = sees[next] & 1 == 1;
        }
        for word in (0..=last).rev() {
            let at = lane + word * self.stride;
            let (ends, open) = (self.up[at], self.open[at]);
            // Each cell sees what the next one sees, unless that is an end.
            let mut sees = (ends & open) >> 1 | u64::from(beyond) << 63;
            let mut passes = !ends >> 1;
            for shift in [1, 2, 4, 8, 16, 32] {
                sees |= passes & sees >> shift;
                passes &= passes >> shift;
            }
            let previous = std::mem::replace(&mut self.up_sees[at], sees);
            if word < first && previous == sees {
                break;
            }
            beyond = if ends & 1 == 1 { open } else { sees } & 1 == 1;
        }
        beyond = false;
        if first > 0 {
            let next = lane + (first - 1) * self.stride;
            let is_end = self.down[next] >> 63 == 1;
            let sees = if is_end { &self.open } else { &self.down_sees };
            beyond = sees[next] >> 63 == 1;
        }
        for word in first..self.n_words {
            let at = lane + word * self.stride;
            let (ends, open) = (self.down[at], self.open[at]);
            // As a sum is carried: on from where a place is, past everything that is no end.
            let (place, passes) = (ends & open, !ends);
            let sum = (place | passes)
                .wrapping_add(place)
                .wrapping_add(beyond.into());
            let sees = sum ^ passes;
            let previous = std::mem::replace(&mut self.down_sees[at], sees);
            if word > last && previous == sees {
                break;
            }
            beyond = if ends >> 63 == 1 { open } else { sees } >> 63 == 1;
        }
    }

    /// True if a look from `at` in a lane ends at a place.
    #[inline(always)]
    pub(super) fn sees<const UP: bool>(&self, lane: i32, at: i32) -> bool {
        let sees = if UP { &self.up_sees } else { &self.down_sees };
        sees[lane as usize + at as usize / 64 * self.stride] >> (at % 64) & 1 == 1
    }

    /// The first end of a look beyond `at` in a lane: the outermost cells are closed.
    #[inline(always)]
    pub(super) fn end<const UP: bool>(&self, lane: i32, at: i32) -> i32 {
        if UP {
            let next = at as usize + 1;
            let mut first = next / 64;
            let mut word = lane as usize + first * self.stride;
            let stops = self.up[word] >> (next % 64);
            if stops != 0 {
                return next as i32 + stops.trailing_zeros() as i32;
            }
            loop {
                (first, word) = (first + 1, word + self.stride);
                let stops = self.up[word];
                if stops != 0 {
                    return (first * 64) as i32 + stops.trailing_zeros() as i32;
                }
            }
        }
        let before = at as usize - 1;
        let mut first = before / 64;
        let mut word = lane as usize + first * self.stride;
        let stops = self.down[word] << (63 - before % 64);
        if stops != 0 {
            return before as i32 - stops.leading_zeros() as i32;
        }
        loop {
            (first, word) = (first - 1, word - self.stride);
            let stops = self.down[word];
            if stops != 0 {
                return (first * 64) as i32 + 63 - stops.leading_zeros() as i32;
            }
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let ends = self.up.capacity() + self.down.capacity();
        let sights = self.up_sees.capacity() + self.down_sees.capacity();
        (self.open.capacity() + ends + sights) * size_of::<u64>()
    }
}
