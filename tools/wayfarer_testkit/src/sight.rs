//! Whether a straight line over the map is clear, tested against every column, exactly.
//!
//! A column is the square from (x, y) to (x + 1, y + 1); a line runs from point to point, in
//! 1/256 of a cell. There are two paths to read "the line meets the column", and the engine must
//! say which it means:
//!
//! * it *enters* the square: some point of the line lies strictly inside. A line that runs
//!   through a corner or along an edge enters neither of the squares there.
//! * it *touches* the square: some point of the line lies inside or on the edge. A line through a
//!   corner touches all four squares there. This is how walking reads it: a diagonal step needs
//!   both squares beside it.

use wayfarer_base::{Column, Point2};

/// When a line meets a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meets {
    /// Some point of the line lies strictly inside the square.
    Enters,
    /// Some point of the line lies inside the square or on its edge.
    Touches,
}

/// Every column that the line from `from` to `to` meets, row by row.
///
/// ```
/// use wayfarer_base::{Column, Point2};
/// use wayfarer_testkit::sight::{Meets, columns};
/// let center = |x, y| Point2::center_of(Column::new(x, y)).unwrap();
/// // Over a corner: two squares entered, four touched.
/// assert_eq!(columns(center(0, 0), center(1, 1), Meets::Enters).len(), 2);
/// assert_eq!(columns(center(0, 0), center(1, 1), Meets::Touches).len(), 4);
/// ```
pub fn columns(from: Point2, to: Point2, meets: Meets) -> Vec<Column> {
    let range = |a: i32, b: i32| a.min(b).div_euclid(256) - 1..=a.max(b).div_euclid(256) + 1;
    let mut met = Vec::new();
    for y in range(from.y.raw(), to.y.raw()) {
        for x in range(from.x.raw(), to.x.raw()) {
            if meets_column(from, to, Column::new(x, y), meets) {
                met.push(Column::new(x, y));
            }
        }
    }
    met
}

/// True if the line from `from` to `to` meets no column that is `blocked`.
pub fn sees(from: Point2, to: Point2, meets: Meets, blocked: impl Fn(Column) -> bool) -> bool {
    !columns(from, to, meets).into_iter().any(blocked)
}

/// True if the line from `from` to `to` meets `column`.
///
/// Square and line are convex, so they are apart exactly if they are on the x axis, on the y axis
/// or on the axis square to the line.
pub fn meets_column(from: Point2, to: Point2, column: Column, meets: Meets) -> bool {
    // From the middle of the square, which then reaches 128 to each side.
    let center = |cell: i32| i64::from(cell) * 256 + 128;
    let from_x = i64::from(from.x.raw()) - center(column.x);
    let from_y = i64::from(from.y.raw()) - center(column.y);
    let to_x = i64::from(to.x.raw()) - center(column.x);
    let to_y = i64::from(to.y.raw()) - center(column.y);
    let (along_x, along_y) = (to_x - from_x, to_y - from_y);
    // How far each lies from the middle on the three axes, and how far the square reaches.
    let on_x = nearest_to_zero(from_x, to_x);
    let on_y = nearest_to_zero(from_y, to_y);
    let square =
        i128::from(from_x) * i128::from(along_y) - i128::from(from_y) * i128::from(along_x);
    let reach = 128 * (i128::from(along_x.abs()) + i128::from(along_y.abs()));
    let axes = [
        (i128::from(on_x), 128),
        (i128::from(on_y), 128),
        (square.abs(), reach),
    ];
    axes.into_iter().all(|(away, reach)| match meets {
        // A line of no length has no third axis: both sides are 0.
        Meets::Enters => away < reach || (away == 0 && reach == 0),
        Meets::Touches => away <= reach,
    })
}

/// The least size of any number between two.
fn nearest_to_zero(a: i64, b: i64) -> i64 {
    if (a <= 0 && b >= 0) || (b <= 0 && a >= 0) {
        0
    } else {
        a.abs().min(b.abs())
    }
}

#[cfg(test)]
mod tests;
