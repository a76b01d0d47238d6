//! Rows or columns of the bitmap, 64 cells to a word, with the stops of scans along them.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "a bitmap has far fewer cells than 2^31, and scans stay on it"
)]

/// Rows (or columns) of cells. The first words of all lanes come first, then the second ones: scans
/// from the cells of a diagonal start in neighboring lanes at nearly the same position, so that
/// their words lie together.
#[derive(Clone, Debug, Default)]
pub(super) struct Lanes {
    n_lanes: usize,
    /// Words in a lane.
    n_words: usize,
    /// Distance between the words of a lane: a little more than the number of lanes, so that they
    /// do not compete for the same cache lines.
    stride: usize,
    open: Vec<u64>,
    /// Stops of scans towards higher positions, and towards lower ones.
    up: Vec<u64>,
    down: Vec<u64>,
    /// Cells from which such a scan stops at a jump point, not at a blocked cell.
    up_hits: Vec<u64>,
    down_hits: Vec<u64>,
}

impl Lanes {
    /// Unused words between one word of all lanes and the next.
    pub(super) const SPARE: usize = 8;

    pub(super) fn clear(&mut self, n_lanes: usize, n_words: usize) {
        (self.n_lanes, self.n_words) = (n_lanes, n_words);
        self.stride = n_lanes + Self::SPARE;
        for words in [
            &mut self.open,
            &mut self.up,
            &mut self.down,
            &mut self.up_hits,
            &mut self.down_hits,
        ] {
            words.clear();
            words.resize(self.stride * n_words, 0);
        }
    }

    /// Stores 16 cells of a lane, the first at a multiple of 16.
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

    /// Recomputes the stops from cell `first` to `last` of the lanes `low` to `high`.
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
            self.refresh_hits(lane, first / 64, (last / 64).min(self.n_words - 1));
        }
    }

    /// Recomputes the hits of a lane, given that its stops changed in the words `first` to `last`.
    pub(super) fn refresh_hits(&mut self, lane: usize, first: usize, last: usize) {
        // Whether the first cell beyond a word is a jump point or passes a hit on.
        let mut beyond = false;
        if last + 1 < self.n_words {
            let next = lane + (last + 1) * self.stride;
            let hits = if self.up[next] & 1 == 1 {
                &self.open
            } else {
                &self.up_hits
            };
            beyond = hits[next] & 1 == 1;
        }
        for word in (0..=last).rev() {
            let at = lane + word * self.stride;
            let (ends, open) = (self.up[at], self.open[at]);
            // Each cell hits what the next one hits, unless that is a stop.
            let mut hits = (ends & open) >> 1 | u64::from(beyond) << 63;
            let mut passes = !ends >> 1;
            for shift in [1, 2, 4, 8, 16, 32] {
                hits |= passes & hits >> shift;
                passes &= passes >> shift;
            }
            let previous = std::mem::replace(&mut self.up_hits[at], hits);
            if word < first && previous == hits {
                break;
            }
            beyond = if ends & 1 == 1 { open } else { hits } & 1 == 1;
        }
        beyond = false;
        if first > 0 {
            let next = lane + (first - 1) * self.stride;
            let is_end = self.down[next] >> 63 == 1;
            let hits = if is_end { &self.open } else { &self.down_hits };
            beyond = hits[next] >> 63 == 1;
        }
        for word in first..self.n_words {
            let at = lane + word * self.stride;
            let (ends, open) = (self.down[at], self.open[at]);
            // As a carry: from a jump point on, past all cells that are no stops.
            let (jump_points, passes) = (ends & open, !ends);
            let sum = (jump_points | passes)
                .wrapping_add(jump_points)
                .wrapping_add(beyond.into());
            let hits = sum ^ passes;
            let previous = std::mem::replace(&mut self.down_hits[at], hits);
            if word > last && previous == hits {
                break;
            }
            beyond = if ends >> 63 == 1 { open } else { hits } >> 63 == 1;
        }
    }

    /// True if a scan from `at` in a lane stops at a jump point.
    #[inline(always)]
    pub(super) fn hits_jump_point<const UP: bool>(&self, lane: i32, at: i32) -> bool {
        let hits = if UP { &self.up_hits } else { &self.down_hits };
        hits[lane as usize + at as usize / 64 * self.stride] >> (at % 64) & 1 == 1
    }

    /// The first stop of a scan beyond `at` in a lane; there is one, as the outermost cells are
    /// blocked.
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
        let edges = self.up_hits.capacity() + self.down_hits.capacity();
        (self.open.capacity() + ends + edges) * size_of::<u64>()
    }
}
