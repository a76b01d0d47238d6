//! Names for things that can die: a number that is never confused with a later owner's.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// A name for something of kind `K`: a place in a table and the generation that lives there.
///
/// A dead name is recognized because its generation has passed.
///
/// ```
/// use wayfarer_base::Id;
/// enum Door {}
/// let id = Id::<Door>::new(7, 2);
/// assert_eq!(Id::<Door>::from_bits(id.to_bits()), id);
/// assert_ne!(id, Id::new(7, 3)); // the next owner of the place
/// ```
pub struct Id<K> {
    index: u32,
    generation: u32,
    kind: PhantomData<fn() -> K>,
}

impl<K> Id<K> {
    /// The name of generation `generation` at place `index`.
    #[inline]
    pub const fn new(index: u32, generation: u32) -> Self {
        Self {
            index,
            generation,
            kind: PhantomData,
        }
    }

    /// The place in the table.
    #[inline]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How many owners the place had before.
    #[inline]
    pub const fn generation(self) -> u32 {
        self.generation
    }

    /// Both numbers in one word, for other languages: generation high, index low.
    #[inline]
    pub const fn to_bits(self) -> u64 {
        (self.generation as u64) << 32 | self.index as u64
    }

    /// The name made from [`Id::to_bits`].
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the two halves of a word")]
    pub const fn from_bits(bits: u64) -> Self {
        Self::new(bits as u32, (bits >> 32) as u32)
    }
}

impl<K> Clone for Id<K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K> Copy for Id<K> {}
impl<K> PartialEq for Id<K> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index && self.generation == other.generation
    }
}
impl<K> Eq for Id<K> {}
impl<K> PartialOrd for Id<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<K> Ord for Id<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.index, self.generation).cmp(&(other.index, other.generation))
    }
}
impl<K> Hash for Id<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.to_bits());
    }
}
impl<K> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.index, self.generation)
    }
}
