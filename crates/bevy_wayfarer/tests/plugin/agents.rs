//! Agents and their targets.

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use bevy_wayfarer::wayfarer::{NoPath, PartialReason, Traversal};
use bevy_wayfarer::{
    DesiredVelocity, NavAgent, NavPartial, NavPath, NavRejected, NavSettings, NavShape, NavState,
    NavTarget, NavWorld, PathFailed, PathFound, RejectReason, TargetReached,
};

use super::{app_on, at, get, hear, heard, spawn_agent, until, updates};

const YARD: [&str; 5] = [
    ".........",
    "....@....",
    "....@....",
    "....@....",
    ".........",
];

/// An entity that is only a place.
fn spawn_marker(app: &mut App, place: Vec3) -> Entity {
    let marker = Transform::from_translation(place);
    app.world_mut().spawn(marker).id()
}

#[test]
fn an_agent_arrives_and_says_so_once() {
    let mut app = app_on(&YARD);
    hear::<PathFound>(&mut app);
    hear::<TargetReached>(&mut app);
    let agent = spawn_agent(&mut app, at(1, 2), at(7, 2));
    until(&mut app, agent, NavState::Following);
    assert!(get::<NavPath>(&app, agent).0.is_some());
    assert_ne!(get::<DesiredVelocity>(&app, agent).0, Vec3::ZERO);
    until(&mut app, agent, NavState::Arrived);
    updates(&mut app, 10);
    assert!(get::<Transform>(&app, agent).translation.distance(at(7, 2)) <= 0.25);
    assert_eq!(get::<DesiredVelocity>(&app, agent).0, Vec3::ZERO);
    assert_eq!(heard::<PathFound>(&app), [PathFound { entity: agent }]);
    let reached = TargetReached {
        entity: agent,
        partial: None,
        is_settled: false,
    };
    assert_eq!(heard::<TargetReached>(&app), [reached]);
}

#[test]
fn an_agent_never_overshoots_a_waypoint() {
    let mut app = app_on(&YARD);
    let agent = spawn_agent(&mut app, at(1, 2), at(7, 2));
    // 1,000 units per second: every tick ends on a waypoint.
    app.world_mut().get_mut::<NavAgent>(agent).unwrap().speed = 1_000.0;
    until(&mut app, agent, NavState::Arrived);
    assert!(get::<Transform>(&app, agent).translation.distance(at(7, 2)) <= 0.25);
}

#[test]
fn an_observer_of_the_agent_hears_what_concerns_it() {
    #[derive(Resource, Default)]
    struct Reached(Vec<Entity>);
    let mut app = app_on(&YARD);
    app.init_resource::<Reached>();
    let agent = spawn_agent(&mut app, at(1, 2), at(2, 2));
    let other = spawn_agent(&mut app, at(1, 3), at(2, 3));
    app.world_mut().entity_mut(agent).observe(
        |on: On<'_, '_, TargetReached>, mut reached: ResMut<'_, Reached>| reached.0.push(on.entity),
    );
    until(&mut app, agent, NavState::Arrived);
    until(&mut app, other, NavState::Arrived);
    assert_eq!(app.world().resource::<Reached>().0, [agent]);
}

#[test]
fn without_a_target_an_agent_is_idle() {
    let mut app = app_on(&YARD);
    let agent = spawn_agent(&mut app, at(1, 2), at(7, 2));
    until(&mut app, agent, NavState::Following);
    app.world_mut().entity_mut(agent).insert(NavTarget::None);
    until(&mut app, agent, NavState::Idle);
    assert_eq!(get::<DesiredVelocity>(&app, agent).0, Vec3::ZERO);
    assert_eq!(get::<NavPath>(&app, agent).0, None);
}

#[test]
fn a_target_that_moves_is_followed() {
    let mut app = app_on(&YARD);
    let prey = spawn_marker(&mut app, at(7, 0));
    let target = NavTarget::Entity {
        entity: prey,
        distance: 1.5,
    };
    let agent = spawn_agent(&mut app, at(1, 2), target);
    until(&mut app, agent, NavState::Arrived);
    app.world_mut()
        .get_mut::<Transform>(prey)
        .unwrap()
        .translation = at(7, 4);
    app.update();
    until(&mut app, agent, NavState::Arrived);
    let apart = get::<Transform>(&app, agent).translation.distance(at(7, 4));
    assert!(apart <= 1.5 + 0.25, "{apart}");
}

