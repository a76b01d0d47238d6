//! A short way over uniform ground, found quickly: from a cell to a cell, or into a block, within a
//! few blocks around.
//!
//! Places where a way may have to turn are found as the exact search finds them, on the bits of a
//! [window](super::window). What is left of the way counts a little more than it can cost at least
//! where it leads straight on, and much more where it leads aside: where things stand in the way,
//! diagonals are rare. So the way found is not always a cheapest one.
//!
//! Of all places on the open list the next is the one with the lowest total, then the one that was
//! first seen last; directions are looked at in a fixed order. So the way follows from the ground,
//! the ends and the blocks around alone.

use wayfarer_base::{Column, Cost, Direction};
use wayfarer_world::ground::Ground;

use super::super::jps::lend::OpenList;
use super::bitmap_window::BitmapWindow;
use super::block_at;

const NONE: u32 = u32::MAX;
const EVERYWHERE: u8 = u8::MAX;
/// Directions as numbers, for the compiler.
const NORTH: u8 = 0;
const EAST: u8 = 2;
const SOUTH: u8 = 4;
const WEST: u8 = 6;

const STRAIGHT: u32 = Cost::STRAIGHT.units();
const DIAGONAL: u32 = Cost::DIAGONAL.units();
/// What a column straight on counts in the estimate: 1.02 times what it costs.
const ON: u32 = STRAIGHT * 102 / 100;
/// What a column aside adds: 1.9 times what a diagonal costs more than a straight step.
const ASIDE: u32 = (DIAGONAL - STRAIGHT) * 190 / 100;

/// Slots at first; always a power of two.
const N_SLOTS: usize = 1024;

/// Where a way leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LocalGoal {
    /// To this column.
    Column(Column),
    /// Into this block; what is left is estimated by a column of it.
    Block((i32, i32), Column),
}

/// Memory for short paths, reused.
#[derive(Clone, Debug, Default)]
pub(super) struct LocalSearch {
    pub(super) window: BitmapWindow,
    locations: Vec<LocalVertex>,
    /// Where places are found by their columns: stamp of the search, and number.
    slots: Vec<(u32, u32)>,
    stamp: u32,
    open: OpenList,
    turns: Vec<Column>,
    pub(super) n_expanded: u64,
}

/// A place that the search has come to.
#[derive(Clone, Copy, Debug)]
struct LocalVertex {
    x: i32,
    y: i32,
    cost: u32,
    total: u32,
    parent: u32,
    /// Directions worth a look from there.
    directions: u8,
}

/// What is looked at, and from which place.
#[derive(Clone, Copy)]
struct LocalScan<'g> {
    ground: &'g Ground,
    aim: LocalGoal,
    from: u32,
}

const fn is_upwards(to: u8) -> bool {
    to == EAST || to == SOUTH
}

const fn is_along_row(to: u8) -> bool {
    to == EAST || to == WEST
}

impl LocalGoal {
    /// The column that estimates are made to.
    const fn column(self) -> Column {
        match self {
            Self::Column(column) | Self::Block(_, column) => column,
        }
    }
}

impl LocalSearch {
    /// Finds a way within the window from `start` to the aim, and what it costs; `ends` tells
    /// whether a column of the aim's block is one to end at. [`LocalSearch::turns`] tells the way.
    pub(super) fn find(
        &mut self,
        ground: &Ground,
        start: Column,
        aim: LocalGoal,
        ends: impl Fn(Column) -> bool,
    ) -> Option<u32> {
        self.clear();
        self.reach(NONE, aim, (start.x, start.y), 0, EVERYWHERE);
        while let Some((total, number)) = self.open.pop() {
            let location = self.locations[number as usize];
            if location.total != total {
                continue; // A cheaper way was found since.
            }
            let at = Column::new(location.x, location.y);
            let is_end = match aim {
                LocalGoal::Column(column) => at == column,
                LocalGoal::Block(block, _) => number != 0 && block_at(at) == block && ends(at),
            };
            if is_end {
                self.write(number);
                return Some(location.cost);
            }
            self.n_expanded += 1;
            let look = LocalScan {
                ground,
                aim,
                from: number,
            };
            self.expand(look, &location);
        }
        None
    }

    /// Where the way that was found turns: from each to the next it leads diagonally, then
    /// straight. Both ends are told.
    pub(super) fn turns(&self) -> &[Column] {
        &self.turns
    }

