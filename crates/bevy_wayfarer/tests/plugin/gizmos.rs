//! What is drawn, read from the buffers of the gizmo group.

use std::any::TypeId;

use bevy_asset::Assets;
use bevy_color::{Color, LinearRgba};
use bevy_gizmos::config::GizmoConfigStore;
use bevy_gizmos::{GizmoAsset, GizmoHandles};
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use bevy_wayfarer::{
    LinkKind, NavDoor, NavFootprint, NavGizmos, NavGizmosPlugin, NavLink, NavSensor, NavSolid,
    NavState, NavWorld, y_up,
};

use super::{App, Ground, app, app_on, at, spawn_agent, until, updates};

/// Draws in an app without a window.
fn drawing(mut app: App, group: NavGizmos) -> App {
    app.init_resource::<Assets<GizmoAsset>>();
    app.add_plugins(NavGizmosPlugin);
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    *store.config_mut::<NavGizmos>().1 = group;
    app
}

/// Nothing but what is switched on afterwards.
fn nothing() -> NavGizmos {
    NavGizmos {
        links: false,
        paths: false,
        sensors: false,
        ..NavGizmos::default()
    }
}

/// The points of a color in the last frame, ends of lines and corners of outlines.
fn points(app: &App, color: impl Fn(LinearRgba) -> bool) -> Vec<Vec3> {
    let handles = app.world().resource::<GizmoHandles>().handles();
    let Some(Some(handle)) = handles.get(&TypeId::of::<NavGizmos>()) else {
        return Vec::new();
    };
    let assets = app.world().resource::<Assets<GizmoAsset>>();
    let buffer = assets.get(handle).unwrap().buffer();
    let lines = buffer.list_positions.iter().zip(&buffer.list_colors);
    let strips = buffer.strip_positions.iter().zip(&buffer.strip_colors);
    lines
        .chain(strips)
        .filter(|(at, found)| at.is_finite() && color(**found))
        .map(|(at, _)| *at)
        .collect()
}

fn of(color: Color) -> impl Fn(LinearRgba) -> bool {
    let color = LinearRgba::from(color);
    move |found| found == color
}

fn any(_: LinearRgba) -> bool {
    true
}

const GREEN: Color = Color::srgb(0.2, 0.9, 0.3);
const RED: Color = Color::srgb(0.9, 0.2, 0.2);
const YELLOW: Color = Color::srgb(0.9, 0.8, 0.2);

#[test]
fn a_link_has_the_color_of_its_door() {
    let links = true;
    let mut app = drawing(app_on(&["...@..."]), NavGizmos { links, ..nothing() });
    let link = NavLink::new(at(2, 0), at(4, 0), LinkKind::Door);
    let door = app.world_mut().spawn((link, NavDoor::Open)).id();
    for (state, color) in [
        (NavDoor::Open, GREEN),
        (NavDoor::Closed, RED),
        (NavDoor::Locked { keys: 1 }, YELLOW),
    ] {
        app.world_mut().entity_mut(door).insert(state);
        app.update();
        let drawn = points(&app, of(color));
        assert!(drawn.contains(&at(2, 0)) && drawn.contains(&at(4, 0)));
        assert_eq!(drawn.len(), points(&app, any).len(), "{state:?}");
    }
    app.world_mut().despawn(door);
    updates(&mut app, 2);
    assert_eq!(points(&app, any), []);
}

#[test]
fn a_path_is_drawn_until_its_end() {
    let paths = true;
    let mut app = drawing(app_on(&["....."]), NavGizmos { paths, ..nothing() });
    let agent = spawn_agent(&mut app, at(0, 0), at(4, 0));
    until(&mut app, agent, NavState::Following);
    let drawn = points(&app, of(Color::WHITE));
    assert_eq!(
        (drawn.first(), drawn.last()),
        (Some(&at(0, 0)), Some(&at(4, 0)))
    );
    until(&mut app, agent, NavState::Arrived);
    app.update();
    assert_eq!(points(&app, any), []);
}

