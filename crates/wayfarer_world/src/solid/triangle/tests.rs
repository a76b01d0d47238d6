//! Voxels of random triangles against exact clipping.

use super::*;
use wayfarer_base::{Rng, Voxel};

/// Reference: the triangle clipped by the six planes of a voxel, in exact fractions. The rest must
/// be nonempty and not contained in one of the planes.
fn overlaps_by_clipping(vertices: &[Vertex; 3], voxel: Vertex) -> bool {
    // Homogeneous vertices (x, y, z, w), w > 0.
    let mut left: Vec<[i128; 4]> = vertices
        .iter()
        .map(|c| [c[0].into(), c[1].into(), c[2].into(), 1])
        .collect();
    for axis in 0..3 {
        for (sign, at) in [(1, voxel[axis] * ONE), (-1, -(voxel[axis] + 1) * ONE)] {
            let height = |p: &[i128; 4]| sign * p[axis] - i128::from(at) * p[3];
            let mut next = Vec::new();
            for index in 0..left.len() {
                let (p, q) = (&left[index], &left[(index + 1) % left.len()]);
                let (hp, hq) = (height(p), height(q));
                if hp >= 0 {
                    next.push(*p);
                }
                if (hp > 0 && hq < 0) || (hp < 0 && hq > 0) {
                    // The intersection of edge and plane, with weights of one sign.
                    let (wp, wq) = (hq.abs(), hp.abs());
                    let mut cut: [i128; 4] = std::array::from_fn(|i| wp * p[i] + wq * q[i]);
                    let common = cut.iter().fold(0_u128, |a, b| gcd(a, b.unsigned_abs()));
                    cut = cut.map(|part| part / i128::try_from(common.max(1)).unwrap());
                    next.push(cut);
                }
            }
            left = next;
        }
    }
    // The clipped polygon is convex: it overlaps the interior iff no plane contains all of it.
    !left.is_empty()
        && (0..3).all(|axis| {
            [voxel[axis] * ONE, (voxel[axis] + 1) * ONE]
                .iter()
                .all(|at| left.iter().any(|p| p[axis] != i128::from(*at) * p[3]))
        })
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[test]
fn the_runs_of_a_triangle_are_the_voxels_it_overlaps() {
    let grid = VoxelGrid::cubes(1.0, Voxel::new(-4, -4, -4), Voxel::new(4, 4, 4));
    let mut voxels = 0;
    for seed in 0..3_000 {
        let mut rng = Rng::new(seed);
        // Coarse vertices make edges and planes pass through voxel corners often.
        let step = [1, 16, 64, 128, 256][rng.below(5) as usize];
        let reach = [600, 1_500, 4_000][rng.below(3) as usize] / step;
        let vertices: [Vertex; 3] = std::array::from_fn(|_| {
            std::array::from_fn(|_| i64::from(rng.between(-reach, reach) * step))
        });
        let mut found = Vec::new();
        runs(vertices, &grid, usize::MAX, &mut found).unwrap();
        let Some(triangle) = Triangle::new(vertices) else {
            assert!(found.is_empty());
            continue;
        };
        for (x, y, z) in
            (-4..=4).flat_map(|x| (-4..=4).flat_map(move |y| (-4..=4).map(move |z| (x, y, z))))
        {
            let in_runs = found.iter().any(|run| {
                (i64::from(run.x), i64::from(run.y)) == (x, y)
                    && (i64::from(run.low)..=i64::from(run.high)).contains(&z)
            });
            let expected = overlaps_by_clipping(&triangle.vertices, [x, y, z]);
            assert_eq!(
                in_runs, expected,
                "seed {seed}: {vertices:?} at ({x}, {y}, {z})"
            );
            voxels += usize::from(expected);
        }
    }
    assert!(voxels > 20_000, "the test saw {voxels} voxels");
}
