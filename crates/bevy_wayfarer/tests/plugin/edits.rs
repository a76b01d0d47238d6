//! Components that change the world.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::TimeUpdateStrategy;
use bevy_transform::components::Transform;
use bevy_wayfarer::wayfarer::{EditError, PathRequest, Position, Searcher, Solid};
use bevy_wayfarer::{
    LinkKind, NavCostArea, NavDoor, NavLink, NavRejected, NavShape, NavSolid, NavState, NavWorld,
    PathInvalidated, PathRepaired, RejectReason, WorldChanged,
};

use super::{App, app_on, at, get, hear, heard, spawn_agent, until, updates};

const CORRIDORS: [&str; 5] = [
    ".........",
    ".@@@@@@@.",
    ".........",
    ".@@@@@@@.",
    ".........",
];

/// The cost of the path between two places; `None` without one.
fn cost(app: &mut App, from: Vec3, to: Vec3) -> Option<f64> {
    let world = app
        .world_mut()
        .query::<&NavWorld>()
        .single(app.world())
        .unwrap();
    let request = PathRequest::new(from.into(), Position::from(to));
    let path = world.world().find_path(&mut Searcher::default(), &request);
    path.ok().map(|path| path.cost())
}

fn block(x: u8, z: u8) -> (NavSolid, Transform) {
    (
        NavSolid::cuboid(1.0, 4.0, 1.0),
        Transform::from_translation(at(x, z)),
    )
}

#[test]
fn a_solid_lives_as_its_component_does() {
    let mut app = app_on(&["......."]);
    let (from, to) = (at(0, 0), at(6, 0));
    app.update();
    assert!(cost(&mut app, from, to).is_some());
    let solid = app.world_mut().spawn(block(3, 0)).id();
    app.update();
    assert_eq!(cost(&mut app, from, to), None);
    // It moves out of the lane and back.
    app.world_mut()
        .get_mut::<Transform>(solid)
        .unwrap()
        .translation
        .z += 5.0;
    app.update();
    assert!(cost(&mut app, from, to).is_some());
    app.world_mut()
        .get_mut::<Transform>(solid)
        .unwrap()
        .translation
        .z -= 5.0;
    app.update();
    assert_eq!(cost(&mut app, from, to), None);
    app.world_mut().despawn(solid);
    app.update();
    assert!(cost(&mut app, from, to).is_some());
}

#[test]
fn a_removed_and_added_solid_is_one_batch() {
    let mut app = app_on(&["......."]);
    hear::<WorldChanged>(&mut app);
    let solid = app.world_mut().spawn(block(3, 0)).id();
    updates(&mut app, 3);
    assert_eq!(heard::<WorldChanged>(&app).len(), 1);
    app.world_mut().despawn(solid);
    app.world_mut().spawn(block(4, 0));
    app.world_mut().spawn(block(5, 0));
    updates(&mut app, 3);
    let changed = heard::<WorldChanged>(&app);
    assert_eq!(changed.len(), 2);
    assert_eq!(changed[1].changes.as_ref().unwrap().new_solids().count(), 2);
}

#[test]
fn a_solid_follows_its_parent() {
    let mut app = app_on(&["......."]);
    let parent = app
        .world_mut()
        .spawn(Transform::from_xyz(0.0, 0.0, 5.0))
        .id();
    app.world_mut().spawn((block(3, 0), ChildOf(parent)));
    app.update();
    assert!(cost(&mut app, at(0, 0), at(6, 0)).is_some());
    let moved = app.world_mut().spawn(Transform::IDENTITY).id();
    app.world_mut().spawn((block(3, 0), ChildOf(moved)));
    app.update();
    assert_eq!(cost(&mut app, at(0, 0), at(6, 0)), None);
}

#[test]
fn despawning_is_noticed_after_frames_without_a_tick() {
    let mut app = app_on(&["......."]);
    let solid = app.world_mut().spawn(block(3, 0)).id();
    app.update();
    let tick = app.world().resource::<TimeUpdateStrategy>();
    let TimeUpdateStrategy::ManualDuration(tick) = *tick else {
        unreachable!("the app sets it")
    };
    app.insert_resource(TimeUpdateStrategy::ManualDuration(tick / 100));
    app.world_mut().despawn(solid);
    updates(&mut app, 10);
    assert_eq!(cost(&mut app, at(0, 0), at(6, 0)), None, "no tick has run");
    app.insert_resource(TimeUpdateStrategy::ManualDuration(tick));
    app.update();
    assert!(cost(&mut app, at(0, 0), at(6, 0)).is_some());
}

