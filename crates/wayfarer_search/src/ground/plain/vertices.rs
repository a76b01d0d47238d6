//! What the search knows of each place it has come to: cost so far, from where, where to go on.
//!
//! Places are numbered in the order in which they were first seen. That order follows from the
//! shape of the world alone, so it may break ties; the numbers that the ground gives to cells
//! depend on the history of edits and may not.

use wayfarer_world::ground::NodeId;

/// No place.
pub(super) const NONE: u32 = u32::MAX;

/// A place that the search has come to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) node: NodeId,
    pub(super) x: i32,
    pub(super) y: i32,
    /// Cheapest cost so far, in units of `Cost`.
    pub(super) cost: u32,
    /// The same with the estimate of the rest.
    pub(super) total: u32,
    /// The place it was reached from, or `NONE` where the search began.
    pub(super) parent: u32,
    /// Directions worth a look: bit i is direction i.
    pub(super) directions: u8,
    /// True if it was reached by a single step or passage, not by a jump.
    pub(super) by_step: bool,
}

/// All places of one search, found by the number of their cell; forgotten all at once.
///
/// A table with open addressing that is never cleared: an entry counts only if the place it
/// names exists in this search and lies in the entry's cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Vertices {
    list: Vec<Vertex>,
    /// Cell and place; a power of two of them, at least half as many again as places.
    table: Vec<(u32, u32)>,
}

/// What a look-up found: the number of the place, or where in the table to enter it.
pub(super) enum Found {
    /// Known.
    Known(u32),
    /// Not seen before.
    New(usize),
}

impl Vertices {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    /// Looks a cell up. There must be room for one more.
    #[inline]
    pub(super) fn find(&self, node: NodeId) -> Found {
        let key = node.index();
        let mask = self.table.len() - 1;
        let mut at = (key.wrapping_mul(0x9E37_79B9) >> 7) as usize & mask;
        loop {
            let (cell, number) = self.table[at];
            match self.list.get(number as usize) {
                Some(vertex) if vertex.node.index() == cell => {
                    if cell == key {
                        return Found::Known(number);
                    }
                }
                _ => return Found::New(at),
            }
            at = (at + 1) & mask;
        }
    }

    /// Enters a place that was just found to be new.
    #[inline]
    pub(super) fn enter(&mut self, slot: usize, vertex: Vertex) -> u32 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "there are fewer places than cells"
        )]
        let number = self.list.len() as u32;
        self.table[slot] = (vertex.node.index(), number);
        self.list.push(vertex);
        number
    }

    #[inline]
    pub(super) fn at(&self, number: u32) -> &Vertex {
        &self.list[number as usize]
    }

    #[inline]
    pub(super) fn at_mut(&mut self, number: u32) -> &mut Vertex {
        &mut self.list[number as usize]
    }

    /// True if one more place fits.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.list.len() < self.list.capacity()
    }

    /// Bytes by which the next growth grows it; a cloned list has less room than its table.
    pub(super) fn growth(&self) -> u64 {
        let (places, slots) = self.grown();
        ((places - self.list.capacity()) * size_of::<Vertex>()
            + slots.saturating_sub(self.table.len()) * size_of::<(u32, u32)>()) as u64
    }

    fn grown(&self) -> (usize, usize) {
        let places = (self.list.capacity() * 2).max(48);
        (places, (places + places / 2).next_power_of_two())
    }

    /// Makes room for about twice as many places.
    #[cold]
    pub(super) fn grow(&mut self) {
        let (places, slots) = self.grown();
        self.list.reserve_exact(places - self.list.len());
        self.table.clear();
        self.table.reserve_exact(slots);
        self.table.resize(slots, (NONE, NONE));
        for number in 0..self.list.len() {
            let node = self.list[number].node;
            if let Found::New(at) = self.find(node) {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "there are fewer places than cells"
                )]
                let number = number as u32;
                self.table[at] = (node.index(), number);
            }
        }
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.list.capacity() * size_of::<Vertex>() + self.table.capacity() * size_of::<(u32, u32)>()
    }
}

#[cfg(test)]
mod tests;
