//! Bitboard arithmetic of a leaf: neighbors, faces and flood fill of 64 voxels by shifts.
//!
//! Voxel (x, y, z) of a leaf, each 0 to 3, is bit `x + 4 y + 16 z`.

/// All voxels of a leaf.
pub const ALL: u64 = u64::MAX;

/// Per axis, the bit offset of the next voxel.
const STEP: [u32; 3] = [1, 4, 16];

/// Per axis, the voxels of the low face.
const LOW: [u64; 3] = [
    0x1111_1111_1111_1111,
    0x000F_000F_000F_000F,
    0x0000_0000_0000_FFFF,
];

/// Per axis, the voxels of the high face.
const HIGH: [u64; 3] = [
    0x8888_8888_8888_8888,
    0xF000_F000_F000_F000,
    0xFFFF_0000_0000_0000,
];

/// The bit of a voxel; the low two bits of each coordinate select it.
#[inline]
pub const fn index([x, y, z]: [u32; 3]) -> u32 {
    (x & 3) | (y & 3) << 2 | (z & 3) << 4
}

/// The coordinates, within its leaf, of bit `index`.
#[inline]
pub const fn coords(index: u32) -> [u32; 3] {
    [index & 3, index >> 2 & 3, index >> 4 & 3]
}

/// The voxels of the low (`high` false) or high face across `axis`.
#[inline]
pub const fn face(axis: usize, high: bool) -> u64 {
    if high { HIGH[axis] } else { LOW[axis] }
}

/// Voxels of the next leaf up along `axis` that share a face with `bits` of this leaf.
#[inline]
pub const fn across_up(bits: u64, axis: usize) -> u64 {
    (bits & HIGH[axis]) >> (3 * STEP[axis])
}

/// Voxels of the next leaf down along `axis` that share a face with `bits` of this leaf.
#[inline]
pub const fn across_down(bits: u64, axis: usize) -> u64 {
    (bits & LOW[axis]) << (3 * STEP[axis])
}

/// The voxels of the leaf that share a face with one of `voxels`.
#[inline]
pub const fn neighbors(voxels: u64) -> u64 {
    let mut neighbors = 0;
    let mut axis = 0;
    while axis < 3 {
        neighbors |= (voxels & !HIGH[axis]) << STEP[axis] | (voxels & !LOW[axis]) >> STEP[axis];
        axis += 1;
    }
    neighbors
}

/// Flood fill: all voxels of `free` face-connected to `seed` within the leaf.
#[inline]
pub const fn flood(seed: u64, free: u64) -> u64 {
    let mut reached = seed & free;
    if free == ALL && reached != 0 {
        return ALL;
    }
    loop {
        let before = reached;
        let mut axis = 0;
        while axis < 3 {
            let (step, up, down) = (STEP[axis], !HIGH[axis], !LOW[axis]);
            reached |= ((reached & up) << step | (reached & down) >> step) & free;
            reached |= ((reached & up) << step | (reached & down) >> step) & free;
            axis += 1;
        }
        if reached == before {
            return reached;
        }
    }
}

/// The voxels of a leaf from `low` to `high`, both included, each 0 to 3 per axis.
pub fn cuboid(low: [u32; 3], high: [u32; 3]) -> u64 {
    let along = |axis: usize| (2_u64 << high[axis]) - (1_u64 << low[axis]);
    let row = along(0);
    let layer = spread(along(1), 4) * row;
    spread(along(2), 16) * layer
}

/// Moves bit n of four to bit `step * n`.
const fn spread(bits: u64, step: u32) -> u64 {
    (bits & 1)
        | (bits >> 1 & 1) << step
        | (bits >> 2 & 1) << (2 * step)
        | (bits >> 3 & 1) << (3 * step)
}

#[cfg(test)]
mod tests;
