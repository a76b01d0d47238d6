//! Bounds of the scans of one search on large grounds: without them a scan along an open row
//! crosses the world to expand a node near the goal.
//!
//! The search assumes an upper bound of the f of its path. Any path that leaves the fence costs
//! more, so scans end there. If the path found costs no more than the bound, every node beyond the
//! fence would have been popped later, and the result equals that of an unfenced search, cell by
//! cell. Otherwise the search restarts with twice the bound, and finally with none.

#![expect(
    clippy::cast_possible_truncation,
    reason = "clamped to the range of columns"
)]

use wayfarer_base::Cost;

use super::goal_heuristic::{GoalHeuristic, octile};

/// The columns that paths of a bounded cost from one node to the goal cannot leave.
#[derive(Clone, Copy, Debug)]
pub(super) struct CostFence {
    low: (i32, i32),
    high: (i32, i32),
    goal: (i32, i32),
    /// Upper bound of the cost from the node to the goal.
    max_cost: u64,
}

impl CostFence {
    /// No fence.
    pub(super) const UNBOUNDED: Self = Self {
        low: (i32::MIN, i32::MIN),
        high: (i32::MAX, i32::MAX),
        goal: (0, 0),
        max_cost: u64::MAX,
    };

    /// Around all paths from a column to the goal that cost at most `max_cost`.
    pub(super) fn new(from: (i32, i32), goal: &GoalHeuristic, max_cost: u64) -> Self {
        let n_cells = (max_cost / u64::from(Cost::STRAIGHT.units())).cast_signed();
        // A path beyond both ends goes there and back.
        let range = |a: i32, b: i32| {
            let (low, high) = (i64::from(a.min(b)), i64::from(a.max(b)));
            let beyond = (n_cells - (high - low)).max(0) / 2 + 1;
            let column = |at: i64| at.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
            (column(low - beyond), column(high + beyond))
        };
        let (x, y) = (range(from.0, goal.x), range(from.1, goal.y));
        Self {
            low: (x.0, y.0),
            high: (x.1, y.1),
            goal: (goal.x, goal.y),
            max_cost,
        }
    }

    /// Cells from (x, y) to the fence in a straight direction: 0 north, 2 east, 4 south, 6 west.
    #[inline]
    pub(super) fn distance(&self, direction: u8, x: i32, y: i32) -> u32 {
        let (from, until) = match direction {
            0 => (self.low.1, y),
            2 => (x, self.high.0),
            4 => (y, self.high.1),
            _ => (self.low.0, x),
        };
        let n_cells = (i64::from(until) - i64::from(from)).max(0).unsigned_abs();
        n_cells.min(u32::MAX.into()) as u32
    }

    /// True if every path over (x, y), at `cost` from the node, exceeds the bound.
    #[inline]
    pub(super) fn is_beyond(&self, x: i32, y: i32, cost: u64) -> bool {
        if self.max_cost == u64::MAX {
            return false;
        }
        let (wide, high) = (x.abs_diff(self.goal.0), y.abs_diff(self.goal.1));
        cost + octile(wide.into(), high.into()) > self.max_cost
    }
}
