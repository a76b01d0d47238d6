//! Bitboard operations against voxel-by-voxel references.
use super::*;
use wayfarer_base::Rng;

fn voxels(bits: u64) -> impl Iterator<Item = [u32; 3]> {
    (0..64).filter(move |bit| bits >> bit & 1 == 1).map(coords)
}

#[test]
fn a_flood_fill_reaches_exactly_the_face_connected_voxels() {
    for seed in 0..2_000 {
        let mut rng = Rng::new(seed);
        let mut free = rng.next_u64();
        for _ in 0..rng.below(3) {
            free |= rng.next_u64();
        }
        let start = 1_u64 << rng.below(64);
        let mut reached = start & free;
        loop {
            let mut next = reached;
            for at in voxels(reached) {
                for axis in 0..3 {
                    for to in [at[axis].wrapping_sub(1), at[axis] + 1] {
                        if to < 4 {
                            let mut other = at;
                            other[axis] = to;
                            next |= 1 << index(other) & free;
                        }
                    }
                }
            }
            if next == reached {
                break;
            }
            reached = next;
        }
        assert_eq!(flood(start, free), reached, "seed {seed}");
    }
}

#[test]
fn cuboids_and_faces_contain_exactly_their_voxels() {
    let mut boxes = 0;
    for low in voxels(ALL) {
        for high in voxels(ALL).filter(|high| (0..3).all(|axis| low[axis] <= high[axis])) {
            let inside = |at: &[u32; 3]| (0..3).all(|a| low[a] <= at[a] && at[a] <= high[a]);
            let expected = voxels(ALL).filter(inside).fold(0, |b, v| b | 1 << index(v));
            assert_eq!(cuboid(low, high), expected);
            boxes += 1;
        }
    }
    assert_eq!(boxes, 1_000);
    for axis in 0..3 {
        for (high, at) in [(false, 0), (true, 3)] {
            assert!(voxels(face(axis, high)).all(|v| v[axis] == at));
            assert_eq!(face(axis, high).count_ones(), 16);
        }
        for bit in 0..64 {
            let mut mirrored = coords(bit);
            let at = mirrored[axis];
            mirrored[axis] = 3 - at;
            let expected = |edge: u32| {
                if at == edge {
                    1 << index(mirrored)
                } else {
                    0_u64
                }
            };
            assert_eq!(across_up(1 << bit, axis), expected(3));
            assert_eq!(across_down(1 << bit, axis), expected(0));
        }
    }
}
