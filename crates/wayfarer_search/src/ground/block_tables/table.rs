//! The table of a block: a square of costs, the fastest form, or tiles of 16-bit differences, which
//! take about a third of the bytes. Both are exact, so which it is decides nothing but the time.

use super::flood::FloodDirection;
use super::min_plus::{INFINITE, LANES, any_less, padded, relax};
use super::tiles::TileTable;

/// The least costs inside a block between its frame cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// Frame cells.
    n: usize,
    is_symmetric: bool,
    /// Costs from row to column, rows padded; empty if packed.
    square: Vec<i32>,
    /// Costs from column to row, if they differ.
    transposed: Vec<i32>,
    tiles: Option<Box<TileTable>>,
}

impl Table {
    /// A table of a square of costs, rows padded.
    pub(super) fn from_square(entries: &[i32], n: usize, is_symmetric: bool) -> Self {
        let mut transposed = Vec::new();
        if !is_symmetric {
            let stride = padded(n);
            transposed.resize(n * stride, INFINITE);
            for i in 0..n {
                for j in 0..n {
                    transposed[j * stride + i] = entries[i * stride + j];
                }
            }
        }
        Self {
            n,
            is_symmetric,
            square: entries.to_vec(),
            transposed,
            tiles: None,
        }
    }

    /// The same as tiles.
    pub(super) fn from_square_as_tiles(entries: &[i32], n: usize, is_symmetric: bool) -> Self {
        let mut tiles = Box::<TileTable>::default();
        tiles.pack(entries, n, is_symmetric);
        Self {
            n,
            is_symmetric,
            tiles: Some(tiles),
            ..Self::default()
        }
    }

    /// The same table as tiles; `None` if it has that form already, or nothing.
    pub(super) fn packed(&self) -> Option<Self> {
        if self.tiles.is_some() || self.square.is_empty() {
            return None;
        }
        let Self {
            n, is_symmetric, ..
        } = *self;
        Some(Self::from_square_as_tiles(&self.square, n, is_symmetric))
    }

    /// The costs between frame cell `i` and all others, from it or to it.
    #[inline]
    fn line(&self, i: usize, direction: FloodDirection) -> &[i32] {
        let stride = padded(self.n);
        let entries = match direction {
            FloodDirection::To if !self.is_symmetric => &self.transposed,
            _ => &self.square,
        };
        &entries[i * stride..(i + 1) * stride]
    }

    /// Relaxes the rows of marked frame cells, or for paths to them the columns:
    /// `best[i] = min(best[i], row[i] + cost)`. Skips rows that another row reaches as cheaply.
    /// Costs of `best` that are no lower than `known` may be too high. Returns the number of rows.
    pub(super) fn relax(
        &self,
        direction: FloodDirection,
        marks: &[u64],
        known: &[i32],
        best: &mut [i32],
        highest: &mut Vec<i32>,
    ) -> u64 {
        if let Some(tiles) = &self.tiles {
            return tiles.relax(direction, marks, known, best, highest);
        }
        let mut n_rows = 0;
        for (word, marks) in marks.iter().enumerate() {
            let mut marks = *marks;
            while marks != 0 {
                let i = word * 64 + marks.trailing_zeros() as usize;
                marks &= marks - 1;
                if best[i] > known[i] {
                    relax(best, self.line(i, direction), known[i]);
                    n_rows += 1;
                }
            }
        }
        n_rows
    }

    /// The least cost inside the block from frame cell `i` to frame cell `j`.
    pub(super) fn entry(&self, i: usize, j: usize) -> i32 {
        match &self.tiles {
            Some(tiles) => tiles.entry(i, j),
            None => self.square[i * padded(self.n) + j],
        }
    }

    /// Calls `visit` with every frame cell whose cost, plus the least cost between it and frame cell
    /// `i` in `direction`, is at most `limit`; with the cost and the sum. `limit` is finite.
    #[inline]
    pub(super) fn for_each_within(
        &self,
        i: usize,
        direction: FloodDirection,
        costs: &[i32],
        limit: i32,
        mut visit: impl FnMut(usize, i32, i32),
    ) {
        if let Some(tiles) = &self.tiles {
            return tiles.for_each_within(i, direction, costs, limit, visit);
        }
        let (entries, _) = self.line(i, direction).as_chunks::<LANES>();
        let chunks = costs.as_chunks::<LANES>().0.iter();
        for (chunk, (costs, entries)) in chunks.zip(entries).enumerate() {
            let mut sums = [0; LANES];
            for (sum, (cost, entry)) in sums.iter_mut().zip(costs.iter().zip(entries)) {
                *sum = cost.wrapping_add(*entry);
            }
            if any_less(&sums, &[limit + 1; LANES]) {
                for (i, (sum, cost)) in sums.iter().zip(costs).enumerate() {
                    if *sum <= limit {
                        visit(chunk * LANES + i, *cost, *sum);
                    }
                }
            }
        }
    }

    /// The square of costs; in `buffer` if packed.
    pub(super) fn square<'a>(&'a self, buffer: &'a mut Vec<i32>) -> &'a [i32] {
        match &self.tiles {
            Some(tiles) => {
                tiles.unpack(buffer);
                buffer
            }
            None => &self.square,
        }
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        let tiles = self.tiles.as_deref();
        let tiles = tiles.map_or(0, |tiles| tiles.heap_bytes() + size_of::<TileTable>());
        (self.square.capacity() + self.transposed.capacity()) * 4 + tiles
    }
}
