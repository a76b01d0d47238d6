//! Going on from a place: rays and diagonals over plain ground, single steps elsewhere.

use wayfarer_base::{Cost, Direction, Observer, Place, SearchEvent};
use wayfarer_world::ground::{Ground, NodeId};

use super::queue;
use super::ray::{EAST, EVERYWHERE, NORTH, SOUTH, Spot, WEST, is_along_row, look};
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

pub(super) const STRAIGHT: u64 = Cost::STRAIGHT.units() as u64;
pub(super) const DIAGONAL: u64 = Cost::DIAGONAL.units() as u64;

/// A place that was come to.
#[derive(Clone, Copy)]
pub(super) struct Arrival {
    pub(super) node: NodeId,
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) cost: u64,
    pub(super) directions: u8,
    pub(super) by_step: bool,
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
        if wanted(EAST) {
            self.straight::<EAST>(&spot);
        }
        if wanted(WEST) {
            self.straight::<WEST>(&spot);
        }
        if wanted(NORTH) {
            self.straight::<NORTH>(&spot);
        }
        if wanted(SOUTH) {
            self.straight::<SOUTH>(&spot);
        }
        if wanted(1) {
            self.diagonal::<EAST, NORTH>(spot);
        }
        if wanted(3) {
            self.diagonal::<EAST, SOUTH>(spot);
        }
        if wanted(5) {
            self.diagonal::<WEST, SOUTH>(spot);
        }
        if wanted(7) {
            self.diagonal::<WEST, NORTH>(spot);
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

    // Inlined, so that the spot stays in registers.
    #[inline(always)]
    fn straight<const TO: u8>(&mut self, spot: &Spot<'g>) {
        let goal = self.searcher.goal;
        let in_line = if is_along_row(TO) {
            self.from.y == goal.y
        } else {
            self.from.x == goal.x
        };
        let hit = look::<TO>(spot, in_line.then_some(goal.node));
        if hit.directions == 0 {
            return;
        }
        let (dx, dy) = Direction::from_index(TO).offset();
        let length = hit.length.cast_signed();
        self.reach(Arrival {
            node: hit.node,
            x: self.from.x + dx * length,
            y: self.from.y + dy * length,
            cost: u64::from(self.from.cost) + STRAIGHT * u64::from(hit.length),
            directions: hit.directions,
            by_step: false,
        });
    }

    /// Notes a place that was come to, if that is the cheapest way to it so far and can still
    /// lead to the goal more cheaply than what is known.
    #[inline(never)]
    pub(super) fn reach(&mut self, arrival: Arrival) {
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
        let (number, is_new) = match searcher.vertices.find(arrival.node, cost) {
            Found::Cheap(_) => return,
            Found::New(slot) => (searcher.vertices.enter(slot, vertex), true),
            Found::Dear(slot, number) => {
                searcher.vertices.improve(slot, number, vertex);
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
