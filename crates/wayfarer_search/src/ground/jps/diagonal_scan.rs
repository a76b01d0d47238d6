//! Diagonal scan over uniform ground: from every cell of the diagonal, a straight scan along the
//! row and one along the column \[Harabor2011\].
//!
//! Works sheet by sheet \[Harabor2014\]: one pass finds the length of the diagonal in the sheet,
//! two more the stops of all its straight scans there. Scans that leave the sheet are continued
//! together, because they cross the same sheets.

use std::convert::identity;

use wayfarer_base::Direction;
use wayfarer_world::ground::{NodeId, SheetBits};

use super::expand::{DIAGONAL, Expansion, GeneratedNode, JumpVisitor, STRAIGHT};
use super::masked_scan::{masked_steps, masked_stops};
use super::scan_stops::{
    DiagonalOrigins, EnteringScans, ScanOrigins, ScanStops, SheetLanes, furthest, steps_on_diagonal,
};
use super::straight_scan::{
    ALL_DIRECTIONS, EAST, Lanes, NORTH, SOUTH, SheetCursor, WEST, advance, goal_bit, is_along_row,
    is_upwards, node_at, outside,
};

/// The diagonal between a direction along the row and one along the column.
pub(super) const fn diagonal_direction(along_row: u8, along_column: u8) -> u8 {
    match (along_row, along_column) {
        (EAST, NORTH) => 1,
        (EAST, _) => 3,
        (_, SOUTH) => 5,
        _ => 7,
    }
}

/// The lanes along which scans in `direction` lead.
#[inline(always)]
pub(super) fn lanes_of<'g>(sheet: &SheetBits<'g>, direction: u8) -> &'g SheetLanes {
    if is_along_row(direction) {
        sheet.row_lanes()
    } else {
        sheet.column_lanes()
    }
}

/// The current cell of a diagonal.
#[derive(Clone, Copy)]
pub(super) struct Head<'g> {
    cursor: SheetCursor<'g>,
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) g: u64,
    /// Diagonal steps from the origin.
    n_steps: u32,
}

/// The part of a diagonal in one sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct DiagonalSegment {
    /// Steps within the sheet.
    pub(super) n_steps: u32,
    /// True if one more step leads out of the sheet.
    pub(super) leads_out: bool,
    /// True if it ends on the goal.
    pub(super) ends_at_goal: bool,
    /// The scans along the rows that it crosses.
    pub(super) rows: DiagonalScan,
    /// The scans along the columns.
    pub(super) columns: DiagonalScan,
}

/// The straight scans of one direction that a diagonal starts in a sheet: bit n is row (or
/// column) n.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct DiagonalScan {
    /// Those that find a jump point within the sheet.
    jump_points: u32,
    /// Those that leave the sheet.
    leaving: u32,
}

