//! Field of view by exact symmetric shadow casting over bitboards (closest published relative:
//! \[Ford\]).
//!
//! A column is visible exactly if [`OpacityGrid::has_line_of_sight`] is true, hence symmetric. Each
//! quadrant keeps the visible directions as closed intervals of rational slopes, row by row. An
//! opaque square removes the open interval between its outermost corners, a thin wall the one
//! between its ends. An interval of a single slope runs through a corner and is removed where walls
//! block both paths around it. East and west are scanned on the transposed bitboard. No allocation
//! once warm.

use wayfarer_base::Column;

use super::opacity_grid::OpacityGrid;

mod line;
mod walls;

use line::{Line, N_WORDS, transpose, words_of};
use walls::Rows;

/// The columns visible from one column; reuse it to avoid allocation.
#[derive(Clone, Debug, Default)]
pub struct FieldOfView {
    eye: Column,
    radius: i32,
    stride: usize,
    seen: Vec<u64>,
    /// Visible columns to the west and to the east, transposed.
    transposed: Vec<u64>,
    lit: Vec<(Slope, Slope)>,
    next: Vec<(Slope, Slope)>,
}

/// Columns to the side per row ahead.
#[derive(Clone, Copy, Debug)]
struct Slope {
    over: i32,
    ahead: i32,
}

impl Slope {
    /// Exact: both parts of a slope are below 512.
    #[inline]
    fn is_above(self, other: Self) -> bool {
        self.over * other.ahead > other.over * self.ahead
    }

    #[inline]
    fn max(self, other: Self) -> Self {
        if other.is_above(self) { other } else { self }
    }

    #[inline]
    fn min(self, other: Self) -> Self {
        if self.is_above(other) { other } else { self }
    }
}

/// The largest radius of a field of view, in cells.
pub const MAX_SIGHT_RADIUS: i32 = 255;

impl FieldOfView {
    /// Computes the columns whose centers are within `radius` cells (clamped to
    /// [`MAX_SIGHT_RADIUS`]) and in line of sight. Empty from an opaque column.
    pub fn compute(&mut self, grid: &OpacityGrid, eye: Column, radius: i32) {
        let radius = radius.clamp(0, MAX_SIGHT_RADIUS);
        let width = 2 * radius.unsigned_abs() as usize + 1;
        self.eye = eye;
        self.radius = radius;
        self.stride = width.div_ceil(64);
        for bits in [&mut self.seen, &mut self.transposed] {
            bits.clear();
            bits.resize(self.stride * width, 0);
        }
        if grid.is_opaque(eye) {
            return;
        }
        let center = radius.unsigned_abs() as usize;
        self.seen[center * self.stride + center / 64] |= 1 << (center % 64);
        for quadrant in 0..4 {
            self.scan_quadrant(grid, quadrant);
        }
        self.merge_transposed();
    }

    /// Merges the transposed bits in blocks of 64 x 64.
    fn merge_transposed(&mut self) {
        let width = 2 * self.radius.unsigned_abs() as usize + 1;
        for from in 0..self.stride {
            for to in 0..self.stride {
                let rows = |first: usize| first * 64..width.min(first * 64 + 64);
                let mut block = [0; 64];
                for (word, row) in block.iter_mut().zip(rows(from)) {
                    *word = self.transposed[row * self.stride + to];
                }
                if block == [0; 64] {
                    continue;
                }
                transpose(&mut block);
                for (word, row) in block.iter().zip(rows(to)) {
                    self.seen[row * self.stride + from] |= word;
                }
            }
        }
    }

    /// True if the column is visible.
    pub fn contains(&self, column: Column) -> bool {
        let x = i64::from(column.x) - i64::from(self.eye.x) + i64::from(self.radius);
        let y = i64::from(column.y) - i64::from(self.eye.y) + i64::from(self.radius);
        let width = 2 * i64::from(self.radius);
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else {
            return false;
        };
        let is_near = |at: usize| i64::try_from(at).is_ok_and(|at| at <= width);
        is_near(x)
            && is_near(y)
            && self
                .seen
                .get(y * self.stride + x / 64)
                .copied()
                .unwrap_or(0)
                >> (x % 64)
                & 1
                != 0
    }

