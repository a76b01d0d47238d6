//! The squad and the villagers, all agents of a crowd.

use bevy::prelude::*;
use bevy_wayfarer::wayfarer::AgentTypeId;
use bevy_wayfarer::{
    DesiredVelocity, NavAgent, NavCrowdAgent, NavEntity, NavPartial, NavQuery, NavState, NavTarget,
};

use crate::looks::{self, Looks, layer};

/// The team of the squad.
pub const SQUAD_TEAM: u8 = 1;
/// The team of the villagers.
pub const VILLAGER_TEAM: u8 = 2;
/// Radius of a unit.
const RADIUS: f32 = 0.36;
/// Where villagers begin.
const VILLAGERS: [Vec2; 8] = [
    Vec2::new(28.5, 16.5),
    Vec2::new(31.5, 13.5),
    Vec2::new(33.5, 17.5),
    Vec2::new(3.5, 3.5),
    Vec2::new(9.5, 5.5),
    Vec2::new(20.5, 3.5),
    Vec2::new(36.5, 9.5),
    Vec2::new(20.5, 20.5),
];

/// A unit that clicks send.
#[derive(Component)]
pub struct Squad;

/// A villager, with the seed of its next errand and the seconds until it goes.
#[derive(Component)]
pub struct Villager {
    seed: u64,
    rest: f32,
}

/// What shows where a unit goes.
#[derive(Component)]
pub struct Nose;

/// A ring where the squad was sent, with its age in seconds.
#[derive(Component)]
pub struct Marker(f32);

/// Spawns twelve units in the western house, and the villagers.
pub fn spawn(mut commands: Commands, looks: Res<Looks>) {
    for number in 0..12_u8 {
        let (column, row) = (f32::from(number % 4), f32::from(number / 4));
        let place = Vec2::new(8.0 + 1.2 * column, 14.0 + 1.2 * row);
        let unit = unit(place, (3.6, SQUAD_TEAM));
        commands
            .spawn((Squad, unit))
            .with_children(|parts| spawn_body(parts, &looks, &looks.squad));
    }
    for (number, place) in (0_u8..).zip(VILLAGERS) {
        let villager = Villager {
            seed: u64::from(number),
            rest: 0.4 * f32::from(number),
        };
        commands
            .spawn((villager, unit(place, (2.0, VILLAGER_TEAM))))
            .with_children(|parts| spawn_body(parts, &looks, &looks.villager));
    }
}

/// An agent that the plugin moves. Its translation stays on the floor, at 0: what is drawn are children.
fn unit(place: Vec2, (speed, team): (f32, u8)) -> impl Bundle {
    let agent = NavAgent {
        partial: NavPartial::NearestEuclidean,
        leaves_blocked_start: true,
        ..NavAgent::new(speed)
    };
    let body = NavEntity {
        radius: RADIUS,
        team,
        blocks_movement: false,
        ..default()
    };
    let crowd = NavCrowdAgent {
        max_acceleration: 12.0,
        ..default()
    };
    (
        agent,
        crowd,
        body,
        looks::at(place, 0.0),
        Visibility::default(),
    )
}

fn spawn_body(parts: &mut ChildSpawnerCommands, looks: &Looks, color: &Handle<ColorMaterial>) {
    let disc = |color: &Handle<ColorMaterial>, radius: f32, place: Vec3| {
        let place = Transform::from_translation(place).with_scale(Vec3::splat(radius));
        (
            Mesh2d(looks.disc.clone()),
            MeshMaterial2d(color.clone()),
            place,
        )
    };
    parts.spawn(disc(
        &looks.shadow,
        RADIUS,
        Vec3::new(0.06, -0.12, layer::SHADOW),
    ));
    parts.spawn(disc(&looks.dark, RADIUS, Vec3::Z * layer::UNIT));
    parts.spawn(disc(color, RADIUS - 0.06, Vec3::Z * (layer::UNIT + 0.1)));
    let nose = (
        Mesh2d(looks.nose.clone()),
        MeshMaterial2d(looks.dark.clone()),
    );
    parts.spawn((Nose, nose, looks::at(Vec2::ZERO, layer::UNIT + 0.2)));
}

/// Villagers that rest long enough go to a random place that they can reach.
pub fn run_errands(
    time: Res<Time>,
    mut nav: NavQuery,
    mut villagers: Query<(Entity, &mut Villager, &mut NavTarget, &Transform, &NavState)>,
) {
    for (entity, mut villager, mut target, transform, state) in &mut villagers {
        if matches!(state, NavState::Waiting | NavState::Following) {
            continue;
        }
        villager.rest -= time.delta_secs();
        if villager.rest > 0.0 {
            continue;
        }
        villager.seed += 100;
        villager.rest = 1.0 + (villager.seed % 7) as f32 * 0.4;
        let from = (transform.translation, 60.0);
        let place = nav.random_reachable(entity, AgentTypeId::DEFAULT, from, villager.seed);
        if let Ok(place) = place {
            *target = NavTarget::Position(place);
        }
    }
}

/// Noses point along the velocity that the plugin wrote.
pub fn turn_noses(
    time: Res<Time>,
    units: Query<(&DesiredVelocity, &Children)>,
    mut noses: Query<&mut Transform, With<Nose>>,
) {
    let share = (10.0 * time.delta_secs()).min(1.0);
    for (velocity, children) in &units {
        let along = velocity.0.truncate();
        if along.length() < 0.2 {
            continue;
        }
        let turn = Quat::from_rotation_z(along.to_angle());
        for child in children {
            if let Ok(mut nose) = noses.get_mut(*child) {
                nose.rotation = nose.rotation.slerp(turn, share);
            }
        }
    }
}

/// A ring where the squad was sent.
pub fn spawn_marker(commands: &mut Commands, looks: &Looks, place: Vec2) {
    let ring = (
        Mesh2d(looks.ring.clone()),
        MeshMaterial2d(looks.squad.clone()),
    );
    commands.spawn((Marker(0.0), ring, looks::at(place, layer::MARKER)));
}

/// Rings shrink and go.
pub fn fade_markers(
    time: Res<Time>,
    mut commands: Commands,
    mut markers: Query<(Entity, &mut Marker, &mut Transform)>,
) {
    for (entity, mut marker, mut transform) in &mut markers {
        marker.0 += time.delta_secs();
        transform.scale = Vec3::splat(0.9 - 0.35 * marker.0.min(1.0));
        if marker.0 > 2.5 {
            commands.entity(entity).despawn();
        }
    }
}
