//! A courtyard seen from above: a squad that follows clicks, villagers on errands, doors, walls that rise
//! where the mouse points, a watchtower that lights up. The plugin moves everything.
//!
//! `cargo run` in this folder; the toolchain of `rust-toolchain.toml` is installed by rustup.

mod controls;
mod hud;
mod looks;
mod map;
mod paths;
mod scenery;
mod units;

use bevy::camera::ScalingMode;
use bevy::prelude::*;
use bevy::window::WindowResolution;
use bevy_wayfarer::{NavGizmos, NavGizmosPlugin, WayfarerPlugin};

fn main() {
    let window = Window {
        title: "Wayfarer: the courtyard".into(),
        resolution: WindowResolution::new(1280, 840),
        ..default()
    };
    let window = WindowPlugin {
        primary_window: Some(window),
        ..default()
    };
    App::new()
        .add_plugins((
            DefaultPlugins.set(window),
            WayfarerPlugin::default(),
            NavGizmosPlugin,
        ))
        .insert_resource(ClearColor(looks::BACKGROUND))
        .init_resource::<hud::News>()
        .init_gizmo_group::<paths::PathLines>()
        .add_systems(
            Startup,
            (
                (configure, paths::configure),
                looks::make,
                (map::spawn, scenery::spawn, units::spawn, hud::spawn),
            )
                .chain(),
        )
        .add_systems(FixedUpdate, units::run_errands)
        .add_systems(
            Update,
            (
                controls::order,
                controls::build,
                controls::press_keys,
                scenery::swing_doors,
                scenery::light_lamps,
                units::turn_noses,
                units::fade_markers,
                paths::draw,
                hud::show,
            ),
        )
        .add_observer(hud::count_changes)
        .add_observer(hud::tell_repaired)
        .add_observer(hud::tell_found)
        .add_observer(hud::tell_failed)
        .add_observer(hud::tell_reached)
        .add_observer(hud::tell_rejected)
        .add_observer(scenery::see)
        .add_observer(scenery::lose)
        .run();
}

/// The camera over the map with a margin for text, and what the plugin draws of the ground.
fn configure(mut commands: Commands, mut store: ResMut<GizmoConfigStore>) {
    let projection = OrthographicProjection {
        scaling_mode: ScalingMode::AutoMin {
            min_width: map::WIDTH + 2.0,
            min_height: map::HEIGHT + 5.0,
        },
        ..OrthographicProjection::default_2d()
    };
    let center = Vec3::new(map::WIDTH / 2.0, map::HEIGHT / 2.0, 0.0);
    commands.spawn((
        Camera2d,
        Projection::from(projection),
        Transform::from_translation(center),
    ));
    let (config, group) = store.config_mut::<NavGizmos>();
    config.enabled = false;
    config.line.width = 1.0;
    group.cells = true;
    group.portals = true;
    group.paths = false;
    group.center = center;
    group.radius = map::WIDTH;
}