    /// The number of visible columns.
    pub fn len(&self) -> usize {
        self.seen
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// True if no column is visible.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The visible columns, row by row.
    pub fn columns(&self) -> impl Iterator<Item = Column> {
        let radius = self.radius;
        let span = -radius..=radius;
        let all = span
            .clone()
            .flat_map(move |y| span.clone().map(move |x| (x, y)));
        all.filter_map(move |(x, y)| {
            let column = Column::new(self.eye.x.checked_add(x)?, self.eye.y.checked_add(y)?);
            self.contains(column).then_some(column)
        })
    }

    /// Scans the quadrant north, south, west or east of the eye, both its diagonals included.
    fn scan_quadrant(&mut self, grid: &OpacityGrid, quadrant: u8) {
        let Some((eye_x, eye_y)) = grid.index_of(self.eye) else {
            return;
        };
        let sign = if quadrant.is_multiple_of(2) { -1 } else { 1 };
        let (bits, across, along) = if quadrant < 2 {
            (&grid.rows, eye_x, eye_y)
        } else {
            (&grid.columns, eye_y, eye_x)
        };
        let (n_rows, n_columns) = grid.size();
        let (n_rows, n_columns) = if quadrant < 2 {
            (n_rows, n_columns)
        } else {
            (n_columns, n_rows)
        };
        let walls = grid.has_walls().then(|| Rows {
            walls: &grid.walls[usize::from(quadrant >= 2)],
            along,
            across,
            sign,
        });
        let edge = |over: i32| Slope { over, ahead: 1 };
        let seen = if quadrant < 2 {
            &mut self.seen
        } else {
            &mut self.transposed
        };
        self.lit.clear();
        self.lit.push((edge(-1), edge(1)));
        let mut line = Line::new(self.radius);
        for ahead in 1..=self.radius {
            let row = offset(along, sign * ahead).filter(|row| *row < n_rows);
            let Some(row) = row else {
                break; // Everything out of bounds is opaque.
            };
            line.read(bits.row(row), across, n_columns, ahead);
            let half = half_chord(self.radius, ahead).min(ahead);
            if let Some(walls) = &walls {
                walls.shade_edge(ahead, &mut self.lit, &mut self.next);
            }
            self.next.clear();
            let mut marks = [0; N_WORDS];
            for &(low, high) in &self.lit {
                let first = ceil(low, ahead);
                let last = floor(high, ahead);
                line.mark(&mut marks, first.max(-half), last.min(half));
                let beside = (first - 1, last + 1);
                cast_shadows(&line, ahead, (low, high), beside, &mut self.next);
            }
            std::mem::swap(&mut self.lit, &mut self.next);
            if let Some(walls) = &walls {
                // Only the diagonals reach their column through a corner of its row.
                for side in [-1, 1] {
                    if walls.blocks_corner(ahead, edge(side)) {
                        line.unmark(&mut marks, side * ahead);
                    }
                }
                walls.shade_row(ahead, &mut self.lit, &mut self.next);
            }
            let row = (self.radius + sign * ahead).cast_unsigned() as usize;
            let row = &mut seen[row * self.stride..(row + 1) * self.stride];
            for word in words_of(self.radius - ahead, self.radius + ahead) {
                row[word] |= marks[word] & !line.opaque[word];
            }
            if self.lit.is_empty() {
                break;
            }
        }
    }
}

/// Pushes the parts of a visible interval beyond the opaque squares of a row.
fn cast_shadows(
    row: &Line,
    ahead: i32,
    (low, high): (Slope, Slope),
    (first, last): (i32, i32),
    next: &mut Vec<(Slope, Slope)>,
) {
    // Lines of this quadrant cover only squares between the diagonals.
    let (first, last) = (first.max(-ahead), last.min(ahead));
    let mut from = low;
    let mut over = first;
    while let Some(begin) = row.next_opaque(over, last) {
        let end = row.last_opaque(begin, last);
        let (shadow_low, shadow_high) = shadow(begin, end, ahead);
        if !from.is_above(shadow_low) && !from.is_above(high) {
            next.push((from, shadow_low.min(high)));
        }
        from = from.max(shadow_high);
        over = end + 2;
        if from.is_above(high) {
            return;
        }
    }
    if !from.is_above(high) {
        next.push((from, high));
    }
}

/// The outermost corners of a run of squares, as slopes.
fn shadow(begin: i32, end: i32, ahead: i32) -> (Slope, Slope) {
    let corner = |over: i32, is_near: bool| Slope {
        over,
        ahead: if is_near {
            2 * ahead - 1
        } else {
            2 * ahead + 1
        },
    };
    (
        corner(2 * begin - 1, 2 * begin - 1 < 0),
        corner(2 * end + 1, 2 * end + 1 > 0),
    )
}

/// The first column whose center is not west of the slope.
fn ceil(slope: Slope, ahead: i32) -> i32 {
    -((-slope.over * ahead).div_euclid(slope.ahead))
}

/// The last column whose center is not east of the slope.
fn floor(slope: Slope, ahead: i32) -> i32 {
    (slope.over * ahead).div_euclid(slope.ahead)
}

fn offset(index: usize, by: i32) -> Option<usize> {
    index.checked_add_signed(isize::try_from(by).ok()?)
}

/// Half the length of a circle's chord at `row`, rounded down.
fn half_chord(radius: i32, row: i32) -> i32 {
    let square = i64::from(radius) * i64::from(radius) - i64::from(row) * i64::from(row);
    let root = u64::try_from(square).map(u64::isqrt).unwrap_or(0);
    i32::try_from(root).unwrap_or(0)
}

#[cfg(test)]
mod tests;
