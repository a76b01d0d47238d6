//! Broad phase: obstacles sorted by the cell of their north-west corner, in levels by size class.
//!
//! The cells of a level are at least as large as its largest body, so a body extends at most one
//! cell further east and south. Each body is listed once; cells follow each other row by row in one
//! array (counting sort). Few bodies leave their cell in a tick: a body that does leaves a gap and
//! fills another gap reserved at the last rebuild, moving up one body per cell in between.
//!
//! Small levels store copies of the bodies in that order, so that neighbors in a row are
//! contiguous. Large levels store slots only: updating a copy costs more than all other work for a
//! body that stays in its cell.
//!
//! Long thin bodies have levels of their own, one class per direction, with cells as long as the
//! bodies but much finer across, so that a ray does not test every wall around it. A thin body may
//! span several cells across.

#![expect(
    clippy::cast_possible_truncation,
    reason = "numbers of bits and of levels are small"
)]

mod level;

use super::obstacle::ObstacleBody;

pub(crate) use level::Level;

/// Maximum cells of a level, to bound the memory of an empty world.
const MAX_CELLS: u64 = 1 << 22;
/// Cells per body of a level, and additional cells.
const CELLS_PER_BODY: u64 = 2;
const SPARE_CELLS: u64 = 64;
/// Levels with fewer bodies join the next larger one.
const MIN_LEVEL_BODIES: u32 = 8;
/// The aspect ratio from which a body counts as thin.
const MIN_ASPECT_RATIO: i32 = 8;
/// Maximum log2 of how much finer the cells of thin bodies are across than along.
const MAX_REFINEMENT_BITS: u32 = 10;
/// Size classes: regular, thin eastwards, thin southwards.
const N_CLASSES: usize = 3;
/// Not a slot: a gap, or the end of a chain.
const END: u32 = u32::MAX;
/// If more than one in this many bodies changes its cell per batch, a rebuild is cheaper than
/// single updates.
const VOLATILITY: u32 = 64;

/// All levels, finest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    pub(crate) levels: Vec<Level>,
    /// Bodies chained or moved since the last rebuild.
    n_unsorted: u32,
    /// The level per class and bits of a body's size; 255 if none.
    level_of_bits: [[u8; 32]; N_CLASSES],
    /// The number of bodies per class and bits of size.
    counts_by_size: [[u32; 32]; N_CLASSES],
    n_bodies: u32,
    /// The cell of each slot at the last rebuild.
    cells: Vec<u32>,
    /// Batches since the last rebuild.
    n_batches: u32,
    /// True if too many bodies changed cells per batch for single updates.
    is_volatile: bool,
}

const fn bits_of(body_size: i32) -> usize {
    (32 - (body_size - 1).leading_zeros()) as usize
}

/// The class of a body, and the bits of its size.
#[inline]
fn size_class(body: &ObstacleBody) -> (usize, usize) {
    let (width, height) = (body.high[0] - body.low[0], body.high[1] - body.low[1]);
    let class = if width / MIN_ASPECT_RATIO >= height {
        1
    } else if height / MIN_ASPECT_RATIO >= width {
        2
    } else {
        0
    };
    (class, bits_of(width.max(height)))
}

impl Grid {
    /// Counts a body before it is inserted or removed.
    pub(crate) fn count(&mut self, body: &ObstacleBody, is_added: bool) {
        let (class, bits) = size_class(body);
        let size = &mut self.counts_by_size[class][bits];
        if is_added {
            *size += 1;
            self.n_bodies += 1;
        } else {
            *size -= 1;
            self.n_bodies -= 1;
        }
    }

    /// True if a rebuild is cheaper in the long run.
    pub(crate) const fn needs_rebuild(&self) -> bool {
        self.n_unsorted > 32 + self.n_bodies / 8
    }

    /// The number of single updates before a rebuild.
    pub(crate) const fn edit_budget(&self) -> u32 {
        (32 + self.n_bodies / 8).saturating_sub(self.n_unsorted)
    }

    /// [`edit_budget`](Self::edit_budget) of a bulk batch: 0 if recent batches were too volatile.
    pub(crate) fn bulk_edit_budget(&self) -> u32 {
        // Finding each copy costs more than sorting all.
        if self.is_volatile || self.levels.iter().any(Level::has_copies) {
            0
        } else {
            self.edit_budget()
                .min(32 + self.n_bodies / (VOLATILITY / 2))
        }
    }

    /// Ends a batch.
    pub(crate) const fn end_batch(&mut self) {
        self.n_batches = self.n_batches.saturating_add(1);
    }

    #[inline]
    fn level_of(&self, body: &ObstacleBody) -> usize {
        let (class, bits) = size_class(body);
        usize::from(self.level_of_bits[class][bits])
    }

    /// True if a level exists for a body of this size.
    pub(crate) fn has_level(&self, body: &ObstacleBody) -> bool {
        self.level_of(body) < self.levels.len()
    }

    /// Inserts a body.
    pub(crate) fn insert(&mut self, body: &ObstacleBody) {
        let level = self.level_of(body);
        self.n_unsorted += 1;
        let _is_listed = self.levels[level].insert(body);
    }

    /// Removes the body that equals `body`.
    pub(crate) fn remove(&mut self, body: &ObstacleBody) {
        let level = self.level_of(body);
        self.n_unsorted += 1;
        self.levels[level].remove(body);
    }

    /// Updates a body from `old` to `new`.
    pub(crate) fn relocate(&mut self, old: &ObstacleBody, new: &ObstacleBody) {
        let index = self.level_of(old);
        if index != self.level_of(new) {
            self.remove(old);
            self.insert(new);
            return;
        }
        // As long as gaps are available, a level stays sorted.
        self.n_unsorted += u32::from(!self.levels[index].relocate(old, new));
    }

