//! Query results in a reusable buffer, and query statistics.

use super::{BodyId, BodySet};

/// The work of a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct QueryStats {
    /// Bins visited.
    pub bins: u64,
    /// Bodies tested exactly.
    pub tests: u64,
    /// Bodies in bins inside the footprint, accepted without a test.
    pub skips: u64,
}

impl std::ops::AddAssign for QueryStats {
    fn add_assign(&mut self, other: Self) {
        self.bins += other.bins;
        self.tests += other.tests;
        self.skips += other.skips;
    }
}

/// The result of a query, owned by the caller and reused to avoid allocation.
///
/// Order: small bodies before large ones; then pages of 32 x 32 bins from north to south and west
/// to east; bins in the same order; ascending indices.
#[derive(Clone, Debug, Default)]
pub struct QueryHits {
    indices: Vec<u32>,
    n_found: usize,
    /// The work of the query.
    pub stats: QueryStats,
}

impl QueryHits {
    /// Indices of the bodies; see [`BodySet::id_at`].
    pub fn indices(&self) -> &[u32] {
        &self.indices[..self.n_found]
    }

    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.n_found
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.n_found == 0
    }

    /// Ids of the bodies.
    pub fn ids<'a>(&'a self, bodies: &'a BodySet) -> impl Iterator<Item = BodyId> + 'a {
        self.indices().iter().filter_map(|&at| bodies.id_at(at))
    }

    pub(super) fn clear(&mut self) {
        self.n_found = 0;
        self.stats = QueryStats::default();
    }

    /// Removes an index.
    pub(super) fn remove(&mut self, index: u32) {
        let found = &mut self.indices[..self.n_found];
        if let Some(at) = found.iter().position(|&other| other == index) {
            found.copy_within(at + 1.., at);
            self.n_found -= 1;
        }
    }

    /// Replaces the contents by the candidates whose squared distance is at most `limit`, except
    /// `except`.
    #[inline]
    pub(super) fn collect_within(
        &mut self,
        candidates: &[u32],
        squares: &[f64],
        limit: f64,
        except: u32,
    ) {
        self.clear();
        let buffer = self.reserve(candidates.len());
        let mut n_found = 0;
        for (&index, &square) in candidates.iter().zip(squares) {
            buffer[n_found] = index;
            n_found += usize::from((square <= limit) & (index != except));
        }
        self.n_found = n_found;
    }

    /// A buffer for `n_more` indices past the end.
    #[inline]
    pub(super) fn reserve(&mut self, n_more: usize) -> &mut [u32] {
        if self.indices.len() < self.n_found + n_more {
            self.grow(n_more);
        }
        &mut self.indices[self.n_found..]
    }

    /// Appends the first `n_more` indices of the reserved buffer.
    #[inline]
    pub(super) fn commit(&mut self, n_more: usize) {
        self.n_found += n_more;
    }

    #[cold]
    fn grow(&mut self, n_more: usize) {
        self.indices.resize(2 * (self.n_found + n_more) + 64, 0);
    }
}
