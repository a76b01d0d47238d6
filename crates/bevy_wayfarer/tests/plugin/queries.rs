//! Queries of any system, and diagnostics.

use bevy_diagnostic::{DiagnosticPath, DiagnosticsStore};
use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use bevy_wayfarer::wayfarer::{
    AgentTypeId, BodyFilter, Goal, Method, NoPath, PathRequest, PathStatus, Position,
};
use bevy_wayfarer::{
    NavDiagnosticsPlugin, NavEntity, NavQuery, NavQueryError, NavSolid, NavState, NavWorld,
};

use super::{App, app_on, at, spawn_agent, until, updates};

const YARD: [&str; 3] = [".........", "....@....", "....@...."];

/// Runs a query with the only world of an app.
fn ask<T: 'static>(
    app: &mut App,
    mut query: impl FnMut(&mut NavQuery<'_, '_>, Entity) -> T + Send + Sync + 'static,
) -> T {
    let system = move |mut nav: NavQuery<'_, '_>, worlds: Query<'_, '_, Entity, With<NavWorld>>| {
        query(&mut nav, worlds.single().unwrap())
    };
    app.world_mut().run_system_once(system).unwrap()
}

#[test]
fn a_query_finds_measures_and_explains_paths() {
    let mut app = app_on(&YARD);
    let path = ask(&mut app, |nav, world| {
        nav.find_path(world, at(0, 2), at(8, 2)).unwrap()
    });
    let end = path.end().map(Vec3::from);
    assert_eq!(end, Some(at(8, 2)));
    let distance = ask(&mut app, |nav, world| {
        nav.distance(world, at(0, 2), at(8, 2)).unwrap()
    });
    assert!((distance - path.cost()).abs() < path.cost() * 0.1);
    let near = ask(&mut app, |nav, world| {
        let goal = Goal::Within {
            center: at(8, 2).into(),
            distance: 2.0,
        };
        nav.distance(world, at(0, 2), goal).unwrap()
    });
    assert!(near < distance);
    let request = PathRequest {
        method: Method::Optimal,
        ..PathRequest::new(at(0, 2).into(), Position::from(at(8, 2)))
    };
    let optimal = request.clone();
    let optimal = ask(&mut app, move |nav, world| {
        nav.answer(world, &optimal).unwrap()
    });
    assert!(optimal.cost() <= path.cost());
    let kept = path.clone();
    let status = ask(&mut app, move |nav, world| {
        nav.status(world, &kept).unwrap()
    });
    assert_eq!(status, PathStatus::Valid);
    let wall = Transform::from_translation(at(4, 0));
    app.world_mut()
        .spawn((NavSolid::cuboid(1.0, 4.0, 1.0), wall));
    app.update();
    let status = ask(&mut app, move |nav, world| {
        nav.status(world, &path).unwrap()
    });
    assert!(matches!(status, PathStatus::Invalid { .. }), "{status:?}");
    let error = ask(&mut app, |nav, world| {
        nav.find_path(world, at(0, 2), at(8, 2)).unwrap_err()
    });
    assert_eq!(error, NavQueryError::NoPath(NoPath::Unreachable));
    let explained = ask(&mut app, move |nav, world| nav.explain(world, &request));
    assert!(explained.is_ok());
}

#[test]
fn a_query_knows_floors_sight_and_neighbors() {
    let mut app = app_on(&YARD);
    let bodies = [at(1, 1), at(2, 1), at(7, 1)].map(|place| {
        let body = (NavEntity::default(), Transform::from_translation(place));
        app.world_mut().spawn(body).id()
    });
    app.update();
    let nearest = ask(&mut app, |nav, world| {
        let found = nav.nearest_entities(world, at(0, 1), 2, BodyFilter::ALL);
        found.unwrap()
    });
    assert_eq!(nearest, bodies[..2]);
    // An entity stands for its world.
    let member = bodies[0];
    let floor = ask(&mut app, move |nav, _| {
        let above = at(3, 1) + Vec3::Y * 1.5;
        nav.project_to_floor(member, AgentTypeId::DEFAULT, above)
            .unwrap()
    });
    assert_eq!(floor, Some(at(3, 1)));
    let place = ask(&mut app, |nav, world| {
        let from = (at(0, 0), 3.0);
        nav.random_reachable(world, AgentTypeId::DEFAULT, from, 7)
            .unwrap()
    });
    assert!(place.distance(at(0, 0)) <= 3.0 + 0.8, "{place}");
    let sees = ask(&mut app, |nav, world| {
        let eye = Vec3::Y * 0.5;
        [(at(0, 0), at(8, 0)), (at(3, 1), at(5, 1))]
            .map(|(a, b)| nav.has_line_of_sight(world, a + eye, b + eye).unwrap())
    });
    assert!(sees[0]);
    let lonely = app.world_mut().spawn_empty().id();
    let error = ask(&mut app, move |nav, _| nav.parts(lonely).err());
    assert_eq!(error, Some(NavQueryError::NoWorld { of: lonely }));
}

/// The last value of a diagnostic.
fn value(app: &App, path: &DiagnosticPath) -> f64 {
    let store = app.world().resource::<DiagnosticsStore>();
    store.get(path).and_then(|one| one.value()).unwrap()
}

/// The last value of a diagnostic that counts.
fn count(app: &App, path: &DiagnosticPath) -> String {
    format!("{:.0}", value(app, path))
}

#[test]
fn diagnostics_count_what_a_tick_does() {
    let mut app = app_on(&YARD);
    app.init_resource::<DiagnosticsStore>();
    app.add_plugins(NavDiagnosticsPlugin::default());
    let agent = spawn_agent(&mut app, at(0, 2), at(8, 2));
    app.world_mut()
        .entity_mut(agent)
        .insert(NavEntity::default());
    let wall = Transform::from_translation(at(4, 0));
    let wall = (NavSolid::cuboid(1.0, 4.0, 1.0), wall);
    let wall = app.world_mut().spawn(wall).id();
    app.update();
    assert_eq!(count(&app, &NavDiagnosticsPlugin::EDITS), "1");
    assert_eq!(count(&app, &NavDiagnosticsPlugin::AGENTS), "1");
    assert_eq!(count(&app, &NavDiagnosticsPlugin::BODIES), "1");
    app.world_mut().despawn(wall);
    let again = bevy_wayfarer::NavTarget::Position(at(8, 1));
    app.world_mut().entity_mut(agent).insert(again);
    app.update();
    assert!(value(&app, &NavDiagnosticsPlugin::EXPANSIONS) >= 1.0);
    until(&mut app, agent, NavState::Arrived);
    updates(&mut app, 2);
    assert_eq!(count(&app, &NavDiagnosticsPlugin::AGENTS), "0");
    assert_eq!(count(&app, &NavDiagnosticsPlugin::WAITING), "0");
    for path in [
        NavDiagnosticsPlugin::EDIT_TIME,
        NavDiagnosticsPlugin::PLAN_TIME,
    ] {
        assert!(value(&app, &path) >= 0.0);
    }
}
