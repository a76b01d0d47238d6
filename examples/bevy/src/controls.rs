//! Mouse and keys.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_wayfarer::wayfarer::Formation;
use bevy_wayfarer::{NavDoor, NavGizmos, NavSolid, NavWorld};

use crate::hud::News;
use crate::looks::{self, Looks};
use crate::map;
use crate::paths::PathLines;
use crate::scenery::Door;
use crate::units::{Squad, spawn_marker};

/// Units between neighbors of the squad.
const SPACING: f32 = 1.1;

/// A crate that a click put there, by its cell.
#[derive(Component)]
pub struct Crate(IVec2);

type Cameras<'w, 's> = Query<'w, 's, (&'static Camera, &'static GlobalTransform)>;
type Windows<'w, 's> = Query<'w, 's, &'static Window, With<PrimaryWindow>>;

/// Where the mouse points on the plane.
fn pointed(windows: &Windows, cameras: &Cameras) -> Option<Vec2> {
    let cursor = windows.single().ok()?.cursor_position()?;
    let (camera, transform) = cameras.single().ok()?;
    camera.viewport_to_world_2d(transform, cursor).ok()
}

/// A left click sends the squad, in formation.
pub fn order(
    buttons: Res<ButtonInput<MouseButton>>,
    (windows, cameras): (Windows, Cameras),
    mut worlds: Query<&mut NavWorld>,
    squad: Query<Entity, With<Squad>>,
    mut commands: Commands,
    looks: Res<Looks>,
    mut news: ResMut<News>,
) {
    if !buttons.just_pressed(MouseButton::Left) {
        return;
    }
    let (Some(place), Ok(mut world)) = (pointed(&windows, &cameras), worlds.single_mut()) else {
        return;
    };
    let units: Vec<Entity> = squad.iter().collect();
    match world.order_group(&units, place.extend(0.0), (Formation::Box, SPACING)) {
        Ok(()) => spawn_marker(&mut commands, &looks, place),
        Err(error) => news.tell(&error.to_string()),
    }
}

/// The right button builds crates while it is held, or takes them away if it went down on one.
pub fn build(
    buttons: Res<ButtonInput<MouseButton>>,
    (windows, cameras): (Windows, Cameras),
    crates: Query<(Entity, &Crate)>,
    mut commands: Commands,
    mut is_removing: Local<bool>,
) {
    let Some(place) = pointed(&windows, &cameras).filter(|_| buttons.pressed(MouseButton::Right))
    else {
        return;
    };
    let cell = place.floor();
    let there = crates.iter().find(|(_, one)| one.0 == cell.as_ivec2());
    if buttons.just_pressed(MouseButton::Right) {
        *is_removing = there.is_some();
    }
    match there {
        Some((entity, _)) if *is_removing => commands.entity(entity).despawn(),
        None if !*is_removing && !map::is_taken(place) => spawn_crate(&mut commands, cell),
        _ => {}
    }
}

/// All that a wall needs is a solid and a place.
fn spawn_crate(commands: &mut Commands, cell: Vec2) {
    let solid = NavSolid::cuboid(1.0, 1.0, 2.0);
    let place = looks::at(cell + 0.5, 1.0);
    commands
        .spawn((Crate(cell.as_ivec2()), solid, place, Visibility::default()))
        .with_children(|parts| {
            looks::spawn_parts(parts, (Vec2::splat(0.96), true), looks::CRATE);
        });
}

/// Digits open and close doors, P shows and hides paths, G what the plugin knows of the ground, C takes all
/// crates away.
pub fn press_keys(
    keys: Res<ButtonInput<KeyCode>>,
    mut doors: Query<(&Door, &mut NavDoor)>,
    crates: Query<Entity, With<Crate>>,
    mut store: ResMut<GizmoConfigStore>,
    mut commands: Commands,
) {
    let digits = [
        KeyCode::Digit1,
        KeyCode::Digit2,
        KeyCode::Digit3,
        KeyCode::Digit4,
        KeyCode::Digit5,
        KeyCode::Digit6,
    ];
    for (key, digit) in digits.into_iter().zip('1'..) {
        if !keys.just_pressed(key) {
            continue;
        }
        for (_, mut door) in doors.iter_mut().filter(|(door, _)| door.digit == digit) {
            *door = match *door {
                NavDoor::Open => NavDoor::Closed,
                _ => NavDoor::Open,
            };
        }
    }
    if keys.just_pressed(KeyCode::KeyP) {
        let (config, _) = store.config_mut::<PathLines>();
        config.enabled = !config.enabled;
    }
    if keys.just_pressed(KeyCode::KeyG) {
        let (config, _) = store.config_mut::<NavGizmos>();
        config.enabled = !config.enabled;
    }
    if keys.just_pressed(KeyCode::KeyC) {
        crates
            .iter()
            .for_each(|entity| commands.entity(entity).despawn());
    }
}
