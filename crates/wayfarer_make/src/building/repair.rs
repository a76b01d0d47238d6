//! Reachability repair: flood fill from the yard; an unreachable room gets a door or is removed.

use wayfarer_base::collections::{OrderedMap, OrderedSet};
use wayfarer_base::{Cell, LinkDirection, LinkState, NavLinkKind};

use super::{Building, FLOOR_HEIGHT, NO_ROOM};

/// The reached cells.
struct Reached {
    /// Indexed like [`Building::floors`].
    floors: Vec<Vec<bool>>,
    steps: OrderedSet<Cell>,
}

const OFFSETS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

impl Building {
    /// Makes every cell reachable from the north-west corner of the yard for an agent with the key.
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
        self.flood_fill(start, &mut reached);
        while let Some((from, to)) = self.missing_door(&reached) {
            self.add(NavLinkKind::Door, from, to, LinkState::Open);
            self.flood_fill(to, &mut reached);
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

    /// Marks all cells reachable from `start` through open and locked doors.
    fn flood_fill(&self, start: Cell, reached: &mut Reached) {
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
            for (dx, dy) in OFFSETS {
                if let Some(next) = self.neighbor(cell, dx, dy)
                    && !self.is_walled(cell, next)
                {
                    stack.push(next);
                }
            }
        }
    }

    /// Floor and index of a cell at the height of a floor.
    fn slot(&self, cell: Cell) -> Option<(usize, usize)> {
        let floor = usize::try_from(cell.z / FLOOR_HEIGHT).ok()?;
        self.index(cell.column())
            .filter(|_| cell.z % FLOOR_HEIGHT == 0 && floor < self.floors.len())
            .map(|index| (floor, index))
    }

    fn is_reached(&self, reached: &Reached, cell: Cell) -> bool {
        match self.slot(cell) {
            Some((floor, index)) => reached.floors[floor][index],
            None => reached.steps.contains(&cell),
        }
    }

    /// Marks a cell as reached; false if it already was.
    fn mark(&self, reached: &mut Reached, cell: Cell) -> bool {
        match self.slot(cell) {
            Some((floor, index)) => !std::mem::replace(&mut reached.floors[floor][index], true),
            None => reached.steps.insert(cell),
        }
    }

    /// A wall between a reached and an unreached cell, not of the vault.
    fn missing_door(&self, reached: &Reached) -> Option<(Cell, Cell)> {
        (0..self.n_floors)
            .flat_map(|floor| self.floor_cells(floor))
            .filter(|&cell| self.room(cell).is_some() && !self.is_reached(reached, cell))
            .flat_map(|cell| {
                OFFSETS.map(|(dx, dy)| (Cell::new(cell.x + dx, cell.y + dy, cell.z), cell))
            })
            .find(|(from, to)| {
                let is_vault = [*from, *to].map(|cell| self.room(cell) == Some(self.vault));
                self.is_reached(reached, *from) && is_vault == [false, false]
            })
    }
}
