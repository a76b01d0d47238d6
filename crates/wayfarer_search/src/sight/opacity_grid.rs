//! Opacity of one floor as bitboards, and lines of sight between column centers.
//!
//! An opaque column blocks every line through its interior. A thin wall blocks every line that
//! crosses its edge; a line through a corner is blocked by thin walls if they block both paths
//! around it. Symmetric. Without thin walls a line is tested in runs of bits, row by row or column
//! by column, whichever are fewer; with thin walls, column by column. Lines allocate nothing.

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

    /// The set bits of a row from `low` to `high`.
    pub(super) fn ones(&self, y: usize, low: usize, high: usize) -> impl Iterator<Item = usize> {
        let begin = (y * self.stride).min(self.words.len());
        let row = &self.words[begin..(begin + self.stride).min(self.words.len())];
        let words = row.iter().enumerate().take(high / 64 + 1).skip(low / 64);
        words.flat_map(move |(index, &word)| {
            let mut left = word;
            if index == low / 64 {
                left &= u64::MAX << (low % 64);
            }
            if index == high / 64 {
                left &= u64::MAX >> (63 - high % 64);
            }
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                let is_set = left != 0;
                left &= left.wrapping_sub(1);
                is_set.then_some(index * 64 + bit)
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

/// Opaque columns and thin walls within a rectangle; everything outside is opaque.
///
/// ```
/// use wayfarer_base::{Column, Rect};
/// use wayfarer_search::sight::OpacityGrid;
/// let mut grid = OpacityGrid::open(Rect { low: Column::new(0, 0), high: Column::new(9, 9) });
/// let (here, there) = (Column::new(1, 1), Column::new(8, 5));
/// assert!(grid.has_line_of_sight(here, there));
/// grid.set_opaque(Column::new(5, 3), true);
/// assert!(!grid.has_line_of_sight(here, there));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpacityGrid {
    rect: Rect,
    width: usize,
    height: usize,
    /// Opaque columns, and the same transposed.
    pub(super) rows: Bits,
    pub(super) columns: Bits,
    /// Thin walls, and the same transposed.
    pub(super) walls: [Walls; 2],
    n_walls: usize,
}

/// Thin walls by rows, or transposed by columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Walls {
    /// Between a square and the next of its row.
    pub(super) between: Bits,
    /// Between a square and that of the next row.
    pub(super) beyond: Bits,
}

impl OpacityGrid {
    /// A grid on which nothing blocks.
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

    /// The opacity of the floors from height `heights.0` to `heights.1`. Columns without such a
    /// floor are opaque, and those whose floors are all of terrains in `opaque` (one bit per
    /// terrain). Thin walls without an open door and closed doors between neighbors block.
    pub fn from_ground(ground: &Ground, rect: Rect, heights: (i32, i32), opaque: u64) -> Self {
        let mut grid = Self::open(rect);
        for column in rect.columns() {
            grid.update_column(ground, column, heights, opaque);
        }
        grid
    }

    /// Reads a column of the ground again after an edit. After an edit of a wall or door, the
    /// caller updates both columns beside the edge.
    pub fn update_column(
        &mut self,
        ground: &Ground,
        column: Column,
        heights: (i32, i32),
        opaque: u64,
    ) {
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
            let is_blocked = match door_between(ground, column, next, on_floor) {
                Some(state) => state != LinkState::Open,
                None => has_wall,
            };
            self.set_wall(column, side, is_blocked);
        }
    }

    /// Its bounds.
    pub const fn rect(&self) -> Rect {
        self.rect
    }

    /// Number of rows and of columns.
    pub(super) const fn size(&self) -> (usize, usize) {
        (self.height, self.width)
    }

    /// Indices of a column and its row; `None` out of bounds.
    #[inline]
    pub(super) fn index_of(&self, column: Column) -> Option<(usize, usize)> {
        let x = usize::try_from(i64::from(column.x) - i64::from(self.rect.low.x)).ok()?;
        let y = usize::try_from(i64::from(column.y) - i64::from(self.rect.low.y)).ok()?;
        (x < self.width && y < self.height).then_some((x, y))
    }

    /// True if the column blocks every line through its interior.
    pub fn is_opaque(&self, column: Column) -> bool {
        self.index_of(column)
            .is_none_or(|(x, y)| self.rows.get(x, y))
    }

    /// Makes a column opaque or transparent; columns out of bounds stay opaque.
    pub fn set_opaque(&mut self, column: Column, is_opaque: bool) {
        if let Some((x, y)) = self.index_of(column) {
            self.rows.set(x, y, is_opaque);
            self.columns.set(y, x, is_opaque);
        }
    }

    /// True if a thin wall stands on that edge of the column.
    pub fn has_wall(&self, column: Column, side: WallSide) -> bool {
        self.index_of(column).is_some_and(|(x, y)| match side {
            WallSide::East => self.walls[0].between.get(x, y),
            WallSide::South => self.walls[0].beyond.get(x, y),
        })
    }

    /// Adds or removes a thin wall; no effect out of bounds.
    pub fn set_wall(&mut self, column: Column, side: WallSide, is_blocked: bool) {
        let was_blocked = self.has_wall(column, side);
        if let Some((x, y)) = self.index_of(column) {
            let [rows, columns] = &mut self.walls;
            match side {
                WallSide::East => {
                    rows.between.set(x, y, is_blocked);
                    columns.beyond.set(y, x, is_blocked);
                }
                WallSide::South => {
                    rows.beyond.set(x, y, is_blocked);
                    columns.between.set(y, x, is_blocked);
                }
            }
            self.n_walls = self.n_walls + usize::from(is_blocked) - usize::from(was_blocked);
        }
    }

    /// True if there are thin walls or closed doors.
    pub const fn has_walls(&self) -> bool {
        self.n_walls > 0
    }

    /// True if nothing blocks the line between the centers of two columns, both included.
    /// Symmetric.
    pub fn has_line_of_sight(&self, from: Column, to: Column) -> bool {
        let (Some(a), Some(b)) = (self.index_of(from), self.index_of(to)) else {
            return false;
        };
        if self.n_walls > 0 {
            return self.traverse(from, to);
        }
        // By rows or by columns, whichever are fewer.
        if a.1.abs_diff(b.1) <= a.0.abs_diff(b.0) {
            runs_are_clear(&self.rows, a, b)
        } else {
            runs_are_clear(&self.columns, (a.1, a.0), (b.1, b.0))
        }
    }

    /// [`OpacityGrid::has_line_of_sight`] column by column, thin walls included.
    fn traverse(&self, from: Column, to: Column) -> bool {
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
            // When the next edge is crossed along x and along y, in the same unit of time.
            let (next_x, next_y) = ((2 * at_x + 1) * n_y, (2 * at_y + 1) * n_x);
            let along_x = at_x < n_x && (next_x <= next_y || at_y == n_y);
            let along_y = at_y < n_y && (next_y <= next_x || at_x == n_x);
            let is_blocked = match (along_x, along_y) {
                (true, true) => {
                    let is_blocked_around = |first: Direction, then: Direction| {
                        let beside = at.step(first);
                        self.is_wall_between(at, first)
                            || beside.is_none_or(|beside| self.is_wall_between(beside, then))
                    };
                    is_blocked_around(east, south) && is_blocked_around(south, east)
                }
                (true, false) => self.is_wall_between(at, east),
                _ => self.is_wall_between(at, south),
            };
            if is_blocked {
                return false;
            }
            let step = |at: Column, is_taken: bool, direction: Direction| {
                if is_taken {
                    at.step(direction)
                } else {
                    Some(at)
                }
            };
            let Some(next) = step(at, along_x, east).and_then(|at| step(at, along_y, south)) else {
                return false;
            };
            at = next;
            at_x += u64::from(along_x);
            at_y += u64::from(along_y);
        }
    }

    /// True if a thin wall stands between a column and its neighbor in a straight direction.
    pub(super) fn is_wall_between(&self, column: Column, direction: Direction) -> bool {
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
    // One open door suffices.
    let first = doors.next()?.state;
    let is_open = first == LinkState::Open || doors.any(|door| door.state == LinkState::Open);
    Some(if is_open { LinkState::Open } else { first })
}

