//! Voxel coordinates, Morton codes (Z-order) and a sorted voxel set for data exchange.

use std::fmt;

/// Integer coordinates of a unit cube.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Voxel {
    /// East of the origin, in voxels.
    pub x: i32,
    /// South of the origin, in voxels.
    pub y: i32,
    /// Above the origin, in voxels.
    pub z: i32,
}

impl Voxel {
    /// The voxel at (`x`, `y`, `z`).
    #[inline]
    pub const fn new(x: i32, y: i32, z: i32) -> Self {
        Self { x, y, z }
    }
}

impl fmt::Display for Voxel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}, {})", self.x, self.y, self.z)
    }
}

/// The 2D Morton code: bits of `x` and `y` interleaved, `x` in bit 0.
///
/// ```
/// assert_eq!(wayfarer_base::voxel::morton_2(0, 3), 0b1010);
/// ```
#[inline]
pub const fn morton_2(x: u32, y: u32) -> u64 {
    spread_2(x) | spread_2(y) << 1
}

/// The 3D Morton code: the low 21 bits of `x`, `y` and `z` interleaved, `x` in bit 0. Higher bits
/// are ignored.
///
/// ```
/// assert_eq!(wayfarer_base::voxel::morton_3(1, 0, 2), 0b100_001);
/// ```
#[inline]
pub const fn morton_3(x: u32, y: u32, z: u32) -> u64 {
    spread_3(x) | spread_3(y) << 1 | spread_3(z) << 2
}

/// The inverse of [`morton_3`].
#[inline]
pub const fn from_morton_3(code: u64) -> (u32, u32, u32) {
    (gather_3(code), gather_3(code >> 1), gather_3(code >> 2))
}

const fn spread_2(number: u32) -> u64 {
    let mut word = number as u64;
    word = (word | word << 16) & 0x0000_FFFF_0000_FFFF;
    word = (word | word << 8) & 0x00FF_00FF_00FF_00FF;
    word = (word | word << 4) & 0x0F0F_0F0F_0F0F_0F0F;
    word = (word | word << 2) & 0x3333_3333_3333_3333;
    (word | word << 1) & 0x5555_5555_5555_5555
}

const fn spread_3(number: u32) -> u64 {
    let mut word = (number & 0x1F_FFFF) as u64;
    word = (word | word << 32) & 0x001F_0000_0000_FFFF;
    word = (word | word << 16) & 0x001F_0000_FF00_00FF;
    word = (word | word << 8) & 0x100F_00F0_0F00_F00F;
    word = (word | word << 4) & 0x10C3_0C30_C30C_30C3;
    (word | word << 2) & 0x1249_2492_4924_9249
}

const fn gather_3(code: u64) -> u32 {
    let mut word = code & 0x1249_2492_4924_9249;
    word = (word | word >> 2) & 0x10C3_0C30_C30C_30C3;
    word = (word | word >> 4) & 0x100F_00F0_0F00_F00F;
    word = (word | word >> 8) & 0x001F_0000_FF00_00FF;
    word = (word | word >> 16) & 0x001F_0000_0000_FFFF;
    ((word | word >> 32) & 0x1F_FFFF) as u32
}

/// Solid voxels in a box from the origin to `size`, as file readers and generators return them.
///
/// Invariant: `solid` is sorted by (z, y, x), without duplicates, and every voxel lies in the box.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VoxelSet {
    size: [u32; 3],
    solid: Vec<[u32; 3]>,
}

impl VoxelSet {
    /// A set in a box of `size` voxels in (x, y, z). Sorts and removes duplicates: O(n log n).
    ///
    /// # Errors
    /// The first voxel, in the given order, that lies outside the box.
    pub fn new(size: [u32; 3], mut solid: Vec<[u32; 3]>) -> Result<Self, [u32; 3]> {
        let is_inside = |v: &[u32; 3]| v.iter().zip(&size).all(|(at, end)| at < end);
        if let Some(outside) = solid.iter().find(|v| !is_inside(v)) {
            return Err(*outside);
        }
        solid.sort_unstable_by_key(|&[x, y, z]| (z, y, x));
        solid.dedup();
        Ok(Self { size, solid })
    }

    /// Extent of the box in x, y and z, in voxels.
    pub const fn size(&self) -> [u32; 3] {
        self.size
    }

    /// The solid voxels, sorted by (z, y, x).
    pub fn solid(&self) -> &[[u32; 3]] {
        &self.solid
    }

    /// True if the set contains the voxel. O(log n).
    pub fn contains(&self, [x, y, z]: [u32; 3]) -> bool {
        self.solid
            .binary_search_by_key(&(z, y, x), |&[x, y, z]| (z, y, x))
            .is_ok()
    }
}

#[cfg(test)]
mod tests;
