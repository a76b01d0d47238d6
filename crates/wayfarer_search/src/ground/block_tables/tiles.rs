//! Tables as tiles of 8 x 8 costs: exact, in a quarter of the bytes of a square of `i32`.
//!
//! Neighboring frame cells have similar costs, so a tile stores its least cost and 16-bit
//! differences to it. A tile whose costs spread further has a second plane with the upper halves;
//! one without any path has no lanes. Where all steps have their opposites only the tiles on and
//! below the diagonal exist, and the others are read transposed.
//!
//! Relaxing works on 16-bit lanes relative to the least sum of a tile. Sums saturate; a lane that
//! saturates is computed again in full, so nothing is rounded.

use super::flood::FloodDirection;
use super::min_plus::{INFINITE, LANES, padded};

mod lanes;
mod read;
mod relax;

use lanes::Plane;

/// No path inside the block between any two cells of a tile.
const EMPTY: u32 = u32::MAX;
/// Set in `Tile::at` of a tile with two planes.
const WIDE: u32 = 1 << 31;
/// The 16-bit difference that stands for no path.
const NO_PATH: u16 = u16::MAX;

/// The least costs inside a block between its frame cells.
#[derive(Clone, Debug, Default)]
pub(super) struct TileTable {
    /// Frame cells.
    n: usize,
    is_symmetric: bool,
    /// Row by row; those on and below the diagonal if `is_symmetric`.
    tiles: Vec<Tile>,
    planes: Vec<Plane>,
}

/// 8 x 8 costs.
#[derive(Clone, Copy, Debug)]
struct Tile {
    /// The least of them.
    base: i32,
    /// Its plane, with [`WIDE`] as a flag; or [`EMPTY`].
    at: u32,
}

impl TileTable {
    /// Number of chunks of 8 frame cells.
    fn n_chunks(&self) -> usize {
        self.n.div_ceil(LANES)
    }

    /// Takes over a square of costs, from rows to columns, rows padded.
    pub(super) fn pack(&mut self, entries: &[i32], n: usize, is_symmetric: bool) {
        (self.n, self.is_symmetric) = (n, is_symmetric);
        self.tiles.clear();
        self.planes.clear();
        let n_chunks = self.n_chunks();
        for row in 0..n_chunks {
            for column in 0..if is_symmetric { row + 1 } else { n_chunks } {
                self.push(entries, row, column);
            }
        }
        self.tiles.shrink_to_fit();
        if self.planes.capacity() > self.planes.len() {
            self.planes.shrink_to_fit();
        }
    }

    fn push(&mut self, entries: &[i32], row: usize, column: usize) {
        let stride = padded(self.n);
        let rows = (self.n - row * LANES).min(LANES);
        let columns = (self.n - column * LANES).min(LANES);
        let (mut base, mut highest) = (INFINITE, 0);
        let at = |i: usize| (row * LANES + i) * stride + column * LANES;
        for i in 0..rows {
            for entry in &entries[at(i)..at(i) + columns] {
                base = base.min(*entry);
                highest = highest.max(if *entry < INFINITE { *entry } else { 0 });
            }
        }
        if base == INFINITE {
            let at = EMPTY;
            self.tiles.push(Tile { base, at });
            return;
        }
        let index = u32::try_from(self.planes.len()).unwrap_or(EMPTY);
        let is_wide = highest - base >= i32::from(NO_PATH);
        let (mut low, mut high) = ([[0; LANES]; LANES], [[0; LANES]; LANES]);
        for i in 0..rows {
            for (j, entry) in entries[at(i)..at(i) + columns].iter().enumerate() {
                let difference = match *entry {
                    entry if is_wide => entry,
                    INFINITE => NO_PATH.into(),
                    entry => entry - base,
                };
                let [a, b, c, d] = difference.to_le_bytes();
                low[i][j] = u16::from_le_bytes([a, b]);
                high[i][j] = u16::from_le_bytes([c, d]);
            }
        }
        self.planes.push(low);
        let mut at = index;
        if is_wide {
            self.planes.push(high);
            at |= WIDE;
        }
        self.tiles.push(Tile { base, at });
    }

    /// The tile from or to a chunk, and whether it is read transposed.
    #[inline]
    fn tile(&self, source: usize, target: usize, direction: FloodDirection) -> (Tile, bool) {
        if self.is_symmetric {
            let (row, column) = (source.max(target), source.min(target));
            return (self.tiles[row * (row + 1) / 2 + column], target > source);
        }
        match direction {
            FloodDirection::From => (self.tiles[source * self.n_chunks() + target], false),
            FloodDirection::To => (self.tiles[target * self.n_chunks() + source], true),
        }
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.tiles.capacity() * size_of::<Tile>() + self.planes.capacity() * size_of::<Plane>()
    }
}

#[cfg(test)]
mod tests;
