//! Connections between floors: flights of stairs, spiral stairs and ladders, and a drop.

use wayfarer_base::{Cell, Column, LinkState, NavLinkKind, Rng};

use super::{Building, FLOOR_HEIGHT, NO_ROOM};

/// Random tries for a location before an exhaustive scan.
const N_TRIES: u32 = 400;

impl Building {
    /// Connects every floor with the next by every kind of connection.
    pub(super) fn add_stairs(&mut self, rng: &mut Rng) {
        let n_more = (self.inside.width() / 40)
            .min(self.inside.height() / 40)
            .min(4);
        for floor in 0..self.n_floors - 1 {
            for _ in 0..=n_more {
                self.add_flight(floor, rng);
            }
            for kind in [NavLinkKind::Stairs, NavLinkKind::Ladder] {
                if let Some(low) = self.find(rng, |building, at| building.is_shaft(floor, at)) {
                    let low = low.at(floor * FLOOR_HEIGHT);
                    let high = Cell::new(low.x, low.y, low.z + FLOOR_HEIGHT);
                    self.add(kind, low, high, LinkState::Open);
                }
            }
        }
        self.add_bridge_exits(rng);
    }

    /// A random column inside that satisfies `is_suitable`, or else the first one.
    fn find(&self, rng: &mut Rng, is_suitable: impl Fn(&Self, Column) -> bool) -> Option<Column> {
        let (low, high) = (self.inside.low, self.inside.high);
        (0..N_TRIES)
            .map(|_| Column::new(rng.between(low.x, high.x), rng.between(low.y, high.y)))
            .find(|&at| is_suitable(self, at))
            .or_else(|| self.inside.columns().find(|&at| is_suitable(self, at)))
    }

    /// True if the column has a cell on this floor and the next, neither in the vault nor on a
    /// bridge.
    fn is_shaft(&self, floor: i32, at: Column) -> bool {
        let is_free = |z: i32| {
            let room = self.room(at.at(z));
            room.is_some_and(|room| room != self.vault && !self.bridges.contains(&room))
        };
        is_free(floor * FLOOR_HEIGHT) && is_free((floor + 1) * FLOOR_HEIGHT)
    }

    /// Adds a flight of five steps from this floor to the next. Floor cells without enough
    /// clearance to the steps are removed.
    fn add_flight(&mut self, floor: i32, rng: &mut Rng) {
        let directions = [(1, 0), (0, 1), (-1, 0), (0, -1)];
        let first = rng.below(4) as usize;
        for turn in 0..4 {
            let delta = directions[(first + turn) % 4];
            let found = self.find(rng, |building, at| building.flight_fits(floor, at, delta));
            let Some(foot) = found else { continue };
            let foot = foot.at(floor * FLOOR_HEIGHT);
            let room = self.room(foot).expect("a flight fits only on a floor");
            let step = |rise: i32| {
                Cell::new(
                    foot.x + delta.0 * rise,
                    foot.y + delta.1 * rise,
                    foot.z + rise,
                )
            };
            for rise in 1..FLOOR_HEIGHT {
                self.steps.insert(step(rise), room);
                let column = step(rise).column();
                if rise < 3 {
                    self.set_room(column.at(foot.z), NO_ROOM);
                } else if rise > FLOOR_HEIGHT - 3 {
                    self.set_room(column.at(foot.z + FLOOR_HEIGHT), NO_ROOM);
                }
            }
            self.landings
                .insert((step(FLOOR_HEIGHT - 1), step(FLOOR_HEIGHT)));
            return;
        }
    }

    /// True if a flight from `foot` lies in one room, starts and ends on floor cells, and avoids
    /// the vault, other flights and the ends of nav links.
    fn flight_fits(&self, floor: i32, foot: Column, delta: (i32, i32)) -> bool {
        let z = floor * FLOOR_HEIGHT;
        let Some(room) = self.room(foot.at(z)) else {
            return false;
        };
        // One more cell at both ends, to step off the flight.
        (-1..=FLOOR_HEIGHT + 1).all(|rise| {
            let at = Column::new(foot.x + delta.0 * rise, foot.y + delta.1 * rise);
            let (below, above) = (self.room(at.at(z)), self.room(at.at(z + FLOOR_HEIGHT)));
            let is_free = self.is_shaft(floor, at) && !self.is_link_end(at) && !self.has_step(at);
            match rise {
                -1 => below == Some(room),
                7 => above.is_some() && above == self.landing_room(floor, foot, delta),
                6 => is_free,
                _ => is_free && below == Some(room),
            }
        })
    }

    /// The room in which a flight from `foot` ends.
    fn landing_room(&self, floor: i32, foot: Column, delta: (i32, i32)) -> Option<u32> {
        let at = Column::new(
            foot.x + delta.0 * FLOOR_HEIGHT,
            foot.y + delta.1 * FLOOR_HEIGHT,
        );
        self.room(at.at((floor + 1) * FLOOR_HEIGHT))
    }

    fn is_link_end(&self, at: Column) -> bool {
        self.nav_links
            .iter()
            .any(|nav_link| nav_link.from.column() == at || nav_link.to.column() == at)
    }

    fn has_step(&self, at: Column) -> bool {
        (0..self.n_floors * FLOOR_HEIGHT).any(|z| self.steps.contains_key(&at.at(z)))
    }

    /// From the lowest bridge to the hall: a one-way drop, and a ladder.
    fn add_bridge_exits(&mut self, rng: &mut Rng) {
        let mut candidates = Vec::new();
        for column in self.hall.columns() {
            let bridge = column.at(FLOOR_HEIGHT);
            if self.room(bridge).is_none() {
                continue;
            }
            for (dx, dy) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                let floor = Cell::new(column.x + dx, column.y + dy, 0);
                let above = Cell::new(floor.x, floor.y, FLOOR_HEIGHT);
                let is_in_hall = self.hall.contains(floor.column());
                if is_in_hall && self.room(floor).is_some() && self.room(above).is_none() {
                    candidates.push((bridge, floor));
                }
            }
        }
        rng.shuffle(&mut candidates);
        let mut candidates = candidates.into_iter();
        if let Some((bridge, floor)) = candidates.next() {
            self.add(NavLinkKind::Drop, bridge, floor, LinkState::Open);
        }
        if let Some((bridge, floor)) = candidates.next() {
            self.add(NavLinkKind::Ladder, floor, bridge, LinkState::Open);
        }
    }
}