    fn clear(&mut self) {
        self.locations.clear();
        self.open.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 || self.slots.is_empty() {
            self.slots.clear();
            self.slots.resize(N_SLOTS, (0, 0));
            self.stamp = 1;
        }
    }

    fn write(&mut self, mut number: u32) {
        self.turns.clear();
        while number != NONE {
            let location = self.locations[number as usize];
            self.turns.push(Column::new(location.x, location.y));
            number = location.parent;
        }
        self.turns.reverse();
    }

    fn expand(&mut self, look: LocalScan<'_>, location: &LocalVertex) {
        let wanted = |direction: u8| location.directions >> direction & 1 == 1;
        let (at, cost) = ((location.x, location.y), location.cost);
        if wanted(EAST) {
            self.straight::<EAST>(look, at, cost);
        }
        if wanted(WEST) {
            self.straight::<WEST>(look, at, cost);
        }
        if wanted(NORTH) {
            self.straight::<NORTH>(look, at, cost);
        }
        if wanted(SOUTH) {
            self.straight::<SOUTH>(look, at, cost);
        }
        if wanted(1) {
            self.diagonal::<EAST, NORTH>(look, at, cost);
        }
        if wanted(3) {
            self.diagonal::<EAST, SOUTH>(look, at, cost);
        }
        if wanted(5) {
            self.diagonal::<WEST, SOUTH>(look, at, cost);
        }
        if wanted(7) {
            self.diagonal::<WEST, NORTH>(look, at, cost);
        }
    }

    /// Walks in the diagonal made of `H` and `V` as far as it goes, and looks along row and column
    /// from every cell.
    #[inline(never)]
    fn diagonal<const H: u8, const V: u8>(
        &mut self,
        look: LocalScan<'_>,
        (mut x, mut y): (i32, i32),
        mut cost: u32,
    ) {
        let dx = if H == EAST { 1 } else { -1 };
        let dy = if V == SOUTH { 1 } else { -1 };
        loop {
            let window = &mut self.window;
            let goes_on = window.is_open(look.ground, x + dx, y)
                && window.is_open(look.ground, x, y + dy)
                && window.is_open(look.ground, x + dx, y + dy);
            if !goes_on {
                return;
            }
            let before = (x >> 6, y >> 6);
            (x, y) = (x + dx, y + dy);
            cost += DIAGONAL;
            let comes_in = match look.aim {
                LocalGoal::Column(goal) => (x, y) == (goal.x, goal.y),
                LocalGoal::Block(block, _) => (x >> 6, y >> 6) == block && before != block,
            };
            if comes_in {
                self.reach(look.from, look.aim, (x, y), cost, EVERYWHERE);
                return;
            }
            self.straight::<H>(look, (x, y), cost);
            self.straight::<V>(look, (x, y), cost);
        }
    }

    #[inline]
    fn straight<const TO: u8>(&mut self, look: LocalScan<'_>, (x, y): (i32, i32), cost: u32) {
        let Some((length, directions)) = self.ray::<TO>(look, (x, y)) else {
            return;
        };
        let (dx, dy) = Direction::from_index(TO).offset();
        let n_cells = length.cast_signed();
        let at = (x + dx * n_cells, y + dy * n_cells);
        self.reach(
            look.from,
            look.aim,
            at,
            cost + STRAIGHT * length,
            directions,
        );
    }

