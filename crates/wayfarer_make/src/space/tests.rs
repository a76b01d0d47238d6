//! Density and connectivity of asteroids and halls.

use super::*;
use crate::{GeneratedWorld, make};

fn space(recipe: &Recipe) -> VoxelSet {
    match make(recipe) {
        Ok(GeneratedWorld::Voxels(voxels)) => voxels,
        other => panic!("{recipe:?} made {other:?}"),
    }
}

/// The number of free voxels, and of those in the largest 6-connected component.
fn free_components(voxels: &VoxelSet) -> (usize, usize) {
    let [width, height, depth] = voxels.size().map(|side| side as usize);
    let mut is_visited = vec![false; width * height * depth];
    for &[x, y, z] in voxels.solid() {
        is_visited[(z as usize * height + y as usize) * width + x as usize] = true;
    }
    let (mut n_free, mut largest) = (0, 0);
    for first in 0..is_visited.len() {
        let (mut stack, mut size) = (vec![first], 0);
        while let Some(at) = stack.pop() {
            if std::mem::replace(&mut is_visited[at], true) {
                continue;
            }
            size += 1;
            let (x, y, z) = (at % width, at / width % height, at / width / height);
            let steps = [
                (x > 0, at.wrapping_sub(1)),
                (x + 1 < width, at + 1),
                (y > 0, at.wrapping_sub(width)),
                (y + 1 < height, at + width),
                (z > 0, at.wrapping_sub(width * height)),
                (z + 1 < depth, at + width * height),
            ];
            stack.extend(steps.iter().filter(|step| step.0).map(|step| step.1));
        }
        n_free += size;
        largest = largest.max(size);
    }
    (n_free, largest)
}

#[test]
fn the_voxels_are_those_of_the_listed_asteroids() {
    let recipe = Recipe {
        depth: 20,
        ..Recipe::new(Generator::Asteroids, 70, 45, 6)
    };
    let (voxels, rocks) = (space(&recipe), asteroids(&recipe).unwrap());
    assert!(rocks.len() > 3);
    for_each_voxel([0; 3], [69, 44, 19], |voxel| {
        let expected = rocks.iter().any(|rock| rock.contains(voxel));
        assert_eq!(voxels.contains(voxel), expected, "{voxel:?}");
    });
}

#[test]
fn the_requested_percentage_is_rock_and_the_rest_is_connected() {
    for (requested, low, high) in [(0, 0, 0), (5, 3, 7), (15, 10, 18), (100, 14, 24)] {
        let (mut solid, mut all) = (0, 0);
        for seed in 0..3 {
            let recipe = Recipe {
                depth: 128,
                obstacles: Some(requested),
                ..Recipe::new(Generator::Asteroids, 128, 128, seed)
            };
            let voxels = space(&recipe);
            let (n_free, largest) = free_components(&voxels);
            assert!(largest * 1000 >= n_free * 999, "{largest} of {n_free}");
            solid += voxels.solid().len();
            all += 128 * 128 * 128;
        }
        let share = solid * 100 / all;
        assert!((low..=high).contains(&share), "{requested}%: {share}%");
    }
}

#[test]
fn a_hall_is_closed_and_its_inside_is_connected() {
    for (width, height, depth) in [(8, 8, 8), (40, 30, 12), (100, 90, 48), (200, 40, 40)] {
        for seed in 0..3 {
            let recipe = Recipe {
                depth,
                ..Recipe::new(Generator::Hall, width, height, seed)
            };
            let voxels = space(&recipe);
            let last = [width - 1, height - 1, depth - 1];
            for_each_voxel([0; 3], last, |voxel| {
                let is_border = voxel
                    .iter()
                    .zip(last)
                    .any(|(&at, end)| at == 0 || at == end);
                assert!(!is_border || voxels.contains(voxel), "hole at {voxel:?}");
            });
            let (n_free, largest) = free_components(&voxels);
            assert!(
                n_free > 0 && largest * 100 >= n_free * 98,
                "{largest} of {n_free}"
            );
        }
    }
}

#[test]
fn invalid_voxel_worlds_are_rejected() {
    let check = |recipe: Recipe, message: &str| {
        assert_eq!(make(&recipe).unwrap_err().to_string(), message);
    };
    let hall = Recipe::new(Generator::Hall, 7, 20, 1);
    check(hall, "hall: size 7 x 20, expected sides of at least 8");
    check(
        Recipe {
            depth: 3,
            ..Recipe::new(Generator::Hall, 20, 20, 1)
        },
        "hall: depth is 3, expected 8 to 1048576",
    );
    check(
        Recipe {
            depth: 4096,
            ..Recipe::new(Generator::Asteroids, 4096, 4096, 1)
        },
        "asteroids: 68719476736 cells in all, expected at most 268435456",
    );
    check(
        Recipe {
            depth: 0,
            ..Recipe::new(Generator::Asteroids, 10, 10, 1)
        },
        "asteroids: depth is 0, expected 1 to 1048576",
    );
}

#[test]
fn a_world_of_one_voxel_is_valid() {
    let recipe = Recipe {
        depth: 1,
        ..Recipe::new(Generator::Asteroids, 1, 1, 1)
    };
    assert_eq!(space(&recipe).size(), [1, 1, 1]);
}
