//! One level of the grid: bodies of similar size, listed by cell.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "cell numbers are clamped to the level before they are cast"
)]

use super::super::obstacle::ObstacleBody;
use super::{CELLS_PER_BODY, END, MAX_CELLS, MAX_REFINEMENT_BITS, SPARE_CELLS};

/// Levels with at least this many bodies store no copies: these would no longer fit the cache.
const MIN_UNCOPIED: u32 = 1 << 15;
/// A large level reserves a gap after this many bodies.
const GAP_INTERVAL: u32 = 16;
/// Maximum distance of a gap, in entries and in cells.
const MAX_GAP_DISTANCE: usize = 64;

/// Bodies of similar size, listed by cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Level {
    origin: [i32; 2],
    /// Log2 of the cell size per axis.
    shift: [u32; 2],
    /// Columns and rows.
    count: [i32; 2],
    /// The start of each cell in the list, and the end of the last.
    starts: Vec<u32>,
    /// True if the list is `copies`, else it is `slots`; the other is empty.
    has_copies: bool,
    /// The bodies; a gap is vacant.
    copies: Vec<ObstacleBody>,
    /// The slots of the bodies; `END` for a gap.
    slots: Vec<u32>,
    /// The longest sides of its bodies.
    pub(crate) largest: [i32; 2],
    /// The head of each cell's overflow chain; empty if no body is chained.
    heads: Vec<u32>,
    chained: Vec<(u32, u32)>,
    free: u32,
}

/// Counting sort: reset, count every body, prefix sums, append every body from the last.
impl Level {
    /// Prepares for `n_bodies` of a class with sizes of at most 2^`bits`.
    pub(super) fn reset(
        &mut self,
        low: [i32; 2],
        high: [i32; 2],
        class: usize,
        bits: u32,
        n_bodies: u32,
    ) {
        let sides = [0, 1].map(|axis| u64::from(high[axis].abs_diff(low[axis])));
        let max_cells = (u64::from(n_bodies) * CELLS_PER_BODY + SPARE_CELLS).min(MAX_CELLS);
        let mut shift = [bits; 2];
        if class > 0 {
            shift[2 - class] = bits.saturating_sub(MAX_REFINEMENT_BITS);
        }
        let count = |shift: [u32; 2]| [0, 1].map(|axis: usize| (sides[axis] >> shift[axis]) + 1);
        while {
            let [columns, rows] = count(shift);
            columns * rows > max_cells
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
        self.has_copies = n_bodies < MIN_UNCOPIED;
        self.slots.clear();
        if self.has_copies {
            // Every entry is overwritten when bodies are listed.
            self.copies.resize(n_bodies as usize, ObstacleBody::VACANT);
        } else {
            self.copies.clear();
            // Capacity for all possible gaps, to avoid later growth.
            self.slots
                .reserve((n_bodies + n_bodies / GAP_INTERVAL) as usize);
        }
        self.largest = [0; 2];
        self.heads.clear();
        self.chained.clear();
        self.free = END;
    }

    /// Counts all bodies of a grid with this level only and stores their cells in `cells`; returns
    /// how many changed cells.
    pub(super) fn count_all(&mut self, bodies: &[ObstacleBody], cells: &mut [u32]) -> u32 {
        let (origin, shift, columns) = (self.origin, self.shift, self.count[0]);
        let last = self.count.map(|count| count - 1);
        let (mut largest, mut n_moved) = ([0; 2], 0);
        let starts = &mut self.starts[..];
        for (body, stored) in bodies.iter().zip(cells) {
            if body.categories == 0 {
                *stored = END;
                continue;
            }
            let x = ((body.low[0] - origin[0]) >> shift[0]).clamp(0, last[0]);
            let y = ((body.low[1] - origin[1]) >> shift[1]).clamp(0, last[1]);
            let cell = y * columns + x;
            starts[cell as usize] += 1;
            n_moved += u32::from(*stored != cell as u32);
            *stored = cell as u32;
            largest = [
                (body.high[0] - body.low[0]).max(largest[0]),
                (body.high[1] - body.low[1]).max(largest[1]),
            ];
        }
        self.largest = largest;
        n_moved
    }

    /// Counts a body and returns its cell.
    #[inline]
    pub(super) fn count_in(&mut self, body: &ObstacleBody) -> u32 {
        let cell = self.cell_of(body.low);
        self.starts[cell] += 1;
        self.update_largest(body);
        cell as u32
    }

    /// Prefix sums: counts become the ends of the cells, excluding gaps; appending moves them to
    /// the starts.
    pub(super) fn close_counts(&mut self) {
        let mut sum = 0;
        if self.has_copies {
            for start in &mut self.starts {
                sum += *start;
                *start = sum;
            }
            return;
        }
        let mut next_gap = GAP_INTERVAL;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
            // At most one gap per cell: crowded cells have others nearby.
            if sum >= next_gap {
                sum += 1;
                next_gap = sum + GAP_INTERVAL;
            }
        }
        let n_entries = self.starts.last().copied().unwrap_or_default();
        self.slots.resize(n_entries as usize, END);
    }

