//! Whether one place can be seen from another: straight lines over squares, exactly.
//!
//! A column is the square from (x, y) to (x + 1, y + 1). A line runs from point to point, in 1/256
//! of a cell. There are two rules for which squares a line meets:
//! * [`LineCoverage::Interior`]: some point of the line lies strictly inside the square. A line through a
//!   corner or along an edge enters neither of the squares there. For seeing and shooting.
//! * [`LineCoverage::Closed`]: some point of the line lies inside the square or on its edge. A line
//!   through a corner touches all four squares there. For walking, where a diagonal step needs
//!   both squares beside it.
//!
//! Both are symmetric: from there to here the same squares are met as from here to there.
//!
//! On top of them: [`OpacityGrid`] for one floor as bits, [`FieldOfView`] for all that is seen from a
//! place, [`GroundVisibility`] for lines over floors, walls and doors at any height, [`RoomGraph`] to know early
//! who lies behind a wall.

use wayfarer_base::{Column, Point2};

mod field_of_view;
mod heights;
mod line_coverage;
mod opacity_grid;
mod room_graph;

pub use field_of_view::{FieldOfView, MAX_SIGHT_RADIUS};
pub use heights::{GroundVisibility, LineOfSightTest, OcclusionRules};
pub use line_coverage::{CoverPoint, Visibility, cover_points, is_clear_of_bodies, visibility};
pub use opacity_grid::OpacityGrid;
pub use room_graph::{RoomGraph, VisibleRooms};

/// When a line meets a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineCoverage {
    /// Some point of the line lies strictly inside the square.
    Interior,
    /// Some point of the line lies inside the square or on its edge.
    Closed,
}

/// A run of columns in one row, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowRun {
    /// Which row.
    pub y: i32,
    /// The westernmost column.
    pub low: i32,
    /// The easternmost column.
    pub high: i32,
}

/// True if `is_open` holds for every run of columns that the line meets, from north to south; the
/// first that is not open ends the question.
///
/// Exact for all points of the world. Takes time in proportion to the rows, not the columns, so
/// that whole runs can be looked up at once.
pub fn rows_are_clear(
    from: Point2,
    to: Point2,
    meets: LineCoverage,
    mut is_open: impl FnMut(RowRun) -> bool,
) -> bool {
    let raw = |point: Point2| (i64::from(point.x.raw()), i64::from(point.y.raw()));
    let (mut a, mut b) = (raw(from), raw(to));
    if (a.1, a.0) > (b.1, b.0) {
        std::mem::swap(&mut a, &mut b);
    }
    // From the west edge of the first column, so that numbers stay small.
    let origin = a.0.div_euclid(PARTS);
    let (x, dx) = (a.0 - origin * PARTS, b.0 - a.0);
    let (top, bottom) = (a.1, b.1);
    // x at a height y, times dy.
    let dy = (bottom - top).max(1);
    let x_at = |y: i64| i128::from(x) * i128::from(dy) + i128::from(dx) * i128::from(y - top);
    let (first, last) = run_between(i128::from(top), i128::from(bottom), 1, meets);
    for row in first..=last {
        let (start, end) = if top == bottom {
            (i128::from(x), i128::from(x + dx))
        } else {
            (
                x_at((row * PARTS).max(top)),
                x_at((row * PARTS + PARTS).min(bottom)),
            )
        };
        let (low, high) = run_between(start.min(end), start.max(end), dy, meets);
        if low > high {
            continue;
        }
        let column = |at: i64| i32::try_from(origin + at).ok();
        let (Ok(y), Some(low), Some(high)) = (i32::try_from(row), column(low), column(high)) else {
            return false; // Outside the world.
        };
        if !is_open(RowRun { y, low, high }) {
            return false;
        }
    }
    true
}

/// True if `is_open` holds for every column that the line meets.
///
/// ```
/// use wayfarer_base::{Column, Point2};
/// use wayfarer_search::sight::{LineCoverage, is_clear};
///
/// let middle = |x, y| Point2::center_of(Column::new(x, y)).unwrap();
/// let wall = Column::new(1, 0);
/// let clear = |meets| is_clear(middle(0, 0), middle(1, 1), meets, |at| at != wall);
/// assert!(clear(LineCoverage::Interior)); // past the corner of the wall
/// assert!(!clear(LineCoverage::Closed));
/// ```
pub fn is_clear(
    from: Point2,
    to: Point2,
    meets: LineCoverage,
    mut is_open: impl FnMut(Column) -> bool,
) -> bool {
    rows_are_clear(from, to, meets, |run| {
        (run.low..=run.high).all(|x| is_open(Column::new(x, run.y)))
    })
}

/// Parts of a cell.
const PARTS: i64 = 256;

/// The first and the last piece of 256 that the span from `low` / `scale` to `high` / `scale`
/// meets; none if the first lies behind the last.
fn run_between(low: i128, high: i128, scale: i64, meets: LineCoverage) -> (i64, i64) {
    let (floor_low, ceil_low) = divided(low, scale);
    let (floor_high, ceil_high) = divided(high, scale);
    match meets {
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
            // Columns of the world have 32 bits; beyond, the end of the numbers will do.
            (i64::try_from(down).unwrap_or(i64::MAX - 1), is_whole)
        }
    };
    (down, if is_whole { down } else { down + 1 })
}

#[cfg(test)]
mod tests;
