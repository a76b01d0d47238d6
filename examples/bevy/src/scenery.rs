//! Doors that swing, mud that is walked around, and a tower that sees the squad.

use bevy::prelude::*;
use bevy_wayfarer::{
    NavCostArea, NavDoor, NavFootprint, NavSensor, NavShape, NavSolid, SensorEntered, SensorLeft,
};

use crate::looks::{self, Looks, layer};
use crate::units::VILLAGER_TEAM;

/// Where the tower stands, how wide it is, and how far it sees.
const TOWER: (Vec2, f32, f32) = (Vec2::new(21.0, 15.0), 1.0, 6.0);
/// Mud: places and radii.
const MUD: [(Vec2, f32); 2] = [(Vec2::new(34.0, 4.0), 2.6), (Vec2::new(5.5, 9.6), 1.3)];
/// How long a door takes to open, in seconds.
const SWING_SECONDS: f32 = 0.35;

/// A door with two leaves.
#[derive(Component, Clone, Copy)]
pub struct Door {
    /// Its key.
    pub digit: char,
    /// Along the wall that it is in.
    pub along: Vec2,
    /// 0 closed, 1 open.
    pub swing: f32,
}

/// One of two leaves: on which side of the door it hangs, -1 or 1.
#[derive(Component)]
pub struct Leaf(f32);

impl Door {
    /// The leaves and the label.
    pub fn spawn_leaves(self, door: &mut ChildSpawnerCommands) {
        for side in [-1.0, 1.0] {
            let leaf = Sprite::from_color(looks::OPEN, Vec2::new(1.0, 0.26));
            door.spawn((Leaf(side), leaf, self.leaf(side)));
        }
        let (text, font, color) = looks::text(&self.digit.to_string(), 17.0, looks::TEXT);
        let place = looks::text_at(self.along.perp() * 0.95);
        door.spawn((text, font, color, place));
    }

    /// Where a leaf is: closed along the wall, open across it.
    fn leaf(self, side: f32) -> Transform {
        let hinge = self.along * side;
        let turn = Rot2::radians(side * self.swing * 1.45);
        let toward = turn * -hinge;
        let center = hinge * 0.94 + toward * 0.5;
        looks::at(center, layer::BLOCK).with_rotation(Quat::from_rotation_z(toward.to_angle()))
    }
}

/// What the tower sees: how many of the squad.
#[derive(Component, Default)]
pub struct Lamp {
    n_seen: usize,
    brightness: f32,
}

/// The light around the tower.
#[derive(Component)]
pub struct Glow;

/// Spawns mud and the tower.
pub fn spawn(
    mut commands: Commands,
    looks: Res<Looks>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    let mud = materials.add(looks::MUD);
    for (center, radius) in MUD {
        let area = NavCostArea {
            shape: NavShape::Disc { radius },
            multiplier: 5.0,
            ..default()
        };
        let place = looks::at(Vec2::ZERO, layer::MUD).with_scale(Vec3::splat(radius));
        let disc = (
            Mesh2d(looks.disc.clone()),
            MeshMaterial2d(mud.clone()),
            place,
        );
        let entity = (area, looks::at(center, 0.0), Visibility::default());
        let (text, font, color) = looks::text("mud", 14.0, looks::FAINT);
        let label = (text, font, color, looks::text_at(Vec2::ZERO));
        commands.spawn(entity).with_children(|parts| {
            parts.spawn(disc);
            parts.spawn(label);
        });
    }
    let (center, side, range) = TOWER;
    let sensor = NavSensor {
        footprint: NavFootprint::Disc { radius: range },
        except_team: Some(VILLAGER_TEAM),
        ..default()
    };
    let solid = NavSolid::cuboid(side * 2.0, side * 2.0, 2.0);
    let glow = materials.add(looks::LAMP_LIT.with_alpha(0.0));
    let glow_place = looks::at(Vec2::ZERO, layer::GLOW).with_scale(Vec3::splat(range));
    let lamp = materials.add(looks::LAMP);
    let lamp_place = looks::at(Vec2::Y * 0.14, layer::UNIT).with_scale(Vec3::splat(0.5));
    let disc = || Mesh2d(looks.disc.clone());
    let tower = (solid, sensor, Lamp::default(), looks::at(center, 1.0));
    commands
        .spawn((tower, Visibility::default()))
        .with_children(|parts| {
            looks::spawn_parts(parts, (Vec2::splat(side * 2.0), true), looks::WALL);
            parts.spawn((Glow, disc(), MeshMaterial2d(glow), glow_place));
            parts.spawn((disc(), MeshMaterial2d(lamp), lamp_place));
        });
}

/// Doors follow their state; the plugin needs only the state.
pub fn swing_doors(
    time: Res<Time>,
    mut doors: Query<(&mut Door, &NavDoor, &Children)>,
    mut leaves: Query<(&Leaf, &mut Transform, &mut Sprite)>,
) {
    let step = time.delta_secs() / SWING_SECONDS;
    for (mut door, state, children) in &mut doors {
        let (goal, color) = match state {
            NavDoor::Open => (1.0, looks::OPEN),
            NavDoor::Closed | NavDoor::Locked { .. } => (0.0, looks::CLOSED),
        };
        if door.swing == goal {
            continue;
        }
        door.swing += (goal - door.swing).clamp(-step, step);
        for child in children {
            if let Ok((leaf, mut transform, mut sprite)) = leaves.get_mut(*child) {
                *transform = door.leaf(leaf.0);
                sprite.color = color;
            }
        }
    }
}

/// The tower sees one more of the squad.
pub fn see(on: On<SensorEntered>, mut lamps: Query<&mut Lamp>) {
    if let Ok(mut lamp) = lamps.get_mut(on.entity) {
        lamp.n_seen += 1;
    }
}

/// The tower sees one less.
pub fn lose(on: On<SensorLeft>, mut lamps: Query<&mut Lamp>) {
    if let Ok(mut lamp) = lamps.get_mut(on.entity) {
        lamp.n_seen = lamp.n_seen.saturating_sub(1);
    }
}

/// The lamp glows while the tower sees the squad.
pub fn light_lamps(
    time: Res<Time>,
    mut lamps: Query<(&mut Lamp, &Children)>,
    parts: Query<(&MeshMaterial2d<ColorMaterial>, Has<Glow>)>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    for (mut lamp, children) in &mut lamps {
        let goal = if lamp.n_seen > 0 { 1.0 } else { 0.0 };
        let step = 3.0 * time.delta_secs();
        if lamp.brightness == goal {
            continue;
        }
        lamp.brightness += (goal - lamp.brightness).clamp(-step, step);
        for (material, is_glow) in children.iter().filter_map(|part| parts.get(part).ok()) {
            if let Some(mut material) = materials.get_mut(&material.0) {
                material.color = match is_glow {
                    true => looks::LAMP_LIT.with_alpha(0.05 * lamp.brightness),
                    false => looks::LAMP.mix(&looks::LAMP_LIT, lamp.brightness),
                };
            }
        }
    }
}
