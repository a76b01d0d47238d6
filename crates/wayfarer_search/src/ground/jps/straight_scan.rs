//! Block-based scan along a row or a column for the next jump point \[Harabor2014\].
//!
//! A row of a sheet and its two neighbors are lanes of 16 bits. A few shifts give the first cell
//! ahead that is blocked or has a forced neighbor: a walkable cell beside it whose predecessor is
//! blocked. Columns are the same with x and y exchanged. O(1) per sheet.
//!
//! A scan ends where uniform ground of one height ends; no direction is pruned from the first cell
//! beyond.

#![expect(
    clippy::cast_possible_truncation,
    reason = "lanes are cut out of a word on purpose"
)]

use wayfarer_base::Direction;
use wayfarer_world::ground::{DiagonalMasks, NodeId, SheetBits};

/// All eight directions.
pub(super) const ALL_DIRECTIONS: u8 = u8::MAX;

/// Directions as const generic arguments.
pub(super) const NORTH: u8 = 0;
pub(super) const EAST: u8 = 2;
pub(super) const SOUTH: u8 = 4;
pub(super) const WEST: u8 = 6;

/// The 16 bits of a lane.
const LANE: u32 = 0xFFFF;

/// The end of a scan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ScanHit {
    /// Cells from the origin to the jump point; without one, to the last walkable cell.
    pub(super) length: u32,
    /// Directions to scan from the jump point; 0 if the scan was blocked first.
    pub(super) directions: u8,
    /// The jump point; meaningless if there is none.
    pub(super) node: NodeId,
}

impl ScanHit {
    /// No jump point after `length` walkable cells.
    #[inline(always)]
    const fn blocked(length: u32) -> Self {
        Self {
            length,
            directions: 0,
            node: NodeId::from_index(0),
        }
    }

    /// The first cell of row (or column) `across` of `next`, where uniform ground ends, after
    /// `length` walkable cells: no direction is pruned there.
    #[inline(always)]
    fn beyond<const DIR: u8>(next: &SheetBits<'_>, across: u32, length: u32) -> Self {
        Self {
            length: length + 1,
            directions: ALL_DIRECTIONS,
            node: node_at::<DIR>(next, across, if is_upwards(DIR) { 0 } else { 15 }),
        }
    }
}

/// A cell of a uniform sheet.
#[derive(Clone, Copy, Debug)]
pub(super) struct SheetCursor<'g> {
    pub(super) sheet: SheetBits<'g>,
    /// Column in the sheet, 0 to 15.
    pub(super) x: u32,
    /// Row in the sheet, 0 to 15.
    pub(super) y: u32,
}

impl SheetCursor<'_> {
    /// The cell `n_steps` further in a direction, in the same sheet.
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

/// A row or column of a sheet: bit n is cell n.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    /// Walkable cells.
    own: u32,
    /// Cells with a forced neighbor on the lower side, if walkable.
    forced_low: u32,
    /// Cells with a forced neighbor on the higher side, if walkable.
    forced_high: u32,
}

/// How a scan ends in a sheet.
#[derive(Clone, Copy)]
pub(super) struct Ending {
    /// The stops ahead: the first one is the lowest bit upwards, the highest downwards.
    stops: u32,
    /// True if the first stop is a jump point, not a blocked cell.
    pub(super) is_jump_point: bool,
}

impl Ending {
    /// True if no stop lies ahead in the sheet.
    #[inline(always)]
    pub(super) const fn leaves_sheet(self) -> bool {
        self.stops == 0
    }

    /// Walkable cells before the first stop.
    #[inline(always)]
    pub(super) const fn distance<const DIR: u8>(self) -> u32 {
        if is_upwards(DIR) {
            self.stops.trailing_zeros()
        } else {
            self.stops.leading_zeros()
        }
    }
}

/// Bit n is set if the cell behind cell n is walkable; `previous` is the same lane of the sheet
/// behind.
#[inline(always)]
const fn open_behind<const DIR: u8>(lane: u32, previous: u32) -> u32 {
    if is_upwards(DIR) {
        lane << 1 | previous >> 15
    } else {
        lane >> 1 | previous << 15
    }
}

