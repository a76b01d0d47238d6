use super::*;
use wayfarer_engine::base::{Cell, Terrain, Wall, WallSide};
use wayfarer_engine::formats::{edits_file, world_file};

fn plan() -> WorldData {
    random_world(2, WorldKind::Mixed)
}

#[test]
fn stories_are_lived_through_until_one_has_enough() {
    let arguments = Arguments {
        n_batches: 6,
        compare_every: 3,
        ..Arguments::new(5)
    };
    let (tally, failed) = run(&arguments, |tally| tally.cases < 9);
    assert_eq!(failed, None);
    assert_eq!((tally.cases, tally.batches, tally.comparisons), (9, 54, 18));
    assert!(tally.edits >= 54);
}

#[test]
fn the_oracle_notices_whatever_differs() {
    let plan = plan();
    let world = ReferenceWorld::new(&plan);
    let ground = Ground::from_data(&plan).unwrap();
    assert_eq!(compare(&ground, &world), Ok(()));
    let (cell, _) = plan.cells[plan.cells.len() / 2];
    let terrain = Terrain::SWAMP;
    let side = WallSide::South;
    let standing = ground.nodes().map(|node| ground.cell(node));
    let open = standing.into_iter().find(|cell| {
        let wall = Wall { cell: *cell, side };
        let south = Cell::new(cell.x, cell.y + 1, cell.z);
        ground.node(south).is_some() && !plan.walls.contains(&wall)
    });
    let wall = Wall {
        cell: open.unwrap(),
        side,
    };
    let nav_link = (&plan.nav_links[0]).into();
    for edit in [
        GroundEdit::RemoveCell { cell: wall.cell },
        GroundEdit::PutCell {
            cell: wall.cell,
            terrain,
        },
        GroundEdit::PutCell {
            cell: Cell::new(cell.x, cell.y, 90),
            terrain,
        },
        GroundEdit::PutWall(wall),
        GroundEdit::RemoveNavLink(nav_link),
    ] {
        let mut other = Ground::from_data(&plan).unwrap();
        other.apply(std::slice::from_ref(&edit)).unwrap();
        assert!(compare(&other, &world).is_err(), "{edit:?}");
        assert_eq!(compare_rebuilt(&other), Ok(()), "{edit:?}");
    }
}

#[test]
fn a_wrong_batch_is_found_named_and_written_down() {
    let edit_trace = EditScript {
        seed: 3,
        kind: WorldKind::Walls,
        n_batches: 40,
    };
    assert_eq!(edit_trace.run(10, &mut Tally::default(), |_, _| {}), None);
    let spoil = |batch: usize, edits: &mut Vec<GroundEdit>| {
        if batch == 13 {
            *edits = vec![GroundEdit::PutCell {
                cell: Cell::new(0, 0, 77),
                terrain: Terrain::GROUND,
            }];
        }
    };
    let late = edit_trace.run(10, &mut Tally::default(), spoil).unwrap();
    assert_eq!(late.batch, 20, "seen when next looked at");
    let failed = edit_trace.explain(spoil).unwrap();
    assert_eq!((failed.batch, failed.trace.steps.len()), (13, 13));
    assert!(!failed.reason.is_empty());
    // The written trace reads back equal; without the corruption it passes.
    let world = world_file::write(&failed.world);
    let trace = edits_file::write(&failed.trace);
    let world = world_file::read_data(world.as_bytes()).unwrap();
    let trace = edits_file::read(trace.as_bytes()).unwrap();
    assert_eq!(trace, failed.trace);
    assert_eq!(replay(&world, &trace), Ok(13));
}

#[test]
fn a_refused_batch_and_a_panic_are_faults() {
    let plan = plan();
    let batch = vec![GroundEdit::PutCell {
        cell: Cell::new(i32::MAX, 0, 0),
        terrain: Terrain::GROUND,
    }];
    let trace = EditTrace {
        steps: vec![TraceStep::Batch(batch)],
    };
    let (batch, reason) = replay(&plan, &trace).unwrap_err();
    assert_eq!(batch, 1);
    assert!(reason.contains("outside the world"), "{reason}");
    let panic = guarded::<()>(|| panic!("no way")).unwrap_err();
    assert_eq!(panic, "panicked: no way");
}

#[test]
fn split_and_merged_pairs_are_compared_with_components() {
    let plan = wayfarer_testkit::ascii::world("...");
    let mut ground = Ground::from_data(&plan).unwrap();
    let mut world = ReferenceWorld::new(&plan);
    let edits = [GroundEdit::RemoveCell {
        cell: Cell::flat(1, 0),
    }];
    let before = world.components(ground.default_profile());
    let mut changes = ground.apply(&edits).unwrap();
    world.apply(&edits);
    let after = world.components(ground.default_profile());
    assert_eq!(compare_changes(&changes, &before, &after), Ok(()));
    std::mem::swap(&mut changes.split_pairs, &mut changes.merged_pairs);
    assert!(compare_changes(&changes, &before, &after).is_err());
}