impl<F: JumpVisitor> Expansion<'_, F> {
    /// The cell after `n_steps` of the diagonal in `direction`.
    #[inline]
    pub(super) fn head<'g>(
        &self,
        cursor: SheetCursor<'g>,
        direction: Direction,
        n_steps: u32,
    ) -> Head<'g> {
        let (dx, dy) = direction.offset();
        Head {
            cursor,
            x: self.x + dx * n_steps.cast_signed(),
            y: self.y + dy * n_steps.cast_signed(),
            g: self.g + DIAGONAL * u64::from(n_steps),
            n_steps,
        }
    }

    /// Scans the diagonal between `H` and `V`; returns its length in steps.
    #[inline(never)]
    // State is passed by value and never borrowed, so that it can stay in registers.
    pub(super) fn scan_diagonal<const H: u8, const V: u8>(
        &mut self,
        cursor: SheetCursor<'_>,
    ) -> u32 {
        let direction = Direction::from_index(diagonal_direction(H, V));
        let (dx, dy) = direction.offset();
        let goal = self.visitor.goal().map(|goal| goal.node);
        let SheetCursor {
            mut sheet,
            mut x,
            mut y,
        } = cursor;
        let mut n_steps = 0;
        // The straight scans of the first cell belong to the expansion, not to the diagonal.
        let mut scans_first = false;
        loop {
            let goal = goal.filter(|goal| goal.shares_sheet(sheet.node(0, 0)));
            let cursor = SheetCursor { sheet, x, y };
            let segment = if F::MAY_HAVE_MASKS && sheet.has_diagonal_masks() {
                self.scan_masked::<H, V>(cursor, n_steps, (scans_first, goal))
            } else if goal.is_none() {
                self.scan_segment::<H, V>(cursor, n_steps, scans_first)
            } else {
                self.scan_lane_by_lane::<H, V>(cursor, n_steps, scans_first, goal)
            };
            if segment.rows.jump_points | segment.columns.jump_points != 0 {
                let rows = crossing_order::<V>(segment.rows.jump_points, y);
                let columns = crossing_order::<H>(segment.columns.jump_points, x);
                let mut both = rows | columns;
                while both != 0 {
                    let n = both.trailing_zeros();
                    both &= both - 1;
                    let cursor = SheetCursor { sheet, x, y }.moved(direction, n);
                    if rows >> n & 1 == 1 {
                        self.reach_in_sheet::<H>(self.head(cursor, direction, n_steps + n));
                    }
                    if columns >> n & 1 == 1 {
                        self.reach_in_sheet::<V>(self.head(cursor, direction, n_steps + n));
                    }
                }
            }
            SheetCursor { x, y, .. } =
                SheetCursor { sheet, x, y }.moved(direction, segment.n_steps);
            n_steps += segment.n_steps;
            if segment.ends_at_goal {
                self.reach_head(self.head(SheetCursor { sheet, x, y }, direction, n_steps));
            }
            if segment.rows.leaving != 0 {
                let head = self.head(SheetCursor { sheet, x, y }, direction, n_steps);
                self.continue_scans::<H>(head, direction, segment.rows.leaving);
            }
            if segment.columns.leaving != 0 {
                let head = self.head(SheetCursor { sheet, x, y }, direction, n_steps);
                self.continue_scans::<V>(head, direction, segment.columns.leaving);
            }
            if !segment.leads_out {
                // The blocked cell was read, too.
                self.visitor.on_scanned(H, n_steps + 1);
                self.visitor.on_scanned(V, n_steps + 1);
                return n_steps;
            }
            let exit = match (x == edge(H), y == edge(V)) {
                (true, true) => direction,
                (true, false) => Direction::from_index(H),
                _ => Direction::from_index(V),
            };
            let Some(next) = sheet.neighbor(exit) else {
                return n_steps;
            };
            let continues = sheet.continues_in(&next);
            sheet = next;
            x = x.wrapping_add_signed(dx) & 15;
            y = y.wrapping_add_signed(dy) & 15;
            n_steps += 1;
            let head = self.head(SheetCursor { sheet, x, y }, direction, n_steps);
            if !continues {
                self.visitor.on_scanned(H, n_steps);
                self.visitor.on_scanned(V, n_steps);
                self.reach_head(head);
                return n_steps - 1;
            }
            if self.visitor.is_prunable(head.x, head.y, head.g) {
                return n_steps;
            }
            scans_first = true;
        }
    }

    /// Scans from `cursor` to where the diagonal ends or leaves the sheet, with the straight scans
    /// of every cell; those of the first cell only if `scans_first`.
    #[inline(always)]
    fn scan_segment<const H: u8, const V: u8>(
        &mut self,
        cursor: SheetCursor<'_>,
        n_before: u32,
        scans_first: bool,
    ) -> DiagonalSegment {
        let SheetCursor { ref sheet, x, y } = cursor;
        let n_steps = bit_steps_in_sheet::<H, V>(&cursor);
        let last = cursor.moved(Direction::from_index(diagonal_direction(H, V)), n_steps);
        let mut segment = DiagonalSegment {
            n_steps,
            leads_out: is_bit_corner_open::<H, V>(&last),
            ..DiagonalSegment::default()
        };
        let n_lanes = n_steps + u32::from(scans_first);
        if n_lanes > 0 {
            let how = (n_before, identity);
            segment.rows = self.scan_lanes::<H, V, _>(sheet, (y, x), (last.y, n_lanes), how);
            segment.columns = self.scan_lanes::<V, H, _>(sheet, (x, y), (last.x, n_lanes), how);
        }
        segment
    }

    /// Scans `n_lanes` rows (or columns) of `sheet` up to row `last` in direction `DIR`, from where
    /// a diagonal between `DIR` and `ACROSS` crosses them: row `lane` at cell `along`, after
    /// `n_before` steps. `scans` are those from the origins on the diagonal.
    #[inline(always)]
    pub(super) fn scan_lanes<const DIR: u8, const ACROSS: u8, S: ScanOrigins>(
        &mut self,
        sheet: &SheetBits<'_>,
        (lane, along): (u32, u32),
        (last, n_lanes): (u32, u32),
        (n_before, scans): (u32, impl FnOnce(DiagonalOrigins) -> S),
    ) -> DiagonalScan {
        let lanes = lanes_of(sheet, DIR);
        let origins = if is_upwards(DIR) == is_upwards(ACROSS) {
            DiagonalOrigins::on_diagonal::<DIR, true>(lane, along)
        } else {
            DiagonalOrigins::on_diagonal::<DIR, false>(lane, along)
        };
        let origins = scans(origins);
        let first = if is_upwards(ACROSS) {
            last + 1 - n_lanes
        } else {
            last
        };
        let crossed = ((1 << n_lanes) - 1) << first;
        let stops = ScanStops::new::<DIR>(lanes, origins);
        if F::MEASURES_REACH {
            let away = furthest::<DIR>(lanes, origins, crossed).abs_diff(along.cast_signed());
            self.visitor.on_scanned(DIR, n_before + away);
        }
        DiagonalScan {
            jump_points: stops.jump_points & crossed,
            leaving: stops.leaving & crossed & sheet.exits(Direction::from_index(DIR)),
        }
    }

    /// As [`Self::scan_segment`], lane by lane, in the sheet of the goal.
    #[cold]
    #[inline(never)]
    fn scan_lane_by_lane<const H: u8, const V: u8>(
        &mut self,
        cursor: SheetCursor<'_>,
        n_before: u32,
        mut scans_first: bool,
        goal: Option<NodeId>,
    ) -> DiagonalSegment {
        let direction = Direction::from_index(diagonal_direction(H, V));
        let mut segment = DiagonalSegment::default();
        loop {
            let at = cursor.moved(direction, segment.n_steps);
            if scans_first {
                segment.ends_at_goal = Some(at.node()) == goal;
                if segment.ends_at_goal {
                    segment.leads_out = false; // Nothing beyond is of use.
                    break;
                }
                let n_steps = n_before + segment.n_steps + 1;
                let rows = Lanes::new::<H>(&at.sheet, at.y, None);
                let columns = Lanes::new::<V>(&at.sheet, at.x, None);
                segment
                    .rows
                    .add(self.scan_lane::<H>(rows, &at, n_steps, goal));
                segment
                    .columns
                    .add(self.scan_lane::<V>(columns, &at, n_steps, goal));
            }
            scans_first = true;
            segment.leads_out = is_bit_corner_open::<H, V>(&at);
            if !segment.leads_out || at.x == edge(H) || at.y == edge(V) {
                break;
            }
            segment.n_steps += 1;
        }
        segment
    }

    /// One straight scan along `lanes` from `cursor` in its sheet.
    #[inline]
    pub(super) fn scan_lane<const DIR: u8>(
        &mut self,
        lanes: Lanes,
        cursor: &SheetCursor<'_>,
        n_steps: u32,
        goal: Option<NodeId>,
    ) -> DiagonalScan {
        let (own, across) = if is_along_row(DIR) {
            (cursor.x, cursor.y)
        } else {
            (cursor.y, cursor.x)
        };
        let goal = goal.map_or(0, |goal| goal_bit::<DIR>(&cursor.sheet, across, goal));
        let ending = lanes.ending::<DIR>(own, goal);
        let to_edge = if is_upwards(DIR) { 15 - own } else { own };
        let exits = cursor.sheet.exits(Direction::from_index(DIR));
        self.visitor
            .on_scanned(DIR, n_steps + ending.distance::<DIR>().min(to_edge));
        DiagonalScan {
            jump_points: u32::from(ending.is_jump_point) << across,
            leaving: u32::from(ending.leaves_sheet()) << across & exits,
        }
    }

    /// Generates the cell that the diagonal itself has reached.
    fn reach_head(&mut self, head: Head<'_>) {
        self.visitor.reach(GeneratedNode {
            node: head.cursor.node(),
            x: head.x,
            y: head.y,
            g: head.g,
            directions: ALL_DIRECTIONS,
            arrival: ALL_DIRECTIONS,
            is_step: false,
        });
    }

    /// Generates the jump point that the straight scan from `head` finds in its sheet.
    #[inline(never)]
    fn reach_in_sheet<const DIR: u8>(&mut self, head: Head<'_>) {
        let (own, across) = if is_along_row(DIR) {
            (head.cursor.x, head.cursor.y)
        } else {
            (head.cursor.y, head.cursor.x)
        };
        let sheet = &head.cursor.sheet;
        let goal = self.visitor.goal();
        let goal = goal.map_or(0, |goal| goal_bit::<DIR>(sheet, across, goal.node));
        let lanes = Lanes::in_sheet::<DIR>(sheet, across, None, F::MAY_HAVE_MASKS);
        let length = lanes.ending::<DIR>(own, goal).distance::<DIR>() + 1;
        let stop = advance::<DIR>(own, length);
        let directions = lanes.directions::<DIR>(stop);
        self.reach_from::<DIR>(&head, length, sheet, stop, directions);
    }

    /// Generates the jump point in `next` of the scan in row (or column) `across` of the diagonal
    /// that reached `head` in `direction`. The scan enters `next` from `sheet`, `beyond` cells past
    /// the border of the sheet of `head`.
    #[inline(never)]
    fn reach_beyond<const DIR: u8>(
        &mut self,
        (head, direction): (&Head<'_>, Direction),
        across: u32,
        (sheet, next): (SheetBits<'_>, SheetBits<'_>),
        beyond: u32,
    ) {
        let goal = self.visitor.goal();
        let goal = goal.map_or(0, |goal| goal_bit::<DIR>(&next, across, goal.node));
        let lanes = Lanes::in_sheet::<DIR>(&next, across, Some(&sheet), F::MAY_HAVE_MASKS);
        let distance = lanes
            .ending::<DIR>(outside::<DIR>(), goal)
            .distance::<DIR>();
        let stop = advance::<DIR>(outside::<DIR>(), distance + 1);
        let directions = lanes.directions::<DIR>(stop);
        let (origin, to_edge) = origin_of::<DIR>(head, direction, across);
        let length = to_edge + beyond + distance + 1;
        self.reach_from::<DIR>(&origin, length, &next, stop, directions);
    }

    /// Generates a node at `along` in its row of `sheet`, `length` cells straight from `head`.
    #[inline]
    fn reach_from<const DIR: u8>(
        &mut self,
        head: &Head<'_>,
        length: u32,
        sheet: &SheetBits<'_>,
        along: u32,
        directions: u8,
    ) {
        let (dx, dy) = Direction::from_index(DIR).offset();
        let across = if is_along_row(DIR) {
            head.cursor.y
        } else {
            head.cursor.x
        };
        self.visitor.reach(GeneratedNode {
            node: node_at::<DIR>(sheet, across, along),
            x: head.x + dx * length.cast_signed(),
            y: head.y + dy * length.cast_signed(),
            g: head.g + STRAIGHT * u64::from(length),
            directions,
            arrival: DIR,
            is_step: false,
        });
    }

    /// Continues the scans in the rows (or columns) `leaving` past the border of the sheet of
    /// `head`. They start where the diagonal that reached `head` in `direction` crossed them.
    #[inline(never)]
    fn continue_scans<const DIR: u8>(
        &mut self,
        head: Head<'_>,
        direction: Direction,
        mut leaving: u32,
    ) {
        let first: u32 = if is_upwards(DIR) { 0 } else { 15 };
        let goal = self.visitor.goal().map(|goal| goal.node);
        let mut sheet = head.cursor.sheet;
        let mut beyond = 0;
        let max_cells = if F::HAS_FENCE {
            self.visitor.distance_to_fence(DIR, head.x, head.y)
        } else {
            u32::MAX
        };
        loop {
            if F::HAS_FENCE && beyond > max_cells {
                self.visitor.on_fence_hit();
                return;
            }
            let Some(next) = sheet.neighbor(Direction::from_index(DIR)) else {
                self.report_scanned::<DIR>(&head, beyond + 1);
                return;
            };
            if !sheet.continues_in(&next) {
                self.report_scanned::<DIR>(&head, beyond + 1);
                leaving &= sheet.exits(Direction::from_index(DIR));
                while leaving != 0 {
                    let across = leaving.trailing_zeros();
                    leaving &= leaving - 1;
                    let (origin, to_edge) = origin_of::<DIR>(&head, direction, across);
                    let length = to_edge + beyond + 1;
                    self.reach_from::<DIR>(&origin, length, &next, first, ALL_DIRECTIONS);
                }
                return;
            }
            let lanes = lanes_of(&next, DIR);
            let origins = EnteringScans(lanes_of(&sheet, DIR));
            let goal = goal.filter(|goal| goal.shares_sheet(next.node(0, 0)));
            let stops = if F::MAY_HAVE_MASKS && next.has_diagonal_masks() {
                masked_stops::<DIR>(&next, leaving, goal)
            } else if goal.is_some() {
                stops_lane_by_lane::<DIR>(next, sheet, goal)
            } else {
                ScanStops::new::<DIR>(lanes, origins)
            };
            let mut jump_points = stops.jump_points & leaving;
            while jump_points != 0 {
                let across = jump_points.trailing_zeros();
                jump_points &= jump_points - 1;
                self.reach_beyond::<DIR>((&head, direction), across, (sheet, next), beyond);
            }
            if stops.leaving & leaving == 0 {
                if F::MEASURES_REACH {
                    // With masks, scans may stop later than the cells say.
                    let away = if next.has_diagonal_masks() {
                        16
                    } else {
                        furthest::<DIR>(lanes, origins, leaving).abs_diff(first.cast_signed())
                    };
                    self.report_scanned::<DIR>(&head, beyond + away + 1);
                }
                return;
            }
            leaving &= stops.leaving;
            beyond += 16;
            sheet = next;
        }
    }
}

