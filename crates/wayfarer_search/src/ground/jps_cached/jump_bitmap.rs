//! A map of flat ground in long rows and columns, on which looking around takes few steps.
//!
//! The ground is kept in sectors of sixteen cells, good for worlds of any shape. A look far over
//! open ground crosses many of them. So a searcher that has looked around often lays all cells of
//! a flat world out in one row after the other, sixty-four to a word, and once more in columns;
//! and for each of the four directions the cells where a look ends: closed ones, and those at
//! which a way may have to turn. The next of them is found by counting zeros.
//!
//! What is seen is the same as without, in the same order. A ground that is not plain, or has
//! floors over floors, or is too large, has no board.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "a board has far fewer cells than 2^31, and looks stay on it"
)]

mod lanes;

use std::ops::RangeInclusive;

use wayfarer_base::{Column, Cost, Direction, Rect, SectorId};
use wayfarer_world::ground::{Ground, NodeId, SheetBits};

use self::lanes::Lanes;
use super::successor_scan::JumpEdge;

/// The board of a ground, if it has one.
#[derive(Clone, Debug, Default)]
pub(super) struct JumpBitmap {
    is_made: bool,
    /// The column of the first cell of the first row.
    origin: (i32, i32),
    rows: Lanes,
    columns: Lanes,
    /// By sector the number of its sheet; those of a row one after the other.
    sheets: Vec<u32>,
    sectors_wide: usize,
    sectors_high: usize,
    /// The height of all floors, if they have the same.
    level: Option<i32>,
    /// Looks since the board was forgotten, and after how many it is asked for again.
    n_looks: usize,
    next_try: usize,
}

/// A board is made once there was a look for so many of its words: what that takes is little
/// beside what the looks took.
const WORDS_PER_LOOK: usize = 16;

/// The same for boards of up to [`SMALL`] words, where most of a search is its first look.
const WORDS_PER_LOOK_SMALL: usize = 64;

/// Words of a board that is small.
const SMALL: usize = 1 << 11;

/// The first time that a board is asked for.
const FIRST_TRY: usize = 16;

/// The order of sights: which piece of the diagonal within a sheet, and what was seen from it.
type Key = u64;

/// The key of a sight in that piece, by a look from `(own, across)` along a row or a column to
/// `end`, after so many steps along the diagonal.
#[inline(always)]
fn key_of(piece: u64, n_steps: u32, is_column: bool, (own, end, across): (i32, i32, i32)) -> Key {
    let n_sectors = (end >> 4).abs_diff(own >> 4);
    if n_sectors == 0 {
        return piece << 44 | u64::from(n_steps << 1) | u64::from(is_column);
    }
    let order = n_sectors << 4 | across as u32 & 15;
    piece << 44 | (1 + u64::from(is_column)) << 40 | u64::from(order)
}

/// In which piece of a diagonal from one cell the other one lies.
fn piece_of(from: (i32, i32), to: (i32, i32)) -> u64 {
    let crossed = |from: i32, to: i32| u64::from((from >> 4).abs_diff(to >> 4));
    // Steps to the next sector: where both are the same, corners are crossed and no sides.
    let to_next = |at: i32, is_up: bool| if is_up { 16 - (at & 15) } else { (at & 15) + 1 };
    let mut piece = crossed(from.0, to.0);
    if to_next(from.0, from.0 < to.0) != to_next(from.1, from.1 < to.1) {
        piece += crossed(from.1, to.1);
    }
    piece
}

