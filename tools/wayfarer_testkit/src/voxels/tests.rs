//! Known results of the voxel oracle.

use wayfarer_base::Rng;

use super::*;

/// Layers in ascending order, rows from north to south; `#` is solid.
fn space(layers: &[&str]) -> ReferenceVoxels {
    let rows = |layer: &str| -> Vec<String> {
        let rows = layer.lines().map(|row| row.trim().to_owned());
        rows.filter(|row| !row.is_empty()).collect()
    };
    let drawn: Vec<Vec<String>> = layers.iter().map(|layer| rows(layer)).collect();
    let side = |n: usize| i32::try_from(n).unwrap();
    let mut space = ReferenceVoxels::new([
        side(drawn[0][0].len()),
        side(drawn[0].len()),
        side(drawn.len()),
    ]);
    for (z, rows) in (0..).zip(&drawn) {
        for (y, row) in (0..).zip(rows) {
            for (x, letter) in (0..).zip(row.chars()) {
                space.set(Voxel::new(x, y, z), letter == '#');
            }
        }
    }
    space
}

pub(super) fn random_space(rng: &mut Rng, size: [i32; 3], solid_of_ten: u32) -> ReferenceVoxels {
    let mut space = ReferenceVoxels::new(size);
    let all: Vec<Voxel> = space.voxels().collect();
    for voxel in all {
        space.set(voxel, rng.chance(solid_of_ten, 10));
    }
    space
}

#[test]
fn free_space_has_twenty_six_successors() {
    let open = ReferenceVoxels::new([3, 3, 3]);
    let successors = open.successors(Voxel::new(1, 1, 1));
    let n_cost = |units| {
        successors
            .iter()
            .filter(|(_, c)| c.units() == units)
            .count()
    };
    assert_eq!((n_cost(1463), n_cost(2069), n_cost(2534)), (6, 12, 8));
    assert_eq!(open.successors(Voxel::new(0, 0, 0)).len(), 7);
    assert_eq!(open.successors(Voxel::new(3, 0, 0)).len(), 0, "outside");
}

#[test]
fn a_move_requires_its_whole_box_free() {
    // A solid voxel in the east blocks every move with an eastern component.
    let mut space = ReferenceVoxels::new([3, 3, 3]);
    space.set(Voxel::new(2, 1, 1), true);
    let successors = space.successors(Voxel::new(1, 1, 1));
    assert_eq!(successors.len(), 17);
    assert!(successors.iter().all(|(to, _)| to.x <= 1));
    // A solid corner blocks only itself.
    let mut space = ReferenceVoxels::new([3, 3, 3]);
    space.set(Voxel::new(2, 2, 2), true);
    assert_eq!(space.successors(Voxel::new(1, 1, 1)).len(), 25);
    // A solid edge blocks itself and the two corners beside it.
    let mut space = ReferenceVoxels::new([3, 3, 3]);
    space.set(Voxel::new(2, 2, 1), true);
    assert_eq!(space.successors(Voxel::new(1, 1, 1)).len(), 23);
}

#[test]
fn the_optimal_path_leads_over_the_wall() {
    let space = space(&["..#..", "..#..", "....."]);
    let (from, to) = (Voxel::new(0, 0, 0), Voxel::new(4, 0, 0));
    // Above the wall only straight moves are legal; one diagonal up and one down.
    let cost = space.path_cost(from, to).unwrap().units();
    assert_eq!(cost, 2 * 2069 + 4 * 1463);
    assert_eq!(Some(cost), space.path_cost(to, from).map(Cost::units));
    assert_eq!(space.path_cost(from, Voxel::new(2, 0, 0)), None);
    assert_eq!(space.path_cost(Voxel::new(2, 0, 0), from), None);
}

#[test]
fn solid_voxels_are_exactly_the_set_ones() {
    let mut space = ReferenceVoxels::new([3, 4, 5]);
    let solid = [Voxel::new(0, 0, 0), Voxel::new(2, 3, 4)];
    solid.iter().for_each(|voxel| space.set(*voxel, true));
    assert!(space.voxels().filter(|v| space.is_solid(*v)).eq(solid));
    assert!(space.solid_voxels().eq(solid));
    assert!(!space.is_solid(Voxel::new(-1, 0, 0)) && !space.is_free(Voxel::new(-1, 0, 0)));
}
