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
    /// True if it was reached by a single step or nav link, not by a jump.
    pub(super) by_step: bool,
}

/// All places of one search, found by the number of their cell; forgotten all at once.
///
/// A table with open addressing that is cleared by counting searches: a slot of an earlier search
/// is an empty one.
#[derive(Clone, Debug, Default)]
pub(super) struct Vertices {
    list: Vec<Vertex>,
    /// A power of two of them, at least half as many again as places.
    table: Vec<Slot>,
    /// Which search this is, from 1.
    search: u32,
}

/// What the table says of a cell, so that most look-ups need no more.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    cell: u32,
    /// The search that this was written in.
    search: u32,
    /// The place.
    number: u32,
    /// Its cheapest cost so far.
    cost: u32,
}

/// What a look-up found.
pub(super) enum VertexLookup {
    /// A place that is no costlier than asked: its number.
    Cheap(u32),
    /// A place that is costlier than asked: where in the table, and its number.
    Costly(usize, u32),
    /// Not seen before: where in the table to enter it.
    New(usize),
}

impl Vertices {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.table.fill(Slot::default());
            self.search = 1;
        }
    }

    /// Looks for a cell that was come to at `cost`. There must be room for one more.
    #[inline]
    pub(super) fn find(&self, node: NodeId, cost: u32) -> VertexLookup {
        let key = node.index();
        let mask = self.table.len() - 1;
        // Cells of a row lie side by side: single steps lead to neighbors.
        let mut at = ((key >> 4).wrapping_mul(0x9E37_79B9) >> 7 << 4 | key & 15) as usize & mask;
        loop {
            let slot = self.table[at];
            if slot.search != self.search {
                return VertexLookup::New(at);
            }
            if slot.cell == key {
                return if slot.cost <= cost {
                    VertexLookup::Cheap(slot.number)
                } else {
                    VertexLookup::Costly(at, slot.number)
                };
            }
            at = (at + 1) & mask;
        }
    }

    /// The place of a cell, if the search has come to it.
    pub(super) fn number_of(&self, node: NodeId) -> Option<u32> {
        if self.table.is_empty() {
            return None;
        }
        match self.find(node, 0) {
            VertexLookup::Cheap(number) | VertexLookup::Costly(_, number) => Some(number),
            VertexLookup::New(_) => None,
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
        self.table[slot] = Slot {
            cell: vertex.node.index(),
            search: self.search,
            number,
            cost: vertex.cost,
        };
        self.list.push(vertex);
        number
    }

    /// Puts a cheaper way in for a place that was just found to be costly.
    #[inline]
    pub(super) fn improve(&mut self, slot: usize, number: u32, vertex: Vertex) {
        self.table[slot].cost = vertex.cost;
        self.list[number as usize] = vertex;
    }

    #[inline]
    pub(super) fn at(&self, number: u32) -> &Vertex {
        &self.list[number as usize]
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
            + slots.saturating_sub(self.table.len()) * size_of::<Slot>()) as u64
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
        self.table.resize(slots, Slot::default());
        self.search = 1;
        for (number, vertex) in (0..).zip(&self.list) {
            if let VertexLookup::New(at) = self.find(vertex.node, vertex.cost) {
                self.table[at] = Slot {
                    cell: vertex.node.index(),
                    search: self.search,
                    number,
                    cost: vertex.cost,
                };
            }
        }
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.list.capacity() * size_of::<Vertex>() + self.table.capacity() * size_of::<Slot>()
    }
}

#[cfg(test)]
mod tests;
