use wayfarer_engine::base::{
    LinkDirection, LinkState, NavLink, NavLinkKind, Raster, Terrain, WorldData,
};
use wayfarer_engine::make::{
    GeneratedWorld, Generator, Recipe, TraceKind, TraceRecipe, make, make_trace,
};

use super::*;

/// A lane of ten cells, with a nearly free teleport from one end to near the other.
fn lane(direction: LinkDirection) -> WorldData {
    WorldData {
        cells: (0..10)
            .map(|x| (Cell::flat(x, 0), Terrain::GROUND))
            .collect(),
        nav_links: vec![NavLink {
            from: Cell::flat(0, 0),
            to: Cell::flat(8, 0),
            kind: NavLinkKind::Teleport,
            direction,
            cost: Cost::from_units(1),
            state: LinkState::Open,
        }],
        ..WorldData::default()
    }
}

#[test]
fn a_nav_link_cheaper_than_the_straight_path_is_taken() {
    let query = |from, to, expected| {
        TraceStep::Query(Problem {
            start: Cell::flat(from, 0),
            goal: Cell::flat(to, 0),
            expected: Expected::Length(expected),
        })
    };
    let gate = GroundEdit::RemoveNavLink((&lane(LinkDirection::OneWay).nav_links[0]).into());
    let trace = EditTrace {
        steps: vec![
            query(0, 9, 1.0 + 1.0 / 1463.0),
            query(9, 0, 9.0),
            TraceStep::Batch(vec![gate]),
            query(0, 9, 9.0),
        ],
    };
    let world = World::from_data(&lane(LinkDirection::OneWay)).unwrap();
    let report = replay(world, None, &trace, Checks::Results).unwrap();
    assert_eq!(
        (report.matched, report.wrong),
        (3, 0),
        "{:?}",
        report.faults
    );
    assert_eq!((report.statuses.invalid, report.statuses.valid), (1, 1));
}

#[test]
fn a_wrong_result_is_reported_with_its_step() {
    let query = |expected| {
        TraceStep::Query(Problem {
            start: Cell::flat(1, 0),
            goal: Cell::flat(3, 0),
            expected,
        })
    };
    let cut = GroundEdit::RemoveCell {
        cell: Cell::flat(2, 0),
    };
    let mut data = lane(LinkDirection::Bidirectional);
    data.nav_links.clear();
    let trace = EditTrace {
        steps: vec![
            query(Expected::Length(2.0)),
            query(Expected::Length(2.5)),
            TraceStep::Batch(vec![cut]),
            query(Expected::Unreachable),
            query(Expected::Unknown),
            query(Expected::Length(2.0)),
        ],
    };
    let world = World::from_data(&data).unwrap();
    let report = replay(world, None, &trace, Checks::Everything).unwrap();
    assert_eq!((report.problems, report.matched, report.wrong), (5, 2, 2));
    assert_eq!((report.unknown, report.unreachable), (1, 2));
    assert!(
        report.faults[0].starts_with("step 1: "),
        "{:?}",
        report.faults
    );
    assert!(report.faults[1].ends_with("found no path, the file says 2"));
    let ground = report.ground;
    assert_eq!((ground.split, ground.merged, ground.compared), (1, 0, 1));
}

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
            let world = World::from_raster(&map);
            let flat = DenseGround::from_raster(map).ok();
            let report = replay(world, flat, &trace, Checks::Results).unwrap();
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
fn on_a_flat_map_the_dense_grid_judges_paths_and_edits() {
    let cells = (0..3).map(|x| (Cell::flat(x, 0), Terrain::GROUND));
    let data = WorldData {
        cells: cells.collect(),
        ..WorldData::default()
    };
    // The grid of another map: a wall in the middle.
    let other = Raster::from_bytes(3, 1, vec![0, 255, 0]).unwrap();
    let run = |step| {
        let world = World::from_data(&data).unwrap();
        let flat = DenseGround::from_raster(other.clone()).ok();
        let steps = vec![step];
        replay(world, flat, &EditTrace { steps }, Checks::Results)
    };
    let query = TraceStep::Query(Problem {
        start: Cell::flat(0, 0),
        goal: Cell::flat(2, 0),
        expected: Expected::Unknown,
    });
    assert_eq!(run(query).unwrap().wrong, 1);
    let high = TraceStep::Batch(vec![GroundEdit::PutCell {
        cell: Cell::new(0, 0, 4),
        terrain: Terrain::GROUND,
    }]);
    let error = run(high).err().unwrap();
    assert_eq!(error, "step 0: an edit that the flat map cannot hold");
}
