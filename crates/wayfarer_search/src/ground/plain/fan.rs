//! Walking diagonally over plain ground, with a ray along the row and one along the column from
//! every cell.
//!
//! What lies in the cell's own sheet is seen at once. Rays that reach the edge of the sheet are
//! gathered, and followed together when the diagonal leaves the sheet: they all lead over the
//! same sheets, and over a sheet with nothing closed in or around it they pass as one.

use wayfarer_base::Direction;
use wayfarer_world::ground::SheetBits;

use super::expand::{Arrival, DIAGONAL, Expansion, Finder, STRAIGHT};
use super::ray::{
    EAST, EVERYWHERE, Ending, Lanes, NORTH, SOUTH, Spot, ahead_of, goal_bit, is_along_row,
    is_upwards, node_at, outside, seam,
};

/// Which diagonal two straight directions make, along the row and along the column.
const fn diagonal_of(along_row: u8, along_column: u8) -> u8 {
    match (along_row, along_column) {
        (EAST, NORTH) => 1,
        (EAST, _) => 3,
        (_, SOUTH) => 5,
        _ => 7,
    }
}

/// The bits of three rows, moved so that the cell's western neighbour comes first, that must be
/// set for a step in the diagonal made of `H` and `V`: both cardinals and the corner itself.
const fn corner<const H: u8, const V: u8>() -> u64 {
    let lane = if V == NORTH { 0 } else { 36 };
    let ahead = if H == EAST { 2 } else { 0 };
    1 << (18 + ahead) | 1 << (lane + 1) | 1 << (lane + ahead)
}

/// Where a diagonal is.
#[derive(Clone, Copy)]
struct Head<'g> {
    spot: Spot<'g>,
    x: i32,
    y: i32,
    cost: u64,
    /// Diagonal steps since it began.
    n_steps: u32,
}

