//! Lazily built jump point graph \[Harabor2019, relative\]: per jump point and arrival direction,
//! the successor list with costs.
//!
//! A list holds what a [`SuccessorScan`] generates, in the same order. It is valid until a cell
//! that its scans may have read changes; the [`BlockIndex`] finds the lists that read a block. A
//! small change marks a list stale, and the next expansion repairs it: see [`StaleList`].
//!
//! A *slot* names a jump point together with an arrival, as id * 8 + arrival: the unit that edges
//! lead to and that has a list. Jump points and words of removed lists are reclaimed only by
//! [`JumpPointGraph::clear`]; the cache limit bounds them. Vectors grow by an eighth.

#![expect(
    clippy::cast_possible_truncation,
    reason = "the cache limit keeps every vector far below 2^28 entries"
)]

mod block_index;
mod stale;

pub(super) use stale::StaleList;

use wayfarer_base::Rect;
use wayfarer_world::ground::NodeId;

use self::block_index::{BlockIndex, CHUNK, WIDE, block_of};
use super::successor_scan::{ARRIVAL_TURN, JumpEdge, SuccessorScan};

/// No jump point, no list, no chunk.
pub(super) const NONE: u32 = u32::MAX;

/// A jump point, with its state in the current search: all that the relaxation of an edge reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct CachedJumpPoint {
    pub(super) x: i32,
    pub(super) y: i32,
    /// The last search that generated it; `g` and `node` belong to that search.
    pub(super) search: u32,
    /// Lowest cost so far; 0 also where no optimal path leads.
    pub(super) g: u32,
    /// Its search node.
    pub(super) node: u32,
    /// Its component in the bridge tree, valid for this version of the tree.
    pub(super) component: u32,
    pub(super) tree_version: u32,
    /// Its lists by arrival.
    lists: [SuccessorRef; N_LISTS],
}

/// The cell of a jump point, and the directions to scan from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct JumpPointSite {
    pub(super) node: NodeId,
    /// Directions to scan, by the straight direction of arrival.
    pub(super) directions: [u8; 4],
    /// Directions to scan from a turn point.
    pub(super) turn_directions: u8,
    /// The next jump point in the same bucket of the sheet table.
    next: u32,
}

/// Lists per jump point: four straight arrivals, any other, and turn points.
const N_LISTS: usize = 6;

impl CachedJumpPoint {
    /// The end of an edge, without lists.
    pub(super) fn new(edge: &JumpEdge) -> Self {
        Self {
            x: edge.x,
            y: edge.y,
            search: 0,
            g: 0,
            node: NONE,
            component: NONE,
            tree_version: 0,
            lists: [SuccessorRef::MISSING; N_LISTS],
        }
    }

    /// Its column.
    #[inline]
    pub(super) const fn at(&self) -> (i32, i32) {
        (self.x, self.y)
    }

    /// The list of a slot of this jump point.
    #[inline]
    pub(super) fn list(&self, slot: u32) -> SuccessorRef {
        self.lists[usize::from(list_index(slot))]
    }
}

impl JumpPointSite {
    pub(super) fn new(edge: &JumpEdge) -> Self {
        let mut site = Self {
            node: edge.node,
            directions: [0; 4],
            turn_directions: 0,
            next: NONE,
        };
        site.set_directions(edge);
        site
    }

    /// Stores the directions to scan after the arrival by an edge.
    #[inline]
    pub(super) fn set_directions(&mut self, edge: &JumpEdge) {
        let arrival = usize::from(edge.arrival);
        if let Some(directions) = self.directions.get_mut(arrival) {
            *directions = edge.directions;
        } else if edge.arrival == ARRIVAL_TURN {
            self.turn_directions = edge.directions;
        }
    }
}

/// A packed reference to a list: the offset of its words and its number of edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SuccessorRef(u32);

impl SuccessorRef {
    /// No list.
    pub(super) const MISSING: Self = Self(NONE);
    const SHIFT: u32 = 9;
    /// This number of edges marks a stale list; the offset is its [`StaleList`].
    const STALE: u32 = (1 << Self::SHIFT) - 1;
    /// Longer lists are not cached.
    const MAX_EDGES: usize = (1 << Self::SHIFT) - 2;
    /// Largest offset.
    const MAX_WORDS: usize = (1 << (32 - Self::SHIFT)) - 1;

    /// True if there is a list and it is not stale.
    #[inline]
    pub(super) const fn is_valid(self) -> bool {
        self.0 & Self::STALE != Self::STALE
    }

    /// The index of a stale list.
    const fn stale(self) -> Option<u32> {
        if self.is_valid() || self.0 == NONE {
            return None;
        }
        Some(self.0 >> Self::SHIFT)
    }

