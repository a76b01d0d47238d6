//! An open disc swept along a segment, and the columns of each row that it overlaps.
//!
//! Floating point gives the ends of a row to far less than 1/256 of a cell; where they lie that near to the
//! edge of a column, exact integers decide. A few instructions per row.

use wayfarer_base::{Column, Fixed, Point2};

/// An open disc swept along a segment, in 1/256 of a cell.
pub(super) struct SweptBody {
    from: (i64, i64),
    to: (i64, i64),
    radius: i64,
    /// The right side of the swept disc, and the left one of the mirrored segment.
    sides: [Side; 2],
}

impl SweptBody {
    pub(super) fn new(from: Point2, to: Point2, radius: Fixed) -> Self {
        let raw = |at: Point2| (i64::from(at.x.raw()), i64::from(at.y.raw()));
        Self::from_raw(raw(from), raw(to), i64::from(radius.raw()).max(1))
    }

    /// The segment itself: its columns are those that it [crosses](Self::crosses).
    pub(super) fn line(&self) -> Self {
        Self::from_raw(self.from, self.to, 1)
    }

    fn from_raw(from: (i64, i64), to: (i64, i64), radius: i64) -> Self {
        let mirrored = |(x, y): (i64, i64)| (-x, y);
        Self {
            from,
            to,
            radius,
            sides: [
                Side::new(from, to, radius),
                Side::new(mirrored(from), mirrored(to), radius),
            ],
        }
    }

    /// The rows of columns that the swept disc overlaps.
    pub(super) fn rows(&self) -> std::ops::RangeInclusive<i32> {
        let low = self.from.1.min(self.to.1) - self.radius;
        let high = self.from.1.max(self.to.1) + self.radius;
        row(low)..=row(high - 1)
    }

    /// The first and the last column of a row that the swept disc overlaps; `None` outside of
    /// [`rows`](Self::rows).
    pub(super) fn columns_in(&self, y: i32) -> Option<(i32, i32)> {
        if !self.rows().contains(&y) {
            return None;
        }
        let [right, left] = &self.sides;
        let last = match right.reach(y) {
            Reach::Exact(x) => row(x - 1),
            Reach::Near(column) => self.last_overlapped(column, y, 1),
            Reach::Column(column) => column,
        };
        // In the mirrored plane column c is column -1 - c.
        let first = match left.reach(y) {
            Reach::Exact(x) => -1 - row(x - 1),
            Reach::Near(column) => self.last_overlapped(-1 - column, y, -1),
            Reach::Column(column) => -1 - column,
        };
        Some((first, last))
    }

    /// The overlapped column of a row farthest to one side, which is near `column`.
    fn last_overlapped(&self, mut column: i32, y: i32, side: i32) -> i32 {
        let is_overlapped = |x: i32| self.is_nearer(Column::new(x, y), self.radius);
        while !is_overlapped(column) {
            column -= side;
        }
        while is_overlapped(column + side) {
            column += side;
        }
        column
    }

    /// True if the segment itself meets the closed square of a column.
    pub(super) fn crosses(&self, column: Column) -> bool {
        self.is_nearer(column, 1)
    }

    /// True if the square of a column lies nearer to the segment than the radius.
    fn is_nearer(&self, column: Column, radius: i64) -> bool {
        let (low_x, low_y) = (i64::from(column.x) * 256, i64::from(column.y) * 256);
        let square = |at: i64| i128::from(at) * i128::from(at);
        let limit = square(radius);
        let end_is_near = |(x, y): (i64, i64)| {
            let dx = x - x.clamp(low_x, low_x + 256);
            let dy = y - y.clamp(low_y, low_y + 256);
            square(dx) + square(dy) < limit
        };
        let line = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let length = square(line.0) + square(line.1);
        let nearest = limit * length;
        let (mut is_left, mut is_right, mut is_near) = (false, false, false);
        for (x, y) in [(0, 0), (256, 0), (0, 256), (256, 256)] {
            let (px, py) = (low_x + x - self.from.0, low_y + y - self.from.1);
            let dot = i128::from(px) * i128::from(line.0) + i128::from(py) * i128::from(line.1);
            let cross = i128::from(px) * i128::from(line.1) - i128::from(py) * i128::from(line.0);
            if (0..=length).contains(&dot) && length > 0 {
                is_left |= cross <= 0;
                is_right |= cross >= 0;
                is_near |= cross * cross < nearest;
            }
        }
        // A segment through the square has corners on both sides.
        is_near || (is_left && is_right) || end_is_near(self.from) || end_is_near(self.to)
    }
}

