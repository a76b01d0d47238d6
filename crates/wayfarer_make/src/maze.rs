//! Mazes: every junction is reached by one way only, or, braided, dead ends are opened to loops.

use wayfarer_base::{Column, Rect, Rng};

use crate::Recipe;
use crate::carving_grid::{Board, GROUND};

/// The junctions of a maze and which neighbors each is joined with.
pub(crate) struct Plan {
    corridor: i32,
    n_x: u32,
    n_y: u32,
    /// A bit for each of the four paths that are open; 0 until visited.
    openings: Vec<u8>,
}

/// Ways to go on, as [`Plan::step`] takes them.
pub(crate) const EAST: u8 = 1;
pub(crate) const SOUTH: u8 = 2;
/// North, east, south, west.
const PATHS: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// Draws a maze.
pub(crate) fn dig(recipe: &Recipe, board: &mut Board) {
    let mut plan = Plan::new(board, recipe.corridor);
    plan.carve(&mut recipe.rng(1));
    plan.braid(&mut recipe.rng(2), recipe.braid);
    plan.draw(board);
}

/// How many corridors fit side by side with walls around them, and where the first begins.
fn junctions(side: i32, corridor: i32) -> (u32, i32) {
    let count = ((side - 1) / (corridor + 1)).max(1);
    let used = count * (corridor + 1) - 1;
    (count.cast_unsigned(), ((side - used) / 2).max(0))
}

impl Plan {
    /// As many junctions as fit on the board, none joined.
    pub(crate) fn new(board: &Board, corridor: u32) -> Self {
        let corridor = corridor.cast_signed();
        let (n_x, _) = junctions(board.width(), corridor);
        let (n_y, _) = junctions(board.height(), corridor);
        Self {
            corridor,
            n_x,
            n_y,
            openings: vec![0; n_x as usize * n_y as usize],
        }
    }

    /// Junctions side by side in x and y.
    pub(crate) const fn size(&self) -> (u32, u32) {
        (self.n_x, self.n_y)
    }

    /// Digs every junction and every way that is open.
    pub(crate) fn draw(&self, board: &mut Board) {
        let (corridor, pitch) = (self.corridor, self.corridor + 1);
        let (_, west) = junctions(board.width(), corridor);
        let (_, north) = junctions(board.height(), corridor);
        for (index, &openings) in (0..).zip(&self.openings) {
            let (x, y) = self.place(index);
            let low = Column::new(
                west + x.cast_signed() * pitch,
                north + y.cast_signed() * pitch,
            );
            // The corridor's square, and the openings to the east and the south.
            let reach = |direction: u8| corridor - 1 + i32::from(openings >> direction & 1);
            let to = |dx, dy| Rect::around(low, Column::new(low.x + dx, low.y + dy));
            board.fill(to(reach(EAST), corridor - 1), GROUND);
            board.fill(to(corridor - 1, reach(SOUTH)), GROUND);
        }
    }

    /// Opens the way from junction (`x`, `y`), if there is another that way.
    pub(crate) fn step(&mut self, x: u32, y: u32, direction: u8) {
        self.open(y * self.n_x + x, direction);
    }

    fn place(&self, index: u32) -> (u32, u32) {
        (index % self.n_x, index / self.n_x)
    }

    /// The next junction that way, if there is one.
    fn next(&self, index: u32, direction: u8) -> Option<u32> {
        let (x, y) = self.place(index);
        let (dx, dy) = PATHS[usize::from(direction)];
        let (x, y) = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
        (x < self.n_x && y < self.n_y).then_some(y * self.n_x + x)
    }

    fn open(&mut self, index: u32, direction: u8) {
        if let Some(next) = self.next(index, direction) {
            self.openings[index as usize] |= 1 << direction;
            self.openings[next as usize] |= 1 << ((direction + 2) % 4);
        }
    }

    /// Walks on to unvisited neighbors and back when stuck, until all are visited.
    fn carve(&mut self, rng: &mut Rng) {
        let count = self.n_x * self.n_y;
        let mut at = rng.below(count);
        // Only the paths taken are kept, one byte each: the maze may be large.
        let mut trail: Vec<u8> = Vec::new();
        let mut n_visited = 1;
        while n_visited < count {
            let free = (0..4).filter(|&direction| {
                self.next(at, direction)
                    .is_some_and(|next| self.openings[next as usize] == 0)
            });
            let free: [Option<u8>; 4] = collect(free);
            let n_free = free.iter().flatten().count();
            let choice = rng.below(u32::try_from(n_free).unwrap_or(0)) as usize;
            let direction = if let Some(direction) = free[choice] {
                self.open(at, direction);
                trail.push(direction);
                n_visited += 1;
                direction
            } else {
                let taken = trail
                    .pop()
                    .expect("unvisited junctions lie beside the trail");
                (taken + 2) % 4
            };
            at = self.next(at, direction).expect("the way was open");
        }
    }

    /// Opens one wall more at `share` per cent of the dead ends.
    fn braid(&mut self, rng: &mut Rng, share: u32) {
        if share == 0 {
            return;
        }
        for index in 0..self.n_x * self.n_y {
            let openings = self.openings[index as usize];
            if openings.count_ones() == 1 && rng.chance(share, 100) {
                let shut = (0..4).filter(|&direction| {
                    openings >> direction & 1 == 0 && self.next(index, direction).is_some()
                });
                let shut: [Option<u8>; 4] = collect(shut);
                let n_shut = shut.iter().flatten().count();
                let choice = rng.below(u32::try_from(n_shut).unwrap_or(0)) as usize;
                if let Some(direction) = shut[choice] {
                    self.open(index, direction);
                }
            }
        }
    }
}

/// Up to four paths, without a place on the heap.
fn collect(openings: impl Iterator<Item = u8>) -> [Option<u8>; 4] {
    let mut found = [None; 4];
    for (slot, direction) in found.iter_mut().zip(openings) {
        *slot = Some(direction);
    }
    found
}
