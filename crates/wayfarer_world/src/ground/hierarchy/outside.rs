//! What a block or group shows to the outside: runs of equal components along its sides.

use super::{Exit, Place};

/// Ways over the four sides, as runs of equal components; ways to anywhere else; and where each
/// open component is found in the group above.
///
/// All in one list of words, because there are many and most are short: how many runs the sides
/// north, east, south and west have; the runs; how many other ways there are; those; and the
/// component in the group above of each open component.
#[derive(Clone, Debug, Default)]
pub(super) struct Outside {
    words: Vec<u32>,
    /// Where the components in the group above begin.
    n_seen: u32,
}

/// Words of a run: its component, and how many ways it has.
const RUN: usize = 2;
/// Words of a way to anywhere else: its component, the page, the place there.
const EXIT: usize = 3;

impl Outside {
    /// Open components.
    pub(super) fn n_open(&self) -> usize {
        self.words.len() - self.n_seen as usize
    }

    /// For each open component, its component in the group above.
    #[inline]
    pub(super) fn up(&self) -> &[u32] {
        &self.words[self.n_seen as usize..]
    }

    #[inline]
    pub(super) fn up_mut(&mut self) -> &mut [u32] {
        &mut self.words[self.n_seen as usize..]
    }

    /// The runs of a side, 0 north, clockwise: components and how many ways each has.
    pub(super) fn side(&self, side: usize) -> impl Iterator<Item = (u32, u32)> {
        let (start, n_runs) = if self.words.is_empty() {
            (0, 0)
        } else {
            let before: u32 = self.words[..side].iter().sum();
            (4 + before as usize * RUN, self.words[side] as usize)
        };
        let runs = &self.words[start..start + n_runs * RUN];
        runs.chunks_exact(RUN).map(|run| (run[0], run[1]))
    }

    /// Ways that lead neither inside nor over a side.
    pub(super) fn exits(&self) -> impl Iterator<Item = Exit> {
        let words = if self.words.is_empty() {
            &[]
        } else {
            let n_runs: u32 = self.words[..4].iter().sum();
            &self.words[4 + n_runs as usize * RUN..self.n_seen as usize]
        };
        words.chunks_exact(EXIT).map(|exit| {
            let [position, ordinal, ..] = exit[2].to_le_bytes();
            Exit {
                component: exit[0],
                to: Place {
                    page: exit[1],
                    position,
                    ordinal,
                },
            }
        })
    }

    /// Takes over what was drawn up, if it differs. Returns true if it does.
    pub(super) fn take_over(&mut self, draft: &Draft) -> bool {
        let seen = if draft.n_open == 0 {
            &[]
        } else {
            draft.words.as_slice()
        };
        let same =
            self.n_open() == draft.n_open as usize && self.words[..self.n_seen as usize] == *seen;
        if !same {
            self.words.clear();
            let n_words = seen.len() + draft.n_open as usize;
            if self.words.capacity() > 2 * n_words {
                self.words = Vec::new();
            }
            self.words.reserve_exact(n_words);
            self.words.extend_from_slice(seen);
            self.words.resize(n_words, 0);
            self.n_seen = u32::try_from(seen.len()).expect("fewer ways than numbers");
        }
        !same
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>()
    }
}

/// What a block or group shows to the outside, while it is drawn up.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    words: Vec<u32>,
    pub(super) n_open: u32,
    /// The last run's side and component.
    last: Option<(usize, u32)>,
}

impl Draft {
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.words.extend([0; 4]);
        self.n_open = 0;
        self.last = None;
    }

    /// Adds ways over a side; sides must come in order.
    #[inline]
    pub(super) fn add_run(&mut self, side: usize, component: u32, n_ways: u32) {
        if self.last == Some((side, component)) {
            let length = self.words.last_mut().expect("a run has a length");
            *length += n_ways;
        } else {
            self.words.extend([component, n_ways]);
            self.words[side] += 1;
            self.last = Some((side, component));
        }
    }

    /// Adds a way to anywhere else; all sides must have come before.
    pub(super) fn add_exit(&mut self, exit: Exit) {
        let place = u32::from_le_bytes([exit.to.position, exit.to.ordinal, 0, 0]);
        self.words.extend([exit.component, exit.to.page, place]);
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>()
    }
}
