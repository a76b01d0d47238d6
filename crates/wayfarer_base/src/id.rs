//! Generational ids: a slot index and a generation, so that a stale id never matches a reused slot.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// The id of a value of kind `K`: slot index and generation.
///
/// ```
/// use wayfarer_base::Id;
/// enum Door {}
/// let id = Id::<Door>::new(7, 2);
/// assert_eq!(Id::<Door>::from_bits(id.to_bits()), id);
/// assert_ne!(id, Id::new(7, 3)); // a later value in the same slot
/// ```
pub struct Id<K> {
    index: u32,
    generation: u32,
    kind: PhantomData<fn() -> K>,
}

impl<K> Id<K> {
    /// The id of generation `generation` in slot `index`.
    #[inline]
    pub const fn new(index: u32, generation: u32) -> Self {
        Self {
            index,
            generation,
            kind: PhantomData,
        }
    }

    /// The slot index.
    #[inline]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// The generation: values removed from the slot so far, modulo 2^32.
    #[inline]
    pub const fn generation(self) -> u32 {
        self.generation
    }

    /// Generation in the high, index in the low 32 bits; for foreign interfaces.
    #[inline]
    pub const fn to_bits(self) -> u64 {
        (self.generation as u64) << 32 | self.index as u64
    }

    /// The inverse of [`Id::to_bits`].
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
