//! Deterministic collections: no result depends on a hash seed.
//!
//! [`FastMap`] (fixed hash function) is for lookup by key only; code that iterates uses
//! [`OrderedMap`] or [`OrderedSet`], enforced by the lint `iter_over_hash_type`. [`SlotMap`] stores
//! values under generational ids.

use std::marker::PhantomData;

use crate::Id;

/// A hash map with a fixed hash function, for lookup only: do not iterate it.
pub type FastMap<K, V> = rustc_hash::FxHashMap<K, V>;
/// A map sorted by key.
pub type OrderedMap<K, V> = std::collections::BTreeMap<K, V>;
/// A sorted set.
pub type OrderedSet<K> = std::collections::BTreeSet<K>;

/// Values under generational ids of kind `K`; the id of a removed value never becomes valid again
/// (until 2^32 reuses of its slot). Insert, lookup and removal are O(1).
///
/// ```
/// use wayfarer_base::collections::SlotMap;
/// let mut doors = SlotMap::<&str>::default();
/// let gate = doors.insert("gate");
/// assert_eq!(doors.get(gate), Some(&"gate"));
/// assert_eq!(doors.remove(gate), Some("gate"));
/// let hatch = doors.insert("hatch");
/// assert_eq!(doors.get(gate), None); // stale
/// assert_eq!(doors.get(hatch), Some(&"hatch"));
/// ```
#[derive(Clone, Debug)]
pub struct SlotMap<T, K = T> {
    slots: Vec<(u32, Option<T>)>,
    free: Vec<u32>,
    kind: PhantomData<fn() -> K>,
}

impl<T, K> Default for SlotMap<T, K> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            kind: PhantomData,
        }
    }
}

impl<T, K> SlotMap<T, K> {
    /// Stores `value` in the slot freed last, or in a new one, and returns its id.
    ///
    /// # Panics
    /// At 2^32 values.
    pub fn insert(&mut self, value: T) -> Id<K> {
        if let Some(index) = self.free.pop() {
            let slot = &mut self.slots[index as usize];
            slot.1 = Some(value);
            return Id::new(index, slot.0);
        }
        let index = u32::try_from(self.slots.len()).expect("fewer than 2^32 slots");
        self.slots.push((0, Some(value)));
        Id::new(index, 0)
    }

    /// The value of `id`; `None` if the id is stale.
    pub fn get(&self, id: Id<K>) -> Option<&T> {
        let (generation, value) = self.slots.get(id.index() as usize)?;
        value.as_ref().filter(|_| *generation == id.generation())
    }

    /// The value of `id`, mutable; `None` if the id is stale.
    pub fn get_mut(&mut self, id: Id<K>) -> Option<&mut T> {
        let (generation, value) = self.slots.get_mut(id.index() as usize)?;
        value.as_mut().filter(|_| *generation == id.generation())
    }

    /// Removes and returns the value of `id`; `None` if the id is stale.
    pub fn remove(&mut self, id: Id<K>) -> Option<T> {
        let (generation, value) = self.slots.get_mut(id.index() as usize)?;
        if *generation != id.generation() {
            return None;
        }
        let removed = value.take()?;
        *generation = generation.wrapping_add(1);
        self.free.push(id.index());
        Some(removed)
    }

    /// All values with their ids, by slot index.
    pub fn iter(&self) -> impl Iterator<Item = (Id<K>, &T)> {
        (0..)
            .zip(&self.slots)
            .filter_map(|(index, (generation, value))| {
                value
                    .as_ref()
                    .map(|value| (Id::new(index, *generation), value))
            })
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// True if there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
