use wayfarer_base::{Cell, Cost, GroundEdit, Profile, Terrain, Voxel};
use wayfarer_search::multimodal::{AirLink, FlightProfile};
use wayfarer_testkit::ascii;
use wayfarer_world::air::{AirBuilder, AirEdit};

use super::super::tests::found;
use super::super::{AgentType, AgentTypeId, Edit};
use super::*;
use crate::Position;

const PADS: [(i32, i32); 2] = [(1, 1), (7, 1)];

/// Two meadows with a chasm between, and an air link on each.
fn chasm() -> (World, AgentTypeId, PathRequest) {
    let map = ascii::raster("...###...\n...###...\n...###...");
    let air = AirBuilder::new(Voxel::default(), [9, 3, 4]).unwrap();
    let mut world = World::from_raster(&map).with_air(air.build().unwrap());
    let flight = FlightProfile {
        requires_air_link: true,
        ..FlightProfile::default()
    };
    let agent_type = world
        .add_agent_type(AgentType {
            ground: Some(Profile::DEFAULT),
            flight: Some(flight),
            ..AgentType::default()
        })
        .unwrap();
    world.apply(PADS.map(pad)).unwrap();
    let at = |x: f64| Position::new(x, 0.5, 0.0);
    let request = PathRequest {
        agent_type,
        ..PathRequest::new(at(0.5), at(8.5))
    };
    (world, agent_type, request)
}

fn pad((x, y): (i32, i32)) -> AirLink {
    AirLink {
        cell: Cell::flat(x, y),
        voxel: Voxel::new(x, y, 2),
        take_off: Some(Cost::from_units(500)),
        landing: Some(Cost::from_units(500)),
    }
}

#[test]
fn each_leg_of_a_multimodal_path_can_be_invalidated_and_is_reported() {
    let (world, _, request) = chasm();
    let mut searcher = Searcher::default();
    let path = found(&world, &mut searcher, &request);
    let names: Vec<&str> = path
        .legs
        .iter()
        .map(|leg| match leg {
            PathLeg::Ground(_) => "walk",
            PathLeg::TakeOff(_) => "up",
            PathLeg::Flight(_) => "fly",
            PathLeg::Landing(_) => "down",
            PathLeg::Planar(_) => "planar",
        })
        .collect();
    assert_eq!(names, ["walk", "up", "fly", "down", "walk"]);
    // Two diagonals on foot, six voxels in the air, and the pads.
    assert_eq!(path.cost.units(), 2 * 2069 + 6 * 1463 + 1000);
    let check = |edit: Edit| {
        let mut world = world.clone();
        let subscribed = world.subscribe(path.clone());
        let changes = world.apply([edit]).unwrap();
        let leg = match world.status(&path) {
            PathStatus::Invalid { leg, .. } => Some(leg),
            _ => None,
        };
        assert_eq!(
            changes.invalidated.contains(&subscribed),
            leg.is_some(),
            "{leg:?}"
        );
        let repaired = world.repair(&mut Searcher::default(), &request, &path);
        let repaired = repaired.ok().and_then(Outcome::found);
        assert!(
            repaired
                .as_ref()
                .is_none_or(|path| world.status(path) == PathStatus::Valid)
        );
        (leg, repaired.map(|path| path.cost.units()))
    };
    let remove = |(x, y): (i32, i32)| Edit::RemoveAirLink {
        cell: Cell::flat(x, y),
        voxel: Voxel::new(x, y, 2),
    };
    assert_eq!(check(remove(PADS[0])), (Some(1), None));
    assert_eq!(check(remove(PADS[1])), (Some(3), None));
    let rock = AirEdit::Fill {
        low: Voxel::new(4, 1, 0),
        high: Voxel::new(4, 1, 3),
    };
    let (leg, cost) = check(rock.into());
    assert_eq!(leg, Some(2));
    assert!(cost.unwrap() > path.cost.units());
    let hole = GroundEdit::RemoveCell {
        cell: Cell::flat(8, 0),
    };
    // The air over the hole is still free.
    let (leg, cost) = check(hole.into());
    assert!(leg == Some(4) && cost.is_some());
    let off_path = AirEdit::Fill {
        low: Voxel::new(4, 2, 3),
        high: Voxel::new(4, 2, 3),
    };
    assert_eq!(check(off_path.into()), (None, Some(path.cost.units())));
}

