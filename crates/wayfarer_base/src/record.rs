//! The persistent form of a slot map: slots, generations and the free list.

use thiserror::Error;

/// The slots of a table with generational [`Id`](crate::Id)s.
///
/// Stores generations and free list too: after a restore, valid ids stay valid, stale ids stay
/// stale, and the next insertion gets the same id as without the round trip.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableRecord<T> {
    /// Generation and value of each slot.
    pub slots: Vec<(u32, Option<T>)>,
    /// Indices of the empty slots; the last is reused first.
    pub free: Vec<u32>,
}

impl<T> Default for TableRecord<T> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
        }
    }
}

/// A [`TableRecord`] that violates its invariant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// More slots than a 32-bit index addresses.
    #[error("{found} slots, expected fewer than 2^32")]
    TooMany {
        /// Number of slots.
        found: usize,
    },
    /// The free list contains a slot that is occupied, out of range or listed before.
    #[error("slot {slot} is in the free list, but is occupied, out of range or listed twice")]
    NotFree {
        /// Index of the slot.
        slot: u32,
    },
    /// An empty slot is missing in the free list.
    #[error("slot {slot} is empty, but not in the free list")]
    Lost {
        /// Index of the slot.
        slot: usize,
    },
}

impl<T> TableRecord<T> {
    /// Checks the invariant: the free list contains every empty slot exactly once and no other.
    /// O(n).
    ///
    /// ```
    /// use wayfarer_base::record::{TableError, TableRecord};
    /// let mut table = TableRecord { slots: vec![(0, Some('a')), (3, None)], free: vec![1] };
    /// assert_eq!(table.check(), Ok(()));
    /// table.free.push(1);
    /// assert_eq!(table.check(), Err(TableError::NotFree { slot: 1 }));
    /// ```
    ///
    /// # Errors
    /// The first violation.
    pub fn check(&self) -> Result<(), TableError> {
        let found = self.slots.len();
        if u32::try_from(found).is_err() {
            return Err(TableError::TooMany { found });
        }
        let mut is_accounted: Vec<bool> = self.slots.iter().map(|slot| slot.1.is_some()).collect();
        for &slot in &self.free {
            match is_accounted.get_mut(slot as usize) {
                Some(accounted) if !*accounted => *accounted = true,
                _ => return Err(TableError::NotFree { slot }),
            }
        }
        match is_accounted.iter().position(|accounted| !accounted) {
            Some(slot) => Err(TableError::Lost { slot }),
            None => Ok(()),
        }
    }
}
