//! Doors: enough of them open that every room can be reached, some more that stand open or shut,
//! one that is locked, and the gate to the yard.

use wayfarer_base::collections::OrderedMap;
use wayfarer_base::{Cell, LinkState, NavLinkKind, Rng};

use super::{FLOOR_HEIGHT, Keep, NO_ROOM, Room, YARD};

/// Places for a door between two rooms: a cell of the one and the cell of the other beside it.
type Sides = Vec<(Cell, Cell)>;

impl Keep {
    /// Picks the room that will be locked: on the highest floor where all other rooms stay joined
    /// without it.
    pub(super) fn choose_vault(&mut self, rng: &mut Rng) {
        for floor in (0..self.n_floors).rev() {
            let borders = self.borders(floor);
            let mut rooms: Vec<Room> = borders
                .keys()
                .flat_map(|&(a, b)| [a, b])
                .filter(|room| *room != YARD && !self.bridges.contains(room))
                .filter(|&room| self.room(self.hall.low.at(0)) != Some(room))
                .collect();
            rooms.sort_unstable();
            rooms.dedup();
            rng.shuffle(&mut rooms);
            let spare = |&room: &Room| {
                let pairs = borders
                    .keys()
                    .filter(|pair| pair.0 != room && pair.1 != room);
                n_parts(rooms.iter().filter(|&&other| other != room), pairs.copied()) == 1
            };
            if let Some(room) = rooms.iter().copied().find(spare) {
                self.vault = room;
                return;
            }
        }
    }

    pub(super) fn hang_doors(&mut self, rng: &mut Rng) {
        for floor in 0..self.n_floors {
            let borders = self.borders(floor);
            let mut pairs: Vec<(Room, Room)> = borders.keys().copied().collect();
            rng.shuffle(&mut pairs);
            let mut joined = Joined::default();
            let mut vault_is_shut = false;
            let mut n_gates = 0;
            for pair in pairs {
                let sides = &borders[&pair];
                let has = |room: Room| pair.0 == room || pair.1 == room;
                let at_bridge = self.bridges.contains(&pair.0) || self.bridges.contains(&pair.1);
                if self.vault != NO_ROOM && has(self.vault) {
                    // One locked door, and not to the yard or a bridge.
                    if !vault_is_shut && !has(YARD) && !at_bridge {
                        self.hang(rng, sides, LinkState::Locked(1));
                        vault_is_shut = true;
                    }
                } else if has(YARD) {
                    // The gate, and a postern that is shut.
                    match n_gates {
                        0 => self.hang_gate(sides),
                        1 => self.hang(rng, sides, LinkState::Closed),
                        _ => {}
                    }
                    n_gates += 1;
                } else if joined.join(pair) || at_bridge {
                    self.hang(rng, sides, LinkState::Open);
                } else if rng.chance(1, 3) {
                    let gate = if rng.chance(1, 3) {
                        LinkState::Closed
                    } else {
                        LinkState::Open
                    };
                    self.hang(rng, sides, gate);
                }
            }
        }
    }

    /// A door somewhere along a border, not at its ends if it is long enough.
    fn hang(&mut self, rng: &mut Rng, sides: &Sides, gate: LinkState) {
        let margin = sides.len() / 4;
        if let Some(&(a, b)) = rng.pick(&sides[margin..sides.len() - margin]) {
            self.add(NavLinkKind::Door, a, b, gate);
        }
    }

    /// Two doors side by side in the middle of a border.
    fn hang_gate(&mut self, sides: &Sides) {
        let center = sides.len() / 2;
        for &(a, b) in sides.iter().skip(center).take(2) {
            self.add(NavLinkKind::Door, a, b, LinkState::Open);
        }
    }

    /// Where rooms of one floor lie wall to wall, floor beside floor.
    fn borders(&self, floor: i32) -> OrderedMap<(Room, Room), Sides> {
        let mut borders: OrderedMap<(Room, Room), Sides> = OrderedMap::new();
        for cell in self.floor_cells(floor) {
            let Some(room) = self.room(cell) else {
                continue;
            };
            for (dx, dy) in [(1, 0), (0, 1)] {
                let next = Cell::new(cell.x + dx, cell.y + dy, floor * FLOOR_HEIGHT);
                if let Some(other) = self.room(next).filter(|&other| other != room) {
                    let pair = (room.min(other), room.max(other));
                    borders.entry(pair).or_default().push((cell, next));
                }
            }
        }
        borders
    }
}

/// Which rooms are joined already.
#[derive(Default)]
struct Joined {
    leader: OrderedMap<Room, Room>,
}

impl Joined {
    fn find(&self, mut room: Room) -> Room {
        while let Some(&next) = self.leader.get(&room) {
            room = next;
        }
        room
    }

    /// Joins two rooms; false if they were joined before.
    fn join(&mut self, (a, b): (Room, Room)) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.leader.insert(a.max(b), a.min(b));
        }
        a != b
    }
}

/// How many parts `rooms` fall into if only these pairs are joined.
fn n_parts<'a>(
    rooms: impl Iterator<Item = &'a Room>,
    pairs: impl Iterator<Item = (Room, Room)>,
) -> usize {
    let mut joined = Joined::default();
    for pair in pairs {
        joined.join(pair);
    }
    let mut leaders: Vec<Room> = rooms.map(|&room| joined.find(room)).collect();
    leaders.sort_unstable();
    leaders.dedup();
    leaders.len()
}