#[test]
fn a_target_that_moves_less_than_the_distance_is_not_followed() {
    let mut app = app_on(&YARD);
    hear::<PathFound>(&mut app);
    let prey = spawn_marker(&mut app, at(7, 2));
    let target = NavTarget::Entity {
        entity: prey,
        distance: 0.0,
    };
    let agent = spawn_agent(&mut app, at(1, 2), target);
    until(&mut app, agent, NavState::Following);
    app.world_mut()
        .get_mut::<Transform>(prey)
        .unwrap()
        .translation
        .x += 0.4;
    until(&mut app, agent, NavState::Arrived);
    updates(&mut app, 5);
    assert_eq!(heard::<PathFound>(&app).len(), 1);
}

#[test]
fn an_area_is_reached_at_its_nearest_place() {
    let mut app = app_on(&YARD);
    let shape = NavShape::Rect {
        half_size: bevy_math::Vec2::new(1.5, 2.5),
    };
    let center = at(7, 2);
    let agent = spawn_agent(&mut app, at(1, 4), NavTarget::Area { center, shape });
    until(&mut app, agent, NavState::Arrived);
    let stands = get::<Transform>(&app, agent).translation;
    assert!((6.0..7.0).contains(&stands.x), "{stands}");
}

#[test]
fn an_agent_stops_where_it_sees_its_target() {
    let mut app = app_on(&YARD);
    let seen = spawn_marker(&mut app, at(7, 2));
    let target = NavTarget::InSightOf {
        entity: seen,
        distance: 20.0,
    };
    let agent = spawn_agent(&mut app, at(3, 2), target);
    until(&mut app, agent, NavState::Arrived);
    let stands = get::<Transform>(&app, agent).translation;
    assert!(stands.distance(at(7, 2)) > 1.0, "{stands}");
    assert!(stands.z < 1.0 || stands.z > 4.0, "{stands} does not see it");
}

#[test]
fn a_target_out_of_reach_fails_with_its_reason() {
    let mut app = app_on(&["...@..."]);
    hear::<PathFailed>(&mut app);
    let agent = spawn_agent(&mut app, at(1, 0), at(5, 0));
    until(&mut app, agent, NavState::Failed);
    app.update();
    let failed = PathFailed {
        entity: agent,
        reason: NoPath::Unreachable,
    };
    assert_eq!(heard::<PathFailed>(&app), [failed]);
}

#[test]
fn a_partial_path_ends_nearest_to_the_target() {
    let mut app = app_on(&["...@..."]);
    hear::<TargetReached>(&mut app);
    let agent = spawn_agent(&mut app, at(0, 0), at(5, 0));
    app.world_mut().get_mut::<NavAgent>(agent).unwrap().partial = NavPartial::NearestOctile;
    until(&mut app, agent, NavState::Arrived);
    app.update();
    assert!(get::<Transform>(&app, agent).translation.distance(at(2, 0)) <= 0.25);
    let partial = Some(PartialReason::Unreachable);
    assert_eq!(
        heard::<TargetReached>(&app),
        [TargetReached {
            entity: agent,
            partial,
            is_settled: false,
        }]
    );
}

#[test]
fn the_translation_may_be_above_the_feet() {
    let mut app = app_on(&YARD);
    let above = Vec3::Y * 0.9;
    let agent = NavAgent {
        feet_offset: 0.9,
        ..NavAgent::new(8.0)
    };
    let place = Transform::from_translation(at(1, 2) + above);
    let target = NavTarget::Position(at(7, 2));
    let agent = app.world_mut().spawn((agent, place, target)).id();
    until(&mut app, agent, NavState::Arrived);
    let stands = get::<Transform>(&app, agent).translation;
    assert!(stands.distance(at(7, 2) + above) <= 0.25, "{stands}");
}

#[test]
fn a_despawned_agent_leaves_no_request() {
    let mut app = app_on(&YARD);
    let agent = spawn_agent(&mut app, at(1, 2), at(7, 2));
    let other = spawn_agent(&mut app, at(1, 3), at(7, 3));
    until(&mut app, other, NavState::Following);
    app.world_mut().despawn(agent);
    app.world_mut().entity_mut(other).remove::<NavAgent>();
    app.update();
    let world = app
        .world_mut()
        .query::<&NavWorld>()
        .single(app.world())
        .unwrap();
    assert_eq!(world.n_requests(), 0);
}

