//! What a searcher remembers of the ground: from each jump point, which others it can see.
//!
//! A list is what a [`SuccessorScan`] found from one place, come to in one way. It counts until a cell
//! changes that it may have looked at; the register of each block of four sectors tells which
//! lists looked there. A list that a small change has spoiled can be repaired when it is needed: see
//! [`StaleList`].

#![expect(
    clippy::cast_possible_truncation,
    reason = "the cap keeps every list far below 2^28 entries"
)]

mod stale;

pub(super) use stale::StaleList;

use wayfarer_base::{Column, Rect};
use wayfarer_world::ground::NodeId;

use super::successor_scan::{JumpEdge, SuccessorScan};

/// No place, no list, no chunk.
pub(super) const NONE: u32 = u32::MAX;

/// Blocks of the registers are 32 columns wide and high, as a shift: with single sectors registers
/// take more memory than lists.
const BLOCK: u32 = 5;

/// Lists that looked at more blocks than this are in a register of their own, which every edit
/// walks.
const MAX_BLOCKS: i64 = 64;

/// No more lists than this may be there.
const MAX_WIDE: usize = 64;

/// The block of that register: no cell lies there.
const EVERY_BLOCK: (i32, i32) = (i32::MAX, i32::MAX);

/// A place where a way may have to turn, with what the search at hand knows of it: all that is
/// asked when a way to it was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct CachedJumpPoint {
    pub(super) x: i32,
    pub(super) y: i32,
    /// The search that came here last; the next four count in that search alone.
    pub(super) search: u32,
    /// Cheapest cost so far; 0 also where no cheapest path leads.
    pub(super) cost: u32,
    /// Its number in the search.
    pub(super) number: u32,
    /// Its area in a tree, and which tree that was.
    pub(super) area: u32,
    pub(super) tree: u32,
    /// Its lists by the way of arrival, packed; see [`SuccessorRef`].
    lists: [SuccessorRef; N_LISTS],
}

/// Where a place is, and where to look from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct JumpPointSite {
    pub(super) node: NodeId,
    /// Directions worth a look, by the straight direction of arrival.
    pub(super) directions: [u8; 4],
    /// The next place with the same slot of the table of sheets.
    next: u32,
}

/// Ways to come to a place that matter for what is seen from there.
const N_LISTS: usize = 5;

impl CachedJumpPoint {
    /// A place that was seen, with no lists.
    pub(super) fn new(sight: &JumpEdge) -> Self {
        Self {
            x: sight.x,
            y: sight.y,
            search: 0,
            cost: 0,
            number: NONE,
            area: NONE,
            tree: 0,
            lists: [SuccessorRef::NOTHING; N_LISTS],
        }
    }

    /// Its column.
    #[inline]
    pub(super) const fn at(&self) -> (i32, i32) {
        (self.x, self.y)
    }

    /// The list of a slot of this place.
    #[inline]
    pub(super) fn list(&self, slot: u32) -> SuccessorRef {
        self.lists[usize::from(list_of(slot))]
    }
}

impl JumpPointSite {
    pub(super) fn new(sight: &JumpEdge) -> Self {
        let mut stand = Self {
            node: sight.node,
            directions: [0; 4],
            next: NONE,
        };
        stand.come_to(sight);
        stand
    }

    /// Notes the directions that are worth a look.
    #[inline]
    pub(super) fn come_to(&mut self, sight: &JumpEdge) {
        let arrival = usize::from(sight.arrival);
        if let Some(directions) = self.directions.get_mut(arrival) {
            *directions = sight.directions;
        }
    }
}

/// Where the words of a list are, and how many edges it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SuccessorRef(u32);

impl SuccessorRef {
    /// There is no list.
    pub(super) const NOTHING: Self = Self(NONE);
    const SHIFT: u32 = 9;
    /// So many edges: there is a spoiled list at most, and this is its number.
    const STALE: u32 = (1 << Self::SHIFT) - 1;
    /// Lists with more edges are not kept.
    const MAX_EDGES: usize = (1 << Self::SHIFT) - 2;
    /// More words than this are not kept.
    const MAX_WORDS: usize = (1 << (32 - Self::SHIFT)) - 1;

