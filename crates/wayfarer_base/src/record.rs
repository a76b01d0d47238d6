//! A table of named things as it is saved: who lives where, and which slot is given away next.

use thiserror::Error;

/// The slots of a table that gives out [`Id`](crate::Id)s.
///
/// Saved whole, so that names given out before are good afterwards, dead ones stay dead, and the
/// next thing gets the name it would have got.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableRecord<T> {
    /// The generation of each slot, and who lives there.
    pub slots: Vec<(u32, Option<T>)>,
    /// The slots where nobody lives; the last is given away first.
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

/// What is wrong with the slots of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// More slots than can be named.
    #[error("{found} slots, expected fewer than 2^32")]
    TooMany {
        /// How many there are.
        found: usize,
    },
    /// A slot that is not free, or none at all, is said to be free, or one is named twice.
    #[error("slot {slot} is named among the free ones, but is not one or was named before")]
    NotFree {
        /// Which.
        slot: u32,
    },
    /// Nobody lives there, but it is not among the free ones.
    #[error("nobody lives at slot {slot}, but it is not among the free ones")]
    Lost {
        /// Which.
        slot: usize,
    },
}

impl<T> TableRecord<T> {
    /// Whether each slot without an owner is named exactly once among the free ones, and no other.
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
    /// The first slot where that does not hold.
    pub fn check(&self) -> Result<(), TableError> {
        let found = self.slots.len();
        if u32::try_from(found).is_err() {
            return Err(TableError::TooMany { found });
        }
        let mut is_taken: Vec<bool> = self.slots.iter().map(|slot| slot.1.is_some()).collect();
        for &slot in &self.free {
            match is_taken.get_mut(slot as usize) {
                Some(taken) if !*taken => *taken = true,
                _ => return Err(TableError::NotFree { slot }),
            }
        }
        match is_taken.iter().position(|taken| !taken) {
            Some(slot) => Err(TableError::Lost { slot }),
            None => Ok(()),
        }
    }
}
