//! Min-plus products over tiles: what a visit of a block spends its time on.
//!
//! The marked frame cells of one chunk are the sources; every other chunk is a target. A tile whose
//! least sum exceeds all costs known of its target is skipped. A narrow tile is relaxed in 16-bit
//! lanes relative to its least sum, all sources at once; among columns those that take no part saturate. A
//! target that saturates is computed again in full, unless that cannot improve what is known.

use super::super::flood::FloodDirection;
use super::super::min_plus::{INFINITE, LANES};
use super::lanes::{
    Lanes, highest_of, lower_by_columns, lower_by_rows, lower_by_wide_columns, lower_by_wide_row,
    lower_own,
};
use super::{EMPTY, Tile, TileTable, WIDE};

/// Frame cells whose rows a visit relaxes: of one chunk of 8.
#[derive(Clone, Copy, Debug)]
struct Sources {
    /// Bit i: cell i of the chunk takes part.
    active: u32,
    /// Their costs, `INFINITE` for cells that take no part.
    costs: [i32; LANES],
    /// The least of their costs.
    least: i32,
    /// Costs relative to it, saturated; the highest number for cells that take no part.
    relative: Lanes,
    /// The same, each in all lanes of a row.
    rows: [Lanes; LANES],
}

/// The costs of all chunks.
struct Targets<'t> {
    best: &'t mut [[i32; LANES]],
    known: &'t [[i32; LANES]],
    /// The highest known cost of each chunk.
    highest: &'t [i32],
}

/// The costs of a target chunk.
struct Target<'t> {
    /// Found by this visit so far.
    best: &'t mut [i32; LANES],
    /// Known before it.
    known: &'t [i32; LANES],
}

