//! How far a search looks at first. On large grounds nobody looks along an avenue to the world's
//! end to find the way to the next corner.
//!
//! A search there guesses what its way costs at most, the *ceiling*. Whoever goes beyond the fence
//! and on to the goal pays more, so nothing beyond is looked for. If the way that is found costs no
//! more than the ceiling, all places beyond the fence would have come later: it is the way that is
//! found without a fence, cell by cell. Else the search begins again without one.

#![expect(
    clippy::cast_possible_truncation,
    reason = "clamped to the numbers of columns"
)]

use wayfarer_base::Cost;

use super::goal_heuristic::{GoalHeuristic, octile};

/// Cells within which a way of some cost stays.
#[derive(Clone, Copy, Debug)]
pub(super) struct CostFence {
    low: (i32, i32),
    high: (i32, i32),
    goal: (i32, i32),
    /// What the way costs at most, from where one looks.
    most: u64,
}

impl CostFence {
    /// Around everything.
    pub(super) const NOWHERE: Self = Self {
        low: (i32::MIN, i32::MIN),
        high: (i32::MAX, i32::MAX),
        goal: (0, 0),
        most: u64::MAX,
    };

    /// Around all paths from a cell at `from` to the goal that cost at most so much.
    pub(super) fn around(from: (i32, i32), aim: &GoalHeuristic, most: u64) -> Self {
        let n_cells = (most / u64::from(Cost::STRAIGHT.units())).cast_signed();
        // A way that leads so far beyond both ends leads there and back.
        let range = |a: i32, b: i32| {
            let (low, high) = (i64::from(a.min(b)), i64::from(a.max(b)));
            let beyond = (n_cells - (high - low)).max(0) / 2 + 1;
            let column = |at: i64| at.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
            (column(low - beyond), column(high + beyond))
        };
        let (x, y) = (range(from.0, aim.x), range(from.1, aim.y));
        Self {
            low: (x.0, y.0),
            high: (x.1, y.1),
            goal: (aim.x, aim.y),
            most,
        }
    }

    /// Cells from (x, y) to the fence in a straight direction: north, east, south, west are 0, 2,
    /// 4, 6.
    #[inline]
    pub(super) fn n_cells(&self, to: u8, x: i32, y: i32) -> u32 {
        let (from, until) = match to {
            0 => (self.low.1, y),
            2 => (x, self.high.0),
            4 => (y, self.high.1),
            _ => (self.low.0, x),
        };
        let n_cells = (i64::from(until) - i64::from(from)).max(0).unsigned_abs();
        n_cells.min(u32::MAX.into()) as u32
    }

    /// True if a way over (x, y), which is come to at `cost`, is too costly.
    #[inline]
    pub(super) fn is_beyond(&self, x: i32, y: i32, cost: u64) -> bool {
        if self.most == u64::MAX {
            return false;
        }
        let (wide, high) = (x.abs_diff(self.goal.0), y.abs_diff(self.goal.1));
        cost + octile(wide.into(), high.into()) > self.most
    }
}