/// The order of everything that is seen from (x, y): straight ahead first, then quarter by quarter.
pub(super) fn order_of((x, y): (i32, i32), seen: (i32, i32)) -> u64 {
    const SHIFT: u32 = 61;
    let (dx, dy) = (seen.0 - x, seen.1 - y);
    let quarter = match (dx.signum(), dy.signum()) {
        (1, 0) => return 0,
        (-1, 0) => return 1 << SHIFT,
        (0, -1) => return 2 << SHIFT,
        (0, _) => return 3 << SHIFT,
        (1, -1) => 4,
        (1, _) => 5,
        (_, 1) => 6,
        _ => 7,
    };
    let n_steps = dx.abs().min(dy.abs());
    let (turn_x, turn_y) = (x + n_steps * dx.signum(), y + n_steps * dy.signum());
    let piece = piece_of((x, y), (turn_x, turn_y));
    let is_column = dy.abs() > dx.abs();
    let look = if is_column {
        (turn_y, seen.1, seen.0)
    } else {
        (turn_x, seen.0, seen.1)
    };
    quarter << SHIFT | key_of(piece, n_steps as u32, is_column, look)
}

impl JumpBitmap {
    /// Forgets the board; keeps the room.
    pub(super) fn forget(&mut self) {
        self.is_made = false;
        self.n_looks = 0;
        self.next_try = FIRST_TRY;
    }

    /// Gives all memory back.
    pub(super) fn drop_all(&mut self) {
        *self = Self::default();
    }

    /// Notes a look, and makes the board once there were many; of no more than `most` bytes.
    #[inline]
    pub(super) fn look(&mut self, ground: &Ground, most: usize) {
        self.n_looks += 1;
        if !self.is_made && self.n_looks >= self.next_try {
            self.make(ground, most);
        }
    }

    #[cold]
    fn make(&mut self, ground: &Ground, most: usize) {
        self.next_try = (self.n_looks * 2).max(FIRST_TRY);
        let Some((low, high)) = bounds(ground) else {
            return;
        };
        // At least one closed cell around, so that every look ends.
        let low = (i64::from(low.0) - 1, i64::from(low.1) - 1);
        let low = (low.0 & !63, low.1 & !63);
        let wide = (i64::from(high.0) + 16 - low.0) / 64 + 1;
        let high = (i64::from(high.1) + 16 - low.1) / 64 + 1;
        let Some(n_words) = wide.checked_mul(high).and_then(|n| n.checked_mul(64)) else {
            return;
        };
        let n_words = usize::try_from(n_words).unwrap_or(usize::MAX);
        let (Ok(x), Ok(y)) = (i32::try_from(low.0), i32::try_from(low.1)) else {
            return;
        };
        let per_look = if n_words > SMALL {
            WORDS_PER_LOOK
        } else {
            WORDS_PER_LOOK_SMALL
        };
        let (wide, high) = (wide as usize, high as usize);
        let n_kept = 2 * n_words + (wide + high) * Lanes::SPARE;
        if n_words > self.n_looks * per_look || n_kept * 5 * size_of::<u64>() > most {
            return;
        }
        self.origin = (x, y);
        self.rows.clear(high * 64, wide);
        self.columns.clear(wide * 64, high);
        (self.sectors_wide, self.sectors_high) = (wide * 4, high * 4);
        self.sheets.clear();
        self.sheets.resize(wide * high * 16, u32::MAX);
        self.level = ground
            .sheets()
            .next()
            .and_then(|sheet| sheet.uniform_height());
        for sheet in ground.sheets() {
            let at = sheet.origin();
            self.level = self.level.filter(|_| sheet.uniform_height() == self.level);
            let (x, y) = ((at.x - x) as usize, (at.y - y) as usize);
            self.sheets[y / 16 * self.sectors_wide + x / 16] = sheet.number();
            for line in 0..16 {
                let cells = u64::from(sheet.rows(line)[1]);
                self.rows.put(y + line as usize, x, cells);
                let cells = u64::from(sheet.columns(line)[1]);
                self.columns.put(x + line as usize, y, cells);
            }
        }
        self.rows.refresh((0, high * 64 - 1), (0, wide * 64 - 1));
        self.columns.refresh((0, wide * 64 - 1), (0, high * 64 - 1));
        self.is_made = true;
    }

