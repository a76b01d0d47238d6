//! The goal of a search: octile lower bound, heuristic weight, and the cells from which a
//! diagonal-first path over uniform ground leads to it.

use wayfarer_base::{Cost, Direction};
use wayfarer_world::ground::ProfileGround;

use super::super::jps::Query;
use super::successor_scan::open_run;

/// Factor on the heuristic: weighted A\* \[Pohl1970\]. A path costs at most this factor times the
/// optimum, and the search expands fewer nodes.
///
/// The search reopens nodes. So the open list always holds a node of an optimal path with its
/// optimal g; its f is at most the weight times the optimal cost, and the node that ends the search
/// has the lowest f of all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct HeuristicWeight(u16);

impl HeuristicWeight {
    const SHIFT: u32 = 10;
    /// Optimal paths.
    pub const ONE: Self = Self(1 << Self::SHIFT);
    /// At most 1126/1024 times the optimum, a little less than 1.10.
    pub const BOUNDED: Self = Self(1126);

    /// The weight in 1/1024: from 1024, which is optimal, up to 65535; `None` below.
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

    /// The weighted heuristic, rounded down.
    #[inline]
    pub(super) fn weigh(self, h: u64) -> u64 {
        (h * u64::from(self.0)) >> Self::SHIFT
    }
}

/// The goal, and the walkable runs of its row and column.
#[derive(Clone, Copy, Debug)]
pub(super) struct GoalHeuristic {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) weight: HeuristicWeight,
    /// First and last x of its run in the row, first and last y of that in the column.
    row: (i32, i32),
    column: (i32, i32),
    /// The longest straight run to the goal, in cells.
    longest: i64,
    /// True if a run was not scanned to its end.
    pub(super) is_cut: bool,
}

impl GoalHeuristic {
    /// Before the first search.
    pub(super) const UNSET: Self = Self {
        x: 0,
        y: 0,
        weight: HeuristicWeight::ONE,
        row: (0, 0),
        column: (0, 0),
        longest: 0,
        is_cut: false,
    };

    /// The goal of a query; runs are scanned up to `max_length` cells, by whole sheets.
    pub(super) fn new(
        ground: ProfileGround<'_>,
        query: &Query,
        weight: HeuristicWeight,
        max_length: u32,
    ) -> Self {
        let sheet = ground.bits(query.goal);
        let goal = ground.cell(query.goal);
        let (in_x, in_y) = (query.goal.x_in_sector(), query.goal.y_in_sector());
        let (mut row, mut column) = ((1, 0), (1, 0));
        let (mut longest, mut is_cut) = (0, false);
        if sheet.is_uniform() {
            let mut run = |direction| {
                let length = open_run(sheet, (in_x, in_y), direction, max_length);
                longest = longest.max(i64::from(length));
                is_cut |= length.cast_unsigned() > max_length;
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

    /// Octile distance to the goal.
    #[inline]
    pub(super) fn h(&self, x: i32, y: i32) -> u32 {
        Cost::octile(x.abs_diff(self.x), y.abs_diff(self.y)).units()
    }

    /// The same without saturation.
    #[inline(always)]
    pub(super) fn wide_h(&self, x: i32, y: i32) -> u64 {
        let (wide, high) = self.offset(x, y);
        octile(wide.unsigned_abs(), high.unsigned_abs())
    }

    #[inline(always)]
    fn offset(&self, x: i32, y: i32) -> (i64, i64) {
        let wide = i64::from(x) - i64::from(self.x);
        (wide, i64::from(y) - i64::from(self.y))
    }

    /// The weighted heuristic, rounded down.
    #[inline]
    pub(super) fn weigh(&self, h: u64) -> u64 {
        self.weight.weigh(h)
    }

    /// The lower bound g + h of a node whose weighted heuristic is `weighted`, scaled by the
    /// weight; see [`GoalHeuristic::unscale`].
    #[inline]
    pub(super) fn scaled_lower_bound(&self, g: u32, weighted: u32) -> u64 {
        let weight = u64::from(self.weight.0);
        u64::from(g) * weight + (u64::from(weighted) << HeuristicWeight::SHIFT)
    }

    /// A scaled lower bound in units of `Cost`. Weighing is injective, as no weight is below 1,
    /// and rounds down, so this rounds up.
    pub(super) fn unscale(&self, scaled: u64) -> u32 {
        let units = scaled.div_ceil(u64::from(self.weight.0));
        u32::try_from(units).unwrap_or(u32::MAX)
    }

    /// False if the goal is not visible from (x, y); a cheap test before
    /// [`GoalHeuristic::is_visible_from`].
    #[inline(always)]
    pub(super) fn may_be_visible_from(&self, x: i32, y: i32) -> bool {
        let (wide, high) = self.offset(x, y);
        (wide.abs() - high.abs()).abs() <= self.longest
    }

    /// True if the diagonal-first path from (x, y) to the goal is walkable, given the lengths of
    /// the diagonals by quadrant. It costs h, so it is optimal.
    #[inline]
    pub(super) fn is_visible_from(&self, x: i32, y: i32, diagonal: impl Fn(usize) -> u32) -> bool {
        let (wide, high) = (x.abs_diff(self.x), y.abs_diff(self.y));
        let n_diagonal = wide.min(high);
        let (is_east, is_south) = (x < self.x, y < self.y);
        let quadrant = match (is_east, is_south) {
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
        is_in_line && n_diagonal <= diagonal(quadrant)
    }
}

/// As [`Cost::octile`], in units and without saturation, for lengths below 2^33.
#[inline(always)]
pub(super) fn octile(wide: u64, high: u64) -> u64 {
    const STRAIGHT: u64 = Cost::STRAIGHT.units() as u64;
    /// Surplus of a diagonal step over a straight one.
    const MORE: u64 = Cost::DIAGONAL.units() as u64 - STRAIGHT;
    (wide + high) * MORE + wide.max(high) * (STRAIGHT - MORE)
}
