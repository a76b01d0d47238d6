//! Repair of a stale successor list: repeats only the scans that a small change affects.
//!
//! A straight scan reads its row (or column) and the two beside it. So a change affects the scans
//! in its rows and columns and next to them, if they go that far; and, beside a diagonal, all
//! straight scans of that quadrant. The edges of other scans remain. A repaired list equals a new
//! scan, edge by edge. Requires the bitmap; allocates nothing once warm.

use wayfarer_base::{Direction, Rect};

use super::jump_bitmap::{JumpBitmap, order_of};
use super::jump_point_graph::{JumpPointGraph, StaleList, SuccessorList};
use super::successor_scan::SuccessorScan;

/// Straight directions in the order of their scans.
const STRAIGHT: [Direction; 4] = [
    Direction::East,
    Direction::West,
    Direction::North,
    Direction::South,
];

/// Repeats affected scans.
pub(super) struct ListRepair<'s> {
    pub(super) bitmap: &'s JumpBitmap,
    pub(super) graph: &'s JumpPointGraph,
    /// The directions to scan.
    pub(super) directions: u8,
}

/// The scans that a change affects.
#[derive(Clone, Copy)]
pub(super) struct AffectedScans {
    /// The jump point.
    x: i32,
    y: i32,
    /// Bounds of the changed cells.
    changed: Rect,
    /// By quadrant, whether all its scans are affected.
    quadrants: [bool; 4],
}

/// A straight scan: origin, direction, and diagonal steps before it.
#[derive(Clone, Copy)]
struct ScanLine {
    x: i32,
    y: i32,
    direction: Direction,
    n_diagonal: u32,
}

impl ListRepair<'_> {
    /// Repeats the affected scans: `scan` receives their edges, in order, with the lengths of the
    /// diagonals and the extents of the whole list. `None` if no scan is affected, so that the list
    /// is valid as it is.
    pub(super) fn rescan(
        &self,
        stale: &StaleList,
        scan: &mut SuccessorScan,
    ) -> Option<AffectedScans> {
        let (list, _) = self.graph.previous(stale);
        let affected = AffectedScans::new(list, stale.changed);
        scan.reset_from(list);
        let mut diagonals = scan.diagonals;
        let (mut output, mut is_affected) = (scan.output(), false);
        self.for_each_line(&affected, list, |line| {
            if self.crosses_change(&line, &affected) {
                is_affected = true;
                (self.bitmap).scan_straight_from(
                    (line.x, line.y),
                    line.direction,
                    line.n_diagonal,
                    &mut output,
                );
            }
        });
        for quadrant in 0..4_u8 {
            if affected.quadrants[usize::from(quadrant)] && self.scans_quadrant(quadrant) {
                is_affected = true;
                diagonals[usize::from(quadrant)] =
                    (self.bitmap).scan_quadrant((list.x, list.y), quadrant.into(), &mut output);
            }
        }
        scan.diagonals = diagonals;
        let at = (list.x, list.y);
        if scan.edges.len() > 1 {
            (scan.edges).sort_unstable_by_key(|edge| order_of(at, (edge.x, edge.y)));
        }
        is_affected.then_some(affected)
    }

    /// True if the diagonal of a quadrant is scanned.
    fn scans_quadrant(&self, quadrant: u8) -> bool {
        self.directions >> (quadrant * 2 + 1) & 1 == 1
    }

    /// True if a scan crosses the change: it ended there or beyond, or does now.
    fn crosses_change(&self, line: &ScanLine, affected: &AffectedScans) -> bool {
        let end = self.bitmap.scan_end((line.x, line.y), line.direction);
        affected.crosses((line.x, line.y), line.direction, end)
    }

    /// Calls `f` for all straight scans along the rows and columns of the change and next to them,
    /// except those of quadrants that are repeated as a whole.
    #[inline]
    fn for_each_line(
        &self,
        affected: &AffectedScans,
        list: &SuccessorList,
        mut f: impl FnMut(ScanLine),
    ) {
        let (x, y) = (list.x, list.y);
        for direction in STRAIGHT {
            let is_row = matches!(direction, Direction::East | Direction::West);
            let is_affected_line = if is_row {
                affected.has_row(y)
            } else {
                affected.has_column(x)
            };
            if is_affected_line && self.directions >> direction.index() & 1 == 1 {
                let n_diagonal = 0;
                f(ScanLine {
                    x,
                    y,
                    direction,
                    n_diagonal,
                });
            }
        }
        let Rect { low, high } = affected.changed;
        for quadrant in 0..4_u8 {
            let length = list.diagonals[usize::from(quadrant)];
            if affected.quadrants[usize::from(quadrant)]
                || length == 0
                || !self.scans_quadrant(quadrant)
            {
                continue;
            }
            let (dx, dy) = Direction::from_index(quadrant * 2 + 1).offset();
            let along = if dx > 0 {
                Direction::East
            } else {
                Direction::West
            };
            let across = if dy > 0 {
                Direction::South
            } else {
                Direction::North
            };
            let mut for_each_crossing =
                |(low, high): (i32, i32), from: i32, by: i32, direction: Direction| {
                    // Diagonal steps to the first of the lines, and to the last.
                    let (one, other) = ((low - 1 - from) * by, (high + 1 - from) * by);
                    for n_steps in one.min(other).max(1)..=one.max(other).min(length.into()) {
                        f(ScanLine {
                            x: x + n_steps * dx,
                            y: y + n_steps * dy,
                            direction,
                            n_diagonal: n_steps.cast_unsigned(),
                        });
                    }
                };
            for_each_crossing((low.y, high.y), y, dy, along);
            for_each_crossing((low.x, high.x), x, dx, across);
        }
    }
}

