//! Drones among towers; a tower rises in the path of some.

#![expect(
    clippy::needless_pass_by_value,
    reason = "systems take their parameters by value"
)]

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use bevy_wayfarer::wayfarer::{AgentType, World};
use bevy_wayfarer::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut air = World::new(y_up(1.0))?;
    air.add_air(Vec3::ZERO.into(), Vec3::new(40.0, 16.0, 40.0).into())?;
    let drone = air.add_agent_type(AgentType::FLIGHT)?;
    let mut app = App::new();
    app.add_plugins((TimePlugin, WayfarerPlugin::default()));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.init_resource::<Count>();
    app.add_systems(FixedUpdate, fly);
    app.add_observer(
        |_: On<'_, '_, PathInvalidated>, mut count: ResMut<'_, Count>| count.blocked += 1,
    );
    app.add_observer(
        |_: On<'_, '_, TargetReached>, mut count: ResMut<'_, Count>| count.landed += 1,
    );
    app.world_mut().spawn(NavWorld::new(air));
    for number in 0..9_u8 {
        let (x, z) = (f32::from(number % 3), f32::from(number / 3));
        tower(&mut app, Vec3::new(8.0 + 12.0 * x, 6.0, 8.0 + 12.0 * z));
    }
    for number in 0..20_u8 {
        let z = 1.5 + 1.8 * f32::from(number);
        let target = NavTarget::Position(Vec3::new(38.5, 5.5, 39.0 - z));
        let start = Transform::from_xyz(1.5, 3.5, z);
        app.world_mut()
            .spawn((NavAgent::new(8.0).with_type(drone), target, start));
    }
    for tick in 1..=600 {
        app.update();
        if tick == 60 {
            tower(&mut app, Vec3::new(26.0, 6.0, 20.0));
        }
        if tick % 100 == 0 {
            let count = app.world().resource::<Count>();
            print(&format!(
                "tick {tick}: {} had to turn, {} are there",
                count.blocked, count.landed
            ));
        }
    }
    Ok(())
}

/// What happened so far.
#[derive(Resource, Default)]
struct Count {
    blocked: u32,
    landed: u32,
}

fn tower(app: &mut App, center: Vec3) {
    let tower = NavSolid::Cylinder {
        radius: 3.0,
        half_height: 6.0,
    };
    app.world_mut()
        .spawn((tower, Transform::from_translation(center)));
}

fn fly(time: Res<'_, Time>, mut drones: Query<'_, '_, (&mut Transform, &DesiredVelocity)>) {
    for (mut transform, velocity) in &mut drones {
        transform.translation += velocity.0 * time.delta_secs();
    }
}

#[expect(clippy::print_stdout, reason = "an example shows what happens")]
fn print(line: &str) {
    println!("{line}");
}
