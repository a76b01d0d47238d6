//! Walking diagonally over uniform ground, with a ray along the row and one along the column from
//! every cell.
//!
//! It goes sheet by sheet: how far it leads in the sheet is told at once, and so is what becomes
//! of all its rays there. Those that reach the edge of the sheet are followed together when the
//! diagonal leaves it: they all lead over the same sheets.

use wayfarer_base::Direction;
use wayfarer_world::ground::{NodeId, SheetBits};

use super::expand::{Arrival, DIAGONAL, Expansion, JumpVisitor, STRAIGHT};
use super::ray::{
    EAST, EVERYWHERE, Lanes, NORTH, SOUTH, SheetCursor, WEST, ahead_of, goal_bit, is_along_row,
    is_upwards, node_at, outside,
};
use super::scan_stops::{
    Beginning, Entering, LanesOfSheet, ScanStops, furthest, steps_on_diagonal,
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

/// The lanes along which rays in direction `to` lead.
#[inline(always)]
fn lanes_of<'g>(sheet: &SheetBits<'g>, to: u8) -> &'g LanesOfSheet {
    if is_along_row(to) {
        sheet.row_lanes()
    } else {
        sheet.column_lanes()
    }
}

/// Where a diagonal is.
#[derive(Clone, Copy)]
struct Head<'g> {
    spot: SheetCursor<'g>,
    x: i32,
    y: i32,
    cost: u64,
    /// Diagonal steps since it began.
    n_steps: u32,
}

/// What a diagonal saw on its way over one sheet.
#[derive(Clone, Copy, Default)]
struct Walk {
    /// Steps taken in the sheet.
    n_steps: u32,
    /// True if another step leads out of the sheet.
    goes_on: bool,
    /// True if it came to the goal itself.
    is_at_goal: bool,
    /// What became of the rays along the rows that it crossed.
    rows: DiagonalScan,
    /// What became of those along the columns.
    columns: DiagonalScan,
}

/// Of the rays that a diagonal sent out in one straight direction over a sheet: bit n is row (or
/// column) n.
#[derive(Clone, Copy, Default)]
struct DiagonalScan {
    /// Those that come to a place within the sheet.
    places: u32,
    /// Those that lead beyond its edge.
    far: u32,
}

