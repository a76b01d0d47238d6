//! An agent walks around a wall: app, world, agent, target.

use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use bevy_wayfarer::{wayfarer, *};

#[expect(clippy::print_stdout, reason = "an example shows what happens")]
fn main() {
    let map = b"type octile\nheight 3\nwidth 9\nmap\n....@....\n....@....\n.........\n";
    let ground = wayfarer::World::import("yard.map", map, y_up(1.0)).expect("the map is valid");
    let tick = std::time::Duration::from_micros(15_625);
    let mut app = App::new();
    app.add_plugins((TimePlugin, WayfarerPlugin::default()));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(tick));
    app.add_systems(
        FixedUpdate,
        |time: Res<'_, Time>, mut agents: Query<'_, '_, (&mut Transform, &DesiredVelocity)>| {
            for (mut transform, velocity) in &mut agents {
                transform.translation += velocity.0 * time.delta_secs();
                println!("{:.2}", transform.translation);
            }
        },
    );
    app.world_mut().spawn(NavWorld::new(ground));
    let target = NavTarget::Position(Vec3::new(7.5, 0.0, 0.5));
    let agent = (
        NavAgent::new(12.0),
        target,
        Transform::from_xyz(1.5, 0.0, 0.5),
    );
    let agent = app.world_mut().spawn(agent).id();
    while app.world().get::<NavState>(agent) != Some(&NavState::Arrived) {
        app.update();
    }
}
