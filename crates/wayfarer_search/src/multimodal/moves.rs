//! The moves between voxels and which of them a search may leave out.
//!
//! Where moves between free voxels cost the same everywhere, a move from a voxel is left out if from the
//! voxel before it another move or pair of moves leads to the same end, all voxels that they need are free,
//! and they cost less, or as much with a last move along fewer axes: the natural and forced neighbors of
//! \[Harabor2011\], in space. Every optimal path then has an optimal path without such a pair, since the
//! exchange of equals ends: the last move spans fewer axes each time.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "small numbers in compile-time tables"
)]

use crate::air::voxel_astar::MOVES;

/// All voxels around one are free: a bit for each of 3 x 3 x 3, x first.
pub(super) const ALL_FREE: u32 = (1 << 27) - 1;
/// All moves.
pub(super) const ALL_MOVES: u32 = (1 << 26) - 1;
/// No move: the start, or a voxel reached by an air link.
pub(super) const NO_MOVE: u8 = 26;
/// The voxel was reached by a take-off from the floor under it.
pub(super) const TAKE_OFF: u8 = 27;

/// Alternatives to a pair of moves, at most.
const N_ALTERNATIVES: usize = 4;
/// A set of voxels that is never free.
const NEVER: u32 = 1 << 31;

/// For a move to a voxel and one from it, sets of voxels around it; if all of a set are free, the second
/// move may be left out.
static ALTERNATIVES: [[[u32; N_ALTERNATIVES]; 26]; 26] = alternatives();
/// For a move to a voxel, the moves from it that are never left out.
static NATURAL: [u32; 26] = natural();

/// The moves from a voxel, as bits: all voxels that a move needs are free.
#[inline]
pub(super) fn legal_moves(free: u32) -> u32 {
    if free == ALL_FREE {
        return ALL_MOVES;
    }
    let mut legal = 0;
    for (index, (_, needed, _)) in MOVES.iter().enumerate() {
        legal |= u32::from(free & needed == *needed) << index;
    }
    legal
}

/// The moves of `legal` that remain after a move to a voxel with these free voxels around it.
#[inline]
pub(super) fn pruned_moves(legal: u32, free: u32, arrival: u8) -> u32 {
    let arrival = usize::from(arrival);
    let natural = legal & NATURAL[arrival];
    if free == ALL_FREE {
        return natural;
    }
    let (mut kept, mut left) = (natural, legal & !natural);
    while left != 0 {
        let index = left.trailing_zeros() as usize;
        left &= left - 1;
        let alternatives = &ALTERNATIVES[arrival][index];
        let is_needless = alternatives.iter().any(|needed| free & needed == *needed);
        kept |= u32::from(!is_needless) << index;
    }
    kept
}

/// The horizontal moves into a set of columns around a voxel (bit x + 3 y), as bits.
#[inline]
pub(super) const fn moves_to_columns(columns: u16) -> u32 {
    // Voxel 13, the center, has no move.
    let voxels = (columns as u32) << 9;
    voxels & ((1 << 13) - 1) | (voxels >> 14) << 13
}

/// The voxels of the boxes spanned by each pair of the 27 voxels.
const fn boxes() -> [[u32; 27]; 27] {
    let mut boxes = [[0; 27]; 27];
    let mut a = 0;
    while a < 27 {
        let mut b = 0;
        while b < 27 {
            let mut other = 0;
            while other < 27 {
                let mut is_inside = true;
                let mut axis = 0;
                while axis < 3 {
                    let (from, to, at) = (part(a, axis), part(b, axis), part(other, axis));
                    let is_between = (from <= at && at <= to) || (to <= at && at <= from);
                    is_inside = is_inside && is_between;
                    axis += 1;
                }
                if is_inside {
                    boxes[a][b] |= 1 << other;
                }
                other += 1;
            }
            b += 1;
        }
        a += 1;
    }
    boxes
}

/// The coordinate of a voxel of 3 x 3 x 3 along an axis, -1 to 1.
const fn part(voxel: usize, axis: usize) -> i32 {
    let at = match axis {
        0 => voxel % 3,
        1 => voxel / 3 % 3,
        _ => voxel / 9,
    };
    at as i32 - 1
}

/// The number of axes of a move between two of the voxels; 0 if it is none.
const fn rank(from: usize, to: usize) -> u32 {
    let mut n_axes = 0;
    let mut axis = 0;
    while axis < 3 {
        let by = part(to, axis) - part(from, axis);
        if by > 1 || by < -1 {
            return 0;
        }
        n_axes += (by != 0) as u32;
        axis += 1;
    }
    n_axes
}

/// The voxel that a move leads to.
const fn end_of(index: usize) -> usize {
    if index < 13 { index } else { index + 1 }
}

/// True if a pair of moves of these ranks costs less than another, or as much with a last move of lower
/// rank, whatever the costs: a move costs more than one of lower rank, and twice a plane diagonal at least
/// as much as a straight move and a space diagonal.
const fn replaces(new: (u32, u32), old: (u32, u32)) -> bool {
    let (new_low, new_high) = if new.0 < new.1 { new } else { (new.1, new.0) };
    let (old_low, old_high) = if old.0 < old.1 { old } else { (old.1, old.0) };
    let is_equal = new_low == old_low && new_high == old_high;
    let is_traded = new_low == 1 && new_high == 3 && old_low == 2 && old_high == 2;
    let is_less = new_low <= old_low && new_high <= old_high && !is_equal;
    is_less || ((is_equal || is_traded) && new.1 < old.1)
}

