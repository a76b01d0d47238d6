use wayfarer_base::{
    GroundEdit, LinkDirection, LinkState, NavLink, NavLinkId, NavLinkKind, Voxel, Wall, WallSide,
};
use wayfarer_search::multimodal::FlightProfile;

use super::*;
use wayfarer_world::air::AirBuilder;

mod clones;

fn put(x: i32, y: i32) -> GroundEdit {
    GroundEdit::PutCell {
        cell: Cell::flat(x, y),
        terrain: Terrain::GROUND,
    }
}

/// An open world of level ground under air, and an agent type that walks and flies.
pub(super) fn open_world(width: u32, depth: u32, height: u32) -> (World, AgentTypeId) {
    let map = Raster::from_bytes(width, depth, vec![0; (width * depth) as usize]).unwrap();
    let air = AirBuilder::new(Voxel::default(), [width, depth, height]).unwrap();
    let mut world = World::from_raster(&map).with_air(air.build().unwrap());
    let both = AgentType {
        ground: Some(Profile::DEFAULT),
        flight: Some(FlightProfile::default()),
        ..AgentType::default()
    };
    let agent_type = world.add_agent_type(both).unwrap();
    (world, agent_type)
}

/// The path of a request that must have one.
#[track_caller]
pub(super) fn found(world: &World, searcher: &mut Searcher, request: &PathRequest) -> Path {
    let outcome = world.find_path(searcher, request).unwrap();
    outcome.found().unwrap()
}

#[test]
fn the_change_log_keeps_its_capacity_and_no_more() {
    let mut world = World::new(Profile::DEFAULT).unwrap();
    let n_batches = 100;
    let mut revisions = vec![world.revision()];
    for x in 0..n_batches {
        world.apply([put(x, 0)]).unwrap();
        revisions.push(world.revision());
    }
    assert_eq!(world.revision().number, 100);
    for (behind, kept) in [(0, true), (1, true), (64, true), (65, false), (100, false)] {
        let since = world.changes_since(revisions[100 - behind]);
        assert_eq!(since.is_some(), kept, "{behind} behind");
        let count = since.map_or(0, Iterator::count);
        assert_eq!(count, if kept { behind } else { 0 });
    }
    assert!(world.changes_since(world.revision().next(0)).is_none());
}

#[test]
fn a_rejected_batch_is_not_in_the_change_log() {
    let mut world = World::new(Profile::DEFAULT).unwrap();
    let first = world.revision();
    world.apply([put(0, 0)]).unwrap();
    world.apply([put(1, 0), put(i32::MAX, 0)]).unwrap_err();
    assert_eq!(world.revision().number, 1);
    assert_eq!(world.changes_since(first).unwrap().count(), 1);
    assert!(!world.is_walkable(Cell::flat(1, 0)));
    world.apply([put(2, 0)]).unwrap();
    assert_eq!(world.revision().number, 2);
}

#[test]
fn a_world_continues_at_the_revision_of_its_ground() {
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    let (first, second) = (
        ground.revision(),
        ground.apply(&[put(0, 0)]).unwrap().changes.after,
    );
    let mut world = World::from_ground(ground);
    assert!(world.changes_since(first).is_none());
    let changes = world.apply([put(1, 0)]).unwrap();
    assert_eq!(changes.revision().number, 2);
    assert_eq!(world.changes_since(second).unwrap().count(), 1);
}

#[test]
fn closing_a_door_splits_a_component_and_reports_the_pair() {
    let (west, east) = (Cell::flat(0, 0), Cell::flat(1, 0));
    let door = NavLink {
        from: west,
        to: east,
        kind: NavLinkKind::Door,
        direction: LinkDirection::Bidirectional,
        cost: Cost::STRAIGHT,
        state: LinkState::Open,
    };
    let wall = Wall {
        cell: west,
        side: WallSide::East,
    };
    let mut world = World::from_data(&WorldData {
        cells: vec![(west, Terrain::GROUND), (east, Terrain::GROUND)],
        walls: vec![wall],
        nav_links: vec![door],
        ..WorldData::default()
    })
    .unwrap();
    assert_eq!(world.is_connected(west, east), Some(true));
    assert_eq!(world.successors(west), [(east, Cost::STRAIGHT)]);
    let close = GroundEdit::SetNavLinkState {
        nav_link: NavLinkId::from(&door),
        state: LinkState::Closed,
    };
    let changes = world.apply([close]).unwrap();
    assert_eq!(changes.split_pairs().len(), 1);
    assert_eq!(world.is_connected(west, east), Some(false));
    let changes = world.apply(changes.inverse()).unwrap();
    assert_eq!(changes.merged_pairs().len(), 1);
    assert_eq!(world.project_to_floor(Column::new(0, 0), 9), Some(west));
    assert_eq!(world.nearest_walkable(Column::new(5, 0), 0, 9), Some(east));
    assert_eq!(world.is_connected(west, Cell::flat(9, 9)), None);
    assert!(world.successors(Cell::flat(9, 9)).is_empty());
}

