//! Who was found, and what it took to find them.

use super::{BodyId, BodySet};

/// What a question took: how much less than looking at everybody.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct QueryStats {
    /// Squares looked at.
    pub squares: u64,
    /// Bodies that were tested exactly.
    pub tests: u64,
    /// Bodies in squares that lie inside the footprint, taken without a test.
    pub skips: u64,
}

impl std::ops::AddAssign for QueryStats {
    fn add_assign(&mut self, other: Self) {
        self.squares += other.squares;
        self.tests += other.tests;
        self.skips += other.skips;
    }
}

/// Who was found, kept by the caller and used again, so that no question asks for memory.
///
/// In order: small bodies before large ones; then page by page of 32 x 32 squares, from north to
/// south and from west to east; square by square in the same way; by rising index.
#[derive(Clone, Debug, Default)]
pub struct QueryHits {
    indices: Vec<u32>,
    n_found: usize,
    /// What it took.
    pub work: QueryStats,
}

impl QueryHits {
    /// Places in the table of those who were found; see [`BodySet::id_at`].
    pub fn indices(&self) -> &[u32] {
        &self.indices[..self.n_found]
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.n_found
    }

    /// True if nobody was found.
    pub fn is_empty(&self) -> bool {
        self.n_found == 0
    }

    /// Their names.
    pub fn ids<'a>(&'a self, bodies: &'a BodySet) -> impl Iterator<Item = BodyId> + 'a {
        self.indices().iter().filter_map(|&at| bodies.id_at(at))
    }

    /// Puts them in the order of their indices.
    pub fn sort(&mut self) {
        self.indices[..self.n_found].sort_unstable();
    }

    pub(super) fn clear(&mut self) {
        self.n_found = 0;
        self.work = QueryStats::default();
    }

    /// Takes out one who was found.
    pub(super) fn leave_out(&mut self, index: u32) {
        let found = &mut self.indices[..self.n_found];
        if let Some(at) = found.iter().position(|&other| other == index) {
            found.copy_within(at + 1.., at);
            self.n_found -= 1;
        }
    }

    /// Becomes those of `near` whose number in `squares` is at most `limit`, but `except`.
    #[inline]
    pub(super) fn take_near(&mut self, near: &[u32], squares: &[f64], limit: f64, except: u32) {
        self.clear();
        let room = self.room_for(near.len());
        let mut n_found = 0;
        for (&index, &square) in near.iter().zip(squares) {
            room[n_found] = index;
            n_found += usize::from((square <= limit) & (index != except));
        }
        self.n_found = n_found;
    }

    /// Places for so many more.
    #[inline]
    pub(super) fn room_for(&mut self, n_more: usize) -> &mut [u32] {
        if self.indices.len() < self.n_found + n_more {
            self.grow(n_more);
        }
        &mut self.indices[self.n_found..]
    }

    /// So many of the places that were asked for have been filled.
    #[inline]
    pub(super) fn took(&mut self, n_more: usize) {
        self.n_found += n_more;
    }

    #[cold]
    fn grow(&mut self, n_more: usize) {
        self.indices.resize(2 * (self.n_found + n_more) + 64, 0);
    }
}
