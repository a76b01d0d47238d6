//! The blocks of one graph at both levels: lookup, building on demand, staleness, limit.
//!
//! Cells, frames and tables are built when a search first needs them and follow from the graph
//! alone. A change marks the blocks around it; what they derive is rebuilt at the next use. Beyond
//! the limit tables are packed, then blocks evicted: first those that none of the last searches
//! used, then all but those of the current search. After a search the limit holds.

use std::collections::VecDeque;
use std::sync::Arc;

use wayfarer_base::collections::FastMap;
use wayfarer_base::{Column, Rect};

use super::super::nav_graph::NavGraph;
use super::ahead::{ELIMINATION_WORK, FRAME_WORK, JOIN_WORK, READ_WORK};
use super::cells::Cells;
use super::elimination::{Elimination, Part};
use super::frame::{Candidate, Frame, number_in_parent};
use super::legs::LegCache;
use super::min_plus::{INFINITE, padded};
use super::pool::{ContentKey, SharedTables};
use super::table::Table;

mod stale;

/// No block.
pub(super) const NO_BLOCK: u32 = u32::MAX;
/// Blocks with more frame cells are left to A\*.
const MAX_FRAME_CELLS: usize = 640;

/// Blocks used by one of this many searches are packed or evicted last.
const N_RECENT: u32 = 64;

/// The part of the limit that must be free after packing, for tables to be built ahead: 1 of this.
const MIN_ROOM: usize = 16;

/// Least limit with which legs are cached, too.
const MIN_LIMIT_WITH_LEGS: usize = 16 << 20;

/// The two sizes of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LevelId {
    /// 16 columns.
    Fine,
    /// 32 columns.
    Coarse,
}

impl LevelId {
    /// Binary logarithm of the size.
    pub(super) const fn shift(self) -> u32 {
        match self {
            Self::Fine => 4,
            Self::Coarse => 5,
        }
    }

    /// Columns along a block, without the frame line that it shares with the next one.
    pub(super) const fn size(self) -> usize {
        1 << self.shift()
    }

    /// The block of a column, as coordinates; columns on lines belong to the block south-east.
    pub(super) const fn block_at(self, column: Column) -> (i32, i32) {
        (column.x >> self.shift(), column.y >> self.shift())
    }
}

/// The tables do not suit the ground here: too many floors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unsuitable;

/// A block with everything derived for it, and its part of a search.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) at: (i32, i32),
    /// The blocks around it, clockwise from north; `NO_BLOCK` until asked for.
    neighbors: [u32; 8],
    /// For a block of 32: north-west, north-east, south-west, south-east.
    pub(super) children: [u32; 4],
    /// Changes with every rebuilt frame.
    pub(super) version: u32,
    has_frame: bool,
    has_table: bool,
    /// True if it is in the list of stale tables.
    is_listed: bool,
    is_suitable: bool,
    /// For a block of 16.
    pub(super) cells: Cells,
    pub(super) frame: Frame,
    is_symmetric: bool,
    /// What its table follows from.
    content: ContentKey,
    pub(super) table: Arc<Table>,
    /// The search that used the block last.
    last_used: u32,
    /// Bytes on the heap when they were last counted.
    bytes: usize,
    /// The search that the rest belongs to.
    pub(super) stamp: u32,
    /// Key in the open list.
    pub(super) key: u32,
    /// Cost of each frame cell so far, padded.
    pub(super) costs: Vec<i32>,
    /// Frame cells that other blocks improved.
    pub(super) marks: Vec<u64>,
}

impl Block {
    /// Rows that a sweep of the block relaxes, at most.
    pub(super) fn n_marked(&self) -> u64 {
        let words = self.marks.iter();
        words.map(|marks| u64::from(marks.count_ones())).sum()
    }