impl<F: JumpVisitor> Expansion<'_, F> {
    /// Scans went `n_cells` past the border of the sheet of `head`.
    #[inline]
    fn report_scanned<const DIR: u8>(&mut self, head: &Head<'_>, n_cells: u32) {
        let own = if is_along_row(DIR) {
            head.cursor.x
        } else {
            head.cursor.y
        };
        let to_edge = if is_upwards(DIR) { 15 - own } else { own };
        self.visitor
            .on_scanned(DIR, head.n_steps + to_edge + n_cells);
    }
}

/// Diagonal steps from a cell over uniform ground of one height, at most `max_steps`. Quadrants
/// are north-east, south-east, south-west and north-west.
pub(in crate::ground) fn n_diagonal_steps(
    sheet: SheetBits<'_>,
    node: NodeId,
    quadrant: usize,
    max_steps: u32,
) -> u32 {
    let cursor = SheetCursor {
        sheet,
        x: node.x_in_sector(),
        y: node.y_in_sector(),
    };
    match quadrant {
        0 => n_steps_in_quadrant::<EAST, NORTH>(cursor, max_steps),
        1 => n_steps_in_quadrant::<EAST, SOUTH>(cursor, max_steps),
        2 => n_steps_in_quadrant::<WEST, SOUTH>(cursor, max_steps),
        _ => n_steps_in_quadrant::<WEST, NORTH>(cursor, max_steps),
    }
}

