//! Problems start and end where they should, and what is said to be unreachable is.

use super::*;
use crate::{GeneratedWorld, Generator, Recipe, make};

fn map(kind: Generator, width: u32, height: u32, seed: u64) -> Raster {
    match make(&Recipe::new(kind, width, height, seed)) {
        Ok(GeneratedWorld::Flat(map)) => map,
        other => panic!("{other:?}"),
    }
}

/// The slow way: true if `goal` is found by straight steps from `start`.
fn reaches(map: &Raster, start: Cell, goal: Cell) -> bool {
    let mut seen = vec![false; map.bytes().len()];
    let mut stack = vec![(start.x, start.y)];
    while let Some((x, y)) = stack.pop() {
        if map.is_walkable(x, y) && !std::mem::replace(&mut seen[map.index(x, y).unwrap()], true) {
            stack.extend([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]);
        }
    }
    seen[map.index(goal.x, goal.y).unwrap()]
}

#[test]
fn problems_are_walkable_and_their_answers_hold() {
    let (mut n_unreachable, mut n_all) = (0, 0);
    for kind in [
        Generator::Noise,
        Generator::Random,
        Generator::Terrain,
        Generator::Caves,
        Generator::Checkerboard,
    ] {
        let map = map(kind, 48, 40, 3);
        for problem in scenario(&map, 100, 9) {
            let Problem {
                start,
                goal,
                expected,
            } = problem;
            assert!(map.is_walkable(start.x, start.y) && map.is_walkable(goal.x, goal.y));
            let reached = reaches(&map, start, goal);
            match expected {
                Expected::Unreachable => assert!(!reached, "{kind} {problem:?}"),
                Expected::Unknown => assert!(reached && start != goal, "{kind} {problem:?}"),
                Expected::Length(length) => assert!(start == goal && length == 0.0),
            }
            if kind != Generator::Caves {
                n_all += 1;
                n_unreachable += i32::from(!reached);
            }
        }
    }
    let share = n_unreachable * 100 / n_all;
    assert!((5..=15).contains(&share), "{share}%");
}

#[test]
fn more_problems_leave_the_first_ones_as_they_were() {
    let map = map(Generator::Rooms, 90, 70, 1);
    let (few, many) = (scenario(&map, 10, 4), scenario(&map, 50, 4));
    assert_eq!(few, many[..10]);
    assert_ne!(scenario(&map, 10, 5), few);
}

#[test]
fn a_map_with_nowhere_to_walk_has_no_problems() {
    assert_eq!(scenario(&Raster::new(5, 5).unwrap(), 3, 1), Vec::new());
    assert_eq!(scenario(&Raster::new(0, 5).unwrap(), 3, 1), Vec::new());
    assert_eq!(plan_scenario(&WorldData::default(), 3, 1), Vec::new());
}

#[test]
fn problems_in_a_keep_start_and_end_on_its_floors() {
    let Ok(GeneratedWorld::MultiFloor(plan)) = make(&Recipe::new(Generator::Building, 40, 40, 1))
    else {
        panic!("keeps have storeys");
    };
    let problems = plan_scenario(&plan, 60, 2);
    assert_eq!(problems.len(), 60);
    let floor = |cell: Cell| plan.cells.iter().any(|(at, _)| *at == cell);
    assert!(problems.iter().all(|p| floor(p.start) && floor(p.goal)));
    assert!(problems.iter().any(|p| p.start.z != p.goal.z));
}
