//! Validity of generated problems.

use super::*;
use crate::{GeneratedWorld, Generator, Recipe, make};

fn map(generator: Generator, width: u32, height: u32, seed: u64) -> Raster {
    match make(&Recipe::new(generator, width, height, seed)) {
        Ok(GeneratedWorld::Flat(map)) => map,
        other => panic!("{other:?}"),
    }
}

/// Reference flood fill: true if `goal` is 4-connected to `start`.
fn is_connected(map: &Raster, start: Cell, goal: Cell) -> bool {
    let mut is_visited = vec![false; map.bytes().len()];
    let mut stack = vec![(start.x, start.y)];
    while let Some((x, y)) = stack.pop() {
        if map.is_walkable(x, y)
            && !std::mem::replace(&mut is_visited[map.index(x, y).unwrap()], true)
        {
            stack.extend([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]);
        }
    }
    is_visited[map.index(goal.x, goal.y).unwrap()]
}

#[test]
fn problems_are_walkable_with_correct_expectations() {
    let (mut n_unreachable, mut n_all) = (0, 0);
    for generator in [
        Generator::Noise,
        Generator::Random,
        Generator::Terrain,
        Generator::Caves,
        Generator::Checkerboard,
    ] {
        let map = map(generator, 48, 40, 3);
        for problem in scenario(&map, 100, 9) {
            let Problem {
                start,
                goal,
                expected,
            } = problem;
            assert!(map.is_walkable(start.x, start.y) && map.is_walkable(goal.x, goal.y));
            let is_reachable = is_connected(&map, start, goal);
            match expected {
                Expected::Unreachable => assert!(!is_reachable, "{generator} {problem:?}"),
                Expected::Unknown => {
                    assert!(is_reachable && start != goal, "{generator} {problem:?}");
                }
                Expected::Length(length) => assert!(start == goal && length == 0.0),
            }
            if generator != Generator::Caves {
                n_all += 1;
                n_unreachable += i32::from(!is_reachable);
            }
        }
    }
    let share = n_unreachable * 100 / n_all;
    assert!((5..=15).contains(&share), "{share}%");
}

#[test]
fn a_larger_count_extends_the_list_of_problems() {
    let map = map(Generator::Rooms, 90, 70, 1);
    let (few, many) = (scenario(&map, 10, 4), scenario(&map, 50, 4));
    assert_eq!(few, many[..10]);
    assert_ne!(scenario(&map, 10, 5), few);
}

#[test]
fn a_map_without_walkable_cells_has_no_problems() {
    assert_eq!(scenario(&Raster::new(5, 5).unwrap(), 3, 1), Vec::new());
    assert_eq!(scenario(&Raster::new(0, 5).unwrap(), 3, 1), Vec::new());
    assert_eq!(world_scenario(&WorldData::default(), 3, 1), Vec::new());
}

#[test]
fn problems_in_a_building_start_and_end_on_its_floors() {
    let Ok(GeneratedWorld::MultiFloor(data)) = make(&Recipe::new(Generator::Building, 40, 40, 1))
    else {
        panic!("buildings have floors");
    };
    let problems = world_scenario(&data, 60, 2);
    assert_eq!(problems.len(), 60);
    let is_floor = |cell: Cell| data.cells.iter().any(|(at, _)| *at == cell);
    assert!(
        problems
            .iter()
            .all(|p| is_floor(p.start) && is_floor(p.goal))
    );
    assert!(problems.iter().any(|p| p.start.z != p.goal.z));
}
