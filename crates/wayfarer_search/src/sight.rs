//! Exact, symmetric line of sight on the column grid.
//!
//! A column is the square from (x, y) to (x + 1, y + 1). A line is the segment between two points,
//! in 1/256 of a cell. [`LineCoverage`] says which squares a line covers: `Interior` for sight and
//! fire, `Closed` for walking. Both are symmetric in the ends of the line (ADR 9).
//!
//! [`OpacityGrid`] tests lines on a bitboard of one floor, [`FieldOfView`] computes all columns
//! visible from one, [`GroundVisibility`] tests lines over floors, walls and doors at any height and
//! [`OcclusionCache`] does so by bits where heights allow, [`RoomGraph`] culls columns behind walls.

use wayfarer_base::{Column, Point2};

mod field_of_view;
mod heights;
mod occlusion_cache;
mod opacity_grid;
mod room_graph;
mod visibility;

pub use field_of_view::{FieldOfView, MAX_SIGHT_RADIUS};
pub use heights::{GroundVisibility, LineOfSightTest, OcclusionRules};
pub use occlusion_cache::{OcclusionCache, SegmentVerdict};
pub use opacity_grid::OpacityGrid;
pub use room_graph::{RoomGraph, VisibleRooms};
pub use visibility::{CoverPoint, Visibility, cover_points, is_clear_of_bodies, visibility};

/// Which columns a line covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineCoverage {
    /// Columns with a point of the line strictly inside. A line through a corner or along an edge
    /// covers none of the squares there.
    Interior,
    /// Columns with a point of the line inside or on the edge. A line through a corner covers all
    /// four squares there.
    Closed,
}

/// A run of columns in one row, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowRun {
    /// The row.
    pub y: i32,
    /// The westernmost column.
    pub low: i32,
    /// The easternmost column.
    pub high: i32,
}

/// True if `is_open` is true of every run of columns that the line covers. Visits runs from north
/// to south and stops at the first that is not open.
///
/// Exact for all points of the world. O(rows).
pub fn rows_are_clear(
    from: Point2,
    to: Point2,
    coverage: LineCoverage,
    mut is_open: impl FnMut(RowRun) -> bool,
) -> bool {
    let raw = |point: Point2| (i64::from(point.x.raw()), i64::from(point.y.raw()));
    let (mut a, mut b) = (raw(from), raw(to));
    if (a.1, a.0) > (b.1, b.0) {
        std::mem::swap(&mut a, &mut b);
    }
    // Relative to the west edge of the first column, to keep numbers small.
    let origin = a.0.div_euclid(PARTS);
    let (x, dx) = (a.0 - origin * PARTS, b.0 - a.0);
    let (top, bottom) = (a.1, b.1);
    // x at row coordinate y, times dy.
    let dy = (bottom - top).max(1);
    let x_at = |y: i64| i128::from(x) * i128::from(dy) + i128::from(dx) * i128::from(y - top);
    let (first, last) = run_between(i128::from(top), i128::from(bottom), 1, coverage);
    for row in first..=last {
        let (start, end) = if top == bottom {
            (i128::from(x), i128::from(x + dx))
        } else {
            (
                x_at((row * PARTS).max(top)),
                x_at((row * PARTS + PARTS).min(bottom)),
            )
        };
        let (low, high) = run_between(start.min(end), start.max(end), dy, coverage);
        if low > high {
            continue;
        }
        let column = |at: i64| i32::try_from(origin + at).ok();
        let (Ok(y), Some(low), Some(high)) = (i32::try_from(row), column(low), column(high)) else {
            return false; // Out of range.
        };
        if !is_open(RowRun { y, low, high }) {
            return false;
        }
    }
    true
}

/// True if `is_open` is true of every column that the line covers.
///
/// ```
/// use wayfarer_base::{Column, Point2};
/// use wayfarer_search::sight::{LineCoverage, is_clear};
///
/// let center = |x, y| Point2::center_of(Column::new(x, y)).unwrap();
/// let wall = Column::new(1, 0);
/// let clear = |coverage| is_clear(center(0, 0), center(1, 1), coverage, |at| at != wall);
/// assert!(clear(LineCoverage::Interior)); // past the corner of the wall
/// assert!(!clear(LineCoverage::Closed));
/// ```
pub fn is_clear(
    from: Point2,
    to: Point2,
    coverage: LineCoverage,
    mut is_open: impl FnMut(Column) -> bool,
) -> bool {
    rows_are_clear(from, to, coverage, |run| {
        (run.low..=run.high).all(|x| is_open(Column::new(x, run.y)))
    })
}

/// Raw units per cell.
const PARTS: i64 = 256;

/// The first and the last cell that the span from `low` / `scale` to `high` / `scale` covers;
/// empty if the first lies beyond the last.
fn run_between(low: i128, high: i128, scale: i64, coverage: LineCoverage) -> (i64, i64) {
    let (floor_low, ceil_low) = divided(low, scale);
    let (floor_high, ceil_high) = divided(high, scale);
    match coverage {
        LineCoverage::Closed => (ceil_low - 1, floor_high),
        LineCoverage::Interior => (floor_low, ceil_high - 1),
    }
}

/// `at` / (256 `scale`), rounded down and up.
fn divided(at: i128, scale: i64) -> (i64, i64) {
    let by = scale * PARTS;
    let (down, is_whole) = match i64::try_from(at) {
        Ok(at) => (at.div_euclid(by), at.rem_euclid(by) == 0),
        Err(_) => {
            let down = at.div_euclid(i128::from(by));
            let is_whole = at.rem_euclid(i128::from(by)) == 0;
            // Columns have 32 bits; values beyond saturate.
            (i64::try_from(down).unwrap_or(i64::MAX - 1), is_whole)
        }
    };
    (down, if is_whole { down } else { down + 1 })
}

#[cfg(test)]
mod tests;
