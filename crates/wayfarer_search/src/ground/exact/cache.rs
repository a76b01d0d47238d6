//! What a searcher remembers of the ground: from each turning point, which others it can see.
//!
//! A list is what a [`Draft`] found from one place, come to in one direction. It counts until a
//! cell within its bounds changes; the register of each block of four sectors tells which lists looked
//! there.

#![expect(
    clippy::cast_possible_truncation,
    reason = "the cap keeps every list far below 2^30 entries"
)]

use wayfarer_base::Column;
use wayfarer_world::ground::NodeId;

use super::draft::{BLOCK, Draft, Sight};

/// No place, no list, no entry.
pub(super) const NONE: u32 = u32::MAX;

/// A place where a way may have to turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) node: NodeId,
    /// Directions worth a look, by the direction of arrival.
    pub(super) directions: [u8; 4],
    /// The lists, by the direction of arrival.
    pub(super) lists: [u32; 4],
}

/// What is seen from a place, come to in one direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    first: u32,
    n_edges: u32,
    /// How far the diagonals lead; see [`Draft::diagonals`].
    pub(super) diagonals: [u16; 4],
    bounds: [i32; 4],
    /// The place and the direction of arrival; `NONE` once the list no longer counts.
    owner: u32,
}

impl List {
    /// Where its edges are.
    #[inline]
    pub(super) const fn edges(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.n_edges) as usize
    }
}

/// A way to another place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// Place and direction of arrival: number times four, plus the direction.
    pub(super) to: u32,
    pub(super) cost: u32,
}

#[derive(Clone, Copy, Debug)]
struct Register {
    block: (i32, i32),
    first: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    list: u32,
    next: u32,
}

/// Places, lists and registers.
#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    pub(super) places: Vec<Place>,
    lists: Vec<List>,
    pub(super) edges: Vec<Edge>,
    /// Places by the number of their cell, open addressing; `NONE` where there is none.
    place_table: Vec<u32>,
    registers: Vec<Register>,
    /// Registers by block.
    register_table: Vec<u32>,
    entries: Vec<Entry>,
    /// Entries that are not used, linked.
    free_entries: u32,
    /// Lists that count.
    n_lists: usize,
}

impl Cache {
    /// Forgets everything; gives the memory back if it is more than `cap` bytes.
    pub(super) fn clear(&mut self, cap: usize) {
        if self.heap_bytes() > cap {
            *self = Self::default();
        }
        self.places.clear();
        self.lists.clear();
        self.edges.clear();
        self.place_table.fill(NONE);
        self.registers.clear();
        self.register_table.fill(NONE);
        self.entries.clear();
        self.free_entries = NONE;
        self.n_lists = 0;
    }

    /// True if another list might not stay below `cap` bytes. Room that is there already, after
    /// everything went, is room.
    pub(super) fn is_full(&self, cap: usize) -> bool {
        let tables = [
            (self.places.len(), self.place_table.len()),
            (self.registers.len(), self.register_table.len()),
        ];
        let doubled = tables
            .into_iter()
            .filter(|(n, slots)| (n + SPARE) * 2 > *slots);
        let doubled: usize = doubled.map(|(_, slots)| slots * size_of::<u32>()).sum();
        let growth = growth(&self.places)
            + growth(&self.lists)
            + growth(&self.edges)
            + growth(&self.entries)
            + growth(&self.registers)
            + doubled;
        self.heap_bytes() + growth > cap
    }

    /// Forgets all places but the first `n_kept`; none of the others may be in a list, or own one.
    pub(super) fn forget_guests(&mut self, n_kept: usize, cap: usize) {
        if self.places.len() == n_kept {
            return;
        }
        let most = (n_kept + 1) * 2;
        self.places.truncate(n_kept);
        if self.heap_bytes() > cap {
            self.places.shrink_to_fit();
            self.place_table = Vec::new();
        }
        self.fill_place_table(most.next_power_of_two().max(self.place_table.len()));
    }

    #[inline]
    pub(super) fn list(&self, number: u32) -> &List {
        &self.lists[number as usize]
    }