    /// Two words with the lengths of the diagonals, then two per edge.
    const fn words(self) -> std::ops::Range<usize> {
        let pairs = self.pairs();
        2 * pairs.start..2 * pairs.end
    }

    /// The same in pairs of words.
    #[inline]
    pub(super) const fn pairs(self) -> std::ops::Range<usize> {
        let first = (self.0 >> (Self::SHIFT + 1)) as usize;
        first..first + 1 + (self.0 as usize & ((1 << Self::SHIFT) - 1))
    }
}

/// The scans that produced a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct SuccessorList {
    /// The jump point, or `NONE` once the list is removed; and its column.
    jump_point: u32,
    pub(super) x: i32,
    pub(super) y: i32,
    /// Lengths of the diagonals; see [`SuccessorScan::diagonals`].
    pub(super) diagonals: [u16; 4],
    /// How far the scans read; see [`SuccessorScan::extents`].
    pub(super) extents: [u16; 4],
    /// Edges that fit into its words.
    capacity: u16,
    /// The arrival, 0 to 5.
    arrival: u8,
}

impl SuccessorList {
    /// True if the scans may have read a cell of a rectangle: it lies within the extents, and no
    /// further from the row or the column than a diagonal led.
    #[inline]
    fn may_have_read(&self, rect: Rect) -> bool {
        let [north, east, south, west] = self.extents.map(i32::from);
        let low_x = rect.low.x.saturating_sub(self.x);
        let low_y = rect.low.y.saturating_sub(self.y);
        let high_x = rect.high.x.saturating_sub(self.x);
        let high_y = rect.high.y.saturating_sub(self.y);
        if high_x < -west - 1 || low_x > east + 1 || high_y < -north - 1 || low_y > south + 1 {
            return false;
        }
        // In its row or column, or next to them.
        if (low_x <= 1 && high_x >= -1) || (low_y <= 1 && high_y >= -1) {
            return true;
        }
        let quadrant = match (low_x > 0, low_y > 0) {
            (true, false) => 0,
            (true, true) => 1,
            (false, true) => 2,
            (false, false) => 3,
        };
        let distance = |low: i32, high: i32| if low > 0 { low } else { -high };
        distance(low_x, high_x).min(distance(low_y, high_y))
            <= i32::from(self.diagonals[quadrant]) + 1
    }
}

/// An empty entry of the jump point table.
const FREE: (u32, u32) = (NONE, NONE);

/// Jump points, their lists, and the index of lists by block.
#[derive(Clone, Debug, Default)]
pub(super) struct JumpPointGraph {
    pub(super) jump_points: Vec<CachedJumpPoint>,
    /// By jump point.
    pub(super) sites: Vec<JumpPointSite>,
    lists: Vec<SuccessorList>,
    /// The words of all lists: lengths of the diagonals, two per word; then slot and cost of each
    /// edge.
    pub(super) words: Vec<u32>,
    /// Jump points by node id, open addressing: node id and jump point, or `FREE`.
    table: Vec<(u32, u32)>,
    /// Jump points by sheet: the first of each bucket.
    sheet_table: Vec<u32>,
    blocks: BlockIndex,
    /// Lists to repair, and the head of the free list among them.
    stale: Vec<StaleList>,
    free_stale: u32,
    /// Valid and stale lists.
    n_lists: usize,
}

impl JumpPointGraph {
    /// Removes everything; releases the memory if it is more than `limit_bytes`.
    pub(super) fn clear(&mut self, limit_bytes: usize) {
        if self.heap_bytes() > limit_bytes {
            *self = Self::default();
        }
        self.jump_points.clear();
        self.sites.clear();
        self.lists.clear();
        self.words.clear();
        self.table.fill(FREE);
        self.sheet_table.fill(NONE);
        self.blocks.clear();
        self.stale.clear();
        (self.free_stale, self.n_lists) = (NONE, 0);
    }

    /// True if another list might exceed `limit_bytes`. Capacity that is left from before a clear
    /// counts as room.
    pub(super) fn is_full(&self, limit_bytes: usize) -> bool {
        let n_slots = self.table.len();
        let mut doubled = 0;
        if is_crowded(self.jump_points.len() + SPARE, n_slots) {
            doubled += n_slots * size_of::<(u32, u32)>();
            doubled += self.sheet_table.len() * size_of::<u32>();
        }
        let growth = growth_of(&self.jump_points)
            + growth_of(&self.sites)
            + growth_of(&self.lists)
            + growth_of(&self.words)
            + growth_of(&self.stale)
            + self.blocks.growth()
            + doubled;
        self.heap_bytes() + growth > limit_bytes
            || self.words.len() + SPARE > SuccessorRef::MAX_WORDS
    }

