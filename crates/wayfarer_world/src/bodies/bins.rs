//! The squares that a footprint covers, wholly or in part: to look at and to draw.

use std::ops::ControlFlow;

use wayfarer_base::{Fixed, Point2};

use super::area::{Area, Ready, Span, with_area};
use super::body::ShapeError;
use super::coverage::{Runs, square_of};
use super::footprint::Footprint;

/// A square of the registration grid, as a footprint sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GridBin {
    /// Its north-west corner.
    pub low: Point2,
    /// How wide it is; its east and south edges belong to its neighbors.
    pub side: Fixed,
    /// True if all of it belongs to the footprint, so that points in it need no test; false if
    /// some of it may not.
    pub is_inside: bool,
}

impl Footprint {
    /// Calls `visit` with the squares that hold a point of the footprint, and perhaps some at its
    /// edge that do not, until it breaks off: row by row from north to south, from west to east.
    ///
    /// Squares are 2^`shift` wide, in 1/256 of a cell; see
    /// [`BodySet::square_shift`](super::Objects::square_shift).
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use wayfarer_base::{Fixed, Point2};
    /// use wayfarer_world::objects::Footprint;
    ///
    /// let circle = Footprint::circle(Point2::default(), Fixed::from_raw(10 * 256));
    /// let (mut n_inside, mut n_squares) = (0, 0);
    /// circle.squares(10, |square| { // of four cells
    ///     n_inside += u32::from(square.is_inside);
    ///     n_squares += 1;
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!((n_inside, n_squares), (12, 32));
    /// # Ok::<(), wayfarer_world::objects::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// A footprint beyond the limits, or a `shift` above 30, which is told as a size.
    pub fn squares(
        &self,
        shift: u32,
        mut visit: impl FnMut(GridBin) -> ControlFlow<()>,
    ) -> Result<(), ShapeError> {
        self.check()?;
        if shift > super::LAST_SHIFT {
            return Err(ShapeError::Size {
                what: "side of a square",
                found: Fixed::MAX,
            });
        }
        let ready = Ready::new(self);
        with_area!(&ready, area => walk_squares(area, shift, &mut visit));
        Ok(())
    }
}

fn walk_squares<A: Area>(area: &A, shift: u32, visit: &mut impl FnMut(GridBin) -> ControlFlow<()>) {
    let squares = |span: Span| (square_of(span.0, shift), square_of(span.1, shift));
    let last_of_row = (1_i64 << shift) - 1;
    let rows = area.rows();
    if rows.0 > rows.1 {
        return;
    }
    let (first, last) = squares(rows);
    for y in first..=last {
        let low = i64::from(y) << shift;
        let row = area.row(low, low + last_of_row, 0);
        if row.outer.0 > row.outer.1 {
            continue;
        }
        let (west, east) = squares(row.outer);
        // As in a page that reaches from one end of the row to the other.
        let runs = Runs::within(&row, shift, west.into(), i64::from(east) - i64::from(west));
        for (is_inside, from, to) in runs {
            for column in from..=to {
                let corner = |at: i64| i32::try_from(at << shift).unwrap_or(i32::MIN);
                let square = GridBin {
                    low: Point2::new(
                        Fixed::from_raw(corner(i64::from(west) + column)),
                        Fixed::from_raw(corner(y.into())),
                    ),
                    side: Fixed::from_raw(1 << shift),
                    is_inside,
                };
                if visit(square).is_break() {
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