impl TileTable {
    /// Relaxes the rows of marked frame cells, or for paths to them the columns:
    /// `best[i] = min(best[i], row[i] + cost)`. Skips rows that another row reaches as cheaply, and
    /// tiles that cannot get below `known`. Returns the number of rows.
    pub(in super::super) fn relax(
        &self,
        direction: FloodDirection,
        marks: &[u64],
        known: &[i32],
        best: &mut [i32],
        highest: &mut Vec<i32>,
    ) -> u64 {
        let (known, _) = known.as_chunks::<LANES>();
        highest.clear();
        highest.extend(known.iter().map(highest_of));
        let (best, _) = best.as_chunks_mut::<LANES>();
        let mut n_rows = 0;
        for chunk in 0..self.n_chunks() {
            let marked = marks[chunk / 8] >> (chunk % 8 * 8) & 0xFF;
            if marked == 0 {
                continue;
            }
            let active = self.relax_own(direction, chunk, marked, &known[chunk], &mut best[chunk]);
            if active != 0 {
                n_rows += u64::from(active.count_ones());
                let sources = Sources::new(active, &known[chunk]);
                let targets = Targets {
                    best,
                    known,
                    highest,
                };
                self.relax_others(direction, chunk, &sources, targets);
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
        let (tile, is_transposed) = self.tile(chunk, chunk, direction);
        // The cost of a cell to itself is 0, so the tile is not empty, and its base is 0.
        let plane = &self.planes[(tile.at & !WIDE) as usize];
        let mut active = 0;
        while marked != 0 {
            let i = marked.trailing_zeros() as usize % LANES;
            marked &= marked - 1;
            if best[i] <= costs[i] {
                continue;
            }
            active |= 1 << i;
            if is_transposed || tile.at & WIDE != 0 {
                let row = self.row_of((tile, is_transposed), i);
                for (best, entry) in best.iter_mut().zip(row) {
                    *best = (*best).min(entry + costs[i]);
                }
            } else {
                lower_own(best, &plane[i], costs[i]);
            }
        }
        active
    }

    /// Relaxes the rows of the sources to all other chunks.
    #[inline]
    fn relax_others(
        &self,
        direction: FloodDirection,
        chunk: usize,
        sources: &Sources,
        targets: Targets<'_>,
    ) {
        let Targets {
            best,
            known,
            highest,
        } = targets;
        let n = self.n_chunks();
        // Tiles whose rows are the sources lie side by side, those whose columns are do not.
        let (rows, n_rows, mut at, first) = match direction {
            _ if self.is_symmetric => {
                let row = chunk * (chunk + 1) / 2;
                (row, chunk, row + chunk + chunk + 1, chunk + 1)
            }
            FloodDirection::From => (chunk * n, n, 0, n),
            FloodDirection::To => (0, 0, chunk, 0),
        };
        let tiles = &self.tiles[rows..rows + n_rows];
        let targets = best.iter_mut().zip(known).zip(highest);
        for (target, (tile, ((best, known), highest))) in tiles.iter().zip(targets).enumerate() {
            if tile.base + sources.least <= *highest && target != chunk {
                self.relax_rows(*tile, sources, Target { best, known });
            }
        }
        let targets = best.iter_mut().zip(known).zip(highest).enumerate();
        for (target, ((best, known), highest)) in targets.skip(first) {
            let tile = self.tiles[at];
            at += if self.is_symmetric { target + 1 } else { n };
            if tile.base + sources.least <= *highest && target != chunk {
                self.relax_columns(tile, sources, Target { best, known });
            }
        }
    }

    /// Relaxes a tile whose rows are the sources.
    #[inline]
    fn relax_rows(&self, tile: Tile, sources: &Sources, mut target: Target<'_>) {
        if tile.at == EMPTY {
            return;
        }
        let at = (tile.at & !WIDE) as usize;
        if tile.at & WIDE != 0 {
            let (low, high) = (&self.planes[at], &self.planes[at + 1]);
            for (i, cost) in sources.costs.iter().enumerate() {
                if sources.active >> i & 1 == 1 {
                    lower_by_wide_row(target.best, &low[i], &high[i], *cost);
                }
            }
            return;
        }
        let least = tile.base + sources.least;
        let rows = (&sources.rows, sources.active);
        let sums = lower_by_rows(target.best, &self.planes[at], rows, least);
        if let Some(sums) = sums {
            self.relax_saturated((tile, false), sources, &sums, &mut target);
        }
    }

    /// Relaxes a tile whose columns are the sources.
    #[inline]
    fn relax_columns(&self, tile: Tile, sources: &Sources, mut target: Target<'_>) {
        if tile.at == EMPTY {
            return;
        }
        let at = (tile.at & !WIDE) as usize;
        if tile.at & WIDE != 0 {
            let (low, high) = (&self.planes[at], &self.planes[at + 1]);
            lower_by_wide_columns(target.best, low, high, &sources.costs);
            return;
        }
        let least = tile.base + sources.least;
        let sums = lower_by_columns(target.best, &self.planes[at], &sources.relative, least);
        if let Some(sums) = sums {
            self.relax_saturated((tile, true), sources, &sums, &mut target);
        }
    }

    /// Lowers the targets of a narrow tile of which some sums saturated: their lanes are computed in
    /// full, unless they cannot improve what is known.
    #[inline(never)]
    fn relax_saturated(
        &self,
        tile: (Tile, bool),
        sources: &Sources,
        sums: &Lanes,
        target: &mut Target<'_>,
    ) {
        let least = tile.0.base + sources.least;
        for (j, best) in target.best.iter_mut().enumerate() {
            let sum = least + i32::from(sums[j]);
            if sums[j] < u16::MAX {
                *best = (*best).min(sum);
            } else if *best > sum && target.known[j] >= sum {
                for i in (0..LANES).filter(|i| sources.active >> i & 1 == 1) {
                    let entry = self.entry_of(tile, i, j);
                    *best = (*best).min(entry + sources.costs[i]);
                }
            }
        }
    }
}

impl Sources {
    #[inline]
    fn new(active: u32, known: &[i32; LANES]) -> Self {
        let mut costs = *known;
        for (i, cost) in costs.iter_mut().enumerate() {
            let is_active = (active >> i & 1).cast_signed();
            *cost |= (is_active - 1) & INFINITE;
        }
        let least = costs.into_iter().fold(INFINITE, i32::min);
        let mut relative = [0; LANES];
        for (relative, cost) in relative.iter_mut().zip(costs) {
            // What saturates here saturates every sum that it could decide.
            *relative = u16::try_from(cost - least).unwrap_or(u16::MAX);
        }
        let mut rows = [[0; LANES]; LANES];
        for (row, relative) in rows.iter_mut().zip(relative) {
            *row = [relative; LANES];
        }
        Self {
            active,
            costs,
            least,
            relative,
            rows,
        }
    }
}