    /// The jump point of a cell, if it is cached.
    pub(super) fn find(&self, node: NodeId, x: i32, y: i32) -> Option<u32> {
        let mask = self.table.len().checked_sub(1)?;
        let mut at = hash_node(node, mask);
        loop {
            let (known, jump_point) = self.table[at];
            if jump_point == NONE {
                return None;
            }
            // The node id may have been another cell's before an edit.
            if known == node.index() && self.jump_points[jump_point as usize].at() == (x, y) {
                return Some(jump_point);
            }
            at = (at + 1) & mask;
        }
    }

    /// The jump point at the end of an edge, if it is cached; stores its directions.
    #[inline]
    pub(super) fn find_end(&mut self, edge: &JumpEdge) -> Option<u32> {
        let jump_point = self.find(edge.node, edge.x, edge.y)?;
        self.sites[jump_point as usize].set_directions(edge);
        Some(jump_point)
    }

    /// Inserts the end of an edge, which is not cached.
    pub(super) fn insert(&mut self, edge: &JumpEdge) -> u32 {
        if is_crowded(self.jump_points.len() + 1, self.table.len()) {
            self.rehash((self.table.len() * 2).max(64));
        }
        let jump_point = self.jump_points.len() as u32;
        push(&mut self.jump_points, CachedJumpPoint::new(edge));
        push(&mut self.sites, JumpPointSite::new(edge));
        self.insert_into_tables(jump_point);
        jump_point
    }

    #[cold]
    fn rehash(&mut self, size: usize) {
        self.table.clear();
        self.table.reserve_exact(size);
        self.table.resize(size, FREE);
        let size = size / SLOTS_PER_SHEET;
        self.sheet_table.clear();
        self.sheet_table.reserve_exact(size);
        self.sheet_table.resize(size, NONE);
        for jump_point in 0..self.jump_points.len() as u32 {
            self.insert_into_tables(jump_point);
        }
    }

    #[inline]
    fn insert_into_tables(&mut self, jump_point: u32) {
        let site = &mut self.sites[jump_point as usize];
        let mask = self.table.len() - 1;
        let mut at = hash_node(site.node, mask);
        while self.table[at] != FREE {
            at = (at + 1) & mask;
        }
        self.table[at] = (site.node.index(), jump_point);
        let sheet = hash_sheet(site.node.index() >> 8, self.sheet_table.len() - 1);
        site.next = std::mem::replace(&mut self.sheet_table[sheet], jump_point);
    }

    /// Invalidates the bridge components of the jump points of a sheet.
    pub(super) fn invalidate_components_in(&mut self, sheet: u32) {
        let Some(mask) = self.sheet_table.len().checked_sub(1) else {
            return;
        };
        let mut at = self.sheet_table[hash_sheet(sheet, mask)] as usize;
        while let Some(jump_point) = self.jump_points.get_mut(at) {
            jump_point.tree_version = 0;
            at = self.sites[at].next as usize;
        }
    }

    /// Inserts the list of a slot, unless it exceeds a limit of the format; `edge_slots` are the
    /// ends of the edges of the scan.
    pub(super) fn insert_list(&mut self, slot: u32, scan: &SuccessorScan, edge_slots: &[u32]) {
        let farthest = scan.extents.into_iter().chain(scan.diagonals).max();
        if farthest.is_none_or(|farthest| farthest > u32::from(u16::MAX))
            || edge_slots.len() > SuccessorRef::MAX_EDGES
            || self.words.len() > SuccessorRef::MAX_WORDS
        {
            return;
        }
        let jump_point = self.jump_points[(slot >> 3) as usize];
        let list = SuccessorList {
            jump_point: slot >> 3,
            x: jump_point.x,
            y: jump_point.y,
            diagonals: scan.diagonals.map(|n_cells| n_cells as u16),
            extents: scan.extents.map(|n_cells| n_cells as u16),
            capacity: edge_slots.len() as u16,
            arrival: list_index(slot),
        };
        let id = self.lists.len() as u32;
        let is_indexed = (self.blocks).insert(id, jump_point.at(), scan.extents, scan.diagonals);
        if !is_indexed {
            return;
        }
        let packed =
            SuccessorRef((self.words.len() << SuccessorRef::SHIFT | edge_slots.len()) as u32);
        for word in words_of(scan, edge_slots) {
            push(&mut self.words, word);
        }
        push(&mut self.lists, list);
        self.n_lists += 1;
        self.jump_points[(slot >> 3) as usize].lists[usize::from(list.arrival)] = packed;
    }

    /// Invalidates the lists whose scans may have read a cell of a rectangle within one sector:
    /// marks them stale if `can_repair` and their scans allow it, else removes them.
    pub(super) fn invalidate(&mut self, rect: Rect, can_repair: bool) {
        let change = Change { rect, can_repair };
        self.invalidate_in(block_of(rect.low), Some(change));
        if self.blocks.has_wide() {
            self.invalidate_in(WIDE, Some(change));
        }
    }

