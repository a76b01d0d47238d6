//! Replays of generated edit traces.

use wayfarer_base::collections::OrderedMap;
use wayfarer_base::{Digest, LinkState, NavLinkId, WorldData};

use super::*;
use crate::{Generator, Recipe, make};

const RECIPE: TraceRecipe = TraceRecipe {
    n_batches: 40,
    n_queries: 2,
    seed: 7,
};

fn world(kind: Generator, width: u32, height: u32) -> GeneratedWorld {
    make(&Recipe::new(kind, width, height, 3)).unwrap()
}

/// Reference application of one edit; panics outside the map.
fn apply(map: &mut Raster, edit: &GroundEdit) {
    let mut set = |at: Column, terrain| assert!(map.set(at.x, at.y, terrain), "{at} is outside");
    match edit {
        GroundEdit::PutCell { cell, terrain } => set(cell.column(), Some(*terrain)),
        GroundEdit::RemoveCell { cell } => set(cell.column(), None),
        GroundEdit::Fill { shape, terrain, .. } => {
            shape.columns().for_each(|at| set(at, Some(*terrain)));
        }
        GroundEdit::Clear { shape, .. } => shape.columns().for_each(|at| set(at, None)),
        GroundEdit::Patch { at, raster, .. } => raster.rect().columns().for_each(|from| {
            set(
                Column::new(at.x + from.x, at.y + from.y),
                raster.get(from.x, from.y),
            );
        }),
        other => panic!("no trace contains {other:?}"),
    }
}

/// Replays a trace on a flat map; returns the number of effective batches and of queries.
fn replay(map: &Raster, trace: &EditTrace) -> (usize, usize) {
    let (mut map, mut n_batches, mut n_queries) = (map.clone(), 0, 0);
    for step in &trace.steps {
        match step {
            TraceStep::Batch(edits) => {
                let before = map.clone();
                edits.iter().for_each(|edit| apply(&mut map, edit));
                assert!(!edits.is_empty());
                // Rarely a batch has no effect, as with two equal houses on the same plot.
                n_batches += usize::from(map != before);
            }
            TraceStep::Query(Problem { start, goal, .. }) => {
                assert!(map.is_walkable(start.x, start.y) && map.is_walkable(goal.x, goal.y));
                n_queries += 1;
            }
        }
    }
    (n_batches, n_queries)
}

fn digest(trace: &EditTrace) -> u64 {
    let mut digest = Digest::default();
    let mut cell = |what: i64, cell: Cell| {
        for number in [what, cell.x.into(), cell.y.into(), cell.z.into()] {
            digest.signed(number);
        }
    };
    for step in &trace.steps {
        let edits = match step {
            TraceStep::Batch(edits) => edits,
            TraceStep::Query(problem) => {
                cell(1, problem.start);
                cell(2, problem.goal);
                continue;
            }
        };
        for edit in edits {
            match edit {
                GroundEdit::PutCell { cell: at, .. } => cell(3, *at),
                GroundEdit::RemoveCell { cell: at } => cell(4, *at),
                GroundEdit::Fill { shape, z, .. } => {
                    shape.columns().for_each(|at| cell(5, at.at(*z)));
                }
                GroundEdit::Clear { shape, .. } => shape.columns().for_each(|at| cell(6, at.at(0))),
                GroundEdit::Patch { at, z, raster } => {
                    cell(7, at.at(*z));
                    let bytes = raster.bytes().iter();
                    bytes.for_each(|&byte| cell(8, Cell::flat(byte.into(), 0)));
                }
                GroundEdit::SetNavLinkState { nav_link, state } => {
                    cell(9, nav_link.from);
                    cell(10 + i64::from(*state == LinkState::Open), nav_link.to);
                }
                other => panic!("no trace contains {other:?}"),
            }
        }
    }
    digest.value()
}

#[test]
fn every_batch_changes_the_map_and_every_query_is_walkable() {
    for kind in [
        Generator::Caves,
        Generator::Rooms,
        Generator::Maze,
        Generator::City,
        Generator::Clutter,
        Generator::Terrain,
    ] {
        let generated = world(kind, 96, 70);
        let GeneratedWorld::Flat(map) = &generated else {
            panic!("{kind} is not flat");
        };
        for edit_trace in [TraceKind::Dig, TraceKind::Build] {
            let trace = make_trace(edit_trace, &generated, &RECIPE).unwrap();
            assert_eq!(replay(map, &trace), (40, 80), "{edit_trace} in {kind}");
            assert_eq!(trace, make_trace(edit_trace, &generated, &RECIPE).unwrap());
        }
    }
}

