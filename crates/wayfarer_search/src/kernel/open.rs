//! What an open list is: it hands out the most promising place next.

/// A node on the open list.
///
/// Smaller entries are expanded first: that is the tie rule of the [kernel](super).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entry {
    /// Estimate of the whole way high, cost so far inverted low.
    pub(super) key: u64,
    pub(super) node: u32,
}

impl Entry {
    /// The entry of `node`, reached at `g`, from where the whole way is estimated at `f`.
    #[inline]
    pub const fn new(total: u32, cost: u32, node: u32) -> Self {
        Self {
            key: (total as u64) << 32 | !cost as u64,
            node,
        }
    }

    /// The estimate of the whole way, in units of `Cost`.
    #[inline]
    pub const fn f(self) -> u32 {
        (self.key >> 32) as u32
    }

    /// The cost so far, in units of `Cost`.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the lower half of a word")]
    pub const fn g(self) -> u32 {
        !(self.key as u32)
    }

    /// Which node.
    #[inline]
    pub const fn node(self) -> u32 {
        self.node
    }
}

/// A list of entries that hands out the smallest.
///
/// Clearing keeps the memory: after some searches a list no longer allocates.
pub trait OpenList {
    /// Forgets all entries. Entries put in until the next call have a total of at least `lowest`
    /// and at most `rise` above the total of the entry taken out last (or above `lowest`).
    fn clear(&mut self, lowest: u32, rise: u32);

    /// Puts an entry in.
    fn push(&mut self, entry: Entry);

    /// Takes the smallest entry out.
    fn pop(&mut self) -> Option<Entry>;

    /// Bytes that the list must grow by before `more` further entries are sure to fit.
    fn growth_for(&self, more: usize) -> u64;

    /// Makes room for `more` further entries.
    fn reserve(&mut self, more: usize);

    /// Bytes on the heap.
    fn heap_bytes(&self) -> usize;
}

/// Bytes by which `vector` grows if it must take `more` items and doubles when it is full.
pub(super) fn doubling_growth<T>(vector: &Vec<T>, more: usize) -> u64 {
    let wanted = vector.len() + more;
    if wanted <= vector.capacity() {
        return 0;
    }
    let capacity = wanted.max(2 * vector.capacity());
    ((capacity - vector.capacity()) * size_of::<T>()) as u64
}

/// Grows `vector` by exactly what [`doubling_growth`] says.
pub(super) fn grow_doubling<T>(vector: &mut Vec<T>, more: usize) {
    let wanted = vector.len() + more;
    if wanted > vector.capacity() {
        let capacity = wanted.max(2 * vector.capacity());
        vector.reserve_exact(capacity - vector.len());
    }
}

#[cfg(test)]
mod tests;