/// The bits of a lane beyond `position`, shifted to the end: the lowest upwards, the highest
/// downwards. `position` may be -1 or 16, just outside.
#[inline(always)]
const fn shift_ahead<const DIR: u8>(lane: u32, position: u32) -> u32 {
    if is_upwards(DIR) {
        lane >> position.wrapping_add(1)
    } else {
        // In 64 bits: a shift by 32 is not defined in 32.
        ((lane as u64) << (32 - position)) as u32
    }
}

impl Lanes {
    /// Row (or column) `across` of `sheet`, which may have masks if `may_have_masks`; `previous` is
    /// the sheet from which a scan enters it.
    #[inline(always)]
    pub(super) fn in_sheet<const DIR: u8>(
        sheet: &SheetBits<'_>,
        across: u32,
        previous: Option<&SheetBits<'_>>,
        may_have_masks: bool,
    ) -> Self {
        if may_have_masks
            && sheet.has_diagonal_masks()
            && let Some(masks) = sheet.diagonal_masks()
        {
            return Self::masked::<DIR>(sheet, masks, across);
        }
        Self::new::<DIR>(sheet, across, previous)
    }

    /// Row (or column) `across` of a sheet without masks.
    #[inline(always)]
    pub(super) fn new<const DIR: u8>(
        sheet: &SheetBits<'_>,
        across: u32,
        previous: Option<&SheetBits<'_>>,
    ) -> Self {
        let three = |sheet: &SheetBits<'_>| {
            if is_along_row(DIR) {
                sheet.rows(across)
            } else {
                sheet.columns(across)
            }
        };
        let [low, own, high] = three(sheet);
        let previous = previous.map_or([0; 3], three);
        Self {
            own,
            forced_low: low & !open_behind::<DIR>(low, previous[0]),
            forced_high: high & !open_behind::<DIR>(high, previous[2]),
        }
    }

    /// [`Lanes::new`] where diagonal steps follow masks. After the straight step from p to x, the
    /// cell beside x is pruned if p has the diagonal step there, and so is the forward diagonal of
    /// x; they are forced otherwise.
    #[inline(never)]
    pub(super) fn masked<const DIR: u8>(
        sheet: &SheetBits<'_>,
        masks: &DiagonalMasks,
        across: u32,
    ) -> Self {
        let [low, own, high] = if is_along_row(DIR) {
            sheet.rows(across)
        } else {
            sheet.columns(across)
        };
        let [[ahead_low, behind_low], [ahead_high, behind_high]] =
            masks.lanes(Direction::from_index(DIR), across.cast_signed());
        Self {
            own,
            forced_low: (low | ahead_low) & !behind_low & LANE,
            forced_high: (high | ahead_high) & !behind_high & LANE,
        }
    }

    /// How a scan from `position` ends in this sheet; the bit `goal` counts as a jump point.
    #[inline(always)]
    pub(super) const fn ending<const DIR: u8>(self, position: u32, goal: u32) -> Ending {
        let stops = shift_ahead::<DIR>(
            self.forced_low | self.forced_high | self.own ^ LANE | goal,
            position,
        );
        let open = shift_ahead::<DIR>(self.own, position);
        Ending {
            stops,
            is_jump_point: if is_upwards(DIR) {
                stops & stops.wrapping_neg() & open != 0
            } else {
                // The first stop is walkable if the walkable ones begin above the blocked ones.
                stops & open > stops & !open
            },
        }
    }

    /// The natural and forced directions at a cell; 0 if it is blocked.
    #[inline(always)]
    pub(super) const fn directions<const DIR: u8>(self, at: u32) -> u8 {
        let (low, high) = match DIR {
            NORTH => (1 << WEST | 1 << 7, 1 << EAST | 1 << 1),
            EAST => (1 << NORTH | 1 << 1, 1 << SOUTH | 1 << 3),
            SOUTH => (1 << WEST | 1 << 5, 1 << EAST | 1 << 3),
            _ => (1 << NORTH | 1 << 7, 1 << SOUTH | 1 << 5),
        };
        let mut directions = 0;
        if self.own >> at & 1 == 1 {
            directions |= 1 << DIR;
            if self.forced_low >> at & 1 == 1 {
                directions |= low;
            }
            if self.forced_high >> at & 1 == 1 {
                directions |= high;
            }
        }
        directions
    }
}

