//! Several worlds, tasks.

use bevy_app::TaskPoolPlugin;
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use bevy_wayfarer::wayfarer::ImportError;
use bevy_wayfarer::{
    DesiredVelocity, InNavWorld, NavMembers, NavSolid, NavState, NavTarget, NavWorld, NavWorldTask,
};

use super::{App, Ground, app, at, get, ground, spawn_agent, until, updates};

fn two_worlds() -> (App, [Entity; 2]) {
    let mut app = app();
    let open = app
        .world_mut()
        .spawn(NavWorld::new(ground(&["......."])))
        .id();
    let walled = app
        .world_mut()
        .spawn(NavWorld::new(ground(&["...@..."])))
        .id();
    (app, [open, walled])
}

#[test]
fn agents_of_two_worlds_do_not_meet() {
    let (mut app, worlds) = two_worlds();
    let agents = worlds.map(|world| {
        let agent = spawn_agent(&mut app, at(0, 0), at(6, 0));
        app.world_mut().entity_mut(agent).insert(InNavWorld(world));
        agent
    });
    until(&mut app, agents[0], NavState::Arrived);
    assert_eq!(get::<NavState>(&app, agents[1]), NavState::Failed);
}

#[test]
fn among_several_worlds_an_agent_waits_for_its_own() {
    let (mut app, [open, _]) = two_worlds();
    let agent = spawn_agent(&mut app, at(0, 0), at(6, 0));
    updates(&mut app, 5);
    assert_eq!(get::<NavState>(&app, agent), NavState::Idle);
    app.world_mut().entity_mut(agent).insert(InNavWorld(open));
    until(&mut app, agent, NavState::Arrived);
}

#[test]
fn what_changes_its_world_leaves_the_other() {
    let (mut app, [open, walled]) = two_worlds();
    let place = Transform::from_translation(at(5, 0));
    let wall = (NavSolid::cuboid(1.0, 4.0, 1.0), place, InNavWorld(open));
    let wall = app.world_mut().spawn(wall).id();
    let agent = spawn_agent(&mut app, at(0, 0), at(6, 0));
    app.world_mut().entity_mut(agent).insert(InNavWorld(open));
    until(&mut app, agent, NavState::Failed);
    app.world_mut().entity_mut(wall).insert(InNavWorld(walled));
    app.update();
    let solids = |app: &App, world| get_world(app, world).solid_of(wall).is_some();
    assert!(!solids(&app, open) && solids(&app, walled));
    app.world_mut()
        .entity_mut(agent)
        .insert(NavTarget::Position(at(6, 0)));
    app.update();
    until(&mut app, agent, NavState::Arrived);
    let back = NavTarget::Position(at(0, 0));
    app.world_mut()
        .entity_mut(agent)
        .insert((InNavWorld(walled), back));
    app.update();
    until(&mut app, agent, NavState::Failed);
    assert_eq!(get_world(&app, open).n_requests(), 0);
}

fn get_world(app: &App, world: Entity) -> &NavWorld {
    app.world().get::<NavWorld>(world).unwrap()
}

#[test]
fn entities_outlive_their_world() {
    let (mut app, [open, walled]) = two_worlds();
    let agent = spawn_agent(&mut app, at(0, 0), at(6, 0));
    app.world_mut().entity_mut(agent).insert(InNavWorld(open));
    app.update();
    assert!(app.world().get::<NavMembers>(open).is_some());
    app.world_mut().despawn(open);
    updates(&mut app, 2);
    // The other is the only world now.
    assert_eq!(
        app.world().get::<InNavWorld>(agent),
        Some(&InNavWorld(walled))
    );
    until(&mut app, agent, NavState::Failed);
}

#[test]
fn what_belongs_to_a_world_before_it_is_there_joins_it() {
    let (mut app, _) = two_worlds();
    let world = app.world_mut().spawn_empty().id();
    let place = Transform::from_translation(at(5, 0));
    let wall = (NavSolid::cuboid(1.0, 4.0, 1.0), place, InNavWorld(world));
    let wall = app.world_mut().spawn(wall).id();
    let agent = spawn_agent(&mut app, at(0, 0), at(4, 0));
    app.world_mut().entity_mut(agent).insert(InNavWorld(world));
    updates(&mut app, 3);
    app.world_mut()
        .entity_mut(world)
        .insert(NavWorld::new(ground(&["......."])));
    until(&mut app, agent, NavState::Arrived);
    assert!(get_world(&app, world).solid_of(wall).is_some());
    // Another world in its place: all of it again.
    app.world_mut()
        .entity_mut(world)
        .insert(NavWorld::new(ground(&["......."])));
    app.update();
    assert!(get_world(&app, world).solid_of(wall).is_some());
}

#[test]
fn an_agent_that_leaves_its_world_stands() {
    let (mut app, [open, _]) = two_worlds();
    let agent = spawn_agent(&mut app, at(0, 0), at(6, 0));
    app.world_mut().entity_mut(agent).insert(InNavWorld(open));
    until(&mut app, agent, NavState::Following);
    app.world_mut().entity_mut(agent).remove::<InNavWorld>();
    app.update();
    assert_eq!(get::<NavState>(&app, agent), NavState::Idle);
    assert_eq!(
        get::<DesiredVelocity>(&app, agent),
        DesiredVelocity::default()
    );
    assert_eq!(get_world(&app, open).n_requests(), 0);
}

#[test]
fn a_world_is_made_by_a_task() {
    let mut app = app();
    app.add_plugins(TaskPoolPlugin::default());
    let agent = spawn_agent(&mut app, at(0, 0), at(6, 0));
    let task = NavWorldTask::new(|| Ok::<_, ImportError>(ground(&["......."])));
    let world = app.world_mut().spawn(task).id();
    while app.world().get::<NavWorldTask>(world).is_some() {
        app.update();
    }
    until(&mut app, agent, NavState::Arrived);
}

#[test]
fn a_task_that_fails_is_reported() {
    #[derive(Resource, Default)]
    struct Reasons(Vec<String>);
    let mut app = app();
    app.add_plugins(TaskPoolPlugin::default());
    app.init_resource::<Reasons>();
    app.add_observer(
        |on: On<'_, '_, bevy_wayfarer::NavRejected>, mut reasons: ResMut<'_, Reasons>| {
            reasons.0.push(on.reason.to_string());
        },
    );
    super::hear::<bevy_wayfarer::NavRejected>(&mut app);
    let scale = bevy_wayfarer::y_up(1.0);
    let task = NavWorldTask::new(move || Ground::import("x.map", b"type octile\nno", scale));
    let world = app.world_mut().spawn(task).id();
    while app.world().get::<NavWorldTask>(world).is_some() {
        app.update();
    }
    updates(&mut app, 1);
    assert_eq!(app.world().resource::<Reasons>().0.len(), 1);
    assert_eq!(super::heard::<bevy_wayfarer::NavRejected>(&app).len(), 1);
    assert!(app.world().get::<NavWorld>(world).is_none());
}
