use std::collections::BTreeSet;

use wayfarer_base::Dice;

use super::*;

/// Storeys from the lowest up, rows from north to south; `#` is solid.
fn space(storeys: &[&str]) -> PlainSpace {
    let rows = |storey: &str| -> Vec<String> {
        let rows = storey.lines().map(|row| row.trim().to_owned());
        rows.filter(|row| !row.is_empty()).collect()
    };
    let drawn: Vec<Vec<String>> = storeys.iter().map(|storey| rows(storey)).collect();
    let side = |n: usize| i32::try_from(n).unwrap();
    let mut space = PlainSpace::new([
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

pub(super) fn random_space(dice: &mut Dice, size: [i32; 3], solid_of_ten: u32) -> PlainSpace {
    let mut space = PlainSpace::new(size);
    let all: Vec<Voxel> = space.voxels().collect();
    for voxel in all {
        space.set(voxel, dice.chance(solid_of_ten, 10));
    }
    space
}

#[test]
fn free_space_has_twenty_six_moves() {
    let open = PlainSpace::new([3, 3, 3]);
    let steps = open.steps(Voxel::new(1, 1, 1));
    let n_cost = |units| steps.iter().filter(|(_, c)| c.units() == units).count();
    assert_eq!((n_cost(1463), n_cost(2069), n_cost(2534)), (6, 12, 8));
    assert_eq!(open.steps(Voxel::new(0, 0, 0)).len(), 7);
    assert_eq!(open.steps(Voxel::new(3, 0, 0)).len(), 0, "outside");
}

#[test]
fn a_move_needs_its_whole_box() {
    // A solid voxel east of the middle takes away every move with a part to the east.
    let mut space = PlainSpace::new([3, 3, 3]);
    space.set(Voxel::new(2, 1, 1), true);
    let steps = space.steps(Voxel::new(1, 1, 1));
    assert_eq!(steps.len(), 17);
    assert!(steps.iter().all(|(to, _)| to.x <= 1));
    // A solid corner takes away only itself.
    let mut space = PlainSpace::new([3, 3, 3]);
    space.set(Voxel::new(2, 2, 2), true);
    assert_eq!(space.steps(Voxel::new(1, 1, 1)).len(), 25);
    // A solid edge takes itself and the two corners beside it.
    let mut space = PlainSpace::new([3, 3, 3]);
    space.set(Voxel::new(2, 2, 1), true);
    assert_eq!(space.steps(Voxel::new(1, 1, 1)).len(), 23);
}

#[test]
fn the_best_way_leads_over_the_wall() {
    let space = space(&["..#..", "..#..", "....."]);
    let (from, to) = (Voxel::new(0, 0, 0), Voxel::new(4, 0, 0));
    // Over the wall's top only straight moves fit; one diagonal up and one down.
    let cost = space.path_cost(from, to).unwrap().units();
    assert_eq!(cost, 2 * 2069 + 4 * 1463);
    assert_eq!(Some(cost), space.path_cost(to, from).map(Cost::units));
    let path = [(0, 0), (1, 1), (1, 2), (2, 2), (3, 2), (3, 1), (4, 0)];
    let path = path.map(|(x, z)| Voxel::new(x, 0, z));
    assert_eq!(space.check_path(&path).map(Cost::units), Ok(cost));
    assert_eq!(space.path_cost(from, Voxel::new(2, 0, 0)), None);
    assert_eq!(space.dijkstra(Voxel::new(2, 0, 0)).len(), 0);
}

#[test]
fn a_path_is_checked_move_by_move() {
    let space = space(&["..\n.#"]);
    let check = |path: &[(i32, i32)]| {
        let path: Vec<Voxel> = path.iter().map(|&(x, y)| Voxel::new(x, y, 0)).collect();
        space.check_path(&path)
    };
    assert_eq!(check(&[(1, 0), (0, 0), (0, 1)]).unwrap().units(), 2926);
    assert!(check(&[]).unwrap_err().contains("no voxel"));
    assert!(
        check(&[(1, 1)])
            .unwrap_err()
            .contains("(1, 1, 0) is not free")
    );
    let corner = check(&[(0, 0), (0, 1), (1, 0)]).unwrap_err();
    assert!(corner.contains("move 1 from (0, 1, 0) to (1, 0, 0)"));
}

#[test]
fn faces_join_less_than_corners() {
    let space = space(&[".#\n##", "##\n#."]);
    let names = |map: BTreeMap<Voxel, Voxel>| map.into_values().collect::<BTreeSet<_>>().len();
    assert_eq!(names(space.components_6()), 2);
    assert_eq!(names(space.components_26()), 1);
}

#[test]
fn moves_reach_exactly_what_faces_join() {
    let mut dice = Dice::new(2);
    for _ in 0..10 {
        let space = random_space(&mut dice, [5, 4, 6], 6);
        let names = space.components_6();
        for from in names.keys() {
            let reached = space.dijkstra(*from);
            let joined = names.iter().filter(|(_, name)| **name == names[from]);
            assert!(reached.keys().eq(joined.map(|(voxel, _)| voxel)));
            for (to, cost) in &reached {
                assert_eq!(space.path_cost(*to, *from), Some(*cost));
            }
        }
    }
}

#[test]
fn a_set_and_its_block_hold_the_same() {
    let set = VoxelSet::new([3, 4, 5], vec![[2, 3, 4], [0, 0, 0]]).unwrap();
    let space = PlainSpace::from_set(&set);
    assert_eq!(space.size(), [3, 4, 5]);
    let solid: Vec<Voxel> = space.voxels().filter(|v| space.is_solid(*v)).collect();
    assert_eq!(solid, [Voxel::new(0, 0, 0), Voxel::new(2, 3, 4)]);
    assert!(space.solid_voxels().eq(solid));
    assert!(!space.is_solid(Voxel::new(-1, 0, 0)) && !space.is_free(Voxel::new(-1, 0, 0)));
}
