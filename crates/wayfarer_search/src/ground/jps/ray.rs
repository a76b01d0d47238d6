//! Looking along a row or a column: where is the next place at which a way may have to turn?
//!
//! A row of a sheet and the two beside it are lanes of sixteen bits. A few shifts tell the first
//! cell ahead that is closed, or that has an open cell at its side where the cell behind that one
//! is closed: there, and only there, a way along the row may have to turn aside (jump point).
//! Columns are the same with x and y exchanged.
//!
//! A ray ends where uniform ground at one height ends: the first cell beyond is a place from where
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

/// What a ray came upon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ScanHit {
    /// Cells from where it began; without a place, cells up to the last open one.
    pub(super) length: u32,
    /// Directions worth a look from there; 0 if there is no such place before the way is closed.
    pub(super) directions: u8,
    /// The cell, if there is such a place; else of no meaning.
    pub(super) node: NodeId,
}

impl ScanHit {
    /// No place, after `length` open cells.
    #[inline(always)]
    const fn nothing(length: u32) -> Self {
        Self {
            length,
            directions: 0,
            node: NodeId::from_index(0),
        }
    }

    /// The first cell of row (or column) `across` of `neighbor`, which is another kind of ground, after
    /// `length` open cells: from there everything is worth a look.
    #[inline(always)]
    fn beyond<const TO: u8>(next: &SheetBits<'_>, across: u32, length: u32) -> Self {
        Self {
            length: length + 1,
            directions: EVERYWHERE,
            node: node_at::<TO>(next, across, if is_upwards(TO) { 0 } else { 15 }),
        }
    }
}

/// Where a ray begins: a cell of a plain sheet.
#[derive(Clone, Copy, Debug)]
pub(super) struct SheetCursor<'g> {
    pub(super) sheet: SheetBits<'g>,
    /// Column in the sheet, 0 to 15.
    pub(super) x: u32,
    /// Row in the sheet, 0 to 15.
    pub(super) y: u32,
}

impl SheetCursor<'_> {
    /// The spot `n_steps` further on in a direction, in the same sheet.
    #[inline]
    pub(super) fn moved(self, to: Direction, n_steps: u32) -> Self {
        let ((dx, dy), n_steps) = (to.offset(), n_steps.cast_signed());
        Self {
            x: self.x.wrapping_add_signed(dx * n_steps),
            y: self.y.wrapping_add_signed(dy * n_steps),
            ..self
        }
    }

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

/// How a ray ends in a sheet.
#[derive(Clone, Copy)]
pub(super) struct Ending {
    /// The cells ahead where it stops: the next one lowest upwards, highest downwards.
    stops: u32,
    /// True if it comes to a place first, not to what is closed.
    pub(super) is_place: bool,
}

impl Ending {
    /// True if the ray does not end, but leads on beyond the edge.
    #[inline(always)]
    pub(super) const fn leads_on(self) -> bool {
        self.stops == 0
    }

    /// Open cells before the place or before what is closed, if it ends.
    #[inline(always)]
    pub(super) const fn distance<const TO: u8>(self) -> u32 {
        if is_upwards(TO) {
            self.stops.trailing_zeros()
        } else {
            self.stops.leading_zeros()
        }
    }
}

/// For each cell of a lane whether the one behind it is open; `previous` is the same lane of the
/// sheet behind.
#[inline(always)]
const fn behind<const TO: u8>(lane: u32, previous: u32) -> u32 {
    if is_upwards(TO) {
        lane << 1 | previous >> 15
    } else {
        lane >> 1 | previous << 15
    }
}

/// The bits of a lane after `own`, moved to the beginning: the lowest upwards, the highest
/// downwards. `own` may be -1 or 16, just outside.
#[inline(always)]
const fn ahead<const TO: u8>(lane: u32, own: u32) -> u32 {
    if is_upwards(TO) {
        lane >> own.wrapping_add(1)
    } else {
        // Two steps, because a shift by 32 is none.
        ((lane as u64) << (32 - own)) as u32
    }
}

