//! Memberships of sensors, stored contiguously for groups of adjacent slots: an update reads them
//! in memory order instead of one allocation per sensor.

use super::super::BodyId;

/// Sensors per group; a group is updated on one thread. Eight were slower for memory latency; many
/// more would leave small worlds on one thread.
pub(in super::super) const GROUP_SIZE: usize = 16;

/// A body that a sensor tracks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Entry {
    pub(in super::super) id: BodyId,
    pub(in super::super) is_member: bool,
    /// Ticks of a pending enter or leave.
    pub(in super::super) n_ticks: u16,
}

/// The entries of up to [`GROUP_SIZE`] sensors, concatenated, each by ascending index.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Memberships {
    entries: Vec<Entry>,
    /// The end of each of the first `n_slots` lists.
    ends: [u32; GROUP_SIZE],
    n_slots: u8,
}

impl Memberships {
    fn range(&self, slot: usize) -> std::ops::Range<usize> {
        let begin = if slot == 0 { 0 } else { self.ends[slot - 1] };
        begin as usize..self.ends[slot] as usize
    }

    /// The entries of a sensor.
    #[inline]
    pub(in super::super) fn entries_of(&self, slot: usize) -> &[Entry] {
        &self.entries[self.range(slot)]
    }

    /// Appends the list of one more sensor.
    pub(in super::super) fn add(&mut self, entries: &[Entry]) {
        self.entries.extend_from_slice(entries);
        self.end_slot();
    }

    /// Appends to the open list.
    #[inline]
    pub(super) fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// Closes the open list.
    #[inline]
    pub(super) fn end_slot(&mut self) {
        let end = u32::try_from(self.entries.len()).expect("fewer than 2^32 entries");
        self.ends[usize::from(self.n_slots)] = end;
        self.n_slots += 1;
    }

    /// Removes the entries of one sensor.
    pub(super) fn clear(&mut self, slot: usize) {
        let range = self.range(slot);
        let n_removed = u32::try_from(range.len()).expect("fewer than 2^32 entries");
        self.entries.drain(range);
        for end in &mut self.ends[slot..usize::from(self.n_slots)] {
            *end -= n_removed;
        }
    }

    /// Removes all lists; keeps capacity.
    pub(super) fn clear_all(&mut self) {
        self.entries.clear();
        self.n_slots = 0;
    }

    /// Copies another; keeps capacity.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.entries.clear();
        self.entries.extend_from_slice(&other.entries);
        (self.ends, self.n_slots) = (other.ends, other.n_slots);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfarer_base::Id;

    fn entry(index: u32) -> Entry {
        Entry {
            id: Id::new(index, 0),
            is_member: true,
            n_ticks: 0,
        }
    }

    #[test]
    fn clearing_one_list_keeps_the_others() {
        let lists = [vec![1, 5, 9], vec![], vec![2, 3], vec![7]];
        for cleared in 0..lists.len() {
            let mut memberships = Memberships::default();
            for list in &lists {
                let list: Vec<Entry> = list.iter().copied().map(entry).collect();
                memberships.add(&list);
            }
            memberships.clear(cleared);
            let mut copy = Memberships::default();
            copy.add(&[entry(4)]);
            copy.copy_from(&memberships);
            for memberships in [&memberships, &copy] {
                for (slot, list) in lists.iter().enumerate() {
                    let expected: &[u32] = if slot == cleared { &[] } else { list };
                    let entries = memberships
                        .entries_of(slot)
                        .iter()
                        .map(|entries| entries.id.index());
                    assert!(
                        entries.eq(expected.iter().copied()),
                        "list {slot} without {cleared}"
                    );
                }
            }
        }
    }
}
