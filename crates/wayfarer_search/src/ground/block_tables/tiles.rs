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

use lanes::{Plane, columns_plus, highest_of, lower, rows_plus};

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

/// Frame cells whose rows a visit relaxes: of one chunk of 8.
#[derive(Clone, Copy, Debug)]
struct Sources {
    /// Bit i: cell i of the chunk takes part.
    active: u32,
    costs: [i32; LANES],
    /// The least of their costs.
    least: i32,
    /// Costs relative to it, saturated; the highest number for cells that take no part.
    relative: [u16; LANES],
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

    /// Relaxes the rows of marked frame cells, or for paths to them the columns:
    /// `best[i] = min(best[i], row[i] + cost)`. Skips rows that another row reaches as cheaply, and
    /// tiles that cannot get below `known`. Returns the number of rows.
    pub(super) fn relax(
        &self,
        direction: FloodDirection,
        marks: &[u64],
        known: &[i32],
        best: &mut [i32],
        highest: &mut Vec<i32>,
    ) -> u64 {
        highest.clear();
        let (chunks, _) = known.as_chunks::<LANES>();
        highest.extend(chunks.iter().map(highest_of));
        let (best, _) = best.as_chunks_mut::<LANES>();
        let mut n_rows = 0;
        for chunk in 0..self.n_chunks() {
            let marked = marks[chunk / 8] >> (chunk % 8 * 8) & 0xFF;
            if marked == 0 {
                continue;
            }
            let costs: &[i32; LANES] =
                (known[chunk * LANES..].first_chunk()).expect("costs are padded to whole lanes");
            let active = self.relax_own(direction, chunk, marked, costs, &mut best[chunk]);
            if active == 0 {
                continue;
            }
            n_rows += u64::from(active.count_ones());
            let sources = Sources::new(active, costs);
            for (target, best) in best.iter_mut().enumerate() {
                let (tile, is_transposed) = self.tile(chunk, target, direction);
                // Both are below 2^30.
                let least = tile.base + sources.least;
                if target != chunk && tile.at != EMPTY && least <= highest[target] {
                    self.relax_tile((tile, is_transposed), &sources, best);
                }
            }
        }
        n_rows
    }

    /// Relaxes the rows of marked cells within their own chunk, one after the other; returns those
    /// that no other row reaches as cheaply.
    #[inline]
    fn relax_own(
        &self,
        direction: FloodDirection,
        chunk: usize,
        mut marked: u64,
        costs: &[i32; LANES],
        best: &mut [i32; LANES],
    ) -> u32 {
        let own = self.tile(chunk, chunk, direction);
        let mut active = 0;
        while marked != 0 {
            let i = marked.trailing_zeros() as usize % LANES;
            marked &= marked - 1;
            if best[i] > costs[i] {
                active |= 1 << i;
                self.relax_row(own, i, costs[i], best);
            }
        }
        active
    }

    #[inline]
    fn relax_tile(
        &self,
        (tile, is_transposed): (Tile, bool),
        sources: &Sources,
        best: &mut [i32; LANES],
    ) {
        if tile.at & WIDE != 0 {
            for i in (0..LANES).filter(|i| sources.active >> i & 1 == 1) {
                self.relax_row((tile, is_transposed), i, sources.costs[i], best);
            }
            return;
        }
        let plane = &self.planes[tile.at as usize];
        let sums = if is_transposed {
            columns_plus(plane, &sources.relative)
        } else {
            rows_plus(plane, &sources.relative, sources.active)
        };
        let least = tile.base + sources.least;
        if !lower(best, &sums, least) {
            self.relax_saturated((tile, is_transposed), sources, &sums, best);
        }
    }

    /// As [`TileTable::relax_tile`], where some of the sums saturated: their lanes are computed in
    /// full, unless they cannot improve.
    #[inline(never)]
    fn relax_saturated(
        &self,
        tile: (Tile, bool),
        sources: &Sources,
        sums: &[u16; LANES],
        best: &mut [i32; LANES],
    ) {
        let least = tile.0.base + sources.least;
        for (j, best) in best.iter_mut().enumerate() {
            let sum = least + i32::from(sums[j]);
            if sums[j] < u16::MAX {
                *best = (*best).min(sum);
            } else if *best > sum {
                for i in (0..LANES).filter(|i| sources.active >> i & 1 == 1) {
                    let entry = self.entry_of(tile, i, j);
                    *best = (*best).min(entry + sources.costs[i]);
                }
            }
        }
    }

    /// `best[j] = min(best[j], entry + cost)` for one source of a tile.
    #[inline]
    fn relax_row(&self, tile: (Tile, bool), i: usize, cost: i32, best: &mut [i32; LANES]) {
        let row = self.row_of(tile, i);
        for (best, entry) in best.iter_mut().zip(row) {
            *best = (*best).min(entry + cost);
        }
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.tiles.capacity() * size_of::<Tile>() + self.planes.capacity() * size_of::<Plane>()
    }
}

impl Sources {
    #[inline]
    fn new(active: u32, costs: &[i32; LANES]) -> Self {
        let mut least = INFINITE;
        for (i, cost) in costs.iter().enumerate() {
            if active >> i & 1 == 1 {
                least = least.min(*cost);
            }
        }
        let mut relative = [u16::MAX; LANES];
        for (i, relative) in relative.iter_mut().enumerate() {
            if active >> i & 1 == 1 {
                // What saturates here saturates every sum that it could decide.
                *relative = u16::try_from(costs[i] - least).unwrap_or(u16::MAX);
            }
        }
        Self {
            active,
            costs: *costs,
            least,
            relative,
        }
    }
}

#[cfg(test)]
mod tests;
