//! Looking along a row or a column: where is the next place at which a way may have to turn?
//!
//! Three rows of a sheet are one word of three lanes: the row beside on the lower side, the own
//! one, the one on the higher side. A few shifts tell the first cell ahead that is closed, or
//! that has an open cell at its side where the cell behind that one is closed: there, and only
//! there, a way along the row may have to turn aside (jump point). Columns are the same with x
//! and y exchanged.
//!
//! A ray ends where plain ground at one height ends: the first cell beyond is a place from where
//! all directions are looked at.

#![expect(
    clippy::cast_possible_truncation,
    reason = "lanes are cut out of a word on purpose"
)]

use wayfarer_base::Direction;
use wayfarer_world::ground::{NodeId, SheetBits};

/// All eight directions.
pub(super) const EVERYWHERE: u8 = u8::MAX;

/// Directions as numbers, for the compiler.
pub(super) const NORTH: u8 = 0;
pub(super) const EAST: u8 = 2;
pub(super) const SOUTH: u8 = 4;
pub(super) const WEST: u8 = 6;

/// The bits of a lane of sixteen.
const LANE: u32 = 0xFFFF;
/// The first and the last bit of each of three lanes of sixteen.
const FIRST_BITS: u64 = 0x0001_0001_0001;
const LAST_BITS: u64 = 0x8000_8000_8000;

/// What a ray came upon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hit {
    /// Cells from where it began; without a place, cells up to the last open one.
    pub(super) length: u32,
    /// Directions worth a look from there; 0 if there is no such place before the way is closed.
    pub(super) directions: u8,
    /// The cell, if there is such a place; else of no meaning.
    pub(super) node: NodeId,
}

/// Where a ray begins: a cell of a plain sheet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot<'g> {
    pub(super) sheet: SheetBits<'g>,
    /// Column in the sheet, 0 to 15.
    pub(super) x: u32,
    /// Row in the sheet, 0 to 15.
    pub(super) y: u32,
}

impl Spot<'_> {
    #[inline]
    pub(super) fn node(&self) -> NodeId {
        self.sheet.node(self.x, self.y)
    }
}

pub(super) const fn is_upwards(to: u8) -> bool {
    to == EAST || to == SOUTH
}

pub(super) const fn is_along_row(to: u8) -> bool {
    to == EAST || to == WEST
}

/// The own cells of a sheet along a row or column, sixteen bits each.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    /// Open.
    own: u32,
    /// With something to turn to on the lower side, if open.
    low: u32,
    /// With something to turn to on the higher side, if open.
    high: u32,
}

impl Lanes {
    /// From three rows of eighteen.
    #[inline(always)]
    const fn of_rows<const TO: u8>(rows: u64) -> Self {
        let turns = if is_upwards(TO) {
            rows & !(rows << 1)
        } else {
            rows & !(rows >> 1)
        };
        Self {
            own: (rows >> 19) as u32 & LANE,
            low: (turns >> 1) as u32 & LANE,
            high: (turns >> 37) as u32 & LANE,
        }
    }

    /// From three columns of sixteen, and those of the sheet that the ray came from.
    #[inline(always)]
    const fn of_columns<const TO: u8>(columns: u64, former: u64) -> Self {
        let behind = if is_upwards(TO) {
            columns << 1 & !FIRST_BITS | former >> 15 & FIRST_BITS
        } else {
            columns >> 1 & !LAST_BITS | former << 15 & LAST_BITS
        };
        let turns = columns & !behind;
        Self {
            own: (columns >> 16) as u32 & LANE,
            low: turns as u32 & LANE,
            high: (turns >> 32) as u32 & LANE,
        }
    }

    #[inline(always)]
    pub(super) const fn of<const TO: u8>(word: u64, former: u64) -> Self {
        if is_along_row(TO) {
            Self::of_rows::<TO>(word)
        } else {
            Self::of_columns::<TO>(word, former)
        }
    }

    /// How many cells on from `next`, that included, the ray stops; `None` if not in this sheet.
    #[inline(always)]
    pub(super) const fn first_stop<const TO: u8>(self, next: u32, goal: u32) -> Option<u32> {
        let stops = self.low | self.high | self.own ^ LANE | goal;
        let ahead = if is_upwards(TO) {
            stops >> next
        } else {
            stops << (31 - next)
        };
        if ahead == 0 {
            return None;
        }
        Some(if is_upwards(TO) {
            ahead.trailing_zeros()
        } else {
            ahead.leading_zeros()
        })
    }

