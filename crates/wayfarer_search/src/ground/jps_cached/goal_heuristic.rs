//! Where a search leads, and what the rest of the way there costs at least.

use wayfarer_base::{Cost, Direction};
use wayfarer_world::ground::Ground;

use super::super::jps::Query;
use super::successor_scan::open_run;

/// How much costlier than the cheapest a way may be; the search is the quicker for it.
///
/// The estimate of the rest of the way is taken that many times. Places are looked at again where
/// a cheaper way to them is found later, so at any time the open list holds a place of a cheapest
/// way, come to as cheaply as can be; its total is no more than the weight times what that way
/// costs, and the place that ends the search has the lowest total of all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct HeuristicWeight(u16);

impl HeuristicWeight {
    const SHIFT: u32 = 10;
    /// Not costlier at all.
    pub const ONE: Self = Self(1 << Self::SHIFT);
    /// At most 1126/1024 times the cheapest, which is a little less than 1.10.
    pub const BOUNDED: Self = Self(1126);

    /// The weight in 1/1024: from 1024, which is exact, up to 65535.
    pub const fn from_1024ths(parts: u16) -> Option<Self> {
        if parts < Self::ONE.0 {
            return None;
        }
        Some(Self(parts))
    }

    /// The weight in 1/1024.
    pub const fn to_1024ths(self) -> u16 {
        self.0
    }

    /// What is left of a way, so many times, rounded down.
    #[inline]
    pub(super) fn weigh(self, rest: u64) -> u64 {
        (rest * u64::from(self.0)) >> Self::SHIFT
    }
}

/// Where a search leads, and the cells from where one can walk straight there.
#[derive(Clone, Copy, Debug)]
pub(super) struct GoalHeuristic {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) weight: HeuristicWeight,
    row: (i32, i32),
    column: (i32, i32),
    /// The longest of the four paths straight to the goal, in cells.
    longest: i64,
    /// True if one of them was not looked along to its end.
    pub(super) is_cut: bool,
}

impl GoalHeuristic {
    /// Of a search that never was.
    pub(super) const NOWHERE: Self = Self {
        x: 0,
        y: 0,
        weight: HeuristicWeight::ONE,
        row: (0, 0),
        column: (0, 0),
        longest: 0,
        is_cut: false,
    };

    /// Where the query leads; cells more than `most` from the goal are not looked at.
    pub(super) fn of(ground: &Ground, query: &Query, weight: HeuristicWeight, most: u32) -> Self {
        let sheet = ground.bits(query.goal);
        let goal = ground.cell(query.goal);
        let (in_x, in_y) = (query.goal.x_in_sector(), query.goal.y_in_sector());
        let (mut row, mut column) = ((1, 0), (1, 0));
        let (mut longest, mut is_cut) = (0, false);
        if sheet.is_uniform() {
            let mut run = |to| {
                let length = open_run(sheet, (in_x, in_y), to, most);
                longest = longest.max(i64::from(length));
                is_cut |= length.cast_unsigned() > most;
                length
            };
            row = (goal.x - run(Direction::West), goal.x + run(Direction::East));
            column = (
                goal.y - run(Direction::North),
                goal.y + run(Direction::South),
            );
        }
        Self {
            x: goal.x,
            y: goal.y,
            weight,
            row,
            column,
            longest,
            is_cut,
        }
    }

    /// A lower bound of the rest of the way.
    #[inline]
    pub(super) fn rest(&self, x: i32, y: i32) -> u32 {
        Cost::octile(x.abs_diff(self.x), y.abs_diff(self.y)).units()
    }

    /// The same, however much that is.
    #[inline(always)]
    pub(super) fn straight(&self, x: i32, y: i32) -> u64 {
        let (wide, high) = self.apart(x, y);
        octile(wide.unsigned_abs(), high.unsigned_abs())
    }

    #[inline(always)]
    fn apart(&self, x: i32, y: i32) -> (i64, i64) {
        let wide = i64::from(x) - i64::from(self.x);
        (wide, i64::from(y) - i64::from(self.y))
    }

    /// What is left of the way, times the weight, rounded down.
    #[inline]
    pub(super) fn weigh(&self, rest: u64) -> u64 {
        self.weight.weigh(rest)
    }

    /// What a way costs at least, given what it cost so far and what is left of it as
    /// [`GoalHeuristic::weigh`] gave it; as a number for [`GoalHeuristic::units`], in the same order.
    #[inline]
    pub(super) fn unweighed(&self, cost: u32, weighed: u32) -> u64 {
        let weight = u64::from(self.weight.0);
        u64::from(cost) * weight + (u64::from(weighed) << HeuristicWeight::SHIFT)
    }

    /// The units of what [`GoalHeuristic::unweighed`] gave. Weighing is one to one, as no weight is below
    /// 1, and rounds down, so this rounds up.
    pub(super) fn units(&self, unweighed: u64) -> u32 {
        let units = unweighed.div_ceil(u64::from(self.weight.0));
        u32::try_from(units).unwrap_or(u32::MAX)
    }

    /// False if the goal cannot be seen from (x, y): quicker than to be sure.
    #[inline(always)]
    pub(super) fn may_be_seen_from(&self, x: i32, y: i32) -> bool {
        let (wide, high) = self.apart(x, y);
        (wide.abs() - high.abs()).abs() <= self.longest
    }

    /// True if a way diagonally and then straight leads from (x, y) to the goal, given how far
    /// the diagonals lead. None is shorter.
    #[inline]
    pub(super) fn is_seen_from(&self, x: i32, y: i32, diagonal: impl Fn(usize) -> u32) -> bool {
        let (wide, high) = (x.abs_diff(self.x), y.abs_diff(self.y));
        let n_diagonal = wide.min(high);
        let (is_east, is_south) = (x < self.x, y < self.y);
        let quarter = match (is_east, is_south) {
            (true, false) => 0,
            (true, true) => 1,
            (false, true) => 2,
            (false, false) => 3,
        };
        let n_cells = n_diagonal.cast_signed();
        let is_in_line = if wide >= high {
            let turn = if is_east { x + n_cells } else { x - n_cells };
            self.row.0 <= turn && turn <= self.row.1
        } else {
            let turn = if is_south { y + n_cells } else { y - n_cells };
            self.column.0 <= turn && turn <= self.column.1
        };
        is_in_line && n_diagonal <= diagonal(quarter)
    }
}

/// As [`Cost::octile`], in units, for lengths below 2^33: nothing to clamp.
#[inline(always)]
pub(super) fn octile(wide: u64, high: u64) -> u64 {
    const STRAIGHT: u64 = Cost::STRAIGHT.units() as u64;
    /// What a step across costs more than a straight one.
    const MORE: u64 = Cost::DIAGONAL.units() as u64 - STRAIGHT;
    (wide + high) * MORE + wide.max(high) * (STRAIGHT - MORE)
}
