//! Doors: a random spanning tree of open doors per floor, extra open and closed doors, one locked
//! door, and the gate to the yard.

use wayfarer_base::collections::OrderedMap;
use wayfarer_base::{Cell, LinkState, NavLinkKind, Rng};

use super::{Building, FLOOR_HEIGHT, NO_ROOM, Room, YARD};

/// The border of two rooms: pairs of adjacent cells.
type Border = Vec<(Cell, Cell)>;

impl Building {
    /// Picks the vault: a room on the highest floor whose other rooms stay connected without it.
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
            let is_removable = |&room: &Room| {
                let pairs = borders
                    .keys()
                    .filter(|pair| pair.0 != room && pair.1 != room);
                n_components(rooms.iter().filter(|&&other| other != room), pairs.copied()) == 1
            };
            if let Some(room) = rooms.iter().copied().find(is_removable) {
                self.vault = room;
                return;
            }
        }
    }

    pub(super) fn add_doors(&mut self, rng: &mut Rng) {
        for floor in 0..self.n_floors {
            let borders = self.borders(floor);
            let mut pairs: Vec<(Room, Room)> = borders.keys().copied().collect();
            rng.shuffle(&mut pairs);
            let mut connected = UnionFind::default();
            let mut has_vault_door = false;
            let mut n_gates = 0;
            for pair in pairs {
                let border = &borders[&pair];
                let contains = |room: Room| pair.0 == room || pair.1 == room;
                let has_bridge = self.bridges.contains(&pair.0) || self.bridges.contains(&pair.1);
                if self.vault != NO_ROOM && contains(self.vault) {
                    // One locked door, not to the yard or a bridge.
                    if !has_vault_door && !contains(YARD) && !has_bridge {
                        self.add_door(rng, border, LinkState::Locked(1));
                        has_vault_door = true;
                    }
                } else if contains(YARD) {
                    // The gate, and a closed postern.
                    match n_gates {
                        0 => self.add_gate(border),
                        1 => self.add_door(rng, border, LinkState::Closed),
                        _ => {}
                    }
                    n_gates += 1;
                } else if connected.union(pair) || has_bridge {
                    self.add_door(rng, border, LinkState::Open);
                } else if rng.chance(1, 3) {
                    let state = if rng.chance(1, 3) {
                        LinkState::Closed
                    } else {
                        LinkState::Open
                    };
                    self.add_door(rng, border, state);
                }
            }
        }
    }

    /// Adds a door at a random position of a border, away from its ends if it is long enough.
    fn add_door(&mut self, rng: &mut Rng, border: &Border, state: LinkState) {
        let margin = border.len() / 4;
        if let Some(&(a, b)) = rng.pick(&border[margin..border.len() - margin]) {
            self.add(NavLinkKind::Door, a, b, state);
        }
    }

    /// Adds two adjacent doors at the center of a border.
    fn add_gate(&mut self, border: &Border) {
        let center = border.len() / 2;
        for &(a, b) in border.iter().skip(center).take(2) {
            self.add(NavLinkKind::Door, a, b, LinkState::Open);
        }
    }

    /// The borders of all adjacent rooms of a floor.
    fn borders(&self, floor: i32) -> OrderedMap<(Room, Room), Border> {
        let mut borders: OrderedMap<(Room, Room), Border> = OrderedMap::new();
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

/// Union-find over rooms.
#[derive(Default)]
struct UnionFind {
    parent: OrderedMap<Room, Room>,
}

impl UnionFind {
    fn find(&self, mut room: Room) -> Room {
        while let Some(&next) = self.parent.get(&room) {
            room = next;
        }
        room
    }

    /// Merges the sets of two rooms; false if they were equal.
    fn union(&mut self, (a, b): (Room, Room)) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.parent.insert(a.max(b), a.min(b));
        }
        a != b
    }
}

/// Number of components of `rooms` with edges `pairs`.
fn n_components<'a>(
    rooms: impl Iterator<Item = &'a Room>,
    pairs: impl Iterator<Item = (Room, Room)>,
) -> usize {
    let mut connected = UnionFind::default();
    for pair in pairs {
        connected.union(pair);
    }
    let mut roots: Vec<Room> = rooms.map(|&room| connected.find(room)).collect();
    roots.sort_unstable();
    roots.dedup();
    roots.len()
}
