//! Morton codes and voxel sets.

use super::*;
use crate::Rng;

#[test]
fn decoding_a_morton_code_returns_its_coordinates() {
    let mut rng = Rng::new(5);
    for _ in 0..1_000 {
        let (x, y, z) = (rng.below(1 << 21), rng.below(1 << 21), rng.below(1 << 21));
        assert_eq!(from_morton_3(morton_3(x, y, z)), (x, y, z));
        let bit_by_bit = (0..21).fold(0, |code: u64, bit| {
            let bit_of = |number: u32| u64::from(number >> bit & 1);
            code | bit_of(x) << (3 * bit) | bit_of(y) << (3 * bit + 1) | bit_of(z) << (3 * bit + 2)
        });
        assert_eq!(morton_3(x, y, z), bit_by_bit);
    }
}

#[test]
fn a_2d_morton_code_has_x_in_the_even_bits() {
    assert_eq!(morton_2(0, 3), 0b1010);
    assert_eq!(morton_2(3, 0), 0b0101);
    assert_eq!(morton_2(u32::MAX, u32::MAX), u64::MAX);
}

#[test]
fn a_set_is_sorted_and_rejects_voxels_outside_its_box() {
    let set = VoxelSet::new([2, 2, 2], vec![[1, 0, 1], [0, 0, 0], [1, 0, 1]]).unwrap();
    assert_eq!(set.solid(), [[0, 0, 0], [1, 0, 1]]);
    assert!(set.contains([1, 0, 1]) && !set.contains([0, 1, 0]));
    assert_eq!(VoxelSet::new([2, 2, 2], vec![[0, 2, 0]]), Err([0, 2, 0]));
}
