//! Sums and minima over 16-bit lanes, in shapes that compile to vector instructions.

use super::super::min_plus::LANES;

/// 8 x 8 lanes, row by row.
pub(super) type Plane = [[u16; LANES]; LANES];
type Lanes = [u16; LANES];

/// The least of `plane[i][j] + costs[i]` over the rows in `active`, by column; saturating.
///
/// Not inlined, as the functions below: elsewhere lanes are taken apart again.
#[inline(never)]
pub(super) fn rows_plus(plane: &Plane, costs: &Lanes, mut active: u32) -> Lanes {
    let mut least = [u16::MAX; LANES];
    while active != 0 {
        let i = active.trailing_zeros() as usize % LANES;
        active &= active - 1;
        least = lesser(least, plus(plane[i], &[costs[i]; LANES]));
    }
    least
}

/// The highest of eight costs.
#[inline]
pub(super) fn highest_of(costs: &[i32; LANES]) -> i32 {
    let mut highest = *costs;
    for half in [4, 2, 1] {
        for i in 0..half {
            let difference = highest[i + half].wrapping_sub(highest[i]);
            highest[i] = highest[i].wrapping_add(difference & !(difference >> 31));
        }
    }
    highest[0]
}

/// The least of `plane[i][j] + costs[j]` over all columns, by row; saturating.
///
/// A tree of interleaved minima: each level halves the lanes that belong to a row, and rows end
/// where they began. 21 instructions where a reduction of each row takes a hundred.
#[inline(never)]
pub(super) fn columns_plus(plane: &Plane, costs: &Lanes) -> Lanes {
    // Not `map`, which stays a call.
    let row = |i: usize| plus(plane[i], costs);
    let (a, b) = (fold(row(0), row(4)), fold(row(1), row(5)));
    let (c, d) = (fold(row(2), row(6)), fold(row(3), row(7)));
    fold(fold(a, c), fold(b, d))
}

/// Minima of the halves of two rows, interleaved.
#[inline]
fn fold(a: Lanes, b: Lanes) -> Lanes {
    let low = [a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3]];
    let high = [a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7]];
    lesser(low, high)
}

#[inline]
fn lesser(mut a: Lanes, b: Lanes) -> Lanes {
    for (a, b) in a.iter_mut().zip(b) {
        *a = (*a).min(b);
    }
    a
}

#[inline]
fn plus(mut a: Lanes, b: &Lanes) -> Lanes {
    for (a, b) in a.iter_mut().zip(b) {
        *a = a.saturating_add(*b);
    }
    a
}

/// `best[i] = min(best[i], least + sums[i])`; false, with nothing done, if a sum is saturated.
#[inline(never)]
pub(super) fn lower(best: &mut [i32; LANES], sums: &Lanes, least: i32) -> bool {
    let mut is_saturated = 0;
    for sum in sums {
        is_saturated |= u16::from(*sum == u16::MAX);
    }
    if is_saturated != 0 {
        return false;
    }
    for (best, sum) in best.iter_mut().zip(sums) {
        // Without a branch, as baseline x86-64 has no minimum of 32-bit lanes.
        let difference = i32::from(*sum).wrapping_add(least).wrapping_sub(*best);
        *best = best.wrapping_add(difference & (difference >> 31));
    }
    true
}
