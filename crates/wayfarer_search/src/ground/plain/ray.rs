//! Looking along a row or a column: where is the next place at which a way may have to turn?
//!
//! Three rows of a sheet are one word of three lanes, 18 bits each: the row beside on the lower
//! side, the own one, the one on the higher side. A few shifts tell the first cell ahead that is
//! closed, or that has an open cell at its side where the cell behind that one is closed: there,
//! and only there, a way along the row may have to turn aside (jump point). Columns are the same
//! with x and y exchanged.
//!
//! A ray ends where plain ground at one height ends: the first cell beyond is a place from where
//! all directions are looked at.

use wayfarer_base::Direction;
use wayfarer_world::ground::{NodeId, SheetBits};

/// All eight directions.
pub(super) const EVERYWHERE: u8 = u8::MAX;

/// Directions as numbers, for the compiler.
pub(super) const NORTH: u8 = 0;
pub(super) const EAST: u8 = 2;
pub(super) const SOUTH: u8 = 4;
pub(super) const WEST: u8 = 6;

/// Bits of one lane.
const LANE: u64 = (1 << 18) - 1;
/// The bits of a lane that are the sheet's own.
const INNER: u64 = LANE & !1 & !(1 << 17);

/// What a ray came upon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hit {
    /// Cells from where it began; without a place, cells up to the last open one.
    pub(super) length: u32,
    /// Directions worth a look from there; 0 if there is no such place before the way is closed.
    pub(super) directions: u8,
    /// The cell, if there is such a place; else where the ray began or ended, of no meaning.
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

/// Looks from `spot` in the straight direction `TO`; `word` holds the three rows (or columns)
/// around it. The ray also ends at `goal`, which is only looked for if the row is its row.
#[inline]
pub(super) fn look<const TO: u8>(spot: Spot<'_>, word: u64, goal: Option<NodeId>) -> Hit {
    let upwards = TO == EAST || TO == SOUTH;
    let along_row = TO == EAST || TO == WEST;
    let across = if along_row { spot.y } else { spot.x };
    let mut at = 1 + if along_row { spot.x } else { spot.y };
    let mut sheet = spot.sheet;
    let mut word = word;
    let mut length = 0;
    let node_at = |sheet: &SheetBits<'_>, at: u32| {
        if along_row {
            sheet.node(at.wrapping_sub(1), across)
        } else {
            sheet.node(across, at.wrapping_sub(1))
        }
    };
    loop {
        let turns = if upwards {
            word & !(word << 1)
        } else {
            word & !(word >> 1)
        };
        let own = word >> 18 & LANE;
        let mut stops = (turns | turns >> 36) & INNER | own ^ LANE;
        if let Some(goal) = goal
            && goal.shares_sheet(sheet.node(0, 0))
        {
            let place = if along_row {
                goal.x_in_sector()
            } else {
                goal.y_in_sector()
            };
            stops |= 2 << place;
        }
        let ahead = if upwards {
            stops & u64::MAX << 1 << at
        } else {
            stops & ((1 << at) - 1)
        };
        if ahead != 0 {
            let stop = if upwards {
                ahead.trailing_zeros()
            } else {
                63 - ahead.leading_zeros()
            };
            length += stop.abs_diff(at);
            let open = own >> stop & 1 == 1;
            return Hit {
                length: length - u32::from(!open),
                directions: if open {
                    turn_directions::<TO>(turns, stop)
                } else {
                    0
                },
                node: node_at(&sheet, stop),
            };
        }
        length += if upwards { 16 - at } else { at - 1 };
        let Some(next) = sheet.next(Direction::from_index(TO)) else {
            return Hit {
                length,
                directions: 0,
                node: node_at(&sheet, at),
            };
        };
        if !sheet.continues_in(&next) {
            return Hit {
                length: length + 1,
                directions: EVERYWHERE,
                node: node_at(&next, if upwards { 1 } else { 16 }),
            };
        }
        sheet = next;
        at = if upwards { 0 } else { 17 };
        word = if along_row {
            sheet.rows(across)
        } else {
            sheet.columns(across)
        };
    }
}

/// On, and aside where there is something to turn to at bit `stop`.
#[inline]
fn turn_directions<const TO: u8>(turns: u64, stop: u32) -> u8 {
    let (low, high) = match TO {
        NORTH => ([WEST, 7], [EAST, 1]),
        EAST => ([NORTH, 1], [SOUTH, 3]),
        SOUTH => ([WEST, 5], [EAST, 3]),
        _ => ([NORTH, 7], [SOUTH, 5]),
    };
    let mask = |pair: [u8; 2]| 1 << pair[0] | 1 << pair[1];
    let when = |bit: u64| if bit & 1 == 1 { u8::MAX } else { 0 };
    1 << TO | when(turns >> stop) & mask(low) | when(turns >> 36 >> stop) & mask(high)
}

#[cfg(test)]
mod tests;
