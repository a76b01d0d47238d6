//! What blocks the eye, as bits: a flat picture of one floor that is quick to look across.
//!
//! An opaque column blocks every line that enters its square. A thin wall blocks every line that
//! crosses its edge; a line through a corner is blocked by thin walls if they bar both ways around
//! it. All lines run from middle to middle, and every rule is the same from both ends.

use wayfarer_base::{
    Cell, Column, Direction, LinkState, NavLinkKind, Rect, SectorId, Wall, WallSide,
};
use wayfarer_world::ground::Ground;

/// Rows of bits, one for each column of a rectangle.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Bits {
    words: Vec<u64>,
    stride: usize,
}

impl Bits {
    fn new(width: usize, height: usize) -> Self {
        let stride = width.div_ceil(64);
        Self {
            words: vec![0; stride * height],
            stride,
        }
    }

    pub(super) fn row(&self, y: usize) -> &[u64] {
        &self.words[y * self.stride..(y + 1) * self.stride]
    }

    #[inline]
    fn get(&self, x: usize, y: usize) -> bool {
        self.words[y * self.stride + x / 64] >> (x % 64) & 1 != 0
    }

    /// True if the bit lies within and is set.
    pub(super) fn has(&self, x: usize, y: usize) -> bool {
        let word = self.words.get(y * self.stride + x / 64);
        x / 64 < self.stride && word.is_some_and(|word| word >> (x % 64) & 1 != 0)
    }

    /// The bits of a row that are set, from `low` to `high`.
    pub(super) fn ones(&self, y: usize, low: usize, high: usize) -> impl Iterator<Item = usize> {
        let begin = (y * self.stride).min(self.words.len());
        let row = &self.words[begin..(begin + self.stride).min(self.words.len())];
        let words = row.iter().enumerate().take(high / 64 + 1).skip(low / 64);
        words.flat_map(move |(place, &word)| {
            let mut rest = word;
            if place == low / 64 {
                rest &= u64::MAX << (low % 64);
            }
            if place == high / 64 {
                rest &= u64::MAX >> (63 - high % 64);
            }
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                let is_set = rest != 0;
                rest &= rest.wrapping_sub(1);
                is_set.then_some(place * 64 + bit)
            })
        })
    }

    fn set(&mut self, x: usize, y: usize, value: bool) {
        let word = &mut self.words[y * self.stride + x / 64];
        *word = *word & !(1 << (x % 64)) | u64::from(value) << (x % 64);
    }
}

/// True if a bit from `low` to `high` is set.
#[inline]
fn any(row: &[u64], low: usize, high: usize) -> bool {
    let (first, last) = (low / 64, high / 64);
    let from = u64::MAX << (low % 64);
    let to = u64::MAX >> (63 - high % 64);
    if first == last {
        return row[first] & from & to != 0;
    }
    row[first] & from != 0
        || row[last] & to != 0
        || row[first + 1..last].iter().any(|&word| word != 0)
}

/// What blocks the eye within a rectangle; everything outside is opaque.
///
/// ```
/// use wayfarer_base::{Column, Rect};
/// use wayfarer_search::sight::OpacityGrid;
/// let mut board = OpacityGrid::open(Rect { low: Column::new(0, 0), high: Column::new(9, 9) });
/// let (here, there) = (Column::new(1, 1), Column::new(8, 5));
/// assert!(board.sees(here, there));
/// board.set_opaque(Column::new(5, 3), true);
/// assert!(!board.sees(here, there));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpacityGrid {
    rect: Rect,
    width: usize,
    height: usize,
    /// Opaque squares, row by row and column by column.
    pub(super) rows: Bits,
    pub(super) columns: Bits,
    /// Thin walls east and south of squares, row by row and column by column.
    pub(super) walls: [Walls; 2],
    n_walls: usize,
}

/// Thin walls as the lines of a board meet them: along its rows or along its columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Walls {
    /// Between a square and the next of its line.
    pub(super) between: Bits,
    /// Between a square and the one of the next line.
    pub(super) beyond: Bits,
}

impl OpacityGrid {
    /// A board on which nothing blocks.
    pub fn open(rect: Rect) -> Self {
        let size = |low: i32, high: i32| {
            usize::try_from(i64::from(high) - i64::from(low) + 1).unwrap_or(0)
        };
        let width = size(rect.low.x, rect.high.x);
        let height = size(rect.low.y, rect.high.y);
        Self {
            rect,
            width,
            height,
            rows: Bits::new(width, height),
            columns: Bits::new(height, width),
            walls: [(width, height), (height, width)].map(|(across, along)| Walls {
                between: Bits::new(across, along),
                beyond: Bits::new(across, along),
            }),
            n_walls: 0,
        }
    }

