//! Checks any-angle paths: no segment may enter a blocked cell.
//!
//! The agent is a point. It may touch the border of a blocked cell and follow it, but not enter the
//! cell, nor pass between two that touch at a corner. Points within [`TOLERANCE`] of a grid line
//! count as on it, which forgives engines that compute in 32 bits.

use wayfarer_engine::base::{Column, math};
use wayfarer_measure::check::{PathFault, Walked};

use crate::open_cells::OpenCells;

/// How deep a line may dip into a closed square, in cells.
pub const TOLERANCE: f64 = 1e-3;

/// Walks the lines between `points`, from the center of the start to that of the goal.
///
/// # Errors
/// The first fault along the path.
pub fn walk(
    open: &OpenCells,
    (start, goal): (Column, Column),
    points: &[(f64, f64)],
) -> Result<Walked, PathFault> {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else {
        return Err(PathFault::Ends);
    };
    if !near(first, middle(start)) || !near(last, middle(goal)) {
        return Err(PathFault::Ends);
    }
    let mut here = Touched::at(open, first);
    if here.open.is_empty() {
        return Err(here.fault());
    }
    let mut length = 0.0;
    let mut crossings = Vec::new();
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let line = math::length(to.0 - from.0, to.1 - from.1);
        if !line.is_finite() {
            return Err(here.fault());
        }
        length += line;
        cross(open, from, to, &mut crossings);
        for span in crossings.windows(2) {
            if (span[1] - span[0]) * line <= TOLERANCE {
                continue;
            }
            let there = Touched::at(open, between(from, to, (span[0] + span[1]) / 2.0));
            if there.open.is_empty() {
                return Err(there.fault());
            }
            if !here.leads_to(&there, open) {
                return Err(PathFault::Corner {
                    x: there.x,
                    y: there.y,
                });
            }
            here = there;
        }
    }
    Ok(Walked {
        length,
        corners_cut: 0,
    })
}

/// The center of a cell.
pub fn middle(cell: Column) -> (f64, f64) {
    (f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5)
}

fn near(a: (f64, f64), b: (f64, f64)) -> bool {
    math::length(a.0 - b.0, a.1 - b.1) <= TOLERANCE
}

fn between(from: (f64, f64), to: (f64, f64), part: f64) -> (f64, f64) {
    (
        from.0 + (to.0 - from.0) * part,
        from.1 + (to.1 - from.1) * part,
    )
}

/// Where the line from `from` to `to` crosses a line of the grid, as fractions of its length in order,
/// both ends included.
fn cross(open: &OpenCells, from: (f64, f64), to: (f64, f64), crossings: &mut Vec<f64>) {
    crossings.clear();
    crossings.extend([0.0, 1.0]);
    for (a, b, side) in [(from.0, to.0, open.width()), (from.1, to.1, open.height())] {
        // Beyond the map's borders all is closed, wherever it is crossed.
        let (low, high) = (a.min(b).max(-1.0), a.max(b).min(f64::from(side) + 1.0));
        let mut line = low.floor() + 1.0;
        while line < high {
            crossings.push((line - a) / (b - a));
            line += 1.0;
        }
    }
    crossings.sort_unstable_by(f64::total_cmp);
}

/// The cells that a point touches, within the tolerance.
struct Touched {
    /// The cell it lies in.
    x: i32,
    y: i32,
    /// The open ones.
    open: Vec<Column>,
}

impl Touched {
    fn at(open: &OpenCells, (x, y): (f64, f64)) -> Self {
        let mut cells = Vec::with_capacity(4);
        for row in [y - TOLERANCE, y + TOLERANCE] {
            for column in [x - TOLERANCE, x + TOLERANCE] {
                let cell = Column::new(whole(column), whole(row));
                if open.is_open(cell) && !cells.contains(&cell) {
                    cells.push(cell);
                }
            }
        }
        Self {
            x: whole(x),
            y: whole(y),
            open: cells,
        }
    }

    const fn fault(&self) -> PathFault {
        PathFault::Closed {
            x: self.x,
            y: self.y,
        }
    }

    /// True if some cell here is the same as one there, shares an edge with it, or meets it at a
    /// corner beside which another cell is open.
    fn leads_to(&self, there: &Self, open: &OpenCells) -> bool {
        self.open.iter().any(|from| {
            there.open.iter().any(|to| {
                let apart = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
                match apart {
                    (0, 0 | 1) | (1, 0) => true,
                    (1, 1) => {
                        open.is_open(Column::new(to.x, from.y))
                            || open.is_open(Column::new(from.x, to.y))
                    }
                    _ => false,
                }
            })
        })
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "saturates, and cells so far out are closed"
)]
fn whole(coordinate: f64) -> i32 {
    coordinate.floor() as i32
}

#[cfg(test)]
mod tests;
