//! Shadows of thin walls and closed doors in a field of view.

use super::super::opacity_grid::{Bits, Walls};
use super::{Slope, ceil, floor};

/// The thin walls of a quadrant, by rows ahead of the eye.
pub(super) struct Rows<'a> {
    pub(super) walls: &'a Walls,
    /// Row and column of the eye.
    pub(super) along: usize,
    pub(super) across: usize,
    /// 1 if row numbers increase ahead, else -1.
    pub(super) sign: i32,
}

impl Rows<'_> {
    /// The number of a row; `None` out of bounds.
    fn row(&self, ahead: i32) -> Option<usize> {
        let by = isize::try_from(self.sign * ahead).ok()?;
        self.along.checked_add_signed(by)
    }

    /// The row whose walls [beyond](Walls::beyond) stand on the near edge of row `ahead`.
    fn edge(&self, ahead: i32) -> Option<usize> {
        Some(self.row(ahead)?.min(self.row(ahead - 1)?))
    }

    fn has(&self, bits: &Bits, row: Option<usize>, over: i32) -> bool {
        let by = isize::try_from(over).ok();
        let column = by.and_then(|by| self.across.checked_add_signed(by));
        matches!((column, row), (Some(column), Some(row)) if bits.has(column, row))
    }

    /// The walls of a row from `low` to `high`, relative to the eye.
    fn walls_in(&self, bits: &Bits, row: usize, low: i32, high: i32) -> impl Iterator<Item = i32> {
        let column = |over: i32| {
            let by = isize::try_from(over).unwrap_or(isize::MAX);
            self.across.saturating_add_signed(by)
        };
        let across = self.across;
        let ones = bits.ones(row, column(low), column(high));
        ones.map(move |column| {
            i32::try_from(column.wrapping_sub(across).cast_signed()).unwrap_or(i32::MAX)
        })
    }

    /// Removes the shadows of walls on the near edge of row `ahead`.
    pub(super) fn shade_edge(
        &self,
        ahead: i32,
        lit: &mut Vec<(Slope, Slope)>,
        spare: &mut Vec<(Slope, Slope)>,
    ) {
        let Some(edge) = self.edge(ahead) else {
            return;
        };
        let far = ahead - 1;
        spare.clear();
        for &(low, high) in lit.iter() {
            let first = (floor(low, ahead) - 1).max(-far);
            let last = (ceil(high, ahead) + 1).min(far);
            let end = |over: i32| Slope {
                over,
                ahead: 2 * ahead - 1,
            };
            let shadows = self.walls_in(&self.walls.beyond, edge, first, last);
            let shadows = shadows.map(|over| (end(2 * over - 1), end(2 * over + 1)));
            subtract((low, high), shadows, spare);
        }
        std::mem::swap(lit, spare);
    }

    /// Removes the shadows of walls inside row `ahead`, and every single slope that is blocked at
    /// a corner of its near edge.
    pub(super) fn shade_row(
        &self,
        ahead: i32,
        lit: &mut Vec<(Slope, Slope)>,
        spare: &mut Vec<(Slope, Slope)>,
    ) {
        let Some(row) = self.row(ahead) else {
            return;
        };
        spare.clear();
        for &(low, high) in lit.iter() {
            let first = (floor(low, ahead) - 2).max(-ahead);
            let last = (ceil(high, ahead) + 1).min(ahead - 1);
            let shadows = self.walls_in(&self.walls.between, row, first, last);
            // Shadows are ordered as their walls.
            let shadows = shadows.map(|over| {
                let end = |ahead: i32| Slope {
                    over: 2 * over + 1,
                    ahead,
                };
                let (near, far) = (end(2 * ahead - 1), end(2 * ahead + 1));
                if over < 0 { (near, far) } else { (far, near) }
            });
            subtract((low, high), shadows, spare);
        }
        // Blocked corners have shadows on both sides, so only single slopes run through them.
        spare.retain(|&(low, high)| high.is_above(low) || !self.blocks_corner(ahead, low));
        std::mem::swap(lit, spare);
    }

    /// True if a slope runs through a corner of the near edge of row `ahead` and walls block both
    /// paths around it.
    pub(super) fn blocks_corner(&self, ahead: i32, slope: Slope) -> bool {
        // Twice the column where the slope crosses that edge.
        let over = i64::from(slope.over) * i64::from(2 * ahead - 1);
        let by = i64::from(slope.ahead);
        let (twice, remainder) = (over.div_euclid(by), over.rem_euclid(by));
        if remainder != 0 || twice.rem_euclid(2) == 0 {
            return false;
        }
        let Ok(left) = i32::try_from((twice - 1) / 2) else {
            return false;
        };
        let Walls { between, beyond } = self.walls;
        let before = self.has(between, self.row(ahead - 1), left);
        let after = self.has(between, self.row(ahead), left);
        let edge = self.edge(ahead);
        let (low, high) = (
            self.has(beyond, edge, left),
            self.has(beyond, edge, left + 1),
        );
        if slope.over > 0 {
            (before || high) && (low || after)
        } else {
            (before || low) && (high || after)
        }
    }
}

/// Pushes a closed interval minus open ones, which come from left to right.
#[inline]
fn subtract(
    (low, high): (Slope, Slope),
    shadows: impl Iterator<Item = (Slope, Slope)>,
    remaining: &mut Vec<(Slope, Slope)>,
) {
    let mut from = low;
    for (shadow_low, shadow_high) in shadows {
        if !shadow_high.is_above(from) {
            continue;
        }
        if !high.is_above(shadow_low) {
            break;
        }
        if !from.is_above(shadow_low) {
            remaining.push((from, shadow_low));
        }
        from = shadow_high;
        if from.is_above(high) {
            return;
        }
    }
    remaining.push((from, high));
}