    /// Lists all bodies of a grid with this level only, by cell.
    pub(super) fn list_all(&mut self, bodies: &[ObstacleBody], cells: &[u32]) {
        let starts = &mut self.starts[..];
        if self.has_copies {
            let copies = &mut self.copies[..];
            for (body, &cell) in bodies.iter().zip(cells).rev() {
                if cell != END {
                    let start = &mut starts[cell as usize];
                    *start -= 1;
                    copies[*start as usize] = *body;
                }
            }
        } else {
            let slots = &mut self.slots[..];
            for (slot, &cell) in cells.iter().enumerate().rev() {
                if cell != END {
                    let start = &mut starts[cell as usize];
                    *start -= 1;
                    slots[*start as usize] = slot as u32;
                }
            }
        }
    }

    /// Lists the last unlisted body of a cell.
    #[inline]
    pub(super) fn append(&mut self, cell: u32, body: &ObstacleBody) {
        let start = &mut self.starts[cell as usize];
        *start -= 1;
        let position = *start as usize;
        self.write(position, body);
    }
}

/// Single updates.
impl Level {
    fn write(&mut self, position: usize, body: &ObstacleBody) {
        if self.has_copies {
            self.copies[position] = *body;
        } else {
            self.slots[position] = body.slot;
        }
    }

    fn update_largest(&mut self, body: &ObstacleBody) {
        for axis in 0..2 {
            self.largest[axis] = self.largest[axis].max(body.high[axis] - body.low[axis]);
        }
    }

    /// True if every moving body needs an update, even within its cell.
    #[inline]
    pub(super) const fn has_copies(&self) -> bool {
        self.has_copies
    }

    /// True if moving a body from north-west corner `old` to `new` needs no update. Conservative
    /// outside the bounds.
    #[inline]
    pub(super) fn is_unaffected(&self, old: [i32; 2], new: [i32; 2]) -> bool {
        let differ = |axis: usize| {
            let origin = self.origin[axis];
            ((old[axis] - origin) ^ (new[axis] - origin)) >> self.shift[axis]
        };
        (differ(0) | differ(1) == 0) & !self.has_copies
    }

    /// Updates a body of this level from `old` to `new`; false if queries become slower.
    pub(super) fn relocate(&mut self, old: &ObstacleBody, new: &ObstacleBody) -> bool {
        let cell = self.cell_of(old.low);
        let fits = (0..2).all(|axis| new.high[axis] - new.low[axis] <= self.largest[axis]);
        if !fits || cell != self.cell_of(new.low) {
            self.remove(old);
            return self.insert(new);
        }
        if self.has_copies
            && let Some(position) = self.find(cell, new.slot)
        {
            self.copies[position] = *new;
        }
        true
    }

    /// The position of a body in the list of its cell; `None` if it is chained.
    fn find(&self, cell: usize, slot: u32) -> Option<usize> {
        let (start, end) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
        let position = if self.has_copies {
            let copies = self.copies[start..end].iter();
            copies.map(|body| body.slot).position(|other| other == slot)
        } else {
            self.slots[start..end]
                .iter()
                .position(|other| *other == slot)
        };
        Some(start + position?)
    }

