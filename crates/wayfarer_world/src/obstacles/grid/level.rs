//! One level of the grid: bodies of about one size, listed cell by cell.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "cell numbers are clamped to the level before they are cast"
)]

use super::super::obstacle::ObstacleBody;
use super::{CELLS_PER_BODY, END, FINER, MAX_CELLS, SPARE_CELLS};

/// From so many bodies on a level keeps no copies of them: they would no longer be at hand.
const LARGE: u32 = 1 << 15;
/// After so many bodies a gap is left in the list of a large level.
const BETWEEN_GAPS: u32 = 16;
/// Farthest to look for a gap, in places of the list and in cells.
const MAX_GAP: usize = 64;

/// Bodies of about one size, listed by cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Level {
    origin: [i32; 2],
    /// Cells measure two to these powers, each way.
    shift: [u32; 2],
    /// Columns and rows.
    count: [i32; 2],
    /// Where each cell begins in the list, and the end of the last.
    starts: Vec<u32>,
    /// If true the list is `copies`, else it is `slots`; the other is empty.
    has_copies: bool,
    /// The bodies; of no type for a gap.
    copies: Vec<ObstacleBody>,
    /// The places of the bodies; `END` for a gap.
    slots: Vec<u32>,
    /// The longest sides of its bodies.
    pub(crate) largest: [i32; 2],
    /// The first of each cell's chain; empty if nothing is chained.
    heads: Vec<u32>,
    chained: Vec<(u32, u32)>,
    free: u32,
}

/// Sorting anew: reset, count every body, close the counts, list every body from the last.
impl Level {
    /// Makes room for `n_bodies` of a kind and of sizes of at most 2^`bits`.
    pub(super) fn reset(
        &mut self,
        low: [i32; 2],
        high: [i32; 2],
        kind: usize,
        bits: u32,
        n_bodies: u32,
    ) {
        let sides = [0, 1].map(|axis| u64::from(high[axis].abs_diff(low[axis])));
        let most = (u64::from(n_bodies) * CELLS_PER_BODY + SPARE_CELLS).min(MAX_CELLS);
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
        self.has_copies = n_bodies < LARGE;
        self.slots.clear();
        if self.has_copies {
            // Every place is written when bodies are listed: what was there may stay until then.
            self.copies.resize(n_bodies as usize, ObstacleBody::NOTHING);
        } else {
            self.copies.clear();
            // As many as there can be, so that one more gap than last time takes no memory.
            self.slots
                .reserve((n_bodies + n_bodies / BETWEEN_GAPS) as usize);
        }
        self.largest = [0; 2];
        self.heads.clear();
        self.chained.clear();
        self.free = END;
    }

    /// Counts all bodies of a field that has this level only, and puts the cell of each into
    /// `cells`; gives how many were in another.
    pub(super) fn count_all(&mut self, bodies: &[ObstacleBody], cells: &mut [u32]) -> u32 {
        let (origin, shift, columns) = (self.origin, self.shift, self.count[0]);
        let last = self.count.map(|count| count - 1);
        let (mut largest, mut n_left) = ([0; 2], 0);
        let starts = &mut self.starts[..];
        for (body, place) in bodies.iter().zip(cells) {
            if body.types == 0 {
                *place = END;
                continue;
            }
            let x = ((body.low[0] - origin[0]) >> shift[0]).clamp(0, last[0]);
            let y = ((body.low[1] - origin[1]) >> shift[1]).clamp(0, last[1]);
            let cell = y * columns + x;
            starts[cell as usize] += 1;
            n_left += u32::from(*place != cell as u32);
            *place = cell as u32;
            largest = [
                (body.high[0] - body.low[0]).max(largest[0]),
                (body.high[1] - body.low[1]).max(largest[1]),
            ];
        }
        self.largest = largest;
        n_left
    }

    /// Counts a body and gives its cell.
    #[inline]
    pub(super) fn count_in(&mut self, body: &ObstacleBody) -> u32 {
        let cell = self.cell_of(body.low);
        self.starts[cell] += 1;
        self.reach(body);
        cell as u32
    }