    fn new(at: (i32, i32)) -> Self {
        Self {
            at,
            neighbors: [NO_BLOCK; 8],
            children: [NO_BLOCK; 4],
            version: 0,
            has_frame: false,
            has_table: false,
            is_listed: false,
            is_suitable: true,
            cells: Cells::default(),
            frame: Frame::default(),
            is_symmetric: true,
            content: ContentKey::default(),
            table: Arc::default(),
            last_used: 0,
            bytes: 0,
            stamp: 0,
            key: u32::MAX,
            costs: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// The columns of the block with its frame.
    pub(super) fn rect(&self, level: LevelId) -> Rect {
        let low = Column::new(self.at.0 << level.shift(), self.at.1 << level.shift());
        let size = 1 << level.shift();
        let high = Column::new(low.x.saturating_add(size), low.y.saturating_add(size));
        Rect::around(low, high)
    }

    /// Begins its part of search `stamp`, unless that has begun.
    #[inline]
    pub(super) fn touch(&mut self, stamp: u32) {
        self.last_used = stamp;
        if self.stamp != stamp {
            self.stamp = stamp;
            self.key = u32::MAX;
            self.costs.clear();
            self.costs.resize(padded(self.frame.len()), INFINITE);
            self.marks.clear();
            self.marks.resize(self.frame.len().div_ceil(64), 0);
        }
    }

    /// Forgets what is derived; the memory remains.
    fn invalidate(&mut self) {
        (self.has_frame, self.has_table, self.stamp) = (false, false, 0);
    }

    /// Forgets what is derived, and its memory.
    fn free(&mut self) {
        self.invalidate();
        self.table = Arc::default();
        (self.cells, self.frame) = (Cells::default(), Frame::default());
        (self.costs, self.marks) = (Vec::new(), Vec::new());
        self.bytes = self.heap_bytes();
    }

    /// Packs its table; false if it has that form already, or nothing.
    fn pack(&mut self) -> bool {
        let Some(packed) = self.table.packed() else {
            return false;
        };
        self.table = Arc::new(packed);
        self.bytes = self.heap_bytes();
        true
    }

    fn heap_bytes(&self) -> usize {
        self.table.heap_bytes()
            + self.cells.heap_bytes()
            + self.frame.heap_bytes()
            + self.costs.capacity() * 4
            + self.marks.capacity() * 8
    }
}

/// The blocks of one size.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    pub(super) blocks: Vec<Block>,
    by_place: FastMap<(i32, i32), u32>,
}

impl Level {
    pub(super) fn block(&self, block: u32) -> &Block {
        &self.blocks[block as usize]
    }

    pub(super) fn block_mut(&mut self, block: u32) -> &mut Block {
        &mut self.blocks[block as usize]
    }

    #[cfg(test)]
    pub(super) fn n_tables(&self) -> usize {
        self.blocks.iter().filter(|block| block.has_table).count()
    }

    /// The block at coordinates, created if missing.
    fn at(&mut self, at: (i32, i32)) -> u32 {
        *self.by_place.entry(at).or_insert_with(|| {
            let number = u32::try_from(self.blocks.len()).unwrap_or(NO_BLOCK);
            if self.blocks.len() == self.blocks.capacity() {
                self.blocks.reserve_exact(16 + self.blocks.len() / 8);
            }
            self.blocks.push(Block::new(at));
            number
        })
    }

    /// The block beside another one, in one of the eight directions.
    #[inline]
    pub(super) fn neighbor(&mut self, block: u32, direction: usize) -> u32 {
        let known = self.block(block).neighbors[direction];
        if known != NO_BLOCK {
            return known;
        }
        let (x, y) = self.block(block).at;
        let (dx, dy) = [
            (0, -1),
            (1, -1),
            (1, 0),
            (1, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (-1, -1),
        ][direction];
        let neighbor = self.at((x + dx, y + dy));
        self.block_mut(block).neighbors[direction] = neighbor;
        neighbor
    }
}

/// All blocks of one graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    pub(super) fine: Level,
    pub(super) coarse: Level,
    elimination: Elimination,
    candidates: Vec<Candidate>,
    child_numbers: [Vec<u16>; 4],
    /// Squares of costs: of the children, and of the block built from them.
    child_entries: [Vec<i32>; 4],
    entries: Vec<i32>,
    n_versions: u32,
    /// Work of building so far.
    pub(super) n_work: u64,
    pub(super) shared: SharedTables,
    pub(super) legs: LegCache,
    /// Number of the current search.
    pub(super) stamp: u32,
    /// Bytes of all blocks, without the blocks themselves.
    block_bytes: usize,
    limit_bytes: usize,
    /// Where eviction goes on.
    hand: usize,
    /// Blocks whose tables changes made stale, the oldest first.
    stale: VecDeque<(LevelId, u32)>,
}

impl Store {
    pub(super) fn level(&self, level: LevelId) -> &Level {
        match level {
            LevelId::Fine => &self.fine,
            LevelId::Coarse => &self.coarse,
        }
    }

    pub(super) fn level_mut(&mut self, level: LevelId) -> &mut Level {
        match level {
            LevelId::Fine => &mut self.fine,
            LevelId::Coarse => &mut self.coarse,
        }
    }

