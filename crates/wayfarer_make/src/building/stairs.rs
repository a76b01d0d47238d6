//! The paths up: flights of stairs cell by cell, spiral stairs and ladders as nav links, and a drop.

use wayfarer_base::{Cell, Column, LinkState, NavLinkKind, Rng};

use super::{FLOOR_HEIGHT, Keep, NO_ROOM};

/// How often a place is looked for by chance before all are looked through.
const TRIES: u32 = 400;

impl Keep {
    /// Joins every floor with the next in every way there is.
    pub(super) fn build_stairs(&mut self, rng: &mut Rng) {
        let n_more = (self.inside.width() / 40)
            .min(self.inside.height() / 40)
            .min(4);
        for floor in 0..self.n_floors - 1 {
            for _ in 0..=n_more {
                self.build_flight(floor, rng);
            }
            for kind in [NavLinkKind::Stairs, NavLinkKind::Ladder] {
                if let Some(low) = self.find(rng, |keep, at| keep.is_shaft(floor, at)) {
                    let low = low.at(floor * FLOOR_HEIGHT);
                    let high = Cell::new(low.x, low.y, low.z + FLOOR_HEIGHT);
                    self.add(kind, low, high, LinkState::Open);
                }
            }
        }
        self.leave_bridge(rng);
    }

    /// A column of the building that `suits`, by chance, or the first of all.
    fn find(&self, rng: &mut Rng, suits: impl Fn(&Self, Column) -> bool) -> Option<Column> {
        let (low, high) = (self.inside.low, self.inside.high);
        (0..TRIES)
            .map(|_| Column::new(rng.between(low.x, high.x), rng.between(low.y, high.y)))
            .find(|&at| suits(self, at))
            .or_else(|| self.inside.columns().find(|&at| suits(self, at)))
    }

    /// True if there is a floor on this floor and the next, neither in the vault.
    fn is_shaft(&self, floor: i32, at: Column) -> bool {
        let open = |z: i32| {
            let room = self.room(at.at(z));
            room.is_some_and(|room| room != self.vault && !self.bridges.contains(&room))
        };
        open(floor * FLOOR_HEIGHT) && open((floor + 1) * FLOOR_HEIGHT)
    }

    /// Builds one flight: five steps between a cell of this floor and one of the next. The floor
    /// is taken away where the steps leave too little room below them or above.
    fn build_flight(&mut self, floor: i32, rng: &mut Rng) {
        let directions = [(1, 0), (0, 1), (-1, 0), (0, -1)];
        let first = rng.below(4) as usize;
        for turn in 0..4 {
            let delta = directions[(first + turn) % 4];
            let found = self.find(rng, |keep, at| keep.flight_fits(floor, at, delta));
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

    /// True if a flight from `foot` would lie in one room, begin and end on floors, touch no vault
    /// and no other flight, and keep clear of the ends of nav links.
    fn flight_fits(&self, floor: i32, foot: Column, delta: (i32, i32)) -> bool {
        let z = floor * FLOOR_HEIGHT;
        let Some(room) = self.room(foot.at(z)) else {
            return false;
        };
        // One cell more at both ends, so that one can step off the flight.
        (-1..=FLOOR_HEIGHT + 1).all(|rise| {
            let at = Column::new(foot.x + delta.0 * rise, foot.y + delta.1 * rise);
            let (below, above) = (self.room(at.at(z)), self.room(at.at(z + FLOOR_HEIGHT)));
            let free = self.is_shaft(floor, at) && !self.is_end(at) && !self.has_step(at);
            match rise {
                -1 => below == Some(room),
                7 => above.is_some() && above == self.landing_room(floor, foot, delta),
                6 => free,
                _ => free && below == Some(room),
            }
        })
    }

    /// The room in which a flight from `foot` would end.
    fn landing_room(&self, floor: i32, foot: Column, delta: (i32, i32)) -> Option<u32> {
        let at = Column::new(
            foot.x + delta.0 * FLOOR_HEIGHT,
            foot.y + delta.1 * FLOOR_HEIGHT,
        );
        self.room(at.at((floor + 1) * FLOOR_HEIGHT))
    }

    fn is_end(&self, at: Column) -> bool {
        self.nav_links
            .iter()
            .any(|nav_link| nav_link.from.column() == at || nav_link.to.column() == at)
    }

    fn has_step(&self, at: Column) -> bool {
        (0..self.n_floors * FLOOR_HEIGHT).any(|z| self.steps.contains_key(&at.at(z)))
    }

    /// From the lowest bridge to the hall: a drop, and a ladder to come back.
    fn leave_bridge(&mut self, rng: &mut Rng) {
        let mut places = Vec::new();
        for column in self.hall.columns() {
            let bridge = column.at(FLOOR_HEIGHT);
            if self.room(bridge).is_none() {
                continue;
            }
            for (dx, dy) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                let floor = Cell::new(column.x + dx, column.y + dy, 0);
                let over = Cell::new(floor.x, floor.y, FLOOR_HEIGHT);
                let in_hall = self.hall.contains(floor.column());
                if in_hall && self.room(floor).is_some() && self.room(over).is_none() {
                    places.push((bridge, floor));
                }
            }
        }
        rng.shuffle(&mut places);
        let mut places = places.into_iter();
        if let Some((bridge, floor)) = places.next() {
            self.add(NavLinkKind::Drop, bridge, floor, LinkState::Open);
        }
        if let Some((bridge, floor)) = places.next() {
            self.add(NavLinkKind::Ladder, floor, bridge, LinkState::Open);
        }
    }
}