#[test]
fn the_step_names_what_is_ahead() {
    let mut app = app_on(&YARD);
    let agent = spawn_agent(&mut app, at(1, 2), at(7, 2));
    until(&mut app, agent, NavState::Following);
    let world = app
        .world_mut()
        .query::<&NavWorld>()
        .single(app.world())
        .unwrap();
    let step = world.step(agent).unwrap();
    assert_eq!((step.traversal, step.has_arrived), (Traversal::Walk, false));
    assert!(step.distance_left > 6.0);
}

#[test]
fn searches_keep_to_the_budget_and_all_are_answered() {
    let rows = vec![".".repeat(64); 64];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut app = app_on(&rows);
    app.world_mut()
        .resource_mut::<NavSettings>()
        .expansions_per_tick = 4;
    let agents: Vec<Entity> = (0..40)
        .map(|row| spawn_agent(&mut app, at(0, row), at(63, 63 - row)))
        .collect();
    let mut most = 0;
    let mut waited = false;
    for _ in 0..200 {
        app.update();
        let world = app
            .world_mut()
            .query::<&NavWorld>()
            .single(app.world())
            .unwrap();
        most = most.max(world.stats().expansions);
        waited |= world.stats().n_waiting > 0;
    }
    assert!(waited && most <= 4, "{most} expansions in a tick");
    for agent in agents {
        assert_ne!(get::<NavState>(&app, agent), NavState::Waiting);
    }
}

#[test]
fn a_thousand_agents_arrive() {
    let rows = vec![".".repeat(80); 80];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut app = app_on(&rows);
    hear::<TargetReached>(&mut app);
    let place = |number: u16| {
        let part = |value: u16| u8::try_from(value).unwrap();
        at(part(number % 40), part(number / 40))
    };
    for number in 0..1_000 {
        let to = place(999 - number) + Vec3::new(40.0, 0.0, 40.0);
        spawn_agent(&mut app, place(number), to);
    }
    for _ in 0..1_500 {
        app.update();
        if heard::<TargetReached>(&app).len() == 1_000 {
            break;
        }
    }
    assert_eq!(heard::<TargetReached>(&app).len(), 1_000);
}

#[test]
fn an_agent_with_an_impossible_speed_is_reported_and_stands() {
    let mut app = app_on(&["......."]);
    hear::<NavRejected>(&mut app);
    for speed in [f32::NAN, f32::INFINITY, -1.0] {
        let place = Transform::from_translation(at(0, 0));
        let agent = (NavAgent::new(speed), place, NavTarget::from(at(6, 0)));
        let agent = app.world_mut().spawn(agent).id();
        updates(&mut app, 3);
        assert_eq!(get::<NavState>(&app, agent), NavState::Failed);
        assert_eq!(get::<Transform>(&app, agent), place);
        app.world_mut().entity_mut(agent).insert(NavAgent::new(8.0));
        until(&mut app, agent, NavState::Arrived);
    }
    let reasons = heard::<NavRejected>(&app);
    assert_eq!(reasons.len(), 3);
    let expected = "the speed of an agent is -1, expected 0 or more";
    assert_eq!(reasons[2].reason.to_string(), expected);
}

#[test]
fn a_target_that_is_no_entity_is_reported() {
    let mut app = app_on(&["......."]);
    hear::<NavRejected>(&mut app);
    let target = app.world_mut().spawn_empty().id();
    let follow = NavTarget::Entity {
        entity: target,
        distance: 0.0,
    };
    let entity = spawn_agent(&mut app, at(0, 0), follow.clone());
    updates(&mut app, 5);
    let reason = RejectReason::Target { entity: target };
    assert_eq!(heard::<NavRejected>(&app), [NavRejected { entity, reason }]);
    assert_eq!(get::<NavState>(&app, entity), NavState::Failed);
    let place = Transform::from_translation(at(6, 0));
    app.world_mut().entity_mut(target).insert(place);
    app.world_mut().entity_mut(entity).insert(follow);
    until(&mut app, entity, NavState::Arrived);
    app.world_mut().entity_mut(target).despawn();
    updates(&mut app, 5);
    assert_eq!(heard::<NavRejected>(&app).len(), 1);
}
