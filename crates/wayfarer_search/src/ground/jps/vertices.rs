//! The vertices of one search: g, f, parent and the directions to scan.
//!
//! Ids count vertices in the order of their first generation. That order follows from the geometry
//! of the world alone, so it may break ties; node ids depend on the history of edits and may not.

use wayfarer_world::ground::NodeId;

/// No vertex.
pub(super) const NONE: u32 = u32::MAX;

/// A generated node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) node: NodeId,
    pub(super) x: i32,
    pub(super) y: i32,
    /// Lowest cost from the start so far, in units of `Cost`.
    pub(super) g: u32,
    /// g + h.
    pub(super) f: u32,
    /// The vertex it was reached from, or `NONE` at the start.
    pub(super) parent: u32,
    /// Directions to scan: bit i is direction i.
    pub(super) directions: u8,
    /// True if a single step or nav link reached it, not a jump.
    pub(super) is_step: bool,
}

/// All vertices of one search, by node id. Clearing is O(1).
///
/// A hash table with open addressing; slots carry the generation of the search that wrote them, and
/// a slot of an earlier one is empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Vertices {
    list: Vec<Vertex>,
    /// A power of two, at least 1.5 slots per vertex of capacity.
    table: Vec<Slot>,
    /// Generation of the current search, from 1.
    search: u32,
}

/// An entry of the table, with what most lookups need.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    cell: u32,
    /// Generation of the search that wrote it.
    search: u32,
    /// The vertex.
    id: u32,
    /// Its g.
    g: u32,
}

/// The result of a lookup with a cost.
pub(super) enum VertexLookup {
    /// The cost is not below that of the vertex with this id.
    NotCheaper(u32),
    /// The cost is below that of a vertex: its slot and id.
    Cheaper(usize, u32),
    /// Not generated before: the slot to insert it into.
    New(usize),
}

impl Vertices {
    /// Removes all vertices.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.table.fill(Slot::default());
            self.search = 1;
        }
    }

    /// Looks up a node that was reached at cost `g`. There must be room for one more vertex.
    #[inline]
    pub(super) fn find(&self, node: NodeId, g: u32) -> VertexLookup {
        let key = node.index();
        let mask = self.table.len() - 1;
        // The cells of a row share a run of slots: single steps lead to neighbors.
        let mut at = ((key >> 4).wrapping_mul(0x9E37_79B9) >> 7 << 4 | key & 15) as usize & mask;
        loop {
            let slot = self.table[at];
            if slot.search != self.search {
                return VertexLookup::New(at);
            }
            if slot.cell == key {
                return if slot.g <= g {
                    VertexLookup::NotCheaper(slot.id)
                } else {
                    VertexLookup::Cheaper(at, slot.id)
                };
            }
            at = (at + 1) & mask;
        }
    }

    /// The vertex of a node, if it was generated.
    pub(super) fn id_of(&self, node: NodeId) -> Option<u32> {
        if self.table.is_empty() {
            return None;
        }
        match self.find(node, 0) {
            VertexLookup::NotCheaper(id) | VertexLookup::Cheaper(_, id) => Some(id),
            VertexLookup::New(_) => None,
        }
    }

    /// Inserts a vertex at the slot of [`VertexLookup::New`].
    #[inline]
    pub(super) fn insert(&mut self, slot: usize, vertex: Vertex) -> u32 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "there are fewer vertices than cells"
        )]
        let id = self.list.len() as u32;
        self.table[slot] = Slot {
            cell: vertex.node.index(),
            search: self.search,
            id,
            g: vertex.g,
        };
        self.list.push(vertex);
        id
    }

    /// Replaces the vertex of [`VertexLookup::Cheaper`] with a cheaper one.
    #[inline]
    pub(super) fn improve(&mut self, slot: usize, id: u32, vertex: Vertex) {
        self.table[slot].g = vertex.g;
        self.list[id as usize] = vertex;
    }

    #[inline]
    pub(super) fn at(&self, id: u32) -> &Vertex {
        &self.list[id as usize]
    }

    /// True if one more vertex fits.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.list.len() < self.list.capacity()
    }

    /// Bytes that the next [`Vertices::grow`] adds; a cloned list has less capacity than its table.
    pub(super) fn growth(&self) -> u64 {
        let (n_vertices, n_slots) = self.grown();
        ((n_vertices - self.list.capacity()) * size_of::<Vertex>()
            + n_slots.saturating_sub(self.table.len()) * size_of::<Slot>()) as u64
    }

    fn grown(&self) -> (usize, usize) {
        let n_vertices = (self.list.capacity() * 2).max(48);
        (
            n_vertices,
            (n_vertices + n_vertices / 2).next_power_of_two(),
        )
    }

    /// Doubles the capacity, about.
    #[cold]
    pub(super) fn grow(&mut self) {
        let (n_vertices, n_slots) = self.grown();
        self.list.reserve_exact(n_vertices - self.list.len());
        self.table.clear();
        self.table.reserve_exact(n_slots);
        self.table.resize(n_slots, Slot::default());
        self.search = 1;
        for (id, vertex) in (0..).zip(&self.list) {
            if let VertexLookup::New(at) = self.find(vertex.node, vertex.g) {
                self.table[at] = Slot {
                    cell: vertex.node.index(),
                    search: self.search,
                    id,
                    g: vertex.g,
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
