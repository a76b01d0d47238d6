//! The open list: entries ordered by the tie rule of the kernel, and its interface.

/// A node on the open list.
///
/// Smaller entries are expanded first: the tie rule of the [kernel](super).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entry {
    /// f in the upper half, !g in the lower half.
    pub(super) key: u64,
    pub(super) node: u32,
}

impl Entry {
    /// The entry of `node`, generated with cost `g` and estimated total cost `f`.
    #[inline]
    pub const fn new(f: u32, g: u32, node: u32) -> Self {
        Self {
            key: (f as u64) << 32 | !g as u64,
            node,
        }
    }

    /// Cost so far plus heuristic, in units of `Cost`.
    #[inline]
    pub const fn f(self) -> u32 {
        (self.key >> 32) as u32
    }

    /// Cost so far, in units of `Cost`.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the lower half of a word")]
    pub const fn g(self) -> u32 {
        !(self.key as u32)
    }

    /// The node's id.
    #[inline]
    pub const fn node(self) -> u32 {
        self.node
    }
}

/// A priority queue of entries, smallest first.
///
/// Clearing keeps the memory: a warm list does not allocate.
pub trait OpenList {
    /// Removes all entries. Until the next call every pushed entry has an f of at least `lowest`
    /// and at most `rise` above the f of the entry popped last (or above `lowest`).
    fn clear(&mut self, lowest: u32, rise: u32);

    /// Inserts an entry.
    fn push(&mut self, entry: Entry);

    /// Removes the smallest entry.
    fn pop(&mut self) -> Option<Entry>;

    /// Bytes the list must grow by before `more` further entries are certain to fit.
    fn growth_for(&self, more: usize) -> u64;

    /// Makes room for `more` further entries.
    fn reserve(&mut self, more: usize);

    /// Bytes on the heap.
    fn heap_bytes(&self) -> usize;
}

/// Bytes by which `vector` grows to take `more` items if it doubles when full.
pub(super) fn doubling_growth<T>(vector: &Vec<T>, more: usize) -> u64 {
    let wanted = vector.len() + more;
    if wanted <= vector.capacity() {
        return 0;
    }
    let capacity = wanted.max(2 * vector.capacity());
    ((capacity - vector.capacity()) * size_of::<T>()) as u64
}

/// Grows `vector` by exactly [`doubling_growth`].
pub(super) fn grow_doubling<T>(vector: &mut Vec<T>, more: usize) {
    let wanted = vector.len() + more;
    if wanted > vector.capacity() {
        let capacity = wanted.max(2 * vector.capacity());
        vector.reserve_exact(capacity - vector.len());
    }
}

#[cfg(test)]
mod tests;
