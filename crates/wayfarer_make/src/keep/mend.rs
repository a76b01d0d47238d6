//! The last look around: whatever cannot be reached from the yard gets a door, or goes.

use wayfarer_base::collections::{OrderedMap, OrderedSet};
use wayfarer_base::{Cell, LinkDirection, LinkState, NavLinkKind};

use super::{Keep, NO_ROOM, STOREY};

/// What has been reached so far.
struct Reached {
    /// Storey by storey, as the keep's floors.
    floors: Vec<Vec<bool>>,
    steps: OrderedSet<Cell>,
}

const AROUND: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

impl Keep {
    /// Makes every cell reachable from the north-west corner of the yard, for whom has the key.
    pub(super) fn mend(&mut self) {
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
        for storey in 0..self.n_storeys {
            for cell in self.storey_cells(storey) {
                if self.room(cell).is_some() && !self.is_reached(&reached, cell) {
                    self.set_room(cell, NO_ROOM);
                }
            }
        }
        self.steps.retain(|cell, _| reached.steps.contains(cell));
    }

    /// Adds all that can be reached from `start`; doors must be open or locked, not shut.
    fn reach(&self, start: Cell, reached: &mut Reached) {
        let mut ways: OrderedMap<Cell, Vec<Cell>> = OrderedMap::new();
        for way in &self.passages {
            if way.state != LinkState::Closed {
                ways.entry(way.from).or_default().push(way.to);
                if way.direction == LinkDirection::Bidirectional {
                    ways.entry(way.to).or_default().push(way.from);
                }
            }
        }
        let mut stack = vec![start];
        while let Some(cell) = stack.pop() {
            if self.room(cell).is_none() || !self.mark(reached, cell) {
                continue;
            }
            stack.extend(ways.get(&cell).into_iter().flatten());
            for (dx, dy) in AROUND {
                if let Some(next) = self.beside(cell, dx, dy)
                    && !self.is_walled(cell, next)
                {
                    stack.push(next);
                }
            }
        }
    }

    /// Where a cell on a storey is kept: its storey and its place there.
    fn place(&self, cell: Cell) -> Option<(usize, usize)> {
        let storey = usize::try_from(cell.z / STOREY).ok()?;
        self.index(cell.column())
            .filter(|_| cell.z % STOREY == 0 && storey < self.floors.len())
            .map(|index| (storey, index))
    }

    fn is_reached(&self, reached: &Reached, cell: Cell) -> bool {
        match self.place(cell) {
            Some((storey, index)) => reached.floors[storey][index],
            None => reached.steps.contains(&cell),
        }
    }

    /// Marks a cell as reached; false if it was before.
    fn mark(&self, reached: &mut Reached, cell: Cell) -> bool {
        match self.place(cell) {
            Some((storey, index)) => !std::mem::replace(&mut reached.floors[storey][index], true),
            None => reached.steps.insert(cell),
        }
    }

    /// A wall with a reached floor on one side and an unreached one on the other, not the vault's.
    fn missing_door(&self, reached: &Reached) -> Option<(Cell, Cell)> {
        (0..self.n_storeys)
            .flat_map(|storey| self.storey_cells(storey))
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