/// As [`n_diagonal_steps`], for the diagonal between `H` and `V`.
fn n_steps_in_quadrant<const H: u8, const V: u8>(
    mut cursor: SheetCursor<'_>,
    max_steps: u32,
) -> u32 {
    let direction = Direction::from_index(diagonal_direction(H, V));
    let mut n_steps = 0;
    loop {
        let n_here = steps_in_sheet::<H, V>(&cursor);
        cursor = cursor.moved(direction, n_here);
        n_steps += n_here;
        if n_steps >= max_steps || !is_corner_open::<H, V>(&cursor) {
            return n_steps.min(max_steps);
        }
        let exit = match (cursor.x == edge(H), cursor.y == edge(V)) {
            (true, true) => direction,
            (true, false) => Direction::from_index(H),
            _ => Direction::from_index(V),
        };
        let next = cursor.sheet.neighbor(exit);
        let Some(next) = next.filter(|next| cursor.sheet.continues_in(next)) else {
            return n_steps;
        };
        let (dx, dy) = direction.offset();
        cursor = SheetCursor {
            sheet: next,
            x: cursor.x.wrapping_add_signed(dx) & 15,
            y: cursor.y.wrapping_add_signed(dy) & 15,
        };
        n_steps += 1;
    }
}

/// Steps of the diagonal between `H` and `V` from `cursor` within its sheet.
#[inline(always)]
fn steps_in_sheet<const H: u8, const V: u8>(cursor: &SheetCursor<'_>) -> u32 {
    if cursor.sheet.has_diagonal_masks() {
        let direction = Direction::from_index(diagonal_direction(H, V));
        return masked_steps(cursor, direction, (edge(H), edge(V)));
    }
    bit_steps_in_sheet::<H, V>(cursor)
}

