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

    /// Recomputes all stops and hits, word by word: neighboring lanes lie together, so that vector
    /// instructions work on several at once.
    pub(super) fn refresh_all(&mut self) {
        let none = vec![0; self.n_lanes];
        for word in 0..self.n_words {
            self.refresh_stops_of_word(word, &none);
        }
        for word in (0..self.n_words).rev() {
            self.refresh_up_hits_of_word(word);
        }
        for word in 0..self.n_words {
            self.refresh_down_hits_of_word(word);
        }
    }

    /// Recomputes the stops in one word of all lanes; `none` is a word without open cells.
    fn refresh_stops_of_word(&mut self, word: usize, none: &[u64]) {
        let (n_lanes, at) = (self.n_lanes, word * self.stride);
        let own = &self.open[at..at + n_lanes];
        let previous = match at.checked_sub(self.stride) {
            Some(at) => &self.open[at..at + n_lanes],
            None => none,
        };
        let next = match at + self.stride {
            next if word + 1 < self.n_words => &self.open[next..next + n_lanes],
            _ => none,
        };
        let (up, down) = (
            &mut self.up[at..at + n_lanes],
            &mut self.down[at..at + n_lanes],
        );
        for lane in 0..n_lanes {
            (up[lane], down[lane]) = (!own[lane], !own[lane]);
        }
        for side in 0..n_lanes.saturating_sub(1) {
            // What stops scans in the lane above.
            up[side + 1] |= own[side] & !(own[side] << 1 | previous[side] >> 63);
            down[side + 1] |= own[side] & !(own[side] >> 1 | next[side] << 63);
        }
        for side in 1..n_lanes {
            up[side - 1] |= own[side] & !(own[side] << 1 | previous[side] >> 63);
            down[side - 1] |= own[side] & !(own[side] >> 1 | next[side] << 63);
        }
    }

    /// Recomputes the hits of scans upwards in one word of all lanes; those of the next word are known.
    fn refresh_up_hits_of_word(&mut self, word: usize) {
        let (n_lanes, at) = (self.n_lanes, word * self.stride);
        let (own, rest) = self.up_hits[at..].split_at_mut(self.stride);
        for (lane, own) in own[..n_lanes].iter_mut().enumerate() {
            let beyond = if word + 1 < self.n_words {
                let next = at + self.stride + lane;
                let is_end = self.up[next] & 1;
                // All bits set if it is an end.
                let ends = is_end.wrapping_neg();
                (self.open[next] & ends | rest[lane] & !ends) & 1
            } else {
                0
            };
            let (ends, open) = (self.up[at + lane], self.open[at + lane]);
            *own = up_hits(ends, open, beyond);
        }
    }

    /// Recomputes the hits of scans downwards in one word of all lanes; those of the word before are
    /// known.
    fn refresh_down_hits_of_word(&mut self, word: usize) {
        let (n_lanes, at) = (self.n_lanes, word * self.stride);
        let (known, own) = self.down_hits.split_at_mut(at);
        for (lane, own) in own[..n_lanes].iter_mut().enumerate() {
            let beyond = if word > 0 {
                let before = at - self.stride + lane;
                let ends = (self.down[before] >> 63).wrapping_neg();
                (self.open[before] & ends | known[before] & !ends) >> 63
            } else {
                0
            };
            let (ends, open) = (self.down[at + lane], self.open[at + lane]);
            *own = down_hits(ends, open, beyond);
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
            let hits = up_hits(ends, open, beyond.into());
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
            let hits = down_hits(ends, open, beyond.into());
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

/// The cells of a word from which a scan upwards stops at a jump point, given its stops, its open
/// cells, and whether the scan does so that leaves the word.
#[inline(always)]
fn up_hits(ends: u64, open: u64, beyond: u64) -> u64 {
    // Each cell hits what the next one hits, unless that is a stop.
    let mut hits = (ends & open) >> 1 | beyond << 63;
    let mut passes = !ends >> 1;
    for shift in [1, 2, 4, 8, 16, 32] {
        hits |= passes & hits >> shift;
        passes &= passes >> shift;
    }
    hits
}

/// The same for a scan downwards.
#[inline(always)]
fn down_hits(ends: u64, open: u64, beyond: u64) -> u64 {
    // As a carry: from a jump point on, past all cells that are no stops.
    let (jump_points, passes) = (ends & open, !ends);
    let sum = (jump_points | passes)
        .wrapping_add(jump_points)
        .wrapping_add(beyond);
    sum ^ passes
}
