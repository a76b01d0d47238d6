//! Bitmap of a flat uniform ground in long rows and columns, with the stops of straight scans:
//! block-based scanning \[Harabor2014\] over 64 cells at a time, whatever sectors it crosses.
//!
//! All cells lie row by row in words of 64 bits, and once more column by column. For each of the
//! four straight directions a second bitmap marks the cells where a scan stops: blocked ones and
//! jump points. The next stop is a shift and a count of zeros.
//!
//! Scans give the same edges in the same order as over the ground. A ground with irregular sheets,
//! several floors in a column, several heights or nav links has no bitmap, nor has one that is too
//! large. It is built after enough scans and updated with edits, sector by sector.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "a bitmap has far fewer cells than 2^31, and scans stay on it"
)]

mod lanes;

use std::ops::RangeInclusive;

use wayfarer_base::{Column, Cost, Direction, Rect, SectorId};
use wayfarer_world::ground::{NodeId, ProfileGround, SheetBits};

use self::lanes::Lanes;
use super::successor_scan::JumpEdge;

/// The bitmap of a ground, if it is built.
#[derive(Clone, Debug, Default)]
pub(super) struct JumpBitmap {
    is_built: bool,
    /// The column of the first cell of the first row.
    origin: (i32, i32),
    rows: Lanes,
    columns: Lanes,
    /// Sheet number by sector, row by row; `u32::MAX` where there is none.
    sheets: Vec<u32>,
    sectors_wide: usize,
    sectors_high: usize,
    /// The height of all floors, if they have the same.
    uniform_height: Option<i32>,
    /// Scans since the last invalidation, and the number at which the next attempt is due.
    n_scans: usize,
    next_attempt: usize,
}

/// A bitmap is built after one scan for this many of its words: its cost is then small beside that
/// of the scans.
const WORDS_PER_SCAN: usize = 16;

/// The same for bitmaps of up to [`SMALL`] words, where most of a search is its first scan.
const WORDS_PER_SCAN_SMALL: usize = 64;

/// Words of a small bitmap.
const SMALL: usize = 1 << 11;

/// Scans before the first attempt.
const FIRST_ATTEMPT: usize = 16;

/// The order of edges within a quadrant: segment of the diagonal in a sheet, then scan.
type Key = u64;

/// The key of an edge of that segment, by a scan along a row or a column from position `own` to
/// `end` of line `across`, after `n_steps` of the diagonal.
#[inline(always)]
fn key_of(segment: u64, n_steps: u32, is_column: bool, (own, end, across): (i32, i32, i32)) -> Key {
    let n_sectors = (end >> 4).abs_diff(own >> 4);
    if n_sectors == 0 {
        return segment << 44 | u64::from(n_steps << 1) | u64::from(is_column);
    }
    let order = n_sectors << 4 | across as u32 & 15;
    segment << 44 | (1 + u64::from(is_column)) << 40 | u64::from(order)
}

/// The segment of the diagonal from one cell that contains the other.
fn segment_of(from: (i32, i32), to: (i32, i32)) -> u64 {
    let crossed = |from: i32, to: i32| u64::from((from >> 4).abs_diff(to >> 4));
    // If both are the same distance from the next sector, the diagonal crosses corners, not sides.
    let to_next = |at: i32, is_up: bool| if is_up { 16 - (at & 15) } else { (at & 15) + 1 };
    let mut segment = crossed(from.0, to.0);
    if to_next(from.0, from.0 < to.0) != to_next(from.1, from.1 < to.1) {
        segment += crossed(from.1, to.1);
    }
    segment
}

