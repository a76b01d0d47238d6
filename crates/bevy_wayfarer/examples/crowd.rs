//! Two groups of twenty change sides through a gate; the plugin moves them, and none walks through
//! another. Then the gate closes.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use bevy_wayfarer::{wayfarer, *};

const YARD: &str = "\
...............@...............
...............@...............
...............@...............
...............................
...............................
...............................
...............@...............
...............@...............
...............@...............
";

/// How many have arrived, and how many found the gate closed.
#[derive(Resource, Default)]
struct Count {
    arrived: u32,
    failed: u32,
}

fn main() {
    let map = format!("type octile\nheight 9\nwidth 31\nmap\n{YARD}");
    let ground = wayfarer::World::import("yard.map", map.as_bytes(), y_up(1.0));
    let mut app = App::new();
    app.add_plugins((TimePlugin, WayfarerPlugin::default()));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.init_resource::<Count>();
    app.add_observer(
        |_: On<'_, '_, TargetReached>, mut count: ResMut<'_, Count>| count.arrived += 1,
    );
    app.add_observer(|_: On<'_, '_, PathFailed>, mut count: ResMut<'_, Count>| count.failed += 1);
    app.world_mut()
        .spawn(NavWorld::new(ground.expect("the map is valid")));
    let units: Vec<(Entity, Vec3)> = (0..40).map(|number| spawn(&mut app, number)).collect();
    let mut overlap = 0.0_f64;
    for _ in 0..60 * 64 {
        app.update();
        overlap = overlap.max(largest_overlap(&mut app));
    }
    let is_apart = overlap <= 0.05 + 1e-9;
    report(
        &app,
        &format!("after a minute, at most 5 % overlap: {is_apart}"),
    );
    let gate = NavSolid::cuboid(1.0, 4.0, 3.0);
    let at = Transform::from_xyz(15.5, 2.0, 4.5);
    app.world_mut().spawn((gate, at));
    for (unit, start) in units {
        app.world_mut()
            .entity_mut(unit)
            .insert(NavTarget::Position(start));
    }
    (0..64).for_each(|_| app.update());
    report(&app, "the gate is closed");
}

/// A unit of the left or of the right group, and where it stands.
fn spawn(app: &mut App, number: u8) -> (Entity, Vec3) {
    let (rank, row) = (number / 2 % 4, number / 8);
    let across = f32::from(row) * 1.8 + 0.9;
    let along = f32::from(rank) * 1.2 + 1.5;
    let (from, to) = match number.is_multiple_of(2) {
        true => (along, 31.0 - along),
        false => (31.0 - along, along),
    };
    let start = Vec3::new(from, 0.0, across);
    let agent = (NavAgent::new(3.0), NavCrowdAgent::default());
    let target = NavTarget::Position(Vec3::new(to, 0.0, across));
    let place = Transform::from_translation(start);
    (app.world_mut().spawn((agent, target, place)).id(), start)
}

/// The largest overlap of two units, as a share of a radius.
fn largest_overlap(app: &mut App) -> f64 {
    let mut worlds = app.world_mut().query::<&NavWorld>();
    let crowds = worlds.iter(app.world()).filter_map(NavWorld::crowd);
    crowds.map(|crowd| crowd.max_overlap()).fold(0.0, f64::max)
}

#[expect(clippy::print_stdout, reason = "an example shows what happens")]
fn report(app: &App, what: &str) {
    let Count { arrived, failed } = *app.world().resource::<Count>();
    println!("{what}: {arrived} arrived, {failed} without a path");
}
