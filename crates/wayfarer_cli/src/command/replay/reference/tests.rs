use wayfarer::base::{Cell, Expected};
use wayfarer::make::{GeneratedWorld, Generator, Recipe, TraceKind, TraceRecipe, make, make_trace};

use super::*;

#[test]
fn made_stories_are_lived_through_without_a_fault_and_paths_know_how_they_stand() {
    let (mut held, mut broken) = (0, 0);
    for seed in 0..12 {
        for kind in [TraceKind::Dig, TraceKind::Build] {
            let world = make(&Recipe::new(Generator::Caves, 48, 40, seed)).unwrap();
            let recipe = TraceRecipe {
                n_batches: 60,
                n_queries: 3,
                seed,
            };
            let trace = make_trace(kind, &world, &recipe).unwrap();
            let GeneratedWorld::Flat(map) = world else {
                panic!("caves are flat");
            };
            let report = live_through(map, &trace).unwrap();
            assert_eq!(report.faults, Vec::<String>::new(), "seed {seed}, {kind}");
            assert!(
                report.batches > 0 && report.problems > 0,
                "seed {seed}, {kind}"
            );
            held += report.statuses.holds + report.statuses.shorter_may_exist;
            broken += report.statuses.broken;
        }
    }
    assert!(held > 100 && broken > 100, "{held} held, {broken} broken");
}

#[test]
fn a_wrong_expectation_is_a_fault_and_an_impossible_edit_an_error() {
    let map = Raster::from_bytes(3, 1, vec![0; 3]).unwrap();
    let query = |expected| {
        TraceStep::Query(Problem {
            start: Cell::flat(0, 0),
            goal: Cell::flat(2, 0),
            expected,
        })
    };
    let wall = TraceStep::Batch(vec![GroundEdit::RemoveCell {
        cell: Cell::flat(1, 0),
    }]);
    let mut steps = vec![query(Expected::Length(2.0)), wall.clone()];
    steps.push(query(Expected::Unreachable));
    let right = live_through(map.clone(), &EditTrace { steps }).unwrap();
    assert_eq!((right.matched, right.unreachable, right.wrong), (2, 1, 0));
    assert_eq!(right.statuses.broken, 1);
    let steps = vec![wall, query(Expected::Length(2.0)), query(Expected::Unknown)];
    let wrong = live_through(map.clone(), &EditTrace { steps }).unwrap();
    assert_eq!((wrong.problems, wrong.matched, wrong.wrong), (2, 0, 1));
    assert_eq!((wrong.unknown, wrong.unreachable), (1, 1));
    let high = TraceStep::Batch(vec![GroundEdit::PutCell {
        cell: Cell::new(0, 0, 4),
        terrain: Terrain::GROUND,
    }]);
    let error = live_through(map, &EditTrace { steps: vec![high] });
    assert!(
        error
            .err()
            .unwrap()
            .starts_with("step 0: edit 0 puts a floor at height 4")
    );
}