impl<F: JumpVisitor> Expansion<'_, F> {
    /// Where the diagonal in direction `to` is after `n_steps`.
    #[inline]
    fn head<'g>(&self, spot: SheetCursor<'g>, to: Direction, n_steps: u32) -> Head<'g> {
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
    // What it works with is handed on by value, and never lent out: so it may stay in registers.
    pub(super) fn diagonal<const H: u8, const V: u8>(&mut self, spot: SheetCursor<'_>) -> u32 {
        let to = Direction::from_index(diagonal_of(H, V));
        let (dx, dy) = to.offset();
        let goal = self.finder.goal().map(|goal| goal.node);
        let SheetCursor {
            mut sheet,
            mut x,
            mut y,
        } = spot;
        let mut n_steps = 0;
        // The rays from where it begins are not its own.
        let mut looks = false;
        loop {
            let goal = goal.filter(|goal| goal.shares_sheet(sheet.node(0, 0)));
            let walk = match goal {
                None => self.walk::<H, V>(SheetCursor { sheet, x, y }, n_steps, looks),
                Some(goal) => {
                    self.walk_to_goal::<H, V>(SheetCursor { sheet, x, y }, n_steps, looks, goal)
                }
            };
            if walk.rows.places | walk.columns.places != 0 {
                let rows = in_order::<V>(walk.rows.places, y);
                let columns = in_order::<H>(walk.columns.places, x);
                let mut both = rows | columns;
                while both != 0 {
                    let n = both.trailing_zeros();
                    both &= both - 1;
                    let spot = SheetCursor { sheet, x, y }.moved(to, n);
                    if rows >> n & 1 == 1 {
                        self.found_near::<H>(self.head(spot, to, n_steps + n));
                    }
                    if columns >> n & 1 == 1 {
                        self.found_near::<V>(self.head(spot, to, n_steps + n));
                    }
                }
            }
            SheetCursor { x, y, .. } = SheetCursor { sheet, x, y }.moved(to, walk.n_steps);
            n_steps += walk.n_steps;
            if walk.is_at_goal {
                self.come_to(self.head(SheetCursor { sheet, x, y }, to, n_steps));
            }
            if walk.rows.far != 0 {
                let head = self.head(SheetCursor { sheet, x, y }, to, n_steps);
                self.follow::<H>(head, to, walk.rows.far);
            }
            if walk.columns.far != 0 {
                let head = self.head(SheetCursor { sheet, x, y }, to, n_steps);
                self.follow::<V>(head, to, walk.columns.far);
            }
            if !walk.goes_on {
                // The cell that it did not come to was looked at, too.
                self.finder.looked(H, n_steps + 1);
                self.finder.looked(V, n_steps + 1);
                return n_steps;
            }
            let over = match (x == edge(H), y == edge(V)) {
                (true, true) => to,
                (true, false) => Direction::from_index(H),
                _ => Direction::from_index(V),
            };
            let Some(next) = sheet.neighbor(over) else {
                return n_steps;
            };
            let continues = sheet.continues_in(&next);
            sheet = next;
            x = x.wrapping_add_signed(dx) & 15;
            y = y.wrapping_add_signed(dy) & 15;
            n_steps += 1;
            let head = self.head(SheetCursor { sheet, x, y }, to, n_steps);
            if !continues {
                self.finder.looked(H, n_steps);
                self.finder.looked(V, n_steps);
                self.come_to(head);
                return n_steps - 1;
            }
            if self.finder.is_hopeless(head.x, head.y, head.cost) {
                return n_steps;
            }
            looks = true;
        }
    }

    /// Walks from `spot` to where the diagonal ends or leaves the sheet, and looks along the row
    /// and the column of every cell; of the first one only if it `looks`.
    #[inline(always)]
    fn walk<const H: u8, const V: u8>(
        &mut self,
        spot: SheetCursor<'_>,
        n_before: u32,
        looks: bool,
    ) -> Walk {
        let SheetCursor { ref sheet, x, y } = spot;
        let n_steps = steps_in_sheet::<H, V>(&spot);
        let last = spot.moved(Direction::from_index(diagonal_of(H, V)), n_steps);
        let mut walk = Walk {
            n_steps,
            goes_on: is_corner_open::<H, V>(&last),
            ..Walk::default()
        };
        let n_rays = n_steps + u32::from(looks);
        if n_rays > 0 {
            walk.rows = self.fan::<H, V>(sheet, (y, x), (last.y, n_rays), n_before);
            walk.columns = self.fan::<V, H>(sheet, (x, y), (last.x, n_rays), n_before);
        }
        walk
    }

    /// Looks in direction `TO` along `n_rays` rows (or columns) of `sheet` up to row `last`, from
    /// where a diagonal in directions `TO` and `ACROSS` crosses them: row `lane` at cell `along`,
    /// after `n_before` steps.
    #[inline(always)]
    fn fan<const TO: u8, const ACROSS: u8>(
        &mut self,
        sheet: &SheetBits<'_>,
        (lane, along): (u32, u32),
        (last, n_rays): (u32, u32),
        n_before: u32,
    ) -> DiagonalScan {
        let lanes = lanes_of(sheet, TO);
        let rays = if is_upwards(TO) == is_upwards(ACROSS) {
            Beginning::on_diagonal::<TO, true>(lane, along)
        } else {
            Beginning::on_diagonal::<TO, false>(lane, along)
        };
        let first = if is_upwards(ACROSS) {
            last + 1 - n_rays
        } else {
            last
        };
        let crossed = ((1 << n_rays) - 1) << first;
        let stops = ScanStops::of::<TO>(lanes, rays);
        if F::LISTENS {
            let away = furthest::<TO>(lanes, rays, crossed).abs_diff(along.cast_signed());
            self.finder.looked(TO, n_before + away);
        }
        DiagonalScan {
            places: stops.places & crossed,
            far: stops.leads_on & crossed & sheet.exits(Direction::from_index(TO)),
        }
    }

    /// The same as a walk, ray by ray, in the sheet of the goal.
    #[cold]
    #[inline(never)]
    fn walk_to_goal<const H: u8, const V: u8>(
        &mut self,
        spot: SheetCursor<'_>,
        n_before: u32,
        mut looks: bool,
        goal: NodeId,
    ) -> Walk {
        let to = Direction::from_index(diagonal_of(H, V));
        let mut walk = Walk::default();
        loop {
            let at = spot.moved(to, walk.n_steps);
            if looks {
                walk.is_at_goal = at.node() == goal;
                if walk.is_at_goal {
                    break; // Nothing beyond is of use.
                }
                let n_steps = n_before + walk.n_steps + 1;
                walk.rows.add(self.ray_to_goal::<H>(&at, n_steps, goal));
                walk.columns.add(self.ray_to_goal::<V>(&at, n_steps, goal));
            }
            looks = true;
            walk.goes_on = is_corner_open::<H, V>(&at);
            if !walk.goes_on || at.x == edge(H) || at.y == edge(V) {
                break;
            }
            walk.n_steps += 1;
        }
        walk
    }

    /// One ray from `spot` in the sheet of the goal.
    fn ray_to_goal<const TO: u8>(
        &mut self,
        spot: &SheetCursor<'_>,
        n_steps: u32,
        goal: NodeId,
    ) -> DiagonalScan {
        let (own, across) = if is_along_row(TO) {
            (spot.x, spot.y)
        } else {
            (spot.y, spot.x)
        };
        let goal = goal_bit::<TO>(&spot.sheet, across, goal);
        let ending = Lanes::of::<TO>(&spot.sheet, across, None).ending::<TO>(own, goal);
        let to_edge = if is_upwards(TO) { 15 - own } else { own };
        let exits = spot.sheet.exits(Direction::from_index(TO));
        self.finder
            .looked(TO, n_steps + ending.distance::<TO>().min(to_edge));
        DiagonalScan {
            places: u32::from(ending.is_place) << across,
            far: u32::from(ending.leads_on()) << across & exits,
        }
    }

    /// The diagonal itself has come to a place.
    fn come_to(&mut self, head: Head<'_>) {
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

    /// A ray from the head comes to a place within the sheet.
    #[inline(never)]
    fn found_near<const TO: u8>(&mut self, head: Head<'_>) {
        let (own, across) = if is_along_row(TO) {
            (head.spot.x, head.spot.y)
        } else {
            (head.spot.y, head.spot.x)
        };
        let sheet = &head.spot.sheet;
        let goal = self.finder.goal();
        let goal = goal.map_or(0, |goal| goal_bit::<TO>(sheet, across, goal.node));
        let lanes = Lanes::of::<TO>(sheet, across, None);
        let length = lanes.ending::<TO>(own, goal).distance::<TO>() + 1;
        let stop = ahead_of::<TO>(own, length);
        let directions = lanes.directions::<TO>(stop);
        self.found::<TO>(&head, length, sheet, stop, directions);
    }

    /// A ray that the diagonal, which has come to `head` in direction `to`, began in row (or
    /// column) `across` comes to a place in `neighbor`, `beyond` cells from the edge of the head's
    /// sheet on; it enters that from `sheet`.
    #[inline(never)]
    fn found_far<const TO: u8>(
        &mut self,
        (head, to): (&Head<'_>, Direction),
        across: u32,
        (sheet, next): (SheetBits<'_>, SheetBits<'_>),
        beyond: u32,
    ) {
        let goal = self.finder.goal();
        let goal = goal.map_or(0, |goal| goal_bit::<TO>(&next, across, goal.node));
        let lanes = Lanes::of::<TO>(&next, across, Some(&sheet));
        let distance = lanes.ending::<TO>(outside::<TO>(), goal).distance::<TO>();
        let stop = ahead_of::<TO>(outside::<TO>(), distance + 1);
        let directions = lanes.directions::<TO>(stop);
        let (origin, to_edge) = origin_of::<TO>(head, to, across);
        let length = to_edge + beyond + distance + 1;
        self.found::<TO>(&origin, length, &next, stop, directions);
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
    #[inline(never)]
    fn follow<const TO: u8>(&mut self, head: Head<'_>, to: Direction, mut far: u32) {
        let first: u32 = if is_upwards(TO) { 0 } else { 15 };
        let goal = self.finder.goal().map(|goal| goal.node);
        let mut sheet = head.spot.sheet;
        let mut beyond = 0;
        let most = if F::HAS_FENCE {
            self.finder.to_fence(TO, head.x, head.y)
        } else {
            u32::MAX
        };
        loop {
            if F::HAS_FENCE && beyond > most {
                self.finder.met_fence();
                return;
            }
            let Some(next) = sheet.neighbor(Direction::from_index(TO)) else {
                self.looked_over::<TO>(&head, beyond + 1);
                return;
            };
            if !sheet.continues_in(&next) {
                self.looked_over::<TO>(&head, beyond + 1);
                far &= sheet.exits(Direction::from_index(TO));
                while far != 0 {
                    let across = far.trailing_zeros();
                    far &= far - 1;
                    let (origin, to_edge) = origin_of::<TO>(&head, to, across);
                    let length = to_edge + beyond + 1;
                    self.found::<TO>(&origin, length, &next, first, EVERYWHERE);
                }
                return;
            }
            let lanes = lanes_of(&next, TO);
            let rays = Entering(lanes_of(&sheet, TO));
            let mut stops = ScanStops::of::<TO>(lanes, rays);
            if let Some(goal) = goal
                && goal.shares_sheet(next.node(0, 0))
            {
                stops = stops_at_goal::<TO>(next, sheet, goal);
            }
            let mut places = stops.places & far;
            while places != 0 {
                let across = places.trailing_zeros();
                places &= places - 1;
                self.found_far::<TO>((&head, to), across, (sheet, next), beyond);
            }
            if stops.leads_on & far == 0 {
                if F::LISTENS {
                    let away = furthest::<TO>(lanes, rays, far).abs_diff(first.cast_signed());
                    self.looked_over::<TO>(&head, beyond + away + 1);
                }
                return;
            }
            far &= stops.leads_on;
            beyond += 16;
            sheet = next;
        }
    }
}

impl<F: JumpVisitor> Expansion<'_, F> {
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

/// Diagonal steps that lead on from `spot` over uniform ground at one height, no more than `most`;
/// quarters are north-east, south-east, south-west and north-west.
pub(in crate::ground) fn n_diagonal_steps(
    sheet: SheetBits<'_>,
    node: NodeId,
    quarter: usize,
    most: u32,
) -> u32 {
    let spot = SheetCursor {
        sheet,
        x: node.x_in_sector(),
        y: node.y_in_sector(),
    };
    match quarter {
        0 => n_steps_towards::<EAST, NORTH>(spot, most),
        1 => n_steps_towards::<EAST, SOUTH>(spot, most),
        2 => n_steps_towards::<WEST, SOUTH>(spot, most),
        _ => n_steps_towards::<WEST, NORTH>(spot, most),
    }
}

/// As [`n_diagonal_steps`], in the diagonal made of `H` and `V`.
fn n_steps_towards<const H: u8, const V: u8>(mut spot: SheetCursor<'_>, most: u32) -> u32 {
    let to = Direction::from_index(diagonal_of(H, V));
    let mut n_steps = 0;
    loop {
        let n_here = steps_in_sheet::<H, V>(&spot);
        spot = spot.moved(to, n_here);
        n_steps += n_here;
        if n_steps >= most || !is_corner_open::<H, V>(&spot) {
            return n_steps.min(most);
        }
        let over = match (spot.x == edge(H), spot.y == edge(V)) {
            (true, true) => to,
            (true, false) => Direction::from_index(H),
            _ => Direction::from_index(V),
        };
        let next = spot.sheet.neighbor(over);
        let Some(next) = next.filter(|next| spot.sheet.continues_in(next)) else {
            return n_steps;
        };
        let (dx, dy) = to.offset();
        spot = SheetCursor {
            sheet: next,
            x: spot.x.wrapping_add_signed(dx) & 15,
            y: spot.y.wrapping_add_signed(dy) & 15,
        };
        n_steps += 1;
    }
}

/// Steps that the diagonal made of `H` and `V` takes from `spot` before it ends or comes to the
/// edge of the sheet.
#[inline(always)]
fn steps_in_sheet<const H: u8, const V: u8>(spot: &SheetCursor<'_>) -> u32 {
    let SheetCursor { ref sheet, x, y } = *spot;
    let rows = sheet.row_lanes();
    match (H == EAST, V == SOUTH) {
        (true, true) => steps_on_diagonal::<true, true>(rows, x, y),
        (true, false) => steps_on_diagonal::<true, false>(rows, x, y),
        (false, true) => steps_on_diagonal::<false, true>(rows, x, y),
        (false, false) => steps_on_diagonal::<false, false>(rows, x, y),
    }
}

/// The last row (or column) of a sheet in a straight direction.
const fn edge(to: u8) -> u32 {
    if is_upwards(to) { 15 } else { 0 }
}

/// True if the diagonal made of `H` and `V` leads on from `spot`: both cells beside it and the
/// next one are open.
#[inline(always)]
fn is_corner_open<const H: u8, const V: u8>(spot: &SheetCursor<'_>) -> bool {
    let y = spot.y.cast_signed();
    let own = spot.sheet.whole_row(y);
    let next = spot.sheet.whole_row(if V == SOUTH { y + 1 } else { y - 1 });
    let ahead = |row: u32| if H == EAST { row >> 1 } else { row << 1 };
    (next & ahead(next & own)) >> (spot.x + 1) & 1 == 1
}

/// Bit n is the n-th lane of those that a diagonal crosses from lane `first` on, up or down with
/// `ACROSS`; of `lanes`, where bit n is lane n.
#[inline(always)]
const fn in_order<const ACROSS: u8>(lanes: u32, first: u32) -> u32 {
    if is_upwards(ACROSS) {
        lanes >> first
    } else {
        (lanes << (31 - first)).reverse_bits()
    }
}

/// What becomes of rays that enter the sheet of the goal from `previous`, ray by ray.
#[cold]
#[inline(never)]
fn stops_at_goal<const TO: u8>(
    sheet: SheetBits<'_>,
    previous: SheetBits<'_>,
    goal: NodeId,
) -> ScanStops {
    let mut stops = ScanStops {
        places: 0,
        leads_on: 0,
    };
    for across in 0..16 {
        let goal = goal_bit::<TO>(&sheet, across, goal);
        let lanes = Lanes::of::<TO>(&sheet, across, Some(&previous));
        let ending = lanes.ending::<TO>(outside::<TO>(), goal);
        stops.places |= u32::from(ending.is_place) << across;
        stops.leads_on |= u32::from(ending.leads_on()) << across;
    }
    stops
}

impl DiagonalScan {
    /// Adds more rays.
    fn add(&mut self, more: Self) {
        self.places |= more.places;
        self.far |= more.far;
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
