//! Who is where: bodies sorted by the cell of their north-west corner, in levels by size.
//!
//! A level's cells are at least as large as its largest body, so a body reaches at most one cell
//! further east and south. Each body is kept once, in the cell of its north-west corner; cells
//! follow each other row by row in one list, so that neighbours in a row are one run of memory.
//! Between two rebuilds a body that leaves its cell leaves a gap and is chained to its new cell.
//!
//! Long thin walls have levels of their own, one kind for those that run east and one for those
//! that run south: cells as long as they are, but much finer across, so that a ray does not meet
//! every wall of its neighbourhood. A thin body may reach over several cells across its length.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "cell numbers are clamped to the level before they are cast"
)]

use super::entity::Body;

/// Most cells of a level, so that an empty world takes no memory.
const MOST_CELLS: u64 = 1 << 22;
/// Cells that a level may have for each body, and those it may have besides.
const CELLS_PER_BODY: u64 = 2;
const SPARE_CELLS: u64 = 64;
/// Levels with fewer bodies than this join the next larger one.
const FEWEST: u32 = 8;
/// A body at least so many times as long as it is thick counts as thin.
const THIN: i32 = 8;
/// How much finer the cells of thin bodies are across than along, as a power of two, at most.
const FINER: u32 = 10;
/// Kinds of bodies with levels of their own: neither, those that run east, those that run south.
const KINDS: usize = 3;
/// The ends of a chain.
const END: u32 = u32::MAX;

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
    cells: Vec<u32>,
}

/// Bodies of about one size, sorted by cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Level {
    origin: [i32; 2],
    /// Cells measure two to these powers, each way.
    shift: [u32; 2],
    /// Columns and rows.
    count: [i32; 2],
    /// Where each cell begins in `bodies`, and the end of the last.
    starts: Vec<u32>,
    pub(crate) bodies: Vec<Body>,
    /// The longest sides of its bodies.
    pub(crate) largest: [i32; 2],
    /// The first of each cell's chain; empty if nothing is chained.
    heads: Vec<u32>,
    chained: Vec<(Body, u32)>,
    free: u32,
}

const fn bits_of(body_size: i32) -> usize {
    (32 - (body_size - 1).leading_zeros()) as usize
}

