//! Who overlaps whom, found as the paper has it: all against all within each space.

use wayfarer_base::Fixed;

use super::{Criterion, SpaceId, SpaceTree};
use crate::field::{Field, FieldAgent, Pair, PairScratch, TypeMask};

/// Spaces with more entities than this are cut.
const MOST_IN_A_SPACE: u32 = 8;
/// Spaces are not cut below a fourth of what the largest entities measure.
const SMALLEST_PART: i32 = 4;

impl SpaceTree {
    /// All pairs whose boxes overlap within the field, otherwise as [`Field::pairs`] gives them,
    /// through the spaces of this tree, which is reset: spaces are cut until at most 8 entities
    /// are in each, and a pair is told by the space that holds the corner where the boxes begin to
    /// overlap. Several times slower than through the grid; here to be compared with.
    pub fn pairs<'a>(
        &mut self,
        field: &Field,
        types: TypeMask,
        others: TypeMask,
        scratch: &'a mut PairScratch,
    ) -> &'a [Pair] {
        let largest = field.grid.levels.iter().flat_map(|level| level.largest);
        let largest = largest.max().unwrap_or(1).max(SMALLEST_PART);
        let criterion = Criterion {
            smallest: Fixed::from_raw(largest / SMALLEST_PART),
            largest: Fixed::MAX,
            occupancy: MOST_IN_A_SPACE,
            diagonal: false,
        };
        let agent = FieldAgent {
            blocked_by: types | others,
            ..FieldAgent::POINT
        };
        self.reset(field, criterion, agent, TypeMask::NONE);
        self.keeps_lists = true;
        self.rim = 0;
        let [columns, rows] = self.extent;
        let step = 1_usize << self.root_bits;
        scratch.begin();
        for y in (0..rows).step_by(step) {
            for x in (0..columns).step_by(step) {
                let mut waiting = [0; 3 * super::DEEPEST];
                let mut n_waiting = 0;
                if let Some(root) = self.root(field, x, y) {
                    waiting[0] = root;
                    n_waiting = 1;
                }
                while n_waiting > 0 {
                    n_waiting -= 1;
                    let id = waiting[n_waiting];
                    if self.known(id) == super::SpaceState::Cut {
                        let first = self.spaces[id as usize].quarters;
                        for quarter in 0..4 {
                            waiting[n_waiting + quarter] = first + quarter as u32;
                        }
                        n_waiting += 4;
                    } else {
                        self.pairs_within(field, SpaceId(id), types, others, scratch);
                    }
                }
            }
        }
        field.sort_pairs(scratch)
    }

    /// Tells the pairs whose overlap begins within a space.
    fn pairs_within(
        &self,
        field: &Field,
        id: SpaceId,
        types: TypeMask,
        others: TypeMask,
        scratch: &mut PairScratch,
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
            let a = &field.bodies[first.slot as usize];
            for second in &list[number + 1..] {
                let b = &field.bodies[second.slot as usize];
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