impl AffectedScans {
    fn new(list: &SuccessorList, changed: Rect) -> Self {
        let mut affected = Self {
            x: list.x,
            y: list.y,
            changed,
            quadrants: [false; 4],
        };
        for quadrant in 0..4_u8 {
            let (dx, dy) = Direction::from_index(quadrant * 2 + 1).offset();
            // Offsets of the change along one axis, in the direction of the quadrant.
            let ahead = |low: i32, high: i32, from: i32, by: i32| {
                let (a, b) = ((low - from) * by, (high - from) * by);
                (a.min(b), a.max(b))
            };
            let wide = ahead(changed.low.x, changed.high.x, list.x, dx);
            let high = ahead(changed.low.y, changed.high.y, list.y, dy);
            let length = i32::from(list.diagonals[usize::from(quadrant)]);
            let is_near = |(low, high): (i32, i32)| high >= -1 && low <= length + 2;
            affected.quadrants[usize::from(quadrant)] =
                is_near(wide) && is_near(high) && wide.0 - high.1 <= 2 && high.0 - wide.1 <= 2;
        }
        affected
    }

    /// True if scans along a row read the change: it lies in that row or next to it.
    fn has_row(&self, y: i32) -> bool {
        self.changed.low.y - 1 <= y && y <= self.changed.high.y + 1
    }

    fn has_column(&self, x: i32) -> bool {
        self.changed.low.x - 1 <= x && x <= self.changed.high.x + 1
    }

    /// True if a scan from `from` to `end` of its row or column reaches the change. One that ended
    /// before it still does.
    #[inline]
    fn crosses(&self, from: (i32, i32), direction: Direction, end: i32) -> bool {
        let Rect { low, high } = self.changed;
        match direction {
            Direction::East => from.0 <= high.x && end >= low.x,
            Direction::West => from.0 >= low.x && end <= high.x,
            Direction::South => from.1 <= high.y && end >= low.y,
            _ => from.1 >= low.y && end <= high.y,
        }
    }

    /// The position of an edge to `at` in the order of the list.
    #[inline]
    pub(super) fn order_of(&self, at: (i32, i32)) -> u64 {
        order_of((self.x, self.y), at)
    }

    /// True if the scan that ends at (x, y) is affected.
    #[inline]
    pub(super) fn contains(&self, (x, y): (i32, i32)) -> bool {
        let (dx, dy) = (x - self.x, y - self.y);
        if dx != 0 && dy != 0 {
            let quadrant = match (dx > 0, dy > 0) {
                (true, false) => 0,
                (true, true) => 1,
                (false, true) => 2,
                (false, false) => 3,
            };
            if self.quadrants[quadrant] {
                return true;
            }
        }
        let n_diagonal = dx.abs().min(dy.abs());
        let from = (
            self.x + n_diagonal * dx.signum(),
            self.y + n_diagonal * dy.signum(),
        );
        if dx.abs() > dy.abs() {
            let direction = if dx > 0 {
                Direction::East
            } else {
                Direction::West
            };
            self.has_row(y) && self.crosses(from, direction, x)
        } else {
            let direction = if dy > 0 {
                Direction::South
            } else {
                Direction::North
            };
            self.has_column(x) && self.crosses(from, direction, y)
        }
    }
}

#[cfg(test)]
mod tests;
