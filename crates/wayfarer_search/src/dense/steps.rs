//! The steps of a flat map as the kernel wants them.
//!
//! A step is left out if the cell it leads to was offered a way at least as cheap when the cell
//! before this one was expanded, or is offered a cheaper one past the corner (after a diagonal
//! step). Such a step never improves anything that matters, so leaving it out changes neither
//! expansions nor paths; it halves the looks at the node table.

use wayfarer_base::{Cell, Cost, Direction, Place};
use wayfarer_world::dense::{DenseGround, Frame};

use crate::kernel::Steps;

/// The steps over a ground; towards a goal by octile distance if `AIMED`, else with no estimate.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroundSteps<'g, const AIMED: bool> {
    moves: &'g [u8],
    frame: Frame,
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
pub(super) fn offsets(frame: Frame) -> [u32; 8] {
    Direction::ALL.map(|direction| {
        let (dx, dy) = direction.offset();
        let stride = frame.stride().cast_signed();
        (dy * stride + dx).cast_unsigned()
    })
}

impl<const AIMED: bool> Steps for GroundSteps<'_, AIMED> {
    const RISE: u32 = if AIMED {
        2 * Cost::DIAGONAL.units()
    } else {
        Cost::DIAGONAL.units()
    };
    const MOST_STEPS: usize = 8;

    #[inline]
    fn n_nodes(&self) -> u32 {
        self.frame.n_cells()
    }

    #[inline]
    fn estimate(&self, node: u32) -> u32 {
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
    fn each(&self, node: u32, arrived: u8, mut take: impl FnMut(u32, u8, u32)) {
        let row = &USEFUL[usize::from(arrived.min(8))];
        let mut left = row[usize::from(self.moves[node as usize])];
        while left != 0 {
            let direction = left.trailing_zeros() & 7;
            left &= left - 1;
            let next = node.wrapping_add(self.offsets[direction as usize]);
            take(next, direction as u8, STEP_COSTS[(direction & 1) as usize]);
        }
    }

    fn place(&self, node: u32) -> Place {
        Place::Cell(self.frame.cell(node))
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
    // Straight back, and the cells on either side of where one came from: one step from there.
    let behind = bit(back) | bit(back + 1) | bit(back + 7);
    // The cells to the left and right of here.
    let (left, right) = (arrived + 6, arrived + 2);
    if arrived % 2 == 1 {
        // Two straight steps lead there past the corner that was just cut.
        return behind | bit(left) | bit(right);
    }
    // One diagonal step led there, unless a wall beside where one came from forbade it; then the
    // diagonal back past that wall is not legal either.
    let mut needless = behind;
    if legal & bit(back + 1) != 0 {
        needless |= bit(left);
    }
    if legal & bit(back + 7) != 0 {
        needless |= bit(right);
    }
    needless
}

const fn bit(direction: u8) -> u8 {
    1 << (direction % 8)
}