#[test]
fn a_longer_trace_extends_the_shorter_one() {
    let generated = world(Generator::Caves, 80, 80);
    let longer = TraceRecipe {
        n_batches: 60,
        ..RECIPE
    };
    for trace in [TraceKind::Dig, TraceKind::Build] {
        let (few, many) = (
            make_trace(trace, &generated, &RECIPE).unwrap(),
            make_trace(trace, &generated, &longer).unwrap(),
        );
        assert_eq!(few.steps, many.steps[..few.steps.len()]);
    }
}

#[test]
fn traces_stay_on_maps_of_any_size() {
    for (width, height) in [(1, 1), (2, 1), (3, 3), (1, 40), (12, 5)] {
        for kind in [Generator::Open, Generator::Caves, Generator::Checkerboard] {
            let GeneratedWorld::Flat(map) = world(kind, width, height) else {
                panic!("{kind} is not flat");
            };
            replay(&map, &dig(&map, &RECIPE));
            replay(&map, &build(&map, &RECIPE));
        }
        let rock = Raster::new(width, height).unwrap();
        assert!(replay(&rock, &dig(&rock, &RECIPE)).0 > 0);
        assert_eq!(build(&rock, &RECIPE), EditTrace::default());
    }
    let empty = Raster::new(0, 0).unwrap();
    assert_eq!(build(&empty, &RECIPE), EditTrace::default());
    assert_eq!(dig(&empty, &RECIPE), EditTrace::default());
}

#[test]
fn an_open_map_has_nothing_to_dig() {
    let GeneratedWorld::Flat(map) = world(Generator::Open, 30, 30) else {
        panic!("open maps are flat");
    };
    assert_eq!(dig(&map, &RECIPE), EditTrace::default());
}

#[test]
fn every_edit_changes_the_state_of_a_door() {
    let generated = world(Generator::Building, 60, 60);
    let GeneratedWorld::MultiFloor(data) = &generated else {
        panic!("buildings have floors");
    };
    let trace = make_trace(TraceKind::Doors, &generated, &RECIPE).unwrap();
    assert_eq!(trace.steps.len(), 40 * 3);
    let mut states: OrderedMap<NavLinkId, LinkState> = data
        .nav_links
        .iter()
        .map(|nav_link| (NavLinkId::from(nav_link), nav_link.state))
        .collect();
    let initial = states.clone();
    for step in &trace.steps {
        let TraceStep::Batch(edits) = step else {
            continue;
        };
        assert!((1..=3).contains(&edits.len()));
        for edit in edits {
            let GroundEdit::SetNavLinkState { nav_link, state } = edit else {
                panic!("{edit:?} is no door");
            };
            let before = states.insert(*nav_link, *state).expect("the door exists");
            assert_ne!(before, *state);
            let initial_state = initial[nav_link];
            assert!(!matches!(initial_state, LinkState::Locked(_)) || *state != LinkState::Closed);
        }
    }
    assert_eq!(doors(&WorldData::default(), &RECIPE), EditTrace::default());
}

#[test]
fn traces_are_equal_on_every_target() {
    let caves = world(Generator::Caves, 64, 64);
    let building = world(Generator::Building, 64, 64);
    let trace_digest = |kind, world| digest(&make_trace(kind, world, &RECIPE).unwrap());
    let found = [
        trace_digest(TraceKind::Dig, &caves),
        trace_digest(TraceKind::Build, &caves),
        trace_digest(TraceKind::Doors, &building),
    ];
    let golden = [
        0x7918_967f_ef03_e39e,
        0x509b_8509_75ef_2e3c,
        0xd58b_9f70_7139_e511,
    ];
    assert_eq!(found, golden, "{found:#x?}");
}

#[test]
fn unsupported_traces_are_rejected() {
    let (flat, building) = (
        world(Generator::Open, 9, 9),
        world(Generator::Building, 30, 30),
    );
    let check = |kind, world, message: &str| {
        let error = make_trace(kind, world, &RECIPE).unwrap_err();
        assert_eq!(error.to_string(), message);
    };
    check(
        TraceKind::Doors,
        &flat,
        "doors: requires a world with doors",
    );
    check(TraceKind::Dig, &building, "dig: requires a flat map");
    check(TraceKind::Build, &building, "build: requires a flat map");
    for kind in TraceKind::ALL {
        assert_eq!(TraceKind::from_name(kind.name()), Some(kind));
        assert!(!kind.description().is_empty());
    }
}