    /// From counts of bodies to where the bodies of the cells end, gaps left out; listing moves
    /// that to where they begin.
    pub(super) fn close_counts(&mut self) {
        let mut sum = 0;
        if self.has_copies {
            for start in &mut self.starts {
                sum += *start;
                *start = sum;
            }
            return;
        }
        let mut next_gap = BETWEEN_GAPS;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
            // At most one in each cell: a crowded one has others near enough.
            if sum >= next_gap {
                sum += 1;
                next_gap = sum + BETWEEN_GAPS;
            }
        }
        let n_places = self.starts.last().copied().unwrap_or_default();
        self.slots.resize(n_places as usize, END);
    }

    /// Lists all bodies of a field that has this level only, by the cell of each.
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

    /// Lists the last body of a cell that is not listed yet.
    #[inline]
    pub(super) fn list(&mut self, cell: u32, body: &ObstacleBody) {
        let start = &mut self.starts[cell as usize];
        *start -= 1;
        let place = *start as usize;
        self.write(place, body);
    }
}

/// Following single bodies.
impl Level {
    fn write(&mut self, place: usize, body: &ObstacleBody) {
        if self.has_copies {
            self.copies[place] = *body;
        } else {
            self.slots[place] = body.slot;
        }
    }

    fn reach(&mut self, body: &ObstacleBody) {
        for axis in 0..2 {
            self.largest[axis] = self.largest[axis].max(body.high[axis] - body.low[axis]);
        }
    }

    /// True if each body that moves must be followed, even within its cell.
    #[inline]
    pub(super) const fn has_copies(&self) -> bool {
        self.has_copies
    }

    /// True if nothing need be done about a body whose north-west corner was at `old` and is at
    /// `new`. Asked about what lies outside it may say no though it need not.
    #[inline]
    pub(super) fn ignores(&self, old: [i32; 2], new: [i32; 2]) -> bool {
        let differ = |axis: usize| {
            let origin = self.origin[axis];
            ((old[axis] - origin) ^ (new[axis] - origin)) >> self.shift[axis]
        };
        (differ(0) | differ(1) == 0) & !self.has_copies
    }

    /// Takes in that a body of this level was `old` and is `new`; false if that took what makes
    /// questions slower.
    pub(super) fn shift(&mut self, old: &ObstacleBody, new: &ObstacleBody) -> bool {
        let cell = self.cell_of(old.low);
        let fits = (0..2).all(|axis| new.high[axis] - new.low[axis] <= self.largest[axis]);
        if !fits || cell != self.cell_of(new.low) {
            self.take(old);
            return self.put(new);
        }
        if self.has_copies
            && let Some(place) = self.find(cell, new.slot)
        {
            self.copies[place] = *new;
        }
        true
    }

    /// Where a body is listed in a cell, unless it is chained.
    fn find(&self, cell: usize, slot: u32) -> Option<usize> {
        let (start, end) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
        let place = if self.has_copies {
            let copies = self.copies[start..end].iter();
            copies.map(|body| body.slot).position(|it| it == slot)
        } else {
            self.slots[start..end].iter().position(|it| *it == slot)
        };
        Some(start + place?)
    }

    /// Lists a body in its cell; false if there was no room and it is chained.
    pub(super) fn put(&mut self, body: &ObstacleBody) -> bool {
        self.reach(body);
        let cell = self.cell_of(body.low);
        if let Some(gap) = self.make_room(cell) {
            self.write(gap, body);
            return true;
        }
        if self.heads.is_empty() {
            self.heads.resize(self.starts.len() - 1, END);
        }
        let link = (body.slot, self.heads[cell]);
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
        false
    }