    /// What the ground of a floor shows: columns without a floor from height `low` to `high` are
    /// opaque, and so are those whose floors there are all of terrains in `opaque` (a bit for
    /// each). Thin walls block, unless an open door leads through; closed doors between
    /// neighbors block.
    pub fn of_ground(ground: &Ground, rect: Rect, heights: (i32, i32), opaque: u64) -> Self {
        let mut board = Self::open(rect);
        for column in rect.columns() {
            board.renew(ground, column, heights, opaque);
        }
        board
    }

    /// Looks at one column of the ground again, after an edit there; for walls and doors, at both
    /// columns beside the edge.
    pub fn renew(&mut self, ground: &Ground, column: Column, heights: (i32, i32), opaque: u64) {
        if !self.rect.contains(column) {
            return;
        }
        let on_floor = |z: i32| heights.0 <= z && z <= heights.1;
        let mut floors = ground.floors(column).filter(|(z, _)| on_floor(*z));
        let is_clear = floors.any(|(_, terrain)| opaque & terrain.bit() == 0);
        self.set_opaque(column, !is_clear);
        for side in [WallSide::East, WallSide::South] {
            let Some(next) = column.step(side.direction()) else {
                continue;
            };
            let floors = ground.floors(column).filter(|(z, _)| on_floor(*z));
            let mut walls = floors.map(|(z, _)| Wall {
                cell: column.at(z),
                side,
            });
            let has_wall = walls.any(|wall| ground.has_wall(wall));
            let stands = match door_between(ground, column, next, on_floor) {
                Some(gate) => gate != LinkState::Open,
                None => has_wall,
            };
            self.set_wall(column, side, stands);
        }
    }

    /// The rectangle it shows.
    pub const fn rect(&self) -> Rect {
        self.rect
    }

    /// Rows and columns.
    pub(super) const fn size(&self) -> (usize, usize) {
        (self.height, self.width)
    }

    #[inline]
    pub(super) fn place(&self, column: Column) -> Option<(usize, usize)> {
        let x = usize::try_from(i64::from(column.x) - i64::from(self.rect.low.x)).ok()?;
        let y = usize::try_from(i64::from(column.y) - i64::from(self.rect.low.y)).ok()?;
        (x < self.width && y < self.height).then_some((x, y))
    }

    /// True if the column blocks every line that enters it.
    pub fn is_opaque(&self, column: Column) -> bool {
        self.place(column).is_none_or(|(x, y)| self.rows.get(x, y))
    }

    /// Makes a column opaque or clear; columns outside stay opaque.
    pub fn set_opaque(&mut self, column: Column, is_opaque: bool) {
        if let Some((x, y)) = self.place(column) {
            self.rows.set(x, y, is_opaque);
            self.columns.set(y, x, is_opaque);
        }
    }

    /// True if a thin wall stands on that edge of the column.
    pub fn has_wall(&self, column: Column, side: WallSide) -> bool {
        self.place(column).is_some_and(|(x, y)| match side {
            WallSide::East => self.walls[0].between.get(x, y),
            WallSide::South => self.walls[0].beyond.get(x, y),
        })
    }

    /// Puts up or takes down a thin wall.
    pub fn set_wall(&mut self, column: Column, side: WallSide, stands: bool) {
        let stood = self.has_wall(column, side);
        if let Some((x, y)) = self.place(column) {
            let [rows, columns] = &mut self.walls;
            match side {
                WallSide::East => {
                    rows.between.set(x, y, stands);
                    columns.beyond.set(y, x, stands);
                }
                WallSide::South => {
                    rows.beyond.set(x, y, stands);
                    columns.between.set(y, x, stands);
                }
            }
            self.n_walls = self.n_walls + usize::from(stands) - usize::from(stood);
        }
    }

    /// True if there are thin walls or closed doors.
    pub const fn has_walls(&self) -> bool {
        self.n_walls > 0
    }

    /// True if the line from the middle of one column to the middle of another is blocked by
    /// nothing, both ends included. The same from either end.
    pub fn sees(&self, from: Column, to: Column) -> bool {
        let (Some(a), Some(b)) = (self.place(from), self.place(to)) else {
            return false;
        };
        if self.n_walls > 0 {
            return self.walks(from, to);
        }
        // Along the rows or along the columns, whichever are fewer.
        if a.1.abs_diff(b.1) <= a.0.abs_diff(b.0) {
            runs_are_clear(&self.rows, a, b)
        } else {
            runs_are_clear(&self.columns, (a.1, a.0), (b.1, b.0))
        }
    }

