//! Spatial index of successor lists: per block of 32 x 32 columns, the lists whose scans read it.
//!
//! The lists of a block are kept in linked chunks of seven; only the first chunk may have free
//! entries, so removal is a swap with its last entry. A list that reads more than
//! [`MAX_BLOCKS`] blocks is kept in one block of its own, which every edit visits.

#![expect(
    clippy::cast_possible_truncation,
    reason = "the cache limit keeps every vector far below 2^28 entries"
)]

use wayfarer_base::Column;

use super::{NONE, SPARE, growth_of, is_crowded, push};

/// Side of a block in columns, as a shift: with single sectors the index takes more memory than the
/// lists.
const BLOCK: u32 = 5;

/// Lists whose scans read more blocks than this are indexed under `WIDE`.
const MAX_BLOCKS: i64 = 64;

/// Capacity of the block `WIDE`.
const MAX_WIDE: usize = 64;

/// The block of lists with far scans; it contains no column.
pub(super) const WIDE: (i32, i32) = (i32::MAX, i32::MAX);

/// Entries per chunk.
pub(super) const CHUNK: usize = 7;

/// Lists by block.
#[derive(Clone, Debug)]
pub(super) struct BlockIndex {
    blocks: Vec<Block>,
    /// Blocks by their coordinates, open addressing.
    table: Vec<u32>,
    chunks: Vec<Chunk>,
    /// Head of the free list of chunks.
    free_chunks: u32,
    /// Lists under `WIDE`.
    n_wide: usize,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    at: (i32, i32),
    /// The first chunk and its number of entries; all others are full.
    first: u32,
    n_in_first: u32,
}

/// List ids of a block.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    lists: [u32; CHUNK],
    next: u32,
}

impl Default for BlockIndex {
    fn default() -> Self {
        Self {
            blocks: Vec::new(),
            table: Vec::new(),
            chunks: Vec::new(),
            free_chunks: NONE,
            n_wide: 0,
        }
    }
}

/// The block of a column.
pub(super) const fn block_of(column: Column) -> (i32, i32) {
    (column.x >> BLOCK, column.y >> BLOCK)
}