    /// Takes over what is in a part of a sector now. All around it lies at one height and is plain.
    pub(super) fn apply_changes(&mut self, ground: &Ground, sector: SectorId, changed: Rect) {
        if !self.is_made {
            return;
        }
        let at = sector.origin();
        let x = i64::from(at.x) - i64::from(self.origin.0);
        let y = i64::from(at.y) - i64::from(self.origin.1);
        let mut sheets = ground.sheets_in(sector);
        let (sheet, more) = (sheets.next(), sheets.next());
        // The outermost cells stay closed.
        let is_inside = |at: i64, n_sectors: usize| at >= 0 && at / 16 < n_sectors as i64 - 1;
        let has_room = is_inside(x, self.sectors_wide) && is_inside(y, self.sectors_high);
        if more.is_some() || !(has_room && x > 0 && y > 0) {
            self.forget();
            return;
        }
        let (x, y) = (x as usize, y as usize);
        let has_other_level = |sheet: SheetBits<'_>| sheet.uniform_height() != self.level;
        if sheet.is_some_and(has_other_level) {
            self.level = None;
        }
        let number = sheet.map_or(u32::MAX, |sheet| sheet.number());
        self.sheets[y / 16 * self.sectors_wide + x / 16] = number;
        let lines =
            |low: i32, high: i32, origin: i32| (low - origin) as u32..=(high - origin) as u32;
        let (in_x, in_y) = (
            lines(changed.low.x, changed.high.x, at.x),
            lines(changed.low.y, changed.high.y, at.y),
        );
        for line in in_y.clone() {
            let cells = sheet.map_or(0, |sheet| u64::from(sheet.rows(line)[1]));
            self.rows.put(y + line as usize, x, cells);
        }
        for line in in_x.clone() {
            let cells = sheet.map_or(0, |sheet| u64::from(sheet.columns(line)[1]));
            self.columns.put(x + line as usize, y, cells);
        }
        let around = |lines: RangeInclusive<u32>, first: usize| {
            (
                first + *lines.start() as usize - 1,
                first + *lines.end() as usize + 1,
            )
        };
        let (in_x, in_y) = (around(in_x, x), around(in_y, y));
        self.rows.refresh(in_y, in_x);
        self.columns.refresh(in_x, in_y);
    }

    /// The board, if there is one.
    #[inline]
    pub(super) fn made(&self) -> Option<&Self> {
        self.is_made.then_some(self)
    }

    /// The height of all floors, if there is a board and they have the same.
    pub(super) fn level(&self) -> Option<i32> {
        self.level.filter(|_| self.is_made)
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.rows.heap_bytes()
            + self.columns.heap_bytes()
            + self.sheets.capacity() * size_of::<u32>()
    }

    /// Diagonal steps that lead on from a cell at (x, y), but no more than `most`; quarters are
    /// north-east, south-east, south-west and north-west.
    pub(super) fn n_diagonal_steps(&self, (x, y): (i32, i32), quarter: usize, most: u32) -> u32 {
        let (dx, dy) = [(1, -1), (1, 1), (-1, 1), (-1, -1)][quarter % 4];
        let (mut x, mut y) = (x - self.origin.0, y - self.origin.1);
        let is_open = |x: i32, y: i32| self.rows.is_open(y, x);
        let mut n_steps = 0;
        while n_steps < most && is_open(x + dx, y) && is_open(x, y + dy) && is_open(x + dx, y + dy)
        {
            (x, y, n_steps) = (x + dx, y + dy, n_steps + 1);
        }
        n_steps
    }

    /// Looks around from a cell at (x, y) in `directions`: as the ground itself is looked at, with
    /// the same sights in the same order. How far was looked is told only if `is_kept`.
    pub(super) fn look_around(
        &self,
        (x, y): (i32, i32),
        directions: u8,
        is_kept: bool,
        found: &mut ScanOutput<'_>,
    ) -> [u32; 4] {
        let at = (x - self.origin.0, y - self.origin.1);
        let wanted = |direction: u8| directions >> direction & 1 == 1;
        if wanted(2) {
            self.straight::<true, true>(at, 0, found);
        }
        if wanted(6) {
            self.straight::<true, false>(at, 0, found);
        }
        if wanted(0) {
            self.straight::<false, false>(at, 0, found);
        }
        if wanted(4) {
            self.straight::<false, true>(at, 0, found);
        }
        let mut lengths = [0; 4];
        if wanted(1) {
            lengths[0] = self.quarter::<true, false>(at, is_kept, found);
        }
        if wanted(3) {
            lengths[1] = self.quarter::<true, true>(at, is_kept, found);
        }
        if wanted(5) {
            lengths[2] = self.quarter::<false, true>(at, is_kept, found);
        }
        if wanted(7) {
            lengths[3] = self.quarter::<false, false>(at, is_kept, found);
        }
        lengths
    }

