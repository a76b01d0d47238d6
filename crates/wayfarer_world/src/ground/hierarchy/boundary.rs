//! Boundaries of clusters: edges out of them as runs of equal components along each side.

use super::{Exit, RegionSlot};

/// The edges of a cluster over its four sides as runs of equal components, its exits, and the
/// parent component of each open component.
///
/// One boxed slice of words, because most are short: the index of the last part; the number of runs
/// on the north, east, south and west side; the runs; the exits; the parent component of each open
/// component. Empty if no component is open.
#[derive(Clone, Debug, Default)]
pub(super) struct Boundary {
    words: Box<[u32]>,
}

/// Words before the runs.
const HEADER_WORDS: usize = 5;
/// Words of a run: component, number of edges.
const RUN_WORDS: usize = 2;
/// Words of an exit: component, page, position with ordinal.
const EXIT_WORDS: usize = 3;

impl Boundary {
    #[inline]
    fn parents_start(&self) -> usize {
        self.words
            .first()
            .map_or(0, |parents_start| *parents_start as usize)
    }

    /// The number of open components.
    #[inline]
    pub(super) fn n_open(&self) -> usize {
        self.words.len() - self.parents_start()
    }

    /// For each open component, its component in the parent.
    #[inline]
    pub(super) fn parents(&self) -> &[u32] {
        &self.words[self.parents_start()..]
    }

    #[inline]
    pub(super) fn parents_mut(&mut self) -> &mut [u32] {
        let parents_start = self.parents_start();
        &mut self.words[parents_start..]
    }

    /// The index of the first word of a side, 0 north, clockwise; side 4 is the end of the runs.
    fn start(&self, side: usize) -> usize {
        let before: u32 = self.words[1..=side].iter().sum();
        HEADER_WORDS + before as usize * RUN_WORDS
    }

    /// The runs of a side, 0 north, clockwise: component and number of edges.
    pub(super) fn side(&self, side: usize) -> impl Iterator<Item = (u32, u32)> {
        let runs = if self.words.is_empty() {
            &[]
        } else {
            &self.words[self.start(side)..self.start(side + 1)]
        };
        runs.chunks_exact(RUN_WORDS).map(|run| (run[0], run[1]))
    }

    /// The edges that lead neither inside nor over a side.
    pub(super) fn exits(&self) -> impl Iterator<Item = Exit> {
        let words = if self.words.is_empty() {
            &[]
        } else {
            &self.words[self.start(4)..self.parents_start()]
        };
        words.chunks_exact(EXIT_WORDS).map(|exit| {
            let [position, ordinal, ..] = exit[2].to_le_bytes();
            Exit {
                component: exit[0],
                to: RegionSlot {
                    page: exit[1],
                    position,
                    ordinal,
                },
            }
        })
    }

    /// Takes over the words of `builder` if they differ. Returns true if they do.
    pub(super) fn replace_if_changed(&mut self, builder: &mut BoundaryBuilder) -> bool {
        if builder.n_open == 0 {
            builder.words.clear();
        } else {
            builder.words[0] =
                u32::try_from(builder.words.len()).expect("fewer words than u32 values");
        }
        let seen = builder.words.as_slice();
        let same =
            self.n_open() == builder.n_open as usize && self.words[..self.parents_start()] == *seen;
        if !same {
            let n_words = seen.len() + builder.n_open as usize;
            if self.words.len() == n_words {
                self.words[..seen.len()].copy_from_slice(seen);
            } else {
                let mut words = Vec::with_capacity(n_words);
                words.extend_from_slice(seen);
                words.resize(n_words, 0);
                self.words = words.into_boxed_slice();
            }
        }
        !same
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.words)
    }
}

/// A boundary under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct BoundaryBuilder {
    words: Vec<u32>,
    pub(super) n_open: u32,
    /// Side and component of the last run.
    last: Option<(usize, u32)>,
}

impl BoundaryBuilder {
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.words.extend([0; HEADER_WORDS]);
        self.n_open = 0;
        self.last = None;
    }

    /// Appends edges over a side; sides come in order.
    #[inline]
    pub(super) fn add_run(&mut self, side: usize, component: u32, n_edges: u32) {
        if self.last == Some((side, component)) {
            let length = self.words.last_mut().expect("a run has a length");
            *length += n_edges;
        } else {
            self.words.extend([component, n_edges]);
            self.words[1 + side] += 1;
            self.last = Some((side, component));
        }
    }

    /// Appends an exit; all sides come before.
    pub(super) fn add_exit(&mut self, exit: Exit) {
        let target = u32::from_le_bytes([exit.to.position, exit.to.ordinal, 0, 0]);
        self.words.extend([exit.component, exit.to.page, target]);
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>()
    }
}
