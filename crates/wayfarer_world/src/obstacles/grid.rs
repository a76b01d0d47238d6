//! Who is where: bodies sorted by the cell of their north-west corner, in levels by size.
//!
//! A level's cells are at least as large as its largest body, so a body reaches at most one cell
//! further east and south. Each body is listed once, by its place, in the cell of its north-west
//! corner; cells follow each other row by row in one list. In a tick hardly any body leaves its cell.
//! Between two rebuilds one that does leaves a gap, and takes one of those that were left in the
//! list when it was made: what lies between is moved up, one body for each cell.
//!
//! Small levels keep a copy of each body in that order, so that neighbors in a row are one run of
//! memory. Large ones do not: to find a body's copy wherever it lies takes longer than all else
//! that is done about one that stays in its cell, which then is nothing.
//!
//! Long thin walls have levels of their own, one kind for those that run east and one for those
//! that run south: cells as long as they are, but much finer across, so that a ray does not meet
//! every wall of its neighborhood. A thin body may reach over several cells across its length.

#![expect(
    clippy::cast_possible_truncation,
    reason = "numbers of bits and of levels are small"
)]

mod level;

use super::obstacle::ObstacleBody;

pub(crate) use level::Level;

/// Most cells of a level, so that an empty world takes no memory.
const MAX_CELLS: u64 = 1 << 22;
/// Cells that a level may have for each body, and those it may have besides.
const CELLS_PER_BODY: u64 = 2;
const SPARE_CELLS: u64 = 64;
/// Levels with fewer bodies than this join the next larger one.
const MIN_COUNT: u32 = 8;
/// A body at least so many times as long as it is thick counts as thin.
const THIN: i32 = 8;
/// How much finer the cells of thin bodies are across than along, as a power of two, at most.
const FINER: u32 = 10;
/// Kinds of bodies with levels of their own: neither, those that run east, those that run south.
const KINDS: usize = 3;
/// No place in a list: a gap, or the end of a chain.
const END: u32 = u32::MAX;
/// One in so many that leave their cells in a batch is too many to follow each of them.
const RESTLESS: u32 = 64;

/// All levels, the finest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    pub(crate) levels: Vec<Level>,
    /// Bodies chained or moved since the last rebuild.
    n_strays: u32,
    /// The level for each kind and number of bits of a body's size; 255 if there is none.
    level_of_bits: [[u8; 32]; KINDS],
    /// Bodies by kind and the number of bits of their size.
    sizes: [[u32; 32]; KINDS],
    n_bodies: u32,
    /// The cell of each place at the last rebuild.
    cells: Vec<u32>,
    /// Batches since the last rebuild.
    n_batches: u32,
    /// True if, batch by batch, more had left their cells than it is worth following.
    is_restless: bool,
}

const fn bits_of(body_size: i32) -> usize {
    (32 - (body_size - 1).leading_zeros()) as usize
}

/// The kind of a body, and the number of bits of its size.
#[inline]
fn class_of(body: &ObstacleBody) -> (usize, usize) {
    let (width, height) = (body.high[0] - body.low[0], body.high[1] - body.low[1]);
    let kind = if width / THIN >= height {
        1
    } else if height / THIN >= width {
        2
    } else {
        0
    };
    (kind, bits_of(width.max(height)))
}

impl Grid {
    /// Notes that a body comes or goes, before it is put or taken.
    pub(crate) fn count(&mut self, body: &ObstacleBody, comes: bool) {
        let (kind, bits) = class_of(body);
        let size = &mut self.sizes[kind][bits];
        if comes {
            *size += 1;
            self.n_bodies += 1;
        } else {
            *size -= 1;
            self.n_bodies -= 1;
        }
    }

    /// True if so much has strayed that sorting anew is cheaper in the long run.
    pub(crate) const fn wants_rebuild(&self) -> bool {
        self.n_strays > 32 + self.n_bodies / 8
    }

    /// Bodies that may stray before the grid is sorted anew.
    pub(crate) const fn patience(&self) -> u32 {
        (32 + self.n_bodies / 8).saturating_sub(self.n_strays)
    }

    /// The same for a batch that changes most of the field: none if the last ones were not worth
    /// following.
    pub(crate) fn patience_with_most(&self) -> u32 {
        // To find each copy takes longer than to sort them all.
        if self.is_restless || self.levels.iter().any(Level::has_copies) {
            0
        } else {
            self.patience().min(32 + self.n_bodies / (RESTLESS / 2))
        }
    }

    /// Notes that a batch is over.
    pub(crate) const fn end_batch(&mut self) {
        self.n_batches = self.n_batches.saturating_add(1);
    }

    #[inline]
    fn level_of(&self, body: &ObstacleBody) -> usize {
        let (kind, bits) = class_of(body);
        usize::from(self.level_of_bits[kind][bits])
    }

    /// True if a body of this size has a level to go to.
    pub(crate) fn has_room(&self, body: &ObstacleBody) -> bool {
        self.level_of(body) < self.levels.len()
    }

    /// Puts a body in.
    pub(crate) fn put(&mut self, body: &ObstacleBody) {
        let level = self.level_of(body);
        self.n_strays += 1;
        let _found_room = self.levels[level].put(body);
    }

    /// Takes the body out that was as `body` is.
    pub(crate) fn take(&mut self, body: &ObstacleBody) {
        let level = self.level_of(body);
        self.n_strays += 1;
        self.levels[level].take(body);
    }