    /// Square by square, with thin walls.
    fn walks(&self, from: Column, to: Column) -> bool {
        let (n_x, n_y) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        let (n_x, n_y) = (u64::from(n_x), u64::from(n_y));
        let east = if to.x > from.x {
            Direction::East
        } else {
            Direction::West
        };
        let south = if to.y > from.y {
            Direction::South
        } else {
            Direction::North
        };
        let (mut at, mut at_x, mut at_y) = (from, 0, 0);
        loop {
            if self.is_opaque(at) {
                return false;
            }
            if (at_x, at_y) == (n_x, n_y) {
                return true;
            }
            // When the next edge is crossed along x and along y, in the same parts of the line.
            let (next_x, next_y) = ((2 * at_x + 1) * n_y, (2 * at_y + 1) * n_x);
            let along_x = at_x < n_x && (next_x <= next_y || at_y == n_y);
            let along_y = at_y < n_y && (next_y <= next_x || at_x == n_x);
            let barred = match (along_x, along_y) {
                (true, true) => {
                    let around = |first: Direction, then: Direction| {
                        let beside = at.step(first);
                        self.bars(at, first) || beside.is_none_or(|beside| self.bars(beside, then))
                    };
                    around(east, south) && around(south, east)
                }
                (true, false) => self.bars(at, east),
                _ => self.bars(at, south),
            };
            if barred {
                return false;
            }
            let step = |at: Column, taken: bool, direction: Direction| {
                if taken { at.step(direction) } else { Some(at) }
            };
            let Some(next) = step(at, along_x, east).and_then(|at| step(at, along_y, south)) else {
                return false;
            };
            at = next;
            at_x += u64::from(along_x);
            at_y += u64::from(along_y);
        }
    }

    /// True if a thin wall stands between a column and the next.
    pub(super) fn bars(&self, column: Column, direction: Direction) -> bool {
        match direction {
            Direction::East => self.has_wall(column, WallSide::East),
            Direction::South => self.has_wall(column, WallSide::South),
            other => {
                let side = if other == Direction::West {
                    WallSide::East
                } else {
                    WallSide::South
                };
                column
                    .step(other)
                    .is_some_and(|beyond| self.has_wall(beyond, side))
            }
        }
    }
}

fn door_between(
    ground: &Ground,
    column: Column,
    next: Column,
    on_floor: impl Fn(i32) -> bool,
) -> Option<LinkState> {
    let joins = |a: Cell, b: Cell| {
        a.column() == column && b.column() == next && on_floor(a.z) && on_floor(b.z)
    };
    let nav_links = ground.nav_links_in(SectorId::from_column(column)).iter();
    let mut doors = nav_links
        .filter(|nav_link| nav_link.kind == NavLinkKind::Door)
        .filter(|nav_link| joins(nav_link.from, nav_link.to) || joins(nav_link.to, nav_link.from));
    // One open door is enough to see through.
    let first = doors.next()?.state;
    let is_open = first == LinkState::Open || doors.any(|door| door.state == LinkState::Open);
    Some(if is_open { LinkState::Open } else { first })
}

/// True if the line enters no set bit. It is cut into runs, one for each row; where a run begins
/// and ends is found by adding up, without a division.
#[expect(
    clippy::cast_possible_wrap,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "places on a board, which has fewer than 2^31 columns a side"
)]
fn runs_are_clear(bits: &Bits, a: (usize, usize), b: (usize, usize)) -> bool {
    let ((x, top), (end, bottom)) = if a.1 <= b.1 { (a, b) } else { (b, a) };
    let n_rows = (bottom - top) as i64;
    if n_rows == 0 {
        return !any(bits.row(top), x.min(end), x.max(end));
    }
    let (x, end) = (x as i64, end as i64);
    let over = end - x;
    // Where the line crosses from row to row: `at` and `rest` / (2 rows) columns.
    let parts = 2 * n_rows;
    let first = (2 * x + 1) * n_rows + over;
    let (mut at, mut rest) = (first.div_euclid(parts), first.rem_euclid(parts));
    let (step, step_rest) = (over.div_euclid(n_rows), 2 * over.rem_euclid(n_rows));
    // The columns to the left and to the right of where the last row was left.
    let (mut left, mut right) = (x, x);
    for row in top..=bottom {
        // Of the run's ends, the one in the row above and the one below.
        let (below_left, below_right) = if row == bottom {
            (end, end)
        } else if rest == 0 {
            (at - 1, at)
        } else {
            (at, at)
        };
        let (low, high) = if over >= 0 {
            (right, below_left)
        } else {
            (below_right, left)
        };
        if low <= high && any(bits.row(row), low as usize, high as usize) {
            return false;
        }
        (left, right) = (below_left, below_right);
        at += step;
        rest += step_rest;
        if rest >= parts {
            at += 1;
            rest -= parts;
        }
    }
    true
}

#[cfg(test)]
mod tests;