    /// Removes all lists of the blocks of a rectangle: those whose scans may have read any of its
    /// cells, and some more.
    pub(super) fn remove_all_in(&mut self, rect: Rect) {
        let (low, high) = (block_of(rect.low), block_of(rect.high));
        for y in low.1..=high.1 {
            for x in low.0..=high.0 {
                self.invalidate_in((x, y), None);
            }
        }
        self.invalidate_in(WIDE, None);
    }

    /// Invalidates the lists of a block that a change affects, or removes all; and drops entries of
    /// lists that were removed before.
    fn invalidate_in(&mut self, block: (i32, i32), change: Option<Change>) {
        let Some(block) = self.blocks.find(block) else {
            return;
        };
        let (mut chunk, mut n_entries) = self.blocks.first_chunk(block);
        while chunk != NONE {
            let next = self.blocks.next_chunk(chunk);
            // Backwards, so that the entry swapped into a freed one was visited before.
            for entry in (0..n_entries).rev() {
                let id = self.blocks.list(chunk, entry);
                let list = &self.lists[id as usize];
                if list.jump_point != NONE {
                    if let Some(Change { rect, can_repair }) = change
                        && (!list.may_have_read(rect) || can_repair && self.mark_stale(id, rect))
                    {
                        continue;
                    }
                    self.remove_list(id);
                }
                // From this block only; from others when they are visited.
                self.blocks.remove(block, chunk, entry);
            }
            (chunk, n_entries) = (next, CHUNK);
        }
    }

    /// Removes a list; its entries in the block index and its words stay.
    pub(super) fn remove_list(&mut self, id: u32) {
        let list = &mut self.lists[id as usize];
        let jump_point = &mut self.jump_points[list.jump_point as usize];
        let packed = &mut jump_point.lists[usize::from(list.arrival)];
        let stale = packed.stale();
        *packed = SuccessorRef::MISSING;
        list.jump_point = NONE;
        self.n_lists -= 1;
        if let Some(stale) = stale {
            self.release_stale(stale);
        }
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.jump_points.capacity() * size_of::<CachedJumpPoint>()
            + self.lists.capacity() * size_of::<SuccessorList>()
            + self.sites.capacity() * size_of::<JumpPointSite>()
            + self.words.capacity() * size_of::<u32>()
            + self.stale.capacity() * size_of::<StaleList>()
            + self.table.capacity() * size_of::<(u32, u32)>()
            + self.sheet_table.capacity() * size_of::<u32>()
            + self.blocks.heap_bytes()
    }

    /// Valid and stale lists.
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

/// The words of a list: lengths of the diagonals, then slot and cost of each edge.
fn words_of(scan: &SuccessorScan, edge_slots: &[u32]) -> impl Iterator<Item = u32> {
    let edges = edge_slots.iter().zip(&scan.edges);
    diagonal_words(scan)
        .into_iter()
        .chain(edges.flat_map(|(slot, edge)| [*slot, edge.cost as u32]))
}

/// The lengths of the diagonals as the first words of a list.
fn diagonal_words(scan: &SuccessorScan) -> [u32; 2] {
    let [one, two, three, four] = scan.diagonals;
    [one | two << 16, three | four << 16]
}

/// The list of a slot among those of its jump point: arrivals after which nothing is pruned share
/// one.
#[inline]
const fn list_index(slot: u32) -> u8 {
    let arrival = slot as u8 & 7;
    if arrival > ARRIVAL_TURN { 4 } else { arrival }
}

/// True if a table needs more slots: a third stays free.
const fn is_crowded(n: usize, n_slots: usize) -> bool {
    n * 3 > n_slots * 2
}

/// Slots of the jump point table per bucket of the sheet table.
const SLOTS_PER_SHEET: usize = 16;

/// Entries that another list adds to a vector; rarely more.
const SPARE: usize = 64;

/// Bytes by which a vector may grow for another list.
fn growth_of<T>(list: &Vec<T>) -> usize {
    if list.capacity() - list.len() >= SPARE {
        return 0;
    }
    (list.capacity() / 8).max(SPARE) * size_of::<T>()
}

/// Pushes to a vector that grows by an eighth: doubling would exceed the cache limit.
#[inline]
fn push<T>(list: &mut Vec<T>, value: T) {
    if list.len() == list.capacity() {
        list.reserve_exact((list.len() / 8).max(16));
    }
    list.push(value);
}

#[inline]
pub(super) fn hash_node(node: NodeId, mask: usize) -> usize {
    (node.index().wrapping_mul(0x9E37_79B9) >> 7) as usize & mask
}

#[inline]
fn hash_sheet(sheet: u32, mask: usize) -> usize {
    (sheet.wrapping_mul(0x9E37_79B9) >> 7) as usize & mask
}