impl BlockIndex {
    /// Removes all lists; keeps the capacity.
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
        self.table.fill(NONE);
        self.chunks.clear();
        (self.free_chunks, self.n_wide) = (NONE, 0);
    }

    /// Indexes a list of scans from column (x, y) with these extents and lengths of diagonals.
    /// False if it reads too many blocks and there is no room for such a list.
    pub(super) fn insert(
        &mut self,
        list: u32,
        (x, y): (i32, i32),
        extents: [u32; 4],
        diagonals: [u32; 4],
    ) -> bool {
        let [north, east, south, west] = extents.map(|n_cells| n_cells.cast_signed() + 1);
        let low = block_of(Column::new(x.saturating_sub(west), y.saturating_sub(north)));
        let high = block_of(Column::new(x.saturating_add(east), y.saturating_add(south)));
        let n_blocks = (i64::from(high.0 - low.0) + 1) * (i64::from(high.1 - low.1) + 1);
        if n_blocks > MAX_BLOCKS {
            if self.n_wide == MAX_WIDE {
                return false;
            }
            self.n_wide += 1;
            self.insert_in(WIDE, list);
            return true;
        }
        let diagonal = diagonals.into_iter().max().unwrap_or(0).cast_signed();
        // Lower bound of the distance from a column to the cells of a block, along one axis.
        let distance = |block: i32, at: i32| {
            let first = block << BLOCK;
            (first - at).max(at - first - ((1 << BLOCK) - 1)).max(0)
        };
        for block_y in low.1..=high.1 {
            for block_x in low.0..=high.0 {
                if distance(block_x, x).min(distance(block_y, y)) <= diagonal + 1 {
                    self.insert_in((block_x, block_y), list);
                }
            }
        }
        true
    }

    fn insert_in(&mut self, at: (i32, i32), list: u32) {
        let index = self.find_or_insert(at);
        let block = &mut self.blocks[index];
        if block.first == NONE || block.n_in_first as usize == CHUNK {
            let chunk = Chunk {
                lists: [NONE; CHUNK],
                next: block.first,
            };
            let free = self.free_chunks;
            block.n_in_first = 0;
            block.first = if let Some(reused) = self.chunks.get_mut(free as usize) {
                self.free_chunks = reused.next;
                *reused = chunk;
                free
            } else {
                push(&mut self.chunks, chunk);
                self.chunks.len() as u32 - 1
            };
        }
        self.chunks[block.first as usize].lists[block.n_in_first as usize] = list;
        block.n_in_first += 1;
    }

    fn find_or_insert(&mut self, at: (i32, i32)) -> usize {
        if let Some(found) = self.find(at) {
            return found;
        }
        if is_crowded(self.blocks.len() + 1, self.table.len()) {
            let size = (self.table.len() * 2).max(64);
            self.table.clear();
            self.table.reserve_exact(size);
            self.table.resize(size, NONE);
            for index in 0..self.blocks.len() {
                self.insert_into_table(index);
            }
        }
        let block = Block {
            at,
            first: NONE,
            n_in_first: 0,
        };
        push(&mut self.blocks, block);
        let index = self.blocks.len() - 1;
        self.insert_into_table(index);
        index
    }

    fn insert_into_table(&mut self, index: usize) {
        let mask = self.table.len() - 1;
        let mut slot = hash_block(self.blocks[index].at, mask);
        while self.table[slot] != NONE {
            slot = (slot + 1) & mask;
        }
        self.table[slot] = index as u32;
    }

    /// The index of a block, if it has one.
    pub(super) fn find(&self, at: (i32, i32)) -> Option<usize> {
        let mask = self.table.len().checked_sub(1)?;
        let mut slot = hash_block(at, mask);
        loop {
            let index = self.table[slot] as usize;
            if self.blocks.get(index)?.at == at {
                return Some(index);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The first chunk of a block, or `NONE`, and its number of lists.
    #[inline]
    pub(super) fn first_chunk(&self, block: usize) -> (u32, usize) {
        let Block {
            first, n_in_first, ..
        } = self.blocks[block];
        (first, n_in_first as usize)
    }

    /// The chunk after another one, or `NONE`; it is full.
    #[inline]
    pub(super) fn next_chunk(&self, chunk: u32) -> u32 {
        self.chunks[chunk as usize].next
    }

    /// An entry of a chunk.
    #[inline]
    pub(super) fn list(&self, chunk: u32, entry: usize) -> u32 {
        self.chunks[chunk as usize].lists[entry]
    }

    /// Removes an entry: the last one of the first chunk takes its slot.
    pub(super) fn remove(&mut self, block: usize, chunk: u32, entry: usize) {
        let block = &mut self.blocks[block];
        self.n_wide -= usize::from(block.at == WIDE);
        let first = block.first;
        block.n_in_first -= 1;
        let last = self.chunks[first as usize].lists[block.n_in_first as usize];
        self.chunks[chunk as usize].lists[entry] = last;
        if block.n_in_first == 0 {
            let emptied = &mut self.chunks[first as usize];
            block.first = emptied.next;
            block.n_in_first = if emptied.next == NONE {
                0
            } else {
                CHUNK as u32
            };
            emptied.next = self.free_chunks;
            self.free_chunks = first;
        }
    }

    /// True if some list is indexed under `WIDE`.
    pub(super) fn has_wide(&self) -> bool {
        self.n_wide > 0
    }

    /// Upper bound of the bytes that another list adds.
    pub(super) fn growth(&self) -> usize {
        let mut growth = growth_of(&self.chunks) + growth_of(&self.blocks);
        if is_crowded(self.blocks.len() + SPARE, self.table.len()) {
            growth += self.table.len() * size_of::<u32>();
        }
        growth
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.chunks.capacity() * size_of::<Chunk>()
            + self.blocks.capacity() * size_of::<Block>()
            + self.table.capacity() * size_of::<u32>()
    }
}

#[inline]
fn hash_block((x, y): (i32, i32), mask: usize) -> usize {
    let word = u64::from(x.cast_unsigned()) << 32 | u64::from(y.cast_unsigned());
    (word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize & mask
}
