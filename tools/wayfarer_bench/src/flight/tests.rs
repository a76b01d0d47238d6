//! A small map with problems, measured from end to end.

use wayfarer_engine::base::{Fixed, Voxel, VoxelSet};
use wayfarer_engine::formats::scen3d::{Scenario3d, ScenarioLine3d};
use wayfarer_engine::search::air::{FlightMethod, OctreeParams};
use wayfarer_measure::clock::Timer;

use super::lines::Bits;
use super::{FlightPlan, path_fault, run};

/// A wall across the middle with a hole in one corner.
fn map() -> VoxelSet {
    let wall = (0..12).flat_map(|y| (0..12).map(move |z| [6, y, z]));
    let solid = wall.filter(|at| *at != [6, 11, 11]).collect();
    VoxelSet::new([12, 12, 12], solid).unwrap()
}

fn problem(length: f64) -> Scenario3d {
    Scenario3d {
        map: "wall".to_owned(),
        lines: vec![ScenarioLine3d {
            start: Voxel::new(0, 11, 11),
            goal: Voxel::new(11, 11, 10),
            length,
            ratio: 1.0,
        }],
    }
}

fn plan(method: FlightMethod) -> FlightPlan {
    FlightPlan {
        half: None,
        method,
        sample: None,
        runs: 2,
        radius: Fixed::from_raw(0),
    }
}

#[test]
fn exact_lengths_are_compared_with_the_file_and_flights_are_shorter() {
    let timer = Timer::new();
    let right = 10.0 + std::f64::consts::SQRT_2;
    let exact = run(
        "wall",
        &map(),
        &problem(right),
        &plan(FlightMethod::VoxelAStar),
        &timer,
    )
    .unwrap();
    assert_eq!((exact.queries, exact.wrong), (1, 0), "{:?}", exact.faults);
    let off = run(
        "wall",
        &map(),
        &problem(right + 0.01),
        &plan(FlightMethod::VoxelAStar),
        &timer,
    )
    .unwrap();
    assert_eq!(off.wrong, 1);
    let octree = FlightMethod::Octree(OctreeParams::BALANCED);
    let octree = run("wall", &map(), &problem(right), &plan(octree), &timer).unwrap();
    assert_eq!(octree.wrong, 0, "{:?}", octree.faults);
    assert!(octree.length_ratio.unwrap().mean <= 1.0);
}

/// A wall with a hole of 3 x 3 voxels.
fn gate() -> VoxelSet {
    let wall = (0..16).flat_map(|y| (0..16).map(move |z| [8, y, z]));
    let is_hole = |at: &[u32; 3]| (6..9).contains(&at[1]) && (6..9).contains(&at[2]);
    VoxelSet::new([16; 3], wall.filter(|at| !is_hole(at)).collect()).unwrap()
}

#[test]
fn flights_of_wide_agents_are_checked_by_a_swept_ball() {
    let timer = Timer::new();
    let from_to = |start: [i32; 3], goal: [i32; 3]| {
        let [start, goal] = [start, goal].map(|[x, y, z]| Voxel::new(x, y, z));
        ScenarioLine3d {
            start,
            goal,
            length: 20.0,
            ratio: 1.0,
        }
    };
    let problems = Scenario3d {
        map: "gate".to_owned(),
        lines: vec![
            from_to([3, 3, 3], [12, 12, 12]),
            from_to([3, 12, 3], [12, 3, 12]),
            // One voxel from the wall.
            from_to([7, 12, 3], [12, 3, 12]),
        ],
    };
    // Radius in 1/256; counts of found, too narrow and unreachable.
    for (raw, expected) in [
        (0, [3, 0, 0]),
        (100, [3, 0, 0]),
        (384, [2, 1, 0]),
        (400, [0, 1, 2]),
    ] {
        for method in [
            FlightMethod::Octree(OctreeParams::BALANCED),
            FlightMethod::VoxelAStar,
        ] {
            let plan = FlightPlan {
                radius: Fixed::from_raw(raw),
                ..plan(method)
            };
            let found = run("gate", &gate(), &problems, &plan, &timer).unwrap();
            let counts = [found.checked, found.no_room, found.cut_off];
            assert_eq!(counts, expected, "{raw} {method:?} {:?}", found.faults);
            let is_judged = method == FlightMethod::VoxelAStar && raw <= 128;
            assert!(is_judged || found.wrong == 0, "{raw} {:?}", found.faults);
            assert!(found.raw_legs >= found.checked);
        }
    }
}

#[test]
fn a_flight_through_a_wall_or_along_its_edge_is_a_fault() {
    let bits = Bits::of(&gate());
    let problem = ScenarioLine3d {
        start: Voxel::new(3, 7, 7),
        goal: Voxel::new(12, 7, 7),
        length: 9.0,
        ratio: 1.0,
    };
    let with = |raw: i32| FlightPlan {
        radius: Fixed::from_raw(raw),
        ..plan(FlightMethod::Octree(OctreeParams::BALANCED))
    };
    let [start, goal] = [problem.start, problem.goal];
    let high = |x: i32| Voxel::new(x, 8, 8);
    let through = |y: i32| [start, Voxel::new(7, y, 7), Voxel::new(9, y, 7), goal];
    assert_eq!(path_fault(&bits, &problem, &with(0), &[start, goal]), None);
    assert_eq!(
        path_fault(&bits, &problem, &with(384), &[start, goal]),
        None
    );
    let edge = [start, high(7), high(9), goal];
    assert_eq!(path_fault(&bits, &problem, &with(0), &edge), None);
    for (raw, path) in [
        (0, &through(10)[..]),
        (200, &edge[..]),
        (0, &[start, high(7)][..]),
        (0, &[goal, start][..]),
        (0, &[][..]),
        (385, &[start, goal][..]),
    ] {
        let fault = path_fault(&bits, &problem, &with(raw), path);
        assert!(fault.is_some(), "{raw} {path:?}");
    }
}