    pub(super) fn block(&self, level: LevelId, block: u32) -> &Block {
        self.level(level).block(block)
    }

    pub(super) fn block_mut(&mut self, level: LevelId, block: u32) -> &mut Block {
        self.level_mut(level).block_mut(block)
    }

    /// Starts a search: all costs are void.
    pub(super) fn begin_search(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            for block in self.fine.blocks.iter_mut().chain(&mut self.coarse.blocks) {
                block.stamp = 0;
                block.last_used = 0;
            }
            self.stamp = 1;
        }
    }

    /// The block at coordinates, with its frame, ready for the current search.
    pub(super) fn touch_at(
        &mut self,
        nav_graph: NavGraph<'_>,
        level: LevelId,
        at: (i32, i32),
    ) -> Result<u32, Unsuitable> {
        let block = self.level_mut(level).at(at);
        self.touch(nav_graph, level, block)?;
        Ok(block)
    }

    /// The block at coordinates, with nothing built for it.
    pub(super) fn number_at(&mut self, level: LevelId, at: (i32, i32)) -> u32 {
        self.level_mut(level).at(at)
    }

    /// The block beside another one, ready for the current search.
    #[inline]
    pub(super) fn touch_neighbor(
        &mut self,
        nav_graph: NavGraph<'_>,
        level: LevelId,
        block: u32,
        direction: usize,
    ) -> Result<u32, Unsuitable> {
        let neighbor = self.level_mut(level).neighbor(block, direction);
        if self.block(level, neighbor).stamp != self.stamp {
            self.touch(nav_graph, level, neighbor)?;
        }
        Ok(neighbor)
    }

    fn touch(
        &mut self,
        nav_graph: NavGraph<'_>,
        level: LevelId,
        block: u32,
    ) -> Result<(), Unsuitable> {
        self.ensure_frame(nav_graph, level, block)?;
        let stamp = self.stamp;
        let touched = self.block_mut(level, block);
        let had_costs = touched.costs.capacity();
        touched.touch(stamp);
        if touched.costs.capacity() != had_costs {
            self.count_bytes(level, block);
        }
        Ok(())
    }

    /// Makes sure that a block has its frame, and a block of 16 its cells.
    pub(super) fn ensure_frame(
        &mut self,
        nav_graph: NavGraph<'_>,
        level: LevelId,
        number: u32,
    ) -> Result<(), Unsuitable> {
        let known = self.block(level, number);
        if !known.has_frame {
            match level {
                LevelId::Fine => self.build_fine_frame(nav_graph, number),
                LevelId::Coarse => self.build_coarse_frame(nav_graph, number)?,
            }
            self.n_work += match level {
                LevelId::Fine => READ_WORK,
                LevelId::Coarse => FRAME_WORK,
            };
            self.n_versions = self.n_versions.wrapping_add(1);
            let version = self.n_versions;
            let block = self.block_mut(level, number);
            (block.version, block.has_frame) = (version, true);
            block.is_suitable &= block.frame.len() <= MAX_FRAME_CELLS;
            self.count_bytes(level, number);
        }
        if self.block(level, number).is_suitable {
            Ok(())
        } else {
            Err(Unsuitable)
        }
    }

    fn build_fine_frame(&mut self, nav_graph: NavGraph<'_>, number: u32) {
        let block = &mut self.fine.blocks[number as usize];
        let origin = block.rect(LevelId::Fine).low;
        block.is_suitable = block.cells.read(nav_graph, origin);
        block.is_symmetric = block.cells.is_symmetric;
        block.content = block.cells.key();
        block.frame.set_fine(&block.cells);
    }

    fn build_coarse_frame(
        &mut self,
        nav_graph: NavGraph<'_>,
        number: u32,
    ) -> Result<(), Unsuitable> {
        let children = self.children_of(number);
        for child in children {
            self.ensure_frame(nav_graph, LevelId::Fine, child)?;
        }
        let block = &mut self.coarse.blocks[number as usize];
        block.children = children;
        let children = children.map(|child| self.fine.block(child));
        block.is_symmetric = children.iter().all(|child| child.is_symmetric);
        block.is_suitable = true;
        block.content = ContentKey::default();
        children
            .iter()
            .for_each(|child| block.content.add_key(child.content));
        (block.frame).set_coarse(children.map(|child| &child.frame), &mut self.candidates);
        Ok(())
    }

