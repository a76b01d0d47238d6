//! A small map with problems, measured from end to end.

use wayfarer::base::{Voxel, VoxelSet};
use wayfarer::formats::scen3d::{Scenario3d, ScenarioLine3d};
use wayfarer::search::air::{FlightMethod, Tuning};

use super::{FlightPlan, run};
use crate::clock::Timer;

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
        method,
        sample: None,
        runs: 2,
    }
}

#[test]
fn exact_lengths_are_compared_with_the_file_and_flights_are_shorter() {
    let timer = Timer::new();
    let right = 10.0 + std::f64::consts::SQRT_2;
    let exact = run(&map(), &problem(right), &plan(FlightMethod::Exact), &timer).unwrap();
    assert_eq!((exact.queries, exact.wrong), (1, 0), "{:?}", exact.faults);
    let off = run(
        &map(),
        &problem(right + 0.01),
        &plan(FlightMethod::Exact),
        &timer,
    )
    .unwrap();
    assert_eq!(off.wrong, 1);
    let octree = FlightMethod::Octree(Tuning::BALANCED);
    let octree = run(&map(), &problem(right), &plan(octree), &timer).unwrap();
    assert_eq!(octree.wrong, 0, "{:?}", octree.faults);
    assert!(octree.length_ratio.unwrap().mean <= 1.0);
}