#[test]
fn the_outline_of_a_sensor_is_around_its_entity() {
    let sensors = true;
    let footprints = [
        (NavFootprint::Disc { radius: 2.0 }, 2.0, 2.0),
        (
            NavFootprint::Ring {
                inner: 1.0,
                outer: 2.0,
            },
            1.0,
            2.0,
        ),
        (
            NavFootprint::Cone {
                angle: 1.0,
                range: 3.0,
            },
            0.0,
            3.0,
        ),
        (
            NavFootprint::OrientedBox {
                half_length: 4.0,
                half_width: 3.0,
            },
            5.0,
            5.0,
        ),
    ];
    for (footprint, nearest, farthest) in footprints {
        let mut app = drawing(
            app_on(&["....."]),
            NavGizmos {
                sensors,
                ..nothing()
            },
        );
        let sensor = NavSensor {
            footprint,
            ..NavSensor::default()
        };
        let place = Transform::from_translation(at(2, 0));
        app.add_plugins(bevy_transform::TransformPlugin);
        app.world_mut().spawn((sensor, place));
        updates(&mut app, 2);
        let drawn = points(&app, any);
        assert!(!drawn.is_empty());
        let away = drawn.iter().map(|point| point.distance(at(2, 0)));
        let (low, high) = away.fold((f32::MAX, 0.0_f32), |(low, high), away| {
            (low.min(away), high.max(away))
        });
        assert!((low - nearest).abs() < 1e-3, "{footprint:?}: {low}");
        assert!((high - farthest).abs() < 1e-3, "{footprint:?}: {high}");
        assert!(drawn.iter().all(|point| point.y == 0.0));
    }
}

/// The colors of the frame.
fn n_colors(app: &App) -> usize {
    let seen = std::cell::RefCell::new(Vec::new());
    points(app, |color| {
        let mut seen = seen.borrow_mut();
        if !seen.contains(&color) {
            seen.push(color);
        }
        true
    });
    seen.into_inner().len()
}

#[test]
fn cells_are_drawn_by_region_and_again_after_an_edit() {
    let cells = true;
    let group = NavGizmos { cells, ..nothing() };
    let mut app = drawing(app_on(&["...@..", "...@.."]), group);
    updates(&mut app, 2);
    let drawn = points(&app, any);
    let corner = |x: f32, z: f32| Vec3::new(x, 0.0, z);
    for (x, z) in [(0.05, 0.05), (2.95, 1.95), (4.05, 0.05), (5.95, 1.95)] {
        let is_there = |point: &Vec3| point.distance(corner(x, z)) < 1e-4;
        assert!(drawn.iter().any(is_there), "no corner at {x}, {z}");
    }
    assert!(!drawn.iter().any(|point| (3.1..3.9).contains(&point.x)));
    assert_eq!(n_colors(&app), 2, "two regions");
    let solid = NavSolid::cuboid(2.0, 4.0, 2.0);
    let wall = Transform::from_xyz(5.0, 2.0, 1.0);
    app.world_mut().spawn((solid, wall));
    updates(&mut app, 2);
    let on_top = |point: &&Vec3| point.y > 3.9;
    assert!(points(&app, any).iter().filter(on_top).count() > 0);
    // Around a place far away there is nothing.
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    store.config_mut::<NavGizmos>().1.center = Vec3::splat(500.0);
    updates(&mut app, 2);
    assert_eq!(points(&app, any), []);
    store_enabled(&mut app, false);
}

fn store_enabled(app: &mut App, is_enabled: bool) {
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    store.config_mut::<NavGizmos>().0.enabled = is_enabled;
}

#[test]
fn portals_join_regions() {
    let row = ".".repeat(80);
    let portals = true;
    let group = NavGizmos {
        portals,
        center: Vec3::new(40.0, 0.0, 1.0),
        radius: 40.0,
        ..nothing()
    };
    let mut app = drawing(app_on(&[&row, &row]), group);
    updates(&mut app, 2);
    let drawn = points(&app, of(Color::srgb(1.0, 0.6, 0.1)));
    assert!(drawn.len() >= 2 && drawn.len().is_multiple_of(2));
    assert!(drawn.iter().all(|point| (0.0..80.0).contains(&point.x)));
    store_enabled(&mut app, false);
    updates(&mut app, 2);
    assert_eq!(points(&app, any), [], "the group is switched off");
}

#[test]
fn nodes_of_the_octree_are_free_or_solid() {
    let octree = true;
    let mut app = drawing(
        app(),
        NavGizmos {
            octree,
            ..nothing()
        },
    );
    let mut air = Ground::new(y_up(1.0)).unwrap();
    let size = Vec3::splat(8.0);
    air.add_air(Vec3::ZERO.into(), size.into()).unwrap();
    app.world_mut().spawn(NavWorld::new(air));
    let solid = NavSolid::cuboid(2.0, 2.0, 2.0);
    let place = Transform::from_translation(Vec3::splat(3.0));
    app.world_mut().spawn((solid, place));
    updates(&mut app, 2);
    let solid = points(&app, of(RED));
    assert!(!solid.is_empty());
    let is_inside = |point: &Vec3| (*point - Vec3::splat(3.0)).abs().max_element() < 1.001;
    assert!(solid.iter().all(is_inside));
    assert!(points(&app, any).len() > solid.len(), "free nodes too");
}