    /// Lists a body in its cell; false if it had to be chained.
    pub(super) fn insert(&mut self, body: &ObstacleBody) -> bool {
        self.update_largest(body);
        let cell = self.cell_of(body.low);
        if let Some(gap) = self.make_gap(cell) {
            self.write(gap, body);
            return true;
        }
        if self.heads.is_empty() {
            self.heads.resize(self.starts.len() - 1, END);
        }
        let entry = (body.slot, self.heads[cell]);
        let index = if self.free == END {
            self.chained.push(entry);
            self.chained.len() as u32 - 1
        } else {
            let index = self.free;
            self.free = self.chained[index as usize].1;
            self.chained[index as usize] = entry;
            index
        };
        self.heads[cell] = index;
        false
    }

    /// A gap in the list of a cell, taken from the cell itself or, in a large level, from one
    /// shortly behind.
    fn make_gap(&mut self, cell: usize) -> Option<usize> {
        if self.has_copies {
            return self.find(cell, END);
        }
        let (start, end) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
        let last = self.slots.len().min(end + MAX_GAP_DISTANCE);
        let mut gap = start
            + self.slots[start..last]
                .iter()
                .position(|slot| *slot == END)?;
        if gap < end {
            return Some(gap);
        }
        // The cell with the gap is the last one that starts at or before it.
        let cells = self.starts[cell + 1..self.starts.len() - 1].iter();
        let nearby = cells.take(MAX_GAP_DISTANCE + 1);
        let n_between = nearby.take_while(|start| **start as usize <= gap).count();
        if n_between > MAX_GAP_DISTANCE {
            return None;
        }
        // Each cell in between moves its first entry to its end.
        for start in self.starts[cell + 1..=cell + n_between].iter_mut().rev() {
            self.slots[gap] = self.slots[*start as usize];
            gap = *start as usize;
            *start += 1;
        }
        Some(gap)
    }

    /// Removes a body from its cell.
    pub(super) fn remove(&mut self, body: &ObstacleBody) {
        let cell = self.cell_of(body.low);
        if let Some(position) = self.find(cell, body.slot) {
            self.write(position, &ObstacleBody::VACANT);
            return;
        }
        let mut before = END;
        let mut next = self.heads.get(cell).copied().unwrap_or(END);
        while next != END {
            let (slot, after) = self.chained[next as usize];
            if slot == body.slot {
                if before == END {
                    self.heads[cell] = after;
                } else {
                    self.chained[before as usize].1 = after;
                }
                self.chained[next as usize] = (END, self.free);
                self.free = next;
                return;
            }
            (before, next) = (next, after);
        }
    }
}

/// Queries.
impl Level {
    /// The column or row of a coordinate, clamped to the border.
    #[inline]
    pub(crate) fn index(&self, axis: usize, at: i32) -> i32 {
        ((at - self.origin[axis]) >> self.shift[axis]).clamp(0, self.count[axis] - 1)
    }

    #[inline]
    fn cell_of(&self, low: [i32; 2]) -> usize {
        (self.index(1, low[1]) * self.count[0] + self.index(0, low[0])) as usize
    }

    /// True if no body extends beyond the next cell on either axis.
    pub(crate) fn is_tight(&self) -> bool {
        (0..2).all(|axis| self.largest[axis] <= 1 << self.shift[axis])
    }

    /// Columns and rows.
    #[inline]
    pub(crate) const fn counts(&self) -> [i32; 2] {
        self.count
    }

    /// The coordinates of column or row `index`; border cells are unbounded.
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

    /// The range of columns `from` to `to` of a row in the list.
    #[inline]
    pub(crate) fn run(&self, row: i32, from: i32, to: i32) -> [usize; 2] {
        let base = row * self.count[0];
        let at = |column: i32| self.starts[(base + column) as usize] as usize;
        [at(from), at(to + 1)]
    }

    /// The bodies by cell, gaps vacant; `None` in a large level.
    #[inline]
    pub(crate) fn copies(&self) -> Option<&[ObstacleBody]> {
        self.has_copies.then_some(&self.copies[..])
    }

