//! Reading of single costs, of rows, and of the whole table.

use super::super::flood::FloodDirection;
use super::super::min_plus::{INFINITE, LANES, padded};
use super::lanes::Plane;
use super::{EMPTY, NO_PATH, Tile, TileTable, WIDE};

impl TileTable {
    /// The least cost inside the block from frame cell `i` to frame cell `j`.
    pub(in super::super) fn entry(&self, i: usize, j: usize) -> i32 {
        let tile = self.tile(i / LANES, j / LANES, FloodDirection::From);
        self.entry_of(tile, i % LANES, j % LANES)
    }

    /// The cost between source `i` and target `j` of a tile.
    pub(super) fn entry_of(&self, (tile, is_transposed): (Tile, bool), i: usize, j: usize) -> i32 {
        if tile.at == EMPTY {
            return INFINITE;
        }
        let (row, column) = if is_transposed { (j, i) } else { (i, j) };
        let at = (tile.at & !WIDE) as usize;
        let low = self.planes[at][row][column];
        if tile.at & WIDE != 0 {
            return wide(low, self.planes[at + 1][row][column]);
        }
        narrow(tile.base, low)
    }

    /// The costs between source `i` and all targets of a tile.
    #[inline]
    pub(super) fn row_of(&self, (tile, is_transposed): (Tile, bool), i: usize) -> [i32; LANES] {
        let mut row = [INFINITE; LANES];
        if tile.at == EMPTY {
            return row;
        }
        let at = (tile.at & !WIDE) as usize;
        let lanes = line(&self.planes[at], is_transposed, i);
        if tile.at & WIDE != 0 {
            let upper = line(&self.planes[at + 1], is_transposed, i);
            for (entry, (low, high)) in row.iter_mut().zip(lanes.into_iter().zip(upper)) {
                *entry = wide(low, high);
            }
        } else {
            for (entry, low) in row.iter_mut().zip(lanes) {
                *entry = narrow(tile.base, low);
            }
        }
        row
    }

    /// Calls `visit` with every frame cell whose cost, plus the least cost between it and frame cell
    /// `i` in `direction`, is at most `limit`; with the cost and the sum. `limit` is finite.
    #[inline]
    pub(in super::super) fn for_each_within(
        &self,
        i: usize,
        direction: FloodDirection,
        costs: &[i32],
        limit: i32,
        mut visit: impl FnMut(usize, i32, i32),
    ) {
        for (chunk, costs) in costs.as_chunks::<LANES>().0.iter().enumerate() {
            let tile = self.tile(i / LANES, chunk, direction);
            let least = costs.iter().copied().fold(INFINITE, lesser);
            if tile.0.at == EMPTY || tile.0.base + least > limit {
                continue;
            }
            let row = self.row_of(tile, i % LANES);
            for (j, (cost, entry)) in costs.iter().zip(row).enumerate() {
                if cost + entry <= limit {
                    visit(chunk * LANES + j, *cost, cost + entry);
                }
            }
        }
    }

    /// Writes the square of all costs, rows padded.
    pub(in super::super) fn unpack(&self, entries: &mut Vec<i32>) {
        let stride = padded(self.n);
        entries.clear();
        entries.resize(self.n * stride, INFINITE);
        for (i, row) in entries.chunks_exact_mut(stride.max(1)).enumerate() {
            for (chunk, lanes) in row.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
                let tile = self.tile(i / LANES, chunk, FloodDirection::From);
                *lanes = self.row_of(tile, i % LANES);
            }
            row[self.n..].fill(INFINITE);
        }
    }
}

/// Row or column `i` of a plane.
#[inline]
fn line(plane: &Plane, is_column: bool, i: usize) -> [u16; LANES] {
    if !is_column {
        return plane[i];
    }
    let mut line = [0; LANES];
    for (lane, row) in line.iter_mut().zip(plane) {
        *lane = row[i];
    }
    line
}

#[inline]
fn lesser(a: i32, b: i32) -> i32 {
    let difference = b.wrapping_sub(a);
    a.wrapping_add(difference & (difference >> 31))
}

/// A cost of a tile with one plane.
#[inline]
fn narrow(base: i32, low: u16) -> i32 {
    // All bits set for no path, else none.
    let no_path = -((i32::from(low) + 1) >> 16);
    (base + i32::from(low)) & !no_path | INFINITE & no_path
}

/// A cost of a tile with two planes.
#[inline]
fn wide(low: u16, high: u16) -> i32 {
    i32::from(high) << 16 | i32::from(low)
}

const _: () = assert!(NO_PATH == u16::MAX, "as `narrow` expects");
