//! What is seen from a place after a small change nearby: only looks that pass there are taken
//! again.
//!
//! A look along a row sees cells of that row and of the two beside it. So cells that changed
//! matter to looks in their rows and columns and in those next to them; and if they lie beside a
//! diagonal, to all looks from there on. All others see what they saw.

use wayfarer_base::{Direction, Rect};

use super::board::{Board, Found, order_of};
use super::cache::{Cache, List, NONE, Spoiled};
use super::draft::{Draft, Sight};

/// Straight directions in the order in which they are looked at.
const STRAIGHT: [Direction; 4] = [
    Direction::East,
    Direction::West,
    Direction::North,
    Direction::South,
];

/// Takes looks again.
pub(super) struct Mender<'s> {
    pub(super) board: &'s Board,
    pub(super) cache: &'s Cache,
    /// The directions in which to look.
    pub(super) directions: u8,
}

/// Which looks to take again.
#[derive(Clone, Copy)]
struct Again {
    /// The place.
    x: i32,
    y: i32,
    /// Rows and columns.
    rows: (i32, i32),
    columns: (i32, i32),
    /// By quarter, whether all of its looks.
    quarters: [bool; 4],
}

impl Mender<'_> {
    /// Fills the draft as [`Draft::make`] does, with what was seen from the place of a spoiled
    /// list; `edges` gets for each sight its number and way of arrival, or `NONE` if that has to
    /// be looked up.
    pub(super) fn mend(&self, spoiled: &Spoiled, draft: &mut Draft, edges: &mut Vec<u32>) {
        let (list, former) = self.cache.former(spoiled);
        let again = Again::new(list, spoiled.changed);
        draft.start_from(list);
        self.look_again(&again, list, draft);
        let at = (list.x, list.y);
        // What is new stands first, in order; what was seen before is in order already.
        draft
            .sights
            .sort_unstable_by_key(|sight| order_of(at, sight));
        let n_new = draft.sights.len();
        edges.clear();
        edges.resize(n_new, NONE);
        for [slot, cost] in former {
            let number = (slot >> 3) as usize;
            let (x, y) = self.cache.places[number].at();
            if !again.is_looked(x, y) {
                edges.push(*slot);
                draft.sights.push(Sight {
                    node: self.cache.stands[number].node,
                    x,
                    y,
                    cost: u64::from(*cost),
                    directions: 0,
                    arrival: (slot & 7) as u8,
                });
            }
        }
        // The last of what is new goes in its place first, so that the others stay where they are.
        for index in (0..n_new).rev() {
            let order = order_of(at, &draft.sights[index]);
            let later = &draft.sights[index + 1..];
            let n_before = later.partition_point(|sight| order_of(at, sight) < order);
            draft.sights[index..=index + n_before].rotate_left(1);
            edges[index..=index + n_before].rotate_left(1);
        }
    }

    /// Takes all looks again that may see something else now.
    fn look_again(&self, again: &Again, list: &List, draft: &mut Draft) {
        let wanted = |direction: u8| self.directions >> direction & 1 == 1;
        let (x, y) = (list.x, list.y);
        let mut diagonals = draft.diagonals;
        let mut found = draft.found();
        for to in STRAIGHT {
            let is_row = matches!(to, Direction::East | Direction::West);
            let lies_in = if is_row {
                again.has_row(y)
            } else {
                again.has_column(x)
            };
            if lies_in && wanted(to.index()) {
                self.board.look_on((x, y), to, 0, &mut found);
            }
        }
        for quarter in 0..4_u8 {
            if !wanted(quarter * 2 + 1) {
                continue;
            }
            let length = &mut diagonals[usize::from(quarter)];
            if again.quarters[usize::from(quarter)] {
                *length = (self.board).look_diagonally((x, y), quarter.into(), &mut found);
            } else {
                self.look_beside(again, (x, y), quarter, *length, &mut found);
            }
        }
        draft.diagonals = diagonals;
    }

    /// Takes those looks again that begin on a diagonal of so many cells and may see something
    /// else now.
    fn look_beside(
        &self,
        again: &Again,
        (x, y): (i32, i32),
        quarter: u8,
        length: u32,
        found: &mut Found<'_>,
    ) {
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
        let mut look = |lines: (i32, i32), from: i32, by: i32, to: Direction| {
            for line in lines.0..=lines.1 {
                // Steps along the diagonal to that line.
                let n_steps = (line - from) * by;
                if n_steps >= 1 && n_steps.cast_unsigned() <= length {
                    let at = (x + n_steps * dx, y + n_steps * dy);
                    (self.board).look_on(at, to, n_steps.cast_unsigned(), found);
                }
            }
        };
        look(again.rows, y, dy, along);
        look(again.columns, x, dx, across);
    }
}

impl Again {
    fn new(list: &List, changed: Rect) -> Self {
        let mut again = Self {
            x: list.x,
            y: list.y,
            rows: (changed.low.y - 1, changed.high.y + 1),
            columns: (changed.low.x - 1, changed.high.x + 1),
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

    fn has_row(&self, y: i32) -> bool {
        self.rows.0 <= y && y <= self.rows.1
    }

    fn has_column(&self, x: i32) -> bool {
        self.columns.0 <= x && x <= self.columns.1
    }

    /// True if the look that came to (x, y) is taken again.
    fn is_looked(&self, x: i32, y: i32) -> bool {
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
        if dx.abs() > dy.abs() {
            self.has_row(y)
        } else {
            self.has_column(x)
        }
    }
}

#[cfg(test)]
mod tests;
