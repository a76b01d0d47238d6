//! Mazes by depth-first search (recursive backtracker): a perfect maze is a spanning tree of the
//! junctions; braiding opens dead ends into loops. One byte per junction.

use wayfarer_base::{Column, Rect, Rng};

use crate::Recipe;
use crate::carving_grid::{CarvingGrid, GROUND};

/// The junction graph of a maze.
pub(crate) struct JunctionGrid {
    corridor: i32,
    n_x: u32,
    n_y: u32,
    /// A bit per open direction; 0 until visited.
    openings: Vec<u8>,
}

/// Direction indices for [`JunctionGrid::open_from`].
pub(crate) const EAST: u8 = 1;
pub(crate) const SOUTH: u8 = 2;
/// North, east, south, west.
const OFFSETS: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// Carves a maze.
pub(crate) fn dig(recipe: &Recipe, grid: &mut CarvingGrid) {
    let mut junctions = JunctionGrid::new(grid, recipe.corridor);
    junctions.carve(&mut recipe.rng(1));
    junctions.braid(&mut recipe.rng(2), recipe.braid);
    junctions.draw(grid);
}

/// The number of corridors with walls that fit side by side, and the first cell.
fn layout(side: i32, corridor: i32) -> (u32, i32) {
    let count = ((side - 1) / (corridor + 1)).max(1);
    let used = count * (corridor + 1) - 1;
    (count.cast_unsigned(), ((side - used) / 2).max(0))
}

impl JunctionGrid {
    /// As many junctions as fit on the grid, without openings.
    pub(crate) fn new(grid: &CarvingGrid, corridor: u32) -> Self {
        let corridor = corridor.cast_signed();
        let (n_x, _) = layout(grid.width(), corridor);
        let (n_y, _) = layout(grid.height(), corridor);
        Self {
            corridor,
            n_x,
            n_y,
            openings: vec![0; n_x as usize * n_y as usize],
        }
    }

    /// Number of junctions in x and y.
    pub(crate) const fn size(&self) -> (u32, u32) {
        (self.n_x, self.n_y)
    }

    /// Carves all junctions and openings.
    pub(crate) fn draw(&self, grid: &mut CarvingGrid) {
        let (corridor, pitch) = (self.corridor, self.corridor + 1);
        let (_, west) = layout(grid.width(), corridor);
        let (_, north) = layout(grid.height(), corridor);
        for (index, &openings) in (0..).zip(&self.openings) {
            let (x, y) = self.position(index);
            let low = Column::new(
                west + x.cast_signed() * pitch,
                north + y.cast_signed() * pitch,
            );
            // The square of the junction, extended by the openings to the east and south.
            let extent = |direction: u8| corridor - 1 + i32::from(openings >> direction & 1);
            let to = |dx, dy| Rect::around(low, Column::new(low.x + dx, low.y + dy));
            grid.fill(to(extent(EAST), corridor - 1), GROUND);
            grid.fill(to(corridor - 1, extent(SOUTH)), GROUND);
        }
    }

    /// Opens junction (`x`, `y`) towards its neighbor in `direction`, if there is one.
    pub(crate) fn open_from(&mut self, x: u32, y: u32, direction: u8) {
        self.open(y * self.n_x + x, direction);
    }

    fn position(&self, index: u32) -> (u32, u32) {
        (index % self.n_x, index / self.n_x)
    }

    /// The adjacent junction in `direction`, if there is one.
    fn neighbor(&self, index: u32, direction: u8) -> Option<u32> {
        let (x, y) = self.position(index);
        let (dx, dy) = OFFSETS[usize::from(direction)];
        let (x, y) = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
        (x < self.n_x && y < self.n_y).then_some(y * self.n_x + x)
    }

    fn open(&mut self, index: u32, direction: u8) {
        if let Some(next) = self.neighbor(index, direction) {
            self.openings[index as usize] |= 1 << direction;
            self.openings[next as usize] |= 1 << ((direction + 2) % 4);
        }
    }

    /// Depth-first search over all junctions in random order.
    fn carve(&mut self, rng: &mut Rng) {
        let count = self.n_x * self.n_y;
        let mut at = rng.below(count);
        // The stack stores directions, one byte each.
        let mut stack: Vec<u8> = Vec::new();
        let mut n_visited = 1;
        while n_visited < count {
            let unvisited = (0..4).filter(|&direction| {
                self.neighbor(at, direction)
                    .is_some_and(|next| self.openings[next as usize] == 0)
            });
            let unvisited: [Option<u8>; 4] = collect(unvisited);
            let n_unvisited = unvisited.iter().flatten().count();
            let choice = rng.below(u32::try_from(n_unvisited).unwrap_or(0)) as usize;
            let direction = if let Some(direction) = unvisited[choice] {
                self.open(at, direction);
                stack.push(direction);
                n_visited += 1;
                direction
            } else {
                let taken = stack
                    .pop()
                    .expect("unvisited junctions are adjacent to the stack");
                (taken + 2) % 4
            };
            at = self.neighbor(at, direction).expect("the direction is open");
        }
    }

    /// Opens one more wall at `percent` of the dead ends.
    fn braid(&mut self, rng: &mut Rng, percent: u32) {
        if percent == 0 {
            return;
        }
        for index in 0..self.n_x * self.n_y {
            let openings = self.openings[index as usize];
            if openings.count_ones() == 1 && rng.chance(percent, 100) {
                let closed = (0..4).filter(|&direction| {
                    openings >> direction & 1 == 0 && self.neighbor(index, direction).is_some()
                });
                let closed: [Option<u8>; 4] = collect(closed);
                let n_closed = closed.iter().flatten().count();
                let choice = rng.below(u32::try_from(n_closed).unwrap_or(0)) as usize;
                if let Some(direction) = closed[choice] {
                    self.open(index, direction);
                }
            }
        }
    }
}

/// Collects up to four directions without allocation.
fn collect(directions: impl Iterator<Item = u8>) -> [Option<u8>; 4] {
    let mut found = [None; 4];
    for (slot, direction) in found.iter_mut().zip(directions) {
        *slot = Some(direction);
    }
    found
}