    /// True if moving `body` from north-west corner `low` needs no update.
    #[inline]
    pub(crate) fn is_unaffected(&self, body: &ObstacleBody, low: [i32; 2]) -> bool {
        let level = match &self.levels[..] {
            [level] => Some(level),
            levels => levels.get(self.level_of(body)),
        };
        level.is_some_and(|level| level.is_unaffected(low, body.low))
    }

    /// Sorts all bodies anew. `low` and `high` are the bounds.
    pub(crate) fn rebuild(&mut self, bodies: &[ObstacleBody], low: [i32; 2], high: [i32; 2]) {
        self.plan_levels(low, high);
        self.cells.resize(bodies.len(), END);
        let n_moved = if let [level] = &mut self.levels[..] {
            let n_moved = level.count_all(bodies, &mut self.cells);
            level.close_counts();
            level.list_all(bodies, &self.cells);
            n_moved
        } else {
            self.sort_levels(bodies)
        };
        // Bodies updated singly and those sorted count alike.
        let n_batches = self.n_batches.max(1);
        self.is_volatile = n_moved / n_batches > self.n_bodies / VOLATILITY;
        self.n_unsorted = 0;
        self.n_batches = 0;
    }

    /// Sorts several levels; returns how many bodies changed their cell.
    fn sort_levels(&mut self, bodies: &[ObstacleBody]) -> u32 {
        let mut n_moved = 0;
        for (body, stored) in bodies.iter().zip(&mut self.cells) {
            if body.categories == 0 {
                *stored = END;
                continue;
            }
            let (class, bits) = size_class(body);
            let level = &mut self.levels[usize::from(self.level_of_bits[class][bits])];
            let cell = level.count_in(body);
            n_moved += u32::from(*stored != cell);
            *stored = cell;
        }
        for level in &mut self.levels {
            level.close_counts();
        }
        // Backwards: each cell fills from its end.
        for (body, &cell) in bodies.iter().zip(&self.cells).rev() {
            if cell != END {
                let level = self.level_of(body);
                self.levels[level].append(cell, body);
            }
        }
        n_moved
    }

    /// Chooses levels and cell sizes from the counts by size.
    fn plan_levels(&mut self, low: [i32; 2], high: [i32; 2]) {
        let mut counts_by_size = self.counts_by_size;
        self.level_of_bits = [[u8::MAX; 32]; N_CLASSES];
        // Few thin bodies are not worth a level.
        let [regular, thin @ ..] = &mut counts_by_size;
        let mut has_levels = [true; N_CLASSES];
        for (thin, has_levels) in thin.iter().zip(&mut has_levels[1..]) {
            if thin.iter().sum::<u32>() < MIN_LEVEL_BODIES {
                *has_levels = false;
                for (regular, thin) in regular.iter_mut().zip(thin) {
                    *regular += thin;
                }
            }
        }
        let mut n_levels = 0;
        for (class, counts_by_size) in counts_by_size
            .iter()
            .enumerate()
            .filter(|(class, _)| has_levels[*class])
        {
            n_levels = self.plan_class(class, counts_by_size, n_levels, low, high);
        }
        let [regular, thin @ ..] = &mut self.level_of_bits;
        for (thin, has_levels) in thin.iter_mut().zip(&has_levels[1..]) {
            if !has_levels {
                *thin = *regular;
            }
        }
        self.levels.truncate(n_levels);
    }

    /// Creates the levels of one class after the first `n_before`; returns their total.
    fn plan_class(
        &mut self,
        class: usize,
        counts_by_size: &[u32; 32],
        n_before: usize,
        low: [i32; 2],
        high: [i32; 2],
    ) -> usize {
        let mut bits = 32;
        let mut levels: [(u32, u32, usize); 32] = [(0, 0, 0); 32];
        let mut n_new = 0;
        // From the largest down, two sizes per level.
        while bits > 0 {
            bits -= 1;
            if counts_by_size[bits] == 0 {
                continue;
            }
            let mut n_bodies = counts_by_size[bits];
            let top = bits;
            if bits > 0 {
                bits -= 1;
                n_bodies += counts_by_size[bits];
            }
            if n_new > 0 && n_bodies < MIN_LEVEL_BODIES {
                levels[n_new - 1].1 += n_bodies;
                levels[n_new - 1].2 = bits;
            } else {
                levels[n_new] = (top as u32, n_bodies, bits);
                n_new += 1;
            }
        }
        let n_levels = n_before + n_new;
        if self.levels.len() < n_levels {
            self.levels.resize_with(n_levels, Level::default);
        }
        let level_of_bits = &mut self.level_of_bits[class];
        for (i, &(top, n_bodies, lowest)) in levels[..n_new].iter().rev().enumerate() {
            let i = n_before + i;
            self.levels[i].reset(low, high, class, top, n_bodies);
            level_of_bits[lowest..=top as usize].fill(i as u8);
        }
        if n_new > 0 {
            // Sizes below all counted ones use the finest level.
            let finest = levels[n_new - 1].2;
            level_of_bits[..finest].fill(n_before as u8);
            for bits in 1..32 {
                if level_of_bits[bits] == u8::MAX && bits < levels[0].0 as usize {
                    let next = (bits..32).find(|&b| level_of_bits[b] != u8::MAX);
                    level_of_bits[bits] = next.map_or(u8::MAX, |b| level_of_bits[b]);
                }
            }
        }
        n_levels
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let levels = self.levels.iter().map(Level::heap_bytes);
        levels.sum::<usize>() + self.cells.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests;