impl<F: Finder> Expansion<'_, F> {
    /// Where the diagonal in direction `to` is after `n_steps`.
    #[inline]
    fn head<'g>(&self, spot: Spot<'g>, to: Direction, n_steps: u32) -> Head<'g> {
        let (dx, dy) = to.offset();
        Head {
            spot,
            x: self.x + dx * n_steps.cast_signed(),
            y: self.y + dy * n_steps.cast_signed(),
            cost: self.cost + DIAGONAL * u64::from(n_steps),
            n_steps,
        }
    }

    /// Walks in the diagonal made of `H` and `V` as far as it goes; gives the steps taken.
    #[inline(never)]
    pub(super) fn diagonal<const H: u8, const V: u8>(&mut self, mut spot: Spot<'_>) -> u32 {
        let to = Direction::from_index(diagonal_of(H, V));
        let (dx, dy) = to.offset();
        let goal = self.finder.goal();
        // After how many steps the goal lies in the row or in the column.
        let steps_to = |goal: i32, from: i32, by: i32| {
            let n_cells = goal.wrapping_sub(from).wrapping_mul(by);
            n_cells.cast_unsigned()
        };
        let goal_x = goal.map(|goal| steps_to(goal.x, self.x, dx));
        let goal_y = goal.map(|goal| steps_to(goal.y, self.y, dy));
        // Rows and columns of the sheet whose rays lead beyond its edge.
        let (mut far_rows, mut far_columns) = (0_u32, 0_u32);
        let mut n_steps = 0;
        let mut rows = spot.sheet.rows(spot.y);
        loop {
            let goes_on = rows >> spot.x & corner::<H, V>() == corner::<H, V>();
            let over_x = spot.x == if H == EAST { 15 } else { 0 };
            let over_y = spot.y == if V == SOUTH { 15 } else { 0 };
            let mut continues = true;
            if !goes_on || over_x || over_y {
                let head = self.head(spot, to, n_steps);
                self.follow::<H>(&head, to, far_rows);
                self.follow::<V>(&head, to, far_columns);
                if !goes_on {
                    // The cell that it did not come to was looked at, too.
                    self.finder.looked(H, n_steps + 1);
                    self.finder.looked(V, n_steps + 1);
                    return n_steps;
                }
                (far_rows, far_columns) = (0, 0);
                let over = match (over_x, over_y) {
                    (true, true) => to,
                    (true, false) => Direction::from_index(H),
                    _ => Direction::from_index(V),
                };
                let Some(next) = spot.sheet.next(over) else {
                    return n_steps;
                };
                continues = spot.sheet.continues_in(&next);
                spot.sheet = next;
            }
            spot.x = spot.x.wrapping_add_signed(dx) & 15;
            spot.y = spot.y.wrapping_add_signed(dy) & 15;
            n_steps += 1;
            if !continues {
                self.finder.looked(H, n_steps);
                self.finder.looked(V, n_steps);
                self.come_to(&self.head(spot, to, n_steps));
                return n_steps - 1;
            }
            let (mut goal_in_row, mut goal_in_column) = (0, 0);
            if let Some(goal) = goal
                && (Some(n_steps) == goal_x || Some(n_steps) == goal_y)
            {
                if spot.node() == goal.node {
                    self.come_to(&self.head(spot, to, n_steps));
                    rows = 0; // As if closed: nothing beyond is of use.
                    continue;
                }
                goal_in_row = goal_bit::<H>(&spot.sheet, spot.y, goal.node);
                goal_in_column = goal_bit::<V>(&spot.sheet, spot.x, goal.node);
            }
            let head = self.head(spot, to, n_steps);
            if self.finder.is_hopeless(head.x, head.y, head.cost) {
                rows = 0;
                continue;
            }
            rows = spot.sheet.rows(spot.y);
            let lanes = Lanes::of_rows::<H>(rows);
            let ending = lanes.ending::<H>(spot.x, goal_in_row);
            if ending.is_place {
                self.found_near::<H>(&head, lanes, ending);
            }
            self.finder
                .looked(H, n_steps + ending.up_to_edge::<H>(spot.x) + 1);
            far_rows |= u32::from(ending.leads_on()) << spot.y;
            let lanes = Lanes::of::<V>(&spot.sheet, spot.x, None);
            let ending = lanes.ending::<V>(spot.y, goal_in_column);
            if ending.is_place {
                self.found_near::<V>(&head, lanes, ending);
            }
            self.finder
                .looked(V, n_steps + ending.up_to_edge::<V>(spot.y) + 1);
            far_columns |= u32::from(ending.leads_on()) << spot.x;
        }
    }

    /// The diagonal itself has come to a place.
    fn come_to(&mut self, head: &Head<'_>) {
        self.finder.reach(Arrival {
            node: head.spot.node(),
            x: head.x,
            y: head.y,
            cost: head.cost,
            directions: EVERYWHERE,
            to: EVERYWHERE,
            by_step: false,
        });
    }

    /// A ray from the head came to a place within the sheet.
    #[inline]
    fn found_near<const TO: u8>(&mut self, head: &Head<'_>, lanes: Lanes, ending: Ending) {
        let own = if is_along_row(TO) {
            head.spot.x
        } else {
            head.spot.y
        };
        let length = ending.distance::<TO>() + 1;
        let stop = ahead_of::<TO>(own, length);
        let directions = lanes.directions::<TO>(stop);
        self.found::<TO>(head, length, &head.spot.sheet, stop, directions);
    }

    /// A ray of `length` cells from the head came to a place, at `along` in its row of `sheet`.
    #[inline]
    fn found<const TO: u8>(
        &mut self,
        head: &Head<'_>,
        length: u32,
        sheet: &SheetBits<'_>,
        along: u32,
        directions: u8,
    ) {
        let (dx, dy) = Direction::from_index(TO).offset();
        let across = if is_along_row(TO) {
            head.spot.y
        } else {
            head.spot.x
        };
        self.finder.reach(Arrival {
            node: node_at::<TO>(sheet, across, along),
            x: head.x + dx * length.cast_signed(),
            y: head.y + dy * length.cast_signed(),
            cost: head.cost + STRAIGHT * u64::from(length),
            directions,
            to: TO,
            by_step: false,
        });
    }

    /// Follows the rays in the rows (or columns) of `far` from the edge of the head's sheet on;
    /// they began where the diagonal, which has come to `head` in direction `to`, crossed them.
    // Inlined, so that the head stays in registers.
    #[inline(always)]
    fn follow<const TO: u8>(&mut self, head: &Head<'_>, to: Direction, far: u32) {
        let mut far = far & head.spot.sheet.exits(Direction::from_index(TO));
        if far == 0 {
            return;
        }
        let first = if is_upwards(TO) { 0 } else { 15 };
        let mut sheet = head.spot.sheet;
        let mut beyond = 0;
        loop {
            let Some(next) = sheet.next(Direction::from_index(TO)) else {
                self.looked_over::<TO>(head, beyond + 1);
                return;
            };
            if !sheet.continues_in(&next) {
                self.looked_over::<TO>(head, beyond + 1);
                while far != 0 {
                    let across = far.trailing_zeros();
                    far &= far - 1;
                    let (origin, to_edge) = origin_of::<TO>(head, to, across);
                    let hit = seam::<TO>(&sheet, across, Some(next), to_edge + beyond);
                    if hit.directions != 0 {
                        self.found::<TO>(&origin, hit.length, &next, first, hit.directions);
                    }
                }
                return;
            }
            let goal = self.finder.goal().map(|goal| goal.node);
            let goal = goal.filter(|goal| goal.shares_sheet(next.node(0, 0)));
            let mut farthest = 0;
            if goal.is_some() || !next.is_full() {
                let mut left = far;
                while left != 0 {
                    let across = left.trailing_zeros();
                    left &= left - 1;
                    let lanes = Lanes::of::<TO>(&next, across, Some(&sheet));
                    let goal = goal.map_or(0, |goal| goal_bit::<TO>(&next, across, goal));
                    let ending = lanes.ending::<TO>(outside::<TO>(), goal);
                    far &= !(u32::from(!ending.leads_on()) << across);
                    farthest = farthest.max(ending.up_to_edge::<TO>(outside::<TO>()));
                    if ending.is_place {
                        let distance = ending.distance::<TO>();
                        let stop = ahead_of::<TO>(first, distance);
                        let directions = lanes.directions::<TO>(stop);
                        let (origin, to_edge) = origin_of::<TO>(head, to, across);
                        let length = to_edge + beyond + distance + 1;
                        self.found::<TO>(&origin, length, &next, stop, directions);
                    }
                }
                if far == 0 {
                    self.looked_over::<TO>(head, beyond + farthest + 1);
                    return;
                }
            }
            beyond += 16;
            sheet = next;
        }
    }
}