const fn alternatives() -> [[[u32; N_ALTERNATIVES]; 26]; 26] {
    let boxes = boxes();
    let mut alternatives = [[[NEVER; N_ALTERNATIVES]; 26]; 26];
    let mut first = 0;
    while first < 26 {
        // The voxel before, opposite to the one that the move leads to.
        let before = 26 - end_of(first);
        let mut second = 0;
        while second < 26 {
            alternatives[first][second] = alternatives_between(before, end_of(second), &boxes);
            second += 1;
        }
        first += 1;
    }
    alternatives
}

/// The alternatives to moving from one voxel over the center to another.
const fn alternatives_between(
    before: usize,
    end: usize,
    boxes: &[[u32; 27]; 27],
) -> [u32; N_ALTERNATIVES] {
    let mut alternatives = [NEVER; N_ALTERNATIVES];
    if before == end {
        alternatives[0] = 0;
        return alternatives;
    }
    let mut n_alternatives = 0;
    if rank(before, end) != 0 {
        // One move costs less than two, by the triangle inequality.
        alternatives[0] = boxes[before][end];
        n_alternatives = 1;
    }
    let old = (rank(before, 13), rank(13, end));
    let mut by = 0;
    while by < 27 {
        let new = (rank(before, by), rank(by, end));
        if by != 13 && new.0 != 0 && new.1 != 0 && replaces(new, old) {
            let needed = boxes[before][by] | boxes[by][end];
            let mut is_new = true;
            let mut known = 0;
            while known < n_alternatives {
                // Free whenever this one is.
                is_new = is_new && alternatives[known] & needed != alternatives[known];
                known += 1;
            }
            if is_new && n_alternatives < N_ALTERNATIVES {
                alternatives[n_alternatives] = needed;
                n_alternatives += 1;
            }
        }
        by += 1;
    }
    alternatives
}

const fn natural() -> [u32; 26] {
    let alternatives = alternatives();
    let mut natural = [0; 26];
    let mut first = 0;
    while first < 26 {
        let mut second = 0;
        while second < 26 {
            if alternatives[first][second][0] == NEVER {
                natural[first] |= 1 << second;
            }
            second += 1;
        }
        first += 1;
    }
    natural
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfarer_base::Rng;

    /// The cost of the cheapest one or two moves between two voxels of 27 that do not use the center.
    fn cost_around(before: usize, end: usize, free: u32) -> Option<u32> {
        let boxes = boxes();
        let cost = |a: usize, b: usize| {
            let n_axes = rank(a, b);
            let is_free = n_axes > 0 && free & boxes[a][b] == boxes[a][b];
            is_free.then(|| [1463, 2069, 2534][n_axes as usize - 1])
        };
        let over = |by: usize| Some(cost(before, by)? + cost(by, end)?);
        let pairs = (0..27).filter(|by| *by != 13).filter_map(over);
        cost(before, end).into_iter().chain(pairs).min()
    }

    #[test]
    fn a_move_is_left_out_if_another_route_is_as_cheap_and_kept_if_none_is() {
        let (mut n_kept, mut n_left_out) = (0, 0);
        for seed in 0..4_000 {
            let mut rng = Rng::new(seed);
            let share = 1 + rng.below(9);
            let mut free = (0..27).fold(0, |free, bit| {
                free | u32::from(rng.chance(share, share + 1)) << bit
            });
            let arrival = rng.below(26).to_le_bytes()[0];
            let (_, needed, cost) = MOVES[usize::from(arrival)];
            let before = 26 - end_of(usize::from(arrival));
            // The move to the center was legal: seen from the voxel before, its box is mirrored.
            free |= 1 << 13 | boxes()[before][13];
            assert_eq!(needed.count_ones(), boxes()[before][13].count_ones());
            let legal = legal_moves(free);
            let kept = pruned_moves(legal, free, arrival);
            assert_eq!(kept & !legal, 0);
            for index in (0..26).filter(|index| legal >> index & 1 == 1) {
                let end = end_of(index);
                let both = cost.units() + MOVES[index].2.units();
                let around = if end == before {
                    Some(0)
                } else {
                    cost_around(before, end, free)
                };
                if kept >> index & 1 == 1 {
                    // Kept at equal cost for a last move along as few axes; a straight move and then a
                    // space diagonal do not replace two plane diagonals, which cost 141 more.
                    assert!(
                        around.is_none_or(|around| around + 141 >= both),
                        "seed {seed}"
                    );
                    n_kept += 1;
                } else {
                    assert!(around.is_some_and(|around| around <= both), "seed {seed}");
                    n_left_out += 1;
                }
            }
        }
        assert!(
            n_kept > 3_000 && n_left_out > 10_000,
            "{n_kept} {n_left_out}"
        );
    }

    #[test]
    fn amid_free_voxels_1_3_or_7_moves_remain() {
        let n_moves = |arrival: u8| pruned_moves(ALL_MOVES, ALL_FREE, arrival).count_ones();
        for (arrival, (by, ..)) in (0..).zip(MOVES) {
            let n_axes = by.iter().filter(|by| **by != 0).count();
            assert_eq!(n_moves(arrival), [1, 3, 7][n_axes - 1]);
        }
        assert_eq!(moves_to_columns(0b111_101_111).count_ones(), 8);
        let is_flat = |index: u32| MOVES[index as usize].0[2] == 0;
        let flat = (0..26).filter(|index| is_flat(*index));
        let flat = flat.fold(0, |moves, index| moves | 1 << index);
        assert_eq!(moves_to_columns(0b111_111_111), flat);
    }
}