/// As [`steps_in_sheet`], without masks.
#[inline(always)]
fn bit_steps_in_sheet<const H: u8, const V: u8>(cursor: &SheetCursor<'_>) -> u32 {
    let SheetCursor { ref sheet, x, y } = *cursor;
    let rows = sheet.row_lanes();
    match (H == EAST, V == SOUTH) {
        (true, true) => steps_on_diagonal::<true, true>(rows, x, y),
        (true, false) => steps_on_diagonal::<true, false>(rows, x, y),
        (false, true) => steps_on_diagonal::<false, true>(rows, x, y),
        (false, false) => steps_on_diagonal::<false, false>(rows, x, y),
    }
}

/// The border row (or column) of a sheet in a straight direction.
pub(super) const fn edge(direction: u8) -> u32 {
    if is_upwards(direction) { 15 } else { 0 }
}

/// True if the diagonal step between `H` and `V` is legal: both cells beside it and its end are
/// walkable, or a mask shows it.
#[inline(always)]
fn is_corner_open<const H: u8, const V: u8>(cursor: &SheetCursor<'_>) -> bool {
    if cursor.sheet.has_diagonal_masks() {
        let direction = Direction::from_index(diagonal_direction(H, V));
        let at = (cursor.x.cast_signed(), cursor.y.cast_signed());
        let masks = cursor.sheet.diagonal_masks();
        return masks.is_some_and(|masks| masks.has_step(at, direction));
    }
    is_bit_corner_open::<H, V>(cursor)
}