    /// The slots by cell in a large level; a gap exceeds all slots.
    #[inline]
    pub(crate) fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// True if bodies are chained.
    #[inline]
    pub(crate) const fn has_chains(&self) -> bool {
        !self.heads.is_empty()
    }

    /// The slots of all chained bodies.
    pub(crate) fn chained(&self) -> impl Iterator<Item = u32> {
        let slots = self.chained.iter().map(|(slot, _)| *slot);
        slots.filter(|slot| *slot != END)
    }

    /// The slots of the bodies chained to a cell.
    fn chain(&self, cell: usize) -> impl Iterator<Item = u32> {
        let mut next = self.heads.get(cell).copied().unwrap_or(END);
        std::iter::from_fn(move || {
            let (slot, after) = self.chained.get(next as usize)?;
            next = *after;
            Some(*slot)
        })
    }

    /// Visits every body of these rows and columns, and possibly vacant ones. `COPIES` must equal
    /// `has_copies`.
    #[inline]
    pub(crate) fn for_each_in<const COPIES: bool>(
        &self,
        bodies: &[ObstacleBody],
        rows: [i32; 2],
        columns: [i32; 2],
        mut visit: impl FnMut(&ObstacleBody),
    ) {
        for row in rows[0]..=rows[1] {
            let [start, end] = self.run(row, columns[0], columns[1]);
            if COPIES {
                self.copies[start..end].iter().for_each(&mut visit);
            } else {
                for &slot in &self.slots[start..end] {
                    // A gap exceeds all slots.
                    if let Some(body) = bodies.get(slot as usize) {
                        visit(body);
                    }
                }
            }
        }
        if self.has_chains() {
            self.for_each_chained_in(bodies, rows, columns, &mut visit);
        }
    }

    #[cold]
    fn for_each_chained_in(
        &self,
        bodies: &[ObstacleBody],
        rows: [i32; 2],
        columns: [i32; 2],
        visit: &mut dyn FnMut(&ObstacleBody),
    ) {
        for row in rows[0]..=rows[1] {
            for column in columns[0]..=columns[1] {
                let cell = (row * self.count[0] + column) as usize;
                for slot in self.chain(cell) {
                    visit(&bodies[slot as usize]);
                }
            }
        }
    }

    /// Visits every body whose north-west corner may lie between `low` and `high`, and possibly
    /// vacant ones.
    #[inline]
    pub(crate) fn for_each_within(
        &self,
        bodies: &[ObstacleBody],
        low: [i32; 2],
        high: [i32; 2],
        visit: impl FnMut(&ObstacleBody),
    ) {
        let columns = [self.index(0, low[0]), self.index(0, high[0])];
        let rows = [self.index(1, low[1]), self.index(1, high[1])];
        if self.has_copies {
            self.for_each_in::<true>(bodies, rows, columns, visit);
        } else {
            self.for_each_in::<false>(bodies, rows, columns, visit);
        }
    }

    /// [`for_each_within`](Self::for_each_within), with whether the body is chained.
    pub(crate) fn for_each_within_or_chained(
        &self,
        bodies: &[ObstacleBody],
        low: [i32; 2],
        high: [i32; 2],
        mut visit: impl FnMut(&ObstacleBody, bool),
    ) {
        let columns = [self.index(0, low[0]), self.index(0, high[0])];
        let rows = [self.index(1, low[1]), self.index(1, high[1])];
        for row in rows[0]..=rows[1] {
            let [start, end] = self.run(row, columns[0], columns[1]);
            if self.has_copies {
                let copies = self.copies[start..end].iter();
                copies.for_each(|body| visit(body, false));
            } else {
                let slots = self.slots[start..end].iter();
                let listed = slots.filter_map(|slot| bodies.get(*slot as usize));
                listed.for_each(|body| visit(body, false));
            }
        }
        self.for_each_chained_in(bodies, rows, columns, &mut |body| visit(body, true));
    }

    pub(super) fn heap_bytes(&self) -> usize {
        (self.starts.capacity() + self.slots.capacity() + self.heads.capacity()) * size_of::<u32>()
            + self.copies.capacity() * size_of::<ObstacleBody>()
            + self.chained.capacity() * size_of::<(u32, u32)>()
    }
}