/// How far a swept disc reaches to the right in a row.
enum Reach {
    /// Up to this coordinate, exactly.
    Exact(i64),
    /// Into this column or one near it.
    Near(i32),
    /// Into this column.
    Column(i32),
}

/// The right side of a swept disc: the arc around the end that is farthest right, the tangent and the arc
/// around the other end. How far it reaches grows towards the row of the first arc.
struct Side {
    /// The end of the segment that is farthest right.
    end: (i64, i64),
    /// The ends from the lower to the higher.
    lower: (f64, f64),
    higher: (f64, f64),
    /// From an end to where the tangent touches the disc around it.
    normal: (f64, f64),
    /// Along the tangent, x for each unit of y.
    slope: f64,
    radius: i64,
    /// True if doubles may err by more than [`MARGIN`].
    is_long: bool,
}

/// Nearer to an edge than this, in 1/256 of a cell, exact integers decide. On segments up to
/// [`LONG`] doubles err by less than a hundredth of it: a radius times a slope times 2^-53.
const MARGIN: f64 = 1.0 / 64.0;
/// 65,536 cells.
const LONG: f64 = 16_777_216.0;

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "coordinates have 32 bits, and what is near to an edge is decided by integers"
)]
impl Side {
    fn new(from: (i64, i64), to: (i64, i64), radius: i64) -> Self {
        let (lower, higher) = if from.1 <= to.1 {
            (from, to)
        } else {
            (to, from)
        };
        let (dx, dy) = ((higher.0 - lower.0) as f64, (higher.1 - lower.1) as f64);
        let length = (dx * dx + dy * dy).sqrt();
        let per_length = match length > 0.0 {
            true => radius as f64 / length,
            false => 0.0,
        };
        let double = |(x, y): (i64, i64)| (x as f64, y as f64);
        Self {
            end: if from.0 >= to.0 { from } else { to },
            lower: double(lower),
            higher: double(higher),
            normal: (dy * per_length, -dx * per_length),
            slope: if dy > 0.0 { dx / dy } else { 0.0 },
            radius,
            is_long: length > LONG,
        }
    }

    /// How far the disc reaches to the right in a row that it overlaps.
    fn reach(&self, y: i32) -> Reach {
        let low = i64::from(y) * 256;
        let nearest = self.end.1.clamp(low, low + 256);
        if nearest == self.end.1 {
            return Reach::Exact(self.end.0 + self.radius);
        }
        let x = self.reach_at(nearest as f64);
        let column = floor(x) >> 8;
        let beyond = x - (column * 256) as f64;
        match beyond > MARGIN && beyond < 256.0 - MARGIN && !self.is_long {
            true => Reach::Column(column as i32),
            false => Reach::Near((floor(x - 128.0) >> 8) as i32),
        }
    }

    /// The x of the right side at a height between the ends of the swept disc.
    fn reach_at(&self, y: f64) -> f64 {
        let (above, rise) = (y - self.lower.1, self.higher.1 - self.lower.1);
        if self.normal.1 < above && above < rise + self.normal.1 {
            return self.lower.0 + (self.normal.0 + (above - self.normal.1) * self.slope);
        }
        let arc = if rise <= 0.0 {
            (self.end.0 as f64, self.end.1 as f64)
        } else if above <= self.normal.1 {
            self.lower
        } else {
            self.higher
        };
        let (radius, away) = (self.radius as f64, y - arc.1);
        arc.0 + (radius * radius - away * away).max(0.0).sqrt()
    }
}

/// Rounded down: without a call, as [`f64::floor`] takes where a processor may lack the instruction.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "coordinates have 32 bits"
)]
#[inline]
fn floor(at: f64) -> i64 {
    let toward_zero = at as i64;
    toward_zero - i64::from(toward_zero as f64 > at)
}

/// The row or column that contains a coordinate in 1/256 of a cell.
pub(super) fn row(at: i64) -> i32 {
    i32::try_from(at >> 8).expect("coordinates have 32 bits")
}

#[cfg(test)]
mod tests;