    /// Where a look straight from a cell at (x, y) ends: the column if it goes along a row, or the
    /// row.
    #[inline]
    pub(super) fn end_of(&self, (x, y): (i32, i32), to: Direction) -> i32 {
        let (x, y) = (x - self.origin.0, y - self.origin.1);
        match to {
            Direction::East => self.rows.end::<true>(y, x) + self.origin.0,
            Direction::West => self.rows.end::<false>(y, x) + self.origin.0,
            Direction::South => self.columns.end::<true>(x, y) + self.origin.1,
            _ => self.columns.end::<false>(x, y) + self.origin.1,
        }
    }

    /// Looks straight from a cell at (x, y), having come there by `n_diagonal` steps.
    pub(super) fn look_on(
        &self,
        (x, y): (i32, i32),
        to: Direction,
        n_diagonal: u32,
        found: &mut ScanOutput<'_>,
    ) {
        let at = (x - self.origin.0, y - self.origin.1);
        match to {
            Direction::East => self.straight::<true, true>(at, n_diagonal, found),
            Direction::West => self.straight::<true, false>(at, n_diagonal, found),
            Direction::South => self.straight::<false, true>(at, n_diagonal, found),
            _ => self.straight::<false, false>(at, n_diagonal, found),
        }
    }

    /// Looks around diagonally from a cell at (x, y), `quarter` counted clockwise from
    /// north-east; gives how far that leads.
    pub(super) fn look_diagonally(
        &self,
        (x, y): (i32, i32),
        quarter: usize,
        found: &mut ScanOutput<'_>,
    ) -> u32 {
        let at = (x - self.origin.0, y - self.origin.1);
        match quarter {
            0 => self.diagonal::<true, false>(at, found),
            1 => self.diagonal::<true, true>(at, found),
            2 => self.diagonal::<false, true>(at, found),
            _ => self.diagonal::<false, false>(at, found),
        }
    }

    #[inline]
    fn straight<const IN_ROW: bool, const UP: bool>(
        &self,
        at: (i32, i32),
        n_diagonal: u32,
        found: &mut ScanOutput<'_>,
    ) {
        let (lanes, lane, along) = if IN_ROW {
            (&self.rows, at.1, at.0)
        } else {
            (&self.columns, at.0, at.1)
        };
        let end = lanes.end::<UP>(lane, along);
        let length = end.abs_diff(along);
        found.looked(to::<IN_ROW, UP>(), length + n_diagonal);
        if lanes.is_open(lane, end) {
            self.see::<IN_ROW, UP>(lane, end, cost_of(n_diagonal, length), found);
        }
    }

    #[inline]
    fn quarter<const EAST: bool, const SOUTH: bool>(
        &self,
        at: (i32, i32),
        is_kept: bool,
        found: &mut ScanOutput<'_>,
    ) -> u32 {
        if is_kept {
            self.diagonal::<EAST, SOUTH>(at, found)
        } else {
            self.scan_visible::<EAST, SOUTH>(at, found)
        }
    }