    /// The next place in a straight direction: how far it is, and which directions to look in from
    /// there.
    #[inline]
    fn ray<const TO: u8>(&mut self, look: LocalScan<'_>, (x, y): (i32, i32)) -> Option<(u32, u8)> {
        let turned = |x: i32, y: i32| if is_along_row(TO) { (x, y) } else { (y, x) };
        let (from, across) = turned(x, y);
        // The goal's place in this row, or the block to come into.
        let (goal, into) = match look.aim {
            LocalGoal::Column(goal) => {
                let (along, over) = turned(goal.x, goal.y);
                ((over == across).then_some(along), None)
            }
            LocalGoal::Block(block, _) => {
                let (along, over) = turned(block.0, block.1);
                let is_ahead = over == across >> 6 && along != from >> 6;
                (None, is_ahead.then_some(along))
            }
        };
        let mut block = from >> 6;
        let mut ahead = if is_upwards(TO) {
            (u64::MAX << (from & 63)) << 1
        } else {
            (1_u64 << (from & 63)) - 1
        };
        // The last cells of the rows beside, seen from the next block.
        let (mut low_before, mut high_before) = (0_u64, 0_u64);
        loop {
            let [low, own, high] = if is_along_row(TO) {
                self.window.rows(look.ground, block, across)
            } else {
                self.window.columns(look.ground, across, block)
            };
            let (low_turns, high_turns) = if is_upwards(TO) {
                (
                    low & !(low << 1 | low_before),
                    high & !(high << 1 | high_before),
                )
            } else {
                (
                    low & !(low >> 1 | low_before),
                    high & !(high >> 1 | high_before),
                )
            };
            let mut stops = !own | low_turns | high_turns;
            if let Some(goal) = goal.filter(|goal| goal >> 6 == block) {
                stops |= 1 << (goal & 63);
            }
            if into == Some(block) {
                stops |= if is_upwards(TO) { 1 } else { 1 << 63 };
            }
            stops &= ahead;
            if stops != 0 {
                let stop = if is_upwards(TO) {
                    stops.trailing_zeros()
                } else {
                    63 - stops.leading_zeros()
                };
                let place = block * 64 + stop.cast_signed();
                let sides = (low_turns >> stop & 1 == 1, high_turns >> stop & 1 == 1);
                let is_open = own >> stop & 1 == 1;
                return is_open.then(|| (place.abs_diff(from), directions::<TO>(sides)));
            }
            if is_upwards(TO) {
                (low_before, high_before) = (low >> 63, high >> 63);
                block += 1;
            } else {
                (low_before, high_before) = (low << 63, high << 63);
                block -= 1;
            }
            ahead = u64::MAX;
        }
    }

    /// Notes a place that was come to, if that is the cheapest path to it so far.
    #[inline(never)]
    fn reach(
        &mut self,
        parent: u32,
        aim: LocalGoal,
        (x, y): (i32, i32),
        cost: u32,
        directions: u8,
    ) {
        let goal = aim.column();
        let (wide, high) = (x.abs_diff(goal.x), y.abs_diff(goal.y));
        let total = cost + wide.max(high) * ON + wide.min(high) * ASIDE;
        let location = LocalVertex {
            x,
            y,
            cost,
            total,
            parent,
            directions,
        };
        let mask = self.slots.len() - 1;
        let mut slot = slot_of(x, y) & mask;
        let number = loop {
            let (stamp, number) = self.slots[slot];
            if stamp != self.stamp {
                break self.enter(slot, location);
            }
            let known = &mut self.locations[number as usize];
            if (known.x, known.y) == (x, y) {
                if known.cost <= cost {
                    return;
                }
                *known = location;
                break number;
            }
            slot = (slot + 1) & mask;
        };
        self.open.push(total, number);
    }

    #[inline]
    fn enter(&mut self, slot: usize, location: LocalVertex) -> u32 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a window has a quarter of a million cells"
        )]
        let number = self.locations.len() as u32;
        self.slots[slot] = (self.stamp, number);
        self.locations.push(location);
        if self.locations.len() * 2 > self.slots.len() {
            self.grow();
        }
        number
    }

    #[cold]
    fn grow(&mut self) {
        let n_slots = self.slots.len() * 2;
        self.slots.clear();
        self.slots.resize(n_slots, (0, 0));
        for (number, location) in (0..).zip(&self.locations) {
            let mut slot = slot_of(location.x, location.y) & (n_slots - 1);
            while self.slots[slot].0 == self.stamp {
                slot = (slot + 1) & (n_slots - 1);
            }
            self.slots[slot] = (self.stamp, number);
        }
    }
}

/// Where to look for a column first.
#[inline]
const fn slot_of(x: i32, y: i32) -> usize {
    let (x, y) = (x.cast_unsigned(), y.cast_unsigned());
    ((x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77)) >> 12) as usize
}

/// On, and aside where there is something to turn to: on the lower side, on the higher.
#[inline]
const fn directions<const TO: u8>((low, high): (bool, bool)) -> u8 {
    let (if_low, if_high) = match TO {
        NORTH => (1 << WEST | 1 << 7, 1 << EAST | 1 << 1),
        EAST => (1 << NORTH | 1 << 1, 1 << SOUTH | 1 << 3),
        SOUTH => (1 << WEST | 1 << 5, 1 << EAST | 1 << 3),
        _ => (1 << NORTH | 1 << 7, 1 << SOUTH | 1 << 5),
    };
    let mut directions = 1 << TO;
    if low {
        directions |= if_low;
    }
    if high {
        directions |= if_high;
    }
    directions
}
