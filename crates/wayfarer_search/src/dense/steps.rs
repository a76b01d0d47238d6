//! The flat grid as a search space, with the neighbor pruning of jump point search but no jumps
//! \[Harabor2011\].
//!
//! # Pruned successors
//! After the step from p to x, the successor y of x is pruned if p has a path to y without x that is
//! * cheaper: y is p, lies beside p, or p reaches y by a diagonal or around the corner;
//! * equally cheap and ends straight: x to y is diagonal, p to x straight, and the diagonal from p
//!   followed by a straight step leads to y too.
//!
//! The search stays optimal. Take any y, and a cheapest path to it. Steps of the first kind lie on
//! no cheapest path. If some cheapest path to y ends with a straight step, that step is never
//! pruned. If all end with a diagonal step, none of these is of the second kind. So some neighbor
//! whose own g is optimal generates y at its optimal cost.
//!
//! On game maps two of eight successors remain on average, and a cell is rarely pushed twice.

use wayfarer_base::{Cell, Cost, Direction, Location};
use wayfarer_world::dense::{DenseGround, DenseLayout};

use crate::kernel::SearchSpace;

/// The grid as a search space: with the octile heuristic if `GUIDED`, else with none.
#[derive(Clone, Copy, Debug)]
pub(super) struct DenseSpace<'g, const GUIDED: bool> {
    moves: &'g [u8],
    layout: DenseLayout,
    /// The difference of cell numbers per direction.
    offsets: [u32; 8],
    goal: u32,
    goal_at: (i32, i32),
}

impl<'g, const GUIDED: bool> DenseSpace<'g, GUIDED> {
    /// The space of a search for `goal`, which must lie inside.
    pub(super) fn new(ground: &'g DenseGround, goal: Cell) -> Self {
        let layout = ground.layout();
        Self {
            moves: ground.moves(),
            layout,
            offsets: offsets(layout),
            goal: layout.index(goal.x, goal.y),
            goal_at: (goal.x, goal.y),
        }
    }
}

/// The difference of cell numbers per direction, wrapping.
pub(super) fn offsets(layout: DenseLayout) -> [u32; 8] {
    Direction::ALL.map(|direction| {
        let (dx, dy) = direction.offset();
        let stride = layout.stride().cast_signed();
        (dy * stride + dx).cast_unsigned()
    })
}

impl<const GUIDED: bool> SearchSpace for DenseSpace<'_, GUIDED> {
    const MAX_F_INCREASE: u32 = if GUIDED {
        2 * Cost::DIAGONAL.units()
    } else {
        Cost::DIAGONAL.units()
    };
    const MAX_SUCCESSORS: usize = 8;

    #[inline]
    fn n_nodes(&self) -> u32 {
        self.layout.n_cells()
    }

    #[inline]
    fn heuristic(&self, node: u32) -> u32 {
        if !GUIDED {
            return 0;
        }
        let (x, y) = self.layout.position(node);
        let (dx, dy) = (x.abs_diff(self.goal_at.0), y.abs_diff(self.goal_at.1));
        // Saturates only on a single row of nearly 2^28 cells, the most a layout can have.
        Cost::octile(dx, dy).units()
    }

    #[inline]
    fn is_goal(&self, node: u32) -> bool {
        node == self.goal
    }

    #[inline]
    fn for_each_successor(&self, node: u32, arrived: u8, mut take: impl FnMut(u32, u8, u32)) {
        let row = &UNPRUNED[usize::from(arrived.min(8))];
        let mut moves = row[usize::from(self.moves[node as usize])];
        while moves != 0 {
            let direction = moves.trailing_zeros() & 7;
            moves &= moves - 1;
            let next = node.wrapping_add(self.offsets[direction as usize]);
            take(next, direction as u8, STEP_COSTS[(direction & 1) as usize]);
        }
    }

    fn location(&self, node: u32) -> Location {
        Location::Cell(self.layout.cell(node))
    }
}

/// Costs of a straight and of a diagonal step.
const STEP_COSTS: [u32; 2] = [Cost::STRAIGHT.units(), Cost::DIAGONAL.units()];

/// The moves that survive pruning, by the direction of arrival (8 at the start) and the legal moves.
static UNPRUNED: [[u8; 256]; 9] = unpruned();

const fn unpruned() -> [[u8; 256]; 9] {
    let mut table = [[0; 256]; 9];
    let mut legal = 0_u8;
    loop {
        let mut arrived = 0;
        while arrived < 8 {
            table[arrived as usize][legal as usize] = legal & !pruned(arrived, legal);
            arrived += 1;
        }
        table[8][legal as usize] = legal;
        if legal == u8::MAX {
            return table;
        }
        legal += 1;
    }
}

/// The moves pruned after arriving in direction `arrived`, given the legal ones.
const fn pruned(arrived: u8, legal: u8) -> u8 {
    let back = arrived + 4;
    // The parent, and the cells on either side of it: one step from the parent, or two straight
    // ones after a diagonal.
    let behind = bit(back) | bit(back + 1) | bit(back + 7);
    // The cells to the left and right.
    let (left, right) = (arrived + 6, arrived + 2);
    if arrived % 2 == 1 {
        // Two straight steps lead there around the corner just cut.
        return behind | bit(left) | bit(right);
    }
    // From the parent one diagonal step leads to the side, and a diagonal and a straight one lead
    // ahead to the side, unless a wall beside the parent forbids the diagonal; then the diagonal
    // back past that wall is illegal too.
    let mut pruned = behind;
    if legal & bit(back + 1) != 0 {
        pruned |= bit(left) | bit(left + 1);
    }
    if legal & bit(back + 7) != 0 {
        pruned |= bit(right) | bit(right + 7);
    }
    pruned
}

const fn bit(direction: u8) -> u8 {
    1 << (direction % 8)
}

#[cfg(test)]
mod tests;