    /// A gap in the list of a cell, from itself or, in a large level, from a cell not far behind.
    fn make_room(&mut self, cell: usize) -> Option<usize> {
        if self.has_copies {
            return self.find(cell, END);
        }
        let (start, end) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
        let last = self.slots.len().min(end + MAX_GAP);
        let mut gap = start
            + self.slots[start..last]
                .iter()
                .position(|slot| *slot == END)?;
        if gap < end {
            return Some(gap);
        }
        // The cell that has it is the last that does not begin behind it.
        let cells = self.starts[cell + 1..self.starts.len() - 1].iter();
        let near = cells.take(MAX_GAP + 1);
        let n_between = near.take_while(|start| **start as usize <= gap).count();
        if n_between > MAX_GAP {
            return None;
        }
        // Each cell between gives its first place to the one before and takes one at its end.
        for start in self.starts[cell + 1..=cell + n_between].iter_mut().rev() {
            self.slots[gap] = self.slots[*start as usize];
            gap = *start as usize;
            *start += 1;
        }
        Some(gap)
    }

    /// Takes a body off the list of its cell.
    pub(super) fn take(&mut self, body: &ObstacleBody) {
        let cell = self.cell_of(body.low);
        if let Some(place) = self.find(cell, body.slot) {
            self.write(place, &ObstacleBody::NOTHING);
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

/// Looking.
impl Level {
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

    /// Where columns `from` to `to` of a row begin and end in the list.
    #[inline]
    pub(crate) fn run(&self, row: i32, from: i32, to: i32) -> [usize; 2] {
        let base = row * self.count[0];
        let at = |column: i32| self.starts[(base + column) as usize] as usize;
        [at(from), at(to + 1)]
    }

    /// The bodies cell by cell; none in a large level. Gaps are of no type.
    #[inline]
    pub(crate) fn copies(&self) -> Option<&[ObstacleBody]> {
        self.has_copies.then_some(&self.copies[..])
    }

    /// The places of the bodies cell by cell in a large level; a gap is beyond all places.
    #[inline]
    pub(crate) fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// True if bodies are chained.
    #[inline]
    pub(crate) const fn has_chains(&self) -> bool {
        !self.heads.is_empty()
    }

    /// The places of all bodies that are chained.
    pub(crate) fn chained(&self) -> impl Iterator<Item = u32> {
        let slots = self.chained.iter().map(|(slot, _)| *slot);
        slots.filter(|slot| *slot != END)
    }

    /// The places of the bodies chained to a cell.
    fn chain(&self, cell: usize) -> impl Iterator<Item = u32> {
        let mut next = self.heads.get(cell).copied().unwrap_or(END);
        std::iter::from_fn(move || {
            let (slot, after) = self.chained.get(next as usize)?;
            next = *after;
            Some(*slot)
        })
    }

    /// Calls `visit` with every body of these rows and columns; there may be some of no type.
    /// `COPIES` must be whether there are copies.
    #[inline]
    pub(crate) fn each_in<const COPIES: bool>(
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
                    // A gap is beyond all bodies.
                    if let Some(body) = bodies.get(slot as usize) {
                        visit(body);
                    }
                }
            }
        }
        if self.has_chains() {
            self.each_in_chains(bodies, rows, columns, &mut visit);
        }
    }

    #[cold]
    fn each_in_chains(
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

    /// Calls `visit` with every body whose north-west corner may lie between `low` and `high`;
    /// there may be some of no type.
    #[inline]
    pub(crate) fn each_within(
        &self,
        bodies: &[ObstacleBody],
        low: [i32; 2],
        high: [i32; 2],
        visit: impl FnMut(&ObstacleBody),
    ) {
        let columns = [self.index(0, low[0]), self.index(0, high[0])];
        let rows = [self.index(1, low[1]), self.index(1, high[1])];
        if self.has_copies {
            self.each_in::<true>(bodies, rows, columns, visit);
        } else {
            self.each_in::<false>(bodies, rows, columns, visit);
        }
    }

    /// The same, and tells whether a body is chained.
    pub(crate) fn each_apart(
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
        self.each_in_chains(bodies, rows, columns, &mut |body| visit(body, true));
    }

    pub(super) fn heap_bytes(&self) -> usize {
        (self.starts.capacity() + self.slots.capacity() + self.heads.capacity()) * size_of::<u32>()
            + self.copies.capacity() * size_of::<ObstacleBody>()
            + self.chained.capacity() * size_of::<(u32, u32)>()
    }
}