    /// True if there is a list, and it counts.
    #[inline]
    pub(super) const fn is_there(self) -> bool {
        self.0 & Self::STALE != Self::STALE
    }

    /// The number of a spoiled list.
    const fn stale(self) -> Option<u32> {
        if self.is_there() || self.0 == NONE {
            return None;
        }
        Some(self.0 >> Self::SHIFT)
    }

    /// Two words that tell how far the diagonals lead, and the edges behind them.
    const fn words(self) -> std::ops::Range<usize> {
        let pairs = self.pairs();
        2 * pairs.start..2 * pairs.end
    }

    /// The same in pairs: each edge takes two words.
    #[inline]
    pub(super) const fn pairs(self) -> std::ops::Range<usize> {
        let first = (self.0 >> (Self::SHIFT + 1)) as usize;
        first..first + 1 + (self.0 as usize & ((1 << Self::SHIFT) - 1))
    }
}

/// What was looked at to make a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct SuccessorList {
    /// The place; `NONE` once the list no longer counts. And its column.
    place: u32,
    pub(super) x: i32,
    pub(super) y: i32,
    /// How far the diagonals lead; see [`SuccessorScan::diagonals`].
    pub(super) diagonals: [u16; 4],
    /// How far was looked; see [`SuccessorScan::reach`].
    pub(super) reach: [u16; 4],
    /// There is room for so many edges.
    room: u16,
    /// The way of arrival, 0 to 4.
    arrival: u8,
}

impl SuccessorList {
    /// True if some cell of a rectangle may have been looked at: it lies no further
    /// than any look went, and no further from the row or the column than a diagonal led.
    #[inline]
    fn may_see(&self, rect: Rect) -> bool {
        let [north, east, south, west] = self.reach.map(i32::from);
        let low_x = rect.low.x.saturating_sub(self.x);
        let low_y = rect.low.y.saturating_sub(self.y);
        let high_x = rect.high.x.saturating_sub(self.x);
        let high_y = rect.high.y.saturating_sub(self.y);
        if high_x < -west - 1 || low_x > east + 1 || high_y < -north - 1 || low_y > south + 1 {
            return false;
        }
        // Straight above, below or beside it.
        if (low_x <= 1 && high_x >= -1) || (low_y <= 1 && high_y >= -1) {
            return true;
        }
        let quarter = match (low_x > 0, low_y > 0) {
            (true, false) => 0,
            (true, true) => 1,
            (false, true) => 2,
            (false, false) => 3,
        };
        let far = |low: i32, high: i32| if low > 0 { low } else { -high };
        far(low_x, high_x).min(far(low_y, high_y)) <= i32::from(self.diagonals[quarter]) + 1
    }
}

#[derive(Clone, Copy, Debug)]
struct BlockIndex {
    block: (i32, i32),
    /// The first chunk, and how many lists are in it; all others are full.
    first: u32,
    n_in_first: u32,
}

/// Lists of a register.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    lists: [u32; CHUNK],
    next: u32,
}

/// Lists in a chunk.
const CHUNK: usize = 7;

/// A slot of the table of places where there is none.
const FREE: (u32, u32) = (NONE, NONE);

