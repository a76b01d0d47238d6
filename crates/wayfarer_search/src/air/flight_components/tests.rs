//! Components against a flood of all voxels.

use wayfarer_base::{Fixed, Rng, Voxel};
use wayfarer_world::air::{Air, AirBuilder};

use super::FlightComponents;

const SIZE: [u32; 3] = [37, 22, 18];

fn rocks(seed: u64) -> Air {
    let mut rng = Rng::new(seed);
    let mut builder = AirBuilder::new(Voxel::new(-5, 3, -1), SIZE).unwrap();
    for _ in 0..40 {
        let mut at = |most: u32| rng.below(most).cast_signed();
        let (x, y, z) = (at(37) - 5, at(22) + 3, at(18) - 1);
        let high = Voxel::new(
            (x + at(9)).min(31),
            (y + at(9)).min(24),
            (z + at(6)).min(16),
        );
        builder.add_box(Voxel::new(x, y, z), high).unwrap();
    }
    builder.build().unwrap()
}

fn voxels() -> Vec<Voxel> {
    let [x, y, z] = SIZE.map(u32::cast_signed);
    let all = (0..z).flat_map(|z| (0..y).flat_map(move |y| (0..x).map(move |x| (x, y, z))));
    all.map(|(x, y, z)| Voxel::new(x - 5, y + 3, z - 1))
        .collect()
}

/// True if the ball around the center of a voxel overlaps nothing solid, by looking at all around.
fn fits(air: &Air, at: Voxel, radius: i64) -> bool {
    let gap = |steps: i32| (i64::from(steps.abs()) * 256 - 128).max(0);
    let near = -3..=3;
    let blocks = |x: i32, y: i32, z: i32| {
        let square = gap(x).pow(2) + gap(y).pow(2) + gap(z).pow(2);
        let other = Voxel::new(at.x + x, at.y + y, at.z + z);
        (square < radius * radius || other == at) && air.is_solid(other)
    };
    !near
        .clone()
        .any(|z| near.clone().any(|y| near.clone().any(|x| blocks(x, y, z))))
}

#[test]
fn components_are_those_of_a_flood() {
    let all = voxels();
    let mut n_components = 0;
    for (seed, radius) in [(1, 0), (2, 128), (3, 200), (4, 300), (5, 450), (6, 600)] {
        let air = rocks(seed);
        let found = FlightComponents::new(&air, Fixed::from_raw(radius));
        let mut numbers = Vec::new();
        found.components(&air, all.iter().copied(), |number| numbers.push(number));
        let index = |at: Voxel| {
            let [x, y, _] = SIZE;
            air.to_local(at)
                .map(|[a, b, c]| (a + x * (b + y * c)) as usize)
        };
        let mut expected: Vec<Option<u32>> = vec![None; all.len()];
        let fitting: Vec<bool> = all
            .iter()
            .map(|at| fits(&air, *at, radius.into()))
            .collect();
        let mut pairs = std::collections::BTreeMap::new();
        let mut next = 0;
        for start in 0..all.len() {
            if !fitting[start] || expected[start].is_some() {
                continue;
            }
            let mut open = vec![start];
            expected[start] = Some(next);
            while let Some(at) = open.pop() {
                let Voxel { x, y, z } = all[at];
                for (dx, dy, dz) in [
                    (1, 0, 0),
                    (-1, 0, 0),
                    (0, 1, 0),
                    (0, -1, 0),
                    (0, 0, 1),
                    (0, 0, -1),
                ] {
                    let to = index(Voxel::new(x + dx, y + dy, z + dz));
                    let to = to.filter(|to| fitting[*to] && expected[*to].is_none());
                    if let Some(to) = to {
                        expected[to] = Some(next);
                        open.push(to);
                    }
                }
            }
            next += 1;
        }
        for (at, (expected, found)) in expected.iter().zip(&numbers).enumerate() {
            assert_eq!(expected.is_some(), found.is_some(), "{} {radius}", all[at]);
            if let (Some(expected), Some(found)) = (expected, found) {
                let known = pairs.entry(*expected).or_insert(*found);
                assert_eq!(known, found, "{} {radius}", all[at]);
            }
        }
        let different: std::collections::BTreeSet<u32> = pairs.values().copied().collect();
        assert_eq!(different.len(), pairs.len(), "{radius}");
        let one = all[all.len() / 2];
        assert_eq!(found.component(&air, one), numbers[all.len() / 2]);
        n_components += pairs.len();
    }
    assert!(n_components > 8, "{n_components}");
}
