//! Reference line of sight: exact separating-axis tests of a segment against every column.
//!
//! A column is the square from (x, y) to (x + 1, y + 1); coordinates are in 1/256 of a cell. Two
//! conventions of coverage:
//!
//! * *interior*: some point of the segment lies strictly inside the square. A segment through a
//!   corner or along an edge covers neither square there.
//! * *closed*: some point lies inside or on the boundary. A segment through a corner covers all
//!   four squares there. The corner rule of movement is of this kind.

use wayfarer_base::{Column, Point2};

/// When a segment covers a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineCoverage {
    /// Some point of the segment lies strictly inside the square.
    Interior,
    /// Some point of the segment lies inside the square or on its boundary.
    Closed,
}

/// Every column covered by the segment, in row-major order.
///
/// ```
/// use wayfarer_base::{Column, Point2};
/// use wayfarer_testkit::sight::{LineCoverage, columns};
/// let center = |x, y| Point2::center_of(Column::new(x, y)).unwrap();
/// // Through a corner.
/// assert_eq!(columns(center(0, 0), center(1, 1), LineCoverage::Interior).len(), 2);
/// assert_eq!(columns(center(0, 0), center(1, 1), LineCoverage::Closed).len(), 4);
/// ```
pub fn columns(from: Point2, to: Point2, coverage: LineCoverage) -> Vec<Column> {
    let range = |a: i32, b: i32| a.min(b).div_euclid(256) - 1..=a.max(b).div_euclid(256) + 1;
    let mut covered = Vec::new();
    for y in range(from.y.raw(), to.y.raw()) {
        for x in range(from.x.raw(), to.x.raw()) {
            if covers_column(from, to, Column::new(x, y), coverage) {
                covered.push(Column::new(x, y));
            }
        }
    }
    covered
}

/// True if the segment covers no column that is `blocked`.
pub fn has_line_of_sight(
    from: Point2,
    to: Point2,
    coverage: LineCoverage,
    is_blocked: impl Fn(Column) -> bool,
) -> bool {
    !columns(from, to, coverage).into_iter().any(is_blocked)
}

/// True if the segment covers `column`.
///
/// Separating axis theorem: the candidate axes are x, y and the normal of the segment.
pub fn covers_column(from: Point2, to: Point2, column: Column, coverage: LineCoverage) -> bool {
    // Relative to the center of the square, whose half side is 128.
    let center = |cell: i32| i64::from(cell) * 256 + 128;
    let from_x = i64::from(from.x.raw()) - center(column.x);
    let from_y = i64::from(from.y.raw()) - center(column.y);
    let to_x = i64::from(to.x.raw()) - center(column.x);
    let to_y = i64::from(to.y.raw()) - center(column.y);
    let (along_x, along_y) = (to_x - from_x, to_y - from_y);
    // Distance of the segment from the center on each axis, and half extent of the square.
    let on_x = nearest_to_zero(from_x, to_x);
    let on_y = nearest_to_zero(from_y, to_y);
    let on_normal =
        i128::from(from_x) * i128::from(along_y) - i128::from(from_y) * i128::from(along_x);
    let half_extent = 128 * (i128::from(along_x.abs()) + i128::from(along_y.abs()));
    let axes = [
        (i128::from(on_x), 128),
        (i128::from(on_y), 128),
        (on_normal.abs(), half_extent),
    ];
    axes.into_iter().all(|(distance, extent)| match coverage {
        // A degenerate segment has no normal: both are 0.
        LineCoverage::Interior => distance < extent || (distance == 0 && extent == 0),
        LineCoverage::Closed => distance <= extent,
    })
}

/// The minimum absolute value of the interval between two numbers.
fn nearest_to_zero(a: i64, b: i64) -> i64 {
    if (a <= 0 && b >= 0) || (b <= 0 && a >= 0) {
        0
    } else {
        a.abs().min(b.abs())
    }
}

#[cfg(test)]
mod tests;
