//! Agents that fly, moved by the plugin.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use bevy_wayfarer::wayfarer::{AgentType, AgentTypeId, CrowdError, World as Ground};
use bevy_wayfarer::{
    DesiredVelocity, NavAgent, NavCrowdAgent, NavPath, NavRejected, NavSolid, NavState, NavTarget,
    NavWorld, PathInvalidated, RejectReason, TargetReached, save_worlds, y_up,
};

use super::{App, app, get, hear, heard, until, updates};

const SPEED: f32 = 4.0;

/// An app with air of 24 units on a side over a floor, and a type that flies.
fn sky(other: AgentType) -> (App, AgentTypeId) {
    let mut world = Ground::new(y_up(1.0)).unwrap();
    let top = Vec3::splat(24.0);
    world.add_air(Vec3::ZERO.into(), top.into()).unwrap();
    let flyer = world.add_agent_type(other).unwrap();
    let mut app = app();
    app.world_mut().spawn(NavWorld::new(world));
    (app, flyer)
}

fn spawn(app: &mut App, flyer: AgentTypeId, (from, to): (Vec3, Vec3)) -> Entity {
    let agent = NavAgent::new(SPEED).with_type(flyer);
    let place = Transform::from_translation(from);
    let agent = (agent, NavCrowdAgent::default(), place, NavTarget::from(to));
    app.world_mut().spawn(agent).id()
}

fn place(app: &App, agent: Entity) -> Vec3 {
    get::<Transform>(app, agent).translation
}

#[test]
fn flyers_of_a_crowd_pass_each_other_in_space_and_arrive() {
    let (mut app, flyer) = sky(AgentType::FLIGHT);
    hear::<TargetReached>(&mut app);
    let ends = [Vec3::new(4.5, 2.5, 12.5), Vec3::new(18.5, 20.5, 12.5)];
    let agents = [
        spawn(&mut app, flyer, (ends[0], ends[1])),
        spawn(&mut app, flyer, (ends[1], ends[0])),
    ];
    let mut fastest = 0.0_f32;
    for _ in 0..600 {
        let before = place(&app, agents[0]);
        app.update();
        let apart = place(&app, agents[0]).distance(place(&app, agents[1]));
        assert!(apart >= 0.8 * 0.95, "{apart}");
        let moved = (place(&app, agents[0]) - before) * 64.0;
        let velocity = get::<DesiredVelocity>(&app, agents[0]).0;
        // Positions are multiples of 1/256 of a voxel, 1/4 of a unit per second on each axis.
        assert!(moved.distance(velocity) < 0.5, "{moved}, not {velocity}");
        fastest = fastest.max(velocity.y);
    }
    assert!(fastest > 1.0, "it climbs at {fastest}");
    for (agent, end) in agents.iter().zip([ends[1], ends[0]]) {
        assert_eq!(get::<NavState>(&app, *agent), NavState::Arrived);
        assert!(place(&app, *agent).distance(end) < 0.06);
        assert_eq!(get::<DesiredVelocity>(&app, *agent).0, Vec3::ZERO);
    }
    assert_eq!(heard::<TargetReached>(&app).len(), 2);
}

#[test]
fn a_tower_in_the_flight_of_an_agent_is_flown_around() {
    let (mut app, flyer) = sky(AgentType::FLIGHT);
    hear::<PathInvalidated>(&mut app);
    let (from, to) = (Vec3::new(2.5, 8.5, 12.5), Vec3::new(21.5, 8.5, 12.5));
    let agent = spawn(&mut app, flyer, (from, to));
    updates(&mut app, 60);
    let tower = NavSolid::cuboid(4.0, 24.0, 4.0);
    let at = Transform::from_xyz(12.0, 12.0, 12.0);
    app.world_mut().spawn((tower, at));
    for _ in 0..800 {
        app.update();
        let from_axis = (place(&app, agent) - Vec3::splat(12.0)).with_y(0.0).abs();
        let gap = (from_axis - 2.0).max(Vec3::ZERO).length();
        assert!(gap > 0.4 - 0.01, "a ball of radius 0.4 at {gap}");
    }
    assert_eq!(get::<NavState>(&app, agent), NavState::Arrived);
    assert_eq!(heard::<PathInvalidated>(&app).len(), 1);
}

#[test]
fn a_saved_flyer_goes_on() {
    let (mut app, flyer) = sky(AgentType::FLIGHT);
    let (from, to) = (Vec3::new(2.5, 2.5, 2.5), Vec3::new(20.5, 20.5, 20.5));
    let agent = spawn(&mut app, flyer, (from, to));
    updates(&mut app, 60);
    save_worlds(app.world_mut());
    let mut worlds = app.world_mut().query_filtered::<Entity, With<NavWorld>>();
    let world = worlds.single(app.world()).unwrap();
    app.world_mut().entity_mut(world).remove::<NavWorld>();
    let (saved, path) = (place(&app, agent), get::<NavPath>(&app, agent));
    app.update();
    assert_eq!(get::<NavPath>(&app, agent), path);
    assert!(place(&app, agent).distance(saved) < 0.1);
    until(&mut app, agent, NavState::Arrived);
    assert!(place(&app, agent).distance(to) < 0.06);
}

#[test]
fn an_agent_that_walks_and_flies_is_rejected_by_the_crowd() {
    let (mut app, id) = sky(AgentType::GROUND_AND_FLIGHT);
    hear::<NavRejected>(&mut app);
    let from = Vec3::new(2.5, 2.5, 2.5);
    let entity = spawn(&mut app, id, (from, from + Vec3::X));
    updates(&mut app, 3);
    let reason = RejectReason::Crowd(CrowdError::DoesNotWalk);
    let rejected = heard::<NavRejected>(&app);
    assert_eq!(rejected, [NavRejected { entity, reason }]);
    assert_eq!(place(&app, entity), from);
}
