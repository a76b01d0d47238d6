//! Diagonals where steps follow masks: the body passes corners that the cells beside the step do not
//! fit at.
//!
//! A diagonal in direction (dx, dy) has a *turn point* at x if the step (dx, -dy) is legal and the
//! cell (0, -dy) beside x is blocked, or likewise with x and y exchanged: the cell before x reaches
//! the end of that step neither straight nor otherwise as cheaply. The diagonal goes on past turn
//! points, so only the steps around corners remain to be scanned from them.

use wayfarer_base::Direction;
use wayfarer_world::ground::{DiagonalMasks, NodeId, SheetBits};

use super::diagonal_scan::{DiagonalSegment, diagonal_direction, edge};
use super::expand::{Expansion, GeneratedNode, JumpVisitor, TURN};
use super::scan_stops::ScanStops;
use super::straight_scan::{Lanes, SheetCursor, goal_bit, outside};

/// The diagonals, as indices of directions.
const DIAGONALS: [u8; 4] = [1, 3, 5, 7];

impl<F: JumpVisitor> Expansion<'_, F> {
    /// As [`Self::scan_diagonal`] in one sheet, cell by cell, where diagonal steps follow masks.
    /// Generates its turn points and goes on past them.
    #[inline(never)]
    pub(super) fn scan_masked<const H: u8, const V: u8>(
        &mut self,
        cursor: SheetCursor<'_>,
        n_before: u32,
        (mut scans_first, goal): (bool, Option<NodeId>),
    ) -> DiagonalSegment {
        let direction = Direction::from_index(diagonal_direction(H, V));
        let mut segment = DiagonalSegment::default();
        let Some(masks) = cursor.sheet.diagonal_masks() else {
            return segment;
        };
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
