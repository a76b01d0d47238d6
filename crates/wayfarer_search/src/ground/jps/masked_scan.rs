//! Diagonals where steps follow masks: the body passes corners that the cells beside the step do not
//! fit at.
//!
//! A diagonal in direction (dx, dy) has a *turn point* at x if the step (dx, -dy) is legal and the
//! cell (0, -dy) beside x is blocked, or likewise with x and y exchanged: the cell before x reaches
//! the end of that step neither straight nor otherwise as cheaply. The diagonal goes on past turn
//! points, so only the steps around corners remain to be scanned from them.

use wayfarer_base::Direction;
use wayfarer_world::ground::{DiagonalMasks, NodeId, PaddedLanes, SheetBits};

use super::diagonal_scan::{DiagonalSegment, crossing_order, diagonal_direction, edge, lanes_of};
use super::expand::{Expansion, GeneratedNode, JumpVisitor, TURN};
use super::scan_stops::{
    DiagonalOrigins, ScanOrigins, ScanStops, SheetLanes, cells_on_diagonal, lanes_from,
};
use super::straight_scan::{EAST, Lanes, SOUTH, SheetCursor, WEST, goal_bit, outside};

/// The diagonals, as indices of directions.
const DIAGONALS: [u8; 4] = [1, 3, 5, 7];

/// All cells of sixteen lanes.
static ALL_CELLS: [u16; 16] = [u16::MAX; 16];

/// Scans along the lanes of a sheet with masks.
#[derive(Clone, Copy)]
struct MaskedScans<'g> {
    masks: &'g DiagonalMasks,
    /// For each lane the cells ahead of its origin.
    ahead: &'static [u16; 16],
}

impl ScanOrigins for MaskedScans<'_> {
    #[inline(always)]
    fn stops<const DIR: u8>(&self, lanes: &SheetLanes) -> impl Fn(usize) -> u16 {
        let (low, own, high) = (
            lanes_from::<0>(lanes),
            lanes_from::<1>(lanes),
            lanes_from::<2>(lanes),
        );
        let [low_masks, high_masks] = self.masks.side_lanes(Direction::from_index(DIR));
        let ahead = self.ahead;
        // As `Lanes::masked`.
        move |n| {
            let (low_ahead, low_behind) = match DIR {
                EAST => (low_masks.next(n), low_masks.at(n)),
                SOUTH => (low_masks.at(n), low_masks.previous(n)),
                _ => (low_masks.previous(n), low_masks.at(n)),
            };
            let (high_ahead, high_behind) = match DIR {
                EAST | SOUTH => (high_masks.at(n), high_masks.previous(n)),
                WEST => (high_masks.at(n), high_masks.next(n)),
                _ => (high_masks.previous(n), high_masks.at(n)),
            };
            let forced_low = (low[n] | low_ahead) & !low_behind;
            let forced_high = (high[n] | high_ahead) & !high_behind;
            (forced_low | forced_high | !own[n]) & ahead[n]
        }
    }
}

/// The cells of a diagonal through a sheet, in all rows that it crosses; bit n is row n.
struct DiagonalCells {
    /// Those with a step along the diagonal.
    steps: u32,
    /// Its turn points.
    turns: u32,
}

impl DiagonalCells {
    /// The diagonal between `H` and `V` through the cell in column `x` and row `y`.
    // Never inlined: the compiler vectorizes it alone.
    #[inline(never)]
    fn new<const H: u8, const V: u8>(
        sheet: &SheetBits<'_>,
        masks: &DiagonalMasks,
        (x, y): (u32, u32),
    ) -> Self {
        let cells = match (H == EAST, V == SOUTH) {
            (true, true) => cells_on_diagonal::<true, true>(x, y),
            (true, false) => cells_on_diagonal::<true, false>(x, y),
            (false, true) => cells_on_diagonal::<false, true>(x, y),
            (false, false) => cells_on_diagonal::<false, false>(x, y),
        };
        let onward = diagonal_direction(H, V);
        let to_row = diagonal_direction(H, opposite(V));
        let to_column = diagonal_direction(opposite(H), V);
        // One by one: the directions are constants, which a map over them would not see.
        let onward_rows = masks.step_rows(Direction::from_index(onward));
        let row_rows = masks.step_rows(Direction::from_index(to_row));
        let column_rows = masks.step_rows(Direction::from_index(to_column));
        let (rows, columns) = (sheet.row_lanes(), sheet.column_lanes());
        let own = lanes_from::<1>(rows);
        let beside = if V == SOUTH {
            lanes_from::<0>(rows)
        } else {
            lanes_from::<2>(rows)
        };
        let outside = columns[if H == EAST { 0 } else { 17 }];
        let (mut steps, mut turns) = (0, 0);
        for n in 0..16 {
            let row = 1_u16 << n;
            let is_open = outside & row != 0;
            let behind = if H == EAST {
                own[n] << 1 | if is_open { 1 } else { 0 }
            } else {
                own[n] >> 1 | if is_open { 0x8000 } else { 0 }
            };
            let turn = !beside[n] & steps_in(&row_rows, to_row, n)
                | !behind & steps_in(&column_rows, to_column, n);
            let step = steps_in(&onward_rows, onward, n);
            steps |= if step & cells[n] == 0 { 0 } else { row };
            turns |= if turn & cells[n] == 0 { 0 } else { row };
        }
        Self {
            steps: steps.into(),
            turns: turns.into(),
        }
    }
}

