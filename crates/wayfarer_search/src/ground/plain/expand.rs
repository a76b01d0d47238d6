//! Going on from a place: rays and diagonals over plain ground, single steps elsewhere.

use wayfarer_base::{Cost, Direction, Observer, Place, SearchEvent};
use wayfarer_world::ground::{Ground, NodeId};

use super::queue;
use super::ray::{EAST, EVERYWHERE, Hit, NORTH, SOUTH, Spot, WEST, look};
use super::searcher::GroundSearcher;
use super::vertices::{Found, Vertex};

/// One expansion: the place it begins at, and where what is found goes.
pub(super) struct Expansion<'r, 'g, O> {
    pub(super) ground: &'g Ground,
    pub(super) searcher: &'r mut GroundSearcher,
    pub(super) observer: &'r mut O,
    /// The place's number and what is known of it.
    pub(super) number: u32,
    pub(super) from: Vertex,
}

const STRAIGHT: u64 = Cost::STRAIGHT.units() as u64;
const DIAGONAL: u64 = Cost::DIAGONAL.units() as u64;

/// The two straight directions that each diagonal is made of: along the row, along the column.
const fn diagonal_of(along_row: u8, along_column: u8) -> u8 {
    match (along_row, along_column) {
        (EAST, NORTH) => 1,
        (EAST, _) => 3,
        (_, SOUTH) => 5,
        _ => 7,
    }
}

/// A place that was come to.
#[derive(Clone, Copy)]
struct Arrival {
    node: NodeId,
    x: i32,
    y: i32,
    cost: u64,
    directions: u8,
    by_step: bool,
}

