//! Regions of a block of eight leaves: flood fill, faces and contacts on bitboards.

use crate::air::bits;

/// Voxels of a block of eight leaves: all free ones, or those of one region.
pub(super) type BlockVoxels = [u64; 8];

/// Per leaf, the voxels on an outer face of the block.
const OUTER: BlockVoxels = {
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

/// Number of regions from which isolated voxels and contacts are processed in bulk.
const BATCH_THRESHOLD: usize = 4;

/// Splits the free voxels of a block into regions, open ones first, each kind by first voxel.
/// Returns the number of open regions.
pub(super) fn split(free: &BlockVoxels, into: &mut Vec<BlockVoxels>) -> usize {
    into.clear();
    let mut closed = [0; 8];
    for_each_region(free, |region| {
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
    for_each_region(&closed, |region| {
        into.push(*region);
        true
    });
    n_open
}

/// Visits the regions by first voxel until `visit` returns false.
fn for_each_region(free: &BlockVoxels, mut visit: impl FnMut(&BlockVoxels) -> bool) {
    let mut left = *free;
    let mut isolated = [0; 8];
    let mut count = 0;
    for first in 0..8 {
        while left[first] != 0 {
            if count == BATCH_THRESHOLD {
                isolated = isolated_voxels(&left);
            }
            count += 1;
            let seed = left[first] & left[first].wrapping_neg();
            let mut region = [0; 8];
            if seed & isolated[first] != 0 {
                region[first] = seed;
                left[first] ^= seed;
            } else {
                region = flood_fill(&left, first, seed);
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

/// The voxels without a free neighbor in the block.
fn isolated_voxels(free: &BlockVoxels) -> BlockVoxels {
    std::array::from_fn(|leaf| {
        let mut neighbors = bits::neighbors(free[leaf]);
        for axis in 0..3 {
            let other = leaf ^ 1 << axis;
            neighbors |= if other > leaf {
                bits::across_down(free[other], axis)
            } else {
                bits::across_up(free[other], axis)
            };
        }
        free[leaf] & !neighbors
    })
}

/// True if a region reaches an outer face.
fn is_open(region: &BlockVoxels) -> bool {
    region
        .iter()
        .zip(OUTER)
        .any(|(voxels, outer)| voxels & outer != 0)
}

/// All free voxels of the block connected to `seed` in leaf `first`.
fn flood_fill(free: &BlockVoxels, first: usize, seed: u64) -> BlockVoxels {
    let mut region = [0; 8];
    region[first] = seed;
    let mut pending = 1_u32 << first;
    while pending != 0 {
        let leaf = pending.trailing_zeros() as usize;
        pending &= pending - 1;
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
                pending |= 1 << other;
            }
        }
    }
    region
}

/// The outer faces of the block that a region reaches, one bit each.
pub(super) fn faces(region: &BlockVoxels) -> u8 {
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

/// True if a region touches a region of the next block up along `axis`.
pub(super) fn touches(low: &BlockVoxels, high: &BlockVoxels, axis: usize) -> bool {
    (0..8)
        .filter(|leaf| leaf >> axis & 1 == 1)
        .any(|leaf| bits::across_up(low[leaf], axis) & high[leaf ^ 1 << axis] != 0)
}

/// Visits each pair of touching regions once, `below` under `above` along `axis`. Many regions are
/// matched through the owner of each voxel on the shared face, in O(regions + contacts).
pub(super) fn for_each_contact(
    below: &[BlockVoxels],
    above: &[BlockVoxels],
    axis: usize,
    mut add: impl FnMut(u16, u16),
) {
    if below.len() * above.len() <= BATCH_THRESHOLD * BATCH_THRESHOLD {
        for (r, region) in (0..).zip(below) {
            for (s, other) in (0..).zip(above) {
                if touches(region, other, axis) {
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
        for (slot, leaf) in border() {
            let mut voxels = region[leaf ^ 1 << axis] & bits::face(axis, false);
            while voxels != 0 {
                owners[slot][voxels.trailing_zeros() as usize] = s;
                voxels &= voxels - 1;
            }
        }
    }
    for (r, region) in (0..).zip(below) {
        // A region touches at most 64 others; a bitset removes duplicates and sorts them.
        let mut touched = [0_u64; 8];
        for (slot, leaf) in border() {
            let mut voxels = bits::across_up(region[leaf], axis);
            while voxels != 0 {
                let owner = owners[slot][voxels.trailing_zeros() as usize];
                if owner != u16::MAX {
                    touched[usize::from(owner) / 64 % 8] |= 1 << (owner % 64);
                }
                voxels &= voxels - 1;
            }
        }
        for (word, mut owners) in (0..).zip(touched) {
            while owners != 0 {
                let owner = u16::try_from(owners.trailing_zeros()).expect("below 64");
                add(r, word * 64 + owner);
                owners &= owners - 1;
            }
        }
    }
}

/// The number that [`split`] assigns to the region of a free voxel, without storing the others.
pub(super) fn region_number(free: &BlockVoxels, leaf: usize, bit: u64) -> Option<u32> {
    let wanted = flood_fill(free, leaf, bit);
    let wanted_open = is_open(&wanted);
    let (mut n_open, mut n_closed) = (0, 0);
    let mut number = None;
    for_each_region(free, |region| {
        let open = is_open(region);
        if *region == wanted {
            number = Some(if open { n_open } else { n_closed });
        }
        n_open += u32::from(open);
        n_closed += u32::from(!open);
        // Closed regions are numbered after all open ones, which must be counted first.
        !(wanted_open && number.is_some())
    });
    number.map(|number| if wanted_open { number } else { n_open + number })
}