/// The cells of row n with a diagonal step, given the rows of the masks for that direction.
#[inline(always)]
fn steps_in(rows: &PaddedLanes<'_>, direction: u8, n: usize) -> u16 {
    match direction {
        1 => rows.next(n),
        7 => rows.previous(n),
        _ => rows.at(n),
    }
}

/// The opposite of a straight direction.
const fn opposite(direction: u8) -> u8 {
    direction ^ 4
}

impl<F: JumpVisitor> Expansion<'_, F> {
    /// As [`Self::scan_diagonal`] in one sheet where diagonal steps follow masks. Generates its turn
    /// points and goes on past them.
    #[inline(never)]
    pub(super) fn scan_masked<const H: u8, const V: u8>(
        &mut self,
        cursor: SheetCursor<'_>,
        n_before: u32,
        (scans_first, goal): (bool, Option<NodeId>),
    ) -> DiagonalSegment {
        let Some(masks) = cursor.sheet.diagonal_masks() else {
            return DiagonalSegment::default();
        };
        if goal.is_some() {
            let how = (scans_first, goal);
            return self.scan_masked_lane_by_lane::<H, V>(cursor, masks, n_before, how);
        }
        let SheetCursor { ref sheet, x, y } = cursor;
        let direction = Direction::from_index(diagonal_direction(H, V));
        let cells = DiagonalCells::new::<H, V>(sheet, masks, (x, y));
        let n_open = crossing_order::<V>(cells.steps, y).trailing_ones();
        let n_steps = n_open.min(x.abs_diff(edge(H))).min(y.abs_diff(edge(V)));
        let n_lanes = n_steps + u32::from(scans_first);
        let mut segment = DiagonalSegment {
            n_steps,
            leads_out: n_open > n_steps,
            ..DiagonalSegment::default()
        };
        if n_lanes > 0 {
            let last = cursor.moved(direction, n_steps);
            let scans = |origins: DiagonalOrigins| MaskedScans {
                masks,
                ahead: origins.ahead(),
            };
            let how = (n_before, scans);
            segment.rows = self.scan_lanes::<H, V, _>(sheet, (y, x), (last.y, n_lanes), how);
            segment.columns = self.scan_lanes::<V, H, _>(sheet, (x, y), (last.x, n_lanes), how);
            let scanned = ((1 << n_lanes) - 1) << (n_steps + 1 - n_lanes);
            let turns = crossing_order::<V>(cells.turns, y) & scanned;
            self.reach_turns(cursor, masks, (direction, n_before), turns);
        }
        segment
    }

    /// As [`Self::scan_masked`], cell by cell, in the sheet of the goal.
    #[cold]
    #[inline(never)]
    fn scan_masked_lane_by_lane<const H: u8, const V: u8>(
        &mut self,
        cursor: SheetCursor<'_>,
        masks: &DiagonalMasks,
        n_before: u32,
        (mut scans_first, goal): (bool, Option<NodeId>),
    ) -> DiagonalSegment {
        let direction = Direction::from_index(diagonal_direction(H, V));
        let mut segment = DiagonalSegment::default();
        // Bit n is the n-th cell.
        let mut turns = 0;
        loop {
            let at = cursor.moved(direction, segment.n_steps);
            if scans_first {
                segment.ends_at_goal = Some(at.node()) == goal;
                if segment.ends_at_goal {
                    segment.leads_out = false; // Nothing beyond is of use.
                    break;
                }
                let is_turn = is_turn(&at, masks, direction);
                turns |= u32::from(is_turn) << segment.n_steps;
                let n_steps = n_before + segment.n_steps + 1;
                let rows = Lanes::masked::<H>(&at.sheet, masks, at.y);
                let columns = Lanes::masked::<V>(&at.sheet, masks, at.x);
                segment
                    .rows
                    .add(self.scan_lane::<H>(rows, &at, n_steps, goal));
                segment
                    .columns
                    .add(self.scan_lane::<V>(columns, &at, n_steps, goal));
            }
            scans_first = true;
            let (x, y) = (at.x.cast_signed(), at.y.cast_signed());
            segment.leads_out = masks.has_step((x, y), direction);
            if !segment.leads_out || at.x == edge(H) || at.y == edge(V) {
                break;
            }
            segment.n_steps += 1;
        }
        self.reach_turns(cursor, masks, (direction, n_before), turns);
        segment
    }

    /// Generates the turn points of a diagonal in one sheet, after `n_before` steps.
    #[inline]
    fn reach_turns(
        &mut self,
        cursor: SheetCursor<'_>,
        masks: &DiagonalMasks,
        (direction, n_before): (Direction, u32),
        mut turns: u32,
    ) {
        while turns != 0 {
            let n_steps = turns.trailing_zeros();
            turns &= turns - 1;
            let at = cursor.moved(direction, n_steps);
            let head = self.head(at, direction, n_before + n_steps);
            self.visitor.reach(GeneratedNode {
                node: at.node(),
                x: head.x,
                y: head.y,
                g: head.g,
                directions: turn_directions(&at, masks),
                arrival: TURN,
                is_step: false,
            });
        }
    }
}

