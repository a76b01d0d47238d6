//! The shadows of thin walls and closed doors in a field of view.

use super::super::opacity_grid::{Bits, Walls};
use super::{Slope, ceiling, floor};

/// The rows of a quarter of the view, with the thin walls between them and in them.
pub(super) struct Rows<'a> {
    pub(super) walls: &'a Walls,
    /// The eye's row, and its column.
    pub(super) along: usize,
    pub(super) across: usize,
    /// 1 if rows ahead have larger numbers, else -1.
    pub(super) sign: i32,
}

impl Rows<'_> {
    /// The number of a row; `None` outside.
    fn row(&self, ahead: i32) -> Option<usize> {
        let by = isize::try_from(self.sign * ahead).ok()?;
        self.along.checked_add_signed(by)
    }

    /// The row whose walls [beyond](Walls::beyond) stand on the near edge of row `ahead`.
    fn edge(&self, ahead: i32) -> Option<usize> {
        Some(self.row(ahead)?.min(self.row(ahead - 1)?))
    }

    fn has(&self, bits: &Bits, row: Option<usize>, over: i32) -> bool {
        let place = isize::try_from(over).ok();
        let column = place.and_then(|place| self.across.checked_add_signed(place));
        matches!((column, row), (Some(column), Some(row)) if bits.has(column, row))
    }

    /// The walls of a row from `low` to `high`, counted from the eye.
    fn each(&self, bits: &Bits, row: usize, low: i32, high: i32) -> impl Iterator<Item = i32> {
        let place = |over: i32| {
            let by = isize::try_from(over).unwrap_or(isize::MAX);
            self.across.saturating_add_signed(by)
        };
        let across = self.across;
        let ones = bits.ones(row, place(low), place(high));
        ones.map(move |column| {
            i32::try_from(column.wrapping_sub(across).cast_signed()).unwrap_or(i32::MAX)
        })
    }

    /// Takes away what walls on the near edge of row `ahead` hide.
    pub(super) fn cross(
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
            let last = (ceiling(high, ahead) + 1).min(far);
            let end = |over: i32| Slope {
                over,
                ahead: 2 * ahead - 1,
            };
            let dark = self.each(&self.walls.beyond, edge, first, last);
            let dark = dark.map(|over| (end(2 * over - 1), end(2 * over + 1)));
            darken((low, high), dark, spare);
        }
        std::mem::swap(lit, spare);
    }

    /// Takes away what walls inside row `ahead` hide, and every direction that is barred at a
    /// corner of its near edge.
    pub(super) fn pass(
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
            let last = (ceiling(high, ahead) + 1).min(ahead - 1);
            let dark = self.each(&self.walls.between, row, first, last);
            // Of two walls the one to the left casts its whole shadow to the left of the other's.
            let dark = dark.map(|over| {
                let end = |ahead: i32| Slope {
                    over: 2 * over + 1,
                    ahead,
                };
                let (near, far) = (end(2 * ahead - 1), end(2 * ahead + 1));
                if over < 0 { (near, far) } else { (far, near) }
            });
            darken((low, high), dark, spare);
        }
        // Where both ways around a corner are barred, it is dark on both sides of it.
        spare.retain(|&(low, high)| high.is_above(low) || !self.bar(ahead, low));
        std::mem::swap(lit, spare);
    }

    /// True if a direction runs through a corner of the near edge of row `ahead` around which
    /// walls bar both ways.
    pub(super) fn bar(&self, ahead: i32, slope: Slope) -> bool {
        // Twice the column where it crosses that edge.
        let over = i64::from(slope.over) * i64::from(2 * ahead - 1);
        let by = i64::from(slope.ahead);
        let (twice, rest) = (over.div_euclid(by), over.rem_euclid(by));
        if rest != 0 || twice.rem_euclid(2) == 0 {
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

/// Adds what open intervals, from left to right, leave of a lit one.
#[inline]
fn darken(
    (low, high): (Slope, Slope),
    dark: impl Iterator<Item = (Slope, Slope)>,
    left: &mut Vec<(Slope, Slope)>,
) {
    let mut from = low;
    for (dark_low, dark_high) in dark {
        if !dark_high.is_above(from) {
            continue;
        }
        if !high.is_above(dark_low) {
            break;
        }
        if !from.is_above(dark_low) {
            left.push((from, dark_low));
        }
        from = dark_high;
        if from.is_above(high) {
            return;
        }
    }
    left.push((from, high));
}
