//! The last look around: whatever cannot be reached from the yard gets a door, or goes.

use wayfarer_base::collections::{OrderedMap, OrderedSet};
use wayfarer_base::{Cell, LinkDirection, LinkState, NavLinkKind};

use super::{FLOOR_HEIGHT, Keep, NO_ROOM};

/// What has been reached so far.
struct Reached {
    /// Floor by floor, as the keep's floors.
    floors: Vec<Vec<bool>>,
    steps: OrderedSet<Cell>,
}

const AROUND: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

impl Keep {
    /// Makes every cell reachable from the north-west corner of the yard, for whom has the key.
    pub(super) fn repair(&mut self) {
        let start = Cell::flat(0, 0);
        let mut reached = Reached {
            floors: self
                .floors
                .iter()
                .map(|floor| vec![false; floor.len()])
                .collect(),
            steps: OrderedSet::new(),
        };
        self.reach(start, &mut reached);
        while let Some((from, to)) = self.missing_door(&reached) {
            self.add(NavLinkKind::Door, from, to, LinkState::Open);
            self.reach(to, &mut reached);
        }
        for level in 0..self.n_floors {
            for cell in self.floor_cells(level) {
                if self.room(cell).is_some() && !self.is_reached(&reached, cell) {
                    self.set_room(cell, NO_ROOM);
                }
            }
        }
        self.steps.retain(|cell, _| reached.steps.contains(cell));
    }

    /// Adds all that can be reached from `start`; doors must be open or locked, not shut.
    fn reach(&self, start: Cell, reached: &mut Reached) {
        let mut successors: OrderedMap<Cell, Vec<Cell>> = OrderedMap::new();
        for nav_link in &self.nav_links {
            if nav_link.state != LinkState::Closed {
                successors
                    .entry(nav_link.from)
                    .or_default()
                    .push(nav_link.to);
                if nav_link.direction == LinkDirection::Bidirectional {
                    successors
                        .entry(nav_link.to)
                        .or_default()
                        .push(nav_link.from);
                }
            }
        }
        let mut stack = vec![start];
        while let Some(cell) = stack.pop() {
            if self.room(cell).is_none() || !self.mark(reached, cell) {
                continue;
            }
            stack.extend(successors.get(&cell).into_iter().flatten());
            for (dx, dy) in AROUND {
                if let Some(next) = self.beside(cell, dx, dy)
                    && !self.is_walled(cell, next)
                {
                    stack.push(next);
                }
            }
        }
    }

    /// Where a cell on a floor is kept: its floor and its place there.
    fn place(&self, cell: Cell) -> Option<(usize, usize)> {
        let floor = usize::try_from(cell.z / FLOOR_HEIGHT).ok()?;
        self.index(cell.column())
            .filter(|_| cell.z % FLOOR_HEIGHT == 0 && floor < self.floors.len())
            .map(|index| (floor, index))
    }

    fn is_reached(&self, reached: &Reached, cell: Cell) -> bool {
        match self.place(cell) {
            Some((floor, index)) => reached.floors[floor][index],
            None => reached.steps.contains(&cell),
        }
    }

    /// Marks a cell as reached; false if it was before.
    fn mark(&self, reached: &mut Reached, cell: Cell) -> bool {
        match self.place(cell) {
            Some((floor, index)) => !std::mem::replace(&mut reached.floors[floor][index], true),
            None => reached.steps.insert(cell),
        }
    }

    /// A wall with a reached floor on one side and an unreached one on the other, not the vault's.
    fn missing_door(&self, reached: &Reached) -> Option<(Cell, Cell)> {
        (0..self.n_floors)
            .flat_map(|floor| self.floor_cells(floor))
            .filter(|&cell| self.room(cell).is_some() && !self.is_reached(reached, cell))
            .flat_map(|cell| {
                AROUND.map(|(dx, dy)| (Cell::new(cell.x + dx, cell.y + dy, cell.z), cell))
            })
            .find(|(from, to)| {
                let vault = [*from, *to].map(|cell| self.room(cell) == Some(self.vault));
                self.is_reached(reached, *from) && vault == [false, false]
            })
    }
}