/// Places, lists and registers.
#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    pub(super) locations: Vec<CachedJumpPoint>,
    /// By place.
    pub(super) stands: Vec<JumpPointSite>,
    lists: Vec<SuccessorList>,
    /// List by list how far the diagonals lead, two to a word; and where it leads, place and way
    /// of arrival, number times eight plus the way, and what that costs.
    pub(super) words: Vec<u32>,
    /// Places by the number of their cell, open addressing: that number and the place's, or
    /// `NONE` where there is none.
    place_table: Vec<(u32, u32)>,
    /// Places by the number of their sheet: the first of each slot.
    sheet_table: Vec<u32>,
    registers: Vec<BlockIndex>,
    /// Registers by block.
    register_table: Vec<u32>,
    chunks: Vec<Chunk>,
    /// Chunks that are not used, linked.
    free_chunks: u32,
    /// Lists that may be repaired, and the first that is free.
    stale: Vec<StaleList>,
    free_stale: u32,
    /// Lists that count, or may be repaired.
    n_lists: usize,
    /// Lists in the register that every edit walks.
    n_wide: usize,
}

impl Cache {
    /// Forgets everything; gives the memory back if it is more than `cap` bytes.
    pub(super) fn clear(&mut self, cap: usize) {
        if self.heap_bytes() > cap {
            *self = Self::default();
        }
        self.locations.clear();
        self.stands.clear();
        self.lists.clear();
        self.words.clear();
        self.place_table.fill(FREE);
        self.sheet_table.fill(NONE);
        self.registers.clear();
        self.register_table.fill(NONE);
        self.chunks.clear();
        self.stale.clear();
        (self.free_chunks, self.free_stale) = (NONE, NONE);
        (self.n_lists, self.n_wide) = (0, 0);
    }

    /// True if another list might not stay below `cap` bytes. Room that is there already, after
    /// everything went, is room.
    pub(super) fn is_full(&self, cap: usize) -> bool {
        let (n_slots, n_registers) = (self.place_table.len(), self.register_table.len());
        let mut doubled = 0;
        if is_crowded(self.locations.len() + SPARE, n_slots) {
            doubled += n_slots * size_of::<(u32, u32)>();
            doubled += self.sheet_table.len() * size_of::<u32>();
        }
        if is_crowded(self.registers.len() + SPARE, n_registers) {
            doubled += n_registers * size_of::<u32>();
        }
        let growth = growth(&self.locations)
            + growth(&self.stands)
            + growth(&self.lists)
            + growth(&self.words)
            + growth(&self.chunks)
            + growth(&self.registers)
            + growth(&self.stale)
            + doubled;
        self.heap_bytes() + growth > cap || self.words.len() + SPARE > SuccessorRef::MAX_WORDS
    }

