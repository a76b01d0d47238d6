//! Outlines rasterized row by row: every column whose square an outline overlaps.
//!
//! Exact in 1/256 of a column. Touching a square from outside does not count, so an outline that ends
//! between two columns does not grow by one.

/// Too many columns, or too many rows times corners.
pub(super) const TOO_WIDE: &str = "spans more than 1048576 columns, or too many rows and corners";

/// Rows of all edges together, at most: a bound on the work for one outline.
const MAX_EDGE_ROWS: i64 = 1 << 22;

/// An area of the plane, in 1/256 of a column.
pub(super) enum Outline {
    /// All points nearer to the center than the radius.
    Disc { center: (i64, i64), radius: i64 },
    /// The inside of a polygon, by the even-odd rule.
    Polygon(Vec<(i64, i64)>),
}

/// A row of columns, first and last included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Row {
    pub(super) y: i32,
    first: i32,
    last: i32,
}

impl Row {
    fn new(y: i64, first: i64, last: i64) -> Option<Self> {
        let fit = |at: i64| i32::try_from(at).ok();
        let row = Self {
            y: fit(y)?,
            first: fit(first)?,
            last: fit(last)?,
        };
        (row.first <= row.last).then_some(row)
    }

    pub(super) fn columns(&self) -> std::ops::RangeInclusive<i32> {
        self.first..=self.last
    }
}

impl Outline {
    /// A disc of at least 1/256 of a column.
    pub(super) fn disc(center: (i64, i64), radius: i32) -> Self {
        let radius = i64::from(radius.max(1));
        Self::Disc { center, radius }
    }

    /// The columns it overlaps, row by row, without overlaps.
    ///
    /// # Errors
    /// More than `limit` columns, or too many rows and corners.
    pub(super) fn rows(&self, limit: u64) -> Result<Vec<Row>, &'static str> {
        let mut rows = match self {
            Self::Disc { center, radius } => disc_rows(*center, *radius, limit)?,
            Self::Polygon(corners) => polygon_rows(corners, limit)?,
        };
        rows.sort_unstable();
        let mut merged: Vec<Row> = Vec::with_capacity(rows.len());
        for row in rows {
            match merged.last_mut() {
                Some(last) if last.y == row.y && row.first <= last.last.saturating_add(1) => {
                    last.last = last.last.max(row.last);
                }
                _ => merged.push(row),
            }
        }
        let length = |row: &Row| u64::from(row.last.abs_diff(row.first)) + 1;
        if merged.iter().map(length).sum::<u64>() > limit {
            return Err(TOO_WIDE);
        }
        Ok(merged)
    }
}

fn disc_rows((x, y): (i64, i64), radius: i64, limit: u64) -> Result<Vec<Row>, &'static str> {
    // A square inside the disc has more than its half.
    let side = (radius / 256).unsigned_abs();
    if side * side > limit {
        return Err(TOO_WIDE);
    }
    let mut rows = Vec::new();
    for row in (y - radius).div_euclid(256)..=(y + radius).div_euclid(256) {
        let (top, bottom) = (row * 256, row * 256 + 256);
        let gap = (top - y).max(y - bottom).max(0);
        let square = (radius * radius - gap * gap).max(0);
        // The largest whole number below the root.
        let reach = square.unsigned_abs().isqrt().cast_signed() - i64::from(is_square(square));
        if square > 0 && gap < radius {
            let last = (x + reach).div_euclid(256);
            let first = -((reach - x).div_euclid(256)) - 1;
            rows.extend(Row::new(row, first.min(last), last));
        }
    }
    Ok(rows)
}

fn is_square(number: i64) -> bool {
    let root = number.unsigned_abs().isqrt().cast_signed();
    root * root == number
}

fn polygon_rows(corners: &[(i64, i64)], limit: u64) -> Result<Vec<Row>, &'static str> {
    let edges = || {
        let ends = corners.iter().skip(1).chain(corners.first());
        corners.iter().copied().zip(ends.copied())
    };
    let height = |((_, a), (_, b)): ((i64, i64), (i64, i64))| a.abs_diff(b) / 256 + 2;
    let n_edge_rows = edges().map(height).fold(0, u64::saturating_add);
    if n_edge_rows > MAX_EDGE_ROWS.unsigned_abs() {
        return Err(TOO_WIDE);
    }
    let mut rows = Vec::new();
    let mut crossings: Vec<(i64, i128)> = Vec::new();
    let mut n_marked = 0;
    for (a, b) in edges() {
        let (low, high) = if a.1 <= b.1 { (a, b) } else { (b, a) };
        for row in low.1.div_euclid(256)..=high.1.div_euclid(256) {
            let marked = edge_in_row(low, high, row);
            n_marked += marked.map_or(0, |row| u64::from(row.last.abs_diff(row.first)) + 1);
            rows.extend(marked);
            if n_marked > 4 * limit {
                return Err(TOO_WIDE);
            }
            let middle = row * 256 + 128;
            if low.1 <= middle && middle < high.1 {
                // In 1/65,536 of 1/256, rounded: beside an edge the edge itself marks the column.
                crossings.push((row, x_at(low, high, middle)));
            }
        }
    }
    crossings.sort_unstable();
    for pair in crossings.chunks_exact(2) {
        let [(y, from), (_, to)] = [pair[0], pair[1]];
        let half = 128 << SHIFT;
        let column = 256 << SHIFT;
        let first = -((half - from).div_euclid(column));
        let last = (to - half).div_euclid(column);
        let fit = |at: i128| i64::try_from(at).map_err(|_far| TOO_WIDE);
        rows.extend(Row::new(y, fit(first)?, fit(last)?));
    }
    Ok(rows)
}

/// Bits below 1/256 of a column in a crossing.
const SHIFT: u32 = 16;

/// Where an edge is at height `y`, rounded down, in 1/65,536 of 1/256 of a column.
fn x_at(low: (i64, i64), high: (i64, i64), y: i64) -> i128 {
    let (dx, dy) = (i128::from(high.0 - low.0), i128::from(high.1 - low.1));
    let along = (dx * i128::from(y - low.1)) << SHIFT;
    (i128::from(low.0) << SHIFT) + if dy == 0 { 0 } else { along.div_euclid(dy) }
}

/// The columns of a row whose squares an edge enters.
fn edge_in_row(low: (i64, i64), high: (i64, i64), row: i64) -> Option<Row> {
    let (top, bottom) = (row * 256, row * 256 + 256);
    // An edge along the border of two rows enters neither.
    if low.1 >= bottom || high.1 <= top || (low.1 == high.1 && low.1 == top) {
        return None;
    }
    let ends = [low.1.max(top), high.1.min(bottom)].map(|y| x_at(low, high, y));
    let (mut from, mut to) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    if low.1 == high.1 {
        from = i128::from(low.0.min(high.0)) << SHIFT;
        to = i128::from(low.0.max(high.0)) << SHIFT;
    }
    let column = 256 << SHIFT;
    let first = from.div_euclid(column);
    // An edge that ends between two columns does not enter the second.
    let last = (to - 1).div_euclid(column).max(if from == to {
        // Upright: between two columns it enters neither.
        if to.rem_euclid(column) == 0 {
            return None;
        }
        first
    } else {
        i128::MIN
    });
    Row::new(row, i64::try_from(first).ok()?, i64::try_from(last).ok()?)
}

#[cfg(test)]
mod tests;
