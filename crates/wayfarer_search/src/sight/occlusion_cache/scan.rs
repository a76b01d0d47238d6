//! The runs of columns under a line between arbitrary points, row by row or column by column,
//! whichever are fewer; run ends are found incrementally, as in Bresenham's algorithm.

/// A run of columns: `lane` is the row, or the column where the scan is transposed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LaneRun {
    pub(super) lane: i32,
    pub(super) low: i32,
    pub(super) high: i32,
}

/// The runs whose interior a line covers, for lines that do not run along a grid line.
pub(super) struct RunScan {
    is_transposed: bool,
    lane: i64,
    last: i64,
    /// The line ascends along its lanes.
    is_rising: bool,
    /// Where it enters the lane: the cell there, and the one before if it is a grid point.
    enter: (i64, i64),
    /// Where it ends.
    end: (i64, i64),
    /// Where it leaves the lane: cell `at` plus `remainder` / `parts`.
    at: i64,
    remainder: i64,
    parts: i64,
    step: i64,
    step_remainder: i64,
    met_corner: bool,
}

impl RunScan {
    /// The scan of a line between two points in 1/256 of a cell, at most 2^22 apart.
    pub(super) fn new(a: (i64, i64), b: (i64, i64)) -> Self {
        let is_transposed = (a.1 - b.1).abs() > (a.0 - b.0).abs();
        let turned = |at: (i64, i64)| if is_transposed { (at.1, at.0) } else { at };
        let (a, b) = (turned(a), turned(b));
        let ((x, top), (end, bottom)) = if a.1 <= b.1 { (a, b) } else { (b, a) };
        let (dx, dy) = (end - x, bottom - top);
        let lane = top.div_euclid(256);
        let last = if dy == 0 {
            lane
        } else {
            (bottom - 1).div_euclid(256)
        };
        let is_rising = dx >= 0;
        let parts = 256 * dy.max(1);
        let first = x * dy.max(1) + dx * ((lane + 1) * 256 - top);
        let rise = dy.max(1);
        Self {
            is_transposed,
            lane,
            last,
            is_rising,
            enter: (x.div_euclid(256), (x - 1).div_euclid(256)),
            end: (end.div_euclid(256), (end - 1).div_euclid(256)),
            at: first.div_euclid(parts),
            remainder: first.rem_euclid(parts),
            parts,
            step: dx.div_euclid(rise),
            step_remainder: 256 * dx.rem_euclid(rise),
            met_corner: false,
        }
    }

    pub(super) const fn is_transposed(&self) -> bool {
        self.is_transposed
    }

    /// True if the line has passed through a corner of columns.
    pub(super) const fn met_corner(&self) -> bool {
        self.met_corner
    }

    /// The next run that is not empty.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "cells of points in 1/256 of a cell, 32 bits each"
    )]
    pub(super) fn next(&mut self) -> Option<LaneRun> {
        while self.lane <= self.last {
            let leave = if self.lane == self.last {
                self.end
            } else if self.remainder == 0 {
                self.met_corner = true;
                (self.at, self.at - 1)
            } else {
                (self.at, self.at)
            };
            let (low, high) = if self.is_rising {
                (self.enter.0, leave.1)
            } else {
                (leave.0, self.enter.1)
            };
            let lane = self.lane as i32;
            self.lane += 1;
            self.enter = leave;
            self.at += self.step;
            self.remainder += self.step_remainder;
            if self.remainder >= self.parts {
                self.at += 1;
                self.remainder -= self.parts;
            }
            if low <= high {
                return Some(LaneRun {
                    lane,
                    low: low as i32,
                    high: high as i32,
                });
            }
        }
        None
    }
}
