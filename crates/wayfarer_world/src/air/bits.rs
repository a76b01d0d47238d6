//! The 64 voxels of a leaf as one number: neighbors, faces and floods by shifting.
//!
//! Voxel (x, y, z) of a leaf, each from 0 to 3, is bit `x + 4 y + 16 z`.

/// All voxels of a leaf.
pub const ALL: u64 = u64::MAX;

/// For each axis the bit distance to the next voxel along it.
const STEP: [u32; 3] = [1, 4, 16];

/// For each axis the voxels on the low face.
const LOW: [u64; 3] = [
    0x1111_1111_1111_1111,
    0x000F_000F_000F_000F,
    0x0000_0000_0000_FFFF,
];

/// For each axis the voxels on the high face.
const HIGH: [u64; 3] = [
    0x8888_8888_8888_8888,
    0xF000_F000_F000_F000,
    0xFFFF_0000_0000_0000,
];

/// The bit of a voxel; only its place within its leaf counts.
#[inline]
pub const fn index([x, y, z]: [u32; 3]) -> u32 {
    (x & 3) | (y & 3) << 2 | (z & 3) << 4
}

/// The place within its leaf of bit `index`.
#[inline]
pub const fn place(index: u32) -> [u32; 3] {
    [index & 3, index >> 2 & 3, index >> 4 & 3]
}

/// The voxels on the low (`high` false) or high face across `axis`.
#[inline]
pub const fn face(axis: usize, high: bool) -> u64 {
    if high { HIGH[axis] } else { LOW[axis] }
}

/// Voxels of the next leaf up along `axis` that touch `bits` of this one.
#[inline]
pub const fn across_up(bits: u64, axis: usize) -> u64 {
    (bits & HIGH[axis]) >> (3 * STEP[axis])
}

/// Voxels of the next leaf down along `axis` that touch `bits` of this one.
#[inline]
pub const fn across_down(bits: u64, axis: usize) -> u64 {
    (bits & LOW[axis]) << (3 * STEP[axis])
}

/// The voxels of the leaf that share a face with one of `voxels`.
#[inline]
pub const fn beside(voxels: u64) -> u64 {
    let mut beside = 0;
    let mut axis = 0;
    while axis < 3 {
        beside |= (voxels & !HIGH[axis]) << STEP[axis] | (voxels & !LOW[axis]) >> STEP[axis];
        axis += 1;
    }
    beside
}

/// All voxels of `free` that `seed` reaches within the leaf, face by face.
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

/// The voxels of a leaf from `low` to `high`, both included, each from 0 to 3 on every axis.
pub fn cuboid(low: [u32; 3], high: [u32; 3]) -> u64 {
    let along = |axis: usize| (2_u64 << high[axis]) - (1_u64 << low[axis]);
    let row = along(0);
    let layer = spread(along(1), 4) * row;
    spread(along(2), 16) * layer
}

/// Moves bit n of four bits to bit `step` times n.
const fn spread(bits: u64, step: u32) -> u64 {
    (bits & 1)
        | (bits >> 1 & 1) << step
        | (bits >> 2 & 1) << (2 * step)
        | (bits >> 3 & 1) << (3 * step)
}

#[cfg(test)]
mod tests;