/// Scans from `cursor` in the straight direction `DIR` over any number of sheets. Also ends at
/// `goal`, and without a jump point at the border of a sheet more than `max_length` cells away.
#[inline(always)]
pub(super) fn scan<const DIR: u8>(
    cursor: &SheetCursor<'_>,
    goal: Option<NodeId>,
    max_length: u32,
    may_have_masks: bool,
) -> ScanHit {
    let (mut position, across) = if is_along_row(DIR) {
        (cursor.x, cursor.y)
    } else {
        (cursor.y, cursor.x)
    };
    let (mut sheet, mut length) = (cursor.sheet, 0_u32);
    let mut lanes = Lanes::in_sheet::<DIR>(&sheet, across, None, may_have_masks);
    loop {
        let goal = goal.map_or(0, |goal| goal_bit::<DIR>(&sheet, across, goal));
        let ending = lanes.ending::<DIR>(position, goal);
        if !ending.leaves_sheet() {
            let distance = ending.distance::<DIR>();
            if !ending.is_jump_point {
                return ScanHit::blocked(length + distance);
            }
            let stop = advance::<DIR>(position, distance + 1);
            return ScanHit {
                length: length + distance + 1,
                directions: lanes.directions::<DIR>(stop),
                node: node_at::<DIR>(&sheet, across, stop),
            };
        }
        // All cells up to the border; from just outside, the whole sheet.
        length += if is_upwards(DIR) {
            15_u32.wrapping_sub(position)
        } else {
            position
        };
        if length > max_length || sheet.exits(Direction::from_index(DIR)) >> across & 1 == 0 {
            return ScanHit::blocked(length);
        }
        let Some(next) = sheet.neighbor(Direction::from_index(DIR)) else {
            return ScanHit::blocked(length);
        };
        if !sheet.continues_in(&next) {
            return ScanHit::beyond::<DIR>(&next, across, length);
        }
        lanes = Lanes::in_sheet::<DIR>(&next, across, Some(&sheet), may_have_masks);
        sheet = next;
        position = outside::<DIR>();
    }
}

/// The position just outside a sheet from which a scan enters it: -1 or 16.
#[inline(always)]
pub(super) const fn outside<const DIR: u8>() -> u32 {
    if is_upwards(DIR) { u32::MAX } else { 16 }
}

/// The position `n_cells` further in a sheet; `at` may be just outside.
#[inline(always)]
pub(super) const fn advance<const DIR: u8>(at: u32, n_cells: u32) -> u32 {
    if is_upwards(DIR) {
        at.wrapping_add(n_cells)
    } else {
        at - n_cells
    }
}

/// The cell of `sheet` at `along` in row (or column) `across`.
#[inline(always)]
pub(super) fn node_at<const DIR: u8>(sheet: &SheetBits<'_>, across: u32, along: u32) -> NodeId {
    if is_along_row(DIR) {
        sheet.node(along, across)
    } else {
        sheet.node(across, along)
    }
}

/// The bit of the goal in row (or column) `across` of `sheet`; 0 if it lies elsewhere.
#[inline(always)]
pub(super) fn goal_bit<const DIR: u8>(sheet: &SheetBits<'_>, across: u32, goal: NodeId) -> u32 {
    let along = if is_along_row(DIR) {
        goal.x_in_sector()
    } else {
        goal.y_in_sector()
    };
    u32::from(node_at::<DIR>(sheet, across, along) == goal) << along
}

#[cfg(test)]
mod tests;