impl<F: Finder> Expansion<'_, F> {
    /// Rays were followed `n_cells` beyond the edge of the head's sheet.
    #[inline]
    fn looked_over<const TO: u8>(&mut self, head: &Head<'_>, n_cells: u32) {
        let own = if is_along_row(TO) {
            head.spot.x
        } else {
            head.spot.y
        };
        let to_edge = if is_upwards(TO) { 15 - own } else { own };
        self.finder.looked(TO, head.n_steps + to_edge + n_cells);
    }
}

/// Where the diagonal that has come to `head` in direction `to` crossed row (or column) `across`
/// of its sheet, and how many cells lie from there to the sheet's edge in direction `TO`.
#[inline]
fn origin_of<'g, const TO: u8>(head: &Head<'g>, to: Direction, across: u32) -> (Head<'g>, u32) {
    let (dx, dy) = to.offset();
    let back = if is_along_row(TO) {
        head.spot.y.abs_diff(across)
    } else {
        head.spot.x.abs_diff(across)
    };
    let n_cells = back.cast_signed();
    let mut origin = *head;
    origin.spot.x = head.spot.x.wrapping_add_signed(-dx * n_cells);
    origin.spot.y = head.spot.y.wrapping_add_signed(-dy * n_cells);
    origin.x -= dx * n_cells;
    origin.y -= dy * n_cells;
    origin.cost -= DIAGONAL * u64::from(back);
    let own = if is_along_row(TO) {
        origin.spot.x
    } else {
        origin.spot.y
    };
    let to_edge = if is_upwards(TO) { 15 - own } else { own };
    (origin, to_edge)
}
