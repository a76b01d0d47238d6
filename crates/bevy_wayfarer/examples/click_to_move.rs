//! Top-down: clicks send a unit through a house whose doors open and close. Without a window the clicks
//! come from a list, and the map is printed after each.

#![expect(
    clippy::needless_pass_by_value,
    reason = "systems take their parameters by value"
)]

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use bevy_wayfarer::{wayfarer, *};

const HOUSE: &str = "\
...............
.@@@@@@@@@@@@@.
.@.....@.....@.
.@.....@.....@.
.@.....@.....@.
.@.....@.....@.
.@@@.@@@@@.@@@.
...............
";

/// A click on the ground, and whether it is on a door.
#[derive(Message, Clone, Copy)]
struct Click(Vec3);

fn main() {
    let map = format!("type octile\nheight 8\nwidth 15\nmap\n{HOUSE}");
    let ground = wayfarer::World::import("house.map", map.as_bytes(), y_up(1.0));
    let mut app = App::new();
    app.add_plugins((TimePlugin, WayfarerPlugin::default()));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.add_message::<Click>();
    app.add_systems(FixedUpdate, (walk, click));
    app.add_observer(|on: On<'_, '_, PathInvalidated>| print(&format!("  blocked at {}", on.at)));
    app.add_observer(|_: On<'_, '_, PathRepaired>| print("  another path"));
    app.add_observer(|on: On<'_, '_, PathFailed>| print(&format!("  {}", on.reason)));
    app.world_mut()
        .spawn(NavWorld::new(ground.expect("the map is valid")));
    app.world_mut()
        .spawn((NavAgent::new(6.0), Transform::from_translation(at(0, 0))));
    for door in [at(4, 6), at(10, 6)] {
        let leaf = NavSolid::cuboid(1.0, 3.0, 1.0);
        app.world_mut()
            .spawn((leaf, NavDoor::Open, Transform::from_translation(door)));
    }
    for place in [
        at(3, 3),
        at(10, 6),
        at(10, 3),
        at(10, 6),
        at(10, 3),
        at(4, 6),
    ] {
        print(&format!("click {place}"));
        app.world_mut().write_message(Click(place));
        (0..400).for_each(|_| app.update());
        show(&mut app);
    }
}

fn at(x: u8, z: u8) -> Vec3 {
    Vec3::new(f32::from(x) + 0.5, 0.0, f32::from(z) + 0.5)
}

/// A click on a door opens or closes it; elsewhere it sends the unit.
fn click(
    mut clicks: MessageReader<'_, '_, Click>,
    mut doors: Query<'_, '_, (&mut NavDoor, &Transform)>,
    mut units: Query<'_, '_, &mut NavTarget>,
) {
    for Click(place) in clicks.read() {
        let mut near = doors.iter_mut();
        let door = near.find(|(_, transform)| transform.translation.distance(*place) < 0.7);
        match door {
            Some((mut door, _)) if *door == NavDoor::Open => *door = NavDoor::Closed,
            Some((mut door, _)) => *door = NavDoor::Open,
            None => units
                .iter_mut()
                .for_each(|mut target| *target = NavTarget::Position(*place)),
        }
    }
}

fn walk(time: Res<'_, Time>, mut units: Query<'_, '_, (&mut Transform, &DesiredVelocity)>) {
    for (mut transform, velocity) in &mut units {
        transform.translation += velocity.0 * time.delta_secs();
    }
}

fn show(app: &mut App) {
    let mut units = app.world_mut().query::<(&Transform, &NavState)>();
    for (transform, state) in units.iter(app.world()) {
        print(&format!("  {state:?} at {:.1}", transform.translation));
    }
}

#[expect(clippy::print_stdout, reason = "an example shows what happens")]
fn print(line: &str) {
    println!("{line}");
}