    /// The number of a place, if it is known.
    pub(super) fn find(&self, node: NodeId, x: i32, y: i32) -> Option<u32> {
        let mask = self.place_table.len().checked_sub(1)?;
        let mut at = slot_of_node(node, mask);
        loop {
            let (known, number) = self.place_table[at];
            if number == NONE {
                return None;
            }
            // A number may have been another cell's before an edit.
            if known == node.index() && self.locations[number as usize].at() == (x, y) {
                return Some(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// The number of the place that was seen, if it is known.
    #[inline]
    pub(super) fn see(&mut self, sight: &JumpEdge) -> Option<u32> {
        let number = self.find(sight.node, sight.x, sight.y)?;
        self.stands[number as usize].come_to(sight);
        Some(number)
    }

    /// Enters a place that is not known.
    pub(super) fn enter(&mut self, sight: &JumpEdge) -> u32 {
        if is_crowded(self.locations.len() + 1, self.place_table.len()) {
            self.fill_place_table((self.place_table.len() * 2).max(64));
        }
        let number = self.locations.len() as u32;
        push(&mut self.locations, CachedJumpPoint::new(sight));
        push(&mut self.stands, JumpPointSite::new(sight));
        self.enter_place(number);
        number
    }

    #[cold]
    fn fill_place_table(&mut self, size: usize) {
        self.place_table.clear();
        self.place_table.reserve_exact(size);
        self.place_table.resize(size, FREE);
        let size = size / SLOTS_PER_SHEET;
        self.sheet_table.clear();
        self.sheet_table.reserve_exact(size);
        self.sheet_table.resize(size, NONE);
        for number in 0..self.locations.len() as u32 {
            self.enter_place(number);
        }
    }

    /// Enters a place in the tables.
    #[inline]
    fn enter_place(&mut self, number: u32) {
        let stand = &mut self.stands[number as usize];
        let mask = self.place_table.len() - 1;
        let mut at = slot_of_node(stand.node, mask);
        while self.place_table[at] != FREE {
            at = (at + 1) & mask;
        }
        self.place_table[at] = (stand.node.index(), number);
        let sheet = slot_of_sheet(stand.node.index() >> 8, self.sheet_table.len() - 1);
        stand.next = std::mem::replace(&mut self.sheet_table[sheet], number);
    }

    /// Forgets which areas the places of a sheet lie in.
    pub(super) fn forget_areas_in(&mut self, sheet: u32) {
        let Some(mask) = self.sheet_table.len().checked_sub(1) else {
            return;
        };
        let mut at = self.sheet_table[slot_of_sheet(sheet, mask)] as usize;
        while let Some(location) = self.locations.get_mut(at) {
            location.tree = 0;
            at = self.stands[at].next as usize;
        }
    }

    /// Keeps what was seen from `owner` (place times eight plus way of arrival), if it can be
    /// kept; `edges` are the sights of the draft, entered.
    pub(super) fn keep(&mut self, owner: u32, draft: &SuccessorScan, edges: &[u32]) {
        let farthest = draft.reach.into_iter().chain(draft.diagonals).max();
        if farthest.is_none_or(|farthest| farthest > u32::from(u16::MAX))
            || edges.len() > SuccessorRef::MAX_EDGES
            || self.words.len() > SuccessorRef::MAX_WORDS
        {
            return;
        }
        let location = self.locations[(owner >> 3) as usize];
        let diagonals = draft.diagonals.map(|n_cells| n_cells as u16);
        let list = SuccessorList {
            place: owner >> 3,
            x: location.x,
            y: location.y,
            diagonals,
            reach: draft.reach.map(|n_cells| n_cells as u16),
            room: edges.len() as u16,
            arrival: list_of(owner),
        };
        let [north, east, south, west] = draft.reach.map(|n_cells| n_cells.cast_signed() + 1);
        let (low_x, high_x) = (
            location.x.saturating_sub(west),
            location.x.saturating_add(east),
        );
        let (low_y, high_y) = (
            location.y.saturating_sub(north),
            location.y.saturating_add(south),
        );
        let blocks = Rect::around(
            Column::new(low_x >> BLOCK, low_y >> BLOCK),
            Column::new(high_x >> BLOCK, high_y >> BLOCK),
        );
        let number = self.lists.len() as u32;
        let n_blocks = (i64::from(blocks.high.x - blocks.low.x) + 1)
            * (i64::from(blocks.high.y - blocks.low.y) + 1);
        if n_blocks > MAX_BLOCKS {
            if self.n_wide == MAX_WIDE {
                return;
            }
            self.n_wide += 1;
            self.register_list(EVERY_BLOCK, number);
        } else {
            let diagonal = draft.diagonals.into_iter().max().unwrap_or(0).cast_signed();
            // Cells of a block lie at least so far away, along x or y.
            let far = |block: i32, at: i32| {
                let first = block << BLOCK;
                (first - at).max(at - first - ((1 << BLOCK) - 1)).max(0)
            };
            for y in blocks.low.y..=blocks.high.y {
                for x in blocks.low.x..=blocks.high.x {
                    if far(x, location.x).min(far(y, location.y)) <= diagonal + 1 {
                        self.register_list((x, y), number);
                    }
                }
            }
        }
        let packed = SuccessorRef((self.words.len() << SuccessorRef::SHIFT | edges.len()) as u32);
        for word in words_of(draft, edges) {
            push(&mut self.words, word);
        }
        push(&mut self.lists, list);
        self.n_lists += 1;
        self.locations[(owner >> 3) as usize].lists[usize::from(list.arrival)] = packed;
    }

    fn register_list(&mut self, block: (i32, i32), list: u32) {
        let number = self.register(block);
        let register = &mut self.registers[number];
        if register.first == NONE || register.n_in_first as usize == CHUNK {
            let chunk = Chunk {
                lists: [NONE; CHUNK],
                next: register.first,
            };
            let at = self.free_chunks;
            register.n_in_first = 0;
            register.first = if let Some(free) = self.chunks.get_mut(at as usize) {
                self.free_chunks = free.next;
                *free = chunk;
                at
            } else {
                push(&mut self.chunks, chunk);
                self.chunks.len() as u32 - 1
            };
        }
        self.chunks[register.first as usize].lists[register.n_in_first as usize] = list;
        register.n_in_first += 1;
    }

    /// The register of a block, made if need be.
    fn register(&mut self, block: (i32, i32)) -> usize {
        if let Some(found) = self.find_register(block) {
            return found;
        }
        if is_crowded(self.registers.len() + 1, self.register_table.len()) {
            let size = (self.register_table.len() * 2).max(64);
            self.register_table.clear();
            self.register_table.reserve_exact(size);
            self.register_table.resize(size, NONE);
            for number in 0..self.registers.len() {
                self.enter_register(number);
            }
        }
        push(
            &mut self.registers,
            BlockIndex {
                block,
                first: NONE,
                n_in_first: 0,
            },
        );
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

    /// Forgets the lists that may have looked at a cell of a rectangle within one sector, or keeps
    /// them to be repaired, if they can be.
    pub(super) fn forget(&mut self, rect: Rect, can_repair: bool) {
        let change = Change { rect, can_repair };
        self.forget_in((rect.low.x >> BLOCK, rect.low.y >> BLOCK), Some(change));
        if self.n_wide > 0 {
            self.forget_in(EVERY_BLOCK, Some(change));
        }
    }

    /// Forgets the lists that may have looked at any cell of a rectangle, and some more.
    pub(super) fn forget_all_in(&mut self, rect: Rect) {
        for y in rect.low.y >> BLOCK..=rect.high.y >> BLOCK {
            for x in rect.low.x >> BLOCK..=rect.high.x >> BLOCK {
                self.forget_in((x, y), None);
            }
        }
        self.forget_in(EVERY_BLOCK, None);
    }

    /// Forgets those lists of a block's register that a change spoils, or all; and takes out those
    /// that went before.
    fn forget_in(&mut self, block: (i32, i32), change: Option<Change>) {
        let Some(register) = self.find_register(block) else {
            return;
        };
        let mut at = self.registers[register].first;
        let mut n_lists = self.registers[register].n_in_first as usize;
        while at != NONE {
            let next = self.chunks[at as usize].next;
            // From behind, so that what is put in the place of another was looked at before.
            for index in (0..n_lists).rev() {
                let number = self.chunks[at as usize].lists[index];
                let list = &self.lists[number as usize];
                if list.place != NONE {
                    if let Some(Change {
                        rect,
                        can_repair: can_mend,
                    }) = change
                        && (!list.may_see(rect) || can_mend && self.spoil(number, rect))
                    {
                        continue;
                    }
                    self.forget_list(number);
                }
                // Taken out here; in other registers when they are walked.
                self.take_out(register, at, index);
                self.n_wide -= usize::from(block == EVERY_BLOCK);
            }
            (at, n_lists) = (next, CHUNK);
        }
    }

    /// Puts the last list of a register's first chunk in the place of another.
    fn take_out(&mut self, register: usize, chunk: u32, index: usize) {
        let register = &mut self.registers[register];
        let first = register.first;
        register.n_in_first -= 1;
        let last = self.chunks[first as usize].lists[register.n_in_first as usize];
        self.chunks[chunk as usize].lists[index] = last;
        if register.n_in_first == 0 {
            let emptied = &mut self.chunks[first as usize];
            register.first = emptied.next;
            register.n_in_first = if emptied.next == NONE {
                0
            } else {
                CHUNK as u32
            };
            emptied.next = self.free_chunks;
            self.free_chunks = first;
        }
    }

    pub(super) fn forget_list(&mut self, number: u32) {
        let list = &mut self.lists[number as usize];
        let location = &mut self.locations[list.place as usize];
        let packed = &mut location.lists[usize::from(list.arrival)];
        let stale = packed.stale();
        *packed = SuccessorRef::NOTHING;
        list.place = NONE;
        self.n_lists -= 1;
        if let Some(stale) = stale {
            self.free(stale);
        }
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.locations.capacity() * size_of::<CachedJumpPoint>()
            + self.lists.capacity() * size_of::<SuccessorList>()
            + self.stands.capacity() * size_of::<JumpPointSite>()
            + self.words.capacity() * size_of::<u32>()
            + self.chunks.capacity() * size_of::<Chunk>()
            + self.registers.capacity() * size_of::<BlockIndex>()
            + self.stale.capacity() * size_of::<StaleList>()
            + self.place_table.capacity() * size_of::<(u32, u32)>()
            + self.sheet_table.capacity() * size_of::<u32>()
            + self.register_table.capacity() * size_of::<u32>()
    }

    /// Lists that count, or may be repaired.
    pub(super) fn n_lists(&self) -> usize {
        self.n_lists
    }
}

/// Cells that changed, and whether lists can be repaired.
#[derive(Clone, Copy)]
struct Change {
    rect: Rect,
    can_repair: bool,
}

/// A list as it is kept: how far the diagonals lead, and the sights of the draft, entered as
/// `edges`.
fn words_of(draft: &SuccessorScan, edges: &[u32]) -> impl Iterator<Item = u32> {
    let edges = edges.iter().zip(&draft.sights);
    diagonals_of(draft)
        .into_iter()
        .chain(edges.flat_map(|(edge, sight)| [*edge, sight.cost as u32]))
}

/// How far the diagonals lead, as the first words of a list.
fn diagonals_of(draft: &SuccessorScan) -> [u32; 2] {
    let [one, two, three, four] = draft.diagonals;
    [one | two << 16, three | four << 16]
}

/// By which way of arrival the list of a slot is found: where everything around is worth a look,
/// it does not matter how one came.
#[inline]
const fn list_of(slot: u32) -> u8 {
    let arrival = slot as u8 & 7;
    if arrival > 4 { 4 } else { arrival }
}

/// True if a table should have more slots: a third must be free.
const fn is_crowded(n: usize, slots: usize) -> bool {
    n * 3 > slots * 2
}

/// Slots of the table of places for one of the table of sheets.
const SLOTS_PER_SHEET: usize = 16;

/// Entries that another list may take of a vector; rarely more.
const SPARE: usize = 64;

/// Bytes by which a vector may grow for another list.
fn growth<T>(list: &Vec<T>) -> usize {
    if list.capacity() - list.len() >= SPARE {
        return 0;
    }
    (list.capacity() / 8).max(SPARE) * size_of::<T>()
}

/// Adds to a vector that grows by an eighth: a cap must not be passed by doubling.
#[inline]
fn push<T>(list: &mut Vec<T>, value: T) {
    if list.len() == list.capacity() {
        list.reserve_exact((list.len() / 8).max(16));
    }
    list.push(value);
}

#[inline]
pub(super) fn slot_of_node(node: NodeId, mask: usize) -> usize {
    (node.index().wrapping_mul(0x9E37_79B9) >> 7) as usize & mask
}

#[inline]
fn slot_of_sheet(sheet: u32, mask: usize) -> usize {
    (sheet.wrapping_mul(0x9E37_79B9) >> 7) as usize & mask
}

#[inline]
fn slot_of_block((x, y): (i32, i32), mask: usize) -> usize {
    let word = u64::from(x.cast_unsigned()) << 32 | u64::from(y.cast_unsigned());
    (word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize & mask
}