/// The stops of the scans in the lanes `chosen` that enter a sheet with masks.
#[inline(never)]
pub(super) fn masked_stops<const DIR: u8>(
    sheet: &SheetBits<'_>,
    mut chosen: u32,
    goal: Option<NodeId>,
) -> ScanStops {
    let mut stops = ScanStops {
        jump_points: 0,
        leaving: 0,
    };
    let Some(masks) = sheet.diagonal_masks() else {
        return stops;
    };
    if goal.is_none() {
        let ahead = &ALL_CELLS;
        return ScanStops::new::<DIR>(lanes_of(sheet, DIR), MaskedScans { masks, ahead });
    }
    while chosen != 0 {
        let across = chosen.trailing_zeros();
        chosen &= chosen - 1;
        let goal = goal.map_or(0, |goal| goal_bit::<DIR>(sheet, across, goal));
        let lanes = Lanes::masked::<DIR>(sheet, masks, across);
        let ending = lanes.ending::<DIR>(outside::<DIR>(), goal);
        stops.jump_points |= u32::from(ending.is_jump_point) << across;
        stops.leaving |= u32::from(ending.leaves_sheet()) << across;
    }
    stops
}

/// True if a diagonal in `direction` has a turn point at `cursor`.
#[inline]
fn is_turn(cursor: &SheetCursor<'_>, masks: &DiagonalMasks, direction: Direction) -> bool {
    let (dx, dy) = direction.offset();
    let (x, y) = (cursor.x.cast_signed(), cursor.y.cast_signed());
    // Both neighbors behind are open most of the time.
    let is_blocked = |x: i32, y: i32| !cursor.sheet.is_walkable(x, y);
    let has = |turn: u8| masks.has_step((x, y), direction.turned(turn));
    let (to_row, to_column) = if dx == dy { (6, 2) } else { (2, 6) };
    is_blocked(x, y - dy) && has(to_row) || is_blocked(x - dx, y) && has(to_column)
}

/// The directions to scan from a turn point: the diagonal steps that pass a corner. They include
/// those of every diagonal that may turn there.
fn turn_directions(cursor: &SheetCursor<'_>, masks: &DiagonalMasks) -> u8 {
    let (x, y) = (cursor.x.cast_signed(), cursor.y.cast_signed());
    let passes_corner = |index: u8| {
        let direction = Direction::from_index(index);
        let (dx, dy) = direction.offset();
        let is_walkable = |x: i32, y: i32| cursor.sheet.is_walkable(x, y);
        masks.has_step((x, y), direction) && !(is_walkable(x + dx, y) && is_walkable(x, y + dy))
    };
    let chosen = DIAGONALS.into_iter().filter(|index| passes_corner(*index));
    chosen.fold(0, |directions, index| directions | 1 << index)
}

/// Steps of a diagonal from `cursor` up to the border column and row of its sheet.
#[inline(never)]
pub(super) fn masked_steps(
    cursor: &SheetCursor<'_>,
    direction: Direction,
    (last_x, last_y): (u32, u32),
) -> u32 {
    let Some(masks) = cursor.sheet.diagonal_masks() else {
        return 0;
    };
    let mut n_steps = 0;
    loop {
        let at = cursor.moved(direction, n_steps);
        let (x, y) = (at.x.cast_signed(), at.y.cast_signed());
        if at.x == last_x || at.y == last_y || !masks.has_step((x, y), direction) {
            return n_steps;
        }
        n_steps += 1;
    }
}

#[cfg(test)]
mod tests;