    /// On, and aside where there is something to turn to; 0 if the cell is closed.
    #[inline(always)]
    pub(super) const fn directions<const TO: u8>(self, at: u32) -> u8 {
        let (low, high) = match TO {
            NORTH => (1 << WEST | 1 << 7, 1 << EAST | 1 << 1),
            EAST => (1 << NORTH | 1 << 1, 1 << SOUTH | 1 << 3),
            SOUTH => (1 << WEST | 1 << 5, 1 << EAST | 1 << 3),
            _ => (1 << NORTH | 1 << 7, 1 << SOUTH | 1 << 5),
        };
        let mut directions = 0;
        if self.own >> at & 1 == 1 {
            directions |= 1 << TO;
            if self.low >> at & 1 == 1 {
                directions |= low;
            }
            if self.high >> at & 1 == 1 {
                directions |= high;
            }
        }
        directions
    }
}

/// Looks from `spot` in the straight direction `TO`, over any number of sheets; `word` holds the
/// three rows (or columns) around it. The ray also ends at `goal`.
pub(super) fn look<const TO: u8>(spot: &Spot<'_>, word: u64, goal: NodeId) -> Hit {
    let (first, last) = if is_upwards(TO) { (0, 15) } else { (15, 0) };
    let (own, across) = if is_along_row(TO) {
        (spot.x, spot.y)
    } else {
        (spot.y, spot.x)
    };
    let (mut sheet, mut word, mut length) = (spot.sheet, word, 0);
    let mut former = 0;
    // The cell to look at first, if it is in this sheet.
    let mut next = (own != last).then(|| ahead_of::<TO>(own, 1));
    loop {
        if let Some(next) = next {
            let lanes = Lanes::of::<TO>(word, former);
            let goal = goal_bit::<TO>(&sheet, across, goal);
            if let Some(ahead) = lanes.first_stop::<TO>(next, goal) {
                let stop = ahead_of::<TO>(next, ahead);
                let directions = lanes.directions::<TO>(stop);
                return Hit {
                    length: length + ahead + u32::from(directions != 0),
                    directions,
                    node: node_at::<TO>(&sheet, across, stop),
                };
            }
            length += next.abs_diff(last) + 1;
        }
        let beyond = sheet.next(Direction::from_index(TO));
        let Some(beyond) = beyond.filter(|beyond| sheet.continues_in(beyond)) else {
            return seam::<TO>(&sheet, across, beyond, length);
        };
        (sheet, former, next) = (beyond, word, Some(first));
        word = lane_word::<TO>(&sheet, across);
    }
}

/// The three rows (or columns) around a row.
#[inline(always)]
pub(super) fn lane_word<const TO: u8>(sheet: &SheetBits<'_>, across: u32) -> u64 {
    if is_along_row(TO) {
        sheet.rows(across)
    } else {
        sheet.columns(across)
    }
}

/// The place `n_cells` further on in a sheet.
#[inline(always)]
pub(super) const fn ahead_of<const TO: u8>(at: u32, n_cells: u32) -> u32 {
    if is_upwards(TO) {
        at + n_cells
    } else {
        at - n_cells
    }
}

/// The cell of `sheet` at `along` in row (or column) `across`.
#[inline(always)]
pub(super) fn node_at<const TO: u8>(sheet: &SheetBits<'_>, across: u32, along: u32) -> NodeId {
    if is_along_row(TO) {
        sheet.node(along, across)
    } else {
        sheet.node(across, along)
    }
}

/// The bit of the goal in row (or column) `across` of `sheet`; 0 if it does not lie there.
#[inline(always)]
pub(super) fn goal_bit<const TO: u8>(sheet: &SheetBits<'_>, across: u32, goal: NodeId) -> u32 {
    let along = if is_along_row(TO) {
        goal.x_in_sector()
    } else {
        goal.y_in_sector()
    };
    u32::from(node_at::<TO>(sheet, across, along) == goal) << along
}

/// Where a ray in row (or column) `across` ends at the edge of `sheet`, because the next one is
/// another kind of ground, or there is none.
#[inline(never)]
pub(super) fn seam<const TO: u8>(
    sheet: &SheetBits<'_>,
    across: u32,
    beyond: Option<SheetBits<'_>>,
    length: u32,
) -> Hit {
    let outside = if is_upwards(TO) { 16 } else { -1 };
    let is_open = if is_along_row(TO) {
        sheet.sees(outside, across.cast_signed())
    } else {
        sheet.sees(across.cast_signed(), outside)
    };
    match beyond.filter(|_| is_open) {
        Some(beyond) => Hit {
            length: length + 1,
            directions: EVERYWHERE,
            node: node_at::<TO>(&beyond, across, if is_upwards(TO) { 0 } else { 15 }),
        },
        None => Hit {
            length,
            directions: 0,
            node: sheet.node(0, 0),
        },
    }
}

#[cfg(test)]
mod tests;