/// As [`is_corner_open`], without masks.
#[inline(always)]
fn is_bit_corner_open<const H: u8, const V: u8>(cursor: &SheetCursor<'_>) -> bool {
    let y = cursor.y.cast_signed();
    let own = cursor.sheet.whole_row(y);
    let next = cursor
        .sheet
        .whole_row(if V == SOUTH { y + 1 } else { y - 1 });
    let ahead = |row: u32| if H == EAST { row >> 1 } else { row << 1 };
    (next & ahead(next & own)) >> (cursor.x + 1) & 1 == 1
}

/// Reorders `lanes`, where bit n is lane n: bit n becomes the n-th lane that a diagonal crosses
/// from lane `first` on, up or down with `ACROSS`.
#[inline(always)]
pub(super) const fn crossing_order<const ACROSS: u8>(lanes: u32, first: u32) -> u32 {
    if is_upwards(ACROSS) {
        lanes >> first
    } else {
        (lanes << (31 - first)).reverse_bits()
    }
}

/// The stops of scans that enter a sheet from `previous`, lane by lane.
#[cold]
#[inline(never)]
fn stops_lane_by_lane<const DIR: u8>(
    sheet: SheetBits<'_>,
    previous: SheetBits<'_>,
    goal: Option<NodeId>,
) -> ScanStops {
    let mut stops = ScanStops {
        jump_points: 0,
        leaving: 0,
    };
    for across in 0..16 {
        let goal = goal.map_or(0, |goal| goal_bit::<DIR>(&sheet, across, goal));
        let lanes = Lanes::new::<DIR>(&sheet, across, Some(&previous));
        let ending = lanes.ending::<DIR>(outside::<DIR>(), goal);
        stops.jump_points |= u32::from(ending.is_jump_point) << across;
        stops.leaving |= u32::from(ending.leaves_sheet()) << across;
    }
    stops
}

impl DiagonalScan {
    /// Adds scans of more lanes.
    pub(super) fn add(&mut self, more: Self) {
        self.jump_points |= more.jump_points;
        self.leaving |= more.leaving;
    }
}

/// Where the diagonal that reached `head` in `direction` crossed row (or column) `across` of its
/// sheet, and the cells from there to the border of the sheet in direction `DIR`.
#[inline]
fn origin_of<'g, const DIR: u8>(
    head: &Head<'g>,
    direction: Direction,
    across: u32,
) -> (Head<'g>, u32) {
    let (dx, dy) = direction.offset();
    let back = if is_along_row(DIR) {
        head.cursor.y.abs_diff(across)
    } else {
        head.cursor.x.abs_diff(across)
    };
    let n_cells = back.cast_signed();
    let mut origin = *head;
    origin.cursor.x = head.cursor.x.wrapping_add_signed(-dx * n_cells);
    origin.cursor.y = head.cursor.y.wrapping_add_signed(-dy * n_cells);
    origin.x -= dx * n_cells;
    origin.y -= dy * n_cells;
    origin.g -= DIAGONAL * u64::from(back);
    let own = if is_along_row(DIR) {
        origin.cursor.x
    } else {
        origin.cursor.y
    };
    let to_edge = if is_upwards(DIR) { 15 - own } else { own };
    (origin, to_edge)
}