/// True if the line covers no set bit. One run per row; the ends of runs are found incrementally,
/// without division, as in Bresenham's algorithm.
#[expect(
    clippy::cast_possible_wrap,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "indices into a grid with fewer than 2^31 columns a side"
)]
fn runs_are_clear(bits: &Bits, a: (usize, usize), b: (usize, usize)) -> bool {
    let ((x, top), (end, bottom)) = if a.1 <= b.1 { (a, b) } else { (b, a) };
    let n_rows = (bottom - top) as i64;
    if n_rows == 0 {
        return !any(bits.row(top), x.min(end), x.max(end));
    }
    let (x, end) = (x as i64, end as i64);
    let over = end - x;
    // Where the line crosses from row to row: column `at` plus `remainder` / (2 rows).
    let parts = 2 * n_rows;
    let first = (2 * x + 1) * n_rows + over;
    let (mut at, mut remainder) = (first.div_euclid(parts), first.rem_euclid(parts));
    let (step, step_remainder) = (over.div_euclid(n_rows), 2 * over.rem_euclid(n_rows));
    // The columns to the left and to the right of the upper crossing of the row.
    let (mut left, mut right) = (x, x);
    for row in top..=bottom {
        // The same for its lower crossing.
        let (below_left, below_right) = if row == bottom {
            (end, end)
        } else if remainder == 0 {
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
        remainder += step_remainder;
        if remainder >= parts {
            at += 1;
            remainder -= parts;
        }
    }
    true
}

#[cfg(test)]
mod tests;