    /// As [`JumpBitmap::diagonal`], but it only looks where there is something to see, and does not
    /// tell how far.
    #[inline(never)]
    fn scan_visible<const EAST: bool, const SOUTH: bool>(
        &self,
        (mut x, mut y): (i32, i32),
        found: &mut ScanOutput<'_>,
    ) -> u32 {
        let (dx, dy) = (if EAST { 1 } else { -1 }, if SOUTH { 1 } else { -1 });
        let (from, first) = ((x, y), found.sights.len());
        found.keys.clear();
        let (rows, columns) = (&self.rows, &self.columns);
        let mut n_steps = 0_u32;
        while rows.is_open(y, x + dx) && rows.is_open(y + dy, x) && rows.is_open(y + dy, x + dx) {
            (x, y) = (x + dx, y + dy);
            n_steps += 1;
            if rows.sees::<EAST>(y, x) {
                let end = rows.end::<EAST>(y, x);
                let cost = cost_of(n_steps, end.abs_diff(x));
                self.see::<true, EAST>(y, end, cost, found);
                let piece = piece_of(from, (x, y));
                (found.keys).push(key_of(piece, n_steps, false, (x, end, y)));
            }
            if columns.sees::<SOUTH>(x, y) {
                let end = columns.end::<SOUTH>(x, y);
                let cost = cost_of(n_steps, end.abs_diff(y));
                self.see::<false, SOUTH>(x, end, cost, found);
                let piece = piece_of(from, (x, y));
                (found.keys).push(key_of(piece, n_steps, true, (y, end, x)));
            }
        }
        found.sort_from(first);
        n_steps
    }

    /// Walks diagonally as far as it goes; gives the steps taken.
    #[inline(never)]
    fn diagonal<const EAST: bool, const SOUTH: bool>(
        &self,
        (mut x, mut y): (i32, i32),
        found: &mut ScanOutput<'_>,
    ) -> u32 {
        let (dx, dy) = (if EAST { 1 } else { -1 }, if SOUTH { 1 } else { -1 });
        let first = found.sights.len();
        found.keys.clear();
        let mut sector = (x >> 4) << 16 | y >> 4;
        let (mut n_steps, mut piece) = (0_u32, 0_u64);
        let (mut far_x, mut far_y) = (i32::MIN, i32::MIN);
        let mut is_sorted = true;
        let (rows, columns) = (&self.rows, &self.columns);
        let mut goes_on = rows.is_open(y, x + dx) && columns.is_open(x, y + dy);
        while goes_on {
            if !rows.is_open(y + dy, x + dx) {
                break;
            }
            (x, y) = (x + dx, y + dy);
            n_steps += 1;
            let own = (x >> 4) << 16 | y >> 4;
            piece += u64::from(own != sector);
            sector = own;
            let mut key = |is_column: bool, end: i32, own: i32, across: i32| -> Key {
                is_sorted &= end >> 4 == own >> 4;
                key_of(piece, n_steps, is_column, (own, end, across))
            };
            let end = rows.end::<EAST>(y, x);
            far_x = far_x.max(end * dx);
            let is_place = rows.is_open(y, end);
            // Closed beside the diagonal, if the look ended at once and not at a place.
            goes_on = is_place || end != x + dx;
            if is_place {
                found.keys.push(key(false, end, x, y));
                let cost = cost_of(n_steps, end.abs_diff(x));
                self.see::<true, EAST>(y, end, cost, found);
            }
            let end = columns.end::<SOUTH>(x, y);
            far_y = far_y.max(end * dy);
            let is_place = columns.is_open(x, end);
            goes_on &= is_place || end != y + dy;
            if is_place {
                found.keys.push(key(true, end, y, x));
                let cost = cost_of(n_steps, end.abs_diff(y));
                self.see::<false, SOUTH>(x, end, cost, found);
            }
        }
        let n_cells = n_steps as i32;
        let (from_x, from_y) = (x - dx * n_cells, y - dy * n_cells);
        // The cell that it did not come to was looked at, too.
        let reach = |far: i32, from: i32, by: i32| far.wrapping_sub(from * by).max(n_cells + 1);
        let (far_x, far_y) = if n_steps == 0 {
            (1, 1)
        } else {
            (reach(far_x, from_x, dx), reach(far_y, from_y, dy))
        };
        found.looked(to::<true, EAST>(), far_x as u32);
        found.looked(to::<false, SOUTH>(), far_y as u32);
        if !is_sorted {
            found.sort_from(first);
        }
        n_steps
    }

