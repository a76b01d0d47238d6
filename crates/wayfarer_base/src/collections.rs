//! Tables whose contents never depend on a random seed.
//!
//! [`FastMap`] hashes with a fixed function: for looking up only. Whoever needs to walk through a
//! table in order uses [`OrderedMap`] or [`OrderedSet`]; the lint
//! `iter_over_hash_type` holds that. [`SlotMap`] names things that come and go.

use crate::Id;

/// A map for look-ups by key; not to be iterated.
pub type FastMap<K, V> = rustc_hash::FxHashMap<K, V>;
/// A map in the order of its keys.
pub type OrderedMap<K, V> = std::collections::BTreeMap<K, V>;
/// A set in the order of its members.
pub type OrderedSet<K> = std::collections::BTreeSet<K>;

/// A table of things that come and go, each with a name that dies with it.
///
/// ```
/// use wayfarer_base::collections::SlotMap;
/// let mut doors = SlotMap::<&str>::default();
/// let gate = doors.insert("gate");
/// assert_eq!(doors.get(gate), Some(&"gate"));
/// assert_eq!(doors.remove(gate), Some("gate"));
/// let hatch = doors.insert("hatch");
/// assert_eq!(doors.get(gate), None); // a dead name stays dead
/// assert_eq!(doors.get(hatch), Some(&"hatch"));
/// ```
#[derive(Clone, Debug)]
pub struct SlotMap<T> {
    slots: Vec<(u32, Option<T>)>,
    free: Vec<u32>,
}

impl<T> Default for SlotMap<T> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T> SlotMap<T> {
    /// Puts `value` into the lowest place freed last, or a new one, and names it.
    pub fn insert(&mut self, value: T) -> Id<T> {
        if let Some(index) = self.free.pop() {
            let slot = &mut self.slots[index as usize];
            slot.1 = Some(value);
            return Id::new(index, slot.0);
        }
        let index = u32::try_from(self.slots.len()).expect("fewer than 2^32 things");
        self.slots.push((0, Some(value)));
        Id::new(index, 0)
    }

    /// What `id` names, if it still lives.
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        let (generation, value) = self.slots.get(id.index() as usize)?;
        value.as_ref().filter(|_| *generation == id.generation())
    }

    /// What `id` names, if it still lives, to be changed.
    pub fn get_mut(&mut self, id: Id<T>) -> Option<&mut T> {
        let (generation, value) = self.slots.get_mut(id.index() as usize)?;
        value.as_mut().filter(|_| *generation == id.generation())
    }

    /// Takes out what `id` names; its name is dead from then on.
    pub fn remove(&mut self, id: Id<T>) -> Option<T> {
        let (generation, value) = self.slots.get_mut(id.index() as usize)?;
        if *generation != id.generation() {
            return None;
        }
        let taken = value.take()?;
        *generation = generation.wrapping_add(1);
        self.free.push(id.index());
        Some(taken)
    }

    /// All that live, in the order of their places.
    pub fn iter(&self) -> impl Iterator<Item = (Id<T>, &T)> {
        (0..)
            .zip(&self.slots)
            .filter_map(|(index, (generation, value))| {
                value
                    .as_ref()
                    .map(|value| (Id::new(index, *generation), value))
            })
    }

    /// How many live.
    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// True if none lives.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
