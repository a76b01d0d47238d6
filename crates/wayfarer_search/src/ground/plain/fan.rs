//! Walking diagonally over plain ground, with a ray along the row and one along the column from
//! every cell.
//!
//! What lies in the cell's own sheet is seen at once. Rays that reach the edge of the sheet are
//! gathered, and followed together when the diagonal leaves the sheet: they all lead over the
//! same sheets, and over a sheet with nothing closed in or around it they pass as one.

use wayfarer_base::{Direction, Observer};
use wayfarer_world::ground::SheetBits;

use super::expand::{Arrival, DIAGONAL, Expansion, STRAIGHT};
use super::ray::{
    EAST, EVERYWHERE, Lanes, NORTH, SOUTH, Spot, ahead_of, goal_bit, is_along_row, is_upwards,
    lane_word, node_at, seam,
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

/// Where the diagonal is.
#[derive(Clone, Copy)]
struct Head<'g> {
    spot: Spot<'g>,
    x: i32,
    y: i32,
    cost: u64,
}

impl<'g, O: Observer> Expansion<'_, 'g, O> {
    /// Walks in the diagonal made of `H` and `V` as far as it goes; `rows` are those around
    /// `spot`.
    pub(super) fn diagonal<const H: u8, const V: u8>(&mut self, spot: Spot<'g>, mut rows: u64) {
        let to = Direction::from_index(diagonal_of(H, V));
        let (dx, dy) = to.offset();
        let mut head = Head {
            spot,
            x: self.from.x,
            y: self.from.y,
            cost: u64::from(self.from.cost),
        };
        // Rows and columns of the sheet whose rays lead beyond its edge.
        let (mut far_rows, mut far_columns) = (0_u32, 0_u32);
        loop {
            // Both cardinals and the corner itself must be open.
            let lane = if V == NORTH { 0 } else { 36 };
            let (x, y) = (head.spot.x, head.spot.y);
            let (own, ahead) = (x + 1, if H == EAST { x + 2 } else { x });
            if rows >> (18 + ahead) & rows >> (lane + own) & rows >> (lane + ahead) & 1 == 0 {
                break;
            }
            let over_x = x == if H == EAST { 15 } else { 0 };
            let over_y = y == if V == SOUTH { 15 } else { 0 };
            let former = head;
            head.spot.x = x.wrapping_add_signed(dx) & 15;
            head.spot.y = y.wrapping_add_signed(dy) & 15;
            (head.x, head.y) = (head.x + dx, head.y + dy);
            head.cost += DIAGONAL;
            if over_x || over_y {
                let over = match (over_x, over_y) {
                    (true, true) => to,
                    (true, false) => Direction::from_index(H),
                    _ => Direction::from_index(V),
                };
                self.follow::<H>(&former, to, &mut far_rows);
                self.follow::<V>(&former, to, &mut far_columns);
                let Some(next) = head.spot.sheet.next(over) else {
                    return;
                };
                let continues = head.spot.sheet.continues_in(&next);
                head.spot.sheet = next;
                if !continues {
                    self.come_to(&head);
                    return;
                }
            }
            let goal = self.searcher.goal;
            if (head.x == goal.x || head.y == goal.y) && head.spot.node() == goal.node {
                self.come_to(&head);
                break;
            }
            if self.searcher.is_hopeless(head.x, head.y, head.cost) {
                break;
            }
            rows = head.spot.sheet.rows(head.spot.y);
            if self.look_near::<H>(&head, rows) {
                far_rows |= 1 << head.spot.y;
            }
            let columns = head.spot.sheet.columns(head.spot.x);
            if self.look_near::<V>(&head, columns) {
                far_columns |= 1 << head.spot.x;
            }
        }
        self.follow::<H>(&head, to, &mut far_rows);
        self.follow::<V>(&head, to, &mut far_columns);
    }

    /// The diagonal itself has come to a place.
    fn come_to(&mut self, head: &Head<'g>) {
        self.reach(Arrival {
            node: head.spot.node(),
            x: head.x,
            y: head.y,
            cost: head.cost,
            directions: EVERYWHERE,
            by_step: false,
        });
    }

    /// Looks from the head along its row (or column) within the sheet; true if the ray leads on
    /// beyond the edge.
    #[inline(always)]
    fn look_near<const TO: u8>(&mut self, head: &Head<'g>, word: u64) -> bool {
        let spot = &head.spot;
        let (own, across) = if is_along_row(TO) {
            (spot.x, spot.y)
        } else {
            (spot.y, spot.x)
        };
        if own == if is_upwards(TO) { 15 } else { 0 } {
            return true;
        }
        let lanes = Lanes::of::<TO>(word, 0);
        let next = ahead_of::<TO>(own, 1);
        let goal = self.searcher.goal;
        let in_line = if is_along_row(TO) {
            head.y == goal.y
        } else {
            head.x == goal.x
        };
        let goal = if in_line {
            goal_bit::<TO>(&spot.sheet, across, goal.node)
        } else {
            0
        };
        let Some(ahead) = lanes.first_stop::<TO>(next, goal) else {
            return true;
        };
        let stop = ahead_of::<TO>(next, ahead);
        let directions = lanes.directions::<TO>(stop);
        if directions != 0 {
            self.found::<TO>(head, ahead + 1, &spot.sheet, stop, directions);
        }
        false
    }

    /// A ray of `length` cells from the head came to a place, at `along` in its row of `sheet`.
    #[inline]
    fn found<const TO: u8>(
        &mut self,
        head: &Head<'g>,
        length: u32,
        sheet: &SheetBits<'g>,
        along: u32,
        directions: u8,
    ) {
        let (dx, dy) = Direction::from_index(TO).offset();
        let across = if is_along_row(TO) {
            head.spot.y
        } else {
            head.spot.x
        };
        self.reach(Arrival {
            node: node_at::<TO>(sheet, across, along),
            x: head.x + dx * length.cast_signed(),
            y: head.y + dy * length.cast_signed(),
            cost: head.cost + STRAIGHT * u64::from(length),
            directions,
            by_step: false,
        });
    }

    /// Follows the rays in the rows (or columns) of `far` from the edge of the head's sheet on;
    /// they began where the diagonal, which has come to `head` in direction `to`, crossed them.
    #[inline]
    fn follow<const TO: u8>(&mut self, head: &Head<'g>, to: Direction, far: &mut u32) {
        if *far != 0 {
            self.follow_all::<TO>(head, to, *far);
            *far = 0;
        }
    }

    #[inline(never)]
    fn follow_all<const TO: u8>(&mut self, head: &Head<'g>, to: Direction, mut far: u32) {
        let first = if is_upwards(TO) { 0 } else { 15 };
        let mut sheet = head.spot.sheet;
        let mut beyond = 0;
        loop {
            let next = sheet.next(Direction::from_index(TO));
            let Some(next) = next.filter(|next| sheet.continues_in(next)) else {
                for across in bits(far) {
                    let (origin, to_edge) = origin_of::<TO>(head, to, across);
                    let hit = seam::<TO>(&sheet, across, next, to_edge + beyond);
                    if hit.directions != 0
                        && let Some(next) = &next
                    {
                        self.found::<TO>(&origin, hit.length, next, first, hit.directions);
                    }
                }
                return;
            };
            let goal = self.searcher.goal.node;
            let goal_is_here = goal.shares_sheet(next.node(0, 0));
            if goal_is_here || !next.is_full() {
                for across in bits(far) {
                    let word = lane_word::<TO>(&next, across);
                    let former = if is_along_row(TO) {
                        0
                    } else {
                        sheet.columns(across)
                    };
                    let lanes = Lanes::of::<TO>(word, former);
                    let goal = if goal_is_here {
                        goal_bit::<TO>(&next, across, goal)
                    } else {
                        0
                    };
                    let Some(ahead) = lanes.first_stop::<TO>(first, goal) else {
                        continue;
                    };
                    far &= !(1 << across);
                    let stop = ahead_of::<TO>(first, ahead);
                    let directions = lanes.directions::<TO>(stop);
                    if directions != 0 {
                        let (origin, to_edge) = origin_of::<TO>(head, to, across);
                        let length = to_edge + beyond + ahead + 1;
                        self.found::<TO>(&origin, length, &next, stop, directions);
                    }
                }
                if far == 0 {
                    return;
                }
            }
            beyond += 16;
            sheet = next;
        }
    }
}

/// The set bits of a word, the lowest first.
#[inline]
fn bits(word: u32) -> impl Iterator<Item = u32> {
    std::iter::successors((word != 0).then_some(word), |word| {
        let rest = word & (word - 1);
        (rest != 0).then_some(rest)
    })
    .map(u32::trailing_zeros)
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
