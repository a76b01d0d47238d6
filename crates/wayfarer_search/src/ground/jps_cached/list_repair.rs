//! What is seen from a place after a small change nearby: only looks that pass there are taken
//! again.
//!
//! A look along a row sees cells of that row and of the two beside it. So cells that changed
//! matter to looks in their rows and columns and in those next to them, if these come so far; and
//! if they lie beside a diagonal, to all looks from there on. All others see what they saw.

use wayfarer_base::{Direction, Rect};

use super::cache::{Cache, StaleList, SuccessorList};
use super::jump_bitmap::{JumpBitmap, order_of};
use super::successor_scan::SuccessorScan;

/// Straight directions in the order in which they are looked at.
const STRAIGHT: [Direction; 4] = [
    Direction::East,
    Direction::West,
    Direction::North,
    Direction::South,
];

/// Takes looks again.
pub(super) struct ListRepair<'s> {
    pub(super) board: &'s JumpBitmap,
    pub(super) cache: &'s Cache,
    /// The directions in which to look.
    pub(super) directions: u8,
}

/// Which looks may see something else now.
#[derive(Clone, Copy)]
pub(super) struct Again {
    /// The place.
    x: i32,
    y: i32,
    /// The cells that changed.
    changed: Rect,
    /// By quarter, whether all of its looks.
    quarters: [bool; 4],
}

/// A straight look: from where, in which direction, after so many diagonal steps.
#[derive(Clone, Copy)]
struct ScanLine {
    x: i32,
    y: i32,
    to: Direction,
    n_diagonal: u32,
}

impl ListRepair<'_> {
    /// Takes all looks again that may see something else now: the draft gets what these see, in
    /// order, and how far everything leads. Tells which looks they are; `None` if nothing that
    /// changed is seen from there, so that the list counts as it is.
    pub(super) fn look_again(&self, stale: &StaleList, draft: &mut SuccessorScan) -> Option<Again> {
        let (list, _) = self.cache.previous(stale);
        let again = Again::new(list, stale.changed);
        draft.start_from(list);
        let mut diagonals = draft.diagonals;
        let (mut found, mut is_harmed) = (draft.found(), false);
        self.for_looks(&again, list, |look| {
            if self.passes(&look, &again) {
                is_harmed = true;
                (self.board).look_on((look.x, look.y), look.to, look.n_diagonal, &mut found);
            }
        });
        for quarter in 0..4_u8 {
            if again.quarters[usize::from(quarter)] && self.looks_in(quarter) {
                is_harmed = true;
                diagonals[usize::from(quarter)] =
                    (self.board).look_diagonally((list.x, list.y), quarter.into(), &mut found);
            }
        }
        draft.diagonals = diagonals;
        let at = (list.x, list.y);
        if draft.sights.len() > 1 {
            (draft.sights).sort_unstable_by_key(|sight| order_of(at, (sight.x, sight.y)));
        }
        is_harmed.then_some(again)
    }

    /// True if all that can be seen diagonally in a quarter is looked at.
    fn looks_in(&self, quarter: u8) -> bool {
        self.directions >> (quarter * 2 + 1) & 1 == 1
    }

    /// True if a look comes to where something changed: it ended, or ends now, there or beyond.
    fn passes(&self, look: &ScanLine, again: &Again) -> bool {
        let end = self.board.end_of((look.x, look.y), look.to);
        again.changes((look.x, look.y), look.to, end)
    }

    /// All straight looks along rows and columns in which something changed; not those of quarters
    /// that are looked at as a whole.
    #[inline]
    fn for_looks(&self, again: &Again, list: &SuccessorList, mut f: impl FnMut(ScanLine)) {
        let (x, y) = (list.x, list.y);
        for to in STRAIGHT {
            let is_row = matches!(to, Direction::East | Direction::West);
            let lies_in = if is_row {
                again.has_row(y)
            } else {
                again.has_column(x)
            };
            if lies_in && self.directions >> to.index() & 1 == 1 {
                let n_diagonal = 0;
                f(ScanLine {
                    x,
                    y,
                    to,
                    n_diagonal,
                });
            }
        }
        let Rect { low, high } = again.changed;
        for quarter in 0..4_u8 {
            let length = list.diagonals[usize::from(quarter)];
            if again.quarters[usize::from(quarter)] || length == 0 || !self.looks_in(quarter) {
                continue;
            }
            let (dx, dy) = Direction::from_index(quarter * 2 + 1).offset();
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
            let mut looks = |(low, high): (i32, i32), from: i32, by: i32, to: Direction| {
                // Steps along the diagonal to the first of those lines, and to the last.
                let (one, other) = ((low - 1 - from) * by, (high + 1 - from) * by);
                for n_steps in one.min(other).max(1)..=one.max(other).min(length.into()) {
                    f(ScanLine {
                        x: x + n_steps * dx,
                        y: y + n_steps * dy,
                        to,
                        n_diagonal: n_steps.cast_unsigned(),
                    });
                }
            };
            looks((low.y, high.y), y, dy, along);
            looks((low.x, high.x), x, dx, across);
        }
    }
}

