//! Sums and minima over lanes, in shapes that compile to vector instructions.
//!
//! Functions are not inlined where elsewhere their lanes would be taken apart again.

use super::super::min_plus::{INFINITE, LANES};

/// 8 x 8 lanes, row by row.
pub(super) type Plane = [[u16; LANES]; LANES];
/// 16-bit lanes.
pub(super) type Lanes = [u16; LANES];

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

/// `best[j] = min(best[j], least + plane[i][j] + rows[i][j])` over the rows i in `active`; `rows` has
/// the same number in all lanes of a row. If some sum saturates, does nothing and returns the sums.
#[inline(never)]
pub(super) fn lower_by_rows(
    best: &mut [i32; LANES],
    plane: &Plane,
    (rows, mut active): (&[Lanes; LANES], u32),
    least: i32,
) -> Option<Lanes> {
    let mut sums = [u16::MAX; LANES];
    // Over bits: a loop of fixed length would be taken apart by columns.
    while active != 0 {
        let i = active.trailing_zeros() as usize % LANES;
        active &= active - 1;
        sums = lesser(sums, plus(plane[i], &rows[i]));
    }
    lower(best, sums, least)
}

/// `best[i] = min(best[i], least + plane[i][j] + costs[j])` over all columns j. If some sum
/// saturates, does nothing and returns the sums.
///
/// A tree of interleaved minima: each level halves the lanes that belong to a row, and rows end
/// where they began. 21 instructions where a reduction of each row takes a hundred.
#[inline(never)]
pub(super) fn lower_by_columns(
    best: &mut [i32; LANES],
    plane: &Plane,
    costs: &Lanes,
    least: i32,
) -> Option<Lanes> {
    // Not `map`, which stays a call.
    let row = |i: usize| plus(plane[i], costs);
    let (a, b) = (fold(row(0), row(4)), fold(row(1), row(5)));
    let (c, d) = (fold(row(2), row(6)), fold(row(3), row(7)));
    lower(best, fold(fold(a, c), fold(b, d)), least)
}

/// `best[j] = min(best[j], row[j] + cost)`, where the highest number stands for no path.
#[inline]
pub(super) fn lower_own(best: &mut [i32; LANES], row: &Lanes, cost: i32) {
    for (best, low) in best.iter_mut().zip(row) {
        let low = i32::from(*low);
        // All bits set for no path, else none.
        let no_path = -((low + 1) >> 16);
        lower_lane(best, low.wrapping_add(cost) | no_path & INFINITE);
    }
}

/// `best[j] = min(best[j], entry[j] + cost)` for one row of a tile of two planes.
#[inline]
pub(super) fn lower_by_wide_row(best: &mut [i32; LANES], low: &Lanes, high: &Lanes, cost: i32) {
    for (best, (low, high)) in best.iter_mut().zip(low.iter().zip(high)) {
        let entry = i32::from(*high) << 16 | i32::from(*low);
        lower_lane(best, entry.wrapping_add(cost));
    }
}

/// `best[i] = min(best[i], entry[i][j] + costs[j])` over all columns j of a tile of two planes.
#[inline(never)]
pub(super) fn lower_by_wide_columns(
    best: &mut [i32; LANES],
    low: &Plane,
    high: &Plane,
    costs: &[i32; LANES],
) {
    for (best, (low, high)) in best.iter_mut().zip(low.iter().zip(high)) {
        let mut sums = *costs;
        for (sum, (low, high)) in sums.iter_mut().zip(low.iter().zip(high)) {
            *sum = sum.wrapping_add(i32::from(*high) << 16 | i32::from(*low));
        }
        for half in [4, 2, 1] {
            for i in 0..half {
                let other = sums[i + half];
                lower_lane(&mut sums[i], other);
            }
        }
        lower_lane(best, sums[0]);
    }
}

/// `best[i] = min(best[i], least + sums[i])`; nothing, if a sum is saturated.
#[inline]
fn lower(best: &mut [i32; LANES], sums: Lanes, least: i32) -> Option<Lanes> {
    let mut is_saturated = 0;
    for sum in &sums {
        is_saturated |= u16::from(*sum == u16::MAX);
    }
    if is_saturated != 0 {
        return Some(sums);
    }
    for (best, sum) in best.iter_mut().zip(sums) {
        lower_lane(best, i32::from(sum).wrapping_add(least));
    }
    None
}

/// `best = min(best, sum)` without a branch, as baseline x86-64 has no minimum of 32-bit lanes.
#[inline]
fn lower_lane(best: &mut i32, sum: i32) {
    let difference = sum.wrapping_sub(*best);
    *best = best.wrapping_add(difference & (difference >> 31));
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
