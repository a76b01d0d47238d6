//! The regions of eight leaves: which of their free voxels reach each other.

use crate::air::bits;

/// The free voxels of eight leaves, or of one region of them.
pub(super) type Eight = [u64; 8];

/// Splits the free voxels of eight leaves into regions: those that reach an outer face first, each
/// kind in the order of their first voxels. Returns how many reach one.
pub(super) fn split(free: &Eight, into: &mut Vec<Eight>) -> usize {
    into.clear();
    let mut left = *free;
    let mut n_open = 0;
    while let Some(first) = left.iter().position(|voxels| *voxels != 0) {
        let seed = left[first] & left[first].wrapping_neg();
        let region = reach(&left, first, seed);
        for (left, taken) in left.iter_mut().zip(region) {
            *left &= !taken;
        }
        if faces(&region) == 0 {
            into.push(region);
        } else {
            into.insert(n_open, region);
            n_open += 1;
        }
    }
    n_open
}

/// All free voxels that `seed`, in leaf `first`, reaches.
fn reach(free: &Eight, first: usize, seed: u64) -> Eight {
    let mut region = [0; 8];
    region[first] = seed;
    let mut waiting = 1_u32 << first;
    while waiting != 0 {
        let leaf = waiting.trailing_zeros() as usize;
        waiting &= waiting - 1;
        region[leaf] = bits::flood(region[leaf], free[leaf]);
        for axis in 0..3 {
            let other = leaf ^ 1 << axis;
            let across = if other > leaf {
                bits::across_up(region[leaf], axis)
            } else {
                bits::across_down(region[leaf], axis)
            };
            let new = across & free[other] & !region[other];
            if new != 0 {
                region[other] |= new;
                waiting |= 1 << other;
            }
        }
    }
    region
}

/// The outer faces that a region of eight leaves reaches, a bit each.
pub(super) fn faces(region: &Eight) -> u8 {
    let mut faces = 0;
    for axis in 0..3 {
        for high in [false, true] {
            let on_face = (0..8)
                .filter(|leaf| (leaf >> axis & 1 == 1) == high)
                .any(|leaf| region[leaf] & bits::face(axis, high) != 0);
            faces |= u8::from(on_face) << (2 * axis + usize::from(high));
        }
    }
    faces
}

/// True if a region touches a region of the next eight leaves up along `axis`.
pub(super) fn touch(low: &Eight, high: &Eight, axis: usize) -> bool {
    (0..8)
        .filter(|leaf| leaf >> axis & 1 == 1)
        .any(|leaf| bits::across_up(low[leaf], axis) & high[leaf ^ 1 << axis] != 0)
}

/// The number that [`split`] gives to the region of a free voxel, without keeping the others.
pub(super) fn number_of(free: &Eight, leaf: usize, bit: u64) -> Option<u32> {
    let wanted = reach(free, leaf, bit);
    let wanted_open = faces(&wanted) != 0;
    let mut left = *free;
    let (mut n_open, mut n_closed) = (0, 0);
    let mut number = None;
    while let Some(first) = left.iter().position(|voxels| *voxels != 0) {
        let region = reach(&left, first, left[first] & left[first].wrapping_neg());
        for (left, taken) in left.iter_mut().zip(region) {
            *left &= !taken;
        }
        let open = faces(&region) != 0;
        if region == wanted {
            if open {
                return Some(n_open);
            }
            number = Some(n_closed);
        }
        n_open += u32::from(open);
        n_closed += u32::from(!open);
    }
    // Closed regions are numbered after all open ones.
    number
        .filter(|_| !wanted_open)
        .map(|closed| n_open + closed)
}