    /// The four blocks of 16 in a block of 32.
    pub(super) fn children_of(&mut self, number: u32) -> [u32; 4] {
        let (x, y) = self.coarse.block(number).at;
        [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| self.fine.at((x * 2 + dx, y * 2 + dy)))
    }

    pub(super) fn has_frame(&self, level: LevelId, number: u32) -> bool {
        self.block(level, number).has_frame
    }

    pub(super) fn has_table(&self, level: LevelId, number: u32) -> bool {
        self.block(level, number).has_table
    }

    /// True if the table of a block need not be built: another searcher keeps it.
    pub(super) fn knows_table(&self, level: LevelId, number: u32) -> bool {
        self.shared
            .find(self.block(level, number).content)
            .is_some()
    }

    /// Keeps a block until the current search ends.
    pub(super) fn protect(&mut self, level: LevelId, number: u32) {
        let stamp = self.stamp;
        self.block_mut(level, number).last_used = stamp;
    }

    /// Work of building the table of a block that has its frame, and whose children have theirs.
    pub(super) fn table_work(&self, level: LevelId, number: u32) -> u64 {
        let block = self.block(level, number);
        match level {
            LevelId::Fine => ELIMINATION_WORK * block.cells.n_walkable(),
            LevelId::Coarse => JOIN_WORK * block.frame.len() as u64,
        }
    }

    /// Makes sure that a block has its table.
    pub(super) fn ensure_table(
        &mut self,
        nav_graph: NavGraph<'_>,
        level: LevelId,
        number: u32,
    ) -> Result<(), Unsuitable> {
        let stamp = self.stamp;
        let block = self.block_mut(level, number);
        block.last_used = stamp;
        if block.has_table {
            return Ok(());
        }
        self.ensure_frame(nav_graph, level, number)?;
        let key = self.block(level, number).content;
        let table = match self.shared.find(key) {
            Some(table) => table,
            None => {
                let table = Arc::new(self.build_table(nav_graph, level, number)?);
                self.shared.insert(key, &table);
                table
            }
        };
        let block = self.block_mut(level, number);
        (block.table, block.has_table) = (table, true);
        self.count_bytes(level, number);
        self.enforce_limit();
        Ok(())
    }

    fn build_table(
        &mut self,
        nav_graph: NavGraph<'_>,
        level: LevelId,
        number: u32,
    ) -> Result<Table, Unsuitable> {
        if level == LevelId::Coarse {
            for child in self.block(level, number).children {
                self.ensure_table(nav_graph, LevelId::Fine, child)?;
            }
        }
        self.n_work += self.table_work(level, number);
        match level {
            LevelId::Fine => {
                let block = &mut self.fine.blocks[number as usize];
                let kept = &block.frame.numbers;
                (self.elimination).table_of_cells(&block.cells, kept, &mut self.entries);
            }
            LevelId::Coarse => self.join_children(number),
        }
        let block = self.block(level, number);
        let (n, is_symmetric) = (block.frame.len(), block.is_symmetric);
        Ok(match level {
            // Few of them take part in a search, so their bytes count more than their time.
            LevelId::Fine => Table::from_square_as_tiles(&self.entries, n, is_symmetric),
            LevelId::Coarse => Table::from_square(&self.entries, n, is_symmetric),
        })
    }

    /// Counts the bytes of a block anew.
    fn count_bytes(&mut self, level: LevelId, number: u32) {
        let block = self.block_mut(level, number);
        let now = block.heap_bytes();
        let before = std::mem::replace(&mut block.bytes, now);
        self.block_bytes = self.block_bytes + now - before;
    }

    /// Builds tables sector by sector until all exist, the limit is reached, or `budget` frame
    /// cells of new tables are used up; false in the last case.
    pub(super) fn prepare(&mut self, nav_graph: NavGraph<'_>, budget: u64) -> bool {
        self.begin_search();
        let mut n_built = 0;
        for sheet in nav_graph.ground().sheets() {
            for level in [LevelId::Fine, LevelId::Coarse] {
                let number = self.level_mut(level).at(level.block_at(sheet.origin()));
                if self.block(level, number).has_table {
                    continue;
                }
                if self.heap_bytes() >= self.limit_bytes && !self.pack_all() {
                    return true;
                }
                if n_built >= budget {
                    return false;
                }
                if self.ensure_table(nav_graph, level, number).is_ok() {
                    n_built += self.block(level, number).frame.len() as u64;
                }
            }
        }
        true
    }