    /// The number of a place, if it is known.
    pub(super) fn find(&self, node: NodeId, x: i32, y: i32) -> Option<u32> {
        let mask = self.place_table.len().checked_sub(1)?;
        let mut at = slot_of_node(node, mask);
        loop {
            let number = self.place_table[at];
            let place = self.places.get(number as usize)?;
            // A number may have been another cell's before an edit.
            if place.node == node && (place.x, place.y) == (x, y) {
                return Some(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// The place that was seen, times four, plus the direction of arrival; true if it is new.
    #[inline]
    pub(super) fn enter(&mut self, sight: &Sight) -> (u32, bool) {
        let arrival = usize::from(sight.arrival);
        if let Some(number) = self.find(sight.node, sight.x, sight.y) {
            let place = &mut self.places[number as usize];
            debug_assert!(
                place.lists[arrival] == NONE || place.directions[arrival] == sight.directions,
                "a list counts only as long as its directions"
            );
            place.directions[arrival] = sight.directions;
            return (number << 2 | u32::from(sight.arrival), false);
        }
        if (self.places.len() + 1) * 2 > self.place_table.len() {
            self.fill_place_table((self.place_table.len() * 2).max(64));
        }
        let number = self.places.len() as u32;
        let mut directions = [0; 4];
        directions[arrival] = sight.directions;
        push(
            &mut self.places,
            Place {
                x: sight.x,
                y: sight.y,
                node: sight.node,
                directions,
                lists: [NONE; 4],
            },
        );
        let mask = self.place_table.len() - 1;
        let mut at = slot_of_node(sight.node, mask);
        while self.place_table[at] != NONE {
            at = (at + 1) & mask;
        }
        self.place_table[at] = number;
        (number << 2 | u32::from(sight.arrival), true)
    }

    #[cold]
    fn fill_place_table(&mut self, size: usize) {
        self.place_table.clear();
        self.place_table.reserve_exact(size);
        self.place_table.resize(size, NONE);
        for (number, place) in (0..).zip(&self.places) {
            let mut at = slot_of_node(place.node, size - 1);
            while self.place_table[at] != NONE {
                at = (at + 1) & (size - 1);
            }
            self.place_table[at] = number;
        }
    }

    /// Keeps what was seen from `owner` (place times four plus direction of arrival); `edges` are
    /// the sights of the draft, entered.
    pub(super) fn keep(&mut self, owner: u32, draft: &Draft, edges: &[Edge]) {
        let number = self.lists.len() as u32;
        let first = self.edges.len() as u32;
        for edge in edges {
            push(&mut self.edges, *edge);
        }
        push(
            &mut self.lists,
            List {
                first,
                n_edges: edges.len() as u32,
                diagonals: draft.diagonals,
                bounds: draft.bounds,
                owner,
            },
        );
        for &block in &draft.blocks {
            let register = self.register(block);
            let entry = Entry {
                list: number,
                next: self.registers[register].first,
            };
            let at = self.free_entries;
            self.registers[register].first = if let Some(free) = self.entries.get_mut(at as usize) {
                self.free_entries = free.next;
                *free = entry;
                at
            } else {
                push(&mut self.entries, entry);
                self.entries.len() as u32 - 1
            };
        }
        self.n_lists += 1;
        self.places[(owner >> 2) as usize].lists[(owner & 3) as usize] = number;
    }

    /// The register of a block, made if need be.
    fn register(&mut self, block: (i32, i32)) -> usize {
        if let Some(found) = self.find_register(block) {
            return found;
        }
        if (self.registers.len() + 1) * 2 > self.register_table.len() {
            let size = (self.register_table.len() * 2).max(64);
            self.register_table.clear();
            self.register_table.reserve_exact(size);
            self.register_table.resize(size, NONE);
            for number in 0..self.registers.len() {
                self.enter_register(number);
            }
        }
        push(&mut self.registers, Register { block, first: NONE });
        let number = self.registers.len() - 1;
        self.enter_register(number);
        number
    }

    fn enter_register(&mut self, number: usize) {
        let mask = self.register_table.len() - 1;
        let mut at = slot_of_block(self.registers[number].block, mask);
        while self.register_table[at] != NONE {
            at = (at + 1) & mask;
        }
        self.register_table[at] = number as u32;
    }

    fn find_register(&self, block: (i32, i32)) -> Option<usize> {
        let mask = self.register_table.len().checked_sub(1)?;
        let mut at = slot_of_block(block, mask);
        loop {
            let number = self.register_table[at] as usize;
            if self.registers.get(number)?.block == block {
                return Some(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// Forgets the lists that looked at a cell of `column`.
    pub(super) fn forget(&mut self, column: Column) {
        let (x, y) = (column.x, column.y);
        let Some(register) = self.find_register((x >> BLOCK, y >> BLOCK)) else {
            return;
        };
        let (mut before, mut at) = (NONE, self.registers[register].first);
        while at != NONE {
            let Entry { list, next } = self.entries[at as usize];
            let list = &mut self.lists[list as usize];
            let [west, north, east, south] = list.bounds;
            let owner = list.owner;
            if owner != NONE && west <= x && x <= east && north <= y && y <= south {
                self.places[(owner >> 2) as usize].lists[(owner & 3) as usize] = NONE;
                list.owner = NONE;
                self.n_lists -= 1;
            }
            if list.owner == NONE {
                // Taken out here; in other registers when they are walked.
                match self.entries.get_mut(before as usize) {
                    Some(entry) => entry.next = next,
                    None => self.registers[register].first = next,
                }
                self.entries[at as usize].next = self.free_entries;
                self.free_entries = at;
            } else {
                before = at;
            }
            at = next;
        }
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.places.capacity() * size_of::<Place>()
            + self.lists.capacity() * size_of::<List>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.entries.capacity() * size_of::<Entry>()
            + self.registers.capacity() * size_of::<Register>()
            + (self.place_table.capacity() + self.register_table.capacity()) * size_of::<u32>()
    }

    /// Lists that count.
    pub(super) fn n_lists(&self) -> usize {
        self.n_lists
    }
}

/// Entries that another list may take of a vector; rarely more.
const SPARE: usize = 64;

/// Bytes by which a vector may grow for another list.
fn growth<T>(list: &Vec<T>) -> usize {
    if list.capacity() - list.len() >= SPARE {
        return 0;
    }
    (list.capacity() / 4).max(SPARE) * size_of::<T>()
}

/// Adds to a vector that grows by a quarter: a cap must not be passed by doubling.
#[inline]
fn push<T>(list: &mut Vec<T>, value: T) {
    if list.len() == list.capacity() {
        list.reserve_exact((list.len() / 4).max(16));
    }
    list.push(value);
}

#[inline]
fn slot_of_node(node: NodeId, mask: usize) -> usize {
    (node.index().wrapping_mul(0x9E37_79B9) >> 7) as usize & mask
}

#[inline]
fn slot_of_block((x, y): (i32, i32), mask: usize) -> usize {
    let word = u64::from(x.cast_unsigned()) << 32 | u64::from(y.cast_unsigned());
    (word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize & mask
}
