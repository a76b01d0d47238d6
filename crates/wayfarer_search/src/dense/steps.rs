//! The steps of a flat map as the kernel wants them.
//!
//! # Steps that are left out
//! After the step from p to x, a step from x to y is left out if p offers y without x
//! * a cheaper way: y is p, lies beside p, or is reached from p by a diagonal or past the corner;
//! * an equally cheap way whose last step is straight: x to y is diagonal, p to x straight, and
//!   the diagonal from p followed by a straight step leads to y too.
//!
//! No least cost is lost by that. Take any y, and a cheapest path to it. Steps of the first kind
//! lie on no cheapest path. If some cheapest path to y ends with a straight step, that step is never
//! left out. If all end with a diagonal step, none of these is of the second kind. So y is offered
//! its least cost by some neighbor that was, in turn, offered its own.
//!
//! On game maps this leaves about two steps per expansion instead of eight, and hardly any cell is
//! put on the open list twice.

use wayfarer_base::{Cell, Cost, Direction, Location};
use wayfarer_world::dense::{DenseGround, DenseLayout};

use crate::kernel::SearchSpace;

/// The steps over a ground; towards a goal by octile distance if `AIMED`, else with no estimate.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroundSteps<'g, const AIMED: bool> {
    moves: &'g [u8],
    frame: DenseLayout,
    /// What each direction adds to a cell's number.
    offsets: [u32; 8],
    goal: u32,
    goal_at: (i32, i32),
}

/// No cell has this number.
const NOWHERE: u32 = u32::MAX;

impl<'g, const AIMED: bool> GroundSteps<'g, AIMED> {
    /// Steps towards `goal`, which must lie inside; without one a search ends nowhere.
    pub(super) fn new(ground: &'g DenseGround, goal: Option<Cell>) -> Self {
        let frame = ground.frame();
        Self {
            moves: ground.moves(),
            frame,
            offsets: offsets(frame),
            goal: goal.map_or(NOWHERE, |goal| frame.number(goal.x, goal.y)),
            goal_at: goal.map_or((0, 0), |goal| (goal.x, goal.y)),
        }
    }
}

/// What each direction adds to a cell's number, wrapping.
pub(super) fn offsets(frame: DenseLayout) -> [u32; 8] {
    Direction::ALL.map(|direction| {
        let (dx, dy) = direction.offset();
        let stride = frame.stride().cast_signed();
        (dy * stride + dx).cast_unsigned()
    })
}

impl<const AIMED: bool> SearchSpace for GroundSteps<'_, AIMED> {
    const RISE: u32 = if AIMED {
        2 * Cost::DIAGONAL.units()
    } else {
        Cost::DIAGONAL.units()
    };
    const MAX_STEPS: usize = 8;

    #[inline]
    fn n_nodes(&self) -> u32 {
        self.frame.n_cells()
    }

    #[inline]
    fn heuristic(&self, node: u32) -> u32 {
        if !AIMED {
            return 0;
        }
        let (x, y) = self.frame.position(node);
        let (dx, dy) = (x.abs_diff(self.goal_at.0), y.abs_diff(self.goal_at.1));
        // A frame has fewer than 2^28 cells, but a single row of so many would run over.
        Cost::octile(dx, dy).units()
    }

    #[inline]
    fn is_goal(&self, node: u32) -> bool {
        node == self.goal
    }

    #[inline]
    fn for_each_successor(&self, node: u32, arrived: u8, mut take: impl FnMut(u32, u8, u32)) {
        let row = &USEFUL[usize::from(arrived.min(8))];
        let mut left = row[usize::from(self.moves[node as usize])];
        while left != 0 {
            let direction = left.trailing_zeros() & 7;
            left &= left - 1;
            let next = node.wrapping_add(self.offsets[direction as usize]);
            take(next, direction as u8, STEP_COSTS[(direction & 1) as usize]);
        }
    }

    fn location(&self, node: u32) -> Location {
        Location::Cell(self.frame.cell(node))
    }
}

/// Costs of a straight and of a diagonal step.
const STEP_COSTS: [u32; 2] = [Cost::STRAIGHT.units(), Cost::DIAGONAL.units()];

/// The moves worth a look, by the direction one arrived in (8 where the search began) and the
/// moves that are legal.
static USEFUL: [[u8; 256]; 9] = useful();

const fn useful() -> [[u8; 256]; 9] {
    let mut table = [[0; 256]; 9];
    let mut legal = 0_u8;
    loop {
        let mut arrived = 0;
        while arrived < 8 {
            table[arrived as usize][legal as usize] = legal & !needless(arrived, legal);
            arrived += 1;
        }
        table[8][legal as usize] = legal;
        if legal == u8::MAX {
            return table;
        }
        legal += 1;
    }
}

/// The moves that cannot pay after arriving in direction `arrived`, given the legal ones.
const fn needless(arrived: u8, legal: u8) -> u8 {
    let back = arrived + 4;
    // Straight back, and the cells on either side of where one came from: one step from there, or
    // two straight ones after a diagonal.
    let behind = bit(back) | bit(back + 1) | bit(back + 7);
    // The cells to the left and right of here.
    let (left, right) = (arrived + 6, arrived + 2);
    if arrived % 2 == 1 {
        // Two straight steps lead there past the corner that was just cut.
        return behind | bit(left) | bit(right);
    }
    // To the side one diagonal step led, and ahead to the side a diagonal and a straight one,
    // unless a wall beside where one came from forbade the diagonal; then the diagonal back past
    // that wall is not legal either.
    let mut needless = behind;
    if legal & bit(back + 1) != 0 {
        needless |= bit(left) | bit(left + 1);
    }
    if legal & bit(back + 7) != 0 {
        needless |= bit(right) | bit(right + 7);
    }
    needless
}

const fn bit(direction: u8) -> u8 {
    1 << (direction % 8)
}

#[cfg(test)]
mod tests;