impl Again {
    fn new(list: &SuccessorList, changed: Rect) -> Self {
        let mut again = Self {
            x: list.x,
            y: list.y,
            changed,
            quarters: [false; 4],
        };
        for quarter in 0..4_u8 {
            let (dx, dy) = Direction::from_index(quarter * 2 + 1).offset();
            // How far ahead the changes lie, along x and along y.
            let ahead = |low: i32, high: i32, from: i32, by: i32| {
                let (a, b) = ((low - from) * by, (high - from) * by);
                (a.min(b), a.max(b))
            };
            let wide = ahead(changed.low.x, changed.high.x, list.x, dx);
            let high = ahead(changed.low.y, changed.high.y, list.y, dy);
            let length = i32::from(list.diagonals[usize::from(quarter)]);
            let is_near = |(low, high): (i32, i32)| high >= -1 && low <= length + 2;
            again.quarters[usize::from(quarter)] =
                is_near(wide) && is_near(high) && wide.0 - high.1 <= 2 && high.0 - wide.1 <= 2;
        }
        again
    }

    /// True if looks along a row may see something that changed: it lies in that row or beside it.
    fn has_row(&self, y: i32) -> bool {
        self.changed.low.y - 1 <= y && y <= self.changed.high.y + 1
    }

    fn has_column(&self, x: i32) -> bool {
        self.changed.low.x - 1 <= x && x <= self.changed.high.x + 1
    }

    /// True if a look that begins at `from` and ends at `end` of its row or column comes to cells
    /// that changed. Where it ended before it came there, it still does.
    #[inline]
    fn changes(&self, from: (i32, i32), to: Direction, end: i32) -> bool {
        let Rect { low, high } = self.changed;
        match to {
            Direction::East => from.0 <= high.x && end >= low.x,
            Direction::West => from.0 >= low.x && end <= high.x,
            Direction::South => from.1 <= high.y && end >= low.y,
            _ => from.1 >= low.y && end <= high.y,
        }
    }

    /// The order in which places are told that are seen from there.
    #[inline]
    pub(super) fn order_of(&self, at: (i32, i32)) -> u64 {
        order_of((self.x, self.y), at)
    }

    /// True if the look that came to (x, y) is taken again.
    #[inline]
    pub(super) fn is_taken(&self, (x, y): (i32, i32)) -> bool {
        let (dx, dy) = (x - self.x, y - self.y);
        if dx != 0 && dy != 0 {
            let quarter = match (dx > 0, dy > 0) {
                (true, false) => 0,
                (true, true) => 1,
                (false, true) => 2,
                (false, false) => 3,
            };
            if self.quarters[quarter] {
                return true;
            }
        }
        let n_diagonal = dx.abs().min(dy.abs());
        let from = (
            self.x + n_diagonal * dx.signum(),
            self.y + n_diagonal * dy.signum(),
        );
        if dx.abs() > dy.abs() {
            let to = if dx > 0 {
                Direction::East
            } else {
                Direction::West
            };
            self.has_row(y) && self.changes(from, to, x)
        } else {
            let to = if dy > 0 {
                Direction::South
            } else {
                Direction::North
            };
            self.has_column(x) && self.changes(from, to, y)
        }
    }
}

#[cfg(test)]
mod tests;
