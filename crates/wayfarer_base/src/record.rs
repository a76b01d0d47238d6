//! A table of named things as it is saved: who lives where, and which place is given away next.

use thiserror::Error;

/// The places of a table that gives out [`Id`](crate::Id)s.
///
/// Saved whole, so that names given out before are good afterwards, dead ones stay dead, and the
/// next thing gets the name it would have got.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableRecord<T> {
    /// The generation of each place, and who lives there.
    pub places: Vec<(u32, Option<T>)>,
    /// The places where nobody lives; the last is given away first.
    pub free: Vec<u32>,
}

impl<T> Default for TableRecord<T> {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            free: Vec::new(),
        }
    }
}

/// What is wrong with the places of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// More places than can be named.
    #[error("{found} places, expected fewer than 2^32")]
    TooMany {
        /// How many there are.
        found: usize,
    },
    /// A place that is not free, or none at all, is said to be free, or one is named twice.
    #[error("place {place} is named among the free ones, but is not one or was named before")]
    NotFree {
        /// Which.
        place: u32,
    },
    /// Nobody lives there, but it is not among the free ones.
    #[error("nobody lives at place {place}, but it is not among the free ones")]
    Lost {
        /// Which.
        place: usize,
    },
}

impl<T> TableRecord<T> {
    /// Whether each place without an owner is named exactly once among the free ones, and no other.
    ///
    /// ```
    /// use wayfarer_base::record::{TableError, TableRecord};
    /// let mut table = TableRecord { places: vec![(0, Some('a')), (3, None)], free: vec![1] };
    /// assert_eq!(table.check(), Ok(()));
    /// table.free.push(1);
    /// assert_eq!(table.check(), Err(TableError::NotFree { place: 1 }));
    /// ```
    ///
    /// # Errors
    /// The first place where that does not hold.
    pub fn check(&self) -> Result<(), TableError> {
        let found = self.places.len();
        if u32::try_from(found).is_err() {
            return Err(TableError::TooMany { found });
        }
        let mut is_taken: Vec<bool> = self.places.iter().map(|place| place.1.is_some()).collect();
        for &place in &self.free {
            match is_taken.get_mut(place as usize) {
                Some(taken) if !*taken => *taken = true,
                _ => return Err(TableError::NotFree { place }),
            }
        }
        match is_taken.iter().position(|taken| !taken) {
            Some(place) => Err(TableError::Lost { place }),
            None => Ok(()),
        }
    }
}