#[test]
fn a_new_bridge_makes_a_multimodal_path_maybe_suboptimal() {
    let (mut world, _, request) = chasm();
    let mut searcher = Searcher::default();
    let path = found(&world, &mut searcher, &request);
    let planks = (3..6).map(|x| GroundEdit::PutCell {
        cell: Cell::flat(x, 2),
        terrain: Terrain::GROUND,
    });
    world.apply(planks).unwrap();
    assert_eq!(world.status(&path), PathStatus::MaybeSuboptimal);
    let far = PathRequest {
        from: Position::new(0.5, 2.5, 0.0),
        to: Position::new(8.5, 2.5, 0.0),
        ..request
    };
    let walk = found(&world, &mut searcher, &far);
    assert!(walk.as_ground_path().is_some());
    assert_eq!(walk.cost.units(), 8 * 1463);
    assert_eq!(walk.revision.number, 2);
}

#[test]
fn a_path_older_than_the_change_log_has_unknown_status() {
    let (mut world, _, request) = chasm();
    let mut searcher = Searcher::default();
    let path = found(&world, &mut searcher, &request);
    let corner = GroundEdit::RemoveCell {
        cell: Cell::flat(0, 2),
    };
    for _ in 0..=World::CHANGE_LOG_CAPACITY {
        world.apply([&corner]).unwrap();
    }
    assert_eq!(world.status(&path), PathStatus::Unknown);
    let repaired = world.repair(&mut searcher, &request, &path);
    assert_eq!(repaired.unwrap().found().unwrap().cost, path.cost);
}

#[test]
fn only_an_unreachable_goal_has_an_explanation() {
    let (world, agent_type, request) = chasm();
    let mut searcher = Searcher::default();
    let on_foot = PathRequest {
        agent_type: AgentTypeId::DEFAULT,
        ..request.clone()
    };
    let explanation = world.explain(&mut searcher, &on_foot).unwrap();
    assert!(!explanation.frontier.is_empty());
    assert!(
        world
            .explain(&mut searcher, &request)
            .unwrap()
            .frontier
            .is_empty()
    );
    assert_ne!(agent_type, AgentTypeId::DEFAULT);
}

#[test]
fn a_costlier_air_link_invalidates_the_path_and_repair_pays_the_new_cost() {
    let (mut world, _, request) = chasm();
    let mut searcher = Searcher::default();
    let path = world.find_path(&mut searcher, &request).unwrap();
    let path = path.found().unwrap();
    let subscribed = world.subscribe(path.clone());
    let costlier = AirLink {
        take_off: Some(Cost::from_units(9_000)),
        ..pad(PADS[0])
    };
    let changes = world.apply([costlier]).unwrap();
    assert_eq!(changes.invalidated, [subscribed]);
    let status = world.status(&path);
    assert!(
        matches!(status, PathStatus::Invalid { leg: 1, .. }),
        "{status:?}"
    );
    let repaired = world.repair(&mut searcher, &request, &path).unwrap();
    let fresh = world.find_path(&mut searcher, &request).unwrap();
    assert_eq!(
        repaired.found().unwrap().cost,
        path.cost + Cost::from_units(8_500)
    );
    assert_eq!(
        fresh.found().unwrap().cost,
        path.cost + Cost::from_units(8_500)
    );

    // The old cost again, then less.
    world.apply([pad(PADS[0])]).unwrap();
    assert!(world.status(&path).is_walkable());
    let cheaper = AirLink {
        take_off: Some(Cost::from_units(100)),
        ..pad(PADS[0])
    };
    world.apply([cheaper]).unwrap();
    assert_eq!(world.status(&path), PathStatus::MaybeSuboptimal);
    let repaired = world.repair(&mut searcher, &request, &path).unwrap();
    let expected = path.cost.units() - 400;
    assert_eq!(repaired.found().unwrap().cost.units(), expected);
}

#[test]
fn removing_an_unused_air_link_keeps_the_path_valid() {
    let (mut world, _, request) = chasm();
    let other = pad((0, 2));
    world.apply([other]).unwrap();
    let mut searcher = Searcher::default();
    let path = world.find_path(&mut searcher, &request).unwrap();
    let path = path.found().unwrap();
    let AirLink { cell, voxel, .. } = other;
    world.apply([Edit::RemoveAirLink { cell, voxel }]).unwrap();
    assert_eq!(world.status(&path), PathStatus::Valid);
    world.apply([other]).unwrap();
    assert_eq!(world.status(&path), PathStatus::MaybeSuboptimal);
}
