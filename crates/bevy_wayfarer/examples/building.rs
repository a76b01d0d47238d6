//! A building of three floors over each other: stairs between them, a lift that stops working.

#![expect(
    clippy::needless_pass_by_value,
    reason = "systems take their parameters by value"
)]

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use bevy_wayfarer::wayfarer::{Area, Edit, Terrain, World};
use bevy_wayfarer::*;

/// Height of a floor, in units.
const LEVEL_HEIGHT: f32 = 4.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut ground = World::new(y_up(1.0))?;
    for level in 0..3_u8 {
        let area = Area::rect(Vec3::ZERO.into(), Vec3::new(12.0, 0.0, 8.0).into());
        let height = f64::from(f32::from(level) * LEVEL_HEIGHT);
        ground.apply(&[Edit::add_floors(area, height, Terrain::GROUND)])?;
    }
    let mut app = App::new();
    app.add_plugins((TimePlugin, WayfarerPlugin::default()));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.add_systems(FixedUpdate, walk);
    app.add_observer(
        |on: On<'_, '_, PathRepaired>, paths: Query<'_, '_, &NavPath>| {
            let path = paths.get(on.entity).ok().and_then(|path| path.0.as_ref());
            print(&format!(
                "the lift stops: {:.1} to go",
                path.map_or(0.0, |path| path.length())
            ));
        },
    );
    app.world_mut().spawn(NavWorld::new(ground));
    for level in 0..2_u8 {
        let stairs = NavLink::new(
            place(1.5, level, 1.5),
            place(3.5, level + 1, 1.5),
            LinkKind::Stairs,
        );
        app.world_mut().spawn(stairs);
    }
    let lift = NavLink::new(place(10.5, 0, 6.5), place(10.5, 2, 6.5), LinkKind::Teleport);
    let lift = app
        .world_mut()
        .spawn((
            NavLink {
                cost: Some(2.0),
                ..lift
            },
            NavDoor::Open,
        ))
        .id();
    let target = NavTarget::Position(place(6.5, 2, 3.5));
    let start = Transform::from_translation(place(5.5, 0, 3.5));
    let agent = app
        .world_mut()
        .spawn((NavAgent::new(4.0), target, start))
        .id();
    let mut level = 0.0;
    for tick in 0..1_500 {
        app.update();
        if tick == 20 {
            app.world_mut().entity_mut(lift).insert(NavDoor::Closed);
        }
        let at = app
            .world()
            .get::<Transform>(agent)
            .map_or(Vec3::ZERO, |place| place.translation);
        if (at.y / LEVEL_HEIGHT).floor() > level {
            level = (at.y / LEVEL_HEIGHT).floor();
            print(&format!("level {level} after {tick} ticks"));
        }
    }
    print(&format!("{:?}", app.world().get::<NavState>(agent)));
    Ok(())
}

fn place(x: f32, level: u8, z: f32) -> Vec3 {
    Vec3::new(x, f32::from(level) * LEVEL_HEIGHT, z)
}

fn walk(time: Res<'_, Time>, mut agents: Query<'_, '_, (&mut Transform, &DesiredVelocity)>) {
    for (mut transform, velocity) in &mut agents {
        transform.translation += velocity.0 * time.delta_secs();
    }
}

#[expect(clippy::print_stdout, reason = "an example shows what happens")]
fn print(line: &str) {
    println!("{line}");
}