    /// Follows a body that was `old` and is `new`.
    pub(crate) fn shift(&mut self, old: &ObstacleBody, new: &ObstacleBody) {
        let index = self.level_of(old);
        if index != self.level_of(new) {
            self.take(old);
            self.put(new);
            return;
        }
        // As long as there is room in its list, a level is as good as a new one.
        self.n_strays += u32::from(!self.levels[index].shift(old, new));
    }

    /// True if nothing need be done about `body`, whose north-west corner was at `low`.
    #[inline]
    pub(crate) fn ignores(&self, body: &ObstacleBody, low: [i32; 2]) -> bool {
        let level = match &self.levels[..] {
            [level] => Some(level),
            levels => levels.get(self.level_of(body)),
        };
        level.is_some_and(|level| level.ignores(low, body.low))
    }

    /// Sorts everything anew. `low` and `high` are the corners of the world.
    pub(crate) fn rebuild(&mut self, bodies: &[ObstacleBody], low: [i32; 2], high: [i32; 2]) {
        self.plan(low, high);
        self.cells.resize(bodies.len(), END);
        let n_left = if let [level] = &mut self.levels[..] {
            let n_left = level.count_all(bodies, &mut self.cells);
            level.close_counts();
            level.list_all(bodies, &self.cells);
            n_left
        } else {
            self.sort_levels(bodies)
        };
        // A body that was followed counts as well as one that was not.
        let often = self.n_batches.max(1);
        self.is_restless = n_left / often > self.n_bodies / RESTLESS;
        self.n_strays = 0;
        self.n_batches = 0;
    }

    /// Sorts a field of several levels; gives how many are no longer where they were.
    fn sort_levels(&mut self, bodies: &[ObstacleBody]) -> u32 {
        let mut n_left = 0;
        for (body, place) in bodies.iter().zip(&mut self.cells) {
            if body.types == 0 {
                *place = END;
                continue;
            }
            let (kind, bits) = class_of(body);
            let level = &mut self.levels[usize::from(self.level_of_bits[kind][bits])];
            let cell = level.count_in(body);
            n_left += u32::from(*place != cell);
            *place = cell;
        }
        for level in &mut self.levels {
            level.close_counts();
        }
        // Backwards: each cell fills from its end.
        for (body, &cell) in bodies.iter().zip(&self.cells).rev() {
            if cell != END {
                let level = self.level_of(body);
                self.levels[level].list(cell, body);
            }
        }
        n_left
    }

    /// Decides from the sizes alone which levels there are and how large their cells.
    fn plan(&mut self, low: [i32; 2], high: [i32; 2]) {
        let mut sizes = self.sizes;
        self.level_of_bits = [[u8::MAX; 32]; KINDS];
        // So few thin bodies are not worth a level.
        let [own, thin @ ..] = &mut sizes;
        let mut is_apart = [true; KINDS];
        for (thin, is_apart) in thin.iter().zip(&mut is_apart[1..]) {
            if thin.iter().sum::<u32>() < MIN_COUNT {
                *is_apart = false;
                for (own, thin) in own.iter_mut().zip(thin) {
                    *own += thin;
                }
            }
        }
        let mut n_levels = 0;
        for (kind, sizes) in sizes.iter().enumerate().filter(|(kind, _)| is_apart[*kind]) {
            n_levels = self.plan_kind(kind, sizes, n_levels, low, high);
        }
        let [own, thin @ ..] = &mut self.level_of_bits;
        for (thin, is_apart) in thin.iter_mut().zip(&is_apart[1..]) {
            if !is_apart {
                *thin = *own;
            }
        }
        self.levels.truncate(n_levels);
    }

    /// Makes the levels of one kind after the first `n_before`; gives how many there are then.
    fn plan_kind(
        &mut self,
        kind: usize,
        sizes: &[u32; 32],
        n_before: usize,
        low: [i32; 2],
        high: [i32; 2],
    ) -> usize {
        let mut bits = 32;
        let mut planned: [(u32, u32, usize); 32] = [(0, 0, 0); 32];
        let mut n_planned = 0;
        // From the largest down, two sizes to a level.
        while bits > 0 {
            bits -= 1;
            if sizes[bits] == 0 {
                continue;
            }
            let mut n_bodies = sizes[bits];
            let top = bits;
            if bits > 0 {
                bits -= 1;
                n_bodies += sizes[bits];
            }
            if n_planned > 0 && n_bodies < MIN_COUNT {
                planned[n_planned - 1].1 += n_bodies;
                planned[n_planned - 1].2 = bits;
            } else {
                planned[n_planned] = (top as u32, n_bodies, bits);
                n_planned += 1;
            }
        }
        let n_levels = n_before + n_planned;
        if self.levels.len() < n_levels {
            self.levels.resize_with(n_levels, Level::default);
        }
        let level_of_bits = &mut self.level_of_bits[kind];
        for (number, &(top, n_bodies, lowest)) in planned[..n_planned].iter().rev().enumerate() {
            let number = n_before + number;
            self.levels[number].reset(low, high, kind, top, n_bodies);
            level_of_bits[lowest..=top as usize].fill(number as u8);
        }
        if n_planned > 0 {
            // What is smaller than all that is there goes to the finest level too.
            let finest = planned[n_planned - 1].2;
            level_of_bits[..finest].fill(n_before as u8);
            for bits in 1..32 {
                if level_of_bits[bits] == u8::MAX && bits < planned[0].0 as usize {
                    let above = (bits..32).find(|&b| level_of_bits[b] != u8::MAX);
                    level_of_bits[bits] = above.map_or(u8::MAX, |b| level_of_bits[b]);
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