    /// Packs all tables; false if the limit leaves no room after that.
    fn pack_all(&mut self) -> bool {
        for block in self.coarse.blocks.iter_mut().chain(&mut self.fine.blocks) {
            let before = block.bytes;
            if block.pack() {
                self.block_bytes = self.block_bytes + block.bytes - before;
            }
        }
        // A table that would be packed at once is not worth building.
        self.heap_bytes() + self.limit_bytes / MIN_ROOM < self.limit_bytes
    }

    fn join_children(&mut self, number: u32) {
        let block = &mut self.coarse.blocks[number as usize];
        for (child, numbers) in (0_u8..).zip(&mut self.child_numbers) {
            let frame = &self.fine.block(block.children[usize::from(child)]).frame;
            numbers.clear();
            let in_parent = |number: &u16| number_in_parent(usize::from(*number), child);
            numbers.extend(
                frame
                    .numbers
                    .iter()
                    .filter_map(|n| u16::try_from(in_parent(n)).ok()),
            );
        }
        let [a, b, c, d] = &mut self.child_entries;
        let part = |child: usize, buffer| Part {
            numbers: &self.child_numbers[child],
            stride: padded(self.child_numbers[child].len()),
            entries: self.fine.block(block.children[child]).table.square(buffer),
        };
        let parts = [part(0, a), part(1, b), part(2, c), part(3, d)];
        let kept = &block.frame.numbers;
        (self.elimination).join_four(&parts, kept, block.is_symmetric, &mut self.entries);
    }

    /// Packs tables, then evicts blocks, until the limit holds: first those that no recent search
    /// used, then all that the current one has not used.
    fn enforce_limit(&mut self) {
        let n = self.fine.blocks.len() + self.coarse.blocks.len();
        for (n_recent, packs) in [(N_RECENT, true), (1, true), (N_RECENT, false), (1, false)] {
            let mut n_seen = 0;
            while self.heap_bytes() > self.limit_bytes && n_seen < n {
                n_seen += 1;
                self.hand = (self.hand + 1) % n;
                let n_fine = self.fine.blocks.len();
                let block = match self.hand.checked_sub(n_fine) {
                    None => &mut self.fine.blocks[self.hand],
                    Some(hand) => &mut self.coarse.blocks[hand],
                };
                let is_old = self.stamp - block.last_used.min(self.stamp) >= n_recent;
                if block.bytes > 0 && is_old {
                    let before = block.bytes;
                    if packs {
                        block.pack();
                    } else {
                        block.free();
                    }
                    self.block_bytes = self.block_bytes + block.bytes - before;
                }
            }
        }
    }

    /// Ends the current search and makes sure that the limit holds.
    pub(super) fn trim(&mut self) {
        if self.heap_bytes() > self.limit_bytes {
            self.begin_search();
            self.enforce_limit();
        }
        if self.heap_bytes() > self.limit_bytes {
            // The blocks themselves are too many.
            self.clear();
        }
    }

    pub(super) fn set_limit(&mut self, bytes: usize) {
        self.limit_bytes = bytes;
        self.legs.is_enabled = bytes >= MIN_LIMIT_WITH_LEGS;
    }

    /// True if the current search has touched a block that contains columns of `rect`.
    pub(super) fn has_touched(&self, rect: Rect) -> bool {
        let touched = |level: LevelId| {
            let blocks = self.level(level).blocks.iter();
            let mut touched = blocks.filter(|block| block.stamp == self.stamp);
            touched.any(|block| {
                let Rect { low, high } = block.rect(level);
                let is_apart = high.x < rect.low.x
                    || rect.high.x < low.x
                    || high.y < rect.low.y
                    || rect.high.y < low.y;
                !is_apart
            })
        };
        touched(LevelId::Fine) || touched(LevelId::Coarse)
    }

    /// Forgets all blocks and their memory.
    pub(super) fn clear(&mut self) {
        (self.fine, self.coarse) = (Level::default(), Level::default());
        (self.block_bytes, self.hand) = (0, 0);
        self.stale.clear();
        self.legs.clear();
    }

    /// Bytes of all that is kept between searches; scratch apart, at most a few hundred kilobytes.
    pub(super) fn heap_bytes(&self) -> usize {
        let n_blocks = self.fine.blocks.capacity() + self.coarse.blocks.capacity();
        let places = self.fine.by_place.capacity() + self.coarse.by_place.capacity();
        let place_bytes = size_of::<((i32, i32), u32)>() + 1;
        let blocks = n_blocks * size_of::<Block>() + places * place_bytes;
        self.block_bytes + blocks + self.legs.heap_bytes()
    }
}
