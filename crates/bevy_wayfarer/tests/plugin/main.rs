//! The plugin in apps without a window.

#![expect(
    clippy::needless_pass_by_value,
    reason = "systems take their parameters by value"
)]
#![expect(clippy::unwrap_used, reason = "functions that only tests call")]

mod agents;
mod assets;
mod bodies;
#[path = "../../examples/skirmish/by_library.rs"]
mod by_library;
#[path = "../../examples/skirmish/by_plugin.rs"]
mod by_plugin;
mod copies;
mod crowd;
mod edits;
mod flyers;
#[cfg(feature = "gizmos")]
mod gizmos;
#[cfg(feature = "mesh")]
mod meshes;
mod queries;
mod same_as_library;
mod saving;
#[path = "../../examples/skirmish/story.rs"]
mod story;
mod worlds;

use std::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use bevy_wayfarer::wayfarer::World as Ground;
use bevy_wayfarer::{
    DesiredVelocity, NavAgent, NavCrowdAgent, NavState, NavTarget, NavWorld, WayfarerPlugin, y_up,
};

#[global_allocator]
static ALLOCATOR: wayfarer_counting::CountingAllocator = wayfarer_counting::CountingAllocator;

/// A world of a drawing, one unit per letter: `.` is floor, `@` none; rows along z.
fn ground(rows: &[&str]) -> Ground {
    let mut map = format!(
        "type octile\nheight {}\nwidth {}\nmap\n",
        rows.len(),
        rows[0].len()
    );
    for row in rows {
        map.push_str(row);
        map.push('\n');
    }
    Ground::import("drawing.map", map.as_bytes(), y_up(1.0)).unwrap()
}

/// An app in which each update is one tick and agents move as they should.
fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, WayfarerPlugin::default()));
    let tick = Duration::from_micros(15_625);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(tick));
    app.add_systems(FixedUpdate, walk);
    // The first update takes no time.
    app.update();
    app
}

/// An app with one world of a drawing.
fn app_on(rows: &[&str]) -> App {
    let mut app = app();
    app.world_mut().spawn(NavWorld::new(ground(rows)));
    app
}

/// Agents that the game moves.
type Walkers = Without<NavCrowdAgent>;

fn walk(
    time: Res<'_, Time>,
    mut agents: Query<'_, '_, (&mut Transform, &DesiredVelocity), Walkers>,
) {
    for (mut transform, velocity) in &mut agents {
        if velocity.0 != Vec3::ZERO {
            transform.translation += velocity.0 * time.delta_secs();
        }
    }
}

/// The center of a letter.
fn at(x: u8, z: u8) -> Vec3 {
    Vec3::new(f32::from(x) + 0.5, 0.0, f32::from(z) + 0.5)
}

/// A fast agent with a target.
fn spawn_agent(app: &mut App, from: Vec3, target: impl Into<NavTarget>) -> Entity {
    let agent = NavAgent::new(8.0);
    let bundle = (agent, Transform::from_translation(from), target.into());
    app.world_mut().spawn(bundle).id()
}

fn updates(app: &mut App, count: usize) {
    (0..count).for_each(|_| app.update());
}

fn get<C: Component + Clone>(app: &App, entity: Entity) -> C {
    app.world().get::<C>(entity).unwrap().clone()
}

/// Updates until an agent is in a state; panics after 600 ticks.
fn until(app: &mut App, agent: Entity, state: NavState) -> usize {
    for tick in 0..600 {
        if get::<NavState>(app, agent) == state {
            return tick;
        }
        app.update();
    }
    panic!(
        "{:?} after 600 ticks, expected {state:?}",
        get::<NavState>(app, agent)
    );
}

/// The messages of a kind so far, if they are few ticks old.
#[derive(Resource)]
struct Heard<M: Message + Clone>(Vec<M>);

/// Collects the messages of a kind.
fn hear<M: Message + Clone>(app: &mut App) {
    app.insert_resource(Heard::<M>(Vec::new()));
    app.add_systems(
        FixedUpdate,
        |mut reader: MessageReader<'_, '_, M>, mut heard: ResMut<'_, Heard<M>>| {
            heard.0.extend(reader.read().cloned());
        },
    );
}

fn heard<M: Message + Clone>(app: &App) -> Vec<M> {
    app.world().resource::<Heard<M>>().0.clone()
}
