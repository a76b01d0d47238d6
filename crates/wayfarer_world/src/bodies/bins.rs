//! Enumerates the grid bins that a footprint covers wholly or in part.

use std::ops::ControlFlow;

use wayfarer_base::{Fixed, Point2};

use super::area::{Area, PreparedArea, Span, with_area};
use super::body::ShapeError;
use super::coverage::{Runs, bin_of};
use super::footprint::Footprint;

/// A bin of the registration grid, relative to a footprint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GridBin {
    /// Its north-west corner.
    pub low: Point2,
    /// Its width; its east and south edges belong to its neighbors.
    pub side: Fixed,
    /// True if all of it lies in the footprint, so that points in it need no test; false if some of
    /// it may not.
    pub is_inside: bool,
}

impl Footprint {
    /// Calls `visit` for each bin that contains a point of the footprint (conservatively: some at
    /// its border may not) until `visit` breaks: by rows from north to south, west to east.
    ///
    /// Bins are `1 << shift` wide, in 1/256 of a cell; see
    /// [`BodySet::bin_shift`](super::BodySet::bin_shift).
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use wayfarer_base::{Fixed, Point2};
    /// use wayfarer_world::bodies::Footprint;
    ///
    /// let circle = Footprint::circle(Point2::default(), Fixed::from_raw(10 * 256));
    /// let (mut n_inside, mut n_bins) = (0, 0);
    /// circle.for_each_bin(10, |bin| { // 4 cells wide
    ///     n_inside += u32::from(bin.is_inside);
    ///     n_bins += 1;
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!((n_inside, n_bins), (12, 32));
    /// # Ok::<(), wayfarer_world::bodies::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// A footprint beyond the limits, or [`ShapeError::Size`] for a `shift` above 30.
    pub fn for_each_bin(
        &self,
        shift: u32,
        mut visit: impl FnMut(GridBin) -> ControlFlow<()>,
    ) -> Result<(), ShapeError> {
        self.check()?;
        if shift > super::LAST_SHIFT {
            return Err(ShapeError::Size {
                what: "side of a bin",
                found: Fixed::MAX,
            });
        }
        let area = PreparedArea::new(self);
        with_area!(&area, area => for_each_bin_of(area, shift, &mut visit));
        Ok(())
    }
}

fn for_each_bin_of<A: Area>(
    area: &A,
    shift: u32,
    visit: &mut impl FnMut(GridBin) -> ControlFlow<()>,
) {
    let bins_of = |span: Span| (bin_of(span.0, shift), bin_of(span.1, shift));
    let last_of_row = (1_i64 << shift) - 1;
    let rows = area.rows();
    if rows.0 > rows.1 {
        return;
    }
    let (first, last) = bins_of(rows);
    for y in first..=last {
        let low = i64::from(y) << shift;
        let row = area.row(low, low + last_of_row, 0);
        if row.outer.0 > row.outer.1 {
            continue;
        }
        let (west, east) = bins_of(row.outer);
        // As in a page that spans the whole row.
        let runs = Runs::within(&row, shift, west.into(), i64::from(east) - i64::from(west));
        for (is_inside, from, to) in runs {
            for column in from..=to {
                let corner = |at: i64| i32::try_from(at << shift).unwrap_or(i32::MIN);
                let bin = GridBin {
                    low: Point2::from_raw(corner(i64::from(west) + column), corner(y.into())),
                    side: Fixed::from_raw(1 << shift),
                    is_inside,
                };
                if visit(bin).is_break() {
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