    /// A look along `lane` came to a place at `along`.
    #[inline]
    fn see<const IN_ROW: bool, const UP: bool>(
        &self,
        lane: i32,
        along: i32,
        cost: Cost,
        found: &mut ScanOutput<'_>,
    ) {
        let (lanes, x, y) = if IN_ROW {
            (&self.rows, along, lane)
        } else {
            (&self.columns, lane, along)
        };
        let behind = if UP { along - 1 } else { along + 1 };
        let turns = |side: i32| lanes.is_open(side, along) && !lanes.is_open(side, behind);
        // Directions ahead, and those to the lower and to the higher side.
        let (ahead, low, high): (u8, u8, u8) = match (IN_ROW, UP) {
            (false, false) => (1 << 0, 1 << 6 | 1 << 7, 1 << 2 | 1 << 1),
            (true, true) => (1 << 2, 1 << 0 | 1 << 1, 1 << 4 | 1 << 3),
            (false, true) => (1 << 4, 1 << 6 | 1 << 5, 1 << 2 | 1 << 3),
            (true, false) => (1 << 6, 1 << 0 | 1 << 7, 1 << 4 | 1 << 5),
        };
        let mut directions = ahead;
        if turns(lane - 1) {
            directions |= low;
        }
        if turns(lane + 1) {
            directions |= high;
        }
        let sheet = self.sheets[(y as usize / 16) * self.sectors_wide + x as usize / 16];
        found.sights.push(JumpEdge {
            node: NodeId::from_index(sheet << 8 | (y as u32 & 15) << 4 | x as u32 & 15),
            x: x + self.origin.0,
            y: y + self.origin.1,
            cost: cost.units().into(),
            directions,
            arrival: to::<IN_ROW, UP>(),
        });
    }
}

/// Of so many diagonal steps, and so many straight ones after them.
#[inline]
fn cost_of(n_diagonal: u32, n_straight: u32) -> Cost {
    Cost::octile(n_diagonal + n_straight, n_diagonal)
}

/// A straight direction, clockwise from north.
const fn to<const IN_ROW: bool, const UP: bool>() -> u8 {
    match (IN_ROW, UP) {
        (false, false) => 0,
        (true, true) => 1,
        (false, true) => 2,
        (true, false) => 3,
    }
}

/// The lowest and the highest columns in which sectors begin; `None` if no board can be made.
fn bounds(ground: &Ground) -> Option<((i32, i32), (i32, i32))> {
    let mut sheets = ground.sheets();
    let first = sheets.next()?;
    let Column { x, y } = first.origin();
    let (mut low, mut high) = ((x, y), (x, y));
    if !first.is_uniform() || ground.nav_links().next().is_some() {
        return None;
    }
    for sheet in ground.sheets() {
        if !first.continues_in(&sheet) || ground.rank(sheet.node(0, 0)) != 0 {
            return None;
        }
        let Column { x, y } = sheet.origin();
        (low, high) = ((low.0.min(x), low.1.min(y)), (high.0.max(x), high.1.max(y)));
    }
    Some((low, high))
}

/// What was seen, and how far was looked.
pub(super) struct ScanOutput<'d> {
    pub(super) sights: &'d mut Vec<JumpEdge>,
    pub(super) reach: &'d mut [u32; 4],
    /// The order of the sights of one diagonal.
    pub(super) keys: &'d mut Vec<Key>,
}

impl ScanOutput<'_> {
    #[inline]
    fn looked(&mut self, to: u8, n_cells: u32) {
        let reach = &mut self.reach[usize::from(to)];
        *reach = n_cells.max(*reach);
    }

    /// Puts the sights from `first` on in order: few, and most of them are.
    fn sort_from(&mut self, first: usize) {
        for index in 1..self.keys.len() {
            let mut at = index;
            while at > 0 && self.keys[at - 1] > self.keys[at] {
                self.keys.swap(at - 1, at);
                self.sights.swap(first + at - 1, first + at);
                at -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests;
