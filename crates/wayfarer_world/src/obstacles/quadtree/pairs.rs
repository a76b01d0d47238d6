//! Overlapping pairs through the quadtree \[Guerrilla2013\]: all against all within each quad.

use wayfarer_base::Fixed;

use super::{ObstacleQuadtree, QuadId, SplitCriterion};
use crate::obstacles::{
    DiscAgent, ObstacleCategories, ObstaclePair, ObstaclePairScratch, ObstacleSet,
};

/// Quads with more obstacles are split.
const MAX_PER_QUAD: u32 = 8;
/// Quads are not split below this fraction of the largest obstacle.
const MIN_FRACTION: i32 = 4;

impl ObstacleQuadtree {
    /// All pairs of [`ObstacleSet::pairs`] whose AABBs overlap within the bounds, computed through
    /// this tree, which is reset: quads are split until at most 8 obstacles are in each, and a pair
    /// is reported by the quad that contains the low corner of the overlap. Several times slower
    /// than the grid; a baseline for comparison.
    pub fn pairs<'a>(
        &mut self,
        obstacles: &ObstacleSet,
        categories: ObstacleCategories,
        others: ObstacleCategories,
        scratch: &'a mut ObstaclePairScratch,
    ) -> &'a [ObstaclePair] {
        let largest = obstacles.grid.levels.iter().flat_map(|level| level.largest);
        let largest = largest.max().unwrap_or(1).max(MIN_FRACTION);
        let criterion = SplitCriterion {
            min_side: Fixed::from_raw(largest / MIN_FRACTION),
            max_side: Fixed::MAX,
            occupancy: MAX_PER_QUAD,
            diagonal: false,
        };
        let agent = DiscAgent {
            blocked_by: categories | others,
            ..DiscAgent::POINT
        };
        self.reset(obstacles, criterion, agent, ObstacleCategories::NONE);
        self.retains_lists = true;
        self.border = 0;
        let [columns, rows] = self.extent;
        let step = 1_usize << self.root_bits;
        scratch.clear();
        for y in (0..rows).step_by(step) {
            for x in (0..columns).step_by(step) {
                let mut stack = [0; 3 * super::MAX_DEPTH];
                let mut stack_len = 0;
                if let Some(root) = self.root(obstacles, x, y) {
                    stack[0] = root;
                    stack_len = 1;
                }
                while stack_len > 0 {
                    stack_len -= 1;
                    let id = stack[stack_len];
                    if self.resolve(id) == super::QuadState::Split {
                        let first = self.quads[id as usize].first_child;
                        for child in 0..4 {
                            stack[stack_len + child] = first + child as u32;
                        }
                        stack_len += 4;
                    } else {
                        self.pairs_within(obstacles, QuadId(id), categories, others, scratch);
                    }
                }
            }
        }
        obstacles.sort_pairs(scratch)
    }

    /// Reports the pairs whose overlap starts within a quad.
    fn pairs_within(
        &self,
        obstacles: &ObstacleSet,
        id: QuadId,
        categories: ObstacleCategories,
        others: ObstacleCategories,
        scratch: &mut ObstaclePairScratch,
    ) {
        let quad = &self.quads[id.index()];
        let (low, high) = self.corners(quad);
        // Quads at the low edges of the bounds also report overlaps that start before them.
        let begins_here = |axis: usize, begin: i32, end: i32| {
            (low[axis] <= begin || low[axis] == self.origin[axis])
                && begin < high[axis].min(self.limit[axis])
                && self.origin[axis] < end
        };
        let list = &self.lists[quad.list as usize..(quad.list + quad.n_list) as usize];
        for (i, first) in list.iter().enumerate() {
            let a = &obstacles.bodies[first.slot as usize];
            for second in &list[i + 1..] {
                let b = &obstacles.bodies[second.slot as usize];
                let matches = (a.categories & categories.bits() != 0
                    && b.categories & others.bits() != 0)
                    || (a.categories & others.bits() != 0 && b.categories & categories.bits() != 0);
                if matches
                    && (0..2).all(|axis| {
                        let (begin, end) =
                            (a.low[axis].max(b.low[axis]), a.high[axis].min(b.high[axis]));
                        begins_here(axis, begin, end)
                    })
                    && a.overlaps(b)
                {
                    scratch.push(first.slot, second.slot);
                }
            }
        }
    }
}