impl<'g, O: Observer> Expansion<'_, 'g, O> {
    /// Looks at everything that can be come to from here.
    pub(super) fn run(&mut self) {
        let node = self.from.node;
        let sheet = self.ground.bits(node);
        if !sheet.is_plain() {
            self.by_steps();
            return;
        }
        let spot = Spot {
            sheet,
            x: node.x_in_sector(),
            y: node.y_in_sector(),
        };
        let directions = self.from.directions;
        let wanted = |direction: u8| directions >> direction & 1 == 1;
        let rows = sheet.rows(spot.y);
        if wanted(EAST) {
            self.straight::<EAST>(spot, rows);
        }
        if wanted(WEST) {
            self.straight::<WEST>(spot, rows);
        }
        if wanted(NORTH) || wanted(SOUTH) {
            let columns = sheet.columns(spot.x);
            if wanted(NORTH) {
                self.straight::<NORTH>(spot, columns);
            }
            if wanted(SOUTH) {
                self.straight::<SOUTH>(spot, columns);
            }
        }
        if wanted(1) {
            self.diagonal::<EAST, NORTH>(spot, rows);
        }
        if wanted(3) {
            self.diagonal::<EAST, SOUTH>(spot, rows);
        }
        if wanted(5) {
            self.diagonal::<WEST, SOUTH>(spot, rows);
        }
        if wanted(7) {
            self.diagonal::<WEST, NORTH>(spot, rows);
        }
    }

    /// Single steps, as the ground gives them.
    fn by_steps(&mut self) {
        let mut buffer = std::mem::take(&mut self.searcher.steps);
        for (to, cost) in self.ground.steps(self.from.node, &mut buffer) {
            let at = self.ground.cell(to);
            self.reach(Arrival {
                node: to,
                x: at.x,
                y: at.y,
                cost: u64::from(self.from.cost) + u64::from(cost.units()),
                directions: EVERYWHERE,
                by_step: true,
            });
        }
        self.searcher.steps = buffer;
    }

    /// The goal, if it lies in this row (or column).
    #[inline]
    fn goal_along<const TO: u8>(&self, x: i32, y: i32) -> Option<NodeId> {
        let goal = &self.searcher.goal;
        let same = if TO == EAST || TO == WEST {
            goal.y == y
        } else {
            goal.x == x
        };
        same.then_some(goal.node)
    }

    fn straight<const TO: u8>(&mut self, spot: Spot<'g>, word: u64) {
        let (x, y) = (self.from.x, self.from.y);
        let hit = look::<TO>(spot, word, self.goal_along::<TO>(x, y));
        self.take::<TO>(hit, x, y, u64::from(self.from.cost));
    }

    /// Takes up what a ray from (x, y) came upon.
    #[inline]
    fn take<const TO: u8>(&mut self, hit: Hit, x: i32, y: i32, cost: u64) {
        if hit.directions == 0 {
            return;
        }
        let (dx, dy) = Direction::from_index(TO).offset();
        let length = hit.length.cast_signed();
        self.reach(Arrival {
            node: hit.node,
            x: x + dx * length,
            y: y + dy * length,
            cost: cost + STRAIGHT * u64::from(hit.length),
            directions: hit.directions,
            by_step: false,
        });
    }

    /// Walks diagonally as far as it goes, and looks along the row and the column at each cell.
    fn diagonal<const H: u8, const V: u8>(&mut self, mut spot: Spot<'g>, mut rows: u64) {
        let to = Direction::from_index(diagonal_of(H, V));
        let (dx, dy) = to.offset();
        let (mut x, mut y) = (self.from.x, self.from.y);
        let mut cost = u64::from(self.from.cost);
        loop {
            // Both cardinals and the corner itself must be open.
            let lane = if V == NORTH { 0 } else { 36 };
            let (own, ahead) = (spot.x + 1, if H == EAST { spot.x + 2 } else { spot.x });
            if rows >> (18 + ahead) & rows >> (lane + own) & rows >> (lane + ahead) & 1 == 0 {
                return;
            }
            let (over_x, over_y) = (
                spot.x == if H == EAST { 15 } else { 0 },
                spot.y == if V == SOUTH { 15 } else { 0 },
            );
            spot.x = spot.x.wrapping_add_signed(dx) & 15;
            spot.y = spot.y.wrapping_add_signed(dy) & 15;
            (x, y) = (x + dx, y + dy);
            cost += DIAGONAL;
            let arrival = |node| Arrival {
                node,
                x,
                y,
                cost,
                directions: EVERYWHERE,
                by_step: false,
            };
            if over_x || over_y {
                let over = match (over_x, over_y) {
                    (true, true) => to,
                    (true, false) => Direction::from_index(H),
                    _ => Direction::from_index(V),
                };
                let Some(next) = spot.sheet.next(over) else {
                    return;
                };
                let continues = spot.sheet.continues_in(&next);
                spot.sheet = next;
                if !continues {
                    self.reach(arrival(spot.node()));
                    return;
                }
            }
            if spot.node() == self.searcher.goal.node {
                self.reach(arrival(spot.node()));
                return;
            }
            if self.searcher.is_hopeless(x, y, cost) {
                return;
            }
            rows = spot.sheet.rows(spot.y);
            let hit = look::<H>(spot, rows, self.goal_along::<H>(x, y));
            self.take::<H>(hit, x, y, cost);
            let columns = spot.sheet.columns(spot.x);
            let hit = look::<V>(spot, columns, self.goal_along::<V>(x, y));
            self.take::<V>(hit, x, y, cost);
        }
    }

    /// Notes a place that was come to, if that is the cheapest way to it so far and can still
    /// lead to the goal more cheaply than what is known.
    #[inline]
    fn reach(&mut self, arrival: Arrival) {
        let searcher = &mut *self.searcher;
        let rest = searcher.estimate.from(arrival.x, arrival.y);
        let total = arrival.cost + u64::from(rest);
        if total >= u64::from(searcher.best) {
            searcher.too_far |= searcher.best == u32::MAX;
            return;
        }
        if !searcher.make_room() {
            return;
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "both are below a number of 32 bits"
        )]
        let (cost, total) = (arrival.cost as u32, total as u32);
        let vertex = Vertex {
            node: arrival.node,
            x: arrival.x,
            y: arrival.y,
            cost,
            total,
            parent: self.number,
            directions: arrival.directions,
            by_step: arrival.by_step,
        };
        let (number, is_new) = match searcher.vertices.find(arrival.node) {
            Found::New(slot) => (searcher.vertices.enter(slot, vertex), true),
            Found::Known(number) => {
                let known = searcher.vertices.at_mut(number);
                if known.cost <= cost {
                    return;
                }
                *known = vertex;
                (number, false)
            }
        };
        if arrival.node == searcher.goal.node {
            searcher.best = cost;
        }
        searcher.queue.push(queue::entry(total, number));
        searcher.spent.pushes += 1;
        if O::ACTIVE {
            let at = Place::Cell(self.ground.cell(arrival.node));
            let cost = Cost::from_units(cost);
            self.observer.notice(if is_new {
                SearchEvent::Opened { at, cost }
            } else {
                SearchEvent::Improved { at, cost }
            });
        }
    }
}