#[test]
fn a_door_that_closes_invalidates_and_the_agent_arrives_by_another_path() {
    let mut app = app_on(&CORRIDORS);
    hear::<PathInvalidated>(&mut app);
    hear::<PathRepaired>(&mut app);
    let door = app.world_mut().spawn((block(4, 2), NavDoor::Open)).id();
    let agent = spawn_agent(&mut app, at(0, 2), at(8, 2));
    until(&mut app, agent, NavState::Following);
    updates(&mut app, 4);
    app.world_mut().entity_mut(door).insert(NavDoor::Closed);
    until(&mut app, agent, NavState::Arrived);
    let invalidated = heard::<PathInvalidated>(&app);
    assert_eq!(invalidated.len(), 1);
    assert_eq!((invalidated[0].entity, invalidated[0].at.z), (agent, 2.5));
    assert_eq!(
        heard::<PathRepaired>(&app),
        [PathRepaired { entity: agent }]
    );
    assert!(get::<Transform>(&app, agent).translation.distance(at(8, 2)) <= 0.25);
    // It opens again: the straight path is back.
    app.world_mut().entity_mut(door).insert(NavDoor::Open);
    app.update();
    assert_eq!(cost(&mut app, at(0, 2), at(8, 2)), Some(8.0));
    app.world_mut().entity_mut(door).remove::<NavDoor>();
    app.update();
    assert!(
        cost(&mut app, at(0, 2), at(8, 2)).unwrap() > 8.0,
        "a solid without a door stands"
    );
}

#[test]
fn a_link_lives_as_its_component_does_and_has_the_state_of_its_door() {
    let mut app = app_on(&["...@..."]);
    let (from, to) = (at(0, 0), at(6, 0));
    let link = NavLink::new(at(2, 0), at(4, 0), LinkKind::Door);
    let link = app.world_mut().spawn((link, NavDoor::Closed)).id();
    app.update();
    assert_eq!(cost(&mut app, from, to), None);
    app.world_mut().entity_mut(link).insert(NavDoor::Open);
    app.update();
    assert!(cost(&mut app, from, to).is_some());
    app.world_mut()
        .entity_mut(link)
        .insert(NavDoor::Locked { keys: 1 });
    app.update();
    assert_eq!(cost(&mut app, from, to), None);
    app.world_mut().entity_mut(link).remove::<NavDoor>();
    app.update();
    assert!(cost(&mut app, from, to).is_some());
    app.world_mut().despawn(link);
    app.update();
    assert_eq!(cost(&mut app, from, to), None);
}

#[test]
fn a_cost_area_lives_as_its_component_does() {
    let mut app = app_on(&["......."]);
    let (from, to) = (at(0, 0), at(6, 0));
    let shape = NavShape::Disc { radius: 1.2 };
    let area = NavCostArea {
        shape,
        multiplier: 4.0,
        ..NavCostArea::default()
    };
    let area = app
        .world_mut()
        .spawn((area, Transform::from_translation(at(3, 0))))
        .id();
    app.update();
    let costly = cost(&mut app, from, to).unwrap();
    assert!(costly > 6.0, "{costly}");
    app.world_mut()
        .get_mut::<NavCostArea>(area)
        .unwrap()
        .multiplier = 1.0;
    app.update();
    assert_eq!(cost(&mut app, from, to), Some(6.0));
    app.world_mut()
        .get_mut::<NavCostArea>(area)
        .unwrap()
        .multiplier = 4.0;
    app.update();
    assert_eq!(cost(&mut app, from, to), Some(costly));
    app.world_mut().entity_mut(area).remove::<NavCostArea>();
    app.update();
    assert_eq!(cost(&mut app, from, to), Some(6.0));
}

#[test]
fn a_rejected_edit_is_reported_and_the_others_are_applied() {
    let mut app = app_on(&["......."]);
    hear::<NavRejected>(&mut app);
    let flat = NavSolid::cuboid(0.0, 0.0, 0.0);
    let bad = app.world_mut().spawn(flat).id();
    app.world_mut().spawn(block(3, 0));
    updates(&mut app, 3);
    assert_eq!(cost(&mut app, at(0, 0), at(6, 0)), None);
    let rejected = heard::<NavRejected>(&app);
    assert_eq!(rejected.len(), 1);
    assert_eq!(rejected[0].entity, bad);
    assert!(matches!(
        rejected[0].reason,
        RejectReason::Edit(EditError::BadSolid { .. })
    ));
}

#[test]
fn a_change_by_the_game_is_reported() {
    let mut app = app_on(&["......."]);
    hear::<WorldChanged>(&mut app);
    app.update();
    let mut worlds = app.world_mut().query::<(Entity, &mut NavWorld)>();
    let (entity, mut world) = worlds.single_mut(app.world_mut()).unwrap();
    let wall = block(3, 0);
    let low = wall.1.translation - Vec3::splat(0.5);
    let high = low + Vec3::ONE;
    let solid = Solid::cuboid(low.into(), high.into());
    world.world_mut().add_solid(solid).unwrap();
    let revision = world.revision();
    updates(&mut app, 2);
    let changed = heard::<WorldChanged>(&app);
    assert_eq!(changed.len(), 1);
    assert_eq!((changed[0].entity, changed[0].revision), (entity, revision));
}
