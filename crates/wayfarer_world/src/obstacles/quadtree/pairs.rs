//! Who overlaps whom, found as the paper has it: all against all within each space.

use wayfarer_base::Fixed;

use super::{ObstacleQuadtree, QuadId, SplitCriterion};
use crate::obstacles::{
    DiscAgent, ObstacleCategories, ObstaclePair, ObstaclePairScratch, ObstacleSet,
};

/// Spaces with more obstacles than this are cut.
const MAX_IN_A_SPACE: u32 = 8;
/// Spaces are not cut below a fourth of what the largest obstacles measure.
const MIN_PART: i32 = 4;

impl ObstacleQuadtree {
    /// All pairs whose boxes overlap within the field, otherwise as [`ObstacleSet::pairs`] gives them,
    /// through the spaces of this tree, which is reset: spaces are cut until at most 8 obstacles
    /// are in each, and a pair is told by the space that holds the corner where the boxes begin to
    /// overlap. Several times slower than through the grid; here to be compared with.
    pub fn pairs<'a>(
        &mut self,
        obstacles: &ObstacleSet,
        types: ObstacleCategories,
        others: ObstacleCategories,
        scratch: &'a mut ObstaclePairScratch,
    ) -> &'a [ObstaclePair] {
        let largest = obstacles.grid.levels.iter().flat_map(|level| level.largest);
        let largest = largest.max().unwrap_or(1).max(MIN_PART);
        let criterion = SplitCriterion {
            smallest: Fixed::from_raw(largest / MIN_PART),
            largest: Fixed::MAX,
            occupancy: MAX_IN_A_SPACE,
            diagonal: false,
        };
        let agent = DiscAgent {
            blocked_by: types | others,
            ..DiscAgent::POINT
        };
        self.reset(obstacles, criterion, agent, ObstacleCategories::NONE);
        self.keeps_lists = true;
        self.border = 0;
        let [columns, rows] = self.extent;
        let step = 1_usize << self.root_bits;
        scratch.begin();
        for y in (0..rows).step_by(step) {
            for x in (0..columns).step_by(step) {
                let mut waiting = [0; 3 * super::MAX_DEPTH];
                let mut n_waiting = 0;
                if let Some(root) = self.root(obstacles, x, y) {
                    waiting[0] = root;
                    n_waiting = 1;
                }
                while n_waiting > 0 {
                    n_waiting -= 1;
                    let id = waiting[n_waiting];
                    if self.known(id) == super::QuadState::Cut {
                        let first = self.spaces[id as usize].quarters;
                        for quarter in 0..4 {
                            waiting[n_waiting + quarter] = first + quarter as u32;
                        }
                        n_waiting += 4;
                    } else {
                        self.pairs_within(obstacles, QuadId(id), types, others, scratch);
                    }
                }
            }
        }
        obstacles.sort_pairs(scratch)
    }

    /// Tells the pairs whose overlap begins within a space.
    fn pairs_within(
        &self,
        obstacles: &ObstacleSet,
        id: QuadId,
        types: ObstacleCategories,
        others: ObstacleCategories,
        scratch: &mut ObstaclePairScratch,
    ) {
        let space = &self.spaces[id.index()];
        let (low, high) = self.corners(space);
        // Spaces at the field's near edges answer for what begins before it.
        let begins_here = |axis: usize, begin: i32, end: i32| {
            (low[axis] <= begin || low[axis] == self.origin[axis])
                && begin < high[axis].min(self.far[axis])
                && self.origin[axis] < end
        };
        let list = &self.lists[space.list as usize..(space.list + space.n_list) as usize];
        for (number, first) in list.iter().enumerate() {
            let a = &obstacles.bodies[first.slot as usize];
            for second in &list[number + 1..] {
                let b = &obstacles.bodies[second.slot as usize];
                let wanted = (a.types & types.bits() != 0 && b.types & others.bits() != 0)
                    || (a.types & others.bits() != 0 && b.types & types.bits() != 0);
                if wanted
                    && (0..2).all(|axis| {
                        let (begin, end) =
                            (a.low[axis].max(b.low[axis]), a.high[axis].min(b.high[axis]));
                        begins_here(axis, begin, end)
                    })
                    && a.overlaps(b)
                {
                    scratch.note(first.slot, second.slot);
                }
            }
        }
    }
}
