use wayfarer_engine::base::{Cell, Expected};
use wayfarer_engine::make::{
    GeneratedWorld, Generator, Recipe, TraceKind, TraceRecipe, make, make_trace,
};

use super::*;

#[test]
fn generated_traces_replay_without_a_fault_and_statuses_match() {
    let (mut n_valid, mut n_invalid) = (0, 0);
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
            let report = replay(map, &trace).unwrap();
            assert_eq!(report.faults, Vec::<String>::new(), "seed {seed}, {kind}");
            assert!(
                report.batches > 0 && report.problems > 0,
                "seed {seed}, {kind}"
            );
            n_valid += report.statuses.valid + report.statuses.maybe_suboptimal;
            n_invalid += report.statuses.invalid;
        }
    }
    assert!(n_valid > 100 && n_invalid > 100, "{n_valid}, {n_invalid}");
}

#[test]
fn a_wrong_expectation_is_a_fault_and_an_inapplicable_edit_an_error() {
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
    let right = replay(map.clone(), &EditTrace { steps }).unwrap();
    assert_eq!((right.matched, right.unreachable, right.wrong), (2, 1, 0));
    assert_eq!(right.statuses.invalid, 1);
    let steps = vec![wall, query(Expected::Length(2.0)), query(Expected::Unknown)];
    let wrong = replay(map.clone(), &EditTrace { steps }).unwrap();
    assert_eq!((wrong.problems, wrong.matched, wrong.wrong), (2, 0, 1));
    assert_eq!((wrong.unknown, wrong.unreachable), (1, 1));
    let high = TraceStep::Batch(vec![GroundEdit::PutCell {
        cell: Cell::new(0, 0, 4),
        terrain: Terrain::GROUND,
    }]);
    let error = replay(map, &EditTrace { steps: vec![high] });
    assert!(
        error
            .err()
            .unwrap()
            .starts_with("step 0: edit 0 puts a floor at height 4")
    );
}
