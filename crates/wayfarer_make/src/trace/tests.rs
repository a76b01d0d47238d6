//! Stories replayed step by step: every edit does something, every query can be asked.

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

/// Applies one edit the obvious way; nothing may lie outside the map.
fn apply(map: &mut Raster, edit: &GroundEdit) {
    let mut set = |at: Column, terrain| assert!(map.set(at.x, at.y, terrain), "{at} is outside");
    match edit {
        GroundEdit::PutCell { cell, terrain } => set(cell.column(), Some(*terrain)),
        GroundEdit::RemoveCell { cell } => set(cell.column(), None),
        GroundEdit::Fill { shape, terrain, .. } => {
            shape.columns().for_each(|at| set(at, Some(*terrain)))
        }
        GroundEdit::Clear { shape, .. } => shape.columns().for_each(|at| set(at, None)),
        GroundEdit::Patch { at, raster, .. } => raster.rect().columns().for_each(|from| {
            set(
                Column::new(at.x + from.x, at.y + from.y),
                raster.get(from.x, from.y),
            );
        }),
        other => panic!("no story tells of {other:?}"),
    }
}

/// Replays a story on a flat map; tells how many batches and queries there were.
fn replay(map: &Raster, trace: &EditTrace) -> (usize, usize) {
    let (mut map, mut n_batches, mut n_queries) = (map.clone(), 0, 0);
    for step in &trace.steps {
        match step {
            TraceStep::Batch(edits) => {
                let before = map.clone();
                edits.iter().for_each(|edit| apply(&mut map, edit));
                assert!(!edits.is_empty());
                // Two houses on the same spot may leave all as it is, rarely.
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
                    shape.columns().for_each(|at| cell(5, at.at(*z)))
                }
                GroundEdit::Clear { shape, .. } => shape.columns().for_each(|at| cell(6, at.at(0))),
                GroundEdit::Patch { at, z, raster } => {
                    cell(7, at.at(*z));
                    let bytes = raster.bytes().iter();
                    bytes.for_each(|&byte| cell(8, Cell::flat(byte.into(), 0)));
                }
                GroundEdit::SetNavLinkState {
                    nav_link: passage,
                    state: gate,
                } => {
                    cell(9, passage.from);
                    cell(10 + i64::from(*gate == LinkState::Open), passage.to);
                }
                other => panic!("no story tells of {other:?}"),
            }
        }
    }
    digest.value()
}

#[test]
fn digging_and_building_change_the_map_and_ask_where_one_can_walk() {
    for kind in [
        Generator::Caves,
        Generator::Rooms,
        Generator::Maze,
        Generator::City,
        Generator::Clutter,
        Generator::Terrain,
    ] {
        let made = world(kind, 96, 70);
        let GeneratedWorld::Flat(map) = &made else {
            panic!("{kind} is not flat");
        };
        for edit_trace in [TraceKind::Dig, TraceKind::Build] {
            let trace = make_trace(edit_trace, &made, &RECIPE).unwrap();
            assert_eq!(replay(map, &trace), (40, 80), "{edit_trace} in {kind}");
            assert_eq!(trace, make_trace(edit_trace, &made, &RECIPE).unwrap());
        }
    }
}

#[test]
fn a_longer_story_begins_like_the_shorter_one() {
    let made = world(Generator::Caves, 80, 80);
    let longer = TraceRecipe {
        n_batches: 60,
        ..RECIPE
    };
    for trace in [TraceKind::Dig, TraceKind::Build] {
        let (few, many) = (
            make_trace(trace, &made, &RECIPE).unwrap(),
            make_trace(trace, &made, &longer).unwrap(),
        );
        assert_eq!(few.steps, many.steps[..few.steps.len()]);
    }
}

#[test]
fn on_maps_of_any_size_the_story_stays_on_the_map() {
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
    let nothing = Raster::new(0, 0).unwrap();
    assert_eq!(build(&nothing, &RECIPE), EditTrace::default());
    assert_eq!(dig(&nothing, &RECIPE), EditTrace::default());
}

#[test]
fn where_all_is_open_there_is_nothing_to_dig() {
    let GeneratedWorld::Flat(map) = world(Generator::Open, 30, 30) else {
        panic!("open maps are flat");
    };
    assert_eq!(dig(&map, &RECIPE), EditTrace::default());
}

#[test]
fn every_door_edit_names_a_door_and_changes_it() {
    let made = world(Generator::Building, 60, 60);
    let GeneratedWorld::MultiFloor(plan) = &made else {
        panic!("keeps have storeys");
    };
    let trace = make_trace(TraceKind::Doors, &made, &RECIPE).unwrap();
    assert_eq!(trace.steps.len(), 40 * 3);
    let mut gates: OrderedMap<NavLinkId, LinkState> = plan
        .nav_links
        .iter()
        .map(|nav_link| (NavLinkId::from(nav_link), nav_link.state))
        .collect();
    let locked = gates.clone();
    for step in &trace.steps {
        let TraceStep::Batch(edits) = step else {
            continue;
        };
        assert!((1..=3).contains(&edits.len()));
        for edit in edits {
            let GroundEdit::SetNavLinkState {
                nav_link: passage,
                state: gate,
            } = edit
            else {
                panic!("{edit:?} is no door");
            };
            let before = gates.insert(*passage, *gate).expect("the door exists");
            assert_ne!(before, *gate);
            let at_first = locked[passage];
            assert!(!matches!(at_first, LinkState::Locked(_)) || *gate != LinkState::Closed);
        }
    }
    assert_eq!(doors(&WorldData::default(), &RECIPE), EditTrace::default());
}

#[test]
fn equal_stories_are_told_on_every_machine() {
    let caves = world(Generator::Caves, 64, 64);
    let keep = world(Generator::Building, 64, 64);
    let tell = |kind, world| digest(&make_trace(kind, world, &RECIPE).unwrap());
    let found = [
        tell(TraceKind::Dig, &caves),
        tell(TraceKind::Build, &caves),
        tell(TraceKind::Doors, &keep),
    ];
    let golden = [
        0x7918_967f_ef03_e39e,
        0x509b_8509_75ef_2e3c,
        0xd58b_9f70_7139_e511,
    ];
    assert_eq!(found, golden, "{found:#x?}");
}

#[test]
fn stories_that_cannot_happen_are_errors() {
    let (flat, keep) = (
        world(Generator::Open, 9, 9),
        world(Generator::Building, 30, 30),
    );
    let check = |kind, world, message: &str| {
        let error = make_trace(kind, world, &RECIPE).unwrap_err();
        assert_eq!(error.to_string(), message);
    };
    check(TraceKind::Doors, &flat, "doors: needs a world with doors");
    check(TraceKind::Dig, &keep, "dig: needs a flat map");
    check(TraceKind::Build, &keep, "build: needs a flat map");
    for kind in TraceKind::ALL {
        assert_eq!(TraceKind::from_name(kind.name()), Some(kind));
        assert!(!kind.description().is_empty());
    }
}
