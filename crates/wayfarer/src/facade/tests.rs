use wayfarer_base::{
    Edit, Gate, Heightmap, Passage, PassageKind, PassageName, Voxel, Wall, WallSide, Ways,
};
use wayfarer_formats::{Kind, heightmap, world_file};
use wayfarer_search::mixed::Wings;

use super::*;

fn put(x: i32, y: i32) -> Edit {
    Edit::PutCell {
        cell: Cell::flat(x, y),
        terrain: Terrain::GROUND,
    }
}

/// An open world of level ground under air, and one there who walks and flies.
pub(super) fn open_to_both(width: u32, depth: u32, height: u32) -> (World, KindId) {
    let map = Raster::from_bytes(width, depth, vec![0; (width * depth) as usize]).unwrap();
    let air = AirBuilder::new(Voxel::default(), [width, depth, height]).unwrap();
    let mut world = World::from_raster(&map).with_air(air.build().unwrap());
    let both = AgentKind {
        walks: Some(Profile::WALKER),
        flies: Some(Wings::default()),
        ..AgentKind::default()
    };
    let who = world.register(both).unwrap();
    (world, who)
}

#[test]
fn the_history_is_as_long_as_it_says_and_no_longer() {
    let mut world = World::new(Profile::WALKER).unwrap();
    let n_batches = 100;
    for x in 0..n_batches {
        world.apply([put(x, 0)]).unwrap();
    }
    assert_eq!(world.revision(), Revision(100));
    for (behind, kept) in [(0, true), (1, true), (64, true), (65, false), (100, false)] {
        let since = world.changes_since(Revision(100 - behind));
        assert_eq!(since.is_some(), kept, "{behind} behind");
        let count = since.map_or(0, Iterator::count);
        assert_eq!(count as u64, if kept { behind } else { 0 });
    }
    assert!(world.changes_since(Revision(101)).is_none());
}

#[test]
fn a_refused_batch_is_no_part_of_history() {
    let mut world = World::new(Profile::WALKER).unwrap();
    world.apply([put(0, 0)]).unwrap();
    world.apply([put(1, 0), put(i32::MAX, 0)]).unwrap_err();
    assert_eq!(world.revision(), Revision(1));
    assert_eq!(world.changes_since(Revision(0)).unwrap().count(), 1);
    assert!(!world.is_walkable(Cell::flat(1, 0)));
    world.apply([put(2, 0)]).unwrap();
    assert_eq!(world.revision(), Revision(2));
}

#[test]
fn a_ground_that_has_a_past_goes_on_from_there() {
    let mut ground = Ground::new(Profile::WALKER).unwrap();
    ground.apply(&[put(0, 0)]).unwrap();
    let mut world = World::from_ground(ground);
    assert!(world.changes_since(Revision(0)).is_none());
    let changes = world.apply([put(1, 0)]).unwrap();
    assert_eq!(changes.revision(), Revision(2));
    assert_eq!(world.changes_since(Revision(1)).unwrap().count(), 1);
}

#[test]
fn worlds_are_read_from_every_kind_of_file_with_ground() {
    let map = b"type octile\nheight 1\nwidth 3\nmap\n.@.\n".as_slice();
    let mesh = b"v 0 0 0\nv 4 0 0\nv 0 0 4\nf 1 3 2\n".as_slice();
    let plan = WorldPlan {
        cells: vec![(Cell::new(4, 5, 6), Terrain::GROUND)],
        ..WorldPlan::default()
    };
    let world = world_file::write(&plan).into_bytes();
    let land = Heightmap::new(2, 1, vec![7, 8]).unwrap();
    let land = heightmap::write_png(&land).unwrap();
    let cases = [
        ("a.map", map.to_vec(), 2),
        ("b.world", world, 1),
        ("c.png", land, 2),
        ("d.obj", mesh.to_vec(), 0),
    ];
    for (name, bytes, n_cells) in cases {
        let (world, report) = World::from_file(name, &bytes).unwrap();
        let found = world.ground().counts().0;
        assert_eq!(found as u64, report.n_floors, "{name}");
        if n_cells > 0 {
            assert_eq!(found, n_cells, "{name}");
        } else {
            assert!(found > 0, "{name}");
        }
    }
    let wrong = World::from_file("x", b"hello").unwrap_err();
    assert_eq!(wrong, WorldFileError::Unknown);
    let edits = World::from_file("x", b"wayfarer edits 1\n").unwrap_err();
    assert_eq!(edits, WorldFileError::NoGround { kind: Kind::Edits });
}

#[test]
fn a_door_that_closes_parts_the_world_and_says_so() {
    let (west, east) = (Cell::flat(0, 0), Cell::flat(1, 0));
    let door = Passage {
        from: west,
        to: east,
        kind: PassageKind::Door,
        ways: Ways::Both,
        cost: Cost::STRAIGHT,
        gate: Gate::Open,
    };
    let wall = Wall {
        cell: west,
        side: WallSide::East,
    };
    let mut world = World::from_plan(&WorldPlan {
        cells: vec![(west, Terrain::GROUND), (east, Terrain::GROUND)],
        walls: vec![wall],
        passages: vec![door],
        ..WorldPlan::default()
    })
    .unwrap();
    assert_eq!(world.hang_together(west, east), Some(true));
    assert_eq!(world.steps(west), [(east, Cost::STRAIGHT)]);
    let close = Edit::SetGate {
        passage: PassageName::from(&door),
        gate: Gate::Closed,
    };
    let changes = world.apply([close]).unwrap();
    assert_eq!(changes.parted().len(), 1);
    assert_eq!(world.hang_together(west, east), Some(false));
    let changes = world.apply(changes.inverse()).unwrap();
    assert_eq!(changes.joined().len(), 1);
    assert_eq!(world.localise(Column::new(0, 0), 9), Some(west));
    assert_eq!(world.nearest_walkable(Column::new(5, 0), 0, 9), Some(east));
    assert_eq!(world.hang_together(west, Cell::flat(9, 9)), None);
    assert!(world.steps(Cell::flat(9, 9)).is_empty());
}