/// The kind of a body, and the number of bits of its size.
#[inline]
fn class_of(body: &Body) -> (usize, usize) {
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
    pub(crate) fn count(&mut self, body: &Body, comes: bool) {
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

    #[inline]
    fn level_of(&self, body: &Body) -> usize {
        let (kind, bits) = class_of(body);
        usize::from(self.level_of_bits[kind][bits])
    }

    /// True if a body of this size has a level to go to.
    pub(crate) fn has_room(&self, body: &Body) -> bool {
        self.level_of(body) < self.levels.len()
    }

    /// Puts a body in.
    pub(crate) fn put(&mut self, body: Body) {
        let level = self.level_of(&body);
        self.n_strays += 1;
        self.levels[level].put(body);
    }

    /// Takes the body out that is as `body` is.
    pub(crate) fn take(&mut self, body: &Body) {
        let level = self.level_of(body);
        self.n_strays += 1;
        self.levels[level].take(body);
    }

    /// Changes a body; in place if it stays in its cell.
    pub(crate) fn shift(&mut self, old: &Body, new: Body) {
        let index = self.level_of(old);
        let stays = index == self.level_of(&new);
        let level = &mut self.levels[index];
        let sides = [new.high[0] - new.low[0], new.high[1] - new.low[1]];
        let fits = sides[0] <= level.largest[0] && sides[1] <= level.largest[1];
        if fits
            && level.cell_of(old.low) == level.cell_of(new.low)
            && stays
            && let Some(place) = level.find(old)
        {
            *place = new;
            return;
        }
        self.take(old);
        self.put(new);
    }

    /// Sorts everything anew. `low` and `high` are the corners of the world.
    pub(crate) fn rebuild(&mut self, bodies: &[Body], low: [i32; 2], high: [i32; 2]) {
        self.plan(low, high);
        self.n_strays = 0;
        self.cells.resize(bodies.len(), END);
        if let [level] = &mut self.levels[..] {
            level.sort_all(bodies, &mut self.cells);
            return;
        }
        for (body, place) in bodies.iter().zip(&mut self.cells) {
            if body.types == 0 {
                *place = END;
                continue;
            }
            let (kind, bits) = class_of(body);
            let level = &mut self.levels[usize::from(self.level_of_bits[kind][bits])];
            let cell = level.cell_of(body.low);
            level.starts[cell + 1] += 1;
            level.largest = [
                level.largest[0].max(body.high[0] - body.low[0]),
                level.largest[1].max(body.high[1] - body.low[1]),
            ];
            *place = cell as u32;
        }
        for level in &mut self.levels {
            level.close_counts();
        }
        for (body, &cell) in bodies.iter().zip(&self.cells) {
            if cell != END {
                let level = self.level_of(body);
                let level = &mut self.levels[level];
                let place = &mut level.starts[cell as usize];
                level.bodies[*place as usize] = *body;
                *place += 1;
            }
        }
        for level in &mut self.levels {
            level.reopen_counts();
        }
    }

    /// Decides from the sizes alone which levels there are and how large their cells.
    fn plan(&mut self, low: [i32; 2], high: [i32; 2]) {
        let mut sizes = self.sizes;
        self.level_of_bits = [[u8::MAX; 32]; KINDS];
        // So few thin bodies are not worth a level.
        let [own, thin @ ..] = &mut sizes;
        let mut is_apart = [true; KINDS];
        for (thin, is_apart) in thin.iter().zip(&mut is_apart[1..]) {
            if thin.iter().sum::<u32>() < FEWEST {
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
            if n_planned > 0 && n_bodies < FEWEST {
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

impl Level {
    /// Makes room for `n_bodies` of a kind and of sizes of at most 2^`bits`.
    fn reset(&mut self, low: [i32; 2], high: [i32; 2], kind: usize, bits: u32, n_bodies: u32) {
        let sides = [0, 1].map(|axis| u64::from(high[axis].abs_diff(low[axis])));
        let most = (u64::from(n_bodies) * CELLS_PER_BODY + SPARE_CELLS).min(MOST_CELLS);
        let mut shift = [bits; 2];
        if kind > 0 {
            shift[2 - kind] = bits.saturating_sub(FINER);
        }
        let count = |shift: [u32; 2]| [0, 1].map(|axis: usize| (sides[axis] >> shift[axis]) + 1);
        while {
            let [columns, rows] = count(shift);
            columns * rows > most
        } {
            let finest = shift[0].min(shift[1]);
            shift = shift.map(|shift| if shift == finest { shift + 1 } else { shift });
        }
        self.origin = low;
        self.shift = shift;
        self.count = count(shift).map(|count| count as i32);
        let n_cells = (self.count[0] * self.count[1]) as usize;
        self.starts.clear();
        self.starts.resize(n_cells + 1, 0);
        // Every place is written when bodies are put, so what was there may stay until then.
        self.bodies.resize(n_bodies as usize, Body::NOTHING);
        self.largest = [0; 2];
        self.heads.clear();
        self.chained.clear();
        self.free = END;
    }

    /// Sorts all bodies of a field that has this level only; `cells` is scratch for the cell of
    /// each.
    fn sort_all(&mut self, bodies: &[Body], cells: &mut [u32]) {
        let (origin, shift, columns) = (self.origin, self.shift, self.count[0]);
        let last = self.count.map(|count| count - 1);
        let mut largest = [0; 2];
        let starts = &mut self.starts[..];
        for (body, place) in bodies.iter().zip(&mut *cells) {
            if body.types == 0 {
                *place = END;
                continue;
            }
            let x = ((body.low[0] - origin[0]) >> shift[0]).clamp(0, last[0]);
            let y = ((body.low[1] - origin[1]) >> shift[1]).clamp(0, last[1]);
            let cell = y * columns + x;
            starts[cell as usize + 1] += 1;
            *place = cell as u32;
            largest = [
                (body.high[0] - body.low[0]).max(largest[0]),
                (body.high[1] - body.low[1]).max(largest[1]),
            ];
        }
        self.largest = largest;
        self.close_counts();
        let (starts, sorted) = (&mut self.starts[..], &mut self.bodies[..]);
        for (body, &cell) in bodies.iter().zip(&*cells) {
            if cell != END {
                let place = &mut starts[cell as usize];
                sorted[*place as usize] = *body;
                *place += 1;
            }
        }
        self.reopen_counts();
    }

    /// From counts of bodies, each noted one place late, to where the cells begin.
    fn close_counts(&mut self) {
        let mut sum = 0;
        for start in &mut self.starts[1..] {
            let count = *start;
            *start = sum + count;
            sum += count;
        }
    }

    /// Undoes what putting did: each start has moved to the start of the next.
    fn reopen_counts(&mut self) {
        let last = self.starts.len() - 1;
        self.starts.copy_within(0..last, 1);
        self.starts[0] = 0;
    }

    /// Column or row of a coordinate; what lies outside counts to the border.
    #[inline]
    pub(crate) fn index(&self, axis: usize, at: i32) -> i32 {
        ((at - self.origin[axis]) >> self.shift[axis]).clamp(0, self.count[axis] - 1)
    }

    #[inline]
    fn cell_of(&self, low: [i32; 2]) -> usize {
        (self.index(1, low[1]) * self.count[0] + self.index(0, low[0])) as usize
    }

    /// True if no body reaches farther than into the next cell, either way.
    pub(crate) fn is_tight(&self) -> bool {
        (0..2).all(|axis| self.largest[axis] <= 1 << self.shift[axis])
    }

    /// Columns and rows.
    #[inline]
    pub(crate) const fn counts(&self) -> [i32; 2] {
        self.count
    }

    /// The coordinates that belong to column or row `index`; the border reaches to the end.
    #[inline]
    pub(crate) fn span(&self, axis: usize, index: i32) -> [i32; 2] {
        let low = self.origin[axis] + (index << self.shift[axis]);
        [
            if index == 0 { i32::MIN / 2 } else { low },
            if index == self.count[axis] - 1 {
                i32::MAX / 2
            } else {
                low + ((1 << self.shift[axis]) - 1)
            },
        ]
    }

    /// The bodies of columns `from` to `to` of a row, without those chained.
    #[inline]
    pub(crate) fn run(&self, row: i32, from: i32, to: i32) -> &[Body] {
        let base = row * self.count[0];
        let start = self.starts[(base + from) as usize] as usize;
        let end = self.starts[(base + to + 1) as usize] as usize;
        &self.bodies[start..end]
    }

    /// True if bodies are chained.
    #[inline]
    pub(crate) const fn has_chains(&self) -> bool {
        !self.heads.is_empty()
    }

    /// The bodies chained to a cell.
    pub(crate) fn chain(&self, row: i32, column: i32) -> impl Iterator<Item = &Body> {
        let cell = (row * self.count[0] + column) as usize;
        let mut next = self.heads.get(cell).copied().unwrap_or(END);
        std::iter::from_fn(move || {
            let (body, after) = self.chained.get(next as usize)?;
            next = *after;
            Some(body)
        })
    }

    /// Calls `visit` with every body whose north-west corner may lie between `low` and `high`,
    /// until it says true; true if it did.
    #[inline]
    pub(crate) fn any(
        &self,
        low: [i32; 2],
        high: [i32; 2],
        mut visit: impl FnMut(&Body) -> bool,
    ) -> bool {
        let (from, to) = (self.index(0, low[0]), self.index(0, high[0]));
        for row in self.index(1, low[1])..=self.index(1, high[1]) {
            if self.run(row, from, to).iter().any(&mut visit) {
                return true;
            }
            if self.has_chains() {
                for column in from..=to {
                    if self.chain(row, column).any(&mut visit) {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn find(&mut self, body: &Body) -> Option<&mut Body> {
        let cell = self.cell_of(body.low);
        let (start, end) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
        let sorted = &mut self.bodies[start..end];
        if let Some(place) = sorted.iter().position(|other| other.slot == body.slot) {
            return Some(&mut sorted[place]);
        }
        let mut next = self.heads.get(cell).copied().unwrap_or(END);
        while let Some((other, after)) = self.chained.get(next as usize) {
            if other.slot == body.slot {
                return Some(&mut self.chained[next as usize].0);
            }
            next = *after;
        }
        None
    }

    fn put(&mut self, body: Body) {
        for axis in 0..2 {
            self.largest[axis] = self.largest[axis].max(body.high[axis] - body.low[axis]);
        }
        let cell = self.cell_of(body.low);
        let (start, end) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
        if let Some(gap) = self.bodies[start..end]
            .iter_mut()
            .find(|body| body.types == 0)
        {
            *gap = body;
            return;
        }
        if self.heads.is_empty() {
            self.heads.resize(self.starts.len() - 1, END);
        }
        let link = (body, self.heads[cell]);
        let place = if self.free == END {
            self.chained.push(link);
            self.chained.len() as u32 - 1
        } else {
            let place = self.free;
            self.free = self.chained[place as usize].1;
            self.chained[place as usize] = link;
            place
        };
        self.heads[cell] = place;
    }

    fn take(&mut self, body: &Body) {
        let cell = self.cell_of(body.low);
        let (start, end) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
        let mut sorted = self.bodies[start..end].iter_mut();
        if let Some(place) = sorted.find(|other| other.slot == body.slot) {
            *place = Body::NOTHING;
            return;
        }
        let mut before = END;
        let mut next = self.heads.get(cell).copied().unwrap_or(END);
        while next != END {
            let (other, after) = self.chained[next as usize];
            if other.slot == body.slot {
                if before == END {
                    self.heads[cell] = after;
                } else {
                    self.chained[before as usize].1 = after;
                }
                self.chained[next as usize] = (Body::NOTHING, self.free);
                self.free = next;
                return;
            }
            (before, next) = (next, after);
        }
    }

    fn heap_bytes(&self) -> usize {
        (self.starts.capacity() + self.heads.capacity()) * size_of::<u32>()
            + self.bodies.capacity() * size_of::<Body>()
            + self.chained.capacity() * size_of::<(Body, u32)>()
    }
}
