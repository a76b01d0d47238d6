//! Bodies and sensors.

use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;
use bevy_wayfarer::wayfarer::{BodyFilter, Footprint};
use bevy_wayfarer::{
    NavEntity, NavFootprint, NavQuery, NavSensor, NavWorld, SensorEntered, SensorLeft, WorldChanged,
};

use super::{App, app_on, at, hear, heard, updates};

const MEADOW: [&str; 4] = [
    "............",
    "............",
    "............",
    "............",
];

fn spawn_body(app: &mut App, place: Vec3) -> Entity {
    let body = NavEntity::default();
    app.world_mut()
        .spawn((body, Transform::from_translation(place)))
        .id()
}

/// The entities within 1 unit of a place.
fn near(app: &mut App, place: Vec3) -> Vec<Entity> {
    let find = move |nav: NavQuery<'_, '_>, worlds: Query<'_, '_, Entity, With<NavWorld>>| {
        let world = worlds.single().unwrap();
        let footprint = Footprint::disc(place.into(), 1.0);
        nav.entities_in(world, &footprint, BodyFilter::ALL).unwrap()
    };
    app.world_mut().run_system_once(find).unwrap()
}

#[test]
fn a_body_lives_and_moves_as_its_entity_does() {
    let mut app = app_on(&MEADOW);
    let body = spawn_body(&mut app, at(2, 1));
    app.update();
    assert_eq!(near(&mut app, at(2, 1)), [body]);
    app.world_mut()
        .get_mut::<Transform>(body)
        .unwrap()
        .translation = at(8, 1);
    app.update();
    assert_eq!(near(&mut app, at(2, 1)), []);
    assert_eq!(near(&mut app, at(8, 1)), [body]);
    app.world_mut().despawn(body);
    app.update();
    assert_eq!(near(&mut app, at(8, 1)), []);
}

#[test]
fn moves_of_bodies_are_no_change_of_the_world() {
    let mut app = app_on(&MEADOW);
    hear::<WorldChanged>(&mut app);
    let body = spawn_body(&mut app, at(2, 1));
    for x in 3..8 {
        app.update();
        app.world_mut()
            .get_mut::<Transform>(body)
            .unwrap()
            .translation = at(x, 1);
    }
    app.world_mut()
        .entity_mut(body)
        .insert(NavSensor::default());
    updates(&mut app, 3);
    assert_eq!(heard::<WorldChanged>(&app).len(), 0);
}

#[test]
fn a_body_outside_the_world_is_left_where_it_was() {
    let mut app = app_on(&MEADOW);
    let (body, other) = (
        spawn_body(&mut app, at(2, 1)),
        spawn_body(&mut app, at(4, 1)),
    );
    app.update();
    app.world_mut()
        .get_mut::<Transform>(body)
        .unwrap()
        .translation
        .x = f32::NAN;
    app.world_mut()
        .get_mut::<Transform>(other)
        .unwrap()
        .translation = at(8, 1);
    app.update();
    assert_eq!(near(&mut app, at(2, 1)), [body]);
    assert_eq!(near(&mut app, at(8, 1)), [other]);
}

fn sensor_app(sensor: impl Bundle) -> (App, Entity) {
    let mut app = app_on(&MEADOW);
    hear::<SensorEntered>(&mut app);
    hear::<SensorLeft>(&mut app);
    let sensor = app.world_mut().spawn(sensor).id();
    (app, sensor)
}

#[test]
fn a_sensor_reports_what_enters_and_leaves() {
    let footprint = NavFootprint::Disc { radius: 2.0 };
    let sensor = NavSensor {
        footprint,
        ..NavSensor::default()
    };
    let (mut app, entity) = sensor_app((sensor, Transform::from_translation(at(2, 1))));
    let detected = spawn_body(&mut app, at(8, 1));
    updates(&mut app, 3);
    assert_eq!(heard::<SensorEntered>(&app), []);
    app.world_mut()
        .get_mut::<Transform>(detected)
        .unwrap()
        .translation = at(3, 1);
    updates(&mut app, 3);
    assert_eq!(
        heard::<SensorEntered>(&app),
        [SensorEntered { entity, detected }]
    );
    app.world_mut().despawn(detected);
    updates(&mut app, 3);
    assert_eq!(heard::<SensorLeft>(&app), [SensorLeft { entity, detected }]);
}

#[test]
fn a_sensor_that_moves_keeps_what_it_detects() {
    let footprint = NavFootprint::Disc { radius: 2.0 };
    let sensor = NavSensor {
        footprint,
        ..NavSensor::default()
    };
    let (mut app, entity) = sensor_app((sensor, Transform::from_translation(at(2, 1))));
    let detected = spawn_body(&mut app, at(3, 1));
    updates(&mut app, 3);
    app.world_mut()
        .get_mut::<Transform>(entity)
        .unwrap()
        .translation = at(4, 1);
    updates(&mut app, 3);
    assert_eq!(heard::<SensorEntered>(&app).len(), 1);
    assert_eq!(heard::<SensorLeft>(&app), []);
    app.world_mut()
        .get_mut::<Transform>(entity)
        .unwrap()
        .translation = at(9, 1);
    updates(&mut app, 3);
    assert_eq!(heard::<SensorLeft>(&app), [SensorLeft { entity, detected }]);
}

#[test]
fn a_cone_on_a_body_turns_with_its_entity() {
    let footprint = NavFootprint::Cone {
        angle: 1.0,
        range: 8.0,
    };
    let sensor = NavSensor {
        footprint,
        ..NavSensor::default()
    };
    let place = Transform::from_translation(at(6, 2));
    let (mut app, entity) = sensor_app((sensor, NavEntity::default(), place));
    let detected = spawn_body(&mut app, at(10, 2));
    updates(&mut app, 3);
    assert_eq!(heard::<SensorEntered>(&app), [], "it looks along -z");
    let turn = Quat::from_rotation_arc(Vec3::NEG_Z, Vec3::X);
    app.world_mut()
        .get_mut::<Transform>(entity)
        .unwrap()
        .rotation = turn;
    updates(&mut app, 3);
    assert_eq!(
        heard::<SensorEntered>(&app),
        [SensorEntered { entity, detected }]
    );
    // Mounted on a body that is placed anew: nothing enters or leaves.
    app.world_mut().get_mut::<NavEntity>(entity).unwrap().team = 3;
    updates(&mut app, 3);
    assert_eq!(heard::<SensorEntered>(&app).len(), 1);
    assert_eq!(heard::<SensorLeft>(&app), []);
}
