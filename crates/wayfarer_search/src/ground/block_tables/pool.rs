//! Tables that searchers share, found by content.
//!
//! A table follows from the cells of its block alone, so its key is a digest of them: equal blocks have
//! equal tables, whichever searcher, profile or revision they belong to. A pool refers to the tables
//! that its searchers keep and keeps none itself, so it has no limit of its own.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use wayfarer_base::collections::FastMap;

use super::table::Table;

/// Block tables shared by several searchers: what one of them builds the others need not.
///
/// Shared by its clones. Results never depend on it; [`PathSearcher::with_shared_tables`] makes a
/// searcher that takes part.
///
/// [`PathSearcher::with_shared_tables`]: crate::ground::PathSearcher::with_shared_tables
#[derive(Clone, Debug, Default)]
pub struct SharedTables(Arc<Mutex<Pool>>);

#[derive(Debug, Default)]
struct Pool {
    by_key: FastMap<ContentKey, Weak<Table>>,
    /// Entries above which those without a table are dropped.
    most: usize,
}

/// Least number of entries that are searched for dead ones.
const MIN_ENTRIES: usize = 1_024;

impl SharedTables {
    /// The table of a block with this content, if a searcher keeps it.
    pub(super) fn find(&self, key: ContentKey) -> Option<Arc<Table>> {
        let pool = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pool.by_key.get(&key).and_then(Weak::upgrade)
    }

    /// Offers a table to the other searchers.
    pub(super) fn insert(&self, key: ContentKey, table: &Arc<Table>) {
        let mut pool = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if pool.by_key.len() >= pool.most.max(MIN_ENTRIES) {
            pool.by_key.retain(|_, table| table.strong_count() > 0);
            pool.most = pool.by_key.len() * 2;
        }
        pool.by_key.insert(key, Arc::downgrade(table));
    }
}

/// A digest of the content of a block, in 128 bits: two blocks in 2^64 would share one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct ContentKey([u64; 2]);

impl Default for ContentKey {
    fn default() -> Self {
        Self([0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344])
    }
}

impl ContentKey {
    /// Appends a number.
    #[inline]
    pub(super) fn add(&mut self, number: u64) {
        let [a, b] = self.0;
        let folded = |state: u64, factor: u64| {
            let product = u128::from(state ^ number) * u128::from(factor);
            let bytes = product.to_le_bytes();
            let (low, high) = bytes.split_at(8);
            let half = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
            half(low) ^ half(high)
        };
        // Each half takes over the state of the other, so that a product of 0 loses nothing.
        self.0 = [
            folded(a, 0xA409_3822_299F_31D1).wrapping_add(b.rotate_left(29)),
            folded(b, 0x082E_FA98_EC4E_6C89).wrapping_add(a.rotate_left(41)),
        ];
    }

    /// Appends another key.
    pub(super) fn add_key(&mut self, key: Self) {
        key.0.into_iter().for_each(|half| self.add(half));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_contents_that_differ_in_one_bit_or_in_order_differ() {
        let mut seen = std::collections::BTreeSet::new();
        let mut add = |numbers: &[u64]| {
            let mut key = ContentKey::default();
            numbers.iter().for_each(|number| key.add(*number));
            assert!(seen.insert(key.0), "{numbers:?}");
        };
        add(&[0, 0]);
        add(&[0, 0, 0]);
        for bit in 0..64 {
            add(&[1 << bit, 0]);
            add(&[0, 1 << bit]);
        }
    }

    #[test]
    fn a_table_is_shared_as_long_as_a_searcher_keeps_it() {
        let pool = SharedTables::default();
        let (key, table) = (ContentKey::default(), Arc::new(Table::default()));
        pool.insert(key, &table);
        assert!(pool.find(key).is_some_and(|it| Arc::ptr_eq(&it, &table)));
        drop(table);
        assert!(pool.find(key).is_none());
    }
}