/// The order of edges from (x, y): straight scans first, then quadrant by quadrant. It is the order
/// in which the ground is scanned.
pub(super) fn order_of((x, y): (i32, i32), end: (i32, i32)) -> u64 {
    const SHIFT: u32 = 61;
    let (dx, dy) = (end.0 - x, end.1 - y);
    let quadrant = match (dx.signum(), dy.signum()) {
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
    let segment = segment_of((x, y), (turn_x, turn_y));
    let is_column = dy.abs() > dx.abs();
    let line = if is_column {
        (turn_y, end.1, end.0)
    } else {
        (turn_x, end.0, end.1)
    };
    quadrant << SHIFT | key_of(segment, n_steps as u32, is_column, line)
}

impl JumpBitmap {
    /// Invalidates the bitmap; keeps the capacity.
    pub(super) fn invalidate(&mut self) {
        self.is_built = false;
        self.n_scans = 0;
        self.next_attempt = FIRST_ATTEMPT;
    }

    /// Releases all memory.
    pub(super) fn release(&mut self) {
        *self = Self::default();
    }

    /// Counts a scan, and builds the bitmap if it is due and takes at most `max_bytes`.
    #[inline]
    pub(super) fn count_scan(&mut self, ground: ProfileGround<'_>, max_bytes: usize) {
        self.n_scans += 1;
        if !self.is_built && self.n_scans >= self.next_attempt {
            self.build(ground, max_bytes);
        }
    }

    #[cold]
    fn build(&mut self, ground: ProfileGround<'_>, max_bytes: usize) {
        self.next_attempt = (self.n_scans * 2).max(FIRST_ATTEMPT);
        let Some((low, high)) = bounds(ground) else {
            return;
        };
        // At least one blocked cell around, so that every scan ends.
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
        let per_scan = if n_words > SMALL {
            WORDS_PER_SCAN
        } else {
            WORDS_PER_SCAN_SMALL
        };
        let (wide, high) = (wide as usize, high as usize);
        let n_stored = 2 * n_words + (wide + high) * Lanes::SPARE;
        if n_words > self.n_scans * per_scan || n_stored * 5 * size_of::<u64>() > max_bytes {
            return;
        }
        self.origin = (x, y);
        self.rows.clear(high * 64, wide);
        self.columns.clear(wide * 64, high);
        (self.sectors_wide, self.sectors_high) = (wide * 4, high * 4);
        self.sheets.clear();
        self.sheets.resize(wide * high * 16, u32::MAX);
        let mut uniform_height = None;
        ground.for_each_sheet(|sheet| {
            uniform_height = sheet.uniform_height();
            false
        });
        ground.for_each_sheet(|sheet| {
            let at = sheet.origin();
            uniform_height = uniform_height.filter(|_| sheet.uniform_height() == uniform_height);
            let (x, y) = ((at.x - x) as usize, (at.y - y) as usize);
            self.sheets[y / 16 * self.sectors_wide + x / 16] = sheet.number();
            for line in 0..16 {
                let cells = u64::from(sheet.rows(line)[1]);
                self.rows.put(y + line as usize, x, cells);
                let cells = u64::from(sheet.columns(line)[1]);
                self.columns.put(x + line as usize, y, cells);
            }
            true
        });
        self.uniform_height = uniform_height;
        self.rows.refresh_all();
        self.columns.refresh_all();
        self.is_built = true;
    }

    /// Updates a rectangle of a sector. Its surroundings must be uniform and of one height.
    pub(super) fn apply_changes(
        &mut self,
        ground: ProfileGround<'_>,
        sector: SectorId,
        changed: Rect,
    ) {
        if !self.is_built {
            return;
        }
        let at = sector.origin();
        let x = i64::from(at.x) - i64::from(self.origin.0);
        let y = i64::from(at.y) - i64::from(self.origin.1);
        let mut sheets = ground.sheets_in(sector);
        let (sheet, more) = (sheets.next(), sheets.next());
        // The outermost cells stay blocked.
        let is_inside = |at: i64, n_sectors: usize| at >= 0 && at / 16 < n_sectors as i64 - 1;
        let has_room = is_inside(x, self.sectors_wide) && is_inside(y, self.sectors_high);
        if more.is_some() || !(has_room && x > 0 && y > 0) {
            self.invalidate();
            return;
        }
        let (x, y) = (x as usize, y as usize);
        let has_other_height = |sheet: SheetBits<'_>| sheet.uniform_height() != self.uniform_height;
        if sheet.is_some_and(has_other_height) {
            self.uniform_height = None;
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

    /// The bitmap, if it is built.
    #[inline]
    pub(super) fn built(&self) -> Option<&Self> {
        self.is_built.then_some(self)
    }

    /// The height of all floors, if the bitmap is built and they have the same.
    pub(super) fn uniform_height(&self) -> Option<i32> {
        self.uniform_height.filter(|_| self.is_built)
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.rows.heap_bytes()
            + self.columns.heap_bytes()
            + self.sheets.capacity() * size_of::<u32>()
    }

    /// Diagonal steps from a cell at (x, y), at most `max_steps`. Quadrants are north-east,
    /// south-east, south-west and north-west.
    pub(super) fn n_diagonal_steps(
        &self,
        (x, y): (i32, i32),
        quadrant: usize,
        max_steps: u32,
    ) -> u32 {
        let (dx, dy) = [(1, -1), (1, 1), (-1, 1), (-1, -1)][quadrant % 4];
        let (mut x, mut y) = (x - self.origin.0, y - self.origin.1);
        let is_open = |x: i32, y: i32| self.rows.is_open(y, x);
        let mut n_steps = 0;
        while n_steps < max_steps
            && is_open(x + dx, y)
            && is_open(x, y + dy)
            && is_open(x + dx, y + dy)
        {
            (x, y, n_steps) = (x + dx, y + dy, n_steps + 1);
        }
        n_steps
    }

    /// Scans from a cell at (x, y) in `directions`; returns the lengths of the diagonals. The
    /// extents are valid only if `measures`.
    pub(super) fn scan_all(
        &self,
        (x, y): (i32, i32),
        directions: u8,
        measures: bool,
        output: &mut ScanOutput<'_>,
    ) -> [u32; 4] {
        let at = (x - self.origin.0, y - self.origin.1);
        let has_direction = |direction: u8| directions >> direction & 1 == 1;
        if has_direction(2) {
            self.scan_straight::<true, true>(at, 0, output);
        }
        if has_direction(6) {
            self.scan_straight::<true, false>(at, 0, output);
        }
        if has_direction(0) {
            self.scan_straight::<false, false>(at, 0, output);
        }
        if has_direction(4) {
            self.scan_straight::<false, true>(at, 0, output);
        }
        let mut lengths = [0; 4];
        if has_direction(1) {
            lengths[0] = self.quadrant::<true, false>(at, measures, output);
        }
        if has_direction(3) {
            lengths[1] = self.quadrant::<true, true>(at, measures, output);
        }
        if has_direction(5) {
            lengths[2] = self.quadrant::<false, true>(at, measures, output);
        }
        if has_direction(7) {
            lengths[3] = self.quadrant::<false, false>(at, measures, output);
        }
        lengths
    }

    /// Where a straight scan from a cell at (x, y) stops: the column along a row, else the row.
    #[inline]
    pub(super) fn scan_end(&self, (x, y): (i32, i32), direction: Direction) -> i32 {
        let (x, y) = (x - self.origin.0, y - self.origin.1);
        match direction {
            Direction::East => self.rows.end::<true>(y, x) + self.origin.0,
            Direction::West => self.rows.end::<false>(y, x) + self.origin.0,
            Direction::South => self.columns.end::<true>(x, y) + self.origin.1,
            _ => self.columns.end::<false>(x, y) + self.origin.1,
        }
    }

    /// Scans straight from a cell at (x, y), reached by `n_diagonal` steps.
    pub(super) fn scan_straight_from(
        &self,
        (x, y): (i32, i32),
        direction: Direction,
        n_diagonal: u32,
        output: &mut ScanOutput<'_>,
    ) {
        let at = (x - self.origin.0, y - self.origin.1);
        match direction {
            Direction::East => self.scan_straight::<true, true>(at, n_diagonal, output),
            Direction::West => self.scan_straight::<true, false>(at, n_diagonal, output),
            Direction::South => self.scan_straight::<false, true>(at, n_diagonal, output),
            _ => self.scan_straight::<false, false>(at, n_diagonal, output),
        }
    }

    /// Scans the diagonal of a quadrant from a cell at (x, y), counted clockwise from north-east;
    /// returns its length.
    pub(super) fn scan_quadrant(
        &self,
        (x, y): (i32, i32),
        quadrant: usize,
        output: &mut ScanOutput<'_>,
    ) -> u32 {
        let at = (x - self.origin.0, y - self.origin.1);
        match quadrant {
            0 => self.scan_diagonal::<true, false>(at, output),
            1 => self.scan_diagonal::<true, true>(at, output),
            2 => self.scan_diagonal::<false, true>(at, output),
            _ => self.scan_diagonal::<false, false>(at, output),
        }
    }

    #[inline]
    fn scan_straight<const IN_ROW: bool, const UP: bool>(
        &self,
        at: (i32, i32),
        n_diagonal: u32,
        output: &mut ScanOutput<'_>,
    ) {
        let (lanes, lane, along) = if IN_ROW {
            (&self.rows, at.1, at.0)
        } else {
            (&self.columns, at.0, at.1)
        };
        let end = lanes.end::<UP>(lane, along);
        let length = end.abs_diff(along);
        output.on_scanned(direction::<IN_ROW, UP>(), length + n_diagonal);
        if lanes.is_open(lane, end) {
            self.push_edge::<IN_ROW, UP>(lane, end, cost_of(n_diagonal, length), output);
        }
    }

    #[inline]
    fn quadrant<const EAST: bool, const SOUTH: bool>(
        &self,
        at: (i32, i32),
        measures: bool,
        output: &mut ScanOutput<'_>,
    ) -> u32 {
        if measures {
            self.scan_diagonal::<EAST, SOUTH>(at, output)
        } else {
            self.scan_visible::<EAST, SOUTH>(at, output)
        }
    }

    /// As [`JumpBitmap::scan_diagonal`], without extents: only scans that hit a jump point are
    /// evaluated.
    #[inline(never)]
    fn scan_visible<const EAST: bool, const SOUTH: bool>(
        &self,
        (mut x, mut y): (i32, i32),
        output: &mut ScanOutput<'_>,
    ) -> u32 {
        let (dx, dy) = (if EAST { 1 } else { -1 }, if SOUTH { 1 } else { -1 });
        let (from, first) = ((x, y), output.edges.len());
        output.keys.clear();
        let (rows, columns) = (&self.rows, &self.columns);
        let mut n_steps = 0_u32;
        while rows.is_open(y, x + dx) && rows.is_open(y + dy, x) && rows.is_open(y + dy, x + dx) {
            (x, y) = (x + dx, y + dy);
            n_steps += 1;
            if rows.hits_jump_point::<EAST>(y, x) {
                let end = rows.end::<EAST>(y, x);
                let cost = cost_of(n_steps, end.abs_diff(x));
                self.push_edge::<true, EAST>(y, end, cost, output);
                let segment = segment_of(from, (x, y));
                (output.keys).push(key_of(segment, n_steps, false, (x, end, y)));
            }
            if columns.hits_jump_point::<SOUTH>(x, y) {
                let end = columns.end::<SOUTH>(x, y);
                let cost = cost_of(n_steps, end.abs_diff(y));
                self.push_edge::<false, SOUTH>(x, end, cost, output);
                let segment = segment_of(from, (x, y));
                (output.keys).push(key_of(segment, n_steps, true, (y, end, x)));
            }
        }
        output.sort_from(first);
        n_steps
    }

    /// Scans a diagonal; returns its length.
    #[inline(never)]
    fn scan_diagonal<const EAST: bool, const SOUTH: bool>(
        &self,
        (mut x, mut y): (i32, i32),
        output: &mut ScanOutput<'_>,
    ) -> u32 {
        let (dx, dy) = (if EAST { 1 } else { -1 }, if SOUTH { 1 } else { -1 });
        let first = output.edges.len();
        output.keys.clear();
        let mut sector = (x >> 4) << 16 | y >> 4;
        let (mut n_steps, mut segment) = (0_u32, 0_u64);
        let (mut far_x, mut far_y) = (i32::MIN, i32::MIN);
        let mut is_sorted = true;
        let (rows, columns) = (&self.rows, &self.columns);
        let mut can_continue = rows.is_open(y, x + dx) && columns.is_open(x, y + dy);
        while can_continue {
            if !rows.is_open(y + dy, x + dx) {
                break;
            }
            (x, y) = (x + dx, y + dy);
            n_steps += 1;
            let own = (x >> 4) << 16 | y >> 4;
            segment += u64::from(own != sector);
            sector = own;
            let mut key = |is_column: bool, end: i32, own: i32, across: i32| -> Key {
                is_sorted &= end >> 4 == own >> 4;
                key_of(segment, n_steps, is_column, (own, end, across))
            };
            let end = rows.end::<EAST>(y, x);
            far_x = far_x.max(end * dx);
            let is_jump_point = rows.is_open(y, end);
            // Blocked beside the diagonal, if the scan stopped at once and not at a jump point.
            can_continue = is_jump_point || end != x + dx;
            if is_jump_point {
                output.keys.push(key(false, end, x, y));
                let cost = cost_of(n_steps, end.abs_diff(x));
                self.push_edge::<true, EAST>(y, end, cost, output);
            }
            let end = columns.end::<SOUTH>(x, y);
            far_y = far_y.max(end * dy);
            let is_jump_point = columns.is_open(x, end);
            can_continue &= is_jump_point || end != y + dy;
            if is_jump_point {
                output.keys.push(key(true, end, y, x));
                let cost = cost_of(n_steps, end.abs_diff(y));
                self.push_edge::<false, SOUTH>(x, end, cost, output);
            }
        }
        let n_cells = n_steps as i32;
        let (from_x, from_y) = (x - dx * n_cells, y - dy * n_cells);
        // The blocked cell at its end was read, too.
        let extent = |far: i32, from: i32, by: i32| far.wrapping_sub(from * by).max(n_cells + 1);
        let (far_x, far_y) = if n_steps == 0 {
            (1, 1)
        } else {
            (extent(far_x, from_x, dx), extent(far_y, from_y, dy))
        };
        output.on_scanned(direction::<true, EAST>(), far_x as u32);
        output.on_scanned(direction::<false, SOUTH>(), far_y as u32);
        if !is_sorted {
            output.sort_from(first);
        }
        n_steps
    }

    /// Pushes the edge to the jump point at `along` of `lane`.
    #[inline]
    fn push_edge<const IN_ROW: bool, const UP: bool>(
        &self,
        lane: i32,
        along: i32,
        cost: Cost,
        output: &mut ScanOutput<'_>,
    ) {
        let (lanes, x, y) = if IN_ROW {
            (&self.rows, along, lane)
        } else {
            (&self.columns, lane, along)
        };
        let behind = if UP { along - 1 } else { along + 1 };
        let is_forced = |side: i32| lanes.is_open(side, along) && !lanes.is_open(side, behind);
        // Natural direction, and the forced ones to the lower and to the higher side.
        let (ahead, low, high): (u8, u8, u8) = match (IN_ROW, UP) {
            (false, false) => (1 << 0, 1 << 6 | 1 << 7, 1 << 2 | 1 << 1),
            (true, true) => (1 << 2, 1 << 0 | 1 << 1, 1 << 4 | 1 << 3),
            (false, true) => (1 << 4, 1 << 6 | 1 << 5, 1 << 2 | 1 << 3),
            (true, false) => (1 << 6, 1 << 0 | 1 << 7, 1 << 4 | 1 << 5),
        };
        let mut directions = ahead;
        if is_forced(lane - 1) {
            directions |= low;
        }
        if is_forced(lane + 1) {
            directions |= high;
        }
        let sheet = self.sheets[(y as usize / 16) * self.sectors_wide + x as usize / 16];
        output.edges.push(JumpEdge {
            node: NodeId::from_index(sheet << 8 | (y as u32 & 15) << 4 | x as u32 & 15),
            x: x + self.origin.0,
            y: y + self.origin.1,
            cost: cost.units().into(),
            directions,
            arrival: direction::<IN_ROW, UP>(),
        });
    }
}

/// Cost of a diagonal and a straight part.
#[inline]
fn cost_of(n_diagonal: u32, n_straight: u32) -> Cost {
    Cost::octile(n_diagonal + n_straight, n_diagonal)
}

/// A straight direction, clockwise from north.
const fn direction<const IN_ROW: bool, const UP: bool>() -> u8 {
    match (IN_ROW, UP) {
        (false, false) => 0,
        (true, true) => 1,
        (false, true) => 2,
        (true, false) => 3,
    }
}

/// The lowest and the highest origins of sectors; `None` if the ground cannot have a bitmap.
fn bounds(ground: ProfileGround<'_>) -> Option<((i32, i32), (i32, i32))> {
    if ground.ground().nav_links().next().is_some() {
        return None;
    }
    let mut first = None;
    let (mut low, mut high) = ((i32::MAX, i32::MAX), (i32::MIN, i32::MIN));
    let mut are_all_level = true;
    ground.for_each_sheet(|sheet| {
        let first: &mut SheetBits<'_> = first.get_or_insert(sheet);
        are_all_level = first.continues_in(&sheet)
            && !sheet.has_diagonal_masks()
            && ground.rank(sheet.node(0, 0)) == 0;
        let Column { x, y } = sheet.origin();
        (low, high) = ((low.0.min(x), low.1.min(y)), (high.0.max(x), high.1.max(y)));
        are_all_level
    });
    first.filter(|_| are_all_level).map(|_| (low, high))
}

/// Receives the edges of scans and how far they read.
pub(super) struct ScanOutput<'d> {
    pub(super) edges: &'d mut Vec<JumpEdge>,
    pub(super) extents: &'d mut [u32; 4],
    /// Sort keys of the edges of one diagonal.
    pub(super) keys: &'d mut Vec<Key>,
}

impl ScanOutput<'_> {
    #[inline]
    fn on_scanned(&mut self, direction: u8, n_cells: u32) {
        let extent = &mut self.extents[usize::from(direction)];
        *extent = n_cells.max(*extent);
    }

    /// Sorts the edges from `first` on by their keys: few, and almost sorted.
    fn sort_from(&mut self, first: usize) {
        for index in 1..self.keys.len() {
            let mut at = index;
            while at > 0 && self.keys[at - 1] > self.keys[at] {
                self.keys.swap(at - 1, at);
                self.edges.swap(first + at - 1, first + at);
                at -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests;
