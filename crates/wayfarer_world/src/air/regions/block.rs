//! The regions of eight leaves: which of their free voxels reach each other.

use crate::air::bits;

/// The free voxels of eight leaves, or of one region of them.
pub(super) type Eight = [u64; 8];

/// For each of eight leaves the voxels that lie on an outer face.
const OUTER: Eight = {
    let mut outer = [0; 8];
    let mut leaf = 0;
    while leaf < 8 {
        let mut axis = 0;
        while axis < 3 {
            outer[leaf] |= bits::face(axis, leaf >> axis & 1 == 1);
            axis += 1;
        }
        leaf += 1;
    }
    outer
};

/// From so many regions on, voxels without a free neighbor are told apart all at once.
const MANY: usize = 4;

/// Splits the free voxels of eight leaves into regions: those that reach an outer face first, each
/// kind in the order of their first voxels. Returns how many reach one.
pub(super) fn split(free: &Eight, into: &mut Vec<Eight>) -> usize {
    into.clear();
    let mut closed = [0; 8];
    each(free, |region| {
        if is_open(region) {
            into.push(*region);
        } else {
            for (all, voxels) in closed.iter_mut().zip(region) {
                *all |= voxels;
            }
        }
        true
    });
    let n_open = into.len();
    each(&closed, |region| {
        into.push(*region);
        true
    });
    n_open
}

/// Hands out the regions in the order of their first voxels, until `visit` says false.
fn each(free: &Eight, mut visit: impl FnMut(&Eight) -> bool) {
    let mut left = *free;
    let mut alone = [0; 8];
    let mut count = 0;
    for first in 0..8 {
        while left[first] != 0 {
            if count == MANY {
                alone = lonely(&left);
            }
            count += 1;
            let seed = left[first] & left[first].wrapping_neg();
            let mut region = [0; 8];
            if seed & alone[first] != 0 {
                region[first] = seed;
                left[first] ^= seed;
            } else {
                region = reach(&left, first, seed);
                for (left, taken) in left.iter_mut().zip(region) {
                    *left &= !taken;
                }
            }
            if !visit(&region) {
                return;
            }
        }
    }
}

/// The voxels without a neighbor among the eight leaves.
fn lonely(free: &Eight) -> Eight {
    std::array::from_fn(|leaf| {
        let mut beside = bits::beside(free[leaf]);
        for axis in 0..3 {
            let other = leaf ^ 1 << axis;
            beside |= if other > leaf {
                bits::across_down(free[other], axis)
            } else {
                bits::across_up(free[other], axis)
            };
        }
        free[leaf] & !beside
    })
}

/// True if a region reaches an outer face.
fn is_open(region: &Eight) -> bool {
    region
        .iter()
        .zip(OUTER)
        .any(|(voxels, outer)| voxels & outer != 0)
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

/// Adds the pairs of regions that touch, `below` under `above` along `axis`, each pair once.
/// Many regions are told apart by whom each voxel of the border belongs to.
pub(super) fn pairs(below: &[Eight], above: &[Eight], axis: usize, mut add: impl FnMut(u16, u16)) {
    if below.len() * above.len() <= MANY * MANY {
        for (r, region) in (0..).zip(below) {
            for (s, other) in (0..).zip(above) {
                if touch(region, other, axis) {
                    add(r, s);
                }
            }
        }
        return;
    }
    let border = || {
        (0..8_usize)
            .filter(|leaf| leaf >> axis & 1 == 1)
            .enumerate()
    };
    let mut owners = [[u16::MAX; 64]; 4];
    for (s, region) in (0..).zip(above) {
        for (place, leaf) in border() {
            let mut voxels = region[leaf ^ 1 << axis] & bits::face(axis, false);
            while voxels != 0 {
                owners[place][voxels.trailing_zeros() as usize] = s;
                voxels &= voxels - 1;
            }
        }
    }
    for (r, region) in (0..).zip(below) {
        // A region touches at most 64 others; those found are kept apart by number.
        let mut found = [0_u64; 8];
        for (place, leaf) in border() {
            let mut voxels = bits::across_up(region[leaf], axis);
            while voxels != 0 {
                let owner = owners[place][voxels.trailing_zeros() as usize];
                if owner != u16::MAX {
                    found[usize::from(owner) / 64 % 8] |= 1 << (owner % 64);
                }
                voxels &= voxels - 1;
            }
        }
        for (word, mut owners) in (0..).zip(found) {
            while owners != 0 {
                let owner = u16::try_from(owners.trailing_zeros()).expect("below 64");
                add(r, word * 64 + owner);
                owners &= owners - 1;
            }
        }
    }
}

/// The number that [`split`] gives to the region of a free voxel, without keeping the others.
pub(super) fn number_of(free: &Eight, leaf: usize, bit: u64) -> Option<u32> {
    let wanted = reach(free, leaf, bit);
    let wanted_open = is_open(&wanted);
    let (mut n_open, mut n_closed) = (0, 0);
    let mut number = None;
    each(free, |region| {
        let open = is_open(region);
        if *region == wanted {
            number = Some(if open { n_open } else { n_closed });
        }
        n_open += u32::from(open);
        n_closed += u32::from(!open);
        // Closed regions are numbered after all open ones, which must be counted.
        !(wanted_open && number.is_some())
    });
    number.map(|number| if wanted_open { number } else { n_open + number })
}