#[test]
fn an_invalid_agent_type_is_rejected_on_registration() {
    let mut world = World::new(Profile::DEFAULT).unwrap();
    let flight = |raw: i32| FlightProfile {
        radius: Fixed::from_raw(raw),
        ..FlightProfile::default()
    };
    let planar = |raw: i32| wayfarer_world::obstacles::DiscAgent {
        radius: Fixed::from_raw(raw),
        ..wayfarer_world::obstacles::DiscAgent::POINT
    };
    let tall = Profile {
        max_step: 256,
        ..Profile::DEFAULT
    };
    let both = AgentType {
        ground: Some(Profile::DEFAULT),
        planar: Some(planar(0)),
        ..AgentType::default()
    };
    let cases: [(AgentType, &str); 6] = [
        (
            flight(-256).into(),
            "the flight radius is -1.00, expected 0 to 12 voxels",
        ),
        (
            flight(13 * 256).into(),
            "the flight radius is 13.00, expected 0 to 12 voxels",
        ),
        (
            planar(-256).into(),
            "the planar radius is -1.00, expected 0 to 262,144 cells",
        ),
        (
            planar(i32::MAX).into(),
            "the planar radius is 8388608.00, expected 0 to 262,144 cells",
        ),
        (
            both,
            "planar movement is combined with ground or flight, expected planar alone",
        ),
        (tall.into(), "max step is 256, expected 0 to 255"),
    ];
    for (agent_type, expected) in cases {
        assert_eq!(
            world.add_agent_type(agent_type).unwrap_err().to_string(),
            expected
        );
    }
    assert_eq!(world.agent_types().count(), 1);
    for agent_type in [
        flight(0).into(),
        flight(12 * 256).into(),
        AgentType::from(planar(1 << 26)),
    ] {
        world.add_agent_type(agent_type).unwrap();
    }
}

#[test]
fn a_flight_spans_all_voxels_even_where_cells_are_tiny() {
    let air = AirBuilder::new(Voxel::default(), [64, 4, 4]).unwrap();
    let scale = Scale::new(1.0 / 256.0, 1.0, 1_024.0).unwrap();
    let mut world = World::new(Profile::DEFAULT)
        .unwrap()
        .with_air(air.build().unwrap())
        .with_scale(scale);
    let agent_type = world.add_agent_type(FlightProfile::default()).unwrap();
    let at = |x: f64| crate::Position::new(x, 1_000.0, 10.0);
    let request = PathRequest {
        agent_type,
        ..PathRequest::new(at(40_000.0), at(50_000.0))
    };
    let found = world.find_path(&mut Searcher::default(), &request).unwrap();
    assert_eq!(found.found().unwrap().locations().len(), 2);
}

#[test]
fn an_out_of_range_request_names_the_coordinate() {
    let world = World::new(Profile::DEFAULT).unwrap();
    let at = crate::Position::new;
    for (bad, expected) in [
        (at(f64::NAN, 0.0, 0.0), "x of the start is -140737488355328"),
        (at(0.0, -1e9, 0.0), "y of the start is -1000000000"),
        (
            at(5.0, 0.0, f64::INFINITY),
            "z of the start is 140737488355327",
        ),
    ] {
        let request = PathRequest::new(bad, at(0.0, 0.0, 0.0));
        let error = world
            .find_path(&mut Searcher::default(), &request)
            .unwrap_err();
        let expected = format!("{expected}, expected a position in the world");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn agent_types_with_equal_profiles_share_one_profile_ground() {
    let mut world = World::new(Profile::DEFAULT).unwrap();
    let double = wayfarer_base::CostMultiplier::from_sixteenths(32).unwrap();
    let one = wayfarer_base::CostMultiplier::ONE;
    let costs = |terrain_costs: Vec<_>| Profile {
        terrain_costs,
        ..Profile::DEFAULT
    };
    let (water, swamp) = (Terrain::WATER, Terrain::SWAMP);
    // The same agent, written in three forms.
    for terrain_costs in [
        vec![(swamp, double), (water, double)],
        vec![(water, double), (swamp, double)],
        vec![
            (water, double),
            (swamp, double),
            (water, one),
            (Terrain::GROUND, one),
        ],
    ] {
        world.add_agent_type(costs(terrain_costs)).unwrap();
    }
    // The default profile in another form, and one that differs.
    world.add_agent_type(costs(vec![(swamp, one)])).unwrap();
    world.add_agent_type(costs(vec![(swamp, double)])).unwrap();
    assert_eq!(world.agent_types().count(), 6);
    let slots: Vec<Option<u32>> = world.agent_types[1..]
        .iter()
        .map(|known| known.profile_id.map(|id| id.slot()))
        .collect();
    assert_eq!(slots, [Some(0), Some(0), Some(0), None, Some(1)]);
    assert!(world.ground.profile_at(2).is_none());
    let bytes = world.save();
    assert_eq!(World::load(&bytes).unwrap().save(), bytes);
}