impl Lanes {
    /// Row (or column) `across` of `sheet`, which a ray enters from `previous`, if it does.
    #[inline(always)]
    pub(super) fn of<const TO: u8>(
        sheet: &SheetBits<'_>,
        across: u32,
        previous: Option<&SheetBits<'_>>,
    ) -> Self {
        let three = |sheet: &SheetBits<'_>| {
            if is_along_row(TO) {
                sheet.rows(across)
            } else {
                sheet.columns(across)
            }
        };
        let [low, own, high] = three(sheet);
        let previous = previous.map_or([0; 3], three);
        Self {
            own,
            low: low & !behind::<TO>(low, previous[0]),
            high: high & !behind::<TO>(high, previous[2]),
        }
    }

    /// How a ray from the cell at `own` ends in this sheet; `goal` is a place, too.
    #[inline(always)]
    pub(super) const fn ending<const TO: u8>(self, own: u32, goal: u32) -> Ending {
        let stops = ahead::<TO>(self.low | self.high | self.own ^ LANE | goal, own);
        let open = ahead::<TO>(self.own, own);
        Ending {
            stops,
            is_place: if is_upwards(TO) {
                stops & stops.wrapping_neg() & open != 0
            } else {
                // The first stop is open if the open ones begin above the closed ones.
                stops & open > stops & !open
            },
        }
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

/// Looks from `spot` in the straight direction `TO`, over any number of sheets. The ray also ends
/// at `goal`, if that is given, and without a place at the edge of a sheet more than `most` cells
/// away.
#[inline(always)]
pub(super) fn look<const TO: u8>(
    spot: &SheetCursor<'_>,
    goal: Option<NodeId>,
    most: u32,
) -> ScanHit {
    let (mut own, across) = if is_along_row(TO) {
        (spot.x, spot.y)
    } else {
        (spot.y, spot.x)
    };
    let (mut sheet, mut length) = (spot.sheet, 0_u32);
    let mut lanes = Lanes::of::<TO>(&sheet, across, None);
    loop {
        let goal = goal.map_or(0, |goal| goal_bit::<TO>(&sheet, across, goal));
        let ending = lanes.ending::<TO>(own, goal);
        if !ending.leads_on() {
            let distance = ending.distance::<TO>();
            if !ending.is_place {
                return ScanHit::nothing(length + distance);
            }
            let stop = ahead_of::<TO>(own, distance + 1);
            return ScanHit {
                length: length + distance + 1,
                directions: lanes.directions::<TO>(stop),
                node: node_at::<TO>(&sheet, across, stop),
            };
        }
        // All cells up to the edge; from just outside that is the whole sheet.
        length += if is_upwards(TO) {
            15_u32.wrapping_sub(own)
        } else {
            own
        };
        if length > most || sheet.exits(Direction::from_index(TO)) >> across & 1 == 0 {
            return ScanHit::nothing(length);
        }
        let Some(next) = sheet.neighbor(Direction::from_index(TO)) else {
            return ScanHit::nothing(length);
        };
        if !sheet.continues_in(&next) {
            return ScanHit::beyond::<TO>(&next, across, length);
        }
        lanes = Lanes::of::<TO>(&next, across, Some(&sheet));
        sheet = next;
        own = outside::<TO>();
    }
}

/// The place just outside a sheet where a ray enters it: -1 or 16.
#[inline(always)]
pub(super) const fn outside<const TO: u8>() -> u32 {
    if is_upwards(TO) { u32::MAX } else { 16 }
}

/// The place `n_cells` further on in a sheet; `at` may be just outside.
#[inline(always)]
pub(super) const fn ahead_of<const TO: u8>(at: u32, n_cells: u32) -> u32 {
    if is_upwards(TO) {
        at.wrapping_add(n_cells)
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

#[cfg(test)]
mod tests;
