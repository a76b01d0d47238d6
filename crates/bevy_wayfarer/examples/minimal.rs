//! An agent walks around a wall: app, world, agent, target.

use bevy_app::App;
use bevy_math::Vec3;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use bevy_wayfarer::{wayfarer, *};

#[expect(clippy::print_stdout, reason = "an example shows what happens")]
fn main() {
    let map = b"type octile\nheight 3\nwidth 9\nmap\n....@....\n....@....\n.........\n";
    let ground = wayfarer::World::import("yard.map", map, y_up(1.0)).expect("the map is valid");
    let mut app = App::new();
    app.add_plugins((TimePlugin, WayfarerPlugin::default()));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.world_mut().spawn(NavWorld::new(ground));
    let (start, target) = (Vec3::new(1.5, 0.0, 0.5), Vec3::new(7.5, 0.0, 0.5));
    let agent = (NavAgent::new(12.0), NavCrowdAgent::default());
    let places = (Transform::from_translation(start), NavTarget::from(target));
    let agent = app.world_mut().spawn((agent, places)).id();
    while app.world().get::<NavState>(agent) != Some(&NavState::Arrived) {
        app.update();
    }
    let place = app.world().get::<Transform>(agent);
    println!("{:.1}", place.map_or(start, |place| place.translation));
}
